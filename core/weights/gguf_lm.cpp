#include "core/weights/gguf_lm.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/weights/huggingface_lm.h"

namespace braid::weights {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 5> kFamilies = {"llama", "qwen2", "qwen3", "gemma2", "phi3"};  // as GGUF and as config.json call them

std::string familyOf(const GgufFile &file)
{
    const std::string family(file.text("general.architecture").value_or(""));
    if (std::find(kFamilies.begin(), kFamilies.end(), family) == kFamilies.end()) {
        throw Error(ErrorKind::Model,
                    family.empty() ? "it does not say which kind of model it is"
                                   : "its kind of model, \"" + family.substr(0, 60) + "\", is none this program can run",
                    file.where(), "Llama 3, Qwen2, Qwen3, Gemma 2 and Phi-3 models are supported");
    }
    return family;
}

std::int64_t need(const GgufFile &file, const std::string &key)
{
    const auto value = file.whole(key);
    if (!value) {
        file.refuse("its metadata lacks \"" + key + "\"");
    }
    return *value;
}

const StoredTensor &need(const GgufFile &file, const char *name, std::size_t dimensions)
{
    const StoredTensor *tensor = file.tensors().peek(name);
    if (tensor == nullptr || tensor->shape.size() != dimensions) {
        file.refuse(std::string("the tensor \"") + name + "\" is missing or has another shape than it should");
    }
    return *tensor;
}

// The file's values under config.json's names.
json configOf(const GgufFile &file, const std::string &family)
{
    const std::string own = family + ".";
    const auto &tensors = file.tensors();
    json config = {{"model_type", family},
                   {"vocab_size", need(file, "token_embd.weight", 2).shape[0]},
                   {"hidden_size", need(file, own + "embedding_length")},
                   {"intermediate_size", need(file, own + "feed_forward_length")},
                   {"num_hidden_layers", need(file, own + "block_count")},
                   {"num_attention_heads", need(file, own + "attention.head_count")},
                   {"max_position_embeddings", need(file, own + "context_length")},
                   {"rms_norm_eps", file.number(own + "attention.layer_norm_rms_epsilon").value_or(-1)},
                   {"tie_word_embeddings", !tensors.contains("output.weight")},
                   {"attention_bias", tensors.contains("blk.0.attn_output.bias")},
                   {"mlp_bias", tensors.contains("blk.0.ffn_down.bias")},
                   {"rope_theta", file.number(own + "rope.freq_base").value_or(10000)}};
    const auto wholeIfThere = [&](const char *theirs, const char *ours) {
        if (const auto value = file.whole(own + theirs)) {
            config[ours] = *value;
        }
    };
    const auto numberIfThere = [&](const char *theirs, const char *ours) {
        if (const auto value = file.number(own + theirs)) {
            config[ours] = *value;
        }
    };
    wholeIfThere("attention.head_count_kv", "num_key_value_heads");
    wholeIfThere("attention.key_length", "head_dim");
    wholeIfThere("attention.sliding_window", "sliding_window");
    numberIfThere("attn_logit_softcapping", "attn_logit_softcapping");
    numberIfThere("final_logit_softcapping", "final_logit_softcapping");
    if (family == "gemma2") {  // GGUF does not say; llama.cpp tells the largest by its layers
        constexpr std::int64_t kLayersOfTheLargest = 46;
        const std::int64_t heads = std::max<std::int64_t>(1, config["num_attention_heads"].get<std::int64_t>());
        const bool largest = config["num_hidden_layers"] == kLayersOfTheLargest;
        config["query_pre_attn_scalar"] =
            largest || !config.contains("head_dim") ? config["hidden_size"].get<std::int64_t>() / heads : config["head_dim"].get<std::int64_t>();
    }
    json ends = json::array();
    for (const char *key : {"tokenizer.ggml.eos_token_id", "tokenizer.ggml.eot_token_id"}) {
        if (const auto id = file.whole(key); id && std::find(ends.begin(), ends.end(), *id) == ends.end()) {
            ends.push_back(*id);
        }
    }
    config["eos_token_id"] = ends;
    if (const auto begin = file.whole("tokenizer.ggml.bos_token_id")) {
        config["bos_token_id"] = *begin;
    }
    return config;
}

std::vector<double> factorsOf(const GgufFile &file, const std::string &name, std::int64_t count)
{
    const StoredTensor &tensor = need(file, name.c_str(), 1);
    if (tensor.dtype != DType::Float32 || tensor.shape[0] != count) {
        file.refuse("the tensor \"" + name + "\" is not " + std::to_string(count) + " numbers of float32");
    }
    std::vector<double> factors;
    for (std::int64_t i = 0; i < count; ++i) {
        float factor = 0;
        std::memcpy(&factor, tensor.bytes.data() + i * static_cast<std::int64_t>(sizeof factor), sizeof factor);
        if (!(factor >= 1e-6F && factor <= 1e9F)) {
            file.refuse("the tensor \"" + name + "\" has an impossible factor");
        }
        factors.push_back(static_cast<double>(factor));
    }
    return factors;
}

void readRope(const GgufFile &file, const std::string &family, LmConfig &config)
{
    RopeConfig &rope = config.rope;
    const std::string own = family + ".rope.";
    rope.width = file.whole(own + "dimension_count").value_or(config.head_width);
    if (rope.width < 2 || rope.width > config.head_width || rope.width % 2 != 0) {
        file.refuse("the part of each head that is rotated, " + std::to_string(rope.width) + " dimensions, is impossible");
    }
    const std::string kind(file.text(own + "scaling.type").value_or("none"));
    const auto factor = file.number(own + "scaling.factor");
    if (kind == "linear" && factor) {
        if (!(*factor >= 1e-6 && *factor <= 1e6)) {
            file.refuse("its factor of rotary scaling is impossible");
        }
        rope.scaling = RopeScaling::Linear;
        rope.factor = *factor;
    } else if (kind != "none" && kind != "linear" && kind != "longrope") {
        file.refuse("its way of scaling rotary positions, \"" + kind.substr(0, 60) + "\", is unknown to this program");
    }
    const bool long_reach = file.tensors().contains("rope_factors_long.weight");
    if (!long_reach && !file.tensors().contains("rope_freqs.weight")) {
        return;
    }
    // Llama 3's factors are those of every position.
    rope.scaling = RopeScaling::LongRope;
    rope.short_factors = factorsOf(file, long_reach ? "rope_factors_short.weight" : "rope_freqs.weight", rope.width / 2);
    rope.long_factors = long_reach ? factorsOf(file, "rope_factors_long.weight", rope.width / 2) : rope.short_factors;
    rope.original_context = long_reach ? file.whole(own + "scaling.original_context_length").value_or(config.context) : config.context;
    const double stretch = static_cast<double>(config.context) / static_cast<double>(std::max<std::int64_t>(1, rope.original_context));
    if (rope.original_context < 2 || stretch < 1) {
        file.refuse("its original context is impossible");
    }
    const double usual = !long_reach || stretch <= 1 ? 1 : std::sqrt(1 + std::log(stretch) / std::log(static_cast<double>(rope.original_context)));
    rope.attention_factor = file.number(own + "scaling.attn_factor").value_or(usual);
    if (!(rope.attention_factor >= 1e-6 && rope.attention_factor <= 1e6)) {
        file.refuse("its factor of attention is impossible");
    }
}

// What stands behind "blk.N.": the same under transformers' name; empty for an unknown one.
std::string layerPart(std::string_view part, LmFamily family)
{
    using Names = std::pair<std::string_view, std::string_view>;
    static constexpr Names kNames[] = {{"attn_q", "self_attn.q_proj"},
                                       {"attn_k", "self_attn.k_proj"},
                                       {"attn_v", "self_attn.v_proj"},
                                       {"attn_output", "self_attn.o_proj"},
                                       {"attn_qkv", "self_attn.qkv_proj"},
                                       {"attn_q_norm", "self_attn.q_norm"},
                                       {"attn_k_norm", "self_attn.k_norm"},
                                       {"attn_norm", "input_layernorm"},
                                       {"ffn_gate", "mlp.gate_proj"},
                                       {"ffn_down", "mlp.down_proj"},
                                       {"ffn_up", "mlp.up_proj"},
                                       {"ffn_norm", "post_attention_layernorm"},
                                       {"post_attention_norm", "post_attention_layernorm"},
                                       {"post_ffw_norm", "post_feedforward_layernorm"}};
    const auto dot = part.rfind('.');
    if (dot == part.npos || (part.substr(dot) != ".weight" && part.substr(dot) != ".bias")) {
        return {};
    }
    const std::string_view stem = part.substr(0, dot);
    if (family == LmFamily::Gemma2 && stem == "ffn_norm") {
        return "pre_feedforward_layernorm" + std::string(part.substr(dot));
    }
    if (family == LmFamily::Phi3 && stem == "ffn_up") {
        return "mlp.gate_up_proj" + std::string(part.substr(dot));
    }
    const auto found = std::find_if(std::begin(kNames), std::end(kNames), [&](const Names &names) { return names.first == stem; });
    return found == std::end(kNames) ? std::string() : std::string(found->second) + std::string(part.substr(dot));
}

std::string plainName(const std::string &name, LmFamily family)
{
    if (name == "token_embd.weight") {
        return "embed_tokens.weight";
    }
    if (name == "output_norm.weight") {
        return "norm.weight";
    }
    if (name == "output.weight") {
        return "lm_head.weight";
    }
    constexpr std::string_view kLayer = "blk.";
    const auto dot = name.find('.', kLayer.size());
    if (!name.starts_with(kLayer) || dot == name.npos) {
        return {};
    }
    const std::string part = layerPart(std::string_view(name).substr(dot + 1), family);
    return part.empty() ? part : "layers." + name.substr(kLayer.size(), dot - kLayer.size()) + "." + part;
}

// Rows 0, 1, 2, 3, ... of a head in the file are 0, half, 1, half + 1, ... of the model's.
StoredTensor unpaired(const StoredTensor &tensor, std::int64_t head_width, const std::string &name, const GgufFile &file)
{
    if (tensor.shape[0] % head_width != 0 || head_width % 2 != 0) {
        file.refuse("the rows of the tensor \"" + name + "\" are no whole heads");
    }
    const std::size_t row = tensor.bytes.size() / static_cast<std::size_t>(tensor.shape[0]);
    auto sorted = std::make_shared<std::vector<std::byte>>(tensor.bytes.size());
    for (std::int64_t to = 0; to < tensor.shape[0]; ++to) {
        const std::int64_t in_head = to % head_width;
        const std::int64_t from = to - in_head + 2 * (in_head % (head_width / 2)) + in_head / (head_width / 2);
        std::copy_n(tensor.bytes.begin() + from * static_cast<std::int64_t>(row), row, sorted->begin() + to * static_cast<std::int64_t>(row));
    }
    return {tensor.dtype, tensor.shape, *sorted, sorted};
}

}  // namespace

