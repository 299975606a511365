// The journals of conversations and translations give back what was told, whole or torn, and never anything else; a running one is left alone.
#include <QTemporaryDir>
#include <QtTest>

#include <filesystem>
#include <fstream>
#include <optional>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/streams/streams_journal.h"
#include "core/translation/translation_journal.h"
#include "tests/core/streams/streams_of.h"
#include "tests/support/faults.h"
#include "tests/support/interrupted_run.h"

using namespace braid;
using namespace braid::captions;
using namespace braid::runtime;
using namespace braid::streams;
using namespace braid::translation;
using namespace braid::testing;
using streams::Cell;
using streams::CellSource;
using streams::StreamsEvent;
using streams::StreamsEventType;
namespace fs = std::filesystem;

namespace {

StreamsEvent eventOf(StreamsEventType type, std::int64_t row, int stream = -1)
{
    StreamsEvent event;
    event.type = type;
    event.row = row;
    event.stream = stream;
    event.time_ms = 40 * (row + 2);
    return event;
}

StreamsEvent rowOf(std::int64_t row, const std::string &said, const std::string &answered)
{
    StreamsEvent event = eventOf(StreamsEventType::Row, row);
    Cell user;
    user.token = 11;
    user.text = said;
    user.source = CellSource::Fed;
    Cell answer;
    answer.token = 12;
    answer.text = answered;
    answer.source = CellSource::Sampled;
    answer.probability = 0.3;
    answer.entropy = 1.7;
    answer.rivals = {{12, 0.3}, {7, 0.1}};
    event.cells = {user, answer};
    return event;
}

// Somebody speaks, goes back, says something else; ends and notices among the rows.
streams::Conversation conversation()
{
    streams::Conversation conversation;
    conversation.layout.name = "two";
    conversation.layout.silence_text = " -";
    conversation.layout.streams = {streamOf("User", streams::StreamRole::User, {0, 1}), streamOf("Answer", streams::StreamRole::Assistant, {0, 1})};
    conversation.model = "echo \"one\"";
    conversation.system = "Be kind.\nBe brief.";
    conversation.seed = 18446744073709551615U;
    StreamsEvent notice = eventOf(StreamsEventType::Notice, 1);
    notice.text = "A sentence.\nAnd another.";
    StreamsEvent end = eventOf(StreamsEventType::StreamEnded, 1, 1);
    end.reason = streams::EndReason::StopToken;
    conversation.events = {rowOf(0, " one", " ok"),
                           rowOf(1, " tw\xC3", "\xB6 ok"),
                           notice,
                           eventOf(StreamsEventType::TurnEnded, 1, 0),
                           end,
                           eventOf(StreamsEventType::Rewound, 0),
                           rowOf(1, " three", " fine")};
    return conversation;
}

translation::ArrivedUnit unitOf(const std::string &text, double arrived_ms, std::optional<translation::SoundSpan> sound = {})
{
    translation::ArrivedUnit unit;
    unit.text = text;
    unit.arrived_ms = arrived_ms;
    unit.sound = sound;
    unit.starts_without_space = text == "!";
    return unit;
}

TranslationEventBody wordOf(std::int64_t sentence, const std::string &text, std::int64_t read, std::vector<float> attention = {})
{
    translation::WordWritten written;
    written.sentence = sentence;
    written.word.text = text;
    written.word.read_units = read;
    written.word.attention = std::move(attention);
    written.word.probability = 0.625F;
    written.word.was_cut = text == "LONG";
    written.word.tokens = {{17, " wo", 0.5F, {{18, " w\xC3", 0.25F}}}, {19, "\xA9", 0.125F, {}}};
    written.written_ms = 1234.567;
    written.lag_units = -1;
    written.lag_ms = 88.125;
    written.compute_ms = 12.5;
    return translation::TranslationSessionEvent(std::move(written));
}

// Two sentences, the second of which had its words when the first was still being translated; another translator for the second, which is not over.
std::vector<TranslationEventBody> toldTranslation()
{
    using Told = translation::TranslationSessionEvent;
    return {Told(translation::SentenceBegan{0, 0}),
            Told(translation::UnitsArrived{0, {unitOf("one", 3.25), unitOf("two", 4), unitOf("!", 5)}}),
            Told(translation::SourceClosed{0}),
            Told(translation::UnitsRead{0, 2, 6.5}),
            wordOf(0, "ONE", 2, {0.25F, 0.75F}),
            Told(translation::SentenceBegan{1, 2}),
            Told(translation::UnitsArrived{1, {unitOf("th\xC3\xB6", 9, translation::SoundSpan{12345, 54321})}}),
            Told(translation::UnitsRead{0, 4, 10}),
            wordOf(0, "TWO!", 4, {0.25F, 0.25F, 0.25F, 0.25F}),
            Told(translation::SentenceEnded{0, translation::TranslationEnd::Said, "one two!", "ONE TWO!"}),
            Told(translation::LineEnded{0}),
            Told(translation::SessionNotice{"A limit was met.\nIt was this."}),
            TranslatorChanged{"capitals, phi 1", 1},
            Told(translation::UnitsRead{1, 1, 11}),
            wordOf(1, "LONG", 1)};
}

std::string linesOf(const std::vector<TranslationEventBody> &events)
{
    std::string lines;
    for (const TranslationEventBody &event : events) {
        lines += eventToJsonLine(event) + "\n";
    }
    return lines;
}

std::string content(const fs::path &path)
{
    return readTextFile(path);
}

void write(const fs::path &path, std::string_view text)
{
    std::ofstream(path, std::ios::binary) << text;
}

std::size_t wholeLines(std::string_view text)
{
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

class RunJournalTest : public QObject {
    Q_OBJECT

    std::vector<std::string> m_troubles;

    static fs::path only(const QTemporaryDir &parent) { return onlyJournal(parent.path().toStdString()); }
    static fs::path interrupted(const QTemporaryDir &parent, const char *name = "20260102-030405-001")
    {
        return leaveInterrupted(parent.path().toStdString(), conversation(), name);
    }

  private Q_SLOTS:
    void aConversationComesBackExactly()
    {
        const QTemporaryDir parent;
        {
            RunJournal journal(parent.path().toStdString(), "This conversation", [this](const std::string &sentence) { m_troubles.push_back(sentence); });
            QVERIFY(!journal.keeps());
            tell(journal, conversation());
            QVERIFY(journal.keeps());
            // Nobody has waited for the disk: it is with the system already.
            QVERIFY(readConversationJournal(only(parent)).conversation == conversation());
            journal.finish();
            QVERIFY(!journal.keeps());
            journal.append("{\"event\":\"row\"}");
        }
        const auto recovered = readConversationJournal(only(parent));
        QVERIFY(recovered.conversation == conversation());
        QCOMPARE(recovered.state, JournalState::Finished);
        QCOMPARE(recovered.info.kind, RunKind::Conversation);
        QCOMPARE(recovered.info.started_at, std::string("2026-01-02T03:04:05Z"));
        QCOMPARE(recovered.info.source, std::string("two"));
        QCOMPARE(recovered.info.model, std::string("echo \"one\""));
        QVERIFY(m_troubles.empty());
        // And it is what a saved conversation would be.
        QVERIFY(streams::parseConversation(streams::conversationJson(recovered.conversation), "saved") == conversation());
    }

    void whereNothingIsToBeKeptNothingIs()
    {
        RunJournal journal({}, "This conversation", {});
        tell(journal, conversation());
        QVERIFY(!journal.keeps());
        journal.finish();
    }

    void aTornEndCostsOnlyTheTornPart()
    {
        const QTemporaryDir parent;
        const fs::path folder = interrupted(parent);
        const std::string lines = content(folder / "run.jsonl");
        const std::size_t head = lines.find('\n') + 1;
        for (std::size_t length = 0; length <= lines.size(); ++length) {
            write(folder / "run.jsonl", lines.substr(0, length));
            if (length < head) {
                QVERIFY_THROWS_EXCEPTION(Error, static_cast<void>(readConversationJournal(folder)));
                continue;
            }
            const auto recovered = readConversationJournal(folder);
            QCOMPARE(recovered.state, JournalState::Interrupted);
            streams::Conversation expected = conversation();
            expected.events.resize(wholeLines(std::string_view(lines).substr(0, length)) - 1);
            QVERIFY(recovered.conversation == expected);
        }
    }

    void aDamagedLineCostsItselfAndWhatCannotStandWithoutIt()
    {
        const QTemporaryDir parent;
        const fs::path folder = interrupted(parent);
        std::string lines = content(folder / "run.jsonl");
        for (const std::string line : {"nonsense", "{}", "[]", "{\"event\":\"applause\"}", "{\"event\":\"row\",\"row\":7,\"cells\":[]}",
                                       "{\"event\":\"rewound\",\"row\":9}", "{\"type\":\"applause\"}"}) {
            std::string damaged = lines;
            damaged.insert(damaged.find("{\"event\":\"notice\""), line + "\n" + std::string(100, '[') + "\n");
            write(folder / "run.jsonl", damaged);
            QVERIFY2(readConversationJournal(folder).conversation == conversation(), line.c_str());
        }
        // Without its second row the conversation goes on where the person went back.
        lines.erase(lines.find("{\"event\":\"row\",\"row\":1"), lines.find("{\"event\":\"notice\"") - lines.find("{\"event\":\"row\",\"row\":1"));
        write(folder / "run.jsonl", lines);
        const auto recovered = readConversationJournal(folder);
        QCOMPARE(recovered.conversation.table().rows, conversation().table().rows);
        QVERIFY(streams::parseConversation(streams::conversationJson(recovered.conversation), "saved") == recovered.conversation);
    }

    void aTranslationComesBackAsItWasTold()
    {
        const QTemporaryDir parent;
        const fs::path folder = leaveInterrupted(parent.path().toStdString(), toldTranslation());
        const auto recovered = readTranslationJournal(folder);
        QCOMPARE(linesOf(recovered.events), linesOf(toldTranslation()));
        QCOMPARE(recovered.state, JournalState::Interrupted);
        QCOMPARE(recovered.info.kind, RunKind::Translation);
        QCOMPARE(recovered.info.source, std::string("typed text"));
        QCOMPARE(recovered.info.model, std::string("capitals"));
        QVERIFY_THROWS_EXCEPTION(Error, static_cast<void>(readConversationJournal(folder)));
        // Torn anywhere, it is what was told until then.
        const std::string lines = content(folder / "run.jsonl");
        const std::size_t head = lines.find('\n') + 1;
        const std::string told = linesOf(toldTranslation());
        for (std::size_t length = head; length <= lines.size(); length += 7) {
            write(folder / "run.jsonl", lines.substr(0, length));
            const std::string kept = linesOf(readTranslationJournal(folder).events);
            QVERIFY(told.starts_with(kept));
            QCOMPARE(wholeLines(kept), wholeLines(std::string_view(lines).substr(0, length)) - 1);
        }
        settleRun(folder);
        QCOMPARE(readTranslationJournal(folder).state, JournalState::Finished);
    }

    void aLineThatNoTranslationTellsIsPassedOver_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::newRow("no JSON") << QByteArray("nonsense");
        QTest::newRow("no object") << QByteArray("[1]");
        QTest::newRow("nested deeply") << QByteArray(100000, '[');
        QTest::newRow("unknown event") << QByteArray(R"({"event":"applause"})");
        QTest::newRow("of an outlet, not of the session") << QByteArray(R"({"event":"done","statistics":{}})");
        QTest::newRow("a sentence too many") << QByteArray(R"({"event":"sentence","sentence":9,"line":3})");
        QTest::newRow("a sentence again") << QByteArray(R"({"event":"sentence","sentence":0,"line":3})");
        QTest::newRow("back to an earlier line") << QByteArray(R"({"event":"sentence","sentence":2,"line":1})");
        QTest::newRow("units of an older sentence") << QByteArray(R"({"event":"source","sentence":0,"units":[{"text":"a","arrived_ms":1}]})");
        QTest::newRow("an empty unit") << QByteArray(R"({"event":"source","sentence":1,"units":[{"text":"","arrived_ms":1}]})");
        QTest::newRow("a unit that ends before it starts")
            << QByteArray(R"({"event":"source","sentence":1,"units":[{"text":"a","arrived_ms":1,"start_s":2,"end_s":1}]})");
        QTest::newRow("a time without end") << QByteArray(R"({"event":"source","sentence":1,"units":[{"text":"a","arrived_ms":1e300}]})");
        QTest::newRow("more read than there is") << QByteArray(R"({"event":"read","sentence":1,"units":3,"read_ms":1})");
        QTest::newRow("a word of a sentence that is over") << QByteArray(
            R"({"event":"word","sentence":0,"text":"a","probability":0,"read_units":1,"written_ms":1,"lag_units":0,"lag_ms":0,"compute_ms":0,"tokens":[]})");
        QTest::newRow("a word that read too much") << QByteArray(
            R"({"event":"word","sentence":1,"text":"a","probability":0,"read_units":99,"written_ms":1,"lag_units":0,"lag_ms":0,"compute_ms":0,"tokens":[]})");
        QTest::newRow("a word that looks too far") << QByteArray(
            R"({"event":"word","sentence":1,"text":"a","probability":0,"read_units":1,"written_ms":1,"lag_units":0,"lag_ms":0,"compute_ms":0,"tokens":[],"attention":[0,0,0,0]})");
        QTest::newRow("a probability of a thousand") << QByteArray(
            R"({"event":"word","sentence":1,"text":"a","probability":1000,"read_units":1,"written_ms":1,"lag_units":0,"lag_ms":0,"compute_ms":0,"tokens":[]})");
        QTest::newRow("an end of another kind") << QByteArray(R"({"event":"sentence_end","sentence":1,"end":"not_yet","source":"","target":""})");
        QTest::newRow("a negative number") << QByteArray(R"({"event":"translator","translator":"x","first_sentence":-1})");
        QTest::newRow("a number too large") << QByteArray(R"({"event":"line_end","line":18446744073709551615})");
    }
    void aLineThatNoTranslationTellsIsPassedOver()
    {
        QFETCH(QByteArray, line);
        const QTemporaryDir parent;
        const fs::path folder = leaveInterrupted(parent.path().toStdString(), toldTranslation());
        std::string lines = content(folder / "run.jsonl");
        lines.insert(lines.find("{\"event\":\"translator\""), line.toStdString() + "\n");
        write(folder / "run.jsonl", lines);
        QCOMPARE(linesOf(readTranslationJournal(folder).events), linesOf(toldTranslation()));
    }

    void whatIsNoJournalIsSaidSo_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("torn head") << QByteArray("{\"format\":\"braid-run-journal\",\"version\":1,\"kind\":\"conversation\"}");
        QTest::newRow("another format") << QByteArray("{\"format\":\"braid-journal\",\"version\":1}\n");
        QTest::newRow("a newer version") << QByteArray("{\"format\":\"braid-run-journal\",\"version\":2,\"kind\":\"conversation\"}\n");
        QTest::newRow("a kind of later") << QByteArray("{\"format\":\"braid-run-journal\",\"version\":1,\"kind\":\"dance\"}\n");
        QTest::newRow("a conversation without a head") << QByteArray("{\"format\":\"braid-run-journal\",\"version\":1,\"kind\":\"conversation\"}\n");
        QTest::newRow("a translation") << QByteArray("{\"format\":\"braid-run-journal\",\"version\":1,\"kind\":\"translation\"}\n");
        QTest::newRow("no JSON") << QByteArray("\0\xFF\n", 3);
        QTest::newRow("nested deeply") << QByteArray(100000, '[') + "\n";
    }
    void whatIsNoJournalIsSaidSo()
    {
        QFETCH(QByteArray, text);
        const QTemporaryDir parent;
        const fs::path folder = parent.path().toStdString();
        QVERIFY_THROWS_EXCEPTION(Error, static_cast<void>(readConversationJournal(folder)));
        write(folder / "run.jsonl", text.toStdString());
        QVERIFY_THROWS_EXCEPTION(Error, static_cast<void>(readConversationJournal(folder)));
    }

