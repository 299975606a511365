// The parts of models: from stored bytes to tensors, linear layers with adapters, attention, caches. Every shape is uneven on purpose.
#include <QtTest>

#include <cmath>
#include <tuple>
#include <vector>

#include <ATen/ATen.h>
#include <torch/version.h>

#include "core/base/error.h"
#include "core/nn/attention.h"
#include "core/nn/block_attend.h"
#include "core/nn/few_rows.h"
#include "core/nn/linear.h"
#include "core/nn/placement.h"
#include "tests/support/hashed_numbers.h"

using namespace braid;
using namespace braid::nn;

namespace {

at::Tensor hashed(const char *name, std::vector<std::int64_t> shape)
{
    std::int64_t count = 1;
    for (const std::int64_t size : shape) {
        count *= size;
    }
    const std::vector<float> numbers = test::hashedNumbers(name, static_cast<std::size_t>(count));
    return at::from_blob(const_cast<float *>(numbers.data()), shape).clone();
}

double distance(const at::Tensor &a, const at::Tensor &b)
{
    return a.sizes() == b.sizes() ? (a.to(at::kDouble) - b.to(at::kDouble)).abs().max().item<double>() : INFINITY;
}

// Attention written down as it is defined, in float64.
at::Tensor definedAttention(const at::Tensor &q, const at::Tensor &k, const at::Tensor &v, Visibility visibility)
{
    const at::Tensor qd = q.to(at::kDouble) / std::pow(static_cast<double>(q.size(2)), 0.25);
    const at::Tensor kd = k.to(at::kDouble) / std::pow(static_cast<double>(q.size(2)), 0.25);
    at::Tensor scores = at::matmul(qd, kd.transpose(1, 2));
    if (visibility == Visibility::Causal) {
        for (std::int64_t i = 0; i < q.size(1); ++i) {
            for (std::int64_t t = k.size(1) - q.size(1) + i + 1; t < k.size(1); ++t) {
                scores.select(1, i).select(1, t).fill_(-INFINITY);
            }
        }
    }
    return at::matmul(at::softmax(scores, -1), v.to(at::kDouble)).to(at::kFloat);
}

}  // namespace

class tst_nn : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void storedTypesBecomeTensors();
    void wrongBytesAreRefused();
    void fewRowsEqualsMatrixProduct_data();
    void fewRowsEqualsMatrixProduct();
    void weightsInHalvesGiveTheSame();
    void weightsNarrowOnlyWithoutLoss();
    void blocksOfQueriesAttendAsDefined();
    void aGrowingCacheKeepsWhatIsThere();
    void aGrowingCacheServesTrees();
    void adapterOffIsTheBaseExactly();
    void stackedLayersEqualTheirParts();
    void attentionAsDefined_data();
    void attentionAsDefined();
    void longAttentionInBlocks();
    void scoresAreGivenOnDemand();
    void cacheKeepsRowsApart();
    void cacheRefusesMoreThanItHolds();
    void halfTypesWorkOrSaySo_data();
    void halfTypesWorkOrSaySo();
};

void tst_nn::storedTypesBecomeTensors()
{
    const std::vector<float> numbers = {1.5f, -2.0f, 0.25f, 3.0f, -0.5f, 8.0f};
    const at::Tensor source = at::from_blob(const_cast<float *>(numbers.data()), {2, 3}).clone();
    const std::pair<weights::DType, at::ScalarType> types[] = {{weights::DType::Float64, at::kDouble},
                                                               {weights::DType::Float32, at::kFloat},
                                                               {weights::DType::Float16, at::kHalf},
                                                               {weights::DType::BFloat16, at::kBFloat16}};
    for (const auto &[stored_type, scalar_type] : types) {
        at::Tensor typed = source.to(scalar_type).clone();
        weights::StoredTensor stored;
        stored.dtype = stored_type;
        stored.shape = {2, 3};
        stored.bytes = {static_cast<const std::byte *>(typed.data_ptr()), static_cast<std::size_t>(typed.nbytes())};
        const at::Tensor loaded = tensorFrom(stored, {});
        typed.zero_();  // the tensor owns its memory
        QCOMPARE(distance(loaded, source), 0.0);
        QCOMPARE(tensorFrom(stored, {at::kCPU, at::kBFloat16}).scalar_type(), at::kBFloat16);
    }
}

