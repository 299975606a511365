// GGUF: every value and tensor as written, and whatever is wrong with a file gets a sentence.
#include <QTemporaryDir>
#include <QtTest>

#include <fstream>
#include <functional>

#include "core/weights/gguf_lm.h"
#include "tests/support/error_sentence.h"
#include "tests/support/gguf_writer.h"

using namespace braid;
using namespace braid::weights;
using braid::test::contains;
using braid::test::GgufWriter;
using braid::test::sentenceOf;
namespace fs = std::filesystem;

namespace {

template <typename Number>
std::string bytesOf(std::initializer_list<Number> numbers)
{
    std::string out;
    for (const Number number : numbers) {
        test::append(out, number);
    }
    return out;
}

// operator+ of two that are known to the compiler makes GCC 12 warn of bounds that are none.
std::string joined(std::initializer_list<std::string> parts)
{
    std::string out;
    for (const std::string &part : parts) {
        out += part;
    }
    return out;
}

const std::string kFour = bytesOf<float>({1, 2, 3, 4});

}  // namespace

class GgufTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_place;

    fs::path write(const std::string &bytes) const
    {
        const fs::path path = fs::path(m_place.path().toStdString()) / "model";
        std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
        return path;
    }
    [[nodiscard]] std::string problem(const std::string &bytes) const
    {
        const fs::path path = write(bytes);
        return sentenceOf(ErrorKind::Model, [&] { const GgufFile file(path); });
    }
    [[nodiscard]] std::string problem(const std::function<void(GgufWriter &)> &fill) const
    {
        GgufWriter writer;
        fill(writer);
        return problem(writer.finished());
    }

  private Q_SLOTS:
    void valuesAndTensors()
    {
        GgufWriter writer;
        writer.whole("whole", 7);
        writer.number("number", 0.5F);
        writer.flag("flag", true);
        writer.text("text", "words");
        writer.texts("texts", {"a", "", "c"});
        writer.kinds("kinds", {-1, 2});
        writer.raw("byte", 0, "\x09");
        writer.raw("large", 10, bytesOf<std::uint64_t>({1ull << 40}));
        writer.raw("double", 12, bytesOf<double>({0.1}));
        writer.tensor("one", {2, 2}, 0, kFour);
        writer.tensor("two", {32}, 8, std::string(34, '\1'));
        for (const std::uint32_t version : {2U, 3U}) {
            const fs::path path = write(writer.finished(version));
            QVERIFY(isGguf(path));
            const GgufFile file(path);
            QCOMPARE(file.whole("whole").value_or(0), 7);
            QCOMPARE(file.whole("byte").value_or(0), 9);
            QCOMPARE(file.whole("large").value_or(0), std::int64_t{1} << 40);
            QCOMPARE(file.number("number").value_or(0), 0.5);
            QCOMPARE(file.number("whole").value_or(0), 7.0);
            QCOMPARE(file.number("double").value_or(0), 0.1);
            QVERIFY(file.flag("flag").value_or(false));
            QVERIFY(file.text("text") == "words");
            QVERIFY(file.texts("texts") == (std::vector<std::string_view>{"a", "", "c"}));
            QCOMPARE(file.numbers("kinds"), (std::vector<double>{-1, 2}));
            QVERIFY(!file.has("nothing") && !file.whole("nothing") && file.texts("nothing").empty());
            QVERIFY(contains(sentenceOf([&] { (void)file.whole("text"); }), "not a whole number"));
            QVERIFY(contains(sentenceOf([&] { (void)file.text("whole"); }), "not a text"));
            QVERIFY(contains(sentenceOf([&] { (void)file.numbers("texts"); }), "not a list of numbers"));
            const StoredTensor *one = file.tensors().peek("one");
            QVERIFY(one != nullptr);
            QCOMPARE(one->shape, (std::vector<std::int64_t>{2, 2}));
            QVERIFY(std::memcmp(one->bytes.data(), kFour.data(), 16) == 0);
            QCOMPARE(file.tensors().peek("two")->dtype, DType::Q8_0);
            QCOMPARE(file.tensors().peek("two")->bytes.size(), 34u);
        }
    }

    void everyCutIsNoticed()
    {
        GgufWriter writer;
        writer.texts("texts", {"a", "bc"});
        writer.tensor("one", {2, 2}, 0, kFour);
        std::string whole = writer.finished();
        whole.resize(whole.size() - 16);  // what fills the last tensor up
        QCOMPARE(problem(whole), std::string());
        for (std::size_t length = 0; length < whole.size(); ++length) {
            QVERIFY2(!problem(whole.substr(0, length)).empty(), qPrintable(QString::number(length)));
        }
    }

    void hostileFiles()
    {
        QVERIFY(contains(problem(joined({"GGUX", std::string(40, '\0')})), "not a GGUF"));
        QVERIFY(contains(problem(GgufWriter().finished(1)), "version 1"));
        QVERIFY(contains(problem(GgufWriter().finished(0x03000000)), "byte order"));
        QVERIFY(contains(problem(joined({"GGUF", bytesOf<std::uint32_t>({3}), bytesOf<std::uint64_t>({~0ull, 0})})), "would have"));
        QVERIFY(contains(problem(joined({"GGUF", bytesOf<std::uint32_t>({3}), bytesOf<std::uint64_t>({0, 1ull << 60})})), "would have"));
        QVERIFY(contains(problem([](GgufWriter &w) {
                             w.whole("a", 1);
                             w.whole("a", 2);
                         }),
                         "twice"));
        QVERIFY(contains(problem([](GgufWriter &w) { w.raw("a", 8, bytesOf<std::uint64_t>({~0ull})); }), "bytes stands where"));
        QVERIFY(contains(problem([](GgufWriter &w) { w.raw("a", 13, "x"); }), "unknown type 13"));
        QVERIFY(contains(problem([](GgufWriter &w) { w.raw("a", 7, "\2"); }), "neither true nor false"));
        QVERIFY(contains(problem([](GgufWriter &w) { w.raw("a", 10, bytesOf<std::uint64_t>({~0ull})); }), "too large"));
        QVERIFY(contains(problem([](GgufWriter &w) { w.raw("a", 9, joined({bytesOf<std::uint32_t>({9}), bytesOf<std::uint64_t>({1})})); }), "list of lists"));
        QVERIFY(contains(problem([](GgufWriter &w) {
                             w.raw("a", 9, joined({bytesOf<std::uint32_t>({4}), bytesOf<std::uint64_t>({1ull << 62})}));
                         }),
                         "entries"));
        QVERIFY(contains(problem([](GgufWriter &w) { w.whole("general.alignment", 24); }), "alignment"));
        QVERIFY(contains(problem([](GgufWriter &w) { w.whole("general.alignment", 0); }), "alignment"));
        QVERIFY(contains(problem([](GgufWriter &w) { w.whole("split.count", 3); }), "several files"));
    }

    void hostileTensors()
    {
        const auto with = [this](const std::vector<std::int64_t> &shape, std::uint32_t type, std::uint64_t offset) {
            return problem([&](GgufWriter &w) {
                w.tensor("one", {2, 2}, 0, kFour);
                w.tensorAt("two", shape, type, offset);
            });
        };
        QVERIFY(contains(with({4}, 1, 16), "multiple of 32"));
        QVERIFY(contains(with({4}, 1, 0), "overlaps"));
        QVERIFY(contains(with({4}, 1, 64), "past the end"));
        QVERIFY(contains(with({4}, 1, ~0ull - 31), "past the end"));
        QVERIFY(contains(with({1ll << 40}, 0, 32), "past the end"));
        QVERIFY(contains(with({1ll << 32, 1ll << 32}, 0, 32), "impossible size"));
        QVERIFY(contains(with({-1}, 0, 32), "impossible size"));
        QVERIFY(contains(with({0}, 0, 32), "impossible size"));
        QVERIFY(contains(with({33}, 8, 32), "whole blocks"));
        QVERIFY(contains(with({32}, 4, 32), "type 4"));
        QVERIFY(contains(with({}, 0, 32), "0 dimensions"));
        QVERIFY(contains(with({1, 1, 1, 1, 1}, 0, 32), "5 dimensions"));
        QVERIFY(contains(problem([](GgufWriter &w) {
                             w.tensor("one", {2, 2}, 0, kFour);
                             w.tensor("one", {2, 2}, 0, kFour);
                         }),
                         "twice"));
    }

    void modelsThatAreNone()
    {
        const auto refused = [this](const std::function<void(GgufWriter &)> &fill) {
            GgufWriter writer;
            fill(writer);
            const fs::path path = write(writer.finished());
            return sentenceOf(ErrorKind::Model, [&] { (void)readGgufLanguageModel(GgufFile(path)); });
        };
        const auto sizes = [](GgufWriter &w) {
            w.text("general.architecture", "llama");
            for (const char *key : {"embedding_length", "feed_forward_length", "block_count", "attention.head_count", "context_length"}) {
                w.whole(std::string("llama.") + key, 2);
            }
            w.number("llama.attention.layer_norm_rms_epsilon", 1e-5F);
            w.whole("llama.attention.key_length", 2);
        };
        QVERIFY(contains(refused([](GgufWriter &) {}), "does not say which kind"));
        QVERIFY(contains(refused([](GgufWriter &w) { w.text("general.architecture", "bert"); }), "\"bert\""));
        QVERIFY(contains(refused([](GgufWriter &w) { w.text("general.architecture", "llama"); }), "token_embd.weight"));
        QVERIFY(contains(refused([&](GgufWriter &w) {
                             sizes(w);
                             w.tensor("token_embd.weight", {2, 2}, 0, kFour);
                         }),
                         "is missing"));
        QVERIFY(contains(refused([&](GgufWriter &w) {
                             sizes(w);
                             w.tensor("token_embd.weight", {2, 2}, 0, kFour);
                             w.tensor("blk.0.strange.weight", {2, 2}, 0, kFour);
                         }),
                         "has no place"));
        QVERIFY(contains(refused([&](GgufWriter &w) {
                             sizes(w);
                             w.whole("llama.expert_count", 8);
                             w.tensor("token_embd.weight", {2, 2}, 0, kFour);
                         }),
                         "mixture of experts"));
        QVERIFY(contains(refused([&](GgufWriter &w) {
                             sizes(w);
                             w.text("llama.rope.scaling.type", "yarn");
                             w.tensor("token_embd.weight", {2, 2}, 0, kFour);
                         }),
                         "\"yarn\""));
        QVERIFY(contains(refused([&](GgufWriter &w) {
                             sizes(w);
                             w.whole("llama.rope.dimension_count", 3);
                             w.tensor("token_embd.weight", {2, 2}, 0, kFour);
                         }),
                         "3 dimensions"));
    }
};

QTEST_APPLESS_MAIN(GgufTest)
#include "tst_gguf.moc"
