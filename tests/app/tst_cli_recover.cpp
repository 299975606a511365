// What braid-cli does after a crash: captions, conversations and translations, killed while they run, are listed and written out as they were told.
#include <QTemporaryDir>
#include <QtTest>

#include <nlohmann/json.hpp>

#include "core/streams/conversation.h"
#include "tests/app/cli_runner.h"
#include "tests/core/streams/streams_of.h"
#include "tests/support/interrupted_run.h"
#include "tests/support/small_lm_folder.h"

using namespace braid;
using namespace braid::test;
using nlohmann::json;

namespace {

// The one turn of a conversation.
streams::Conversation conversation()
{
    streams::Conversation conversation;
    conversation.layout.name = "two";
    conversation.layout.silence_text = " -";
    conversation.layout.streams = {streamOf("User", streams::StreamRole::User, {0, 1}), streamOf("Answer", streams::StreamRole::Assistant, {0, 1})};
    conversation.model = "streams-en";
    streams::StreamsEvent row;
    row.cells.resize(2);
    row.cells[0].token = 5;
    row.cells[0].text = " hello";
    row.cells[0].source = streams::CellSource::Fed;
    row.cells[1].source = streams::CellSource::Silenced;
    conversation.events = {row};
    return conversation;
}

std::vector<translation::TranslationEventBody> toldTranslation()
{
    using Told = translation::TranslationSessionEvent;
    translation::ArrivedUnit unit;
    unit.text = "two";
    translation::WordWritten first;
    first.word.text = "deux";
    translation::WordWritten second;
    second.sentence = 1;
    second.word.text = "trois";
    return {Told(translation::SentenceBegan{0, 0}),
            Told(translation::UnitsArrived{0, {unit}}),
            Told(first),
            Told(translation::SentenceEnded{0, translation::TranslationEnd::Said, "two", "deux"}),
            Told(translation::LineEnded{0}),
            Told(translation::SentenceBegan{1, 1}),
            Told(second)};
}

// Waits until `process` has written `what` so often, and kills it; what it wrote is left to be read.
void killAfter(QProcess &process, const char *what, int times)
{
    while (process.peek(process.bytesAvailable()).count(what) < times) {
        if (!process.waitForReadyRead(60000)) {
            break;
        }
    }
    process.kill();
}

}  // namespace

class CliRecoverTest : public QObject {
    Q_OBJECT
    test::CliRunner m_cli;
    QTemporaryDir m_folder;

    [[nodiscard]] QString path(const char *name) const { return m_folder.filePath(QString::fromUtf8(name)); }
    [[nodiscard]] QString sessions() const { return m_cli.home() + QStringLiteral("/braid/sessions"); }

  private Q_SLOTS:
    void whatWasInterruptedIsListedAndWritten()
    {
        testing::leaveInterrupted(sessions().toStdString(), toldTranslation(), "20260102-030405-001");
        testing::leaveInterrupted(sessions().toStdString(), conversation(), "20260102-030405-002");
        const Answer listed = m_cli.run({"recover", "--list"});
        QCOMPARE(listed.exit_code, 0);
        QVERIFY2(listed.output.contains("20260102-030405-001  2026-01-02T03:04:05Z  typed text  a translation\n    capitals\n"), qPrintable(listed.output));
        QVERIFY2(listed.output.contains("20260102-030405-002  2026-01-02T03:04:05Z  two  a conversation in parallel streams\n    streams-en\n"),
                 qPrintable(listed.output));

        // The newest first.
        const Answer table = m_cli.run({"recover", "--keep"});
        QCOMPARE(table.exit_code, 0);
        QVERIFY2(table.output.startsWith("| User | Answer |") && table.output.contains("hello"), qPrintable(table.output));
        QVERIFY(table.errors.contains("1 rows of a conversation with streams-en"));
        QCOMPARE(m_cli.run({"recover", "--format", "srt"}).exit_code, 2);
        const QString saved = path("saved.json");
        QCOMPARE(m_cli.run({"recover", "--format", "json", "--out", saved}).exit_code, 0);
        QVERIFY(streams::openConversation(saved.toStdString()) == conversation());

        const Answer lines = m_cli.run({"recover", "20260102-030405-001", "--keep"});
        QCOMPARE(lines.output, QStringLiteral("deux\ntrois\n"));
        const Answer events = m_cli.run({"recover", "--format", "json"});
        QCOMPARE(events.exit_code, 0);
        QCOMPARE(jsonLines(events.output).size(), toldTranslation().size());
        QCOMPARE(m_cli.run({"recover"}).exit_code, 3);
        QVERIFY(m_cli.run({"recover", "--list"}).output.contains("No interrupted session"));
    }

