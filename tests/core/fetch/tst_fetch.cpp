// Fetching against a server on the loopback that fails in the ways servers and networks do: in the end there is the exact file or none, and a sentence.
#include <QtTest>

#include <csignal>
#include <fstream>

#include <QCryptographicHash>
#include <QProcess>
#include <QTemporaryDir>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/fetch/digest.h"
#include "core/fetch/fetch_job.h"
#include "core/fetch/fetch_model.h"
#include "tests/support/error_sentence.h"

using namespace braid;
using namespace braid::fetch;
using nlohmann::json;
using test::contains;
using test::sentenceOf;
namespace fs = std::filesystem;

namespace {

constexpr int kModelBytes = 3'000'017;

QByteArray modelBytes()
{
    QByteArray bytes(kModelBytes, '\0');
    for (qsizetype i = 0; i < bytes.size(); ++i) {
        bytes[i] = static_cast<char>((i * 2654435761u) >> 13);
    }
    return bytes;
}

std::string sha256Of(const QByteArray &bytes)
{
    return QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex().toStdString();
}

QByteArray readAll(const fs::path &path)
{
    QFile file(QString::fromStdString(path.string()));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void writeAll(const fs::path &path, const QByteArray &bytes)
{
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary).write(bytes.constData(), bytes.size());
}

FetchOptions optionsIn(const fs::path &folder)
{
    FetchOptions options = fetchOptions();
    options.store = ModelStore(folder);
    options.wait = [](std::chrono::milliseconds, const std::stop_token &) {};
    return options;
}

CatalogueEntry entryAt(const std::string &address, const std::string &sha256, std::uint64_t bytes)
{
    CatalogueEntry entry;
    entry.name = "one";
    entry.page = "https://example.org/one";
    entry.files = {{"model.pt", address, sha256, bytes}};
    return entry;
}

}  // namespace

