// braid-cli chat and eval streams as a person or a script runs them: words from a script and from standard input, formats, saving and playing, exit codes,
// sentences.
#include <QTemporaryDir>
#include <QtTest>

#include <nlohmann/json.hpp>

#include "tests/app/cli_runner.h"
#include "tests/support/small_lm_folder.h"

using namespace braid;
using namespace braid::test;
using nlohmann::json;

class CliChatTest : public QObject {
    Q_OBJECT
    test::CliRunner m_cli;
    QTemporaryDir m_folder;
    QString m_model;
    QString m_layout;
    QString m_script;

    [[nodiscard]] QString path(const char *name) const { return m_folder.filePath(QString::fromUtf8(name)); }
    [[nodiscard]] Answer chat(const QStringList &more, const std::function<void(QProcess &)> &feed = {}) const
    {
        return m_cli.run(QStringList{"chat", "--model", m_model, "--layout", m_layout} + more, feed);
    }

  private Q_SLOTS:
    void initTestCase()
    {
#ifndef BRAID_HAS_MODELS
        QSKIP("built without libtorch");
#endif
        m_model = path("small-streams");
        test::writeSmallLmFolder(m_model.toStdString(), test::SmallLmKind::Streams);
        m_layout = path("three.json");
        test::writeFile(
            m_layout,
            R"({"format": "braid-streams-layout", "version": 1, "name": "three", "visibility": {"form": "rows"}, "silence": {"rule": "skipped", "text": " -"},
            "stop": {"silent_rows": 3, "most_rows": 12}, "streams": [{"name": "System", "role": "system"}, {"name": "User", "role": "user"},
            {"name": "Answer", "role": "assistant", "seed": 1}, {"name": "Working", "role": "assistant", "seed": 2}]})");
        m_script = path("script.txt");
        test::writeFile(m_script, "1 one two\n+3 three\n+1\n");
    }

    void aScriptGivesTheSameTableEveryTime()
    {
        const QStringList arguments{"--script", m_script, "--format", "table", "--temperature", "0.9", "--seed", "7"};
        const Answer first = chat(arguments);
        QVERIFY2(first.exit_code == 0, qPrintable(first.all()));
        QVERIFY(first.output.startsWith("| System | User | Answer | Working |"));
        QCOMPARE(first.output.count('\n'), 2 + 12);
        QCOMPARE(chat(arguments).output, first.output);
        QVERIFY(chat({"--script", m_script, "--format", "table", "--temperature", "0.9", "--seed", "8"}).output != first.output);
        const QStringList lines = first.output.split('\n');
        QVERIFY(lines[2 + 1].contains("one") && lines[2 + 2].contains("two") && lines[2 + 4].contains("three"));
    }

    void standardInputIsSaidToo()
    {
        const Answer answer = chat({"--format", "json"}, [](QProcess &process) { process.write("one two three"); });
        QVERIFY2(answer.exit_code == 0, qPrintable(answer.all()));
        const auto lines = jsonLines(answer.output);
        QCOMPARE(lines.front().at("event").get<std::string>(), std::string("started"));
        QCOMPARE(lines.front().at("streams").size(), std::size_t(4));
        QCOMPARE(lines.back().at("event").get<std::string>(), std::string("finished"));
        std::string user;
        std::int64_t rows = 0;
        for (const json &line : lines) {
            if (line.at("event") == "row") {
                QCOMPARE(line.at("row").get<std::int64_t>(), rows++);
                user += line.at("cells")[1].value("text", "");
            }
        }
        QCOMPARE(user, std::string(" one two three"));
        QCOMPARE(lines.back().at("rows").get<std::int64_t>(), rows);
    }

    void whatIsSaidAloudIsTheUsersWords()
    {
        if (!QFile::exists(BRAID_SOURCE_DIR "/resources/models/captions-en/model.safetensors")) {
            QSKIP("the caption model in the box is not here");
        }
        const QString layout = path("aloud.json");
        QByteArray text = test::readFile(m_layout);
        text.replace("\"most_rows\": 12", "\"most_rows\": 400");
        test::writeFile(layout, text);
        const QString sound = BRAID_SOURCE_DIR "/resources/samples/caption-sample.flac";
        // A model that chats at random would fill all rows while the captions are made: only the user's words make rows here.
        const Answer answer =
            m_cli.run({"chat", "--model", m_model, "--layout", layout, "--captions", sound, "--format", "json", "--off", "Answer", "--off", "Working"});
        QVERIFY2(answer.exit_code == 0, qPrintable(answer.errors));
        QString user;
        for (const json &line : jsonLines(answer.output)) {
            if (line.at("event") == "row") {
                user += QString::fromStdString(line.at("cells")[1].value("text", ""));
            }
        }
        QVERIFY2(user.simplified().split(' ').size() >= 15, qPrintable(user));  // 35 are said
        const Answer missing = m_cli.run({"chat", "--model", m_model, "--layout", layout, "--captions", path("missing.flac")});
        QCOMPARE(missing.exit_code, 3);
        QVERIFY2(missing.errors.contains("missing.flac"), qPrintable(missing.errors));
    }

    void whatIsSavedPlaysAgain()
    {
        const QString saved = path("saved.json");
        const Answer first = chat({"--script", m_script, "--format", "table", "--save", saved});
        QVERIFY2(first.exit_code == 0, qPrintable(first.all()));
        const Answer played = m_cli.run({"chat", "--open", saved, "--format", "table"});
        QVERIFY2(played.exit_code == 0, qPrintable(played.all()));
        QCOMPARE(played.output, first.output);
    }

    void lanesAreLinesWhereThereIsNoTerminal()
    {
        const Answer answer = chat({"--script", m_script});
        QVERIFY2(answer.exit_code == 0, qPrintable(answer.all()));
        QVERIFY(answer.output.contains("User") && answer.output.contains("one"));
        QVERIFY(!answer.output.contains('\x1b'));
    }

    void aSwitchedOffStreamSaysNothing()
    {
        const Answer answer = chat({"--script", m_script, "--format", "json", "--off", "Working"});
        QVERIFY2(answer.exit_code == 0, qPrintable(answer.all()));
        for (const json &line : jsonLines(answer.output)) {
            if (line.at("event") == "row" && line.at("row").get<int>() > 0) {
                QVERIFY(!line.at("cells")[3].contains("text"));
            }
        }
    }

    void oneStreamAnswersWhenTheTurnIsOver()
    {
        const Answer answer = chat({"--script", m_script, "--format", "json", "--one-stream"});
        QVERIFY2(answer.exit_code == 0, qPrintable(answer.all()));
        for (const json &line : jsonLines(answer.output)) {
            if (line.at("event") == "row" && line.at("row").get<int>() <= 5) {  // the turn ends at row 5
                QVERIFY(!line.at("cells")[2].contains("text") && !line.at("cells")[3].contains("text"));
            }
        }
    }

    void evaluationCountsEveryTask()
    {
        const Answer answer = m_cli.run({"eval", "streams", "--model", m_model, "--baseline", m_model, "--count", "4", "--format", "json"});
        QVERIFY2(answer.exit_code == 0, qPrintable(answer.all()));
        const json report = json::parse(answer.output.toStdString());
        QCOMPARE(report.at("runs").size(), std::size_t(2));
        for (const json &run : report.at("runs")) {
            QCOMPARE(run.at("turns").get<int>(), 4);
            QVERIFY(run.at("seconds_to_finish").get<double>() > 0);
            int turns = 0;
            for (const auto &[task, totals] : run.at("tasks").items()) {
                turns += totals.at("turns").get<int>();
            }
            QCOMPARE(turns, 4);
        }
        QCOMPARE(report.at("runs")[1].at("answers_before_question_ends").get<double>(), 0.0);  // one stream reads first
    }

    // From questions and answers to tables, what is wrong with them, and the tokens of a model.
    void tablesOfOnesOwn()
    {
        const QString pairs = path("pairs.tsv");
        test::writeFile(pairs, "spell horse please\thorse is h o r s e .\n\nis it late ?\tno .\n");
        const Answer eager = m_cli.run({"streams", "simulate", pairs, "--wait-k", "0"});
        QVERIFY2(eager.exit_code == 0, qPrintable(eager.all()));
        QCOMPARE(eager.output.count("| User | Assistant |"), 2);
        const QString tables = path("tables.md");
        test::writeFile(tables, eager.output.toUtf8());
        const Answer flawed = m_cli.run({"streams", "check", "--flaws", tables});
        QVERIFY2(flawed.exit_code == 0, qPrintable(flawed.all()));
        QVERIFY2(flawed.output.contains("tables.md, table 1: Assistant: too early, \"horse\"") && flawed.output.contains("2 tables"),
                 qPrintable(flawed.output));
        const Answer causal = m_cli.run({"streams", "simulate", pairs, "--causal"});
        test::writeFile(tables, causal.output.toUtf8());
        QVERIFY(!m_cli.run({"streams", "check", "--flaws", tables}).output.contains("too early"));
        test::writeFile(pairs, "no answer\n");
        const Answer no_tab = m_cli.run({"streams", "simulate", pairs});
        QCOMPARE(no_tab.exit_code, 3);
        QVERIFY2(no_tab.errors.contains("line 1 has no tab"), qPrintable(no_tab.errors));

        const QString table = path("said.md");
        const QByteArray text = "| System | User | Answer | Working |\n| --- | --- | --- | --- |\n| - | one | - | - |\n| - | two | - | three |\n";
        test::writeFile(table, text);
        const Answer tokens = m_cli.run({"streams", "tokens", table, "--model", m_model, "--layout", m_layout});
        QVERIFY2(tokens.exit_code == 0, qPrintable(tokens.all()));
        const QString lines = path("said.jsonl");
        test::writeFile(lines, tokens.output.toUtf8());
        const Answer back = m_cli.run({"streams", "tokens", lines, "--model", m_model, "--layout", m_layout});
        QCOMPARE(back.output.trimmed().toUtf8(), text.trimmed());
    }

    void wrongUsageIsExplained_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("says");
        QTest::addColumn<int>("code");
        const auto row = [](const char *name, const QStringList &arguments, const char *says, int code) {
            QTest::newRow(name) << arguments << QString::fromUtf8(says) << code;
        };
        row("no such layout", {"chat", "--layout", "eleven", "--script", "x"}, "box", 2);
        row("no such model", {"chat", "--model", "nowhere", "--script", m_script, "--layout", m_layout}, "no language model of this name", 3);
        row("no such script", {"chat", "--model", m_model, "--layout", m_layout, "--script", path("missing.txt")}, "missing.txt", 3);
        row("no such stream", {"chat", "--model", m_model, "--layout", m_layout, "--script", m_script, "--off", "Nobody"}, "no stream \"Nobody\"", 2);
        row("more streams than the model has", {"chat", "--model", m_model, "--layout", "ten_streams", "--script", m_script}, "the model was trained for 7", 2);
        row("a strange temperature", {"chat", "--model", m_model, "--layout", m_layout, "--script", m_script, "--temperature", "-1"}, "cannot be sampled so",
            3);
        row("no such microphone", {"chat", "--model", m_model, "--layout", m_layout, "--off", "Answer", "--off", "Working", "--mic=No Such Microphone"},
            "No Such Microphone", 4);
        row("two who speak", {"chat", "--mic", "--captions", "x.flac"}, "excludes", 2);
        row("no such task", {"eval", "streams", "--tasks", "juggling"}, "there is no task \"juggling\"", 2);
        row("what is no conversation", {"chat", "--open", m_script}, "script.txt", 3);
    }
    void wrongUsageIsExplained()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, says);
        QFETCH(int, code);
        const Answer answer = m_cli.run(arguments);
        QVERIFY2(answer.exit_code == code, qPrintable(answer.all()));
        QVERIFY2(answer.all().contains(says), qPrintable(answer.all()));
    }

    void brokenLayoutsAndScriptsAreNamedWithTheirPlace()
    {
        const QString broken = path("broken.json");
        test::writeFile(
            broken,
            R"({"format": "braid-streams-layout", "version": 1, "name": "x", "visibility": {"form": "rows"}, "silence": {"rule": "skipped", "text": " -"},
            "streams": [{"name": "User", "role": "user", "sees": ["User"], "hidden_from": ["Answer"]}, {"name": "Answer", "role": "assistant", "sees": ["User", "Answer"]}]})");
        const Answer contradiction = m_cli.run({"chat", "--model", m_model, "--layout", broken, "--script", m_script});
        QCOMPARE(contradiction.exit_code, 3);
        QVERIFY2(contradiction.errors.contains("broken.json") && contradiction.errors.contains("User"), qPrintable(contradiction.errors));
        const QString script = path("bad.txt");
        test::writeFile(script, "1 one\nthen two\n");
        const Answer line = chat({"--script", script});
        QCOMPARE(line.exit_code, 3);
        QVERIFY2(line.errors.contains("bad.txt, line 2"), qPrintable(line.errors));
    }

    void aBookOnStandardInputIsReadToItsEnd()
    {
        const QString layout = path("long.json");
        QByteArray text = test::readFile(m_layout);
        text.replace("\"most_rows\": 12", "\"most_rows\": 150");
        test::writeFile(layout, text);
        const Answer answer = m_cli.run({"chat", "--model", m_model, "--layout", layout, "--format", "json"}, [](QProcess &process) {
            for (int i = 0; i < 20'000; ++i) {
                process.write("one two three ");
            }
        });
        QVERIFY2(answer.exit_code == 0, qPrintable(answer.errors));
        for (const json &line : jsonLines(answer.output)) {
            QVERIFY2(line.at("event") != "notice", line.dump().c_str());  // it is held back, not left out
        }
    }
};

QTEST_GUILESS_MAIN(CliChatTest)
#include "tst_cli_chat.moc"
