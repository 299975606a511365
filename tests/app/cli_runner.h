// Runs braid-cli as a person or a script does, with a home of its own.
#pragma once

#include <functional>
#include <vector>

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include <nlohmann/json.hpp>

#include "core/audio/wav_header.h"

namespace braid::test {

struct Answer {
    int exit_code = -1;  // -1: it crashed
    QString output;
    QString errors;
    [[nodiscard]] QString all() const { return errors + output; }
};

class CliRunner {
  public:
    // A file in the home.
    [[nodiscard]] QString filePath(const QString &name) const { return m_home.filePath(name); }
    [[nodiscard]] QString home() const { return m_home.path(); }

    // `feed`: gives standard input; it is closed behind it.
    // `output`: a file that takes standard output; empty: it is in the answer.
    Answer run(const QStringList &arguments, const std::function<void(QProcess &)> &feed = {}, const QString &output = {}) const
    {
        QProcess process;
        if (!output.isEmpty()) {
            process.setStandardOutputFile(output);
        }
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("XDG_DATA_HOME"), m_home.path());
        process.setProcessEnvironment(environment);
        process.start(QStringLiteral(BRAID_CLI), arguments);
        if (feed) {
            feed(process);
        }
        process.closeWriteChannel();
        if (!process.waitForFinished(120000)) {
            process.kill();
            process.waitForFinished();
        }
        return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1, QString::fromUtf8(process.readAllStandardOutput()),
                QString::fromUtf8(process.readAllStandardError())};
    }

  private:
    QTemporaryDir m_home;
};

inline const QString kBoxModel = QStringLiteral(BRAID_SOURCE_DIR "/resources/models/captions-en");
inline const QString kVoice = QStringLiteral(BRAID_SOURCE_DIR "/../shared/data/speech/clips/jfk.flac");

inline bool hasBoxModel()
{
#ifdef BRAID_HAS_MODELS
    return QFile::exists(kBoxModel + QStringLiteral("/config.json"));
#else
    return false;
#endif
}

inline void writeFile(const QString &path, const QByteArray &bytes)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
}

inline QByteArray readFile(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// A WAV file around 16 bit PCM of 16 kHz, mono.
inline QByteArray wavOf(const QByteArray &pcm)
{
    const auto header = audio::wavHeader(static_cast<std::uint64_t>(pcm.size()));
    return QByteArray(header.data(), header.size()) + pcm;
}

inline std::vector<nlohmann::json> jsonLines(const QString &text)
{
    std::vector<nlohmann::json> lines;
    for (const auto &line : text.split('\n', Qt::SkipEmptyParts)) {
        lines.push_back(nlohmann::json::parse(line.toStdString()));
    }
    return lines;
}

}  // namespace braid::test
