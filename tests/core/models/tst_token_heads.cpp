// Heads that predict the tokens behind the next one: PyTorch's numbers (tests/parity/make_token_heads_parity.py), loaded as strictly as the rest of a model.
#include <QTemporaryDir>
#include <QtTest>

#include <fstream>

#include <ATen/Parallel.h>
#include <nlohmann/json.hpp>

#include "core/models/decoder_lm/decoder_lm.h"
#include "core/weights/safetensors.h"
#include "tests/support/error_sentence.h"
#include "tests/support/small_lm_folder.h"

using namespace braid;
using namespace braid::models;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

at::Tensor hiddenOf(const lm::DecoderLm &model, const std::vector<std::int32_t> &tokens)
{
    std::vector<paradigms::Entry> entries;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        entries.push_back({0, static_cast<double>(i), static_cast<std::int64_t>(i), paradigms::EntryKind::Token});
    }
    nn::StreamCache cache = model.emptyCache(16);
    return model.run(cache, tokens, entries, paradigms::causal());
}

double distance(const at::Tensor &logits, const json &wanted)
{
    double greatest = 0;
    for (std::size_t row = 0; row < wanted.size(); ++row) {
        for (std::size_t token = 0; token < wanted[row].size(); ++token) {
            const double value = logits[static_cast<std::int64_t>(row)][static_cast<std::int64_t>(token)].item<double>();
            greatest = std::max(greatest, std::abs(value - wanted[row][token].get<double>()));
        }
    }
    return greatest;
}

constexpr double kClose = 2e-4;

}  // namespace