void tst_nn::wrongBytesAreRefused()
{
    const std::vector<std::byte> bytes(10);
    weights::StoredTensor stored;
    stored.shape = {3};
    stored.bytes = bytes;
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(tensorFrom(stored, {})), Error);
    stored.dtype = weights::DType::Int64;
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(tensorFrom(stored, {})), Error);
}

void tst_nn::fewRowsEqualsMatrixProduct_data()
{
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("in");
    QTest::addColumn<int>("out");
    for (const int rows : {1, 2, 3, 4, 5, 6, 7, 8, 13, 24}) {
        QTest::addRow("%d rows, uneven", rows) << rows << 37 << 53;
        QTest::addRow("%d rows, even", rows) << rows << 64 << 96;
        QTest::addRow("%d rows, narrow", rows) << rows << 5 << 3;
    }
}

void tst_nn::fewRowsEqualsMatrixProduct()
{
    QFETCH(int, rows);
    QFETCH(int, in);
    QFETCH(int, out);
    const at::Tensor x = hashed("x", {1, rows, in});
    const at::Tensor weight = hashed("weight", {out, in});
    const at::Tensor bias = hashed("bias", {out});
    QCOMPARE(fewRowsApply(x, weight), rows <= mostRows());
    QVERIFY(distance(fewRowsLinear(x, weight, bias), at::linear(x, weight, bias)) < 1e-5);
    QVERIFY(distance(fewRowsLinear(x, weight, {}), at::linear(x, weight)) < 1e-5);
    QVERIFY(!fewRowsApply(hashed("x", {mostRows() + 1, in}), weight));
    QVERIFY(!fewRowsApply(x.to(at::kBFloat16), weight));
    QVERIFY(!fewRowsApply(x.clone().requires_grad_(), weight));  // training needs the gradient
}

void tst_nn::weightsInHalvesGiveTheSame()
{
    for (const auto &[rows, in, out] : {std::tuple{1, 37, 53}, {3, 64, 96}, {6, 5, 3}, {7, 100, 29}, {8, 256, 31}, {90, 48, 40}}) {
        const at::Tensor x = hashed("x", {rows, in});
        const at::Tensor bias = hashed("bias", {out});
        // Down to the smallest numbers that a half can be.
        const at::Tensor scales = at::logspace(-7, 2, out, 10.0).unsqueeze(1);
        const at::Tensor halves = (hashed("weight", {out, in}) * scales).to(at::kHalf);
        QCOMPARE(fewRowsApply(x, halves), rows <= mostRows());
        const at::Tensor narrow = fewRowsLinear(x, halves, bias);
        const at::Tensor wide = fewRowsLinear(x, halves.to(at::kFloat), bias);
        // What is left over behind whole vectors may be rounded in another order.
        QVERIFY2(in % 16 == 0 ? at::equal(narrow, wide) : at::allclose(narrow, wide, 1e-6, 1e-6), qPrintable(QString("%1 %2 %3").arg(rows).arg(in).arg(out)));
        if (rows <= kFewRows) {
            const at::Tensor bhalves = halves.to(at::kBFloat16);
            QVERIFY(fewRowsApply(x.to(at::kBFloat16), bhalves));
            const at::Tensor bx = x.to(at::kBFloat16);
            QVERIFY(
                at::allclose(fewRowsLinear(bx, bhalves, bias), fewRowsLinear(bx.to(at::kFloat), bhalves.to(at::kFloat), bias).to(at::kBFloat16), 0.01, 1e-6));
        }
    }
}

void tst_nn::weightsNarrowOnlyWithoutLoss()
{
    const at::Tensor exact = hashed("weight", {40, 64}).to(at::kHalf).to(at::kFloat);
    at::Tensor late = exact.clone();
    late[39][63] = 1.0001f;  // between two halves
    QCOMPARE(asHalvesIfExact(late).scalar_type(), at::kFloat);
    at::Tensor large = exact.clone();
    large[39][63] = 70000.0f;
    QCOMPARE(asHalvesIfExact(large).scalar_type(), at::kFloat);
    QVERIFY(at::equal(asHalvesIfExact(exact).to(at::kFloat), exact));
    for (const std::int64_t rows : {1, 20, 200}) {
        const at::Tensor x = hashed("x", {rows, 64});
        const Linear wide(exact, hashed("bias", {40}));
        const Linear narrow(asHalvesIfExact(exact), hashed("bias", {40}));
        QVERIFY(at::equal(narrow(x), wide(x)));
    }
}

