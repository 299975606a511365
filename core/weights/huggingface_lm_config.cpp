#include <algorithm>
#include <cmath>
#include <optional>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/strict_json.h"
#include "core/weights/config_table.h"
#include "core/weights/gguf_lm.h"
#include "core/weights/huggingface_lm.h"

namespace braid::weights {
namespace fs = std::filesystem;
namespace {

using nlohmann::json;

constexpr std::size_t kMaxConfigBytes = 4u << 20;
constexpr std::int64_t kMaxContext = std::int64_t{1} << 26;

constexpr std::pair<LmFamily, std::string_view> kFamilies[] = {
    {LmFamily::Llama, "llama"}, {LmFamily::Qwen2, "qwen2"}, {LmFamily::Qwen3, "qwen3"}, {LmFamily::Gemma2, "gemma2"}, {LmFamily::Phi3, "phi3"}};

std::optional<LmFamily> familyOf(const json &config)
{
    const auto kind = config.is_object() ? config.find("model_type") : config.end();
    if (!config.is_object() || kind == config.end() || !kind->is_string()) {
        return std::nullopt;
    }
    for (const auto &[family, name] : kFamilies) {
        if (kind->get_ref<const std::string &>() == name) {
            return family;
        }
    }
    return std::nullopt;
}

void readSizes(const ConfigTable &config, LmConfig &model)
{
    model.vocabulary = config.whole("vocab_size", 2, 1 << 22);
    model.width = config.whole("hidden_size", 2, 1 << 17);
    model.mlp_width = config.whole("intermediate_size", 1, 1 << 20);
    model.layers = config.whole("num_hidden_layers", 1, 1024);
    model.heads = config.whole("num_attention_heads", 1, 1024);
    model.key_value_heads = config.wholeOr("num_key_value_heads", model.heads, 1, 1024);
    model.context = config.whole("max_position_embeddings", 1, kMaxContext);
    model.norm_epsilon = config.number("rms_norm_eps", 0, 1);
    if (model.heads % model.key_value_heads != 0) {
        config.refuse("its " + std::to_string(model.heads) + " attention heads cannot share " + std::to_string(model.key_value_heads) +
                      " key and value heads evenly");
    }
    if (config.has("head_dim")) {
        model.head_width = config.whole("head_dim", 2, 4096);
    } else if (model.width % model.heads == 0) {
        model.head_width = model.width / model.heads;
    } else {
        config.refuse("\"hidden_size\" is not a multiple of \"num_attention_heads\", and there is no \"head_dim\"");
    }
    model.attention_scale = 1.0 / std::sqrt(static_cast<double>(model.head_width));
    model.windows.assign(static_cast<std::size_t>(model.layers), 0);
}

LmActivation activationOf(const ConfigTable &config, LmFamily family)
{
    // Gemma 2 has both keys at times; "hidden_activation" is the one that counts.
    const char *key = family == LmFamily::Gemma2 && config.has("hidden_activation") ? "hidden_activation" : "hidden_act";
    const std::string name = config.textOr(key, family == LmFamily::Gemma2 ? "gelu_pytorch_tanh" : "silu");
    if (name == "silu" || name == "swish") {
        return LmActivation::Silu;
    }
    if (name == "gelu_pytorch_tanh") {
        return LmActivation::GeluTanh;
    }
    config.refuse("its activation \"" + name.substr(0, 60) + "\" is unknown to this program");
}

void readLayerWindows(const ConfigTable &config, LmConfig &model)
{
    const bool qwen = model.family == LmFamily::Qwen2 || model.family == LmFamily::Qwen3;
    const bool may_slide = qwen ? config.flagOr("use_sliding_window", false) : model.family != LmFamily::Llama;
    const std::int64_t window = may_slide ? config.wholeOr("sliding_window", 0, 0, kMaxContext) : 0;
    if (config.has("layer_types")) {
        const json &types = config.value("layer_types");
        if (!types.is_array() || types.size() != model.windows.size()) {
            config.refuse("\"layer_types\" is not a list with one entry for each layer");
        }
        for (std::size_t layer = 0; layer < types.size(); ++layer) {
            if (types[layer] == "sliding_attention") {
                if (window == 0 && model.family != LmFamily::Gemma2) {
                    config.refuse("\"layer_types\" names a sliding layer, but no \"sliding_window\" is in use");
                }
                model.windows[layer] = window;
            } else if (types[layer] != "full_attention") {
                config.refuse("\"layer_types\" holds a kind of attention this program does not know");
            }
        }
        return;
    }
    const std::int64_t first_sliding = qwen ? config.wholeOr("max_window_layers", 28, 0, 1 << 20) : 0;
    for (std::int64_t layer = 0; layer < model.layers; ++layer) {
        const bool slides = model.family == LmFamily::Gemma2 ? layer % 2 == 0 : layer >= first_sliding;
        model.windows[static_cast<std::size_t>(layer)] = slides ? window : 0;
    }
}

void readLongRope(const ConfigTable &rope, const ConfigTable &config, LmConfig &model)
{
    RopeConfig &out = model.rope;
    const auto count = static_cast<std::size_t>(out.width / 2);
    out.scaling = RopeScaling::LongRope;
    out.short_factors = rope.numbers("short_factor", count, 1e-6, 1e9);
    out.long_factors = rope.numbers("long_factor", count, 1e-6, 1e9);
    // Phi keeps it beside the table, newer files within.
    const ConfigTable &holder = rope.has("original_max_position_embeddings") ? rope : config;
    out.original_context = holder.whole("original_max_position_embeddings", 2, kMaxContext);
    const double factor = rope.numberOr("factor", static_cast<double>(model.context) / static_cast<double>(out.original_context), 1e-6, 1e9);
    const double usual = factor <= 1 ? 1 : std::sqrt(1 + std::log(factor) / std::log(static_cast<double>(out.original_context)));
    out.attention_factor = rope.numberOr("attention_factor", usual, 1e-6, 1e6);
}

void readLlama3Rope(const ConfigTable &rope, RopeConfig &out)
{
    out.scaling = RopeScaling::Llama3;
    out.factor = rope.number("factor", 1, 1e6);
    out.low_frequency_factor = rope.number("low_freq_factor", 1e-6, 1e6);
    out.high_frequency_factor = rope.number("high_freq_factor", 1e-6, 1e6);
    out.original_context = rope.whole("original_max_position_embeddings", 2, kMaxContext);
    if (out.high_frequency_factor <= out.low_frequency_factor) {
        rope.refuse("\"high_freq_factor\" is not above \"low_freq_factor\"");
    }
}

// Version 4 of transformers: "rope_theta" and "rope_scaling"; version 5: all in "rope_parameters".
void readRope(const ConfigTable &config, const std::string &where, LmConfig &model)
{
    static const json kNothing = json::object();
    const char *key = config.has("rope_parameters") ? "rope_parameters" : "rope_scaling";
    if (config.has("rope_parameters") && config.has("rope_scaling") && config.value("rope_parameters") != config.value("rope_scaling")) {
        config.refuse("\"rope_parameters\" and \"rope_scaling\" contradict each other");
    }
    const ConfigTable rope(config.has(key) ? config.value(key) : kNothing, where + ", \"" + key + "\"");
    rope.requireOnly({"rope_type", "type", "rope_theta", "partial_rotary_factor", "factor", "low_freq_factor", "high_freq_factor",
                      "original_max_position_embeddings", "short_factor", "long_factor", "attention_factor"});

    RopeConfig &out = model.rope;
    const double usual_theta = model.family == LmFamily::Qwen2 || model.family == LmFamily::Qwen3 ? 1e6 : 10000;
    out.theta = rope.has("rope_theta") ? rope.number("rope_theta", 1, 1e12) : config.numberOr("rope_theta", usual_theta, 1, 1e12);
    const ConfigTable &part = rope.has("partial_rotary_factor") ? rope : config;
    const double share = model.family == LmFamily::Phi3 || rope.has("partial_rotary_factor") ? part.numberOr("partial_rotary_factor", 1, 1e-3, 1) : 1;
    out.width = static_cast<std::int64_t>(static_cast<double>(model.head_width) * share);
    if (out.width < 2 || out.width % 2 != 0) {
        config.refuse("the part of each head that is rotated is not an even number of dimensions");
    }

    std::string kind = rope.textOr("rope_type", rope.textOr("type", "default"));
    if (model.family == LmFamily::Phi3 && (kind == "su" || kind == "yarn")) {
        kind = "longrope";  // older names of the same; the lists of factors must be there
    }
    if (kind == "linear") {
        out.scaling = RopeScaling::Linear;
        out.factor = rope.number("factor", 1e-6, 1e6);
    } else if (kind == "llama3") {
        readLlama3Rope(rope, out);
    } else if (kind == "longrope") {
        readLongRope(rope, config, model);
    } else if (kind != "default") {
        config.refuse("its way of scaling rotary positions, \"" + kind.substr(0, 60) + "\", is unknown to this program");
    }
    if (kind != "longrope" && (rope.has("short_factor") || rope.has("long_factor"))) {
        config.refuse("it has lists of rotary factors that its kind of scaling does not use");
    }
}

void readHabits(const ConfigTable &config, LmConfig &model)
{
    switch (model.family) {
    case LmFamily::Llama:
        model.query_key_value_bias = model.attention_out_bias = config.flagOr("attention_bias", false);
        model.mlp_bias = config.flagOr("mlp_bias", false);
        break;
    case LmFamily::Qwen2:
        model.query_key_value_bias = true;
        break;
    case LmFamily::Qwen3:
        model.head_norms = true;
        model.query_key_value_bias = model.attention_out_bias = config.flagOr("attention_bias", false);
        break;
    case LmFamily::Gemma2:
        model.norm_adds_one = model.four_norms = true;
        model.query_key_value_bias = model.attention_out_bias = config.flagOr("attention_bias", false);
        model.embedding_scale = std::sqrt(static_cast<double>(model.width));
        model.attention_scale = 1.0 / std::sqrt(config.numberOr("query_pre_attn_scalar", 256, 1e-6, 1e6));
        model.attention_softcap = config.numberOr("attn_logit_softcapping", 0, 0, 1e6);
        model.output_softcap = config.numberOr("final_logit_softcapping", 0, 0, 1e6);
        break;
    case LmFamily::Phi3:
        break;
    }
    model.tied_embeddings = config.flagOr("tie_word_embeddings", model.family == LmFamily::Gemma2);
    if (config.flagOr("use_bidirectional_attention", false)) {
        config.refuse("it looks at what comes after, so it cannot write");
    }
}

// The stream embedding of parallel-stream models (streaming-llm.md 2.1).
void readStreams(const ConfigTable &config, LmConfig &model)
{
    const std::string method = config.textOr("channel_embedding_method", "additive");
    const std::int64_t streams = config.wholeOr("num_channels", 0, 0, 1024);
    if (method == "additive") {
        model.streams = streams;
    } else if (method != "none") {
        config.refuse("its \"channel_embedding_method\" is unknown to this program");
    }
}

void readTokenHeads(const ConfigTable &config, const std::string &where, LmConfig &model)
{
    if (!config.has("braid_token_heads")) {
        return;
    }
    const ConfigTable table(config.value("braid_token_heads"), where + ", \"braid_token_heads\"");
    table.requireOnly({"kind", "count"});
    model.token_heads.count = table.whole("count", 2, kMostTokenHeads);
    const std::optional<LmHeadKind> kind = headKindNamed(table.text("kind"));
    if (!kind) {
        table.refuse("\"kind\" is neither \"latent\" nor \"independent\"");
    }
    model.token_heads.kind = *kind;
}

std::string languageCode(const ConfigTable &config, const char *key)
{
    const std::string code = config.text(key);
    if (code.empty() || code.size() > 16 ||
        !std::all_of(code.begin(), code.end(), [](unsigned char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-'; })) {
        config.refuse(std::string("\"") + key + "\" is no language code");
    }
    return code;
}

void readTranslation(const ConfigTable &config, const std::string &where, LmConfig &model)
{
    if (!config.has("braid_translation")) {
        return;
    }
    const ConfigTable table(config.value("braid_translation"), where + ", \"braid_translation\"");
    table.requireOnly({"source", "target", "phi"});
    LmTranslation &translation = model.translation.emplace();
    translation.source = languageCode(table, "source");
    translation.target = languageCode(table, "target");
    if (table.has("phi")) {
        const json &offsets = table.value("phi");
        constexpr std::size_t kMostOffsets = 16;
        if (!offsets.is_array() || offsets.empty() || offsets.size() > kMostOffsets) {
            table.refuse("\"phi\" is not a list of 1 to 16 numbers");
        }
        translation.phi = table.numbers("phi", offsets.size(), 0, static_cast<double>(kMaxContext));
    }
}

}  // namespace

std::string_view familyName(LmFamily family) noexcept
{
    for (const auto &[known, name] : kFamilies) {
        if (known == family) {
            return name;
        }
    }
    return "unknown";
}

std::string_view headKindName(LmHeadKind kind) noexcept
{
    return kind == LmHeadKind::Latent ? "latent" : "independent";
}

std::optional<LmHeadKind> headKindNamed(std::string_view name) noexcept
{
    for (const LmHeadKind kind : {LmHeadKind::Latent, LmHeadKind::Independent}) {
        if (name == headKindName(kind)) {
            return kind;
        }
    }
    return std::nullopt;
}

LmConfig parseLmConfig(std::string_view config_text, std::string_view generation_text, const std::string &where)
{
    const json parsed = parseStrictJson(config_text, where);
    const ConfigTable config(parsed, where);
    const auto family = familyOf(parsed);
    if (!family) {
        const std::string kind = config.has("model_type") ? config.text("model_type").substr(0, 60) : std::string();
        throw Error(ErrorKind::Model,
                    kind.empty() ? "it does not say which kind of model it is" : "its kind of model, \"" + kind + "\", is none this program can run", where,
                    "Llama 3, Qwen2, Qwen3, Gemma 2 and Phi-3 models are supported");
    }
    if (config.has("quantization_config")) {
        throw Error(ErrorKind::Model, "the model is quantised", where, "Use the model in float32, float16 or bfloat16");
    }
    LmConfig model;
    model.family = *family;
    readSizes(config, model);
    model.activation = activationOf(config, model.family);
    readHabits(config, model);
    readLayerWindows(config, model);
    readRope(config, where, model);
    readStreams(config, model);
    readTokenHeads(config, where, model);
    readTranslation(config, where, model);
    model.end_tokens = config.ids("eos_token_id", model.vocabulary);
    model.begin_tokens = config.ids("bos_token_id", model.vocabulary);
    if (!generation_text.empty()) {
        const json generation = parseStrictJson(generation_text, "generation_config.json beside " + where);
        for (const std::int32_t id : ConfigTable(generation, "generation_config.json beside " + where).ids("eos_token_id", model.vocabulary)) {
            if (std::find(model.end_tokens.begin(), model.end_tokens.end(), id) == model.end_tokens.end()) {
                model.end_tokens.push_back(id);
            }
        }
    }
    if (model.begin_tokens.size() > 1) {
        config.refuse("\"bos_token_id\" names more than one token");
    }
    return model;
}

LmConfig readLmConfig(const fs::path &folder)
{
    if (isGguf(folder)) {
        return ggufConfig(GgufFile(folder));
    }
    const fs::path path = folder / "config.json";
    if (!fs::exists(path)) {
        throw Error(ErrorKind::Model, "there is no config.json in this folder", folder.string(), "Choose the folder of a Hugging Face language model");
    }
    const fs::path generation = folder / "generation_config.json";
    return parseLmConfig(readTextFile(path, kMaxConfigBytes), fs::exists(generation) ? readTextFile(generation, kMaxConfigBytes) : std::string(),
                         path.string());
}

bool isLanguageModel(const fs::path &folder) noexcept
{
    try {
        if (!fs::is_directory(folder)) {
            return isGguf(folder);
        }
        const fs::path path = folder / "config.json";
        return fs::exists(path) && familyOf(parseStrictJson(readTextFile(path, kMaxConfigBytes), path.string())).has_value();
    } catch (const std::exception &) {
        return false;
    }
}

}  // namespace braid::weights
