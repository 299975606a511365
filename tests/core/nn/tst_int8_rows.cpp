// Weights of eight bits: rounded as ggml's reference rounds them (tests/parity/weight_blocks.json), computed as the floats they stand for by every kernel this
// processor can run, and kept so without being asked only where nothing is lost.
#include <QtTest>

#include <cmath>
#include <cstring>
#include <fstream>

#include <nlohmann/json.hpp>

#include "core/nn/few_rows.h"
#include "core/nn/linear.h"
#include "core/nn/row_product.h"
#include "tests/support/hashed_numbers.h"
#include "tests/support/hex.h"

using namespace braid;
using namespace braid::nn;

namespace {

at::Tensor hashed(const std::string &name, std::vector<std::int64_t> shape)
{
    std::int64_t count = 1;
    for (const std::int64_t length : shape) {
        count *= length;
    }
    const std::vector<float> numbers = test::hashedNumbers(name, static_cast<std::size_t>(count));
    return at::tensor(numbers).view(shape);
}

double distance(const at::Tensor &a, const at::Tensor &b)
{
    return (a - b).abs().max().item<double>();
}

}  // namespace

class tst_int8_rows : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void roundedAsTheReference()
    {
        std::ifstream file(BRAID_SOURCE_DIR "/tests/parity/weight_blocks.json");
        const std::string blocks = test::fromHex(nlohmann::json::parse(file)["quantised"]["q8_0"]);
        at::Tensor weight = hashed("rounded to eight bits", {1, 96}) * 0.5;
        weight.narrow(1, 32, 32).zero_();
        const Int8Weight ours = toInt8(weight);
        for (std::int64_t block = 0; block < 3; ++block) {
            QVERIFY(std::memcmp(ours.numbers.data_ptr<std::int8_t>() + 32 * block, blocks.data() + 34 * block + 2, 32) == 0);
        }
        const at::Tensor scales = ours.scales.repeat_interleave(32, 1);
        QVERIFY(((fromInt8(ours) - weight).abs() <= scales * 0.5001).all().item<bool>());
        QVERIFY(at::equal(fromInt8(ours).narrow(1, 32, 32), at::zeros({1, 32})));
    }

    // Any number of rows; few go through the kernels, many through floats.
    void productsAreThoseOfTheFloats()
    {
        for (const std::int64_t in : {32, 96, 256}) {
            const Int8Weight weight = toInt8(hashed("weight", {45, in}));
            const at::Tensor floats = fromInt8(weight);
            const at::Tensor bias = hashed("bias", {45});
            for (const std::int64_t rows : {1, 2, 3, 5, 6, 7, 13, 96, 97, 200}) {
                const at::Tensor x = hashed("x", {1, rows, in});
                QVERIFY(distance(int8Linear(x, weight, bias), at::linear(x, floats, bias)) < 1e-4);
                QVERIFY(distance(int8Linear(x, weight, {}), at::linear(x, floats)) < 1e-4);
            }
        }
    }

    void everyKernelOfThisProcessor()
    {
        const std::int64_t in = 160;
        const std::int64_t out = 29;
        const Int8Weight weight = toInt8(hashed("weight", {out, in}));
        for (const std::int64_t rows : {1, 4, 6, 11, 40}) {
            const at::Tensor x = hashed("x", {rows, in});
            const at::Tensor wanted = at::linear(x, fromInt8(weight));
            const auto check = [&](const auto &run, const char *name) {
                const at::Tensor y = at::full({rows, out}, NAN);
                run(Product<std::int8_t>{x.data_ptr<float>(), weight.numbers.data_ptr<std::int8_t>(), nullptr, y.data_ptr<float>(), rows, in, out, 0, out,
                                         weight.scales.data_ptr<float>()});
                QVERIFY2(distance(y, wanted) < 1e-4, name);
            };
            check([](const auto &product) { product.template run<AnyUnit>(); }, "plain");
#ifdef BRAID_X86_UNITS
            if (thisProcessor() != Processor::Any) {
                check([](const auto &product) { runOnAvx2(product); }, "AVX2");
            }
            if (thisProcessor() == Processor::Avx512) {
                check([](const auto &product) { runOnAvx512(product); }, "AVX-512");
            }
#endif
        }
    }

    // Blocks of which nothing can be said in eight bits; and no rows at all.
    void extremes()
    {
        at::Tensor weight = hashed("weight", {2, 64});
        weight[0].narrow(0, 0, 32).mul_(1e-39);  // 127 over the greatest is no float
        weight[1][40] = INFINITY;
        const Int8Weight ours = toInt8(weight);
        const at::Tensor back = fromInt8(ours);
        QVERIFY(at::equal(back[0].narrow(0, 0, 32), at::zeros({32})));
        QVERIFY(back[0].narrow(0, 32, 32).isfinite().all().item<bool>());
        QVERIFY(back[1].narrow(0, 32, 32).isnan().all().item<bool>());
        QVERIFY(!int8IfExact(weight));
        QCOMPARE(int8Linear(at::zeros({3, 0, 64}), ours, hashed("bias", {2})).sizes().vec(), (std::vector<std::int64_t>{3, 0, 2}));
    }

    void aPartOfTheOutputs()
    {
        for (const WeightStorage storage : {WeightStorage::Int8, WeightStorage::AsGiven}) {
            const Linear whole = linearFrom(hashed("weight", {12, 64}), hashed("bias", {12}), storage);
            const at::Tensor x = hashed("x", {3, 64});
            const Linear part = whole.rows(5, 4);
            QCOMPARE(part.int8Weight().defined(), storage == WeightStorage::Int8);
            QVERIFY(distance(part(x), whole(x).narrow(-1, 5, 4)) < 1e-5);
        }
    }

    void keptOnlyWhereExact()
    {
        const at::Tensor weight = hashed("weight", {8, 64});
        const at::Tensor rounded = fromInt8(toInt8(weight));
        QVERIFY(!int8IfExact(weight));
        QVERIFY(int8IfExact(rounded));
        QVERIFY(at::equal(fromInt8(*int8IfExact(rounded)), rounded));
        at::Tensor late = rounded.clone();
        late[7][63] += 1e-3f;
        QVERIFY(!int8IfExact(late));
        QVERIFY(!int8IfExact(hashed("narrow", {8, 40})));
        QVERIFY(!fitsInt8(weight.to(at::kHalf)) && !fitsInt8(weight.t()) && !fitsInt8(at::Tensor()));

        QVERIFY(linearFrom(rounded, {}, WeightStorage::AsGiven).int8Weight().defined());
        QVERIFY(!linearFrom(weight, {}, WeightStorage::AsGiven).int8Weight().defined());
        QVERIFY(linearFrom(weight, {}, WeightStorage::Int8).int8Weight().defined());
        QVERIFY(!linearFrom(hashed("narrow", {8, 40}), {}, WeightStorage::Int8).int8Weight().defined());
        QCOMPARE(linearFrom(weight, {}, WeightStorage::Int8).weightBytes(), std::uint64_t{8 * 64 + 8 * 2 * 4});
    }

    void layersStackAndEmbed()
    {
        const auto layer = [](const char *name, WeightStorage storage) { return linearFrom(hashed(name, {12, 64}), hashed("bias", {12}), storage); };
        const at::Tensor x = hashed("x", {3, 64});
        for (const WeightStorage second : {WeightStorage::Int8, WeightStorage::AsGiven}) {
            Linear parts[] = {layer("a", WeightStorage::Int8), layer("b", second)};
            parts[1].setAdapter(hashed("lora a", {64, 2}), hashed("lora b", {2, 12}));
            const Linear stacked = stackLinears(parts);
            QCOMPARE(stacked.int8Weight().defined(), second == WeightStorage::Int8);
            QVERIFY(distance(stacked(x), at::cat({parts[0](x), parts[1](x)}, -1)) < 1e-4);
        }
        const Linear table = layer("a", WeightStorage::Int8);
        const at::Tensor ids = at::tensor(std::vector<std::int64_t>{11, 0, 3, 3}).view({2, 2});
        QVERIFY(at::equal(table.embedding(ids), at::embedding(table.weight(), ids)));
    }
};

QTEST_APPLESS_MAIN(tst_int8_rows)
#include "tst_int8_rows.moc"
