// Folders of language models and PEFT adapters read into one form; what is unknown, contradictory, incomplete or hostile gets a sentence.
#include <QTemporaryDir>
#include <QtTest>

#include <fstream>

#include "core/weights/huggingface_lm.h"
#include "core/weights/safetensors.h"
#include "tests/core/weights/tensor_checks.h"
#include "tests/support/error_sentence.h"
#include "tests/support/hashed_lm.h"

using namespace braid;
using namespace braid::weights;
using braid::test::sentenceOf;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

json llama()
{
    return {{"model_type", "llama"},  {"vocab_size", 50},         {"hidden_size", 16},        {"intermediate_size", 20},
            {"num_hidden_layers", 2}, {"num_attention_heads", 4}, {"num_key_value_heads", 2}, {"max_position_embeddings", 64},
            {"rms_norm_eps", 1e-5},   {"rope_theta", 500.0},      {"bos_token_id", 1},        {"eos_token_id", {2, 3}}};
}

json phi()
{
    json config = llama();
    config["model_type"] = "phi3";
    config["head_dim"] = 8;
    config["original_max_position_embeddings"] = 16;
    config["sliding_window"] = 9;
    return config;
}

LmConfig parsed(const json &config, const std::string &generation = {})
{
    return parseLmConfig(config.dump(), generation, "config.json");
}

std::string problem(const json &config)
{
    return sentenceOf(ErrorKind::Model, [&] { (void)parsed(config); });
}

json changed(json config, const json &changes)
{
    config.merge_patch(changes);
    return config;
}

// Tensors of a whole model under Hugging Face's names; Phi's fused.
TensorStore publishedTensors(const LmConfig &config)
{
    TensorStore store("published");
    for (const ExpectedTensor &tensor : expectedLmTensors(config)) {
        const bool fused =
            config.family == LmFamily::Phi3 && (tensor.name.find("k_proj") != std::string::npos || tensor.name.find("v_proj") != std::string::npos ||
                                                tensor.name.find("up_proj") != std::string::npos);
        if (fused) {
            continue;
        }
        std::string name = (tensor.name.starts_with("lm_head") ? "" : "model.") + tensor.name;
        std::vector<std::int64_t> shape = tensor.shape;
        if (const auto at = name.find("q_proj"); config.family == LmFamily::Phi3 && at != name.npos) {
            name.replace(at, 6, "qkv_proj");
            shape[0] += 2 * config.key_value_heads * config.head_width;
        }
        if (const auto at = name.find("gate_proj"); config.family == LmFamily::Phi3 && at != name.npos) {
            name.replace(at, 9, "gate_up_proj");
            shape[0] *= 2;
        }
        store.add(name, braid::test::hashedLmTensor("", name, shape, 1));
    }
    return store;
}

void writeText(const fs::path &path, const std::string &text)
{
    std::ofstream(path, std::ios::binary) << text;
}

TensorStore adapterTensors(const LmConfig &config, std::int64_t rank)
{
    TensorStore store("adapter");
    for (std::int64_t layer = 0; layer < config.layers; ++layer) {
        const std::string name = "base_model.model.model.layers." + std::to_string(layer) + ".self_attn.q_proj";
        store.add(name + ".lora_A.weight", braid::test::hashedLmTensor("", name + "A", {rank, config.width}, 1));
        store.add(name + ".lora_B.weight", braid::test::hashedLmTensor("", name + "B", {config.heads * config.head_width, rank}, 1));
    }
    return store;
}

json adapterConfig()
{
    return {{"peft_type", "LORA"}, {"r", 3}, {"lora_alpha", 6}, {"target_modules", {"q_proj", "gate_up_proj"}}, {"bias", "none"}, {"use_dora", false}};
}

}  // namespace