void tst_nn::blocksOfQueriesAttendAsDefined()
{
    const c10::InferenceMode inference;
    for (const auto &[count, entries, width] :
         {std::tuple{1, 1, 3}, {2, 17, 8}, {5, 64, 16}, {6, 63, 20}, {7, 65, 64}, {13, 130, 80}, {15, 375, 64}, {25, 80, 72}}) {
        const at::Tensor q = hashed("q", {3, count, width}) * 3;
        const at::Tensor k = hashed("k", {3, entries, width}) * 3;
        const at::Tensor v = hashed("v", {3, entries, width});
        // Transposed in a longer memory, as a cache has it.
        const at::Tensor memory = at::full({3, width, entries + 5}, NAN);
        memory.narrow(2, 0, entries).copy_(k.transpose(1, 2));
        const at::Tensor keys = memory.narrow(2, 0, entries).transpose(1, 2);
        QVERIFY(blockAttendApplies(q, keys, v));
        const float scale = 1 / std::sqrt(static_cast<float>(width));
        QVERIFY2(distance(blockAttend(q, keys, v, {}, scale), definedAttention(q, k, v, Visibility::All)) < 3e-6,
                 qPrintable(QString("%1 %2 %3").arg(count).arg(entries).arg(width)));
        if (count <= entries) {
            const at::Tensor mask = at::full({count, entries}, -INFINITY).triu(entries - count + 1);
            QVERIFY(distance(blockAttend(q, keys, v, mask, scale), definedAttention(q, k, v, Visibility::Causal)) < 3e-6);
            QVERIFY(distance(attendMasked(q, k, v, mask), definedAttention(q, k, v, Visibility::Causal)) < 3e-6);  // the general way
        }
        QVERIFY(!blockAttendApplies(q, k.clone(), v) || width == 1);
        QVERIFY(!blockAttendApplies(q.to(at::kHalf), keys, v));
    }
    // Products far apart: the weights of the small ones vanish, and nothing overflows.
    const at::Tensor q = at::full({1, 1, 16}, 30.0f);
    const at::Tensor k = at::cat({at::full({1, 20, 16}, -30.0f), at::full({1, 1, 16}, 30.0f)}, 1);
    const at::Tensor v = hashed("v", {1, 21, 16});
    QVERIFY(distance(blockAttend(q, k.transpose(1, 2).contiguous().transpose(1, 2), v, {}, 0.25f).squeeze(), v.select(1, 20).squeeze()) < 1e-6);
}

void tst_nn::aGrowingCacheKeepsWhatIsThere()
{
    const c10::InferenceMode inference;
    GrowingCache cache(2, 3, 11, 4, {});
    const at::Tensor first = hashed("a", {5, 2, 3, 4});
    const at::Tensor second = hashed("b", {6, 2, 3, 4});
    cache.write(0, first);
    cache.write(1, first * 2);
    cache.advance(5);
    const void *place = cache.keys(0, 5).data_ptr();
    cache.write(0, second);
    cache.write(1, second * 2);
    cache.advance(6);
    QCOMPARE(cache.length(), 11);
    const at::Tensor all = at::cat({first, second});
    QVERIFY(at::equal(cache.keys(0, 11), all.select(1, 0).transpose(0, 1)));
    QVERIFY(at::equal(cache.values(1, 11), (all * 2).select(1, 1).transpose(0, 1)));
    QCOMPARE(cache.keys(0, 5).data_ptr(), place);
    QVERIFY_EXCEPTION_THROWN(cache.write(0, first), Error);
    cache.clear();
    cache.write(0, second);
    QVERIFY(at::equal(cache.keys(0, 6), second.select(1, 0).transpose(0, 1)));
}

void tst_nn::aGrowingCacheServesTrees()
{
    const c10::InferenceMode inference;
    GrowingCache cache(1, 2, 3, 5, {});
    const at::Tensor entries = hashed("entries", {4, 2, 2, 5});
    cache.writeSlots(0, at::tensor({2, 0}, at::kLong), entries.narrow(0, 0, 2));
    cache.reserve(4);
    QVERIFY(cache.capacity() >= 6);
    cache.writeSlots(0, at::tensor({1, 3}, at::kLong), entries.narrow(0, 2, 2));
    const at::Tensor order = at::tensor({1, 2, 0, 3}, at::kLong);
    QVERIFY(at::equal(cache.keys(0, 4), entries.index_select(0, order).select(1, 0).transpose(0, 1)));
    cache.keepOnly(at::tensor({1, 3}, at::kLong));
    QVERIFY(at::equal(cache.values(0, 2), entries.narrow(0, 2, 2).select(1, 1).transpose(0, 1)));
}

