// `braid-cli caption --list`: a shard of an archive, gone on with after whatever ended it.
#include <QDir>
#include <QTemporaryDir>
#include <QtTest>

#include <sys/file.h>

#include <csignal>
#include <filesystem>
#include <memory>

#include "tests/app/cli_runner.h"
#include "tests/support/small_whisper_folder.h"

using namespace braid;
using namespace braid::test;
using nlohmann::json;

namespace {

const QString kSample = QStringLiteral(BRAID_SOURCE_DIR "/resources/samples/caption-sample.flac");
constexpr int kNotFinished = 75;

}  // namespace

class CliArchiveTest : public QObject {
    Q_OBJECT
    test::CliRunner m_cli;
    std::unique_ptr<QTemporaryDir> m_folder;
    QTemporaryDir m_small;

    [[nodiscard]] QString path(const QString &name) const { return m_folder->filePath(name); }
    [[nodiscard]] QString out() const { return path(QStringLiteral("out")); }
    // As the transcripts' folder has it.
    [[nodiscard]] QString transcript(const QString &name) const { return out() + path(name) + QStringLiteral(".txt"); }
    [[nodiscard]] std::vector<json> report(const QString &shard = QStringLiteral("1-of-1")) const
    {
        return jsonLines(QString::fromUtf8(readFile(out() + QStringLiteral("/report-") + shard + QStringLiteral(".jsonl"))));
    }
    void list(const QStringList &names) const
    {
        QByteArray text;
        for (const QString &name : names) {
            text += path(name).toUtf8() + '\n';
        }
        writeFile(path(QStringLiteral("list")), text);
    }
    void silence(const QString &name) const { writeFile(path(name), wavOf(QByteArray(3200, '\0'))); }
    // By a model so small that it costs nothing.
    [[nodiscard]] QStringList command(const QStringList &more = {}) const { return commandWith(m_small.filePath(QStringLiteral("model")), more); }
    [[nodiscard]] QStringList commandWith(const QString &model, const QStringList &more = {}) const
    {
        return QStringList{"caption", "--list", path(QStringLiteral("list")), "--out", out(), "--model", model} + more;
    }

  private Q_SLOTS:
    void initTestCase()
    {
#ifndef BRAID_HAS_MODELS
        QSKIP("built without libtorch");
#endif
        test::writeSmallWhisperFolder(m_small.filePath(QStringLiteral("model")).toStdString());
    }
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void everyRecordingGetsItsTranscriptAndItsLine()
    {
        if (!hasBoxModel()) {
            QSKIP("the model in the box is not here");
        }
        QVERIFY(QFile::copy(kSample, path(QStringLiteral("speech.flac"))));
        silence(QStringLiteral("silence.wav"));
        writeFile(path(QStringLiteral("broken.mp3")), "this is no sound at all");
        list({"broken.mp3", "speech.flac", "missing.wav", "silence.wav"});
        const auto answer = m_cli.run(commandWith(kBoxModel));
        QCOMPARE(answer.exit_code, 3);
        const QString words = QString::fromUtf8(readFile(transcript(QStringLiteral("speech.flac")))).simplified();
        QCOMPARE(words, m_cli.run({"caption", kSample, "--format", "text", "-q"}).output.simplified());
        QVERIFY(QFile::exists(transcript(QStringLiteral("silence.wav"))));
        QVERIFY(!QFile::exists(transcript(QStringLiteral("broken.mp3"))));

        const auto lines = report();
        QCOMPARE(lines.size(), std::size_t{4});
        QVERIFY(lines[0]["transcript"].is_null() && lines[0]["errors"].size() == 1 && lines[2]["transcript"].is_null());
        QCOMPARE(lines[1]["recording"].get<std::string>(), path(QStringLiteral("speech.flac")).toStdString());
        QCOMPARE(lines[1]["words"].get<int>(), words.split(' ').size());
        QVERIFY(lines[1]["seconds"].get<double>() > 1 && lines[1]["took_s"].get<double>() > 0 && lines[1]["errors"].empty());
        QCOMPARE(lines[3]["words"].get<int>(), 0);
        QVERIFY(std::abs(lines[3]["seconds"].get<double>() - 0.1) < 0.01);
    }

    void whatIsDoneIsLeftOutAndWhatFailedIsTriedAgain()
    {
        silence(QStringLiteral("one.wav"));
        list({"one.wav", "two.wav"});
        QCOMPARE(m_cli.run(command()).exit_code, 3);
        const auto again = m_cli.run(command());
        QCOMPARE(again.exit_code, 2);
        QVERIFY2(again.errors.contains(QStringLiteral("--resume")), qPrintable(again.errors));

        writeFile(transcript(QStringLiteral("one.wav")), "done already");
        silence(QStringLiteral("two.wav"));
        const auto resumed = m_cli.run(command({"--resume"}));
        QVERIFY2(resumed.exit_code == 0 && resumed.errors.contains(QStringLiteral("1 captioned, 1 were done")), qPrintable(resumed.errors));
        QCOMPARE(readFile(transcript(QStringLiteral("one.wav"))), "done already");
        QCOMPARE(report().size(), std::size_t{2});
        // Nothing is left to do: not even the model is looked for.
        QCOMPARE(m_cli.run(commandWith(QStringLiteral("no-such-model"), {"--resume"})).exit_code, 0);
        QCOMPARE(report().size(), std::size_t{2});
    }