class tst_huggingface_lm : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void llamaOldAndNewWords()
    {
        const LmConfig old = parsed(llama(), R"({"eos_token_id": [3, 7]})");
        QCOMPARE(old.head_width, 4);
        QCOMPARE(old.rope.theta, 500.0);
        QCOMPARE(old.end_tokens, (std::vector<std::int32_t>{2, 3, 7}));
        QCOMPARE(old.begin_tokens, (std::vector<std::int32_t>{1}));
        QVERIFY(!old.tied_embeddings && !old.query_key_value_bias && !old.mlp_bias);
        QCOMPARE(old.windows, (std::vector<std::int64_t>{0, 0}));
    }

    void rotaryScalings()
    {
        const json base = changed(llama(), {{"head_dim", 8}});
        const json three = {
            {"rope_type", "llama3"}, {"factor", 8.0}, {"low_freq_factor", 1.0}, {"high_freq_factor", 4.0}, {"original_max_position_embeddings", 32}};
        QCOMPARE(parsed(changed(base, {{"rope_scaling", three}})).rope.scaling, RopeScaling::Llama3);
        const LmConfig five = parsed(changed(base, {{"rope_theta", nullptr}, {"rope_parameters", changed(three, {{"rope_theta", 77.0}})}}));
        QCOMPARE(five.rope.theta, 77.0);
        QCOMPARE(five.rope.original_context, 32);
        QCOMPARE(parsed(changed(base, {{"rope_scaling", {{"type", "linear"}, {"factor", 2.0}}}})).rope.factor, 2.0);

        // Phi: factors for half of the turned dimensions, the context of pretraining beside the table, the older names of the same.
        const json lists = {{"type", "su"}, {"short_factor", {1.0, 1.5, 2.0}}, {"long_factor", {2.0, 3.0, 4.0}}};
        const LmConfig long_rope = parsed(changed(phi(), {{"rope_scaling", lists}, {"partial_rotary_factor", 0.75}}));
        QCOMPARE(long_rope.rope.scaling, RopeScaling::LongRope);
        QCOMPARE(long_rope.rope.width, 6);
        QCOMPARE(long_rope.rope.attention_factor, std::sqrt(1 + std::log(4.0) / std::log(16.0)));
        QCOMPARE(long_rope.windows, (std::vector<std::int64_t>{9, 9}));

        QVERIFY(problem(changed(base, {{"rope_scaling", {{"type", "dynamic"}, {"factor", 2.0}}}})).find("dynamic") != std::string::npos);
        QVERIFY(problem(changed(base, {{"rope_scaling", {{"type", "yarn"}, {"factor", 2.0}}}})).find("yarn") != std::string::npos);
        QVERIFY(problem(changed(base, {{"rope_scaling", changed(three, {{"mystery", 1}})}})).find("mystery") != std::string::npos);
        QVERIFY(problem(changed(base, {{"rope_scaling", changed(three, {{"high_freq_factor", 0.5}})}})).find("high_freq_factor") != std::string::npos);
        QVERIFY(problem(changed(base, {{"rope_scaling", three}, {"rope_parameters", {{"rope_type", "default"}}}})).find("contradict") != std::string::npos);
        QVERIFY(problem(changed(phi(), {{"rope_scaling", lists}})).find("short_factor") != std::string::npos);  // three for four pairs
    }

    void familiesHaveTheirHabits()
    {
        const LmConfig gemma = parsed(changed(llama(), {{"model_type", "gemma2"},
                                                        {"hidden_activation", "gelu_pytorch_tanh"},
                                                        {"hidden_act", "gelu_pytorch_tanh"},
                                                        {"head_dim", 6},
                                                        {"sliding_window", 7},
                                                        {"query_pre_attn_scalar", 9},
                                                        {"attn_logit_softcapping", 50.0},
                                                        {"final_logit_softcapping", 30.0}}));
        QVERIFY(gemma.norm_adds_one && gemma.four_norms && gemma.tied_embeddings);
        QCOMPARE(gemma.windows, (std::vector<std::int64_t>{7, 0}));
        QCOMPARE(gemma.attention_scale, 1.0 / 3);
        QCOMPARE(gemma.activation, LmActivation::GeluTanh);
        QCOMPARE(gemma.embedding_scale, 4.0);

        const LmConfig qwen = parsed(changed(llama(), {{"model_type", "qwen2"}, {"sliding_window", 7}, {"use_sliding_window", false}}));
        QVERIFY(qwen.query_key_value_bias && !qwen.attention_out_bias);
        QCOMPARE(qwen.windows, (std::vector<std::int64_t>{0, 0}));
        const LmConfig sliding =
            parsed(changed(llama(), {{"model_type", "qwen2"}, {"sliding_window", 7}, {"use_sliding_window", true}, {"max_window_layers", 1}}));
        QCOMPARE(sliding.windows, (std::vector<std::int64_t>{0, 7}));

        const LmConfig streams = parsed(changed(llama(), {{"model_type", "qwen3"}, {"head_dim", 10}, {"num_channels", 5}}));
        QVERIFY(streams.head_norms);
        QCOMPARE(streams.streams, 5);
        QCOMPARE(parsed(changed(llama(), {{"model_type", "qwen3"}, {"num_channels", 5}, {"head_dim", 10}, {"channel_embedding_method", "none"}})).streams, 0);
    }

    void badConfigurations_data()
    {
        QTest::addColumn<QString>("changes");
        QTest::addColumn<QString>("words");
        const auto row = [](const char *name, const json &changes, const char *words) {
            QTest::newRow(name) << QString::fromStdString(changes.dump()) << QString(words);
        };
        row("other model", {{"model_type", "mamba"}}, "mamba");
        row("no kind", {{"model_type", nullptr}}, "which kind");
        row("quantised", {{"quantization_config", {{"bits", 4}}}}, "quantised");
        row("activation", {{"hidden_act", "relu2"}}, "relu2");
        row("heads do not share", {{"num_key_value_heads", 3}}, "share");
        row("no head width", {{"hidden_size", 13}}, "head_dim");
        row("odd head", {{"head_dim", 5}}, "even");
        row("text for a number", {{"hidden_size", "12"}}, "hidden_size");
        row("negative", {{"num_hidden_layers", -1}}, "num_hidden_layers");
        row("huge", {{"vocab_size", 1e18}}, "vocab_size");
        row("infinite epsilon", {{"rms_norm_eps", 1e300}}, "rms_norm_eps");
        row("end outside", {{"eos_token_id", 50}}, "eos_token_id");
        row("layer kinds", {{"layer_types", {"full_attention", "linear_attention"}}}, "attention");
        row("layer kinds too few", {{"layer_types", json::array({"full_attention"})}}, "layer_types");
        row("slides without window", {{"layer_types", {"full_attention", "sliding_attention"}}}, "sliding_window");
        row("stream embedding", {{"channel_embedding_method", "concat"}}, "channel_embedding_method");
    }
    void badConfigurations()
    {
        QFETCH(QString, changes);
        QFETCH(QString, words);
        const json base = changed(llama(), {{"head_dim", 4}});
        const json patch = json::parse(changes.toStdString());
        const json config = patch.contains("hidden_size") && patch["hidden_size"] == 13 ? changed(llama(), patch) : changed(base, patch);
        const QString sentence = QString::fromStdString(problem(config));
        QVERIFY2(sentence.contains(words), qPrintable(sentence));
    }

    void folderOfShardsAndFusedTensors()
    {
        QTemporaryDir temporary;
        const fs::path folder = temporary.path().toStdString();
        writeText(folder / "config.json", phi().dump());
        QVERIFY(isLanguageModel(folder));
        const LmConfig config = readLmConfig(folder);
        const TensorStore published = publishedTensors(config);
        // Two shards and their index.
        TensorStore shards[2] = {TensorStore("a"), TensorStore("b")};
        json map = json::object();
        std::size_t next = 0;
        for (const std::string &name : published.names()) {
            shards[next % 2].add(name, *published.peek(name));
            map[name] = next % 2 == 0 ? "model-1.safetensors" : "model-2.safetensors";
            ++next;
        }
        writeSafetensors(folder / "model-1.safetensors", shards[0]);
        writeSafetensors(folder / "model-2.safetensors", shards[1]);
        writeText(folder / "model.safetensors.index.json", json{{"metadata", json::object()}, {"weight_map", map}}.dump());
        const LmCheckpoint checkpoint = readLanguageModel(folder);
        const auto numbers = [](const StoredTensor *tensor) { return braid::test::numbersOf(*tensor); };
        const std::vector<double> fused = numbers(published.peek("model.layers.1.self_attn.qkv_proj.weight"));
        const std::vector<double> keys = numbers(checkpoint.tensors.peek("layers.1.self_attn.k_proj.weight"));
        const std::size_t begin = static_cast<std::size_t>(config.heads * config.head_width * config.width);
        QVERIFY(std::equal(keys.begin(), keys.end(), fused.begin() + static_cast<std::ptrdiff_t>(begin)));
        const std::vector<double> gate_up = numbers(published.peek("model.layers.0.mlp.gate_up_proj.weight"));
        const std::vector<double> up = numbers(checkpoint.tensors.peek("layers.0.mlp.up_proj.weight"));
        QVERIFY(std::equal(up.begin(), up.end(), gate_up.begin() + static_cast<std::ptrdiff_t>(up.size())));
    }

    void incompleteAndForeignTensors()
    {
        const LmConfig config = parsed(changed(phi(), {{"tie_word_embeddings", true}}));
        const auto settle = [&config](TensorStore &store) { return sentenceOf(ErrorKind::Model, [&] { settleLmTensors(store, config); }); };
        TensorStore whole = publishedTensors(config);
        QCOMPARE(settle(whole), std::string());

        TensorStore missing = publishedTensors(config);
        missing.remove("model.norm.weight");
        QVERIFY(settle(missing).find("norm.weight") != std::string::npos);
        TensorStore foreign = publishedTensors(config);
        foreign.add("model.layers.2.input_layernorm.weight", braid::test::hashedLmTensor("", "x", {12}, 1));
        QVERIFY(settle(foreign).find("layers.2") != std::string::npos);
        TensorStore narrow = publishedTensors(config);
        narrow.remove("model.layers.0.self_attn.qkv_proj.weight");
        narrow.add("model.layers.0.self_attn.qkv_proj.weight", braid::test::hashedLmTensor("", "x", {63, 12}, 1));
        QVERIFY(settle(narrow).find("fused") != std::string::npos);
        // Tied, but stored again: the same is dropped, another refused.
        TensorStore twice = publishedTensors(config);
        twice.add("lm_head.weight", *twice.peek("model.embed_tokens.weight"));
        QCOMPARE(settle(twice), std::string());
        TensorStore other = publishedTensors(config);
        other.add("lm_head.weight", braid::test::hashedLmTensor("", "y", {50, 12}, 1));
        QVERIFY(settle(other).find("tied") != std::string::npos);
        TensorStore whole_numbers = publishedTensors(config);
        StoredTensor integers = *whole_numbers.peek("model.norm.weight");
        whole_numbers.remove("model.norm.weight");
        integers.dtype = DType::Int32;
        whole_numbers.add("model.norm.weight", integers);
        QVERIFY(settle(whole_numbers).find("floating point") != std::string::npos);
    }

    void adapters()
    {
        const LmConfig config = parsed(changed(llama(), {{"head_dim", 4}}));
        const auto read = [&config](const json &settings, TensorStore tensors) {
            return parseLmAdapter(settings.dump(), std::move(tensors), config, "adapter");
        };
        const LmAdapter plain = read(adapterConfig(), adapterTensors(config, 3));
        QCOMPARE(plain.layers.size(), std::size_t{2});
        QCOMPARE(plain.layers.at("layers.1.self_attn.q_proj").scale, 2.0);
        QCOMPARE(read(changed(adapterConfig(), {{"use_rslora", true}}), adapterTensors(config, 3)).layers.at("layers.0.self_attn.q_proj").scale,
                 6 / std::sqrt(3.0));

        const auto problemOf = [&](const json &settings, std::int64_t rank) {
            return sentenceOf(ErrorKind::Model, [&] { (void)read(settings, adapterTensors(config, rank)); });
        };
        QVERIFY(problemOf(adapterConfig(), 4).find("lora_A") != std::string::npos);
        QVERIFY(problemOf(changed(adapterConfig(), {{"use_dora", true}}), 3).find("use_dora") != std::string::npos);
        QVERIFY(problemOf(changed(adapterConfig(), {{"peft_type", "IA3"}}), 3).find("LoRA") != std::string::npos);
        QVERIFY(problemOf(changed(adapterConfig(), {{"target_modules", {"k_proj"}}}), 3).find("target_modules") != std::string::npos);
        QVERIFY(problemOf(changed(adapterConfig(), {{"target_modules", {"q_proj", "o_proj"}}}), 3).find("o_proj") != std::string::npos);
        QVERIFY(problemOf(changed(adapterConfig(), {{"rank_pattern", {{"q_.*", 3}}}}), 3).find("regular expression") != std::string::npos);

        TensorStore foreign = adapterTensors(config, 3);
        foreign.add("base_model.model.model.layers.9.self_attn.q_proj.bias", braid::test::hashedLmTensor("", "x", {16}, 1));
        QVERIFY(sentenceOf(ErrorKind::Model, [&] { (void)read(adapterConfig(), foreign); }).find("layers.9") != std::string::npos);
        TensorStore half = adapterTensors(config, 3);
        half.remove("base_model.model.model.layers.0.self_attn.q_proj.lora_B.weight");
        QVERIFY(!sentenceOf(ErrorKind::Model, [&] { (void)read(adapterConfig(), half); }).empty());
        QVERIFY(!sentenceOf(ErrorKind::Model, [&] { (void)read(adapterConfig(), TensorStore("empty")); }).empty());
    }
};

QTEST_GUILESS_MAIN(tst_huggingface_lm)
#include "tst_huggingface_lm.moc"