    void interruptedOnesAreFoundUntilTheyAreSettled()
    {
        const QTemporaryDir parent;
        const fs::path path = parent.path().toStdString();
        const fs::path older = interrupted(parent);
        const fs::path newer = interrupted(parent, "20260102-030405-002");
        const fs::path empty = interrupted(parent, "20260102-030405-003");
        const std::string lines = content(empty / "run.jsonl");
        write(empty / "run.jsonl", lines.substr(0, lines.find('\n') + 5));  // nothing was said
        write(newer / "run.jsonl", lines + "{\"event\":\"ro");
        RunJournal finished(path, "This conversation", [](const std::string &) {});
        tell(finished, conversation());
        finished.finish();
        RunJournal running(path, "This conversation", [](const std::string &) {});
        tell(running, conversation());
        fs::create_directory(path / "something else");

        auto found = findInterruptedRuns(path);
        QCOMPARE(found.size(), std::size_t{2});
        QCOMPARE(found[0].folder, newer);
        QCOMPARE(found[1].folder, older);
        QCOMPARE(found[1].info.model, conversation().model);
        settleRun(newer);
        found = findInterruptedRuns(path);
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(found[0].folder, older);
        // Settling deletes nothing.
        QVERIFY(readConversationJournal(newer).conversation == conversation());
        QCOMPARE(readConversationJournal(newer).state, JournalState::Finished);
        QVERIFY(findInterruptedRuns(path / "missing").empty());
    }

