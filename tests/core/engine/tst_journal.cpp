// A journal gives back what was written, whole or torn, and never anything else; a running one is left alone.
#include <QTemporaryDir>
#include <QtTest>

#include <filesystem>
#include <fstream>

#include "core/audio/pcm16.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/engine/journal.h"
#include "tests/support/engine_runs.h"

using namespace braid;
using namespace braid::engine;
using namespace braid::testing;
namespace fs = std::filesystem;

namespace {

text::Word word(const std::string &text, Sample start)
{
    text::Word made;
    made.text = text;
    made.start_sample = start;
    made.end_sample = start + 4001;
    made.probability = 0.75f;
    made.first_seen_sample = start + 5003;
    made.committed_sample = start + 9007;
    made.revision_count = 2;
    made.revised_from = "w\"ord\n";
    made.time_method = text::WordTimeMethod::CrossAttention;
    made.starts_without_space = start % 2 == 1;
    made.tokens = {{17, " wo", 0.5f, {{18, " w\xC3", 0.25f}, {19, "\xA9", 0.125f}}}, {-1, "\xE2\x82", 1.0f, {}}};
    return made;
}

text::Transcript sampleTranscript()
{
    return {word("hello", 12345), text::LineBreak{54321}, word("wörld", 1234567), text::Gap{2000001, 16001, "the microphone was \"lost\""}};
}

bool sameWord(const text::Word &a, const text::Word &b)
{
    const auto sameRival = [](const text::Rival &x, const text::Rival &y) { return x.token_id == y.token_id && x.text == y.text && x.probability == y.probability; };
    const auto sameToken = [&](const text::Token &x, const text::Token &y) {
        return x.id == y.id && x.text == y.text && x.probability == y.probability && std::equal(x.rivals.begin(), x.rivals.end(), y.rivals.begin(), y.rivals.end(), sameRival);
    };
    return a.text == b.text && a.start_sample == b.start_sample && a.end_sample == b.end_sample && a.probability == b.probability && a.first_seen_sample == b.first_seen_sample
        && a.committed_sample == b.committed_sample && a.revision_count == b.revision_count && a.revised_from == b.revised_from && a.time_method == b.time_method
        && a.starts_without_space == b.starts_without_space && std::equal(a.tokens.begin(), a.tokens.end(), b.tokens.begin(), b.tokens.end(), sameToken);
}

bool sameItem(const text::TranscriptItem &a, const text::TranscriptItem &b)
{
    if (a.index() != b.index()) {
        return false;
    }
    if (const auto *first = std::get_if<text::Word>(&a)) {
        return sameWord(*first, std::get<text::Word>(b));
    }
    if (const auto *first = std::get_if<text::LineBreak>(&a)) {
        return first->sample == std::get<text::LineBreak>(b).sample;
    }
    const auto &first = std::get<text::Gap>(a);
    const auto &second = std::get<text::Gap>(b);
    return first.start_sample == second.start_sample && first.length_samples == second.length_samples && first.reason == second.reason;
}

bool same(const text::Transcript &a, const text::Transcript &b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), sameItem);
}

const JournalInfo kInfo = {"2026-01-02T03:04:05Z", "Mikrofon \"A\"", "captions-en", "local-agreement"};

std::string content(const fs::path &path)
{
    return readTextFile(path);
}

void write(const fs::path &path, std::string_view text)
{
    std::ofstream(path, std::ios::binary) << text;
}

}  // namespace

class JournalTest : public QObject {
    Q_OBJECT
  private:
    // A journal whose writer died without finish().
    fs::path interrupted(const QTemporaryDir &parent)
    {
        JournalWriter writer(parent.path().toStdString(), kInfo);
        writer.appendSound(speech(0.5));
        writer.appendItems(sampleTranscript());
        return writer.folder();
    }

  private Q_SLOTS:
    void givesBackEverythingExactly()
    {
        const QTemporaryDir parent;
        const auto sound = speech(1.5);
        fs::path folder;
        {
            JournalWriter writer(parent.path().toStdString() + "/new/folders", kInfo);
            folder = writer.folder();
            writer.appendSound(std::span(sound).first(5000));
            const auto items = sampleTranscript();
            writer.appendItems(std::span(items).first(1));
            writer.appendSound(std::span(sound).subspan(5000));
            writer.appendItems(std::span(items).subspan(1));
            writer.sync();
            writer.finish();
        }
        const auto journal = readJournal(folder);
        QCOMPARE(journal.state, JournalState::Finished);
        QVERIFY(same(journal.transcript, sampleTranscript()));
        QCOMPARE(journal.info.started_at, kInfo.started_at);
        QCOMPARE(journal.info.source, kInfo.source);
        QCOMPARE(journal.info.model, kInfo.model);
        QCOMPARE(journal.info.policy, kInfo.policy);
        QCOMPARE(journal.sound_samples, samplesFromSeconds(1.5));
        const auto read = readJournalSound(folder, 4000, 8000);
        QCOMPARE(read.size(), std::size_t{8000});
        for (std::size_t i = 0; i < read.size(); ++i) {
            QVERIFY(qAbs(read[i] - sound[4000 + i]) <= 0.51f / 32768);
        }
        QCOMPARE(readJournalSound(folder, 23000, 8000).size(), std::size_t{1000});
        QVERIFY(readJournalSound(folder, 99999, 8000).empty());
    }

