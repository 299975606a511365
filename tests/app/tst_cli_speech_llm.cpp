// braid-cli caption and eval captions with a language model that listens, as a person or a script runs them.
#include <QTemporaryDir>
#include <QtTest>

#include <cmath>

#include <nlohmann/json.hpp>

#include "core/audio/wav_header.h"
#include "tests/app/cli_runner.h"
#include "tests/support/hashed_numbers.h"
#include "tests/support/small_speech_lm_folder.h"
#include "tests/support/small_whisper_folder.h"

using namespace braid;
using namespace braid::test;
using nlohmann::json;

namespace {

// The committed words of --format json, as lines.
QStringList committed(const QString &events)
{
    QStringList words;
    for (const QString &line : events.split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
        const json event = json::parse(line.toStdString());
        if (event.at("event") != "commit") {
            continue;
        }
        for (const json &item : event.at("items")) {
            if (item.at("type") == "word") {
                words << QString::fromStdString(item.at("text").get<std::string>() + " " + std::to_string(item.at("end_s").get<double>()));
            }
        }
    }
    return words;
}

json statistics(const QString &events)
{
    return json::parse(events.trimmed().split(QLatin1Char('\n')).last().toStdString()).at("statistics");
}

}  // namespace

class tst_cli_speech_llm : public QObject {
    Q_OBJECT

    CliRunner m_cli;
    QString m_model;
    QString m_whisper;
    QByteArray m_pcm;

    [[nodiscard]] Answer captioned(const QStringList &more) const
    {
        return m_cli.run(QStringList{QStringLiteral("caption"), QStringLiteral("--stdin"), QStringLiteral("--quiet"), QStringLiteral("--format"),
                                     QStringLiteral("json"), QStringLiteral("--model")} +
                             more,
                         [this](QProcess &process) { process.write(m_pcm); });
    }

  private Q_SLOTS:
    void initTestCase()
    {
#ifndef BRAID_HAS_MODELS
        QSKIP("built without libtorch");
#endif
        m_model = m_cli.filePath(QStringLiteral("small-listener"));
        writeSmallSpeechLmFolder(m_model.toStdString(), {weights::LmHeadKind::Latent, 3});
        m_whisper = m_cli.filePath(QStringLiteral("small-whisper"));
        writeSmallWhisperFolder(m_whisper.toStdString());
        // A hum with overtones that the voice gate takes for a voice.
        for (int i = 0; i < 16000 * 5; ++i) {
            double value = 0;
            for (int tone = 1; tone <= 8; ++tone) {
                value += std::sin(2 * M_PI * 140 * tone * (1 + 0.05 * std::sin(i / 4000.0)) * i / 16000.0) / tone;
            }
            const auto sample = static_cast<qint16>(6000 * value * (0.6 + 0.4 * std::sin(i / 1500.0)));
            m_pcm.append(static_cast<char>(sample & 0xFF)).append(static_cast<char>(static_cast<quint16>(sample) >> 8));
        }
    }

    // The same text whatever is verified greedily, in no more passes; without a policy the model's choice is this one.
    void captions()
    {
        const Answer plain = captioned({m_model, QStringLiteral("--policy"), QStringLiteral("speech-llm")});
        QVERIFY2(plain.exit_code == 0, qPrintable(plain.errors));
        QVERIFY2(!committed(plain.output).isEmpty(), qPrintable(plain.output));
        for (const QStringList &more : {QStringList{"--policy", "speech-llm", "--heads", "3"}, QStringList{"--heads", "3", "--verify", "greedy"}}) {
            const Answer drafted = captioned(QStringList{m_model} + more);
            QVERIFY2(drafted.exit_code == 0, qPrintable(drafted.errors));
            QCOMPARE(committed(drafted.output), committed(plain.output));
            QVERIFY(statistics(drafted.output).at("decoder_steps") <= statistics(plain.output).at("decoder_steps"));
        }
        const Answer loose = captioned({m_model, "--heads", "3", "--verify", "threshold", "--threshold", "0.01"});
        QVERIFY2(loose.exit_code == 0, qPrintable(loose.errors));
        const Answer late = captioned({m_model, "--wait-k", "8", "--paradigm", "interleaved"});
        QVERIFY2(late.exit_code == 0, qPrintable(late.errors));
        QVERIFY(committed(late.output) != committed(plain.output));
    }

    void refused_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("says");
        const auto row = [](const char *name, const QStringList &arguments, const char *says) { QTest::newRow(name) << arguments << QString(says); };
        row("heads it lacks", {"MODEL", "--policy", "speech-llm", "--heads", "4"}, "3 heads");
        row("another policy", {"MODEL", "--policy", "align-att"}, "speech-llm");
        row("a chunk", {"MODEL", "--policy", "speech-llm", "--chunk-ms", "300"}, "--chunk-ms belongs to");
        row("a paradigm that waits", {"MODEL", "--policy", "speech-llm", "--paradigm", "offline"}, "offline");
        row("a Whisper", {"WHISPER", "--policy", "speech-llm"}, "small-whisper is none");
        row("heads of a Whisper", {"WHISPER", "--policy", "align-att", "--heads", "2"}, "--heads belongs to the speech-llm policy");
    }
    void refused()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, says);
        arguments.front() = arguments.front() == QStringLiteral("MODEL") ? m_model : m_whisper;
        const Answer answer = captioned(arguments);
        QCOMPARE(answer.exit_code, 2);
        QVERIFY2(answer.all().contains(says), qPrintable(answer.all()));
    }

    void evaluated()
    {
        const QString wav = m_cli.filePath(QStringLiteral("hum.wav"));
        const auto header = audio::wavHeader(static_cast<std::uint64_t>(m_pcm.size()));
        writeFile(wav, QByteArray(reinterpret_cast<const char *>(header.data()), static_cast<int>(header.size())) + m_pcm);
        const QString manifest = m_cli.filePath(QStringLiteral("list.tsv"));
        writeFile(manifest, wav.toUtf8() + "\tone two three four five six\n");
        const Answer answer = m_cli.run({"eval", "captions", manifest, "--model", m_model, "--format", "json", "--quiet"});
        QVERIFY2(answer.exit_code == 0, qPrintable(answer.errors));
        const json policies = json::parse(answer.output.toStdString()).at("policies");
        QCOMPARE(policies.size(), std::size_t(2));
        QCOMPARE(policies[1].at("policy"), "slm:heads=3");
        QCOMPARE(policies[0].at("chunk_ms"), 400);
        QCOMPARE(policies[0].at("words"), policies[1].at("words"));
        QCOMPARE(policies[0].at("wer"), policies[1].at("wer"));
        QCOMPARE(policies[0].at("revised_words"), 0);
        QVERIFY(policies[1].at("decoder_passes") <= policies[0].at("decoder_passes"));
        const Answer wrong = m_cli.run({"eval", "captions", manifest, "--model", m_model, "--policies", "slm:verify=never", "--quiet"});
        QCOMPARE(wrong.exit_code, 2);
        QVERIFY2(wrong.errors.contains(QStringLiteral("greedy|top-m|threshold")), qPrintable(wrong.errors));
    }

    void listedAndTold()
    {
        const Answer list = m_cli.run({"caption", "--help"});
        QVERIFY(list.output.contains(QStringLiteral("speech-llm")));
        QVERIFY(list.output.contains(QStringLiteral("--heads")));
    }
};

QTEST_GUILESS_MAIN(tst_cli_speech_llm)
#include "tst_cli_speech_llm.moc"