    // Files as the program of before wrote them, killed in the middle of a line.
    void journalsOfBeforeAreReadAndSettled()
    {
        const QTemporaryDir parent;
        const fs::path path = parent.path().toStdString();
        for (const char *kind : {"conversation", "translation"}) {
            fs::copy(fs::path(BRAID_SOURCE_DIR "/tests/core/runtime/old_journals") / kind, path / kind);
        }
        QCOMPARE(findInterruptedRuns(path).size(), std::size_t{2});
        const auto conversation = readConversationJournal(path / "conversation");
        QCOMPARE(conversation.state, JournalState::Interrupted);
        QCOMPARE(conversation.info.model, std::string("streams-en"));
        QCOMPARE(conversation.conversation.table().textOf(1), std::string(" what is tw"));
        const auto translation = readTranslationJournal(path / "translation");
        QCOMPARE(translation.info.model, std::string("translate-en-fr, group"));
        QCOMPARE(translation.info.source, std::string("standard input"));
        QCOMPARE(
            linesOf(translation.events),
            content(path / "translation" / "run.jsonl").substr(content(path / "translation" / "run.jsonl").find('\n') + 1, linesOf(translation.events).size()));
        QVERIFY(translation.events.size() > 20);
        settleRun(path / "conversation");
        settleRun(path / "translation");
        QVERIFY(findInterruptedRuns(path).empty());
        QCOMPARE(readConversationJournal(path / "conversation").state, JournalState::Finished);
    }