    void everySampleOfALongSessionSurvives()
    {
        const QTemporaryDir parent;
        JournalWriter writer(parent.path().toStdString(), kInfo);
        text::Transcript items;
        for (Sample sample = 1; sample < samplesFromSeconds(3e7); sample = sample * 3 + 1) {
            items.emplace_back(text::LineBreak{sample});
        }
        writer.appendItems(items);
        QVERIFY(items.size() > 20);
        QVERIFY(same(readJournal(writer.folder()).transcript, items));
    }

    void aPlayerCanOpenTheSoundOfAFinishedJournal()
    {
        const QTemporaryDir parent;
        JournalWriter writer(parent.path().toStdString(), kInfo);
        writer.appendSound(speech(0.5));
        const auto header = [&](std::size_t at) {
            std::uint32_t value = 0;
            std::memcpy(&value, content(writer.folder() / "sound.wav").data() + at, 4);
            return value;
        };
        QCOMPARE(header(40), 0xFFFFFFFFu);
        writer.finish();
        QCOMPARE(header(40), 16000u);
        QCOMPARE(header(4), 16036u);
        QCOMPARE(fs::file_size(writer.folder() / "sound.wav"), std::uintmax_t{16044});
    }

    void theLoudestSoundDoesNotWrapRound()
    {
        const QTemporaryDir parent;
        JournalWriter writer(parent.path().toStdString(), kInfo);
        writer.appendSound(std::vector<float>{1.0f, 1.5f, -1.0f, -7.0f, 0.0f});
        const auto read = readJournalSound(writer.folder(), 0, 5);
        constexpr float kLoudest = 32767.0f / 32768;  // of 16 bits
        QCOMPARE(read, (std::vector<float>{kLoudest, kLoudest, -1.0f, -1.0f, 0.0f}));
    }

    void soundOfSixteenBitsIsKeptBitForBit()
    {
        const QTemporaryDir parent;
        JournalWriter writer(parent.path().toStdString(), kInfo);
        const auto sound = audio::floatsOf(std::vector<std::int16_t>{0, 1, -1, 20001, -20001, 32767, -32767, -32768});
        writer.appendSound(sound);
        QCOMPARE(readJournalSound(writer.folder(), 0, 8), sound);
    }

    void aTornEndCostsOnlyTheTornPart()
    {
        const QTemporaryDir parent;
        const auto folder = interrupted(parent);
        const auto events = content(folder / "events.jsonl");
        const auto sound = content(folder / "sound.wav");
        std::size_t whole_lines = 0;
        for (std::size_t length = 0; length <= events.size(); ++length) {
            write(folder / "events.jsonl", events.substr(0, length));
            whole_lines += length > 0 && events[length - 1] == '\n' ? 1 : 0;
            const auto journal = readJournal(folder);
            QCOMPARE(journal.state, JournalState::Interrupted);
            QCOMPARE(journal.transcript.size(), whole_lines);
        }
        QCOMPARE(whole_lines, sampleTranscript().size());
        for (const std::size_t length : {0, 7, 43, 44, 45, 46, 1000, 1001}) {
            write(folder / "sound.wav", sound.substr(0, length));
            QCOMPARE(readJournal(folder).sound_samples, static_cast<Sample>(length < 44 ? 0 : (length - 44) / 2));
            QCOMPARE(readJournalSound(folder, 0, 100000).size(), length < 44 ? 0 : (length - 44) / 2);
        }
    }

