// braid-cli as a person or a script runs it: usage, sentences, exit codes, formats, standard input.
#include <QDir>
#include <QtTest>

#include "core/audio/source_spec.h"
#include "tests/app/cli_runner.h"
#include "tests/support/interrupted_run.h"

using namespace braid;
using namespace braid::test;

namespace {

// 16 bit PCM of the sound, as `ffmpeg -f s16le` would make it.
QByteArray pcmOf(const QString &path)
{
    audio::SourceSpec spec;
    spec.kind = audio::SourceKind::File;
    spec.path = path.toStdString();
    const auto source = audio::openSource(spec);
    source->start();
    QByteArray pcm;
    std::vector<float> piece(16000);
    for (;;) {
        const auto result = source->read(piece, std::chrono::milliseconds(100));
        if (result.state == audio::ReadState::End) {
            return pcm;
        }
        for (std::size_t i = 0; result.state == audio::ReadState::Sound && i < result.samples; ++i) {
            const auto value = static_cast<qint16>(qBound(-32768.0, std::nearbyint(piece[i] * 32768.0), 32767.0));
            pcm.append(static_cast<char>(value & 0xFF)).append(static_cast<char>(value >> 8 & 0xFF));
        }
    }
}

// The lines that depend on the sound alone.
QStringList settledEvents(const QString &output)
{
    QStringList lines;
    for (const auto &line : output.split('\n', Qt::SkipEmptyParts)) {
        if (line.startsWith(QStringLiteral("{\"event\":\"commit\"")) || line.startsWith(QStringLiteral("{\"event\":\"tail\""))) {
            lines.append(line);
        }
    }
    return lines;
}

}  // namespace

class CliTest : public QObject {
    Q_OBJECT
  private:
    test::CliRunner m_cli;

    [[nodiscard]] Answer run(const QStringList &arguments, const std::function<void(QProcess &)> &feed = {}, const QString &output = {}) const
    {
        return m_cli.run(arguments, feed, output);
    }

