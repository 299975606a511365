// One training in two processes gives what one process gives that learns the same batches: equal to rounding, for captions, for translation and for speech into
// a language model, also across a stop. What the environment says wrongly, and a process that goes away, is told in a sentence.
#include <QtTest>

#include <fstream>

#include <QProcess>
#include <QTemporaryDir>
#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/base/error.h"
#include "lab/train/checkpoint.h"
#include "lab/train/world.h"
#include "tests/lab/train/fresh_model.h"
#include "tests/lab/train/language_place.h"
#include "tests/lab/train/tone_speech.h"
#include "tests/support/error_sentence.h"

using namespace braid;
using namespace braid::train;
namespace fs = std::filesystem;

namespace {

constexpr int kMostMs = 120000;

// What a process of a training does, the test itself started again: RECIPE OUT STEPS [--resume].
int trainHere(const QStringList &arguments)
{
    at::set_num_threads(1);
    const fs::path recipe = arguments[0].toStdString();
    TrainingOptions options;
    options.out = arguments[1].toStdString();
    options.steps = arguments[2].toInt();
    options.start = arguments.contains(QStringLiteral("--resume")) ? TrainingStart::Resume : TrainingStart::Fresh;
    test::Watch watch;
    try {
        const TrainingResult result = isSpeechLmRecipe(recipe)   ? runTraining(readSpeechLmRecipe(recipe), options, watch)
                                      : isLanguageRecipe(recipe) ? runTraining(readLanguageRecipe(recipe), options, watch)
                                                                 : runTraining(readRecipe(recipe), options, watch);
        std::printf("%d reports, %d notices\n", static_cast<int>(watch.reports.size()), static_cast<int>(watch.notices.size()));
        return result.end == TrainingEnd::Complete ? 0 : 10;
    } catch (const Error &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 3;
    }
}

// Nobody listens there now.
int freePort()
{
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    const bool is_bound =
        ::bind(socket, reinterpret_cast<sockaddr *>(&address), length) == 0 && ::getsockname(socket, reinterpret_cast<sockaddr *>(&address), &length) == 0;
    ::close(socket);
    return is_bound ? ntohs(address.sin_port) : 0;
}

using Processes = std::vector<std::unique_ptr<QProcess>>;

// `size` processes that train together; 1: none that know of others.
Processes start(int size, const QStringList &arguments)
{
    const int port = freePort();
    Processes processes;
    for (int rank = 0; rank < size; ++rank) {
        auto process = std::make_unique<QProcess>();
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        if (size > 1) {
            environment.insert(QStringLiteral("RANK"), QString::number(rank));
            environment.insert(QStringLiteral("WORLD_SIZE"), QString::number(size));
            environment.insert(QStringLiteral("MASTER_ADDR"), QStringLiteral("127.0.0.1"));
            environment.insert(QStringLiteral("MASTER_PORT"), QString::number(port));
        }
        process->setProcessEnvironment(environment);
        process->start(QCoreApplication::applicationFilePath(), QStringList{QStringLiteral("--process")} + arguments);
        processes.push_back(std::move(process));
    }
    return processes;
}

void trainTogether(int size, const QStringList &arguments, int exit_code)
{
    const Processes processes = start(size, arguments);
    for (const auto &process : processes) {
        QVERIFY(process->waitForFinished(kMostMs));
        const QByteArray said = process->readAllStandardOutput();
        QVERIFY2(process->exitCode() == exit_code, process->readAllStandardError().constData());
        // The first one alone speaks.
        QCOMPARE(said.startsWith("0 reports"), process != processes.front());
    }
}

void writeRecipe(const fs::path &file, nlohmann::json values, const nlohmann::json &changes)
{
    values.merge_patch(changes);
    std::ofstream(file) << values.dump();
}

// Over the tones, with the fresh model's encoder; batches of about two utterances.
nlohmann::json speechLmRecipe()
{
    return {{"kind", "speech-lm"},
            {"encoder", "model"},
            {"adapter", {{"stack", 2}}},
            {"start", {{"sizes", {{"width", 24}, {"inner_width", 40}, {"layers", 2}, {"heads", 2}, {"context", 256}}}, {"vocabulary", 264}}},
            {"token_heads", {{"kind", "latent"}, {"count", 3}}},
            {"speech", {{"segment_ms", 120}, {"languages", {"en"}}}},
            {"corpora", {{{"manifest", "tones.jsonl"}}}},
            {"batch", {{"tokens", 80}}},
            {"optimizer", {{"kind", "adamw"}, {"learning_rate", 0.01}}},
            {"schedule", {{"kind", "steps"}, {"steps", 12}}},
            {"export", {{"number_type", "float32"}}}};
}

// The greatest difference between two runs' weights, and the greatest weight.
std::pair<double, double> differenceOf(const fs::path &one, const fs::path &other)
{
    const auto a = readCheckpoint(one);
    const auto b = readCheckpoint(other);
    if (!a || !b || a->progress.steps != b->progress.steps) {
        return {1e9, 0};
    }
    double difference = 0;
    double greatest = 0;
    for (const auto &[name, value] : a->weights) {
        difference = std::max(difference, (value - b->weights.at(name)).abs().max().item<double>());
        greatest = std::max(greatest, value.abs().max().item<double>());
    }
    return {difference, greatest};
}

}  // namespace

