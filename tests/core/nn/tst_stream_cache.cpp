// The cache of tagged entries, rotary positions and grouped attention, against definitions by loops.
#include <QtTest>

#include <algorithm>
#include <cmath>

#include <ATen/ATen.h>

#include "core/base/error.h"
#include "core/nn/rotary.h"
#include "core/nn/stream_attention.h"
#include "core/nn/stream_cache.h"

using namespace braid;
using namespace braid::nn;
using paradigms::Entry;
using paradigms::EntryKind;

namespace {

weights::RopeConfig rope(std::int64_t width = 6)
{
    weights::RopeConfig config;
    config.theta = 50;
    config.width = width;
    return config;
}

StreamCache cacheOf(std::int64_t capacity, KeyStorage storage = KeyStorage::Turned)
{
    return {{2, 3, 8, capacity, storage}, {}};
}

// One pass that stores the same random keys and values in both layers (the second times two), turned to their positions.
struct Stored {
    at::Tensor keys;
    at::Tensor values;
};
Stored store(StreamCache &cache, const std::vector<Entry> &entries, const Rotary &rotary)
{
    const auto count = static_cast<std::int64_t>(entries.size());
    const Stored stored{at::randn({count, 3, 8}), at::randn({count, 3, 8})};
    std::vector<double> positions;
    for (const Entry &entry : entries) {
        positions.push_back(entry.position);
    }
    const RotaryTable table = rotary.table(positions, RotaryReach::Short, at::kCPU);
    cache.begin(entries, std::vector<std::int32_t>(entries.size(), 7));
    for (std::int64_t layer = 0; layer < 2; ++layer) {
        const double times = layer + 1;
        cache.write(layer, stored.keys * times, rotary.turned(stored.keys * times, table), stored.values * times);
    }
    cache.finish();
    return stored;
}

std::vector<Entry> tags(std::int64_t first, std::int64_t count, std::int64_t step)
{
    std::vector<Entry> entries;
    for (std::int64_t i = 0; i < count; ++i) {
        entries.push_back({static_cast<std::int32_t>((first + i) % 2), static_cast<double>(first + i), step, EntryKind::Token});
    }
    return entries;
}

}  // namespace

