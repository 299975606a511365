// whisper.cpp's files read as any other Whisper does, and broken ones get a sentence.
#include <QTemporaryDir>
#include <QtTest>

#include <fstream>

#include "core/weights/blocks.h"
#include "core/weights/ggml_whisper.h"
#include "tests/support/error_sentence.h"
#include "tests/support/ggml_writer.h"
#include "tests/support/hashed_whisper.h"

using namespace braid;
using namespace braid::weights;
using braid::test::contains;
using braid::test::GgmlType;
using braid::test::sentenceOf;
namespace fs = std::filesystem;

namespace {

constexpr int kOfPython = -1;  // tests/parity/make_ggml_whisper.py

WhisperDims smallSizes()
{
    WhisperDims dims;
    dims.n_mels = 2;
    dims.n_audio_ctx = 3;
    dims.n_audio_state = dims.n_text_state = 32;
    dims.n_audio_head = dims.n_text_head = 2;
    dims.n_audio_layer = dims.n_text_layer = 1;
    dims.n_vocab = 5;
    dims.n_text_ctx = 4;
    return dims;
}

std::vector<float> numbersOf(const StoredTensor &tensor)
{
    std::vector<float> numbers(static_cast<std::size_t>(tensor.elementCount()));
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (tensor.dtype == DType::Float32) {
            std::memcpy(&numbers[i], tensor.bytes.data() + 4 * i, 4);
        } else if (tensor.dtype == DType::Float16) {
            std::uint16_t half = 0;
            std::memcpy(&half, tensor.bytes.data() + 2 * i, 2);
            numbers[i] = floatOfHalf(half);
        }
    }
    if (isBlocks(tensor.dtype)) {
        dequantise(tensor.dtype, tensor.bytes, numbers);
    }
    return numbers;
}

}  // namespace

class GgmlWhisperTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_place;
    WhisperCheckpoint m_original = test::HashedWhisper("ggml/", smallSizes()).take();
    const std::vector<std::string> m_pieces = {"a", " b", std::string("\0\xFF", 2)};

    fs::path write(const std::string &bytes) const
    {
        const fs::path path = fs::path(m_place.path().toStdString()) / "ggml-small.bin";
        std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
        return path;
    }
    [[nodiscard]] std::string problem(const std::string &bytes) const
    {
        const fs::path path = write(bytes);
        return sentenceOf(ErrorKind::Model, [&] { (void)readWhisperCheckpoint(path); });
    }
    // The file with other bytes in one place.
    [[nodiscard]] std::string changed(std::size_t at, const std::string &bytes) const
    {
        std::string file = test::ggmlWhisper(m_original, GgmlType::F32, m_pieces);
        return file.replace(at, bytes.size(), bytes);
    }
    static std::string word(std::uint32_t value)
    {
        std::string bytes;
        test::append(bytes, value);
        return bytes;
    }
    [[nodiscard]] std::size_t vocabularyAt() const { return 4 + 11 * 4 + 8 + 4 * 201 * 2; }
    [[nodiscard]] std::size_t tensorsAt() const { return vocabularyAt() + 4 + 3 * 4 + 5; }

  private Q_SLOTS:
    void everyTensor_data()
    {
        QTest::addColumn<int>("type");
        QTest::addColumn<double>("bound");  // of a number, as a share of the greatest of its block or of itself
        QTest::newRow("f32") << static_cast<int>(GgmlType::F32) << 0.0;
        QTest::newRow("f16") << static_cast<int>(GgmlType::F16) << 0x1p-11;
        QTest::newRow("q8_0") << static_cast<int>(GgmlType::Q8_0) << 0.5 / 127 + 0x1p-10;
        QTest::newRow("q5_0 of Python") << kOfPython << 1.0 / 16 + 0x1p-10;  // numbers that reach the far end are cut off there
    }

    void everyTensor()
    {
        QFETCH(const int, type);
        QFETCH(const double, bound);
        const bool of_python = type == kOfPython;
        const fs::path path = of_python ? fs::path(BRAID_SOURCE_DIR "/tests/parity/weights/ggml-q5_0.bin")
                                        : write(test::ggmlWhisper(m_original, static_cast<GgmlType>(type), m_pieces));
        QVERIFY(isGgmlWhisper(path));
        const WhisperDims header = readWhisperHeader(path).dims;
        QCOMPARE(header.n_vocab, 5);
        QCOMPARE(header.n_text_ctx, 4);
        WhisperCheckpoint read = readWhisperCheckpoint(path);
        QCOMPARE(read.pieces, of_python ? std::vector<std::string>({"a", " b"}) : m_pieces);
        QCOMPARE(read.mel_filters, of_python ? std::vector<float>(402) : features::melFilterBank(2));
        QVERIFY(!read.streaming && read.padding == WindowPadding::FullWindow);
        QCOMPARE(read.tensors.names(), m_original.tensors.names());
        bool has_blocks = false;
        for (const std::string &name : read.tensors.names()) {
            const StoredTensor ours = read.tensors.take(name, m_original.tensors.peek(name)->shape);
            has_blocks |= isBlocks(ours.dtype);
            const std::vector<float> numbers = numbersOf(ours);
            const std::vector<float> wanted = numbersOf(*m_original.tensors.peek(name));
            for (std::size_t i = 0; i < wanted.size(); ++i) {
                float most = std::abs(wanted[i]);
                for (std::size_t j = i - i % 32; isBlocks(ours.dtype) && j < i - i % 32 + 32; ++j) {
                    most = std::max(most, std::abs(wanted[j]));
                }
                QVERIFY2(std::abs(numbers[i] - wanted[i]) <= bound * most + (bound > 0 ? 0x1p-25 : 0), qPrintable(QString::fromStdString(name)));
            }
        }
        QCOMPARE(has_blocks, of_python || static_cast<GgmlType>(type) == GgmlType::Q8_0);
    }

    void brokenFilesSaySo()
    {
        const std::string whole = test::ggmlWhisper(m_original, GgmlType::Q8_0, m_pieces);
        for (std::size_t length = 4; length < whole.size(); length += 1 + length / 16) {
            QVERIFY2(!problem(whole.substr(0, length)).empty(), qPrintable(QString::number(length)));
        }
        QVERIFY(contains(problem(whole + "x"), "in the middle of"));
        QVERIFY(contains(problem(changed(4, word(0xFFFFFFFF))), "number of tokens"));
        QVERIFY(contains(problem(changed(44, word(1002))), "old way"));
        QVERIFY(contains(problem(changed(48, word(80))), "mel filters"));
        QVERIFY(contains(problem(changed(vocabularyAt(), word(6))), "more than the model has tokens"));
        QVERIFY(contains(problem(changed(vocabularyAt() + 4, word(1u << 31))), "bytes long"));
        QVERIFY(contains(problem(changed(tensorsAt(), word(5))), "makes no sense"));
        QVERIFY(contains(problem(changed(tensorsAt() + 4, word(0))), "makes no sense"));
        QVERIFY(contains(problem(changed(tensorsAt() + 8, word(99))), "type 99"));
        QVERIFY(contains(problem(changed(tensorsAt() + 12, word(0x80000000))), "impossible size"));
        QVERIFY(contains(problem(changed(tensorsAt() + 12, word(0x7FFFFFFF))), "in the middle of"));
        std::string uneven = word(2);
        uneven += word(31);
        QVERIFY(contains(problem(changed(tensorsAt() + 8, uneven)), "whole blocks"));
    }

    // The same tensor again, and one that no Whisper has.
    void tensorsThatDoNotBelong()
    {
        const std::string whole = test::ggmlWhisper(m_original, GgmlType::F32, m_pieces);
        WhisperCheckpoint one = test::HashedWhisper("ggml/", smallSizes()).take();
        const auto alone = [&](const std::string &name, const std::string &as) {
            std::string out;
            for (const std::size_t part : {std::size_t{1}, as.size(), std::size_t{0}, std::size_t{32}}) {
                test::append(out, static_cast<std::uint32_t>(part));
            }
            out += as;
            return out.append(reinterpret_cast<const char *>(one.tensors.peek(name)->bytes.data()), 128);
        };
        QVERIFY(contains(problem(whole + alone("decoder.ln.weight", "decoder.ln.weight")), "twice"));
        QVERIFY(contains(problem(whole + alone("decoder.ln.weight", "decoder.more.weight")), "do not belong"));
    }
};

QTEST_APPLESS_MAIN(GgmlWhisperTest)
#include "tst_ggml_whisper.moc"
