#include "core/weights/huggingface_lm.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/weights/fused_layers.h"
#include "core/weights/gguf_lm.h"
#include "core/weights/safetensors.h"
#include "core/weights/tied_weights.h"
#include "core/weights/torch_archive.h"

namespace braid::weights {
namespace fs = std::filesystem;
namespace {

std::string layerName(std::int64_t layer)
{
    return "layers." + std::to_string(layer);
}

void addSettled(TensorStore &out, const std::string &name, const StoredTensor &tensor, const LmConfig &config)
{
    const std::string layer = name.substr(0, name.rfind('.'));
    const auto parts = partsOfFused(layer, config);
    if (parts.empty()) {
        out.add(name, tensor);
        return;
    }
    std::int64_t rows = 0;
    for (const auto &part : parts) {
        rows += part.second;
    }
    if (tensor.shape.empty() || tensor.shape.front() != rows) {
        throw Error(ErrorKind::Model, "the fused tensor \"" + name + "\" does not have the " + std::to_string(rows) + " rows of its parts", out.origin());
    }
    std::int64_t begin = 0;
    for (const auto &[part, count] : parts) {
        out.add(part + name.substr(layer.size()), rowsOf(tensor, begin, count));
        begin += count;
    }
}

}  // namespace

std::vector<std::pair<std::string, std::int64_t>> partsOfFused(const std::string &layer, const LmConfig &config)
{
    constexpr std::string_view kQueryKeyValue = ".qkv_proj";
    constexpr std::string_view kGateUp = ".gate_up_proj";
    if (config.family == LmFamily::Phi3 && layer.ends_with(kQueryKeyValue)) {
        const std::string prefix = layer.substr(0, layer.size() - kQueryKeyValue.size());
        const std::int64_t keys = config.key_value_heads * config.head_width;
        return {{prefix + ".q_proj", config.heads * config.head_width}, {prefix + ".k_proj", keys}, {prefix + ".v_proj", keys}};
    }
    if (config.family == LmFamily::Phi3 && layer.ends_with(kGateUp)) {
        const std::string prefix = layer.substr(0, layer.size() - kGateUp.size());
        return {{prefix + ".gate_proj", config.mlp_width}, {prefix + ".up_proj", config.mlp_width}};
    }
    return {};
}

StoredTensor rowsOf(const StoredTensor &tensor, std::int64_t begin, std::int64_t count)
{
    const std::size_t row = tensor.bytes.size() / static_cast<std::size_t>(tensor.shape.front());
    StoredTensor part = tensor;
    part.shape.front() = count;
    part.bytes = tensor.bytes.subspan(static_cast<std::size_t>(begin) * row, static_cast<std::size_t>(count) * row);
    return part;
}

std::vector<ExpectedTensor> expectedLmTensors(const LmConfig &config)
{
    std::vector<ExpectedTensor> tensors = {{"embed_tokens.weight", {config.vocabulary, config.width}}, {"norm.weight", {config.width}}};
    if (!config.tied_embeddings) {
        tensors.push_back({"lm_head.weight", {config.vocabulary, config.width}});
    }
    if (config.streams > 0) {
        tensors.push_back({"channel_embedding.weight", {config.streams, config.width}});
    }
    const bool latent = config.token_heads.kind == LmHeadKind::Latent;
    for (std::int64_t head = 2; head <= config.token_heads.count; ++head) {
        tensors.push_back({"token_heads." + std::to_string(head) + ".weight", {latent ? config.width : config.vocabulary, config.width}});
    }
    const std::int64_t query = config.heads * config.head_width;
    const std::int64_t key = config.key_value_heads * config.head_width;
    for (std::int64_t layer = 0; layer < config.layers; ++layer) {
        const std::string name = layerName(layer);
        const auto linear = [&](const std::string &part, std::int64_t in, std::int64_t out, bool bias) {
            tensors.push_back({name + part + ".weight", {out, in}});
            if (bias) {
                tensors.push_back({name + part + ".bias", {out}});
            }
        };
        linear(".self_attn.q_proj", config.width, query, config.query_key_value_bias);
        linear(".self_attn.k_proj", config.width, key, config.query_key_value_bias);
        linear(".self_attn.v_proj", config.width, key, config.query_key_value_bias);
        linear(".self_attn.o_proj", query, config.width, config.attention_out_bias);
        linear(".mlp.gate_proj", config.width, config.mlp_width, config.mlp_bias);
        linear(".mlp.up_proj", config.width, config.mlp_width, config.mlp_bias);
        linear(".mlp.down_proj", config.mlp_width, config.width, config.mlp_bias);
        tensors.push_back({name + ".input_layernorm.weight", {config.width}});
        tensors.push_back({name + ".post_attention_layernorm.weight", {config.width}});
        if (config.four_norms) {
            tensors.push_back({name + ".pre_feedforward_layernorm.weight", {config.width}});
            tensors.push_back({name + ".post_feedforward_layernorm.weight", {config.width}});
        }
        if (config.head_norms) {
            tensors.push_back({name + ".self_attn.q_norm.weight", {config.head_width}});
            tensors.push_back({name + ".self_attn.k_norm.weight", {config.head_width}});
        }
    }
    return tensors;
}

void settleLmTensors(TensorStore &tensors, const LmConfig &config)
{
    TensorStore settled(tensors.origin());
    for (const std::string &name : tensors.names()) {
        if (name.ends_with(".rotary_emb.inv_freq")) {
            continue;  // older files store what follows from the configuration
        }
        addSettled(settled, name.starts_with("model.") ? name.substr(6) : name, *tensors.peek(name), config);
    }
    if (config.tied_embeddings) {
        dropTiedCopy(settled, "lm_head.weight", "embed_tokens.weight", "The configuration (\"tie_word_embeddings\") and the weights are of different models");
    }
    requireTensors(settled, expectedLmTensors(config), std::string(familyName(config.family)) + " model");
    tensors = std::move(settled);
}

LmCheckpoint readLanguageModel(const fs::path &folder)
{
    if (isGguf(folder)) {
        return readGgufLanguageModel(GgufFile(folder));
    }
    LmCheckpoint checkpoint(folder.string());
    checkpoint.config = readLmConfig(folder);
    const bool safe = fs::exists(folder / "model.safetensors") || fs::exists(folder / "model.safetensors.index.json");
    if (!safe && fs::exists(folder / "pytorch_model.bin")) {
        TorchArchive archive(folder / "pytorch_model.bin");
        checkpoint.tensors = archive.stateDict(archive.root());
    } else {
        checkpoint.tensors = readSafetensorsFolder(folder);
    }
    settleLmTensors(checkpoint.tensors, checkpoint.config);
    return checkpoint;
}

}  // namespace braid::weights