class tst_stream_cache : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() { at::manual_seed(3); }

    void growingKeepsEverything()
    {
        const Rotary rotary(rope());
        StreamCache cache = cacheOf(16);
        std::vector<at::Tensor> values;
        std::int64_t times_grown = 0;
        for (std::int64_t i = 0; i < 100; ++i) {
            const std::int64_t capacity = cache.capacity();
            values.push_back(store(cache, tags(i, 1, i), rotary).values);
            times_grown += cache.capacity() != capacity ? 1 : 0;
        }
        QCOMPARE(times_grown, 3);  // 16, 32, 64, 128
        QCOMPARE(cache.length(), 100);
        QVERIFY(at::equal(cache.values(0), at::cat(values).transpose(0, 1)));
        QVERIFY(at::equal(cache.values(1), at::cat(values).transpose(0, 1) * 2));
        QCOMPARE(cache.entries()[41].position, 41.0);
    }

    void removingAndRewinding()
    {
        const Rotary rotary(rope());
        StreamCache cache = cacheOf(16);
        std::vector<at::Tensor> values;
        for (std::int64_t i = 0; i < 10; ++i) {
            values.push_back(store(cache, tags(2 * i, 2, i), rotary).values);
        }
        const at::Tensor all = at::cat(values).transpose(0, 1);
        QCOMPARE(cache.lengthAfterStep(3), 8);
        QCOMPARE(cache.lengthAfterStep(-1), 0);
        cache.erase(4, 3);
        QCOMPARE(cache.length(), 17);
        QCOMPARE(cache.entries()[4].position, 7.0);
        QCOMPARE(cache.tokens().size(), std::size_t{17});
        QVERIFY(at::equal(cache.values(0), at::cat({all.narrow(1, 0, 4), all.narrow(1, 7, 13)}, 1)));
        cache.truncate(5);
        QVERIFY(at::equal(cache.values(0), at::cat({all.narrow(1, 0, 4), all.narrow(1, 7, 1)}, 1)));
        cache.truncate(99);
        QCOMPARE(cache.length(), 5);
        cache.erase(3, 99);
        QCOMPARE(cache.length(), 3);
    }

    void silentEntriesLeaveNothing()
    {
        const Rotary rotary(rope());
        StreamCache cache = cacheOf(16);
        static_cast<void>(store(cache, tags(0, 3, 0), rotary));
        std::vector<Entry> row = tags(3, 4, 1);
        row[0].kind = row[2].kind = EntryKind::Silent;
        const at::Tensor values = store(cache, row, rotary).values;
        cache.eraseSilent(3);
        QCOMPARE(cache.length(), 5);
        QVERIFY(at::equal(cache.values(0).select(1, 3), values[1]));
        QVERIFY(at::equal(cache.values(0).select(1, 4), values[3]));
    }

    void interruptedPassIsOverwritten()
    {
        const Rotary rotary(rope());
        StreamCache cache = cacheOf(16);
        const at::Tensor before = store(cache, tags(0, 2, 0), rotary).values;
        cache.begin(tags(2, 5, 1), std::vector<std::int32_t>(5, 1));
        cache.write(0, at::zeros({5, 3, 8}), at::zeros({5, 3, 8}), at::zeros({5, 3, 8}));
        QCOMPARE(cache.length(), 2);
        const at::Tensor after = store(cache, tags(2, 1, 1), rotary).values;
        QCOMPARE(cache.length(), 3);
        QVERIFY(at::equal(cache.values(0), at::cat({before, after}).transpose(0, 1)));
    }

    // Moving turns keys from where they were never turned: many moves end where one would.
    void movedKeysAreThoseOfTheNewPositions()
    {
        const Rotary rotary(rope());
        StreamCache cache = cacheOf(16, KeyStorage::Movable);
        const at::Tensor keys = store(cache, tags(0, 6, 0), rotary).keys;
        const std::vector<std::int64_t> moved = {1, 3, 4};
        const std::vector<double> positions = {100, 7.5, 0};
        for (int i = 0; i < 50; ++i) {
            cache.move(moved, std::vector<double>{i * 3.0, i * 2.0, i * 1.0}, rotary);
        }
        cache.move(moved, positions, rotary);
        const at::Tensor wanted = rotary.turned(keys, rotary.table(std::vector<double>{0, 100, 2, 7.5, 0, 5}, RotaryReach::Short, at::kCPU)).transpose(0, 1);
        QVERIFY(at::allclose(cache.keys(0), wanted, 1e-5, 1e-6));
        QCOMPARE(cache.entries()[3].position, 7.5);
        StreamCache fixed = cacheOf(16);
        static_cast<void>(store(fixed, tags(0, 6, 0), rotary));
        QVERIFY_EXCEPTION_THROWN(fixed.move(moved, positions, rotary), Error);
        QVERIFY_EXCEPTION_THROWN(cache.move(std::vector<std::int64_t>{6}, std::vector<double>{0}, rotary), Error);
    }

    // Products of turned vectors depend on the distance of their positions alone; fractions are positions like others; what is not turned stays.
    void rotaryProductsDependOnDistance()
    {
        const Rotary rotary(rope());
        const at::Tensor x = at::randn({2, 1, 8});
        const auto product = [&](double a, double b) {
            const at::Tensor turned = rotary.turned(x, rotary.table(std::vector<double>{a, b}, RotaryReach::Short, at::kCPU));
            return (turned[0] * turned[1]).sum().item<double>();
        };
        QVERIFY(std::abs(product(3, 5.5) - product(40, 42.5)) < 1e-4);
        QVERIFY(std::abs(product(3, 5.5) - product(3, 5)) > 1e-4);
        QVERIFY(std::abs(product(0, 0) - (x[0] * x[1]).sum().item<double>()) < 1e-5);
        const at::Tensor turned = rotary.turned(x, rotary.table(std::vector<double>{3, 4}, RotaryReach::Short, at::kCPU));
        QVERIFY(at::equal(turned.narrow(2, 6, 2), x.narrow(2, 6, 2)));
        // Both ways to a table agree.
        const RotaryTable other = rotary.table(at::tensor(std::vector<double>{3, 4}), RotaryReach::Short);
        QVERIFY(at::allclose(rotary.turned(x, other), turned, 1e-5, 1e-6));
    }

    void longReachBeginsBehindTheOriginalContext()
    {
        weights::RopeConfig config = rope();
        config.scaling = weights::RopeScaling::LongRope;
        config.original_context = 16;
        config.short_factors = {1, 1, 2};
        config.long_factors = {2, 4, 8};
        config.attention_factor = 1.25;
        const Rotary rotary(config);
        QVERIFY(rotary.reachFor(15) == RotaryReach::Short);
        QVERIFY(rotary.reachFor(15.5) == RotaryReach::Long);
        for (std::size_t i = 0; i < 3; ++i) {
            const double rate = std::pow(50.0, -2.0 * static_cast<double>(i) / 6);
            QVERIFY(std::abs(rotary.frequencies(RotaryReach::Short)[i] - rate / config.short_factors[i]) < 1e-6);
            QVERIFY(std::abs(rotary.frequencies(RotaryReach::Long)[i] - rate / config.long_factors[i]) < 1e-6);
        }
        // What deeper layers hold has seen the old frequencies: only an empty cache changes them.
        StreamCache cache = cacheOf(16);
        cache.setReach(RotaryReach::Long);
        static_cast<void>(store(cache, tags(0, 4, 0), rotary));
        QVERIFY_EXCEPTION_THROWN(cache.setReach(RotaryReach::Short), Error);
        cache.truncate(0);
        cache.setReach(RotaryReach::Short);
    }

    void attentionAgainstLoops_data()
    {
        QTest::addColumn<double>("softcap");
        QTest::addColumn<bool>("masked");
        QTest::newRow("plain") << 0.0 << false;
        QTest::newRow("masked") << 0.0 << true;
        QTest::newRow("soft-capped") << 1.5 << false;
        QTest::newRow("soft-capped, masked") << 1.5 << true;
    }
    void attentionAgainstLoops()
    {
        QFETCH(double, softcap);
        QFETCH(bool, masked);
        constexpr std::int64_t kQueries = 3;
        constexpr std::int64_t kHeads = 6;
        constexpr std::int64_t kKeyHeads = 2;
        constexpr std::int64_t kEntries = 5;
        constexpr std::int64_t kWidth = 4;
        const at::Tensor q = at::randn({1, kQueries, kHeads, kWidth});
        const at::Tensor k = at::randn({1, kKeyHeads, kEntries, kWidth});
        const at::Tensor v = at::randn({1, kKeyHeads, kEntries, kWidth});
        const at::Tensor mask =
            masked ? at::zeros({1, kQueries, kEntries}).masked_fill(at::ones({1, kQueries, kEntries}, at::kBool).triu(2), -INFINITY) : at::Tensor();
        at::Tensor seen_weights;
        const at::Tensor out = attendGrouped(q, k, v, mask, {0.7, softcap});
        const at::Tensor with_weights = attendGrouped(q, k, v, mask, {0.7, softcap}, &seen_weights);
        QVERIFY(at::allclose(out, with_weights, 1e-5, 1e-6));
        for (std::int64_t i = 0; i < kQueries; ++i) {
            for (std::int64_t h = 0; h < kHeads; ++h) {
                const std::int64_t g = h / (kHeads / kKeyHeads);
                double products[kEntries];
                double total = 0;
                for (std::int64_t t = 0; t < kEntries; ++t) {
                    double product = (q[0][i][h] * k[0][g][t]).sum().item<double>() * 0.7;
                    product = softcap > 0 ? std::tanh(product / softcap) * softcap : product;
                    products[t] = masked && t >= i + 2 ? 0 : std::exp(product);
                    total += products[t];
                }
                for (std::int64_t d = 0; d < kWidth; ++d) {
                    double sum = 0;
                    for (std::int64_t t = 0; t < kEntries; ++t) {
                        sum += products[t] / total * v[0][g][t][d].item<double>();
                    }
                    QVERIFY(std::abs(out[0][i][h * kWidth + d].item<double>() - sum) < 1e-5);
                }
                for (std::int64_t t = 0; t < kEntries; ++t) {
                    QVERIFY(std::abs(seen_weights[0][h][i][t].item<double>() - products[t] / total) < 1e-5);
                }
            }
        }
    }

    void longQueriesInBlocks()
    {
        const at::Tensor q = at::randn({1, 600, 2, 4});
        const at::Tensor k = at::randn({1, 1, 600, 4});
        const at::Tensor mask = at::zeros({1, 600, 600}).masked_fill(at::ones({1, 600, 600}, at::kBool).triu(1), -INFINITY);
        at::Tensor weights;
        QVERIFY(at::allclose(attendGrouped(q, k, k, mask, {0.5, 0}), attendGrouped(q, k, k, mask, {0.5, 0}, &weights), 1e-4, 1e-5));
    }

    void looksSumUpLayersAndHeads()
    {
        const at::Tensor first = at::rand({3, 2, 4});
        const at::Tensor second = at::rand({3, 2, 4});
        const auto look = [&](AttentionLook wanted) {
            for (const auto &[layer, attention] : {std::pair<std::int64_t, at::Tensor>{0, first}, {1, second}}) {
                if (wanted.wants(layer)) {
                    wanted.take(attention, 2);
                }
            }
            return wanted.weights;
        };
        QVERIFY(at::allclose(look({}), (first.mean(0) + second.mean(0)) / 2));
        QVERIFY(at::equal(look({{}, {}, AttentionSummary::Max, {}}), at::maximum(first.amax(0), second.amax(0))));
        QVERIFY(at::equal(look({1, 2, AttentionSummary::Mean, {}}), second[2]));
        QVERIFY(at::allclose(look({{}, 1, AttentionSummary::Mean, {}}), (first[1] + second[1]) / 2));
    }
};

QTEST_GUILESS_MAIN(tst_stream_cache)
#include "tst_stream_cache.moc"