class tst_fetch : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase()
    {
        for (const char *name : {"HF_TOKEN", "HF_ENDPOINT"}) {
            qunsetenv(name);
        }
        m_served = fs::path(m_place.path().toStdString()) / "served";
        m_bytes = modelBytes();
        writeAll(m_served / "model.pt", m_bytes);
        m_server.start(QStringLiteral("python3"), {QStringLiteral(BRAID_SOURCE_DIR "/tests/core/fetch/odd_server.py"),
                                                   QString::fromStdString(m_served.string()), QString::fromStdString(logPath().string())});
        if (!m_server.waitForStarted()) {
            QSKIP("needs python3");
        }
        QVERIFY(m_server.waitForReadyRead());
        m_root = "http://127.0.0.1:" + m_server.readLine().trimmed().toStdString();
    }

    void cleanupTestCase()
    {
        m_server.closeWriteChannel();
        m_server.waitForFinished();
    }

    void init()
    {
        m_store = fs::path(m_place.path().toStdString()) / ("models" + std::to_string(++m_count));
        std::ofstream(logPath(), std::ios::trunc).flush();
    }

    void aWholeFileBecomesTheModel()
    {
        std::vector<FetchStage> stages;
        std::uint64_t most = 0;
        const auto path = fetchModel(good("/good/model.pt"), optionsIn(m_store),
                                     [&](const FetchProgress &progress) {
                                         if (stages.empty() || stages.back() != progress.stage) {
                                             stages.push_back(progress.stage);
                                         }
                                         most = std::max(most, progress.done_bytes);
                                     },
                                     {});
        QCOMPARE(path, m_store / "one.pt");
        verifyExact();
        QCOMPARE(stages, (std::vector{FetchStage::Asking, FetchStage::Fetching, FetchStage::Checking}));
        QCOMPARE(most, std::uint64_t{kModelBytes});
        QVERIFY(!fs::exists(m_store / ".fetching" / "one"));
        // Once it is there, nobody is asked again.
        const std::size_t requests = log().size();
        QCOMPARE(fetch("/good/model.pt"), std::string());
        QCOMPARE(log().size(), requests);
    }

    void aSizeThatIsNotKnownIsLearned()
    {
        static_cast<void>(fetchModel(entryAt(m_root + "/good/model.pt", sha256Of(m_bytes), 0), optionsIn(m_store), {}, {}));
        verifyExact();
        QCOMPARE(ModelStore(m_store).find("one")->bytes(), std::uint64_t{kModelBytes});
    }

    void aFileThatIsCutTenTimesIsGoneOnWith()
    {
        QCOMPARE(fetch("/cut/11/model.pt"), std::string());
        verifyExact();
        QCOMPARE(log().size(), std::size_t{12});
        QVERIFY(contains(log()[1], "bytes=" + std::to_string(kModelBytes / 11) + "-"));
    }

    void aPartFromAnEarlierTryIsGoneOnWith()
    {
        // A server that holds leaves a part; the same file is gone on with.
        stopInTheMiddle();
        const auto had = fs::file_size(partPath());
        QVERIFY(had > 0 && had < kModelBytes);
        QVERIFY(!ModelStore(m_store).find("one"));
        QCOMPARE(ModelStore(m_store).bytesOfParts("one"), had);
        std::ofstream(logPath(), std::ios::trunc).flush();
        replacePlansAddress("/hold/model.pt", "/good/model.pt");
        QCOMPARE(fetch("/good/model.pt"), std::string());
        QCOMPARE(log().size(), std::size_t{1});
        QVERIFY(contains(log()[0], "bytes=" + std::to_string(had) + "-"));
        verifyExact();
    }

    void aPartOfSomethingElseIsNotGoneOnWith()
    {
        stopInTheMiddle();
        QCOMPARE(fetch("/good/model.pt"), std::string());
        QVERIFY(contains(log().back(), "/good/model.pt - "));
        verifyExact();
    }

    void aServerWithoutRangesBeginsAnew()
    {
        stopInTheMiddle();
        replacePlansAddress("/hold/model.pt", "/norange/model.pt");
        QCOMPARE(fetch("/norange/model.pt"), std::string());
        verifyExact();
    }

    void aPartThatIsLongerThanTheFileIsThrownAway()
    {
        stopInTheMiddle();
        replacePlansAddress("/hold/model.pt", "/good/model.pt");
        writeAll(partPath(), m_bytes + m_bytes);
        QCOMPARE(fetch("/good/model.pt"), std::string());
        verifyExact();
    }

    void aDamagedPartIsFoundOut()
    {
        stopInTheMiddle();
        replacePlansAddress("/hold/model.pt", "/good/model.pt");
        writeAll(partPath(), QByteArray(1000, 'x'));
        QVERIFY(contains(fetch("/good/model.pt"), "its checksum is another"));
        verifyNone();
        QCOMPARE(fetch("/good/model.pt"), std::string());
        verifyExact();
    }

    void anotherFileIsNotKept()
    {
        const auto entry = entryAt(m_root + "/good/model.pt", std::string(64, '0'), kModelBytes);
        QVERIFY(contains(sentenceOf(ErrorKind::Input, [&] { static_cast<void>(fetchModel(entry, optionsIn(m_store), {}, {})); }), "its checksum is another"));
        verifyNone();
    }

    void aFileOfAnotherLengthIsNotKept()
    {
        for (const char *path : {"/short/model.pt", "/long/model.pt"}) {
            const std::string sentence = fetch(path);
            QVERIFY2(contains(sentence, "where " + std::to_string(kModelBytes) + " were announced"), sentence.c_str());
            verifyNone();
        }
    }

    void refusalsAreToldAsWhatTheyAre()
    {
        for (const auto &[path, says] : {std::pair{"/status/404", "it is not at its address any more (404)"},
                                         {"/status/401", "accept its terms there, and set HF_TOKEN"},
                                         {"/status/403", "does not give it to everybody (403)"},
                                         {"/status/500", "the server is out of order or busy (500)"},
                                         {"/status/418", "the server refuses it (418)"},
                                         {"/loop", "without end"},
                                         {"/page", "a web page came instead of the file"}}) {
            const std::string sentence = fetch(path);
            QVERIFY2(contains(sentence, says), sentence.c_str());
            verifyNone();
        }
    }

    void aServerThatIsBusyIsAskedAgain()
    {
        std::vector<std::chrono::milliseconds> waits;
        FetchOptions options = optionsIn(m_store);
        options.wait = [&](std::chrono::milliseconds length, const std::stop_token &) { waits.push_back(length); };
        static_cast<void>(fetchModel(good("/busy/3/model.pt"), options, {}, {}));
        verifyExact();
        QCOMPARE(waits.size(), std::size_t{3});
        QVERIFY(waits[0] < waits[1] && waits[1] < waits[2]);
    }

    void aServerThatIsNotThereIsTold()
    {
        const auto entry = entryAt("http://127.0.0.1:1/model.pt", sha256Of(m_bytes), kModelBytes);
        QVERIFY(contains(sentenceOf([&] { static_cast<void>(fetchModel(entry, optionsIn(m_store), {}, {})); }), "cannot be reached"));
        verifyNone();
    }

    // What Braid lists as a model by itself is put where it is listed.
    void aModelOfOneFileHasItsNameAndTheFilesKind()
    {
        for (const char *kind : {".pt", ".ckpt", ".safetensors", ".gguf", ".bin"}) {
            CatalogueEntry entry = good("/good/model.pt");
            entry.name = std::string("of") + (kind + 1);
            entry.files.front().path = std::string("weights") + kind;
            const fs::path path = fetchModel(entry, optionsIn(m_store), {}, {});
            QCOMPARE(path, m_store / (entry.name + kind));
            QVERIFY(fs::is_regular_file(path));
        }
        CatalogueEntry other = good("/good/model.pt");
        other.files.front().path = "config.json";
        QVERIFY(fs::is_regular_file(fetchModel(other, optionsIn(m_store), {}, {}) / "config.json"));
    }

    void aDiskThatIsFullIsToldBeforeAndInTheMiddle()
    {
        FetchOptions options = optionsIn(m_store);
        options.free_bytes = [](const fs::path &) { return std::uint64_t{1000}; };
        QVERIFY(
            contains(sentenceOf(ErrorKind::Storage, [&] { static_cast<void>(fetchModel(good("/good/model.pt"), options, {}, {})); }), "has no room for it"));
        QCOMPARE(log().size(), std::size_t{0});  // nobody was asked
        verifyNone();
        const CatalogueEntry endless = entryAt(m_root + "/good/model.pt", sha256Of(m_bytes), UINT64_MAX);
        QVERIFY(contains(sentenceOf(ErrorKind::Storage, [&] { static_cast<void>(fetchModel(endless, optionsIn(m_store), {}, {})); }), "has no room for it"));
        // Full after the first answer broke off.
        int asked = 0;
        options.free_bytes = [&asked](const fs::path &) { return ++asked <= 2 ? std::uint64_t{1} << 40 : std::uint64_t{0}; };
        QVERIFY(contains(sentenceOf(ErrorKind::Storage, [&] { static_cast<void>(fetchModel(good("/cut/3/model.pt"), options, {}, {})); }),
                         "what came so far is kept"));
        QVERIFY(ModelStore(m_store).bytesOfParts("one") > 0);
        verifyNone();
        QCOMPARE(fetch("/cut/3/model.pt"), std::string());
        verifyExact();
    }

    void aFetchThatIsKilledIsGoneOnWith()
    {
        QProcess child;
        child.start(QCoreApplication::applicationFilePath(), {QStringLiteral("--fetch"), QString::fromStdString(m_root + "/hold/model.pt"),
                                                              QString::fromStdString(m_store.string()), QString::fromStdString(sha256Of(m_bytes))});
        QVERIFY(child.waitForStarted());
        QTRY_VERIFY(ModelStore(m_store).bytesOfParts("one") > 0);
        // While it runs, no other may write the same model.
        QVERIFY(contains(fetch("/good/model.pt"), "another Braid is fetching it"));
        child.kill();
        child.waitForFinished();
        verifyNone();
        const auto had = fs::file_size(partPath());
        replacePlansAddress("/hold/model.pt", "/good/model.pt");
        QCOMPARE(fetch("/good/model.pt"), std::string());
        QVERIFY(contains(log().back(), "bytes=" + std::to_string(had) + "-"));
        verifyExact();
    }

    void aModelOfTheHubIsSeveralFilesAsOne()
    {
        FetchOptions options = optionsIn(m_store);
        const CatalogueEntry entry = serveHubModel(options);
        options.hub.token = "hf_secret";
        const auto path = fetchModel(entry, options, {}, {});
        QCOMPARE(path, m_store / "two");
        QCOMPARE(readAll(path / "model.safetensors"), m_bytes);
        QCOMPARE(readAll(path / "config.json"), QByteArray("{\"a\": 1}"));
        // The token went to the hub alone, not to where its files lie, and stands nowhere on the disk.
        for (const std::string &line : log()) {
            QCOMPARE(contains(line, "hf_secret"), !contains(line, "/good/"));
        }
        for (const auto &file : fs::recursive_directory_iterator(m_store)) {
            QVERIFY(!file.is_regular_file() || !readAll(file.path()).contains("hf_secret"));
        }
        QCOMPARE(ModelStore(m_store).find("two")->licence, std::string("apache-2.0"));
    }

    void whatWasFetchedIsCheckedRemovedAndTakenBack()
    {
        QCOMPARE(fetch("/good/model.pt"), std::string());
        const ModelStore store(m_store);
        QVERIFY(store.check("one", {}, {}).empty());
        store.remove("one");
        QVERIFY(!fs::exists(m_store / "one.pt") && !store.find("one"));
        store.takeBack("one");
        verifyExact();
        QByteArray damaged = m_bytes;
        damaged[77] = static_cast<char>(damaged[77] ^ 1);
        writeAll(m_store / "one.pt", damaged);
        QCOMPARE(store.check("one", {}, {}).size(), std::size_t{1});
        writeAll(m_store / "one.pt", damaged.left(9));
        QVERIFY(contains(store.check("one", {}, {}).at(0), "has 9 bytes"));
        store.remove("one");
        store.forgetRemoved();
        QVERIFY(contains(sentenceOf([&] { store.takeBack("one"); }), "cannot be taken back any more"));
        // What a person put there is theirs.
        writeAll(m_store / "own.pt", "x");
        QVERIFY(contains(sentenceOf([&] { store.remove("own"); }), "no model of this name was fetched"));
        QVERIFY(contains(sentenceOf([&] { store.remove("../own"); }), "no model of this name was fetched"));
    }

    void whatLiesInTheWayIsLeftAlone()
    {
        writeAll(m_store / "one.pt", "mine");
        QVERIFY(contains(fetch("/good/model.pt"), "lies there already"));
        QCOMPARE(readAll(m_store / "one.pt"), QByteArray("mine"));
    }

    void aJobTellsHowFarItIsAndStopsWhenAsked()
    {
        {
            FetchJob job(good("/good/model.pt"), optionsIn(m_store));
            QTRY_COMPARE(job.look().state, JobState::Done);
            QCOMPARE(job.look().path, m_store / "one.pt");
        }
        ModelStore(m_store).remove("one");
        FetchJob job(good("/hold/model.pt"), optionsIn(m_store));
        QTRY_VERIFY(job.look().progress.done_bytes > 0);
        job.cancel();
        QTRY_COMPARE(job.look().state, JobState::Cancelled);
        verifyNone();
        FetchJob refused(good("/status/404"), optionsIn(m_store));
        QTRY_COMPARE(refused.look().state, JobState::Failed);
        QVERIFY(contains(refused.look().problem, "404"));
    }

    void theRateIsOfTheLastSeconds()
    {
        using Clock = RateMeter::Clock;
        RateMeter rate;
        const Clock::time_point start;
        QCOMPARE(rate.add(5'000'000, start), 0.0);  // were here already
        QCOMPARE(rate.add(6'000'000, start + std::chrono::seconds(1)), 1e6);
        for (int second = 2; second <= 20; ++second) {
            rate.add(6'000'000 + static_cast<std::uint64_t>(second) * 100'000, start + std::chrono::seconds(second));
        }
        QVERIFY(std::abs(rate.add(8'100'000, start + std::chrono::seconds(21)) - 1e5) < 1e3);
        QCOMPARE(rate.add(0, start + std::chrono::seconds(22)), 0.0);  // began anew
    }

  private:
    [[nodiscard]] fs::path logPath() const { return fs::path(m_place.path().toStdString()) / "log"; }
    [[nodiscard]] fs::path partPath() const { return m_store / ".fetching" / "one" / "files" / "model.pt.part"; }
    [[nodiscard]] CatalogueEntry good(const std::string &path) const { return entryAt(m_root + path, sha256Of(m_bytes), kModelBytes); }
    // The sentence; empty where all went well.
    [[nodiscard]] std::string fetch(const std::string &path) const
    {
        return sentenceOf([&] { static_cast<void>(fetchModel(good(path), optionsIn(m_store), {}, {})); });
    }
    [[nodiscard]] std::vector<std::string> log() const
    {
        std::vector<std::string> lines;
        std::ifstream file(logPath());
        for (std::string line; std::getline(file, line);) {
            lines.push_back(line);
        }
        return lines;
    }
    void verifyExact() const { QCOMPARE(readAll(m_store / "one.pt"), m_bytes); }
    void verifyNone() const
    {
        QVERIFY(!fs::exists(m_store / "one.pt"));
        QVERIFY(!ModelStore(m_store).find("one"));
    }

    // Leaves a part, as a person does who stops a fetch.
    void stopInTheMiddle()
    {
        FetchJob job(good("/hold/model.pt"), optionsIn(m_store));
        QTRY_VERIFY(job.look().progress.done_bytes > 0);
        job.cancel();
        QTRY_COMPARE(job.look().state, JobState::Cancelled);
        QVERIFY(fs::exists(partPath()));
    }

    // What is kept belongs to a plan with another address; the server's ways are told by addresses.
    void replacePlansAddress(const std::string &from, const std::string &to) const
    {
        const fs::path note = m_store / ".fetching" / "one" / "plan.json";
        writeAll(note, readAll(note).replace(QByteArray::fromStdString(from), QByteArray::fromStdString(to)));
    }

    CatalogueEntry serveHubModel(FetchOptions &options) const
    {
        writeAll(m_served / "config.json", "{\"a\": 1}");
        writeAll(m_served / "model.safetensors", m_bytes);
        const auto blob = digestOfFile(m_served / "config.json", DigestKind::GitBlob);
        const json answer = {{"sha", std::string(40, 'c')},
                             {"cardData", {{"license", "apache-2.0"}}},
                             {"siblings",
                              {{{"rfilename", "config.json"}, {"size", 8}, {"blobId", blob}},
                               {{"rfilename", "model.safetensors"}, {"size", 130}, {"lfs", {{"sha256", sha256Of(m_bytes)}, {"size", kModelBytes}}}}}}};
        writeAll(m_served / "answer.json", QByteArray::fromStdString(answer.dump()));
        options.hub.endpoint = m_root;
        CatalogueEntry entry;
        entry.name = "two";
        entry.hub = {"owner/two", "main", {"config.json", "*.safetensors"}, {"tokenizer.json"}};
        return entry;
    }

    QTemporaryDir m_place;
    fs::path m_served;
    fs::path m_store;
    QByteArray m_bytes;
    QProcess m_server;
    std::string m_root;
    int m_count = 0;
};

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    if (arguments.size() == 5 && arguments[1] == QStringLiteral("--fetch")) {  // a program of its own, to be killed
        static_cast<void>(
            fetchModel(entryAt(arguments[2].toStdString(), arguments[4].toStdString(), kModelBytes), optionsIn(arguments[3].toStdString()), {}, {}));
        return 0;
    }
    tst_fetch test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_fetch.moc"