class tst_token_heads : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() { at::set_num_threads(1); }

    void headsArePyTorchs_data()
    {
        QTest::addColumn<QString>("name");
        for (const char *name : {"latent", "independent", "latent, soft-capped", "independent, soft-capped"}) {
            QTest::newRow(name) << QString(name);
        }
    }
    void headsArePyTorchs()
    {
        QFETCH(QString, name);
        const json numbers = json::parse(std::ifstream(BRAID_SOURCE_DIR "/tests/parity/token_heads_parity.json"))["models"].at(name.toStdString());
        const weights::LmConfig config = weights::parseLmConfig(numbers["config"].dump(), {}, "parity");
        weights::LmCheckpoint checkpoint = test::hashedLm(numbers["tag"].get<std::string>(), config);
        const lm::DecoderLm model(checkpoint, {});
        const std::int64_t count = config.token_heads.count;
        QCOMPARE(static_cast<std::int64_t>(numbers["logits"].size()), count);
        const at::Tensor rows =
            hiddenOf(model, numbers["tokens"].get<std::vector<std::int32_t>>()).index_select(0, at::tensor(numbers["rows"].get<std::vector<std::int64_t>>()));
        QVERIFY(distance(model.logits(rows), numbers["logits"]["1"]) < kClose);
        const at::Tensor all = model.laterLogits(rows, 2, count);
        QCOMPARE(all.sizes().vec(), (std::vector<std::int64_t>{count - 1, rows.size(0), config.vocabulary}));
        for (std::int64_t head = 2; head <= count; ++head) {
            const json &wanted = numbers["logits"][std::to_string(head)];
            QVERIFY2(distance(all[head - 2], wanted) < kClose, qPrintable(QString::number(head)));
            QVERIFY(distance(model.laterLogits(rows, head, head)[0], wanted) < kClose);                                     // one alone
            QVERIFY(distance(model.laterLogits(rows[0], head, count)[0].unsqueeze(0), json::array({wanted[0]})) < kClose);  // of one row, from one head on
        }
        QVERIFY(!test::sentenceOf(ErrorKind::Internal, [&] { static_cast<void>(model.laterLogits(rows, 2, count + 1)); }).empty());
        QVERIFY(!test::sentenceOf(ErrorKind::Internal, [&] { static_cast<void>(model.laterLogits(rows, 1, 1)); }).empty());
    }

    // In eight bits heads are computed as the numbers that they are rounded to.
    void headsInEightBits()
    {
        const json numbers = json::parse(std::ifstream(BRAID_SOURCE_DIR "/tests/parity/token_heads_parity.json"))["models"]["independent"];
        weights::LmConfig config = weights::parseLmConfig(numbers["config"].dump(), {}, "parity");
        config.width = 64;
        weights::LmCheckpoint checkpoint = test::hashedLm("eight bits/", config);
        const weights::TensorStore given = checkpoint.tensors;
        const lm::DecoderLm model(checkpoint, {at::kCPU, at::kFloat, nn::WeightStorage::Int8});
        const std::vector<float> hashed = test::hashedNumbers("hidden", 2 * 64);
        const at::Tensor hidden = at::tensor(hashed).view({2, 64});
        const at::Tensor all = model.laterLogits(hidden, 2, config.token_heads.count);
        for (std::int64_t head = 2; head <= config.token_heads.count; ++head) {
            const at::Tensor weight = nn::tensorFrom(*given.peek("token_heads." + std::to_string(head) + ".weight"), {});
            const at::Tensor wanted = at::linear(hidden, nn::fromInt8(nn::toInt8(weight)));
            QVERIFY2(at::allclose(all[head - 2], wanted, 1e-4, 1e-4), qPrintable(QString::number(head)));
        }
    }

    // An adapter may bring a head of its own, as PEFT's "modules_to_save" has it; switched on, off and merged.
    void anAdapterReplacesAHead()
    {
        const json numbers = json::parse(std::ifstream(BRAID_SOURCE_DIR "/tests/parity/token_heads_parity.json"))["models"]["latent"];
        const weights::LmConfig config = weights::parseLmConfig(numbers["config"].dump(), {}, "parity");
        weights::LmCheckpoint checkpoint = test::hashedLm("adapted/", config);
        lm::DecoderLm model(checkpoint, {});
        weights::TensorStore tensors("adapter");
        const std::string layer = "base_model.model.model.layers.1.self_attn.o_proj";
        tensors.add(layer + ".lora_A.weight", test::hashedLmTensor("a/", "A", {2, config.heads * config.head_width}, 1));
        tensors.add(layer + ".lora_B.weight", test::hashedLmTensor("a/", "B", {config.width, 2}, 1));
        tensors.add("base_model.model.model.token_heads.3.weight", test::hashedLmTensor("a/", "head", {config.width, config.width}, 1));
        const json adapter = {{"peft_type", "LORA"}, {"r", 2}, {"lora_alpha", 2}, {"target_modules", {"1.self_attn.o_proj"}}, {"bias", "none"}};
        const at::Tensor row = hiddenOf(model, {1, 2, 3})[2];
        const at::Tensor before = model.laterLogits(row, 2, 4);
        model.weights().addAdapter(weights::parseLmAdapter(adapter.dump(), std::move(tensors), config, "adapter"));
        model.weights().useAdapter("adapter");
        const at::Tensor after = model.laterLogits(row, 2, 4);
        QVERIFY(at::equal(after[0], before[0]) && at::equal(after[2], before[2]));
        QVERIFY(!at::allclose(after[1], before[1], 1e-2, 1e-2));
        model.weights().useAdapter("");
        QVERIFY(at::equal(model.laterLogits(row, 2, 4), before));
        model.weights().mergeAdapter("adapter");
        QVERIFY(at::equal(model.laterLogits(row, 2, 4), after));
    }

    void damagedHeadsAreRefused_data()
    {
        QTest::addColumn<QString>("heads");
        QTest::addColumn<QString>("said");
        QTest::newRow("too many") << R"({"kind": "latent", "count": 7})"
                                  << "count";
        QTest::newRow("one is no further head") << R"({"kind": "latent", "count": 1})"
                                                << "count";
        QTest::newRow("of no kind") << R"({"count": 3})"
                                    << "kind";
        QTest::newRow("of another kind") << R"({"kind": "residual", "count": 3})"
                                         << "neither";
        QTest::newRow("with more to say") << R"({"kind": "latent", "count": 3, "bias": true})"
                                          << "bias";
        QTest::newRow("no table") << "[4]"
                                  << "braid_token_heads";
        QTest::newRow("more than there are weights for") << R"({"kind": "latent", "count": 4})"
                                                         << "token_heads.4.weight";
        QTest::newRow("fewer") << R"({"kind": "latent", "count": 2})"
                               << "token_heads.3.weight";
        QTest::newRow("weights of the other kind") << R"({"kind": "independent", "count": 3})"
                                                   << "shape";
        QTest::newRow("weights that nobody names") << "null"
                                                   << "token_heads";
    }
    void damagedHeadsAreRefused()
    {
        QFETCH(QString, heads);
        QFETCH(QString, said);
        const QTemporaryDir temporary;
        const fs::path folder = temporary.path().toStdString();
        test::writeSmallLmFolder(folder, test::SmallLmKind::Framed, 512, {weights::LmHeadKind::Latent, 3});
        QCOMPARE(weights::readLanguageModel(folder).config.token_heads, (weights::LmTokenHeads{weights::LmHeadKind::Latent, 3}));
        json config = json::parse(std::ifstream(folder / "config.json"));
        config["braid_token_heads"] = json::parse(heads.toStdString());
        std::ofstream(folder / "config.json") << config.dump();
        const std::string sentence = test::sentenceOf(ErrorKind::Model, [&] { static_cast<void>(weights::readLanguageModel(folder)); });
        QVERIFY2(sentence.find(said.toStdString()) != std::string::npos, sentence.c_str());
    }
};

QTEST_GUILESS_MAIN(tst_token_heads)
#include "tst_token_heads.moc"
