// Blocks of few bits stand for the numbers that ggml's own reference makes of them, to the last bit: tests/parity/weight_blocks.json.
#include <QtTest>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/weights/blocks.h"
#include "tests/core/weights/tensor_checks.h"
#include "tests/support/error_sentence.h"

using namespace braid::weights;

namespace {

std::vector<std::byte> bytesOfHex(const std::string &hex)
{
    std::vector<std::byte> bytes;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
        bytes.push_back(static_cast<std::byte>(std::stoi(hex.substr(i, 2), nullptr, 16)));
    }
    return bytes;
}

}  // namespace

class BlocksTest : public QObject {
    Q_OBJECT

    nlohmann::json m_numbers = braid::test::readJson(BRAID_SOURCE_DIR "/tests/parity/weight_blocks.json");

  private Q_SLOTS:
    void dequantisedAsTheReference_data()
    {
        QTest::addColumn<int>("type");
        for (auto type = static_cast<int>(DType::Q4_0); type <= static_cast<int>(DType::Q6_K); ++type) {
            QTest::newRow(std::string(dtypeName(static_cast<DType>(type))).c_str()) << type;
        }
    }

    void dequantisedAsTheReference()
    {
        QFETCH(const int, type);
        const auto dtype = static_cast<DType>(type);
        const auto &entry = m_numbers["blocks"][std::string(dtypeName(dtype))];
        const auto blocks = bytesOfHex(entry["bytes"]);
        const auto wanted_bytes = bytesOfHex(entry["numbers"]);
        std::vector<float> wanted(wanted_bytes.size() / sizeof(float));
        std::memcpy(wanted.data(), wanted_bytes.data(), wanted_bytes.size());
        const BlockForm form = blockForm(dtype);
        QCOMPARE(blocks.size() % form.bytes, 0u);
        QCOMPARE(wanted.size(), blocks.size() / form.bytes * static_cast<std::size_t>(form.numbers));
        std::vector<float> ours(wanted.size());
        dequantise(dtype, blocks, ours);
        QCOMPARE(ours, wanted);
        QVERIFY(!blocksHoldNoNumbers(dtype, blocks));
    }

    // Every scale counts: the last block's is made infinite.
    void scalesThatAreNoNumbers_data() { dequantisedAsTheReference_data(); }
    void scalesThatAreNoNumbers()
    {
        QFETCH(const int, type);
        const auto dtype = static_cast<DType>(type);
        auto blocks = bytesOfHex(m_numbers["blocks"][std::string(dtypeName(dtype))]["bytes"]);
        const std::size_t at = blocks.size() - blockForm(dtype).bytes + (dtype == DType::Q6_K ? 208 : 0);
        blocks[at] = std::byte{0};
        blocks[at + 1] = std::byte{0x7C};
        QVERIFY(blocksHoldNoNumbers(dtype, blocks));
        StoredTensor tensor{dtype, {static_cast<std::int64_t>(3 * blockForm(dtype).numbers)}, blocks, {}, {}};
        TensorStore store("file");
        store.add("weight", tensor);
        QVERIFY(braid::test::contains(braid::test::sentenceOf([&] { (void)store.take("weight"); }), "no numbers"));
    }

    void halvesOfEveryKind()
    {
        for (std::uint32_t half = 0; half < 0x10000; ++half) {
            const auto bits = static_cast<std::uint16_t>(half);
            if ((half & 0x7C00) == 0x7C00) {
                QCOMPARE(std::isnan(floatOfHalf(bits)), (half & 0x3FF) != 0);
                QVERIFY(!std::isfinite(floatOfHalf(bits)));
            } else {
                QCOMPARE(std::bit_cast<std::uint32_t>(floatOfHalf(bits)), std::bit_cast<std::uint32_t>(braid::test::halfToFloat(bits)));
            }
        }
    }
};

QTEST_APPLESS_MAIN(BlocksTest)
#include "tst_blocks.moc"
