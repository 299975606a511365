// The journal of captions gives back what was written and heard, whole or torn, and never anything else; so do those of the program of before.
#include <QTemporaryDir>
#include <QtTest>

#include <filesystem>
#include <fstream>

#include "core/audio/pcm16.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/captions/caption_journal.h"
#include "core/captions/caption_json.h"
#include "core/runtime/journal_sound.h"
#include "tests/support/engine_runs.h"
#include "tests/support/interrupted_run.h"

using namespace braid;
using namespace braid::captions;
using namespace braid::runtime;
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
    const auto sameRival = [](const text::Rival &x, const text::Rival &y) {
        return x.token_id == y.token_id && x.text == y.text && x.probability == y.probability;
    };
    const auto sameToken = [&](const text::Token &x, const text::Token &y) {
        return x.id == y.id && x.text == y.text && x.probability == y.probability &&
               std::equal(x.rivals.begin(), x.rivals.end(), y.rivals.begin(), y.rivals.end(), sameRival);
    };
    return a.text == b.text && a.start_sample == b.start_sample && a.end_sample == b.end_sample && a.probability == b.probability &&
           a.first_seen_sample == b.first_seen_sample && a.committed_sample == b.committed_sample && a.revision_count == b.revision_count &&
           a.revised_from == b.revised_from && a.time_method == b.time_method && a.starts_without_space == b.starts_without_space &&
           std::equal(a.tokens.begin(), a.tokens.end(), b.tokens.begin(), b.tokens.end(), sameToken);
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
    std::vector<std::string> m_troubles;

    static fs::path oldJournal(const QTemporaryDir &parent, const char *name = "20251124-010203-001")
    {
        const fs::path folder = fs::path(parent.path().toStdString()) / name;
        fs::copy(BRAID_SOURCE_DIR "/tests/core/runtime/old_journals/captions", folder);
        return folder;
    }
    static fs::path interrupted(const QTemporaryDir &parent, const char *name = "20260102-030405-001")
    {
        return leaveInterrupted(parent.path().toStdString(), ToldCaptions{sampleTranscript(), speech(0.5)}, name);
    }

  private Q_SLOTS:
    void givesBackWhatAPersonCorrected()
    {
        const QTemporaryDir parent;
        const fs::path folder = interrupted(parent);
        keepCorrections(folder, {{1, "wörld", "world"}, {0, "hello", ""}});
        keepCorrections(folder, {{0, "hello", "Hello,"}});  // the newest holds
        const RecoveredCaptions captions = readCaptionsJournal(folder);
        QVERIFY(captions.state == JournalState::Finished);
        QVERIFY(findInterruptedRuns(parent.path().toStdString()).empty());
        const auto &first = std::get<text::Word>(captions.transcript[0]);
        const auto &second = std::get<text::Word>(captions.transcript[2]);
        QVERIFY(first.text == "Hello," && first.heard == "hello");
        QVERIFY(second.text == "world" && second.heard == "wörld");
        keepCorrections(folder, {{0, "hello", std::nullopt}, {1, "wörld", std::nullopt}});
        QVERIFY(same(readCaptionsJournal(folder).transcript, sampleTranscript()));
        // Many of them, and it is still known to be over by its end alone.
        keepCorrections(folder, std::vector<text::WordCorrection>(500, {0, "hello", "hallo"}));
        QVERIFY(findInterruptedRuns(parent.path().toStdString()).empty());
    }
    void correctionsThatCannotBeCostThemselvesAlone()
    {
        const QTemporaryDir parent;
        const fs::path folder = interrupted(parent);
        keepCorrections(folder, {{2, "wörld", "no such word"}, {-1, "hello", "before all"}, {0, "hallo", "of another word"}});
        std::ofstream(runJournalFile(folder), std::ios::binary | std::ios::app)
            << "{\"event\":\"correction\",\"word\":\"0\",\"heard\":\"hello\",\"text\":\"a\"}\n"
            << "{\"event\":\"correction\",\"word\":0,\"heard\":\"hello\",\"text\":7}\n"
            << "{\"event\":\"correction\",\"heard\":\"hello\",\"text\":\"b\"}\n"
            << "{\"event\":\"correction\",\"word\":1e99,\"heard\":\"hello\",\"text\":\"c\"}\n";
        QVERIFY(same(readCaptionsJournal(folder).transcript, sampleTranscript()));
        // Journals of older Braids are read and not written.
        const fs::path old = oldJournal(parent);
        const std::string before = content(old / "events.jsonl");
        QVERIFY_EXCEPTION_THROWN(keepCorrections(old, {{0, "x", "y"}}), Error);
        QCOMPARE(content(old / "events.jsonl"), before);
    }
    void givesBackEverythingExactly()
    {
        const QTemporaryDir parent;
        const auto sound = speech(1.5);
        RunJournal journal(parent.path().toStdString() + "/new/folders", "This session",
                           [this](const std::string &sentence) { m_troubles.push_back(sentence); });
        journal.postSound(sound);  // before it began: no effect
        tell(journal, ToldCaptions{sampleTranscript(), sound, "Mikrofon \"A\""});
        const fs::path folder = journal.folder();
        // Nobody has waited for the disk: it is with the system already.
        QVERIFY(same(readCaptionsJournal(folder).transcript, sampleTranscript()));
        journal.append(policyToJsonLine("another"));
        journal.finish();
        const auto kept = readCaptionsJournal(folder);
        QCOMPARE(kept.state, JournalState::Finished);
        QVERIFY(same(kept.transcript, sampleTranscript()));
        QCOMPARE(kept.info.started_at, std::string("2026-01-02T03:04:05Z"));
        QCOMPARE(kept.info.source, std::string("Mikrofon \"A\""));
        QCOMPARE(kept.info.model, std::string("captions-en"));
        QCOMPARE(kept.info.policy, std::string("local-agreement, then another"));
        QCOMPARE(kept.sound_samples, samplesFromSeconds(1.5));
        const auto read = readJournalSound(folder, 4000, 8000);
        QCOMPARE(read.size(), std::size_t{8000});
        for (std::size_t i = 0; i < read.size(); ++i) {
            QVERIFY(qAbs(read[i] - sound[4000 + i]) <= 0.51f / 32768);
        }
        QCOMPARE(readJournalSound(folder, 23000, 8000).size(), std::size_t{1000});
        QVERIFY(readJournalSound(folder, 99999, 8000).empty());
        QVERIFY(m_troubles.empty());
    }

    void everySampleOfALongSessionSurvives()
    {
        const QTemporaryDir parent;
        text::Transcript items;
        for (Sample sample = 1; sample < samplesFromSeconds(3e7); sample = sample * 3 + 1) {
            items.emplace_back(text::LineBreak{sample});
        }
        QVERIFY(items.size() > 20);
        QVERIFY(same(readCaptionsJournal(leaveInterrupted(parent.path().toStdString(), ToldCaptions{items, {}})).transcript, items));
    }

    void aPlayerCanOpenTheSoundOfAFinishedJournal()
    {
        const QTemporaryDir parent;
        const fs::path folder = parent.path().toStdString();
        JournalSound writer(folder);
        writer.append(speech(0.5));
        const auto header = [&](std::size_t at) {
            std::uint32_t value = 0;
            std::memcpy(&value, content(folder / "sound.wav").data() + at, 4);
            return value;
        };
        QCOMPARE(header(40), 0xFFFFFFFFu);
        writer.finish();
        QCOMPARE(header(40), 16000u);
        QCOMPARE(header(4), 16036u);
        QCOMPARE(fs::file_size(folder / "sound.wav"), std::uintmax_t{16044});
    }

    void theLoudestSoundDoesNotWrapRound()
    {
        const QTemporaryDir parent;
        const fs::path folder = parent.path().toStdString();
        JournalSound(folder).append(std::vector<float>{1.0f, 1.5f, -1.0f, -7.0f, 0.0f});
        const auto read = readJournalSound(folder, 0, 5);
        constexpr float kLoudest = 32767.0f / 32768;  // of 16 bits
        QCOMPARE(read, (std::vector<float>{kLoudest, kLoudest, -1.0f, -1.0f, 0.0f}));
    }

    void soundOfSixteenBitsIsKeptBitForBit()
    {
        const QTemporaryDir parent;
        const fs::path folder = parent.path().toStdString();
        const auto sound = audio::floatsOf(std::vector<std::int16_t>{0, 1, -1, 20001, -20001, 32767, -32767, -32768});
        JournalSound(folder).append(sound);
        QCOMPARE(readJournalSound(folder, 0, 8), sound);
    }

    void aTornEndCostsOnlyTheTornPart()
    {
        const QTemporaryDir parent;
        const auto folder = interrupted(parent);
        const auto lines = content(folder / "run.jsonl");
        const auto sound = content(folder / "sound.wav");
        const std::size_t before_items = 2;  // the head, the policy
        std::size_t whole_lines = 0;
        for (std::size_t length = 0; length <= lines.size(); ++length) {
            write(folder / "run.jsonl", lines.substr(0, length));
            whole_lines += length > 0 && lines[length - 1] == '\n' ? 1 : 0;
            if (whole_lines == 0) {
                QVERIFY_THROWS_EXCEPTION(Error, static_cast<void>(readCaptionsJournal(folder)));
                continue;
            }
            const auto journal = readCaptionsJournal(folder);
            QCOMPARE(journal.state, JournalState::Interrupted);
            QCOMPARE(journal.transcript.size(), whole_lines - std::min(whole_lines, before_items));
        }
        QCOMPARE(whole_lines, before_items + sampleTranscript().size());
        for (const std::size_t length : {0, 7, 43, 44, 45, 46, 1000, 1001}) {
            write(folder / "sound.wav", sound.substr(0, length));
            QCOMPARE(readCaptionsJournal(folder).sound_samples, static_cast<Sample>(length < 44 ? 0 : (length - 44) / 2));
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
        QTest::newRow("items that are no list") << QByteArray("{\"event\":\"commit\",\"items\":7}");
        QTest::newRow("of an outlet") << QByteArray("{\"event\":\"tail\",\"words\":[],\"heard_s\":1}");
    }
    void aDamagedLineCostsOnlyItself()
    {
        QFETCH(QByteArray, line);
        const QTemporaryDir parent;
        // As a line of its own, as an item among others, and in a journal of before.
        const auto folder = interrupted(parent);
        const auto lines = content(folder / "run.jsonl");
        const auto first_end = lines.find("{\"event\":\"commit\"");
        write(folder / "run.jsonl", lines.substr(0, first_end) + line.toStdString() + "\n" + lines.substr(first_end));
        QVERIFY(same(readCaptionsJournal(folder).transcript, sampleTranscript()));
        write(folder / "run.jsonl", lines.substr(0, first_end) + "{\"event\":\"commit\",\"items\":[" + line.toStdString() + "]}\n" + lines.substr(first_end));
        QVERIFY(same(readCaptionsJournal(folder).transcript, sampleTranscript()));
        const auto old = oldJournal(parent);
        const auto before = readCaptionsJournal(old).transcript;
        const auto items = content(old / "events.jsonl");
        write(old / "events.jsonl", line.toStdString() + "\n" + items);
        QVERIFY(same(readCaptionsJournal(old).transcript, before));
    }

    void whatIsNoJournalIsSaidSo()
    {
        const QTemporaryDir parent;
        const fs::path path = parent.path().toStdString();
        QVERIFY_THROWS_EXCEPTION(Error, static_cast<void>(readCaptionsJournal(path)));
        QVERIFY_THROWS_EXCEPTION(Error, static_cast<void>(readCaptionsJournal(path / "missing")));
        const auto folder = oldJournal(parent);
        const auto before = readCaptionsJournal(folder).transcript;
        for (const char *info : {"{}", "[]", "{\"format\":\"other\",\"version\":1}", "{\"format\":\"braid-journal\",\"version\":2}",
                                 "{\"format\":\"braid-journal\",\"version\":\"1\"}"}) {
            write(folder / "session.json", info);
            QVERIFY_THROWS_EXCEPTION(Error, static_cast<void>(readCaptionsJournal(folder)));
        }
        // The crash came before the description was there: what was said counts more.
        fs::remove(folder / "session.json");
        QVERIFY(same(readCaptionsJournal(folder).transcript, before));
    }

    // Files as the program wrote them when captions had a form of their own: killed in the middle.
    void aJournalOfBeforeIsReadOfferedAndSettled()
    {
        const QTemporaryDir parent;
        const auto folder = oldJournal(parent);
        auto found = findInterruptedRuns(parent.path().toStdString());
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(found[0].info.kind, RunKind::Captions);
        QCOMPARE(found[0].info.source, std::string("caption-sample.flac"));
        QCOMPARE(found[0].info.model, std::string("captions-en"));
        QVERIFY(!found[0].info.policy.empty() && found[0].info.started_at.starts_with("2026-"));
        QVERIFY(found[0].sound_samples > 0);
        const auto journal = readCaptionsJournal(folder);
        QCOMPARE(journal.state, JournalState::Interrupted);
        QCOMPARE(journal.info.policy, found[0].info.policy);
        QCOMPARE(RunResult::textOf(journal.transcript), std::string("I tell you it is not poison, she cried. /"));
        QCOMPARE(readJournalSound(folder, 0, 1 << 20).size(), static_cast<std::size_t>(journal.sound_samples));
        settleRun(folder);
        QVERIFY(findInterruptedRuns(parent.path().toStdString()).empty());
        QCOMPARE(readCaptionsJournal(folder).state, JournalState::Finished);
        QVERIFY(same(readCaptionsJournal(folder).transcript, journal.transcript));
        // A clean end of then is one.
        const auto ended = oldJournal(parent, "ended");
        write(ended / "events.jsonl", content(ended / "events.jsonl") + "\n{\"type\":\"finished\"}\n");
        QCOMPARE(readCaptionsJournal(ended).state, JournalState::Finished);
        QVERIFY(findInterruptedRuns(parent.path().toStdString()).empty());
    }

    void silenceAloneIsOfferedToo()
    {
        const QTemporaryDir parent;
        const auto folder = interrupted(parent);
        write(folder / "run.jsonl", content(folder / "run.jsonl").substr(0, content(folder / "run.jsonl").find('\n') + 1));
        QCOMPARE(findInterruptedRuns(parent.path().toStdString()).size(), std::size_t{1});
        fs::remove(folder / "sound.wav");
        QVERIFY(findInterruptedRuns(parent.path().toStdString()).empty());
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
        const auto journal = readCaptionsJournal(engine.journalFolder());
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
