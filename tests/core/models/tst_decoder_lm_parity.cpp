// Language models compute what transformers and PEFT compute, on small random weights with every dimension different:
// tests/parity/decoder_lm_parity.json, written by the script beside it.
#include <QtTest>

#include <cmath>
#include <fstream>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <nlohmann/json.hpp>

#include "core/models/decoder_lm/decoder_lm.h"
#include "tests/support/hashed_lm.h"
#include "tests/support/json_distance.h"

using namespace braid;
using namespace braid::models;
using nlohmann::json;
using paradigms::Entry;
using paradigms::EntryKind;
using test::distance;

namespace {

weights::TensorStore hashedStore(const std::string &tag, const json &shapes, float norm_offset)
{
    weights::TensorStore store("hashed weights " + tag);
    for (const auto &[name, shape] : shapes.items()) {
        store.add(name, test::hashedLmTensor(tag, name, shape.get<std::vector<std::int64_t>>(), norm_offset));
    }
    return store;
}

lm::DecoderLm modelOf(const std::string &tag, const json &numbers, at::ScalarType type = at::kFloat)
{
    weights::LmCheckpoint checkpoint(tag);
    checkpoint.config = weights::parseLmConfig(numbers.at("config").dump(), "", tag);
    checkpoint.tensors = hashedStore(tag, numbers.at("shapes"), checkpoint.config.norm_adds_one ? 0.0f : 1.0f);
    weights::settleLmTensors(checkpoint.tensors, checkpoint.config);
    return lm::DecoderLm(checkpoint, {at::kCPU, type});
}

std::vector<Entry> queue(std::size_t count, std::int64_t first = 0)
{
    std::vector<Entry> entries;
    for (std::size_t i = 0; i < count; ++i) {
        entries.push_back({0, static_cast<double>(first + static_cast<std::int64_t>(i)), first + static_cast<std::int64_t>(i), EntryKind::Token});
    }
    return entries;
}

at::Tensor rowsOf(const at::Tensor &logits, const json &rows)
{
    return logits.index_select(0, at::tensor(rows.get<std::vector<std::int64_t>>()));
}

constexpr double kClose = 2e-4;  // of logits about as large as 10, printed with five decimals

}  // namespace

class tst_decoder_lm_parity : public QObject {
    Q_OBJECT

    json m_numbers;

  private Q_SLOTS:
    void initTestCase()
    {
        at::set_num_threads(2);
        std::ifstream file(BRAID_SOURCE_DIR "/tests/parity/decoder_lm_parity.json");
        m_numbers = json::parse(file);
    }

    void family_data()
    {
        QTest::addColumn<QString>("name");
        for (const auto &[name, numbers] : m_numbers.at("models").items()) {
            QTest::newRow(name.c_str()) << QString::fromStdString(name);
        }
    }

    // Logits in one pass and in pieces of every size from the cache; positions with fractions; greedy text.
    void family()
    {
        QFETCH(QString, name);
        const json &numbers = m_numbers.at("models").at(name.toStdString());
        const lm::DecoderLm model = modelOf(name.toStdString() + "/", numbers);
        const auto tokens = numbers.at("tokens").get<std::vector<std::int32_t>>();
        for (std::size_t piece = 1; piece <= tokens.size(); piece += piece < 3 ? 1 : 9) {
            nn::StreamCache cache = model.emptyCache(4);
            std::vector<at::Tensor> hidden;
            for (std::size_t begin = 0; begin < tokens.size(); begin += piece) {
                const std::size_t count = std::min(piece, tokens.size() - begin);
                hidden.push_back(
                    model.run(cache, std::span(tokens).subspan(begin, count), queue(count, static_cast<std::int64_t>(begin)), paradigms::causal()));
            }
            const double difference = distance(rowsOf(model.logits(at::cat(hidden)), numbers.at("rows")), numbers.at("logits"));
            QVERIFY2(difference < kClose, qPrintable(QString("pieces of %1: %2").arg(piece).arg(difference)));
        }

        std::vector<Entry> apart = queue(tokens.size());
        for (std::size_t i = 0; i < apart.size(); ++i) {
            apart[i].position = numbers.at("positions")[i].get<double>();
        }
        json wide = numbers;  // transformers' window counts tokens, ours positions, as group positions mean it: compared without
        if (wide["config"].contains("sliding_window") && !wide["config"]["sliding_window"].is_null()) {
            wide["config"]["sliding_window"] = 64;
        }
        const lm::DecoderLm wide_model = modelOf(name.toStdString() + "/", wide);
        nn::StreamCache wide_cache = wide_model.emptyCache(16);
        const at::Tensor logits = wide_model.logits(wide_model.run(wide_cache, tokens, apart, paradigms::causal()));
        const double far = distance(rowsOf(logits, json::array({5, 11})), numbers.at("logits_at_positions"));
        QVERIFY2(far < kClose, qPrintable(QString::number(far)));

        nn::StreamCache cache = model.emptyCache(4);
        std::vector<std::int32_t> next(tokens.begin(), tokens.begin() + 4);
        std::vector<std::int32_t> written;
        const auto wanted = numbers.at("greedy").get<std::vector<std::int32_t>>();
        while (written.size() < wanted.size()) {
            const at::Tensor hidden = model.run(cache, next, queue(next.size(), cache.length()), paradigms::causal());
            next = {static_cast<std::int32_t>(model.logits(hidden[hidden.size(0) - 1]).argmax().item<std::int64_t>())};
            written.push_back(next.front());
        }
        QCOMPARE(written, wanted);
    }

