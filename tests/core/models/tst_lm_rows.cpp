// Rows of numbers in the place of tokens: where they are the rows of the token embedding, a model of any family computes exactly what it computes of the
// tokens, in one pass, in pieces, mixed, rewound, and where LongRope computes all of it again.
#include <QtTest>

#include <fstream>
#include <set>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/models/decoder_lm/decoder_lm.h"
#include "tests/support/hashed_lm.h"

using namespace braid;
using namespace braid::models;
using nlohmann::json;
using paradigms::Entry;
using paradigms::EntryKind;

namespace {

lm::DecoderLm modelOf(const std::string &tag, const json &numbers)
{
    weights::LmCheckpoint checkpoint = test::hashedLm(tag, weights::parseLmConfig(numbers.at("config").dump(), "", tag));
    return lm::DecoderLm(checkpoint, {});
}

std::vector<Entry> queue(std::size_t count, std::int64_t first = 0)
{
    std::vector<Entry> entries;
    for (std::size_t i = 0; i < count; ++i) {
        entries.push_back({0, static_cast<double>(first) + static_cast<double>(i), first + static_cast<std::int64_t>(i), EntryKind::Token});
    }
    return entries;
}

at::Tensor rowsOf(const lm::DecoderLm &model, const std::vector<std::int32_t> &tokens)
{
    const std::vector<std::int64_t> wide(tokens.begin(), tokens.end());
    return model.weights().embedded(at::tensor(wide));
}

// Of these tokens, those at `places` as rows.
struct Mixed {
    std::vector<std::int32_t> tokens;
    at::Tensor rows;
};
Mixed mixed(const lm::DecoderLm &model, std::vector<std::int32_t> tokens, const std::set<std::size_t> &places)
{
    std::vector<std::int32_t> named;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (places.count(i) > 0) {
            named.push_back(std::exchange(tokens[i], nn::kRow));
        }
    }
    return {tokens, named.empty() ? at::Tensor() : rowsOf(model, named)};
}

std::set<std::size_t> every(std::size_t count, std::size_t step)
{
    std::set<std::size_t> places;
    for (std::size_t i = 0; i < count; i += step) {
        places.insert(i);
    }
    return places;
}

at::Tensor fed(const lm::DecoderLm &model, nn::StreamCache &cache, const Mixed &what)
{
    return model.run(cache, {what.tokens, what.rows}, queue(what.tokens.size(), cache.length()), paradigms::causal());
}

}  // namespace

class tst_lm_rows : public QObject {
    Q_OBJECT

    json m_models;

    [[nodiscard]] const json &numbers() { return m_models; }

  private Q_SLOTS:
    void initTestCase()
    {
        at::set_num_threads(1);
        std::ifstream file(BRAID_SOURCE_DIR "/tests/parity/decoder_lm_parity.json");
        m_models = json::parse(file).at("models");
    }

    void rowsOfTokensAreTheTokens_data()
    {
        QTest::addColumn<QString>("name");
        for (const auto &[name, of_family] : numbers().items()) {
            QTest::newRow(name.c_str()) << QString::fromStdString(name);
        }
    }

    void rowsOfTokensAreTheTokens()
    {
        QFETCH(QString, name);
        const json &of_family = numbers().at(name.toStdString());
        const lm::DecoderLm model = modelOf("rows/", of_family);
        const auto tokens = of_family.at("tokens").get<std::vector<std::int32_t>>();
        for (const std::size_t step : {1u, 2u, 5u}) {
            for (const std::size_t piece : {std::size_t{3}, tokens.size()}) {
                nn::StreamCache by_token = model.emptyCache(4);
                nn::StreamCache by_row = model.emptyCache(4);
                for (std::size_t begin = 0; begin < tokens.size(); begin += piece) {
                    const std::vector<std::int32_t> some(tokens.begin() + static_cast<std::ptrdiff_t>(begin),
                                                         tokens.begin() + static_cast<std::ptrdiff_t>(std::min(begin + piece, tokens.size())));
                    QVERIFY(at::equal(fed(model, by_row, mixed(model, some, every(some.size(), step))), fed(model, by_token, {some, {}})));
                }
            }
        }
        const at::Tensor ids = at::tensor(std::vector<std::int64_t>(tokens.begin(), tokens.end())).unsqueeze(0);
        const auto count = static_cast<std::int64_t>(tokens.size());
        const at::Tensor positions = at::arange(count, at::kDouble).unsqueeze(0);
        const at::Tensor seen = at::ones({1, count, count}, at::kBool).tril();
        QVERIFY(at::equal(model.runRowsWhole(model.weights().embedded(ids), positions, {}, seen), model.runWhole(ids, positions, {}, seen)));
    }

    // Other rows than the embedding's change what comes out: they are looked at.
    void otherRowsAreOtherNumbers()
    {
        const lm::DecoderLm model = modelOf("rows/", numbers().front());
        nn::StreamCache one = model.emptyCache(4);
        nn::StreamCache other = model.emptyCache(4);
        const Mixed what = mixed(model, {3, 4, 5}, {1});
        QVERIFY(!at::equal(fed(model, one, what), fed(model, other, {what.tokens, what.rows * 1.5})));
    }

