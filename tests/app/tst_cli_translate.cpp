// braid-cli translate and eval translation as a person or a script runs them: sources, formats, exit codes, sentences.
#include <QTemporaryDir>
#include <QtTest>

#include <nlohmann/json.hpp>

#include "tests/app/cli_runner.h"
#include "tests/support/small_lm_folder.h"

using namespace braid;
using namespace braid::test;
using nlohmann::json;

class CliTranslateTest : public QObject {
    Q_OBJECT
    test::CliRunner m_cli;
    QTemporaryDir m_folder;
    QString m_model;
    QString m_text;

    [[nodiscard]] Answer run(const QStringList &arguments, const std::function<void(QProcess &)> &feed = {}) const { return m_cli.run(arguments, feed); }
    [[nodiscard]] QString path(const char *name) const { return m_folder.filePath(QString::fromUtf8(name)); }

  private Q_SLOTS:
    void initTestCase()
    {
#ifndef BRAID_HAS_MODELS
        QSKIP("built without libtorch");
#endif
        m_model = path("small-en-fr");
        test::writeSmallLmFolder(m_model.toStdString(), test::SmallLmKind::Framed, 128);
        m_text = path("text.txt");
        test::writeFile(m_text, "The cat sat. The dog saw it.\n\nThe mat\n");
    }