    void captionsThatWereKilledComeBack()
    {
        if (!hasBoxModel()) {
            QSKIP("the model in the box is not here");
        }
        const QString sample = QStringLiteral(BRAID_SOURCE_DIR "/resources/samples/caption-sample.flac");
        const Answer told = m_cli.run({"caption", sample, "--realtime", "--format", "json", "--journal", path("captions")},
                                      [](QProcess &process) { killAfter(process, "\"event\":\"commit\"", 1); });
        QCOMPARE(told.exit_code, -1);
        std::vector<json> items;
        for (const json &line : jsonLines(told.output.left(told.output.lastIndexOf(QLatin1Char('\n')) + 1))) {
            if (line.at("event") == "commit") {
                items.insert(items.end(), line.at("items").begin(), line.at("items").end());
            }
        }
        const Answer recovered = m_cli.run({"recover", "--journal", path("captions"), "--format", "json"});
        QVERIFY2(recovered.exit_code == 0, qPrintable(recovered.all()));
        const json kept = json::parse(recovered.output.toStdString());
        QVERIFY(!items.empty() && kept.at("items").size() >= items.size());
        QVERIFY(std::equal(items.begin(), items.end(), kept.at("items").begin()));
        QCOMPARE(kept.at("policy").get<std::string>(), std::string("streaming"));
        QVERIFY(recovered.errors.contains(QStringLiteral("sound.wav")));
        QVERIFY(m_cli.run({"recover", "--list", "--journal", path("captions")}).output.contains("No interrupted session"));
    }

    void aConversationThatWasKilledComesBack()
    {
#ifndef BRAID_HAS_MODELS
        QSKIP("built without libtorch");
#endif
        const QString model = path("small-streams");
        test::writeSmallLmFolder(model.toStdString(), test::SmallLmKind::Streams);
        const QString layout = path("three.json");
        test::writeFile(
            layout,
            R"({"format": "braid-streams-layout", "version": 1, "name": "three", "visibility": {"form": "rows"}, "silence": {"rule": "skipped", "text": " -"},
            "stop": {"most_rows": 4000}, "streams": [{"name": "System", "role": "system"}, {"name": "User", "role": "user"},
            {"name": "Answer", "role": "assistant", "seed": 1}, {"name": "Working", "role": "assistant", "seed": 2}]})");
        const QString script = path("script.txt");
        test::writeFile(script, "1 one two\n+3 three\n+300 four\n");
        const Answer told = m_cli.run(
            {"chat", "--model", model, "--layout", layout, "--script", script, "--rows-per-second", "20", "--format", "json", "--journal", path("journals")},
            [](QProcess &process) { killAfter(process, "\"event\":\"row\"", 8); });
        QCOMPARE(told.exit_code, -1);
        const QString saved = path("back.json");
        const Answer recovered = m_cli.run({"recover", "--journal", path("journals"), "--format", "json", "--out", saved});
        QVERIFY2(recovered.exit_code == 0, qPrintable(recovered.all()));
        const streams::Conversation back = streams::openConversation(saved.toStdString());
        QString kept;
        for (const streams::StreamsEvent &event : back.events) {
            kept += QString::fromStdString(streams::eventLine(event)) + QLatin1Char('\n');
        }
        const QString events = told.output.section(QLatin1Char('\n'), 1);  // behind "started"
        QVERIFY2(kept.startsWith(events) && back.table().rows.size() >= 8, qPrintable(kept + "\n---\n" + events));
        QVERIFY(m_cli.run({"recover", "--list", "--journal", path("journals")}).output.contains("No interrupted session"));
        // It is played like any other.
        QVERIFY(m_cli.run({"chat", "--open", saved, "--play", "once", "--format", "table"}).output.contains("three"));
    }

    void aTranslationThatWasKilledComesBack()
    {
#ifndef BRAID_HAS_MODELS
        QSKIP("built without libtorch");
#endif
        const QString model = path("small-en-fr");
        test::writeSmallLmFolder(model.toStdString(), test::SmallLmKind::Framed, 128);
        const QStringList translate{"translate", "--stdin", "--model", model, "--format", "json"};
        const Answer told = m_cli.run(translate + QStringList{"--journal", path("translations")}, [](QProcess &process) {
            process.write("The cat sat. The dog saw it. The cat sat on the mat and saw the dog.\nThe mat ");
            killAfter(process, "\"event\":\"word\"", 3);
        });
        QCOMPARE(told.exit_code, -1);
        const Answer recovered = m_cli.run({"recover", "--journal", path("translations"), "--format", "json"});
        QVERIFY2(recovered.exit_code == 0, qPrintable(recovered.all()));
        const QString events = told.output.section(QLatin1Char('\n'), 1);  // behind "start"
        QVERIFY2(recovered.output.startsWith(events), qPrintable(recovered.output + "\n---\n" + events));
        QVERIFY(recovered.output.contains("\"event\":\"word\""));
        // Without being asked to, only what is typed at a terminal is kept: what comes through a pipe can come again.
        QCOMPARE(m_cli.run(translate, [](QProcess &process) { process.write("The cat."); }).exit_code, 0);
        QVERIFY(!QFile::exists(sessions()) || QDir(sessions()).entryList(QDir::Dirs | QDir::NoDotAndDotDot).size() == 2);
    }
};

QTEST_GUILESS_MAIN(CliRecoverTest)
#include "tst_cli_recover.moc"