void tst_nn::adapterOffIsTheBaseExactly()
{
    const at::Tensor weight = hashed("weight", {13, 10});
    const at::Tensor bias = hashed("bias", {13});
    const at::Tensor a = hashed("a", {10, 3});
    const at::Tensor b = hashed("b", {3, 13});
    for (const std::int64_t rows : {2, 11}) {
        const at::Tensor x = hashed("x", {rows, 10});
        Linear layer(weight, bias);
        const at::Tensor base = layer(x);
        layer.setAdapter(a, b);
        QVERIFY(distance(layer(x), at::linear(x, weight + at::matmul(a, b).t(), bias)) < 1e-5);
        layer.switchAdapter(AdapterState::Off);
        QVERIFY(at::equal(layer(x), base));
        layer.switchAdapter(AdapterState::On);
        QVERIFY(distance(layer(x), base) > 0.01);
    }
}

void tst_nn::stackedLayersEqualTheirParts()
{
    Linear first(hashed("w1", {4, 6}), hashed("b1", {4}));
    const Linear second(hashed("w2", {7, 6}), {});
    Linear third(hashed("w3", {5, 6}), hashed("b3", {5}));
    first.setAdapter(hashed("a1", {6, 2}), hashed("B1", {2, 4}));
    third.setAdapter(hashed("a3", {6, 3}), hashed("B3", {3, 5}));
    Linear stacked = stackLinears(std::vector<Linear>{first, second, third});
    const at::Tensor x = hashed("x", {3, 6});
    QVERIFY(distance(stacked(x), at::cat({first(x), second(x), third(x)}, -1)) < 1e-5);
    stacked.switchAdapter(AdapterState::Off);
    first.switchAdapter(AdapterState::Off);
    third.switchAdapter(AdapterState::Off);
    QVERIFY(distance(stacked(x), at::cat({first(x), second(x), third(x)}, -1)) < 1e-6);
    // Some of them in halves, or all.
    Linear narrow(first.weight().to(at::kHalf), first.bias());
    narrow.setAdapter(first.adapterA(), first.adapterB());
    for (const std::vector<Linear> &parts : {std::vector<Linear>{narrow, second}, {second, narrow}, {narrow, narrow}}) {
        QVERIFY(distance(stackLinears(parts)(x), at::cat({parts[0](x), parts[1](x)}, -1)) < 1e-5);
    }
}

void tst_nn::attentionAsDefined_data()
{
    QTest::addColumn<int>("queries");
    QTest::addColumn<int>("entries");
    QTest::addColumn<bool>("causal");
    for (const int queries : {1, 3, 8, 9}) {
        QTest::addRow("%d queries, all", queries) << queries << 21 << false;
        QTest::addRow("%d queries, causal", queries) << queries << 21 << true;
        QTest::addRow("%d queries, square", queries) << queries << queries << true;
    }
}

void tst_nn::attentionAsDefined()
{
    QFETCH(int, queries);
    QFETCH(int, entries);
    QFETCH(bool, causal);
    const Visibility visibility = causal ? Visibility::Causal : Visibility::All;
    const at::Tensor q = hashed("q", {6, queries, 20}) * 4;
    const at::Tensor k = hashed("k", {6, entries, 20}) * 4;
    const at::Tensor v = hashed("v", {6, entries, 20});
    QVERIFY(distance(attend(q, k, v, visibility), definedAttention(q, k, v, visibility)) < 1e-5);
}

void tst_nn::longAttentionInBlocks()
{
    for (const Visibility visibility : {Visibility::All, Visibility::Causal}) {
        const at::Tensor q = hashed("q", {2, 300, 12}) * 3;
        const at::Tensor k = hashed("k", {2, 310, 12}) * 3;
        const at::Tensor v = hashed("v", {2, 310, 12});
        QVERIFY(distance(attend(q, k, v, visibility), definedAttention(q, k, v, visibility)) < 1e-5);
    }
}

void tst_nn::scoresAreGivenOnDemand()
{
    const at::Tensor q = hashed("q", {2, 3, 8});
    const at::Tensor k = hashed("k", {2, 5, 8});
    const at::Tensor v = hashed("v", {2, 5, 8});
    at::Tensor scores;
    const at::Tensor out = attend(q, k, v, Visibility::All, &scores);
    QVERIFY(distance(scores, at::matmul(q, k.transpose(1, 2)) / std::sqrt(8.0)) < 1e-5);
    QVERIFY(distance(out, attend(q, k, v, Visibility::All)) < 1e-5);
}