    void wrongUsageIsExplained_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("says");
        QTest::addColumn<int>("code");
        const auto row = [](const char *name, const QStringList &arguments, const char *says, int code = 2) {
            QTest::newRow(name) << arguments << QString::fromUtf8(says) << code;
        };
        row("nothing to translate", {"translate"}, "nothing to translate");
        row("two sources", {"translate", "a.txt", "--stdin"}, "more than one kind of source");
        row("a caption model without captions", {"translate", "a.txt", "--caption-model", "x"}, "--from-captions");
        row("k of 0", {"translate", "a.txt", "--wait-k", "0"}, "k cannot be 0");
        row("k of a million", {"translate", "a.txt", "--wait-k", "1000000"}, "k cannot be 1000000");
        row("unknown format", {"translate", "a.txt", "--format", "srt"}, "srt");
        row("a gamma of 0", {"translate", "a.txt", "--gamma", "0"}, "gamma");
        row("no such model", {"translate", "a.txt", "--model", "nowhere"}, "no language model of this name", 3);
        row("nothing to evaluate", {"eval", "translation"}, "FILE");
    }
    void wrongUsageIsExplained()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, says);
        QFETCH(int, code);
        const Answer answer = run(arguments);
        QCOMPARE(answer.exit_code, code);
        QVERIFY2(answer.all().contains(says), qPrintable(answer.all()));
    }

    void aLineOfTextIsALineOfTranslation()
    {
        const Answer answer = run({"translate", m_text, "--model", m_model, "--format", "text", "--wait-k", "2", "--quiet"});
        QVERIFY2(answer.exit_code == 0, qPrintable(answer.errors));
        const QStringList lines = answer.output.split('\n');
        QCOMPARE(lines.size(), 4);  // three lines, the middle one empty, and what is behind the last line feed
        QVERIFY(lines[1].isEmpty());
        QVERIFY(answer.errors.isEmpty());
    }

    void standardInputGivesWhatAFileGives()
    {
        const QStringList arguments = {"translate", "--model", m_model, "--format", "text", "--wait-k", "3", "--quiet"};
        const Answer file = run(QStringList(arguments) << m_text);
        const Answer typed = run(QStringList(arguments) << "--stdin", [&](QProcess &process) {
            QFile text(m_text);
            QVERIFY(text.open(QIODevice::ReadOnly));
            const QByteArray all = text.readAll();
            for (const char letter : all) {
                process.write(&letter, 1);
                process.waitForBytesWritten();
            }
            process.closeWriteChannel();
        });
        QVERIFY2(typed.exit_code == 0, qPrintable(typed.errors));
        QCOMPARE(typed.output, file.output);
    }

    void eventsTellTheWholeRun()
    {
        const Answer answer =
            run({"translate", m_text, "--model", m_model, "--format", "json", "--wait-k", "1", "--attention", path("attention.json"), "--quiet"});
        QVERIFY2(answer.exit_code == 0, qPrintable(answer.errors));
        const auto events = jsonLines(answer.output);
        QCOMPARE(events.front()["event"].get<std::string>(), std::string("start"));
        QCOMPARE(events.back()["event"].get<std::string>(), std::string("done"));
        std::size_t lines = 0;
        std::size_t words = 0;
        for (const json &event : events) {
            lines += event["event"] == "line_end" ? 1 : 0;
            if (event["event"] == "word") {
                ++words;
                QVERIFY(event["attention"].size() <= event["read_units"].get<std::size_t>());
                QVERIFY(!event["tokens"].empty());
            }
        }
        QCOMPARE(lines, 3U);
        QCOMPARE(events.back()["statistics"]["target_words"].get<std::size_t>(), words);
        const json attention = json::parse(std::ifstream(path("attention.json").toStdString()));
        QCOMPARE(attention["sentences"].size(), 3U);
        QCOMPARE(attention["sentences"][0]["source"].get<std::vector<std::string>>(), (std::vector<std::string>{"The", "cat", "sat."}));
    }

    void everyParadigmRuns_data()
    {
        QTest::addColumn<QString>("paradigm");
        for (const char *name : {"group", "interleaved", "batch", "batch-positions", "batch-all", "offline"}) {
            QTest::newRow(name) << QString(name);
        }
    }
    void everyParadigmRuns()
    {
        QFETCH(QString, paradigm);
        QStringList arguments{"translate", m_text, "--model", m_model, "--format", "text", "--paradigm", paradigm};
        if (paradigm == "group") {
            arguments << QStringList{"--offset", "0.5"};
        }
        const Answer answer = run(arguments);
        QVERIFY2(answer.exit_code == 0, qPrintable(answer.errors));
        QVERIFY(answer.errors.contains("tokens a second"));
    }

    void samplingIsRepeatedBySeed()
    {
        const auto text = [&](const char *seed) {
            return run({"translate", m_text, "--model", m_model, "--format", "text", "--temperature", "1.2", "--top-p", "0.9", "--seed", seed, "--quiet"})
                .output;
        };
        QCOMPARE(text("7"), text("7"));
        QVERIFY(text("7") != text("8"));
    }

    void badInputIsASentence_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("says");
        QTest::newRow("no such file") << QStringList{"nowhere.txt"} << "there is no such file";
        QTest::newRow("a folder") << QStringList{"."} << "cannot be read";
        QTest::newRow("no such sound") << QStringList{"--from-captions", "nowhere.wav"} << "nowhere.wav";
        QTest::newRow("unknown paradigm") << QStringList{"FILE", "--paradigm", "sideways"} << "sideways";
        QTest::newRow("a layer too many") << QStringList{"FILE", "--layer", "99"} << "layer";
        QTest::newRow("another language") << QStringList{"FILE", "--to", "de"} << "does not translate";
    }
    void badInputIsASentence()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, says);
        arguments.replaceInStrings("FILE", m_text);
        const Answer answer = run(QStringList{"translate", "--model", m_model} + arguments);
        QVERIFY2(answer.exit_code == 2 || answer.exit_code == 3, qPrintable(QString::number(answer.exit_code)));
        QVERIFY2(answer.errors.contains(says), qPrintable(answer.errors));
    }

    void oneBadFileDoesNotKeepTheOthersBack()
    {
        const Answer answer = run({"translate", "nowhere.txt", m_text, "--model", m_model, "--format", "text", "--quiet"});
        QCOMPARE(answer.exit_code, 3);
        QCOMPARE(answer.output.count('\n'), 3);
    }

    void evaluationPrintsARowForEveryKAndParadigm()
    {
        test::writeFile(path("pairs.tsv"), "the cat sat\tle chat dort\nthe dog saw the mat\tle chien la maison\n");
        const Answer table =
            run({"eval", "translation", path("pairs.tsv"), "--model", m_model, "--wait-k", "1", "3", "1000", "--paradigms", "group,batch-all"});
        QVERIFY2(table.exit_code == 0, qPrintable(table.errors));
        QCOMPARE(table.output.count("\ngroup "), 3);
        QCOMPARE(table.output.count("\nbatch-all "), 3);
        // Table 3 in one command: of the paradigms only group has a phi.
        const Answer sweep = run({"eval", "translation", path("pairs.tsv"), "--model", m_model, "--wait-k", "1", "--paradigms", "group,batch", "--offsets",
                                  "0,0.5,40", "--format", "json", "--quiet"});
        QVERIFY2(sweep.exit_code == 0, qPrintable(sweep.errors));
        const json swept = json::parse(sweep.output.toStdString());
        std::vector<double> offsets;
        for (const json &result : swept["results"]) {
            offsets.push_back(result["phi"].get<double>());
        }
        QCOMPARE(offsets, (std::vector<double>{0, 0.5, 40, 0}));
        const Answer document = run({"eval", "translation", path("pairs.tsv"), "--model", m_model, "--wait-k", "2", "--format", "json", "--quiet"});
        const json parsed = json::parse(document.output.toStdString());
        QCOMPARE(parsed["results"].size(), 1U);
        QCOMPARE(parsed["results"][0]["sentences"].get<int>(), 2);
        QCOMPARE(parsed["results"][0]["k"].get<int>(), 2);
        QVERIFY(parsed["results"][0]["tokens_fed"].get<int>() > parsed["results"][0]["target_tokens"].get<int>());
        QVERIFY(parsed["results"][0]["lag_units"].contains("laal"));
    }

    // Several tokens a step: the same text in fewer decoder calls, and what they were worth beside BLEU; weaker verification runs, too.
    void severalTokensAStepAreTheSameText()
    {
        const QString model = path("small-heads");
        test::writeSmallLmFolder(model.toStdString(), test::SmallLmKind::Framed, 128, {weights::LmHeadKind::Independent, 4});
        const auto translated = [&](const QStringList &more) {
            return run(QStringList{"translate", m_text, "--model", model, "--format", "text", "--quiet"} + more);
        };
        const Answer plain = translated({});
        QVERIFY2(plain.exit_code == 0, qPrintable(plain.errors));
        QVERIFY(!plain.output.trimmed().isEmpty());
        QCOMPARE(translated({"--heads", "4"}).output, plain.output);
        QCOMPARE(translated({"--heads", "3", "--verify", "top-m", "--top-m", "1"}).output, plain.output);
        QCOMPARE(translated({"--heads", "4", "--verify", "threshold", "--threshold", "0.1"}).exit_code, 0);

        test::writeFile(path("pairs.tsv"), "the cat sat\tle chat dort\nthe dog saw the mat\tle chien la maison\n");
        const QStringList eval = {"eval", "translation", path("pairs.tsv"), "--model", model, "--wait-k", "2", "--quiet"};
        const auto results = [&](const QStringList &more) { return json::parse(run(eval + QStringList{"--format", "json"} + more).output.toStdString()); };
        const json one = results({});
        const json four = results({"--heads", "4"});
        QCOMPARE(one["heads"].get<int>(), 1);
        QCOMPARE(four["verify"].get<std::string>(), std::string("greedy"));
        QVERIFY(four["results"][0]["bleu"] == one["results"][0]["bleu"]);
        QVERIFY(four["results"][0]["target_tokens"] == one["results"][0]["target_tokens"]);
        QVERIFY(four["results"][0]["decoder_calls"].get<int>() < one["results"][0]["decoder_calls"].get<int>());
        QVERIFY(four["results"][0]["calls_per_word"].get<double>() < one["results"][0]["calls_per_word"].get<double>());
        QVERIFY(four["results"][0]["tokens_per_call"].get<double>() > one["results"][0]["tokens_per_call"].get<double>());
        QVERIFY(run(eval).output.contains("calls/word"));

        const Answer refused = run({"translate", m_text, "--model", m_model, "--heads", "2"});
        QVERIFY(refused.exit_code != 0);
        QVERIFY2(refused.errors.contains("no further heads"), qPrintable(refused.errors));
    }

    void evaluationRefusesWhatIsNotPaired()
    {
        test::writeFile(path("source.txt"), "one\ntwo\n");
        test::writeFile(path("reference.txt"), "un\n");
        const Answer uneven = run({"eval", "translation", path("source.txt"), path("reference.txt"), "--model", m_model});
        QCOMPARE(uneven.exit_code, 3);
        QVERIFY2(uneven.errors.contains("1 lines, but the source has 2"), qPrintable(uneven.errors));
        const Answer no_tab = run({"eval", "translation", path("source.txt"), "--model", m_model});
        QCOMPARE(no_tab.exit_code, 3);
        QVERIFY2(no_tab.errors.contains("line 1 has no tab"), qPrintable(no_tab.errors));
    }

    void theModelInTheBoxTranslatesTheSample()
    {
        if (!QFile::exists(QStringLiteral(BRAID_SOURCE_DIR "/resources/models/translate-en-fr/config.json"))) {
            QSKIP("the translation model in the box is not here");
        }
        const Answer answer = run({"translate", BRAID_SOURCE_DIR "/resources/samples/translation-sample.txt", "--format", "text", "--wait-k", "5", "--quiet"});
        QVERIFY2(answer.exit_code == 0, qPrintable(answer.errors));
        const QStringList lines = answer.output.split('\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 6);
        QVERIFY2(lines[1].contains(QStringLiteral("gare")), qPrintable(lines[1]));  // the train station
        QVERIFY2(lines[2].contains(QStringLiteral("train")), qPrintable(lines[2]));
        QVERIFY2(lines[5].contains(QStringLiteral("Merci")), qPrintable(lines[5]));
    }

    void captionsBecomeAnotherLanguageInOneRun()
    {
        const Answer answer =
            run({"translate", "--from-captions", BRAID_SOURCE_DIR "/resources/samples/caption-sample.flac", "--model", m_model, "--format", "json", "--quiet"});
        QVERIFY2(answer.exit_code == 0, qPrintable(answer.errors));
        std::size_t timed = 0;
        std::size_t sentences = 0;
        for (const json &event : jsonLines(answer.output)) {
            sentences += event["event"] == "sentence_end" ? 1 : 0;
            if (event["event"] == "source") {
                for (const json &unit : event["units"]) {
                    timed += unit.contains("start_s") && unit["end_s"].get<double>() >= unit["start_s"].get<double>() ? 1 : 0;
                }
            }
        }
        QVERIFY(timed > 10);
        QVERIFY(sentences > 0);
    }
};

QTEST_GUILESS_MAIN(CliTranslateTest)
#include "tst_cli_translate.moc"