    void shardsHaveTheirOwn()
    {
        const QStringList names{"a.wav", "b.wav", "c.wav"};
        std::for_each(names.begin(), names.end(), [this](const QString &name) { silence(name); });
        list(names);
        QCOMPARE(m_cli.run(command({"--shard", "2/2", "--resume"})).exit_code, 0);
        QCOMPARE(report(QStringLiteral("2-of-2")).size(), std::size_t{1});
        QVERIFY(QFile::exists(transcript(QStringLiteral("b.wav"))) && !QFile::exists(transcript(QStringLiteral("a.wav"))));
        QCOMPARE(m_cli.run(command({"--shard", "3/2"})).exit_code, 2);
    }

    void aShardThatSomebodyHasIsLeftAlone()
    {
        silence(QStringLiteral("a.wav"));
        list({"a.wav"});
        QVERIFY(QDir().mkpath(out()));
        QFile lock(out() + QStringLiteral("/.shard-1-of-1"));
        QVERIFY(lock.open(QIODevice::ReadWrite));
        QCOMPARE(::flock(lock.handle(), LOCK_EX | LOCK_NB), 0);
        const auto answer = m_cli.run(command({"--resume"}));
        QCOMPARE(answer.exit_code, kNotFinished);
        QVERIFY2(answer.errors.contains(QStringLiteral("another worker has shard 1/1")), qPrintable(answer.errors));
        QVERIFY(report().empty());
    }

    // The politeness of a queue that wants its machine back: half a transcript is none.
    void whoIsAskedToEndLeavesNothingHalf()
    {
        if (!hasBoxModel()) {
            QSKIP("the model in the box is not here");
        }
        QVERIFY(QFile::copy(kSample, path(QStringLiteral("speech.flac"))));
        list({"speech.flac"});
        // A model that takes longer to load than a signal takes to arrive.
        const auto asked = m_cli.run(commandWith(kBoxModel), [this](QProcess &process) {
            // From the recording's name on it is at work.
            process.setReadChannel(QProcess::StandardError);
            while (!process.peek(process.bytesAvailable()).contains("speech.flac") && process.waitForReadyRead(60000)) {
            }
            if (process.processId() > 0) {
                ::kill(static_cast<pid_t>(process.processId()), SIGTERM);
            }
        });
        QCOMPARE(asked.exit_code, kNotFinished);
        QVERIFY(report().empty());
        const QFileInfo place(transcript(QStringLiteral("speech.flac")));
        QVERIFY(place.dir().entryList(QDir::Files | QDir::Hidden).isEmpty());
        QCOMPARE(m_cli.run(command({"--resume"})).exit_code, 0);
        QVERIFY(place.exists());
    }

    void aDiskOrModelThatIsMissingEndsTheWorker()
    {
        silence(QStringLiteral("a.wav"));
        list({"a.wav"});
        QCOMPARE(m_cli.run(commandWith(QStringLiteral("no-such-model"))).exit_code, 3);
        QVERIFY2(report().empty(), "it is not the recording's fault");
        writeFile(path(QStringLiteral("file")), "x");
        const auto answer = m_cli.run({"caption", "--list", path(QStringLiteral("list")), "--out", path(QStringLiteral("file"))});
        QVERIFY2(answer.exit_code == 3 && answer.errors.contains(QStringLiteral("--out")), qPrintable(answer.errors));
    }

    void whatCannotBeCombinedIsRefused_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("says");
        QTest::newRow("no folder") << QStringList{"caption", "--list", "list"} << "--list needs a folder";
        QTest::newRow("overwrite") << QStringList{"caption", "--list", "list", "--out", "x", "--overwrite"} << "--overwrite cannot be had with --list";
        QTest::newRow("journal") << QStringList{"caption", "--list", "list", "--out", "x", "--journal", "y"} << "--journal cannot be had with --list";
        QTest::newRow("a file as well") << QStringList{"caption", "a.wav", "--list", "list", "--out", "x"} << "only one kind of input";
        QTest::newRow("shard alone") << QStringList{"caption", "a.wav", "--shard", "1/2"} << "--list";
        QTest::newRow("no shard") << QStringList{"caption", "--list", "list", "--out", "x", "--shard", "2"} << "like 3/16";
    }
    void whatCannotBeCombinedIsRefused()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, says);
        const auto answer = m_cli.run(arguments);
        QCOMPARE(answer.exit_code, 2);
        QVERIFY2(answer.all().contains(says), qPrintable(answer.all()));
    }
};

QTEST_GUILESS_MAIN(CliArchiveTest)
#include "tst_cli_archive.moc"