void tst_nn::cacheKeepsRowsApart()
{
    constexpr std::int64_t kHeads = 3;
    constexpr std::int64_t kWidth = 4;
    SelfCache cache(2, 3, kHeads, 10, kWidth, {});
    const at::Tensor first = hashed("first", {3, 2, 2, kHeads, kWidth});  // [B, L, 2, H, D]
    cache.write(0, first);
    cache.write(1, first + 10);
    cache.advance(2);
    const auto keysOf = [&](std::int64_t row, const at::Tensor &written) { return written.select(0, row).select(1, 0).transpose(0, 1); };  // [H, L, D]
    QVERIFY(at::equal(cache.keys(1, 2).narrow(0, kHeads, kHeads), keysOf(1, first + 10)));
    QVERIFY(at::equal(cache.values(0, 2).narrow(0, 0, kHeads), first.select(0, 0).select(1, 1).transpose(0, 1)));

    cache.reorder(std::vector<std::int64_t>{2, 0, 2});
    QVERIFY(at::equal(cache.keys(0, 2).narrow(0, 0, kHeads), keysOf(2, first)));
    QVERIFY(at::equal(cache.keys(0, 2).narrow(0, kHeads, kHeads), keysOf(0, first)));
    QVERIFY(at::equal(cache.keys(1, 2).narrow(0, 2 * kHeads, kHeads), keysOf(2, first + 10)));

    cache.reorder(std::vector<std::int64_t>{1});  // fewer rows
    QCOMPARE(cache.rows(), 1);
    QVERIFY(at::equal(cache.keys(0, 2), keysOf(0, first)));
    cache.reorder(std::vector<std::int64_t>{0, 0, 0});  // and more again
    QVERIFY(at::equal(cache.keys(0, 2).narrow(0, 2 * kHeads, kHeads), keysOf(0, first)));

    cache.truncate(1);
    QCOMPARE(cache.length(), 1);
    const at::Tensor second = hashed("second", {3, 1, 2, kHeads, kWidth});
    cache.write(0, second);
    QVERIFY(at::equal(cache.keys(0, 2).narrow(0, 0, kHeads).narrow(1, 1, 1), keysOf(0, second)));
    QVERIFY(at::equal(cache.keys(0, 2).narrow(0, 0, kHeads).narrow(1, 0, 1), keysOf(0, first).narrow(1, 0, 1)));
}

void tst_nn::cacheRefusesMoreThanItHolds()
{
    SelfCache cache(1, 1, 1, 3, 2, {});
    QVERIFY_EXCEPTION_THROWN(cache.write(0, hashed("x", {1, 4, 2, 1, 2})), Error);
    QVERIFY_EXCEPTION_THROWN(cache.reorder(std::vector<std::int64_t>{0, 0}), Error);
}

void tst_nn::halfTypesWorkOrSaySo_data()
{
    QTest::addColumn<int>("type");
    QTest::newRow("bfloat16") << static_cast<int>(at::kBFloat16);
    QTest::newRow("float16") << static_cast<int>(at::kHalf);
}

void tst_nn::halfTypesWorkOrSaySo()
{
    QFETCH(int, type);
    const Placement placement{at::kCPU, static_cast<at::ScalarType>(type)};
    try {
        requireUsable(placement);
    } catch (const Error &error) {
        QCOMPARE(error.kind(), ErrorKind::Device);
        QVERIFY2(error.sentence().find("cannot compute in") != std::string::npos, error.what());
        QVERIFY2(placement.type == at::kHalf && TORCH_VERSION_MAJOR < 2, error.what());  // the one thing that is known not to work
        return;
    }
    const at::Tensor q = hashed("q", {2, 3, 8});
    const at::Tensor k = hashed("k", {2, 5, 8});
    const at::Tensor v = hashed("v", {2, 5, 8});
    const at::Tensor half = attend(q.to(placement.type), k.to(placement.type), v.to(placement.type), Visibility::All);
    QCOMPARE(half.scalar_type(), placement.type);
    QVERIFY(distance(half, attend(q, k, v, Visibility::All)) < 0.02);
    const Linear layer(hashed("w", {6, 8}).to(placement.type), hashed("b", {6}).to(placement.type));
    QVERIFY(distance(layer(q.to(placement.type)), at::linear(q, hashed("w", {6, 8}), hashed("b", {6}))) < 0.05);
}

QTEST_GUILESS_MAIN(tst_nn)
#include "tst_nn.moc"