    void streamsAreAddedToRowsToo()
    {
        json config = numbers().front();
        config["config"]["num_channels"] = 3;
        const lm::DecoderLm model = modelOf("rows with streams/", config);
        const std::vector<std::int32_t> tokens = {3, 4, 5, 6};
        std::vector<Entry> entries = queue(tokens.size());
        for (std::size_t i = 0; i < entries.size(); ++i) {
            entries[i].stream = static_cast<std::int32_t>(i % 3);
        }
        nn::StreamCache by_token = model.emptyCache(4);
        nn::StreamCache by_row = model.emptyCache(4);
        const Mixed what = mixed(model, tokens, {0, 2});
        QVERIFY(
            at::equal(model.run(by_row, {what.tokens, what.rows}, entries, paradigms::causal()), model.run(by_token, tokens, entries, paradigms::causal())));
    }

    // Entries taken back from the end and from the middle, and fed again as something else.
    void rewound()
    {
        for (const auto &[name, of_family] : numbers().items()) {
            const lm::DecoderLm model = modelOf("rows/", of_family);
            nn::StreamCache by_token = model.emptyCache(4);
            nn::StreamCache by_row = model.emptyCache(4);
            static_cast<void>(fed(model, by_token, {{1, 2, 3, 4, 5, 6}, {}}));
            static_cast<void>(fed(model, by_row, mixed(model, {1, 2, 3, 4, 5, 6}, {1, 2, 5})));
            for (nn::StreamCache *cache : {&by_token, &by_row}) {
                cache->truncate(5);
                cache->erase(1, 1);
            }
            QCOMPARE(std::vector<std::int32_t>(by_row.tokens().begin(), by_row.tokens().end()), (std::vector<std::int32_t>{1, nn::kRow, 4, 5}));
            QVERIFY2(at::equal(fed(model, by_row, mixed(model, {9, 8}, {0})), fed(model, by_token, {{9, 8}, {}})), name.c_str());
        }
    }

    // LongRope: beyond the original context all is computed again, rows as well; nothing else keeps them.
    void computedAgain()
    {
        json long_rope = numbers().at("phi3");
        long_rope["config"].erase("rope_parameters");
        const auto pairs = static_cast<std::size_t>(weights::parseLmConfig(long_rope.at("config").dump(), "", "x").rope.width / 2);
        long_rope["config"]["original_max_position_embeddings"] = 8;
        long_rope["config"]["max_position_embeddings"] = 64;
        long_rope["config"]["rope_scaling"] = {
            {"rope_type", "longrope"}, {"short_factor", std::vector<double>(pairs, 1.0)}, {"long_factor", std::vector<double>(pairs, 3.0)}};
        const lm::DecoderLm model = modelOf("rows/", long_rope);
        QVERIFY(model.rotary().hasLongReach());
        nn::StreamCache by_token = model.emptyCache(4);
        nn::StreamCache by_row = model.emptyCache(4);
        const std::vector<std::int32_t> first = {1, 2, 3, 4, 5, 6};
        static_cast<void>(fed(model, by_token, {first, {}}));
        static_cast<void>(fed(model, by_row, mixed(model, first, {0, 3, 5})));
        for (nn::StreamCache *cache : {&by_token, &by_row}) {
            cache->erase(3, 2);
        }
        QVERIFY(at::equal(by_row.rows(), rowsOf(model, {1, 6})));
        QVERIFY(by_row.reach() == nn::RotaryReach::Short);
        // The tags keep their positions, so the queue goes on where it was.
        const std::vector<std::int32_t> more = {7, 8, 9, 10};
        const Mixed what = mixed(model, more, {2});
        const at::Tensor found = model.run(by_row, {what.tokens, what.rows}, queue(4, 6), paradigms::causal());
        QVERIFY(by_row.reach() == nn::RotaryReach::Long);
        QVERIFY(at::equal(found, model.run(by_token, more, queue(4, 6), paradigms::causal())));
        QVERIFY(at::equal(by_row.rows(), rowsOf(model, {1, 6, 9})));
        // As if all of it had come after the crossing.
        nn::StreamCache fresh = model.emptyCache(4);
        fresh.setReach(nn::RotaryReach::Long);
        std::vector<Entry> entries = queue(10);
        entries.erase(entries.begin() + 3, entries.begin() + 5);
        const at::Tensor at_once = model.run(fresh, std::vector<std::int32_t>{1, 2, 3, 6, 7, 8, 9, 10}, entries, paradigms::causal());
        QVERIFY((found - at_once.narrow(0, 4, 4)).abs().max().item<double>() < 1e-5);

        const lm::DecoderLm other = modelOf("rows/", numbers().front());
        nn::StreamCache forgets = other.emptyCache(4);
        static_cast<void>(fed(other, forgets, mixed(other, {1, 2}, {1})));
        QVERIFY_THROWS_EXCEPTION(Error, static_cast<void>(forgets.rows()));
    }

    void whatDoesNotFitIsRefused()
    {
        const lm::DecoderLm model = modelOf("rows/", numbers().front());
        const std::int64_t width = model.config().width;
        nn::StreamCache cache = model.emptyCache(4);
        const auto refuses = [&](const std::vector<std::int32_t> &tokens, const at::Tensor &rows) {
            QVERIFY_THROWS_EXCEPTION(Error, static_cast<void>(fed(model, cache, {tokens, rows})));
            QCOMPARE(cache.length(), 0);
        };
        refuses({nn::kRow}, {});
        refuses({1, 2}, at::zeros({1, width}));
        refuses({nn::kRow, 2}, at::zeros({2, width}));
        refuses({nn::kRow}, at::zeros({1, width + 1}));
        refuses({nn::kRow}, at::zeros({width}));
        refuses({-2}, {});
    }
};

QTEST_GUILESS_MAIN(tst_lm_rows)
#include "tst_lm_rows.moc"
