// Tensors are taken once and by shape; safetensors files are read strictly and written so that others read them.
#include <QDir>
#include <QTemporaryDir>
#include <QtTest>

#include <fstream>
#include <limits>

#include "core/weights/safetensors.h"
#include "tests/core/weights/tensor_checks.h"
#include "tests/support/error_sentence.h"
#include "tests/support/faults.h"

using namespace braid;
using namespace braid::weights;
using braid::test::sentenceOf;

namespace {

StoredTensor floats(std::vector<std::int64_t> shape, const std::vector<float> &values)
{
    auto data = std::make_shared<std::vector<float>>(values);
    return {DType::Float32, std::move(shape), std::as_bytes(std::span(*data)), data};
}

std::string fileOf(const std::string &header, const std::string &data)
{
    std::string length(8, '\0');
    for (std::size_t i = 0; i < 8; ++i) {
        length[i] = static_cast<char>(header.size() >> (8 * i));
    }
    return length + header + data;
}

void write(const std::filesystem::path &path, const std::string &bytes)
{
    std::ofstream(path, std::ios::binary) << bytes;
}

}  // namespace

class SafetensorsTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void aTensorIsTakenOnceAndByItsShape()
    {
        TensorStore store("model");
        store.add("a", floats({2, 3}, {1, 2, 3, 4, 5, 6}));
        store.add("b", floats({1}, {7}));
        const std::int64_t wrong[] = {3, 2};
        QVERIFY(sentenceOf(ErrorKind::Model, [&] { (void)store.take("a", wrong); }).find("[2, 3] where [3, 2]") != std::string::npos);
        const std::int64_t any_rows[] = {-1, 3};
        QCOMPARE(store.take("a", any_rows).elementCount(), 6);
        QVERIFY(sentenceOf(ErrorKind::Model, [&] { (void)store.take("a"); }).find("asked for twice") != std::string::npos);
        QVERIFY(sentenceOf(ErrorKind::Model, [&] { (void)store.take("c"); }).find("\"c\" is missing") != std::string::npos);
        QVERIFY(sentenceOf(ErrorKind::Model, [&] { store.add("b", floats({1}, {7})); }).find("there twice") != std::string::npos);
        QVERIFY(sentenceOf(ErrorKind::Model, [&] { store.requireAllTaken(); }).find("\"b\"") != std::string::npos);
        store.rename("b", "d");
        QVERIFY(store.peek("b") == nullptr && store.peek("d") != nullptr);
        (void)store.take("d");
        store.requireAllTaken();
        QCOMPARE(store.totalBytes(), 28u);
        QCOMPARE(store.totalElements(), 7);
    }

    void anEmptyTensorCountsNothingWhateverItsOtherLengths()
    {
        const StoredTensor empty{DType::Float32, {std::int64_t{1} << 62, std::int64_t{1} << 62, 0}, {}, nullptr};
        QCOMPARE(empty.elementCount(), 0);
    }

    void renamingOverAnotherTensorIsAnError()
    {
        TensorStore store("model");
        store.add("a", floats({1}, {1}));
        store.add("b", floats({1}, {2}));
        QVERIFY(!sentenceOf(ErrorKind::Model, [&] { store.rename("a", "b"); }).empty());
        QVERIFY(store.contains("a"));
    }

    void whatIsWrittenIsReadBack()
    {
        QTemporaryDir folder;
        const auto path = std::filesystem::path(folder.path().toStdString()) / "model.safetensors";
        TensorStore store("memory");
        const std::vector<std::byte> odd(3, std::byte{9});
        store.add("bytes", {DType::UInt8, {3}, odd, nullptr});
        store.add("halves", {DType::BFloat16, {1}, std::span(odd).first(2), nullptr});
        store.add("floats", floats({2, 2}, {1, -2, 3.5f, 4}));
        store.add("scalar", floats({}, {8}));
        store.add("nothing", {DType::Int64, {0, 4}, {}, nullptr});
        writeSafetensors(path, store, {{"format", "pt"}, {"note", "\"quoted\"\n"}});
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden).size(), 1);
        auto file = readSafetensors(path);
        QCOMPARE(file.metadata.at("note"), std::string("\"quoted\"\n"));
        QCOMPARE(file.tensors.names(), store.names());
        for (const auto &name : store.names()) {
            const auto &before = *store.peek(name);
            const auto &after = *file.tensors.peek(name);
            QCOMPARE(after.dtype, before.dtype);
            QCOMPARE(after.shape, before.shape);
            QVERIFY(std::equal(after.bytes.begin(), after.bytes.end(), before.bytes.begin(), before.bytes.end()));
            QCOMPARE(reinterpret_cast<std::uintptr_t>(after.bytes.data()) % bytesPerElement(after.dtype), 0u);
        }
    }

    // They would give captions without words, or words without sense.
    void weightsThatAreNoNumbersAreRefused()
    {
        TensorStore store("model.safetensors");
        store.add("good", floats({3}, {1, std::numeric_limits<float>::infinity(), -2}));
        store.add("bad", floats({3}, {1, std::numeric_limits<float>::quiet_NaN(), 2}));
        const std::vector<std::byte> half{std::byte{0x00}, std::byte{0x3C}, std::byte{0x01}, std::byte{0x7C}};
        store.add("half", {DType::Float16, {2}, half, nullptr});
        static_cast<void>(store.take("good"));
        for (const char *name : {"bad", "half"}) {
            const std::string sentence = sentenceOf([&] { static_cast<void>(store.take(name)); });
            QVERIFY2(sentence.find("no numbers") != std::string::npos && sentence.find(name) != std::string::npos, sentence.c_str());
        }
    }

    void aTensorOutlivesItsStore()
    {
        QTemporaryDir folder;
        const auto path = std::filesystem::path(folder.path().toStdString()) / "model.safetensors";
        TensorStore store("memory");
        store.add("a", floats({2}, {1.5f, 2.5f}));
        writeSafetensors(path, store);
        StoredTensor kept;
        {
            auto file = readSafetensors(path);
            kept = file.tensors.take("a");
        }
        std::filesystem::remove(path);
        QCOMPARE(test::numbersOf(kept), (std::vector<double>{1.5, 2.5}));
    }

    void aFullDiskLeavesTheOldFile()
    {
        QTemporaryDir folder;
        const auto path = std::filesystem::path(folder.path().toStdString()) / "model.safetensors";
        write(path, "old");
        TensorStore store("memory");
        store.add("a", floats({2}, {1, 2}));
        {
            const testing::FullDisk full(20);
            QVERIFY_EXCEPTION_THROWN(writeSafetensors(path, store), Error);
        }
        QCOMPARE(std::filesystem::file_size(path), 3u);
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden).size(), 1);
    }

    void dataAtOddAddressesIsCopied()
    {
        QTemporaryDir folder;
        const auto path = std::filesystem::path(folder.path().toStdString()) / "odd.safetensors";
        const float value = 2.5f;
        const std::string header = R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}} )";
        QVERIFY(header.size() % 4 != 0);
        write(path, fileOf(header, std::string(reinterpret_cast<const char *>(&value), 4)));
        const auto file = readSafetensors(path);
        const auto &tensor = *file.tensors.peek("a");
        QCOMPARE(reinterpret_cast<std::uintptr_t>(tensor.bytes.data()) % 4, 0u);
        QCOMPARE(test::numbersOf(tensor), std::vector<double>{2.5});
    }

    void hostileFilesGiveASentence_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("part");
        const auto row = [](const char *name, const std::string &bytes, const char *part) { QTest::newRow(name) << QByteArray::fromStdString(bytes) << part; };
        const std::string four(4, 'x');
        row("empty", "", "the file is empty");
        row("three bytes", "abc", "too short");
        row("a header larger than the file", fileOf("{}", "").substr(0, 9), "middle of its header");
        row("a header of exabytes", std::string(8, '\x7f') + "{}", "not a safetensors file");
        row("no JSON", fileOf("{\"a\":", ""), "not valid JSON");
        row("a list", fileOf("[]", ""), "not a table");
        row("deep nesting", fileOf("{\"a\":" + std::string(1000, '['), ""), "nested too deeply");
        row("the same name twice", fileOf(R"({"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0]},"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}})", ""),
            "twice");
        row("unknown type", fileOf(R"({"a":{"dtype":"F8_E4M3","shape":[4],"data_offsets":[0,4]}})", four), "F8_E4M3");
        row("past the end", fileOf(R"({"a":{"dtype":"U8","shape":[5],"data_offsets":[0,5]}})", four), "past the end");
        row("backwards", fileOf(R"({"a":{"dtype":"U8","shape":[0],"data_offsets":[4,0]}})", four), "past the end");
        row("wrong length", fileOf(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})", four), "4 bytes where its shape and type ask for 8");
        row("half an element", fileOf(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,3]},"b":{"dtype":"U8","shape":[1],"data_offsets":[3,4]}})", four),
            "ask for 4");
        row("overlap", fileOf(R"({"a":{"dtype":"U8","shape":[3],"data_offsets":[0,3]},"b":{"dtype":"U8","shape":[2],"data_offsets":[2,4]}})", four),
            "overlaps");
        row("a hole", fileOf(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"b":{"dtype":"U8","shape":[2],"data_offsets":[2,4]}})", four),
            "belong to none");
        row("bytes at the end", fileOf(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})", four), "3 bytes at the end");
        row("a shape that overflows", fileOf(R"({"a":{"dtype":"F64","shape":[4294967296,4294967296,4294967296],"data_offsets":[0,0]}})", ""),
            "larger than any file");
        row("a negative length", fileOf(R"({"a":{"dtype":"U8","shape":[-1],"data_offsets":[0,4]}})", four), "no whole number");
        row("a fractional offset", fileOf(R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4.0]}})", four), "no whole number");
        row("an offset beyond 64 bits", fileOf(R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,99999999999999999999]}})", four), "no whole number");
        row("missing parts", fileOf(R"({"a":{"dtype":"U8"}})", ""), "is not {dtype, shape, data_offsets}");
        row("metadata that is no text", fileOf(R"({"__metadata__":{"a":1}})", ""), "not a text");
    }

    void hostileFilesGiveASentence()
    {
        QFETCH(const QByteArray, bytes);
        QFETCH(const QString, part);
        QTemporaryDir folder;
        const auto path = std::filesystem::path(folder.path().toStdString()) / "hostile.safetensors";
        write(path, bytes.toStdString());
        const auto sentence = QString::fromStdString(sentenceOf(ErrorKind::Model, [&] { (void)readSafetensors(path); }));
        QVERIFY2(sentence.contains(part) && sentence.contains("hostile.safetensors"), qPrintable("\"" + sentence + "\" should speak of \"" + part + "\""));
    }

    void shardsAreOneModel()
    {
        QTemporaryDir temporary;
        const std::filesystem::path folder = temporary.path().toStdString();
        TensorStore first("1");
        first.add("a", floats({1}, {1}));
        TensorStore second("2");
        second.add("b", floats({1}, {2}));
        writeSafetensors(folder / "model-1.safetensors", first);
        writeSafetensors(folder / "model-2.safetensors", second);
        const auto index = folder / "model.safetensors.index.json";
        write(index, R"({"metadata":{},"weight_map":{"a":"model-1.safetensors","b":"model-2.safetensors"}})");
        QCOMPARE(readSafetensorsFolder(folder).names(), (std::vector<std::string>{"a", "b"}));
        write(index, R"({"weight_map":{"a":"model-1.safetensors"}})");
        QCOMPARE(readSafetensorsFolder(folder).names(), std::vector<std::string>{"a"});
        write(index, R"({"weight_map":{"a":"model-1.safetensors","b":"model-1.safetensors"}})");
        QVERIFY(sentenceOf(ErrorKind::Model, [&] { (void)readSafetensorsFolder(folder); }).find("\"b\" is missing") != std::string::npos);
        write(index, R"({"weight_map":{"x":"model-1.safetensors"}})");
        QVERIFY(sentenceOf(ErrorKind::Model, [&] { (void)readSafetensorsFolder(folder); }).find("the index does not list") != std::string::npos);
        for (const char *outside : {"../model-1.safetensors", "/etc/passwd", "", "..", "sub/model.safetensors"}) {
            write(index, std::string(R"({"weight_map":{"a":")") + outside + "\"}}");
            QVERIFY(sentenceOf(ErrorKind::Model, [&] { (void)readSafetensorsFolder(folder); }).find("outside its folder") != std::string::npos);
        }
    }

    void theRealEncoderIsRead()
    {
        const std::filesystem::path path = BRAID_SOURCE_DIR "/../shared/data/weights/whisper-tiny.en-encoder.fp16.safetensors";
        if (!std::filesystem::exists(path)) {
            QSKIP("shared/data is not here");
        }
        auto file = readSafetensors(path);
        QCOMPARE(file.tensors.names().size(), 67u);
        const std::int64_t shape[] = {384, 80, 3};
        QVERIFY(file.tensors.take("encoder.conv1.weight", shape).dtype == DType::Float16);
    }
};

QTEST_APPLESS_MAIN(SafetensorsTest)
#include "tst_safetensors.moc"