LmConfig ggufConfig(const GgufFile &file)
{
    const std::string family = familyOf(file);
    if (file.whole(family + ".expert_count").value_or(0) > 0) {
        file.refuse("it is a mixture of experts, which this program cannot run");
    }
    LmConfig config = parseLmConfig(configOf(file, family).dump(), {}, file.where());
    config.norm_adds_one = false;  // the converter has added it
    if (config.family == LmFamily::Llama) {
        config.query_key_value_bias = file.tensors().contains("blk.0.attn_q.bias");
    }
    readRope(file, family, config);
    return config;
}

LmCheckpoint readGgufLanguageModel(const GgufFile &file)
{
    LmCheckpoint checkpoint(file.where());
    checkpoint.config = ggufConfig(file);
    const LmFamily family = checkpoint.config.family;
    for (const std::string &name : file.tensors().names()) {
        if (name.starts_with("rope_f") && name.ends_with(".weight")) {
            continue;  // read with the configuration
        }
        const std::string ours = plainName(name, family);
        if (ours.empty()) {
            file.refuse("the tensor \"" + name + "\" has no place in a " + std::string(familyName(family)) + " model");
        }
        const StoredTensor &tensor = *file.tensors().peek(name);
        const bool paired = family == LmFamily::Llama && (ours.find(".q_proj.") != ours.npos || ours.find(".k_proj.") != ours.npos);
        checkpoint.tensors.add(ours, paired ? unpaired(tensor, checkpoint.config.head_width, name, file) : tensor);
    }
    settleLmTensors(checkpoint.tensors, checkpoint.config);
    return checkpoint;
}

}  // namespace braid::weights