class TestTrainingWorld : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void whatTheEnvironmentSaysIsChecked_data()
    {
        QTest::addColumn<QString>("size");
        QTest::addColumn<QString>("rank");
        QTest::addColumn<QString>("host");
        QTest::addColumn<QString>("port");
        QTest::addColumn<QString>("says");
        QTest::newRow("no number") << "two"
                                   << "0"
                                   << "127.0.0.1"
                                   << "29500"
                                   << "WORLD_SIZE is \"two\"";
        QTest::newRow("none") << "0"
                              << "0"
                              << "127.0.0.1"
                              << "29500"
                              << "WORLD_SIZE is \"0\"";
        QTest::newRow("too high a rank") << "2"
                                         << "2"
                                         << "127.0.0.1"
                                         << "29500"
                                         << "RANK is \"2\", where a number from 0 to 1";
        QTest::newRow("no rank") << "2"
                                 << ""
                                 << "127.0.0.1"
                                 << "29500"
                                 << "RANK is not set";
        QTest::newRow("no machine") << "2"
                                    << "1"
                                    << ""
                                    << "29500"
                                    << "MASTER_ADDR is not set";
        QTest::newRow("no such port") << "2"
                                      << "1"
                                      << "127.0.0.1"
                                      << "70000"
                                      << "MASTER_PORT is \"70000\"";
    }
    void whatTheEnvironmentSaysIsChecked()
    {
        QFETCH(QString, size);
        QFETCH(QString, rank);
        QFETCH(QString, host);
        QFETCH(QString, port);
        QFETCH(QString, says);
        const std::string sentence = test::sentenceOf([&] { static_cast<void>(worldWith(size.toUtf8(), rank.toUtf8(), host.toUtf8(), port.toUtf8())); });
        QVERIFY2(sentence.find(says.toStdString()) != std::string::npos, sentence.c_str());
    }

    void oneProcessIsAWorld()
    {
        QVERIFY(worldWith("", "", "", "")->isAlone());
        QVERIFY(worldWith("1", "", "", "")->isAlone());
    }

    void twoProcessesLearnWhatOneLearns_data()
    {
        QTest::addColumn<QByteArray>("kind");
        QTest::addColumn<QByteArray>("changes");
        QTest::newRow("captions, by AdamW") << QByteArray("captions") << QByteArray(R"({"windows": {"batch_s": 2.5}})");
        QTest::newRow("captions, by Muon, a step for each point, dropout")
            << QByteArray("captions")
            << QByteArray(R"({"windows": {"batch_s": 4}, "points": {"steps": "each"}, "losses": {"frames": 0.5, "encoder_dropout": 0.1},
                              "optimizer": {"kind": "muon", "average": 0.9}})");
        QTest::newRow("translation") << QByteArray("translation") << QByteArray(R"({"translation": {"context": 0.4}})");
        QTest::newRow("speech into a language model") << QByteArray("speech-lm") << QByteArray(R"({"speech": {"wait_k": [1, 2, 3]}})");
    }
    void twoProcessesLearnWhatOneLearns()
    {
        if (!hasProcessGroups()) {
            QSKIP("this build trains in one process (no Gloo)");
        }
        QFETCH(QByteArray, kind);
        QFETCH(QByteArray, changes);
        const nlohmann::json other = nlohmann::json::parse(changes.toStdString());
        const test::ToneSpeech tones;
        test::writeFreshModel(tones.folder / "model");
        const test::Place pairs;
        const fs::path folder = kind == "translation" ? pairs.folder : tones.folder;
        fs::path alone = folder / "together.json";
        if (kind == "translation") {
            static_cast<void>(pairs.recipe(other));  // writes recipe.json
            fs::rename(folder / "recipe.json", folder / "together.json");
        } else if (kind == "speech-lm") {
            writeRecipe(folder / "together.json", speechLmRecipe(), other);
        } else {
            nlohmann::json values = test::toneRecipe(folder, folder / "model");
            writeRecipe(folder / "together.json", values, other);
            values["replicas"] = 2;  // in one process the same parts are learnt side by side
            alone = folder / "alone.json";
            writeRecipe(alone, values, other);
        }
        const auto path = [&folder](const fs::path &name) { return QString::fromStdString((folder / name).string()); };
        trainTogether(1, {path(alone), path("alone"), QStringLiteral("0")}, 0);
        trainTogether(2, {path("together.json"), path("together"), QStringLiteral("0")}, 0);
        const auto [difference, greatest] = differenceOf(folder / "alone", folder / "together");
        QVERIFY2(difference < 2e-4 * greatest, qPrintable(QString("%1 of %2").arg(difference).arg(greatest)));
        QVERIFY(fs::exists(folder / "together" / "model" / "model.safetensors"));
        // Stopped and gone on with, it is the same to the bit.
        trainTogether(2, {path("together.json"), path("parts"), QStringLiteral("5")}, 10);
        trainTogether(2, {path("together.json"), path("parts"), QStringLiteral("0"), QStringLiteral("--resume")}, 0);
        QCOMPARE(differenceOf(folder / "together", folder / "parts").first, 0.0);
    }

    void aProcessThatGoesAwayEndsTheOthersWithASentence()
    {
        if (!hasProcessGroups()) {
            QSKIP("this build trains in one process (no Gloo)");
        }
        const test::ToneSpeech tones;
        test::writeFreshModel(tones.folder / "model");
        writeRecipe(tones.folder / "recipe.json", test::toneRecipe(tones.folder, tones.folder / "model"),
                    {{"schedule", {{"kind", "minutes"}, {"minutes", 60}}}});
        const Processes processes = start(
            2, {QString::fromStdString((tones.folder / "recipe.json").string()), QString::fromStdString((tones.folder / "out").string()), QStringLiteral("0")});
        QVERIFY(processes[1]->waitForStarted());
        QTRY_VERIFY_WITH_TIMEOUT(fs::exists(tones.folder / "cache"), kMostMs);  // both have met
        processes[1]->kill();
        QVERIFY(processes[1]->waitForFinished(kMostMs));
        QVERIFY(processes[0]->waitForFinished(kMostMs));
        QCOMPARE(processes[0]->exitCode(), 3);
        const QByteArray sentence = processes[0]->readAllStandardError();
        QVERIFY2(sentence.contains("another process of this training has gone"), sentence.constData());
    }

  private:
    static std::shared_ptr<World> worldWith(const QByteArray &size, const QByteArray &rank, const QByteArray &host, const QByteArray &port)
    {
        const auto set = [](const char *name, const QByteArray &value) { value.isEmpty() ? qunsetenv(name) : qputenv(name, value); };
        set("WORLD_SIZE", size);
        set("RANK", rank);
        set("MASTER_ADDR", host);
        set("MASTER_PORT", port);
        const auto reset = qScopeGuard([&set] {
            for (const char *name : {"WORLD_SIZE", "RANK", "MASTER_ADDR", "MASTER_PORT"}) {
                set(name, {});
            }
        });
        return worldOfEnvironment();
    }
};

int main(int argc, char **argv)
{
    const QCoreApplication app(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    if (arguments.size() > 4 && arguments[1] == QLatin1String("--process")) {
        return trainHere(arguments.mid(2));
    }
    TestTrainingWorld test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_training_world.moc"