    void aDamagedLineCostsOnlyItself_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::newRow("not JSON") << QByteArray("{\"type\":\"word\",\"te");
        QTest::newRow("unknown type") << QByteArray("{\"type\":\"applause\",\"time_s\":3}");
        QTest::newRow("no object") << QByteArray("[1,2,3]");
        QTest::newRow("word without text") << QByteArray("{\"type\":\"word\",\"start_s\":1,\"end_s\":2}");
        QTest::newRow("ends before it starts") << QByteArray("{\"type\":\"word\",\"text\":\"a\",\"start_s\":2,\"end_s\":1}");
        QTest::newRow("time too large") << QByteArray("{\"type\":\"line_break\",\"time_s\":1e300}");
        QTest::newRow("time negative") << QByteArray("{\"type\":\"line_break\",\"time_s\":-1}");
        QTest::newRow("time is text") << QByteArray("{\"type\":\"line_break\",\"time_s\":\"soon\"}");
        QTest::newRow("probability of a thousand") << QByteArray("{\"type\":\"word\",\"text\":\"a\",\"probability\":1000}");
        QTest::newRow("huge token id") << QByteArray("{\"type\":\"word\",\"text\":\"a\",\"tokens\":[{\"id\":1e99}]}");
        QTest::newRow("odd bytes") << QByteArray("{\"type\":\"word\",\"text\":\"a\",\"tokens\":[{\"id\":1,\"bytes\":\"abc\"}]}");
        QTest::newRow("deeply nested") << QByteArray(100000, '[') + QByteArray(100000, ']');
        QTest::newRow("binary") << QByteArray("\0\xFF\x80{", 4);
        QTest::newRow("two megabytes") << QByteArray(2 << 20, 'x');
        QTest::newRow("empty") << QByteArray();
    }
    void aDamagedLineCostsOnlyItself()
    {
        QFETCH(QByteArray, line);
        const QTemporaryDir parent;
        const auto folder = interrupted(parent);
        const auto events = content(folder / "events.jsonl");
        const auto first_end = events.find('\n') + 1;
        write(folder / "events.jsonl", events.substr(0, first_end) + line.toStdString() + "\n" + events.substr(first_end));
        QVERIFY(same(readJournal(folder).transcript, sampleTranscript()));
    }

    void whatIsNoJournalIsSaidSo()
    {
        const QTemporaryDir parent;
        const fs::path path = parent.path().toStdString();
        QVERIFY_THROWS_EXCEPTION(Error, static_cast<void>(readJournal(path)));
        QVERIFY_THROWS_EXCEPTION(Error, static_cast<void>(readJournal(path / "missing")));
        const auto folder = interrupted(parent);
        for (const char *info : {"", "{}", "[]", "{\"format\":\"other\",\"version\":1}", "{\"format\":\"braid-journal\",\"version\":2}", "{\"format\":\"braid-journal\",\"version\":\"1\"}"}) {
            write(folder / "session.json", info);
            QVERIFY_THROWS_EXCEPTION(Error, static_cast<void>(readJournal(folder)));
        }
        // The crash came before the description was there: what was said counts more.
        fs::remove(folder / "session.json");
        QVERIFY(same(readJournal(folder).transcript, sampleTranscript()));
    }

    void interruptedJournalsAreFoundUntilTheyAreSettled()
    {
        const QTemporaryDir parent;
        const fs::path path = parent.path().toStdString();
        const auto older = interrupted(parent);
        const auto newer = interrupted(parent);
        QVERIFY(older != newer);
        {
            JournalWriter finished(path, kInfo);
            finished.finish();
        }
        fs::create_directory(path / "something else");
        write(path / "a file", "x");
        write(newer / "events.jsonl", content(newer / "events.jsonl") + "{\"type\":\"wo");
        auto found = findInterruptedJournals(path);
        QCOMPARE(found.size(), std::size_t{2});
        QCOMPARE(found[0].folder, newer);
        QCOMPARE(found[1].folder, older);
        QVERIFY(same(found[0].transcript, sampleTranscript()));
        settleJournal(newer);
        found = findInterruptedJournals(path);
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(found[0].folder, older);
        // Settling deletes nothing.
        QVERIFY(same(readJournal(newer).transcript, sampleTranscript()));
        QCOMPARE(readJournal(newer).state, JournalState::Finished);
        QVERIFY(findInterruptedJournals(path / "missing").empty());
    }

    void aJournalThatIsBeingWrittenIsNotOffered()
    {
        const QTemporaryDir parent;
        JournalWriter writer(parent.path().toStdString(), kInfo);
        writer.appendItems(sampleTranscript());
        QVERIFY(findInterruptedJournals(parent.path().toStdString()).empty());
    }

    void aRunIsKeptAsItWas()
    {
        const QTemporaryDir parent;
        CaptionEngine engine;
        auto run = runOver({audio::script::Sound{speech(3)}, audio::script::Gap{16000, "The cable was cut."}, audio::script::Sound{speech(2)}});
        run.journal_folder = parent.path().toStdString();
        engine.start(std::move(run));
        const auto result = finishedRun(engine);
        QVERIFY(result);
        const auto journal = readJournal(engine.journalFolder());
        QCOMPARE(journal.state, JournalState::Finished);
        QCOMPARE(RunResult::textOf(journal.transcript), result->text());
        QCOMPARE(journal.info.policy, std::string("half-second-words"));
        QCOMPARE(journal.info.source, std::string("script"));
        QVERIFY(!journal.info.started_at.empty());
        QCOMPARE(journal.sound_samples, samplesFromSeconds(6));
        const auto gap = readJournalSound(journal.folder, samplesFromSeconds(3), 16000);
        QVERIFY(std::all_of(gap.begin(), gap.end(), [](float value) { return value == 0; }));
    }
};

QTEST_GUILESS_MAIN(JournalTest)
#include "tst_journal.moc"