    void wholePassEqualsCache_data() { family_data(); }
    void wholePassEqualsCache()
    {
        QFETCH(QString, name);
        const json &numbers = m_numbers.at("models").at(name.toStdString());
        const lm::DecoderLm model = modelOf(name.toStdString() + "/", numbers);
        const auto tokens = numbers.at("tokens").get<std::vector<std::int64_t>>();
        const auto count = static_cast<std::int64_t>(tokens.size());
        const at::Tensor seen = at::ones({1, count, count}, at::kBool).tril();
        // Two rows, so that a mixed-up batch shows.
        const at::Tensor ids = at::tensor(tokens).unsqueeze(0);
        const at::Tensor two = at::cat({ids.flip(1), ids});
        const at::Tensor positions = at::arange(count, at::kDouble).unsqueeze(0).expand({2, count});
        const at::Tensor logits = model.logits(model.runWhole(two, positions, {}, seen)[1]);
        QVERIFY(distance(rowsOf(logits, numbers.at("rows")), numbers.at("logits")) < kClose);
    }

    void bfloat16StaysNear_data() { family_data(); }
    void bfloat16StaysNear()
    {
        QFETCH(QString, name);
        const json &numbers = m_numbers.at("models").at(name.toStdString());
        const lm::DecoderLm model = modelOf(name.toStdString() + "/", numbers, at::kBFloat16);
        const auto tokens = numbers.at("tokens").get<std::vector<std::int32_t>>();
        nn::StreamCache cache = model.emptyCache(16);
        const at::Tensor logits = model.logits(model.run(cache, tokens, queue(tokens.size()), paradigms::causal()));
        QVERIFY(distance(rowsOf(logits, numbers.at("rows")), numbers.at("logits")) < 1.0);
    }

    void adapter_data()
    {
        QTest::addColumn<QString>("name");
        for (const auto &[name, numbers] : m_numbers.at("adapters").items()) {
            QTest::newRow(name.c_str()) << QString::fromStdString(name);
        }
    }

    // Applied, switched off and on, merged; the base comes back to the last bit.
    void adapter()
    {
        QFETCH(QString, name);
        const json &numbers = m_numbers.at("adapters").at(name.toStdString());
        const std::string tag = name == "rslora-fused" ? "rslora/" : name.toStdString() + "/";
        lm::DecoderLm model = modelOf(tag, numbers);
        const weights::LmAdapter adapter = weights::parseLmAdapter(numbers.at("adapter_config").dump(),
                                                                   hashedStore(tag + "adapter/", numbers.at("adapter_shapes"), 1), model.config(), "adapter");
        const auto tokens = numbers.at("tokens").get<std::vector<std::int32_t>>();
        const auto logits = [&] {
            nn::StreamCache cache = model.emptyCache(16);
            return model.logits(model.run(cache, tokens, queue(tokens.size()), paradigms::causal()));
        };
        const at::Tensor base = logits();
        model.weights().addAdapter(adapter);
        QVERIFY(at::equal(logits(), base));
        model.weights().useAdapter("adapter");
        const double difference = distance(rowsOf(logits(), numbers.at("rows")), numbers.at("logits"));
        QVERIFY2(difference < kClose, qPrintable(QString::number(difference)));
        QVERIFY(!at::equal(logits(), base));
        model.weights().useAdapter("");
        QVERIFY(at::equal(logits(), base));
        model.weights().mergeAdapter("adapter");
        QVERIFY(distance(rowsOf(logits(), numbers.at("rows")), numbers.at("logits")) < kClose);
        QVERIFY(model.weights().adapters().empty());
    }

    // Stream embedding, positions and masks of both published forms of parallel streams.
    void parallelStreams()
    {
        const json &numbers = m_numbers.at("streams");
        const lm::DecoderLm model = modelOf("streams/", numbers);
        const auto tokens = numbers.at("tokens").get<std::vector<std::int32_t>>();
        const auto run = [&](const std::vector<Entry> &entries, const paradigms::Visibility &visibility, std::size_t piece) {
            nn::StreamCache cache = model.emptyCache(4);
            std::vector<at::Tensor> hidden;
            for (std::size_t begin = 0; begin < tokens.size(); begin += piece) {
                const std::size_t count = std::min(piece, tokens.size() - begin);
                hidden.push_back(model.run(cache, std::span(tokens).subspan(begin, count), std::span(entries).subspan(begin, count), visibility));
            }
            return rowsOf(model.logits(at::cat(hidden)), numbers.at("rows"));
        };
        std::vector<Entry> rows;
        std::vector<Entry> blocks;
        for (int i = 0; i < 15; ++i) {
            rows.push_back({i % 3, static_cast<double>(i / 3), i / 3, EntryKind::Token});
            const int stream = i < 4 ? 0 : i < 10 ? 1 : 2;
            const int position = stream < 2 ? i : i - 6;
            blocks.push_back({stream, static_cast<double>(position), position, EntryKind::Token});
        }
        for (const std::size_t piece : {3u, 15u}) {
            QVERIFY(distance(run(rows, paradigms::parallelRows(), piece), numbers.at("by_row")) < kClose);
        }
        QVERIFY(distance(run(blocks, paradigms::parallelBlocks(), 15), numbers.at("by_block")) < kClose);
    }
};

QTEST_GUILESS_MAIN(tst_decoder_lm_parity)
#include "tst_decoder_lm_parity.moc"