  private Q_SLOTS:
    void wrongUsageIsExplained_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("says");
        const auto row = [](const char *name, const QStringList &arguments, const char *says) { QTest::newRow(name) << arguments << QString::fromUtf8(says); };
        row("nothing", {}, "subcommand");
        row("unknown command", {"sing"}, "subcommand");
        row("nothing to caption", {"caption"}, "nothing to caption was named");
        row("two kinds of input", {"caption", "a.wav", "--stdin"}, "only one kind of input");
        row("unknown option", {"caption", "a.wav", "--loudly"}, "--loudly");
        row("unknown format", {"caption", "a.wav", "--format", "docx"}, "docx");
        row("unknown policy", {"caption", "a.wav", "--policy", "hope"}, "hope");
        row("rate without stdin", {"caption", "a.wav", "--rate", "8000"}, "--rate and --channels describe --stdin only");
        row("rate out of range", {"caption", "--stdin", "--rate", "7"}, "--rate");
        row("subtitles of several files in one", {"caption", "a.wav", "b.wav", "--format", "srt"}, "subtitles of several files need a file each");
        row("a flag of another policy", {"caption", "a.wav", "--policy", "align-att", "--look-back", "3"}, "belongs to the streaming policy");
        row("a beam without one", {"caption", "a.wav", "--policy", "align-att", "--beam", "3"}, "belongs to the streaming, local-agreement or offline policy");
        row("a chunk of a whole recording", {"caption", "a.wav", "--policy", "offline", "--chunk-ms", "300"}, "--chunk-ms belongs to the");
        row("an offset without groups", {"translate", "a.txt", "--paradigm", "interleaved", "--offset", "5"}, "in the group paradigm alone");
        row("unknown stability rule", {"caption", "a.wav", "--stability", "v3"}, "v3 is none of paper, v1, v2, braid");
        row("chunk out of range", {"caption", "a.wav", "--chunk-ms", "7"}, "--chunk-ms");
        row("nothing to evaluate", {"eval"}, "subcommand");
        row("no manifest", {"eval", "captions"}, "MANIFEST");
        row("a list of words without its file", {"caption", "a.wav", "--replace"}, "--replace");
        row("offline from a microphone", {"caption", "--mic", "--policy", "offline"}, "needs a recording that ends");
    }
    void wrongUsageIsExplained()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, says);
        const auto answer = run(arguments);
        QCOMPARE(answer.exit_code, 2);
        QVERIFY2((answer.errors + answer.output).contains(says), qPrintable(answer.errors + answer.output));
    }

    void aMissingModelIsNeverReplaced_data()
    {
        QTest::addColumn<QStringList>("arguments");
        const QString missing = m_cli.filePath(QStringLiteral("no-such-model"));
        QTest::newRow("caption") << QStringList{"caption", "a.wav", "--model", missing};
        QTest::newRow("caption, no name") << QStringList{"caption", "a.wav", "--model", ""};
        QTest::newRow("caption, offline") << QStringList{"caption", "a.wav", "--policy", "offline", "--model", missing};
        QTest::newRow("translate") << QStringList{"translate", "a.txt", "--model", missing};
        QTest::newRow("chat") << QStringList{"chat", "--model", missing, "--layout", "box"};
        QTest::newRow("eval captions") << QStringList{"eval", "captions", "a.jsonl", "--model", missing};
        QTest::newRow("eval streams") << QStringList{"eval", "streams", "--model", missing};
    }
    void aMissingModelIsNeverReplaced()
    {
        QFETCH(QStringList, arguments);
        const auto answer = run(arguments);
        QCOMPARE(answer.exit_code, 3);
        QVERIFY2(answer.errors.contains(QStringLiteral("model of this name and no such file or folder")), qPrintable(answer.errors));
        QVERIFY2(answer.output.isEmpty() || !answer.output.contains(QStringLiteral("captions-en")), qPrintable(answer.output));
    }

    void helpAndVersionAreAnswers()
    {
        QCOMPARE(run({"--version"}).exit_code, 0);
        QVERIFY(run({"--version"}).output.startsWith(QStringLiteral("braid-cli ")));
        const auto help = run({"caption", "--help"});
        QCOMPARE(help.exit_code, 0);
        for (const char *option : {"--mic",
                                   "--system",
                                   "--stdin",
                                   "--model",
                                   "--policy",
                                   "--language",
                                   "--task",
                                   "--realtime",
                                   "--format",
                                   "--out",
                                   "--journal",
                                   "--list",
                                   "--shard",
                                   "--resume",
                                   "--chunk-ms",
                                   "--first-chunk-ms",
                                   "--beam",
                                   "--look-back",
                                   "--stability",
                                   "--word-times",
                                   "--token-cache",
                                   "streaming|local-agreement|align-att|speech-llm|offline",
                                   "paper|v1|v2|braid",
                                   "live|text|json|srt|vtt"}) {
            QVERIFY2(help.output.contains(QString::fromLatin1(option)), option);
        }
        QVERIFY2(!help.output.contains(QStringLiteral("->")), "the choices are named as a person types them");
    }

    void devicesAreListedWithoutNoise()
    {
        const auto answer = run({"devices"});
        QCOMPARE(answer.exit_code, 0);
        QVERIFY(!answer.output.isEmpty());
        QVERIFY2(answer.errors.isEmpty(), qPrintable(answer.errors));
    }

    void modelsAreListed()
    {
        if (!hasBoxModel()) {
            QSKIP("the model in the box is not here");
        }
        const auto answer = run({"models"});
        QCOMPARE(answer.exit_code, 0);
        QVERIFY2(answer.output.contains(QStringLiteral("captions-en")), qPrintable(answer.output));
    }

    void interruptedSessionsAreListedAndWrittenOut()
    {
        const auto parent = m_cli.home() + QStringLiteral("/braid/sessions");
        text::Word word;
        word.text = "recovered";
        word.end_sample = 8000;
        const std::string name =
            testing::leaveInterrupted(parent.toStdString(), testing::ToldCaptions{{word}, std::vector<float>(16000, 0.25f), "a microphone"})
                .filename()
                .string();
        const auto listed = run({"recover", "--list"});
        QCOMPARE(listed.exit_code, 0);
        QVERIFY2(listed.output.contains(QString::fromStdString(name)) && listed.output.contains(QStringLiteral("a microphone  1 words, 00:00:01")),
                 qPrintable(listed.output));
        const auto kept = run({"recover", "--keep", "--format", "srt"});
        QCOMPARE(kept.exit_code, 0);
        QCOMPARE(kept.output, QStringLiteral("1\n00:00:00,000 --> 00:00:01,000\nrecovered\n\n"));
        const auto out = m_cli.filePath(QStringLiteral("recovered.json"));
        QCOMPARE(run({"recover", QString::fromStdString(name), "--format", "json", "--out", out}).exit_code, 0);
        QFile file(out);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(nlohmann::json::parse(file.readAll().toStdString()).at("source").get<std::string>(), std::string("a microphone"));
        // Dealt with: no longer offered.
        const auto none = run({"recover"});
        QCOMPARE(none.exit_code, 3);
        QVERIFY(none.errors.contains(QStringLiteral("there is no interrupted session here")));
        QCOMPARE(run({"recover", "nonsense"}).exit_code, 3);
    }

    void whatCannotBeUsedIsSaidInASentence_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("exit_code");
        QTest::addColumn<QString>("says");
        const auto path = [this](const char *name, const QByteArray &bytes) {
            const auto file = m_cli.filePath(QString::fromLatin1(name));
            writeFile(file, bytes);
            return file;
        };
        const auto row = [](const char *name, const QStringList &arguments, int exit_code, const QString &says) {
            QTest::newRow(name) << (QStringList{"caption"} + arguments) << exit_code << says;
        };
        row("missing file", {"/no/such/talk.mp4"}, 3, "/no/such/talk.mp4");
        row("empty file", {path("empty.wav", "")}, 3, "empty.wav");
        row("no sound file", {path("notes.wav", "these are only notes, not sound\n")}, 3, "notes.wav");
        row("truncated header", {path("short.wav", wavOf(QByteArray(1000, 'x')).left(20))}, 3, "short.wav");
        row("a folder", {m_cli.home()}, 3, m_cli.home());
        row("missing model", {"a.wav", "--model", "/no/such/model"}, 3, "/no/such/model");
        row("unknown model name", {"a.wav", "--model", "no-such-model"}, 3, "no-such-model");
        row("output that cannot be written", {kVoice, "--out", "/no/such/folder/talk.srt"}, 3, "/no/such/folder/talk.srt");
        row("full disk", {kVoice, "--out", "/dev/full"}, 3, "/dev/full");
        row("unknown microphone", {"--mic=No Such Microphone"}, 4, "No Such Microphone");
        row("a GPU that is not there", {kVoice, "--device", "cuda:77"}, 4, "cuda");
    }
    void whatCannotBeUsedIsSaidInASentence()
    {
        QFETCH(QStringList, arguments);
        QFETCH(int, exit_code);
        QFETCH(QString, says);
        if (!hasBoxModel()) {
            QSKIP("the model in the box is not here");
        }
        if (arguments.contains(kVoice) && !QFile::exists(kVoice)) {
            QSKIP("../shared/data is not here");
        }
        const auto answer = run(arguments);
        QVERIFY2(answer.exit_code == exit_code, qPrintable(QString::number(answer.exit_code) + ": " + answer.errors));
        const auto lines = answer.errors.split('\n', Qt::SkipEmptyParts);
        const auto sentences = lines.filter(QStringLiteral("braid-cli: "));
        QVERIFY2(sentences.size() == 1 && sentences[0].contains(says) && sentences[0].endsWith('.'), qPrintable(answer.errors));
    }

    void aFileBecomesCaptionsInEveryFormat()
    {
        if (!hasBoxModel() || !QFile::exists(kVoice)) {
            QSKIP("the model in the box or ../shared/data is not here");
        }
        const auto text = run({"caption", kVoice});
        QCOMPARE(text.exit_code, 0);
        QVERIFY(text.output.size() > 20);
        QVERIFY(text.output.endsWith('\n'));
        QVERIFY2(text.errors.contains(QStringLiteral("captions-en on cpu")), qPrintable(text.errors));
        QVERIFY(run({"caption", "--quiet", kVoice}).errors.isEmpty());

        const auto lines = jsonLines(run({"caption", kVoice, "--format", "json"}).output);
        QCOMPARE(lines.front().at("event").get<std::string>(), std::string("start"));
        QCOMPARE(lines.front().at("source").get<std::string>(), std::string("jfk.flac"));
        QCOMPARE(lines.back().at("event").get<std::string>(), std::string("done"));
        QCOMPARE(lines.back().at("statistics").at("heard_s").get<double>(), 11.0);
        double before = 0;
        int words = 0;
        for (const auto &line : lines) {
            for (const auto &item : line.value("items", nlohmann::json::array())) {
                if (item.at("type") == "word") {
                    QVERIFY(item.at("start_s").get<double>() >= before && item.at("end_s").get<double>() >= item.at("start_s").get<double>());
                    before = item.at("end_s").get<double>();
                    ++words;
                }
            }
        }
        QVERIFY(before <= 11.0);
        QCOMPARE(words, lines.back().at("statistics").at("committed_words").get<int>());

        const auto out = m_cli.filePath(QStringLiteral("talk.vtt"));
        QCOMPARE(run({"caption", kVoice, "--out", out}).exit_code, 0);
        QFile vtt(out);
        QVERIFY(vtt.open(QIODevice::ReadOnly));
        static const QRegularExpression cues(
            QStringLiteral("\\AWEBVTT\\n\\n(\\d\\d:\\d\\d:\\d\\d\\.\\d{3} --> \\d\\d:\\d\\d:\\d\\d\\.\\d{3}\\n[^\\n]{1,42}\\n([^\\n]{1,42}\\n)?\\n)+\\z"));
        const auto content = QString::fromUtf8(vtt.readAll());
        QVERIFY2(cues.match(content).hasMatch(), qPrintable(content));
        const auto srt = run({"caption", kVoice, "--format", "srt"}).output;
        QVERIFY2(srt.startsWith(QStringLiteral("1\n00:00:0")), qPrintable(srt));
    }

    void standardInputInOddPiecesEqualsTheFile()
    {
        if (!hasBoxModel() || !QFile::exists(kVoice)) {
            QSKIP("the model in the box or ../shared/data is not here");
        }
        const auto pcm = pcmOf(kVoice);
        const auto file = m_cli.filePath(QStringLiteral("voice.wav"));
        writeFile(file, wavOf(pcm));
        const auto whole = settledEvents(run({"caption", file, "--format", "json"}).output);
        QVERIFY(whole.size() > 5);
        const auto pieces = settledEvents(run({"caption", "--stdin", "--format", "json"}, [&pcm](QProcess &process) {
                                              QVERIFY(process.waitForStarted());
                                              qsizetype at = 0;
                                              for (qsizetype piece = 1; at < pcm.size(); piece = piece * 7 % 9973 + 1) {
                                                  process.write(pcm.mid(at, piece));
                                                  process.waitForBytesWritten();
                                                  at += piece;
                                              }
                                          }).output);
        QCOMPARE(pieces, whole);
    }

    void severalFilesFollowOneAnother()
    {
        if (!hasBoxModel() || !QFile::exists(kVoice)) {
            QSKIP("the model in the box or ../shared/data is not here");
        }
        const auto folder = m_cli.filePath(QStringLiteral("captions"));
        QVERIFY(QDir().mkpath(folder));
        const auto second = m_cli.filePath(QStringLiteral("second.flac"));
        QVERIFY(QFile::copy(kVoice, second));
        // The missing one in the middle is reported; the others have their turn.
        const auto answer = run({"caption", kVoice, "/no/such.wav", second, "--format", "srt", "--out", folder});
        QCOMPARE(answer.exit_code, 3);
        QVERIFY(QFile::exists(folder + QStringLiteral("/jfk.srt")));
        QVERIFY(QFile::exists(folder + QStringLiteral("/second.srt")));
        QCOMPARE(QDir(folder).entryList(QDir::Files).size(), 2);
    }

    void theOfflinePolicyTranscribesTheWhole()
    {
        if (!hasBoxModel() || !QFile::exists(kVoice)) {
            QSKIP("the model in the box or ../shared/data is not here");
        }
        const auto lines = jsonLines(run({"caption", kVoice, "--policy", "offline", "--format", "json"}).output);
        QCOMPARE(lines.size(), std::size_t{3});
        QCOMPARE(lines.front().at("policy").get<std::string>(), std::string("offline"));
        QVERIFY(lines[1].at("items").size() > 5);
    }

    // By any policy; what the model said stays beside it.
    void wordsAreWrittenAsAListSays_data()
    {
        QTest::addColumn<QString>("policy");
        QTest::newRow("live") << "streaming";
        QTest::newRow("a whole recording") << "offline";
    }
    void wordsAreWrittenAsAListSays()
    {
        QFETCH(QString, policy);
        if (!hasBoxModel() || !QFile::exists(kVoice)) {
            QSKIP("the model in the box or ../shared/data is not here");
        }
        const QString list = m_cli.filePath(QStringLiteral("words.txt"));
        writeFile(list, "your country -> YOUR LAND\n* what\n");
        const auto answer = run({"caption", kVoice, "--policy", policy, "--format", "json", "--replace", list, "-q"});
        QCOMPARE(answer.exit_code, 0);
        int lands = 0;
        int masked = 0;
        for (const auto &line : jsonLines(answer.output)) {
            if (line.at("event") != "commit") {
                continue;
            }
            for (const auto &item : line.at("items")) {
                const std::string text = item.value("text", std::string());
                lands += QString::fromStdString(text).startsWith(QStringLiteral("YOUR LAND")) ? 1 : 0;
                masked += text.find("***") != std::string::npos ? 1 : 0;
                QVERIFY2(QString::fromStdString(text).compare(QStringLiteral("country"), Qt::CaseInsensitive) != 0, text.c_str());
                if (lands > 0 && text.starts_with("YOUR LAND")) {
                    QVERIFY(QString::fromStdString(item.at("heard").get<std::string>()).startsWith(QStringLiteral("your country"), Qt::CaseInsensitive));
                }
            }
        }
        QVERIFY2(lands == 2 && masked > 0, qPrintable(answer.output));
    }
    void aListThatIsNoneIsRefusedBeforeAnythingIsHeard()
    {
        const QString list = m_cli.filePath(QStringLiteral("broken.txt"));
        writeFile(list, "braid -> Braid\nlib torch\n");
        const auto answer = run({"caption", "a.wav", "--replace", list});
        QCOMPARE(answer.exit_code, 3);
        QVERIFY2(answer.errors.contains(QStringLiteral("broken.txt: line 2 says nothing to write")), qPrintable(answer.errors));
    }

    // Before any model is looked for.
    void nothingThatExistsIsLostUnasked_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("says");
        const QString there = m_cli.filePath(QStringLiteral("there.srt"));
        const QString input = m_cli.filePath(QStringLiteral("talk.wav"));
        QTest::newRow("a file that exists") << QStringList{"caption", input, "--out", there} << "exists already";
        QTest::newRow("the input itself") << QStringList{"caption", input, "--format", "srt", "--out", input, "--overwrite"} << "read and overwritten at once";
        QTest::newRow("two inputs of one name") << QStringList{"caption", "a/talk.wav", "b/talk.wav", "--out", m_cli.home()} << "more than one thing";
        QTest::newRow("two inputs in one file") << QStringList{"caption", "a.wav", "b.wav", "--out", m_cli.filePath(QStringLiteral("both.txt"))}
                                                << "more than one thing";
        QTest::newRow("a text on itself") << QStringList{"translate", there, "--out", there} << "read and overwritten at once";
    }
    void nothingThatExistsIsLostUnasked()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, says);
        writeFile(m_cli.filePath(QStringLiteral("there.srt")), "precious");
        writeFile(m_cli.filePath(QStringLiteral("talk.wav")), "precious");
        const auto answer = run(arguments);
        QCOMPARE(answer.exit_code, 2);
        QVERIFY2(answer.errors.contains(says), qPrintable(answer.errors));
        QCOMPARE(readFile(m_cli.filePath(QStringLiteral("there.srt"))), QByteArray("precious"));
        QCOMPARE(readFile(m_cli.filePath(QStringLiteral("talk.wav"))), QByteArray("precious"));
    }

    void outputThatIsNotTakenIsTold()
    {
        std::vector<QStringList> commands = {{"recover", "--list"}, {"streams", "make"}, {"--help"}};
        if (hasBoxModel()) {
            commands.push_back({"models"});
        }
        for (const QStringList &arguments : commands) {
            const auto answer = run(
                arguments, [](QProcess &) {}, QStringLiteral("/dev/full"));
            QCOMPARE(answer.exit_code, 3);
            QVERIFY2(answer.errors.contains(QStringLiteral("standard output: not all of it could be written")), qPrintable(answer.errors));
        }
    }

    void namesDoNotSpeakToTheTerminal()
    {
        const auto answer = run({"caption", QStringLiteral("/no/such/\x1b]0;title\x07.wav"), "--model", "/no/such/\x1b[2J"});
        QVERIFY(answer.exit_code != 0);
        QVERIFY2(!answer.errors.contains(QChar(0x1b)) && !answer.errors.contains(QChar(7)), qPrintable(answer.errors));
    }

    void ctrlCStopsAndDrains()
    {
        if (!hasBoxModel() || !QFile::exists(kVoice)) {
            QSKIP("the model in the box or ../shared/data is not here");
        }
        const auto answer =
            run({"caption", kVoice, "--realtime", "--format", "json", "--journal", m_cli.filePath(QStringLiteral("journals"))}, [](QProcess &process) {
                QVERIFY(process.waitForStarted());
                QVERIFY(process.waitForReadyRead(60000));
                QTest::qWait(3000);
                process.terminate();
            });
        QCOMPARE(answer.exit_code, 0);
        const auto lines = jsonLines(answer.output);
        QCOMPARE(lines.back().at("event").get<std::string>(), std::string("done"));
        const double heard = lines.back().at("statistics").at("heard_s").get<double>();
        QVERIFY(heard > 0.5 && heard < 11);
        QCOMPARE(lines.back().at("statistics").at("decoded_s").get<double>(), heard);
        // A run that was ended on purpose is not an interrupted one.
        QVERIFY(run({"recover", "--list", "--journal", m_cli.filePath(QStringLiteral("journals"))}).output.contains(QStringLiteral("No interrupted session")));
    }
};

QTEST_GUILESS_MAIN(CliTest)
#include "tst_cli.moc"
