// torch.save's files are data: tensors come out as PyTorch would give them, and nothing in them is ever called.
#include <QTemporaryDir>
#include <QtTest>

#include <fstream>
#include <sstream>

#include "core/weights/torch_archive.h"
#include "tests/core/weights/tensor_checks.h"
#include "tests/support/error_sentence.h"

using namespace braid;
using namespace braid::weights;
using braid::test::sentenceOf;
using namespace std::string_literals;

namespace {

const std::filesystem::path kFiles = BRAID_SOURCE_DIR "/tests/parity/weights";

std::string bytesOf(const std::filesystem::path &path)
{
    std::ifstream file(path, std::ios::binary);
    std::stringstream all;
    all << file.rdbuf();
    return all.str();
}

PickleDocument parse(const std::string &pickle)
{
    auto kept = std::make_shared<const std::string>(pickle);
    return {std::as_bytes(std::span(*kept)), kept, "pickle"};
}

ZipArchive zip(const std::string &bytes)
{
    auto kept = std::make_shared<const std::string>(bytes);
    return {std::as_bytes(std::span(*kept)), kept, "zip"};
}

void openArchive(const std::string &bytes)
{
    auto kept = std::make_shared<const std::string>(bytes);
    TorchArchive archive(std::as_bytes(std::span(*kept)), kept, "archive");
    (void)archive.stateDict(archive.root());
}

std::string number(std::uint64_t value, int bytes)
{
    std::string text;
    for (int i = 0; i < bytes; ++i) {
        text += static_cast<char>(value >> (8 * i));
    }
    return text;
}

// A zip of one entry, written by hand so that every field can lie.
struct HandmadeZip {
    std::string name = "a";
    std::string data = "hello";
    std::string local_name = "a";
    std::uint16_t flags = 0;
    std::uint16_t method = 0;
    std::uint64_t size = 5;
    std::uint64_t packed = 5;
    std::uint64_t local_offset = 0;
    std::string extra;
    std::uint32_t crc = 0;
    std::uint16_t copies = 1;

    [[nodiscard]] std::string bytes() const
    {
        auto out = "PK\x03\x04" + number(20, 2) + number(flags, 2) + number(method, 2) + number(0, 4) + number(crc, 4) + number(packed, 4) + number(size, 4) +
                   number(local_name.size(), 2) + number(0, 2) + local_name + data;
        const auto directory = out.size();
        for (int i = 0; i < copies; ++i) {
            out += "PK\x01\x02" + number(20, 2) + number(20, 2) + number(flags, 2) + number(method, 2) + number(0, 4) + number(crc, 4) + number(packed, 4) +
                   number(size, 4) + number(name.size(), 2) + number(extra.size(), 2) + number(0, 2) + number(0, 2) + number(0, 2) + number(0, 4) +
                   number(local_offset, 4) + name + extra;
        }
        const auto directory_size = out.size() - directory;
        return out + "PK\x05\x06" + number(0, 4) + number(copies, 2) + number(copies, 2) + number(directory_size, 4) + number(directory, 4) + number(0, 2);
    }
};

// An entry of zlib's raw deflate of 1,000 times 'a'.
HandmadeZip deflatedEntry(const std::string &name)
{
    constexpr unsigned char kPacked[] = {0x4b, 0x4c, 0x1c, 0x05, 0xa3, 0x60, 0x14, 0x0c, 0x77, 0x00, 0x00};
    HandmadeZip entry;
    entry.name = entry.local_name = name;
    entry.data = std::string(reinterpret_cast<const char *>(kPacked), sizeof kPacked);
    entry.method = 8;
    entry.packed = sizeof kPacked;
    entry.size = 1000;
    entry.crc = 0x9A38DA03;
    return entry;
}

// A zip of both.
std::string together(const HandmadeZip &first, const HandmadeZip &second)
{
    const auto local = [](const HandmadeZip &zip) { return zip.bytes().substr(0, 30 + zip.local_name.size() + zip.data.size()); };
    const auto listed = [&local](HandmadeZip zip, std::size_t offset) {
        zip.local_offset = offset;
        const std::string all = zip.bytes();
        return all.substr(local(zip).size(), 46 + zip.name.size());
    };
    const std::string entries = local(first) + local(second);
    const std::string directory = listed(first, 0) + listed(second, local(first).size());
    return entries + directory + "PK\x05\x06" + number(0, 4) + number(2, 2) + number(2, 2) + number(directory.size(), 4) + number(entries.size(), 4) +
           number(0, 2);
}

}  // namespace

class TorchArchiveTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void tensorsComeOutAsPyTorchGivesThem_data()
    {
        QTest::addColumn<QString>("file");
        for (const char *file : {"odd.pt", "odd-protocol4.pt", "odd-protocol5.pt"}) {
            QTest::newRow(file) << file;
        }
    }

    // Strides, offsets, shared storages, Parameters, all types, scalars, empty tensors.
    void tensorsComeOutAsPyTorchGivesThem()
    {
        QFETCH(const QString, file);
        const auto expected = test::readJson(kFiles / "expected.json");
        TorchArchive archive(kFiles / file.toStdString());
        const auto tensors = archive.stateDict(archive.root());
        const auto &wanted = expected["tensors"]["odd.pt"];
        QCOMPARE(tensors.names().size(), wanted.size());
        for (const auto &[name, entry] : wanted.items()) {
            const auto problem = test::difference(tensors.peek(name), entry);
            QVERIFY2(problem.empty(), (name + ": " + problem).c_str());
        }
    }

    void aMaliciousPickleStaysInert()
    {
        std::filesystem::remove("/tmp/braid_pwned");
        TorchArchive archive(kFiles / "malicious.pt");
        const auto evil = archive.root().field("evil");
        QVERIFY(evil && evil->kind() == PickleKind::Call);
        QCOMPARE(evil->callable()->globalName(), std::string("posix.system"));
        QVERIFY(!std::filesystem::exists("/tmp/braid_pwned"));
        QVERIFY(sentenceOf(ErrorKind::Model, [&] { (void)archive.tensor(*evil, "evil"); }).find("posix.system") != std::string::npos);
    }

    void foreignFormatsGiveASentence()
    {
        const auto sentence = [](const char *file) { return sentenceOf(ErrorKind::Model, [&] { (void)TorchArchive(kFiles / file); }); };
        QVERIFY(sentence("legacy.pt").find("before 1.6") != std::string::npos);
        QVERIFY(sentence("script.pt").find("TorchScript") != std::string::npos);
        QVERIFY(sentence("expected.json").find("not a file that torch.save has written") != std::string::npos);
        QVERIFY(sentenceOf(ErrorKind::Model, [] { openArchive(""); }).find("the file is empty") != std::string::npos);
    }

    void unusualTensorsGiveASentence()
    {
        const auto sentence = [](const char *file) {
            return sentenceOf(ErrorKind::Model, [&] {
                TorchArchive archive(kFiles / file);
                (void)archive.stateDict(archive.root());
            });
        };
        QVERIFY(sentence("sparse.pt").find("_rebuild_sparse_tensor") != std::string::npos);
        QVERIFY(sentence("expanded.pt").find("larger than its numbers") != std::string::npos);
        QVERIFY(sentence("openai.pt").find("\"dims\" is not a tensor") != std::string::npos);
    }

    // Every prefix of a file, and every byte turned, is either read or refused with a sentence.
    void damagedFilesNeverDoHarm()
    {
        const auto whole = bytesOf(kFiles / "odd.pt");
        QVERIFY(whole.size() > 1000);
        for (std::size_t size = 0; size < whole.size(); size += 7) {
            QVERIFY(!sentenceOf(ErrorKind::Model, [&] { openArchive(whole.substr(0, size)); }).empty());
        }
        for (std::size_t at = 0; at < whole.size(); at += 3) {
            auto damaged = whole;
            damaged[at] = static_cast<char>(damaged[at] ^ (1 << (at % 8)));
            const auto sentence = sentenceOf(ErrorKind::Model, [&] { openArchive(damaged); });
            QVERIFY2(sentence.find("not a model error") == std::string::npos, sentence.c_str());
        }
    }

    void picklesAreData()
    {
        const auto list = parse("\x80\x02]q\x01(K\x01M\x00\x02J\xff\xff\xff\xff\x8a\x02\x00\x80Ne."s);
        const auto elements = list.root().elements();
        QCOMPARE(elements.size(), 5u);
        QCOMPARE(elements[1].integer(), std::optional<std::int64_t>(512));
        QCOMPARE(elements[2].integer(), std::optional<std::int64_t>(-1));
        QCOMPARE(elements[3].integer(), std::optional<std::int64_t>(-32768));
        QVERIFY(elements[4].kind() == PickleKind::None);
        const auto call = parse("\x80\x02"
                                "cos\nsystem\nX\x02\x00\x00\x00ls\x85R."s);
        QVERIFY(call.root().isCallOf("os", "system"));
        QCOMPARE(call.root().arguments().at(0).text(), std::optional<std::string_view>("ls"));
    }

    void deepAndCyclicPicklesAreHarmless()
    {
        std::string deep = "\x80\x02";
        deep += std::string(500000, ']') + std::string(499999, 'a') + ".";
        QVERIFY(parse(deep).root().kind() == PickleKind::List);
        const auto cyclic = parse("\x80\x02]q\x01h\x01"
                                  "a."s);
        QVERIFY(cyclic.root().elements().at(0).kind() == PickleKind::List);
    }

    void brokenPicklesGiveASentence_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("part");
        const auto row = [](const char *name, const std::string &bytes, const char *part) { QTest::newRow(name) << QByteArray::fromStdString(bytes) << part; };
        row("empty", "", "older than protocol 2");
        row("protocol 0", "(lp0\n.", "older than protocol 2");
        row("protocol 9",
            "\x80\x09"
            "N.",
            "unknown protocol 9");
        row("no end", "\x80\x02N", "ends too early");
        row("a text longer than the file",
            "\x80\x02X\xff\xff\xff\x7f"
            "abc.",
            "ends too early");
        row("an empty stack", "\x80\x02.", "takes more than it has");
        row("below a mark", "\x80\x02N(a.", "takes more than it has");
        row("no mark", "\x80\x02t.", "never opened");
        row("no memo", "\x80\x02h\x05.", "never said");
        row("append to a number",
            "\x80\x02K\x01N"
            "a.",
            "no list");
        row("a key without value", "\x80\x02}(K\x01u.", "without a value");
        row("an extension code", "\x80\x02\x82\x01.", "instruction 0x82");
        row("a name without end",
            "\x80\x02"
            "cos",
            "does not end");
        row("too many objects", "\x80\x02" + std::string(2000001, 'N') + ".", "more objects");
    }

    void brokenPicklesGiveASentence()
    {
        QFETCH(const QByteArray, bytes);
        QFETCH(const QString, part);
        const auto sentence = QString::fromStdString(sentenceOf(ErrorKind::Model, [&] { (void)parse(bytes.toStdString()); }));
        QVERIFY2(sentence.contains(part), qPrintable("\"" + sentence + "\" should speak of \"" + part + "\""));
    }

    void zipsAreReadThroughTheirDirectory()
    {
        HandmadeZip good;
        const auto content = zip(good.bytes()).read("a", 100);
        QCOMPARE(std::string(reinterpret_cast<const char *>(content.bytes.data()), content.bytes.size()), std::string("hello"));
        QVERIFY(sentenceOf(ErrorKind::Model, [&] { (void)zip(good.bytes()).read("a", 4); }).find("larger") != std::string::npos);
        QVERIFY(sentenceOf(ErrorKind::Model, [&] { (void)zip(good.bytes()).read("b", 4); }).find("missing") != std::string::npos);
        HandmadeZip large = good;  // the sizes stand in the zip64 field
        large.size = large.packed = 0xFFFFFFFF;
        large.extra = number(1, 2) + number(16, 2) + number(5, 8) + number(5, 8);
        QCOMPARE(zip(large.bytes()).entries().at("a").size_bytes, 5u);
    }

    void lyingZipsGiveASentence()
    {
        const auto sentence = [](const HandmadeZip &lie) { return sentenceOf(ErrorKind::Model, [&] { (void)zip(lie.bytes()).read("a", 1u << 30); }); };
        HandmadeZip lie;
        lie.local_name = "b";
        QVERIFY(sentence(lie).find("another one") != std::string::npos);
        lie = {};
        lie.packed = lie.size = 6;
        QVERIFY(sentence(lie).find("past the end") != std::string::npos);
        lie = {};
        lie.size = 6;
        QVERIFY(sentence(lie).find("two different lengths") != std::string::npos);
        lie = {};
        lie.local_offset = 3;
        QVERIFY(sentence(lie).find("not where the table of contents says") != std::string::npos);
        lie = {};
        lie.flags = 1;
        QVERIFY(sentence(lie).find("encrypted") != std::string::npos);
        lie = {};
        lie.method = 12;
        QVERIFY(sentence(lie).find("compressed in a way") != std::string::npos);
        lie = {};
        lie.copies = 2;
        QVERIFY(sentence(lie).find("there twice") != std::string::npos);
        lie = {};
        lie.method = 8;
        lie.size = 4000000000u;
        QVERIFY(!sentence(lie).empty());  // a bomb: no memory is taken for it
        QVERIFY(sentenceOf(ErrorKind::Model, [] { (void)zip("PK\x03\x04" + std::string(100, 'x')); }).find("no end") != std::string::npos);
    }

    void deflatedEntriesAreUnpacked()
    {
        HandmadeZip packed = deflatedEntry("a");
        const auto sentence = sentenceOf(ErrorKind::Model, [&] {
            const auto content = zip(packed.bytes()).read("a", 1000);
            QCOMPARE(std::string(reinterpret_cast<const char *>(content.bytes.data()), content.bytes.size()), std::string(1000, 'a'));
        });
        QVERIFY2(sentence.empty() || sentence.find("no zlib") != std::string::npos, sentence.c_str());
        packed.crc = 1;
        QVERIFY(!sentenceOf(ErrorKind::Model, [&] { (void)zip(packed.bytes()).read("a", 1000); }).empty());
    }

    // A small file may name one packed storage a thousand times over.
    void aStorageThatTensorsShareIsUnpackedOnce()
    {
        const auto text = [](const std::string &value) { return "X" + number(value.size(), 4) + value; };
        const std::string tensor = "ctorch._utils\n_rebuild_tensor_v2\n((" + text("storage") + "ctorch\nByteStorage\n" + text("0") + text("cpu") + "M" +
                                   number(1000, 2) + "tQK" + number(0, 1) + "M" + number(1000, 2) + "\x85" + "K\x01\x85\x89" +
                                   "ccollections\nOrderedDict\n)RtR";
        HandmadeZip pickle;
        pickle.name = pickle.local_name = "x/data.pkl";
        pickle.data = "\x80\x02}(" + text("a") + tensor + text("b") + tensor + "u.";
        pickle.size = pickle.packed = pickle.data.size();
        const HandmadeZip storage = deflatedEntry("x/data/0");
        const auto kept = std::make_shared<const std::string>(together(pickle, storage));
        const auto sentence = sentenceOf(ErrorKind::Model, [&] {
            TorchArchive archive(std::as_bytes(std::span(*kept)), kept, "archive");
            const auto tensors = archive.stateDict(archive.root());
            QCOMPARE(tensors.peek("a")->bytes.size(), std::size_t(1000));
            QCOMPARE(tensors.peek("a")->bytes.data(), tensors.peek("b")->bytes.data());
        });
        QVERIFY2(sentence.empty() || sentence.find("no zlib") != std::string::npos, sentence.c_str());
    }

    void melFiltersOfOpenAiAreUnpacked()
    {
        const std::filesystem::path path = BRAID_SOURCE_DIR "/../shared/data/tokenizers/whisper/mel_filters.npz";
        if (!std::filesystem::exists(path)) {
            QSKIP("shared/data is not here");
        }
        const ZipArchive archive(path);
        const auto sentence = sentenceOf(ErrorKind::Model, [&] {
            const auto filters = archive.read("mel_80.npy", 1u << 20);
            QCOMPARE(filters.bytes.size(), 128u + 80 * 201 * 4);
        });
        QVERIFY2(sentence.empty() || sentence.find("no zlib") != std::string::npos, sentence.c_str());
    }
};

QTEST_APPLESS_MAIN(TorchArchiveTest)
#include "tst_torch_archive.moc"