    void aDiskThatIsFullIsSaidOnce_data()
    {
        QTest::addColumn<double>("share");
        QTest::newRow("full before the journal can be made") << 0.0;
        QTest::newRow("full in the middle") << 0.8;
    }
    void aDiskThatIsFullIsSaidOnce()
    {
        QFETCH(double, share);
        const QTemporaryDir other;
        const auto whole = static_cast<double>(fs::file_size(interrupted(other) / "run.jsonl"));
        const QTemporaryDir parent;
        std::vector<std::string> troubles;
        {
            const FullDisk full(static_cast<rlim_t>(whole * share));
            RunJournal journal(parent.path().toStdString(), "This conversation", [&troubles](const std::string &sentence) { troubles.push_back(sentence); });
            tell(journal, conversation());
            QCOMPARE(journal.keeps(), share > 0);  // what finds no room waits for some
            journal.finish();
        }
        QCOMPARE(troubles.size(), std::size_t{1});
        QVERIFY2(troubles[0].starts_with("This conversation is no") && troubles[0].find("kept in") != std::string::npos, troubles[0].c_str());
        if (share > 0) {
            // What was kept is whole lines, and is offered.
            QCOMPARE(findInterruptedRuns(parent.path().toStdString()).size(), std::size_t{1});
            const auto kept = readConversationJournal(only(parent)).conversation.events;
            QVERIFY(!kept.empty() && kept.size() < conversation().events.size());
            QVERIFY(kept.front() == conversation().events.front());
        }
    }
};

QTEST_GUILESS_MAIN(RunJournalTest)
#include "tst_run_journal.moc"
