// `braid-cli models` as a person or a script meets it, against a server on the loopback: what there is, fetching, checking, removing, and that nobody is
// asked unless a model is named to be fetched.
#include <QtTest>

#include <csignal>

#include <QCryptographicHash>
#include <QDir>

#include "cli_runner.h"

using namespace braid::test;
using nlohmann::json;

class tst_cli_models : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(QDir().mkpath(m_cli.filePath(QStringLiteral("braid"))) && QDir().mkpath(m_cli.filePath(QStringLiteral("served"))));
        m_bytes = QByteArray(200'000, 'w');
        writeFile(m_cli.filePath(QStringLiteral("served/model.pt")), m_bytes);
        m_log = m_cli.filePath(QStringLiteral("requests"));
        m_server.start(QStringLiteral("python3"),
                       {QStringLiteral(BRAID_SOURCE_DIR "/tests/core/fetch/odd_server.py"), m_cli.filePath(QStringLiteral("served")), m_log});
        if (!m_server.waitForStarted()) {
            QSKIP("needs python3");
        }
        QVERIFY(m_server.waitForReadyRead());
        const std::string root = "http://127.0.0.1:" + m_server.readLine().trimmed().toStdString();
        qputenv("HF_ENDPOINT", QByteArray::fromStdString(root));
        qputenv("XDG_CACHE_HOME", m_cli.filePath(QStringLiteral("cache")).toUtf8());
        qunsetenv("HF_TOKEN");
        const std::string sum = QCryptographicHash::hash(m_bytes, QCryptographicHash::Sha256).toHex().toStdString();
        json models = json::array();
        for (const auto &[name, path] : {std::pair{"good", "/good/model.pt"}, {"gone", "/status/404"}, {"held", "/hold/model.pt"}}) {
            models.push_back({{"name", name},
                              {"use", "captions"},
                              {"title", "For a test"},
                              {"purpose", "A test."},
                              {"languages", {"en"}},
                              {"page", "https://example.org/"},
                              {"files", {{{"path", "model.pt"}, {"address", root + path}, {"sha256", sum}, {"bytes", m_bytes.size()}}}}});
        }
        writeFile(m_cli.filePath(QStringLiteral("braid/catalogue.json")),
                  QByteArray::fromStdString(json{{"format", "braid-catalogue"}, {"version", 1}, {"models", models}}.dump()));
    }

    void cleanupTestCase()
    {
        m_server.closeWriteChannel();
        m_server.waitForFinished();
    }

    void nobodyIsAskedUnlessAModelIsNamed()
    {
        for (const QStringList &arguments : {QStringList{"models"},
                                             {"models", "list"},
                                             {"models", "list", "--format", "json"},
                                             {"models", "search"},
                                             {"models", "search", "--format", "json"},
                                             {"models", "path"},
                                             {"devices"},
                                             {"--help"}}) {
            const Answer answer = m_cli.run(arguments);
            QVERIFY2(answer.exit_code == 0 || !hasBoxModel(), qPrintable(answer.all()));
        }
        QCOMPARE(readFile(m_log), QByteArray());
    }

    void theCatalogueIsSearched()
    {
        const Answer answer = m_cli.run({"models", "search", "whisper", "de", "--format", "json"});
        QCOMPARE(answer.exit_code, 0);
        QStringList names;
        for (const json &line : jsonLines(answer.output)) {
            names << QString::fromStdString(line.at("name").get<std::string>());
            QVERIFY(line.at("bytes").get<std::uint64_t>() > 0 && line.at("licence") == "MIT" && line.at("state") == "to fetch");
        }
        QCOMPARE(names, (QStringList{"tiny", "base", "small", "medium", "large-v3", "large-v3-turbo"}));
        QVERIFY(m_cli.run({"models", "search", "nothing-like-it"}).output.contains(QStringLiteral("Nothing in the catalogue")));
    }

    void aModelIsFetchedCheckedAndRemoved()
    {
        const Answer got = m_cli.run({"models", "get", "good", "--format", "json"});
        QVERIFY2(got.exit_code == 0, qPrintable(got.all()));
        const json last = jsonLines(got.output).back();
        QCOMPARE(last.at("event"), json("done"));
        const QString path = QString::fromStdString(last.at("path").get<std::string>());
        QCOMPARE(path, m_cli.filePath(QStringLiteral("braid/models/good.pt")));
        QCOMPARE(readFile(path), m_bytes);
        QVERIFY(m_cli.run({"models", "search", "good"}).output.contains(QStringLiteral("here")));
        QCOMPARE(m_cli.run({"models", "path", "good"}).output.trimmed(), path);
        QVERIFY(m_cli.run({"models", "check", "good"}).output.contains(QStringLiteral("every size and checksum is right")));
        writeFile(path, "damaged");
        const Answer damaged = m_cli.run({"models", "check", "good"});
        QCOMPARE(damaged.exit_code, 3);
        QVERIFY2(damaged.output.contains(QStringLiteral("has 7 bytes, not 200000")), qPrintable(damaged.all()));
        QCOMPARE(m_cli.run({"models", "remove", "good"}).exit_code, 0);
        QVERIFY(!QFile::exists(path));
    }

    void troublesAreSentences()
    {
        const Answer gone = m_cli.run({"models", "get", "gone"});
        QCOMPARE(gone.exit_code, 3);
        QVERIFY2(gone.errors.contains(QStringLiteral("it is not at its address any more (404)")), qPrintable(gone.all()));
        const Answer unknown = m_cli.run({"models", "get", "huge"});
        QCOMPARE(unknown.exit_code, 3);
        QVERIFY2(unknown.errors.contains(QStringLiteral("There are: tiny,")), qPrintable(unknown.all()));
        for (const char *command : {"remove", "check"}) {
            const Answer answer = m_cli.run({"models", command, "captions-en"});
            QCOMPARE(answer.exit_code, 3);
            QVERIFY2(answer.errors.contains(QStringLiteral("no model of this name was fetched")), qPrintable(answer.all()));
        }
        QCOMPARE(m_cli.run({"models", "fly"}).exit_code, 2);
    }

    void aPersonStopsAFetch()
    {
        const Answer stopped = m_cli.run({"models", "get", "held", "--format", "json"}, [](QProcess &process) {
            while (!process.readAllStandardOutput().contains("\"fetching\"") && process.waitForReadyRead()) {
            }
            ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        });
        QCOMPARE(stopped.exit_code, 3);
        QVERIFY2(stopped.errors.contains(QStringLiteral("what came so far is kept")), qPrintable(stopped.all()));
        QVERIFY(m_cli.run({"models", "search", "held"}).output.contains(QStringLiteral("partly here")));
        QCOMPARE(m_cli.run({"models", "remove", "held"}).exit_code, 0);
        QVERIFY(!m_cli.run({"models", "search", "held"}).output.contains(QStringLiteral("partly here")));
    }

    void aNamedModelThatIsMissingIsNeverReplaced()
    {
        writeFile(m_cli.filePath(QStringLiteral("words.txt")), "hello");
        writeFile(m_cli.filePath(QStringLiteral("tone.wav")), wavOf(QByteArray(32000, '\0')));
        const QString missing = QStringLiteral("/nonexistent/model");
        for (const QStringList &arguments : {QStringList{"caption", m_cli.filePath(QStringLiteral("tone.wav")), "--model", missing},
                                             {"translate", m_cli.filePath(QStringLiteral("words.txt")), "--model", missing},
                                             {"chat", "--script", QStringLiteral(BRAID_SOURCE_DIR "/resources/samples/chat-sample.txt"), "--model", missing},
                                             {"eval", "captions", m_cli.filePath(QStringLiteral("words.txt")), "--model", missing},
                                             {"eval", "translation", m_cli.filePath(QStringLiteral("words.txt")), "--model", missing},
                                             {"eval", "streams", "--model", missing}}) {
            const Answer answer = m_cli.run(arguments);
            QVERIFY2(answer.exit_code == 2 || answer.exit_code == 3, qPrintable(arguments.join(' ') + answer.all()));
            QVERIFY2(!answer.errors.isEmpty(), qPrintable(arguments.join(' ')));
            if (!arguments.contains(QStringLiteral("eval"))) {
                QVERIFY2(answer.errors.contains(missing), qPrintable(answer.all()));
            }
        }
    }

  private:
    CliRunner m_cli;
    QProcess m_server;
    QByteArray m_bytes;
    QString m_log;
};

QTEST_GUILESS_MAIN(tst_cli_models)
#include "tst_cli_models.moc"
