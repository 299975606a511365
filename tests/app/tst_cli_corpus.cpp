// braid-cli over corpora: speech made of texts, words found in speech, policies compared on both.
#include <QDir>
#include <QRegularExpression>
#include <QtTest>

#include "tests/app/cli_runner.h"

using namespace braid::test;

class CliCorpusTest : public QObject {
    Q_OBJECT

    CliRunner m_cli;

    // A voice there is, the quickest first; empty: no synthesizer is installed.
    [[nodiscard]] QString voice() const
    {
        const QStringList voices = m_cli.run({"synth", "--list-voices"}).output.split('\n', Qt::SkipEmptyParts);
        for (const QString &wanted : {QStringLiteral("flite/slt"), QStringLiteral("espeak/en-us")}) {
            if (voices.contains(wanted)) {
                return wanted;
            }
        }
        return voices.value(0);
    }
    // Speech for three texts, in `folder` of the home.
    Answer synth(const QString &folder, const QStringList &more = {}) const
    {
        const QString texts = m_cli.filePath(QStringLiteral("texts.txt"));
        writeFile(
            texts,
            "The boat left the harbour before the sun came up.\nNobody knew why the old clock had stopped.\nPlease bring two cups of tea to the garden.\n");
        return m_cli.run(QStringList{"synth", texts, "--out", m_cli.filePath(folder), "--voices", voice(), "--several", "0"} + more);
    }
    [[nodiscard]] QString manifestOf(const QString &folder) const { return m_cli.filePath(folder + QStringLiteral("/manifest.jsonl")); }

    // Every word of the line has a time, in order and inside `length_s`.
    static void checkWords(const nlohmann::json &line, double length_s)
    {
        std::string text;
        double before = 0;
        for (const auto &word : line.at("words")) {
            text += (text.empty() ? "" : " ") + word[0].get<std::string>();
            const double start = word[1].get<double>(), end = word[2].get<double>();
            QVERIFY2(before <= start && start < end && end <= length_s, line.dump().c_str());
            before = end;
        }
        QCOMPARE(text, line.at("text").get<std::string>());
    }

  private Q_SLOTS:
    void wrongUsageIsExplained_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("exit_code");
        QTest::addColumn<QString>("says");
        const auto row = [](const char *name, const QStringList &arguments, int exit_code, const char *says) {
            QTest::newRow(name) << arguments << exit_code << QString::fromUtf8(says);
        };
        row("synth nothing", {"synth"}, 2, "TEXTS and --out are needed");
        row("synth out of range", {"synth", "a.txt", "--out", "b", "--slowest", "7"}, 2, "--slowest");
        row("align nothing", {"align"}, 2, "CORPUS");
        row("align to nowhere", {"align", "a.jsonl"}, 2, "--out");
        row("align what is not there", {"align", "/no/such/corpus", "--out", "a.jsonl"}, 3, "/no/such/corpus");
    }
    void wrongUsageIsExplained()
    {
        QFETCH(QStringList, arguments);
        QFETCH(int, exit_code);
        QFETCH(QString, says);
        const Answer answer = m_cli.run(arguments);
        QVERIFY2(answer.exit_code == exit_code, qPrintable(answer.all()));
        QVERIFY2(answer.all().contains(says), qPrintable(answer.all()));
    }

    void textsBecomeSpeechWithWordTimes()
    {
        if (voice().isEmpty()) {
            QSKIP("no speech synthesizer is installed (flite, espeak-ng, festival)");
        }
        const Answer answer = synth(QStringLiteral("spoken"));
        QVERIFY2(answer.exit_code == 0, qPrintable(answer.all()));
        QVERIFY2(answer.output.startsWith(QStringLiteral("3 of 3 utterances")), qPrintable(answer.all()));
        const QByteArray manifest = readFile(manifestOf(QStringLiteral("spoken")));
        const auto lines = jsonLines(QString::fromUtf8(manifest));
        QCOMPARE(lines.size(), std::size_t(3));
        for (const auto &line : lines) {
            const QString sound = m_cli.filePath(QStringLiteral("spoken/") + QString::fromStdString(line.at("sound").get<std::string>()));
            QVERIFY2(QFileInfo(sound).size() > 10000, qPrintable(sound));
            checkWords(line, 30);
            QVERIFY(line.at("words").size() >= 8 && line.at("words").size() <= 10);
        }
        // Again: there is nothing left to do. With the same seed elsewhere: the same speech.
        QVERIFY(synth(QStringLiteral("spoken")).output.startsWith(QStringLiteral("3 of 3 utterances")));
        QCOMPARE(readFile(manifestOf(QStringLiteral("spoken"))), manifest);
        QCOMPARE(synth(QStringLiteral("again")).exit_code, 0);
        QCOMPARE(readFile(manifestOf(QStringLiteral("again"))), manifest);
        // What is kept to measure on is never spoken, however it is written.
        writeFile(m_cli.filePath(QStringLiteral("kept.txt")), "nobody knew WHY the old clock had stopped\n");
        const Answer fewer = synth(QStringLiteral("fewer"), {"--without", m_cli.filePath(QStringLiteral("kept.txt"))});
        QVERIFY2(fewer.output.startsWith(QStringLiteral("2 of 2 utterances")), qPrintable(fewer.all()));
        QVERIFY(!readFile(manifestOf(QStringLiteral("fewer"))).contains("clock"));
        // With capitals and marks, where a model is to write them: the same sound, each word as it stands in the text.
        QCOMPARE(synth(QStringLiteral("written"), {"--text", "written"}).exit_code, 0);
        const auto written = jsonLines(QString::fromUtf8(readFile(manifestOf(QStringLiteral("written")))));
        QCOMPARE(written.size(), lines.size());
        for (std::size_t i = 0; i < written.size(); ++i) {
            checkWords(written[i], 30);
            QCOMPARE(written[i].at("text").get<std::string>().back(), '.');
            QCOMPARE(written[i].at("words")[0][1].dump(), lines[i].at("words")[0][1].dump());
        }
        const Answer mixed = synth(QStringLiteral("written"));
        QVERIFY2(mixed.exit_code == 2 && mixed.errors.contains(QStringLiteral("was begun with other texts")), qPrintable(mixed.all()));
        // A voice that is not here.
        const Answer nobody =
            m_cli.run({"synth", m_cli.filePath(QStringLiteral("texts.txt")), "--out", m_cli.filePath(QStringLiteral("nobody")), "--voices", "flite/nobody"});
        QVERIFY2(nobody.exit_code == 2 && nobody.errors.contains(QStringLiteral("no voice on this machine fits this")), qPrintable(nobody.all()));
    }

    void wordsAreFoundInSpeech()
    {
        if (voice().isEmpty()) {
            QSKIP("no speech synthesizer is installed (flite, espeak-ng, festival)");
        }
        QCOMPARE(synth(QStringLiteral("to-align")).exit_code, 0);
        const QString aligned = m_cli.filePath(QStringLiteral("aligned.jsonl"));
        const Answer answer = m_cli.run({"align", manifestOf(QStringLiteral("to-align")), "--out", aligned});
        if (answer.exit_code == 3 || answer.exit_code == 2) {
            QSKIP(qPrintable("PocketSphinx or its English model is not here: " + answer.errors));
        }
        QVERIFY2(answer.exit_code == 0, qPrintable(answer.all()));
        QVERIFY2(answer.output.startsWith(QStringLiteral("3 of 3 utterances")), qPrintable(answer.all()));
        const auto lines = jsonLines(QString::fromUtf8(readFile(aligned)));
        QCOMPARE(lines.size(), std::size_t(3));
        for (const auto &line : lines) {
            checkWords(line, 30);
        }
        // The synthesizer knows when it said each word; the aligner finds nearly the same.
        static const QRegularExpression ends(QStringLiteral("Ends against the times it had: mean (\\d+) ms"));
        const auto match = ends.match(answer.output);
        QVERIFY2(match.hasMatch() && match.captured(1).toInt() < 120, qPrintable(answer.all()));
        // Without aligning: the times it had, word for word.
        const QString converted = m_cli.filePath(QStringLiteral("converted.jsonl"));
        QCOMPARE(m_cli.run({"align", manifestOf(QStringLiteral("to-align")), "--out", converted, "--convert-only"}).exit_code, 0);
        const auto before = jsonLines(QString::fromUtf8(readFile(manifestOf(QStringLiteral("to-align"))))),
                   after = jsonLines(QString::fromUtf8(readFile(converted)));
        QCOMPARE(after.size(), before.size());
        for (std::size_t i = 0; i < after.size(); ++i) {
            QCOMPARE(after[i].at("words").dump(), before[i].at("words").dump());
        }
    }

    void aVoiceOfOurOwnTimeIsAligned()
    {
        if (!QFile::exists(kVoice)) {
            QSKIP("../shared/data is not here");
        }
        const QString list = m_cli.filePath(QStringLiteral("jfk.tsv"));
        writeFile(list, QFileInfo(kVoice).absoluteFilePath().toUtf8() +
                            "\tAnd so my fellow Americans, ask not what your country can do for you, ask what you can do for your country.\n");
        const QString aligned = m_cli.filePath(QStringLiteral("jfk.jsonl"));
        const Answer answer = m_cli.run({"align", list, "--out", aligned});
        if (answer.exit_code == 3 || answer.exit_code == 2) {
            QSKIP(qPrintable("PocketSphinx or its English model is not here: " + answer.errors));
        }
        const auto lines = jsonLines(QString::fromUtf8(readFile(aligned)));
        QCOMPARE(lines.size(), std::size_t(1));
        checkWords(lines[0], 11);
        const auto &words = lines[0].at("words");
        QCOMPARE(words.size(), std::size_t(22));
        // As it is written: the same times at words with capitals and marks.
        const QString written = m_cli.filePath(QStringLiteral("jfk_written.jsonl"));
        QCOMPARE(m_cli.run({"align", list, "--out", written, "--text", "written"}).exit_code, 0);
        const auto written_line = jsonLines(QString::fromUtf8(readFile(written)))[0];
        checkWords(written_line, 11);
        QCOMPARE(written_line.at("words").size(), words.size());
        QCOMPARE(written_line.at("words")[4][0].get<std::string>(), std::string("Americans,"));
        QCOMPARE(written_line.at("words")[4][2].dump(), words[4][2].dump());
        // He pauses before "ask not" and before "ask what".
        QVERIFY(words[5][1].get<double>() - words[4][2].get<double>() > 0.5);
        QVERIFY(words[14][1].get<double>() - words[13][2].get<double>() > 0.3);
    }

    void policiesAreComparedOnTheSameRecordings()
    {
        if (!hasBoxModel() || !QFile::exists(kVoice)) {
            QSKIP("the model in the box or ../shared/data is not here");
        }
        const auto manifest = m_cli.filePath(QStringLiteral("manifest.jsonl"));
        writeFile(manifest,
                  "{\"sound\": \"" + QFileInfo(kVoice).absoluteFilePath().toUtf8() +
                      "\", \"length_s\": 5, \"text\": \"And so my fellow Americans\", "
                      "\"words\": [[\"and\", 0.3, 0.6], [\"so\", 0.6, 1.0], [\"my\", 1.0, 1.3], [\"fellow\", 1.3, 1.7], [\"Americans\", 1.7, 2.4]]}\n");
        const auto answer = m_cli.run({"eval", "captions", manifest, "--policies", "streaming:beam=2,chunk=500,la", "la:pad=full",
                                       "aa:chunk=400,streaming:beam=1", "offline:beam=1", "--format", "json", "--quiet"});
        QVERIFY2(answer.exit_code == 0, qPrintable(answer.errors));
        const auto report = nlohmann::json::parse(answer.output.toStdString());
        QCOMPARE(report.at("format").get<std::string>(), std::string("braid-eval-captions"));
        QCOMPARE(report.at("policies").size(), std::size_t{6});
        std::vector<int> chunks_ms;
        for (const auto &policy : report.at("policies")) {
            const bool streams = policy.at("policy") != "offline:beam=1";
            QCOMPARE(policy.at("recordings").get<int>(), 1);
            QCOMPARE(policy.at("heard_s").get<double>(), 5.0);
            QCOMPARE(policy.at("wer").at("reference_words").get<int>(), 5);
            QCOMPARE(policy.at("rwer").is_object(), streams);
            QVERIFY(policy.at("chunks").get<int>() >= (streams ? 7 : 1));
            QVERIFY(policy.at("compute_ms").at("p99").get<double>() >= policy.at("compute_ms").at("p50").get<double>());
            chunks_ms.push_back(policy.at("chunk_ms").get<int>());
            QVERIFY(policy.at("real_time_factor").get<double>() > 0);
            QCOMPARE(policy.at("real_time_factor_of_chunks").is_object(), streams);
            if (streams) {
                QVERIFY(policy.at("real_time_factor_of_chunks").at("p50").get<double>() > 0);
                QVERIFY(policy.at("real_time_factor_of_chunks").at("p99").get<double>() >= policy.at("real_time_factor_of_chunks").at("mean").get<double>());
            }
            // The reference has capitals and no marks.
            const auto &marks = policy.at("punctuation");
            QCOMPARE(marks.at("texts").get<int>(), 1);
            QCOMPARE(marks.at("capitals").at("reference").get<int>(), 2);
            QCOMPARE(marks.at("commas").at("reference").get<int>(), 0);
            // Lags: of words said right, from their end in the manifest; a person sees a word later than it was heard, by the computing.
            QCOMPARE(policy.at("lag_words").at("ends_of_policy").get<int>(), 0);
            QCOMPARE(policy.at("settled_live_lag_ms").is_object(), streams && policy.at("lag_words").at("ends_of_reference").get<int>() > 0);
            if (policy.at("settled_live_lag_ms").is_object()) {
                for (const char *of : {"p50", "p95"}) {
                    QVERIFY(policy.at("seen_live_lag_ms").at(of).get<double>() > policy.at("seen_lag_ms").at(of).get<double>());
                    QVERIFY(policy.at("settled_live_lag_ms").at(of).get<double>() >= policy.at("seen_live_lag_ms").at(of).get<double>());
                }
            }
        }
        QCOMPARE(chunks_ms, (std::vector<int>{500, 700, 700, 400, 300, 0}));  // what was asked for, else each policy's own
        const auto table = m_cli.run({"eval", "captions", manifest, "--policies", "la:chunk=700,guard=300,window=9000,prompt=0,aa:threshold=120,last=300",
                                      "offline:temperature=0,beam=1", "--quiet"});
        for (const char *says :
             {"WER %", "\naa:threshold=120,last=300 ", "\nlag, ms ", "the reference's word times", "\npunctuation ", "count against recall"}) {
            QVERIFY2(table.output.contains(QString::fromLatin1(says)), qPrintable(table.output));
        }
        // Without word times the lags are by the policy's own; a reference in small letters alone says nothing of marks.
        const auto plain = m_cli.filePath(QStringLiteral("plain.jsonl"));
        writeFile(plain, "{\"sound\": \"" + QFileInfo(kVoice).absoluteFilePath().toUtf8() + "\", \"length_s\": 5, \"text\": \"and so my fellow americans\"}\n");
        const auto unmarked = m_cli.run({"eval", "captions", plain, "--policies", "streaming:beam=1", "--quiet"});
        QVERIFY2(unmarked.output.contains(QStringLiteral("Punctuation and capitals were not measured")) &&
                     unmarked.output.contains(QStringLiteral("  policy  ")),
                 qPrintable(unmarked.output));
        for (const auto &[policies, says] : {std::pair{"streaming:hope=1", "is no setting of streaming"},
                                             {"wish", "a policy is streaming, la, aa, slm or offline"},
                                             {"la:beam=0", "needs a number"},
                                             {"aa:stability=v1", "is no setting of aa"},
                                             {"aa:beam=5", "There are chunk=MS, threshold=MS"},
                                             {"la:threshold=80", "is no setting of la"},
                                             {"offline:temperature=hot", "temperature=0|rising"},
                                             {"la:guard=40000", "needs a number from 0 to 30000"}}) {
            const auto refused = m_cli.run({"eval", "captions", manifest, "--policies", QString::fromLatin1(policies)});
            QCOMPARE(refused.exit_code, 2);
            QVERIFY2(refused.errors.contains(QString::fromLatin1(says)), qPrintable(refused.errors));
        }
        QCOMPARE(m_cli.run({"eval", "captions", m_cli.filePath(QStringLiteral("none.jsonl"))}).exit_code, 3);
    }

    void falseWordsAreCountedWhereNobodySpeaks()
    {
        if (!hasBoxModel() || !QFile::exists(kVoice)) {
            QSKIP("the model in the box or ../shared/data is not here");
        }
        // The same sound once with its text and once as if nobody spoke: the words of the second are false ones, and no error rate counts them.
        const QByteArray sound = QFileInfo(kVoice).absoluteFilePath().toUtf8();
        const auto manifest = m_cli.filePath(QStringLiteral("speechless.jsonl"));
        writeFile(manifest, "{\"sound\": \"" + sound + "\", \"length_s\": 5, \"text\": \"And so my fellow Americans\"}\n{\"sound\": \"" + sound +
                                "\", \"length_s\": 5, \"text\": \"\"}\n");
        const auto measured = [&](const QStringList &more) {
            const Answer answer = m_cli.run(QStringList{"eval", "captions", manifest, "--policies", "streaming:beam=1", "--format", "json", "--quiet"} + more);
            return nlohmann::json::parse(answer.output.toStdString());
        };
        const auto whole = measured({});
        QCOMPARE(whole.at("utterances").get<std::string>(), std::string("whole"));
        const auto &policy = whole.at("policies")[0];
        QCOMPARE(policy.at("wer").at("reference_words").get<int>(), 5);
        QCOMPARE(policy.at("speechless").at("recordings").get<int>(), 1);
        QCOMPARE(policy.at("speechless").at("heard_s").get<double>(), 5.0);
        const int words = policy.at("speechless").at("words").get<int>();
        QVERIFY(words > 0);
        QCOMPARE(policy.at("speechless").at("words_per_minute").get<double>(), 12.0 * words);
        // No first word lags behind where nobody said one: the mean is that of the recording with speech.
        writeFile(manifest, "{\"sound\": \"" + sound + "\", \"length_s\": 5, \"text\": \"\"}\n");
        QVERIFY(measured({}).at("policies")[0].at("first_word_lag_ms").is_null());
        // Silence never gets past the gate, so that the model is not even asked.
        const auto silence = m_cli.filePath(QStringLiteral("silence.wav"));
        writeFile(silence, wavOf(QByteArray(4 * 32000, '\0')));
        writeFile(manifest, "{\"sound\": \"" + silence.toUtf8() + "\", \"text\": \"\"}\n");
        const auto gated = measured({"--gate"});
        QCOMPARE(gated.at("utterances").get<std::string>(), std::string("voice"));
        QCOMPARE(gated.at("policies")[0].at("chunks").get<int>(), 0);
        QCOMPARE(gated.at("policies")[0].at("speechless").at("words").get<int>(), 0);
    }

    void longRecordingsTellWhetherChunksStayCheap()
    {
        if (!hasBoxModel()) {
            QSKIP("the model in the box is not here");
        }
        const auto silence = m_cli.filePath(QStringLiteral("five_minutes.wav"));
        const auto manifest = m_cli.filePath(QStringLiteral("long.jsonl"));
        writeFile(silence, wavOf(QByteArray(301 * 32000, '\0')));
        writeFile(manifest,
                  "{\"sound\": \"" + silence.toUtf8() + "\", \"text\": \"\"}\n{\"sound\": \"" + silence.toUtf8() + "\", \"length_s\": 20, \"text\": \"\"}\n");
        const auto answer = m_cli.run(
            {"eval", "captions", manifest, "--policies", "streaming:beam=1,chunk=1000", "offline:beam=1", "--limit", "2", "--format", "json", "--quiet"});
        QVERIFY2(answer.exit_code == 0, qPrintable(answer.errors));
        const auto report = nlohmann::json::parse(answer.output.toStdString());
        const auto &streams = report.at("policies")[0].at("long_recordings");
        QCOMPARE(streams.at("recordings").get<int>(), 1);
        QCOMPARE(streams.at("longest_s").get<double>(), 301.0);
        QVERIFY(streams.at("first_tenth_ms").at("p50").get<double>() > 0);
        QVERIFY(streams.at("last_tenth_ms").at("p50").get<double>() > 0);
        QVERIFY(report.at("policies")[1].at("long_recordings").is_null());
    }
};

QTEST_GUILESS_MAIN(CliCorpusTest)
#include "tst_cli_corpus.moc"
