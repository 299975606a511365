#include "core/models/decoder_lm/lm_weights.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "core/base/error.h"

namespace braid::models::lm {

namespace {

std::string layerName(std::int64_t layer)
{
    return "layers." + std::to_string(layer);
}

constexpr const char *kQkv = ".self_attn.qkv";
constexpr const char *kGateUp = ".mlp.gate_up";
constexpr const char *kTokenHeads = "token_heads";

}  // namespace

void BlockLinear::train(std::int64_t first_row, const TrainedAdapters::Factors &factors, const TrainedAdapters &adapters)
{
    m_trained.push_back({first_row, factors, adapters.scale, adapters.drop});
}

at::Tensor BlockLinear::operator()(const at::Tensor &x) const
{
    at::Tensor y = nn::Linear::operator()(x);
    for (const Trained &part : m_trained) {
        const at::Tensor inner = at::matmul(part.drop(x), part.factors.a.t().to(x.scalar_type()));
        y.narrow(-1, part.first_row, part.factors.b.size(0)).add_(at::matmul(inner, part.factors.b.t().to(x.scalar_type())), part.scale);
    }
    return y;
}

// The linear layers behind a fused name, in the order of their rows; one that is not fused is its own only part.
std::vector<LmWeights::Part> LmWeights::partsOf(std::int64_t layer, const std::string &fused) const
{
    const std::string name = layerName(layer);
    const std::int64_t key_rows = m_config.key_value_heads * m_config.head_width;
    if (fused == kQkv) {
        return {
            {name + ".self_attn.q_proj", m_config.heads * m_config.head_width}, {name + ".self_attn.k_proj", key_rows}, {name + ".self_attn.v_proj", key_rows}};
    }
    if (fused == kGateUp) {
        return {{name + ".mlp.gate_proj", m_config.mlp_width}, {name + ".mlp.up_proj", m_config.mlp_width}};
    }
    return {{name + fused, m_config.width}};
}

std::vector<LmWeights::Part> LmWeights::headParts() const
{
    const std::int64_t rows = m_config.token_heads.kind == weights::LmHeadKind::Latent ? m_config.width : m_config.vocabulary;
    std::vector<Part> parts;
    for (std::int64_t head = 2; head <= m_config.token_heads.count; ++head) {
        parts.push_back({kTokenHeads + ("." + std::to_string(head)), rows});
    }
    return parts;
}

LmWeights::LmWeights(weights::LmCheckpoint &checkpoint, const nn::Placement &placement, const LoadWatch &watch)
    : m_config(checkpoint.config)
    , m_placement(placement)
{
    gather([&](const std::string &name) {
        if (!checkpoint.tensors.contains(name)) {
            return at::Tensor();
        }
        const weights::StoredTensor stored = checkpoint.tensors.take(name);
        if (watch) {
            watch(stored.bytes.size());
        }
        return nn::tensorFrom(stored, placement);
    });
    checkpoint.tensors.requireAllTaken();
    assemble();
}

LmWeights::LmWeights(const weights::LmConfig &config, const nn::Placement &placement, const std::map<std::string, at::Tensor> &tensors, TrainedAdapters trained)
    : m_config(config)
    , m_placement(placement)
    , m_trained(std::move(trained))
{
    m_placement.storage = nn::WeightStorage::Floats;
    gather([&](const std::string &name) {
        const auto found = tensors.find(name);
        return found == tensors.end() ? at::Tensor() : found->second;
    });
    assemble();
}

void LmWeights::keep(const std::string &name, at::Tensor tensor)
{
    m_base.erase(name);
    m_int8_base.erase(name);
    if (m_placement.storage != nn::WeightStorage::Floats && name.ends_with(".weight") && name != "channel_embedding.weight" && nn::fitsInt8(tensor)) {
        if (m_placement.storage == nn::WeightStorage::Int8) {
            m_int8_base[name] = nn::toInt8(tensor);
            return;
        }
        if (std::optional<nn::Int8Weight> exact = nn::int8IfExact(tensor)) {
            m_int8_base[name] = std::move(*exact);
            return;
        }
    }
    m_base[name] = std::move(tensor);
}

void LmWeights::gather(const std::function<at::Tensor(const std::string &name)> &find)
{
    for (std::int64_t layer = 0; layer < m_config.layers; ++layer) {
        for (const char *fused : {kQkv, kGateUp}) {
            for (const char *ending : {".weight", ".bias"}) {
                std::vector<at::Tensor> parts;
                for (const Part &part : partsOf(layer, fused)) {
                    if (at::Tensor found = find(part.name + ending); found.defined()) {
                        parts.push_back(std::move(found));
                    }
                }
                if (!parts.empty()) {
                    keep(layerName(layer) + fused + ending, at::cat(parts));
                }
            }
        }
    }
    if (m_config.token_heads.count > 1) {
        std::vector<at::Tensor> parts;
        for (const Part &part : headParts()) {
            parts.push_back(find(part.name + ".weight"));
        }
        keep(kTokenHeads + std::string(".weight"), at::cat(parts));
    }
    for (const weights::ExpectedTensor &wanted : weights::expectedLmTensors(m_config)) {
        const bool is_part = wanted.name.find(".q_proj.") != std::string::npos || wanted.name.find(".k_proj.") != std::string::npos ||
                             wanted.name.find(".v_proj.") != std::string::npos || wanted.name.find(".gate_proj.") != std::string::npos ||
                             wanted.name.find(".up_proj.") != std::string::npos || wanted.name.starts_with("token_heads.");
        if (!is_part) {
            keep(wanted.name, find(wanted.name));
        }
    }
}

void LmWeights::addAdapter(const weights::LmAdapter &adapter)
{
    if (adapter.name.empty() || m_adapters.count(adapter.name) > 0) {
        throw Error(ErrorKind::Model, "there is an adapter \"" + adapter.name + "\" already", {}, "Give one of the folders another name");
    }
    Adapter prepared;
    for (const std::string &name : adapter.tensors.names()) {
        if (name.ends_with(".lora_B")) {
            continue;
        }
        if (!name.ends_with(".lora_A")) {
            prepared.replaced[name] = nn::tensorFrom(*adapter.tensors.peek(name), m_placement);
            continue;
        }
        const std::string layer = name.substr(0, name.size() - 7);
        Factors factors;
        factors.a = nn::tensorFrom(*adapter.tensors.peek(name), m_placement).t().contiguous();
        const nn::Placement exact{m_placement.device, at::kFloat};
        const at::Tensor b = nn::tensorFrom(*adapter.tensors.peek(layer + ".lora_B"), exact).t() * adapter.layers.at(layer).scale;
        factors.b = b.to(m_placement.type).contiguous();
        prepared.layers[layer] = std::move(factors);
    }
    m_adapters[adapter.name] = std::move(prepared);
}

std::vector<std::string> LmWeights::adapters() const
{
    std::vector<std::string> names;
    for (const auto &[name, adapter] : m_adapters) {
        names.push_back(name);
    }
    return names;
}

const LmWeights::Adapter *LmWeights::active() const
{
    const auto found = m_adapters.find(m_in_use);
    return found == m_adapters.end() ? nullptr : &found->second;
}

void LmWeights::useAdapter(const std::string &name)
{
    if (!name.empty() && m_adapters.count(name) == 0) {
        throw Error(ErrorKind::Usage, "there is no adapter \"" + name + "\" loaded");
    }
    m_in_use = name;
    assemble();
}

void LmWeights::mergeAdapter(const std::string &name)
{
    useAdapter(name);
    const Adapter *adapter = active();
    if (adapter == nullptr) {
        throw Error(ErrorKind::Usage, "there is no adapter to merge");
    }
    const auto merged = [this, adapter](const at::Tensor &weight, const std::vector<Part> &parts) {
        at::Tensor sum = weight.to(at::kFloat);
        sum = sum.is_same(weight) ? weight.clone() : sum;
        std::int64_t begin = 0;
        for (const Part &part : parts) {
            if (const auto found = adapter->layers.find(part.name); found != adapter->layers.end()) {
                sum.narrow(0, begin, part.rows).add_(at::mm(found->second.a.to(at::kFloat), found->second.b.to(at::kFloat)).t());
            }
            begin += part.rows;
        }
        return sum.to(m_placement.type);
    };
    std::map<std::string, at::Tensor> changed;
    for (std::int64_t layer = 0; layer < m_config.layers; ++layer) {
        for (const char *fused : {kQkv, kGateUp, ".self_attn.o_proj", ".mlp.down_proj"}) {
            const std::vector<Part> parts = partsOf(layer, fused);
            const nn::Linear now = linear(layerName(layer) + fused, parts);
            changed[layerName(layer) + fused + ".weight"] = merged(now.weight(), parts);
            if (now.bias().defined()) {
                changed[layerName(layer) + fused + ".bias"] = now.bias();
            }
        }
    }
    for (const auto &[replaced, value] : adapter->replaced) {
        if (m_base.count(replaced) > 0 || m_int8_base.count(replaced) > 0) {
            changed[replaced] = value;
        }
    }
    if (m_config.token_heads.count > 1) {
        changed[kTokenHeads + std::string(".weight")] = linear(kTokenHeads, headParts()).weight();
    }
    if (adapter->layers.count("lm_head") > 0) {
        changed["lm_head.weight"] = merged(m_output.weight(), {{"lm_head", m_config.vocabulary}});  // no longer tied where it was
    }
    for (auto &[changed_name, value] : changed) {
        keep(changed_name, std::move(value));
    }
    m_adapters.erase(name);
    m_in_use.clear();
    assemble();
}

at::Tensor LmWeights::tensor(const std::string &name) const
{
    if (const Adapter *adapter = active()) {
        if (const auto found = adapter->replaced.find(name); found != adapter->replaced.end()) {
            return found->second;
        }
    }
    if (const auto rounded = m_int8_base.find(name); rounded != m_int8_base.end()) {
        return nn::fromInt8(rounded->second);
    }
    const auto found = m_base.find(name);
    return found == m_base.end() ? at::Tensor() : found->second;
}

at::Tensor LmWeights::norm(const std::string &name) const
{
    const at::Tensor weight = tensor(name + ".weight");
    // Gemma stores what is added to one, and multiplies in float32.
    return weight.defined() && m_config.norm_adds_one ? weight.to(at::kFloat) + 1.0 : weight;
}

nn::Linear LmWeights::plainLinear(const std::string &name) const
{
    const Adapter *adapter = active();
    const bool is_replaced = adapter != nullptr && adapter->replaced.count(name + ".weight") > 0;
    const auto rounded = m_int8_base.find(name + ".weight");
    if (rounded != m_int8_base.end() && !is_replaced) {
        return {rounded->second, tensor(name + ".bias")};
    }
    return {tensor(name + ".weight"), tensor(name + ".bias")};
}

BlockLinear LmWeights::linear(const std::string &fused, const std::vector<Part> &parts) const
{
    BlockLinear layer = plainLinear(fused);
    const Adapter *adapter = active();
    if (adapter == nullptr) {
        std::int64_t first_row = 0;
        for (const Part &part : parts) {
            if (const auto found = m_trained.layers.find(part.name); found != m_trained.layers.end()) {
                layer.train(first_row, found->second, m_trained);
            }
            first_row += part.rows;
        }
        return layer;
    }
    // A part that the adapter replaces whole, or gives a bias of its own.
    std::int64_t begin = 0;
    std::int64_t rank = 0;
    for (const Part &part : parts) {
        if (const auto found = adapter->replaced.find(part.name + ".weight"); found != adapter->replaced.end() && part.name != fused) {
            const at::Tensor weight = layer.weight().clone();
            weight.narrow(0, begin, part.rows).copy_(found->second);
            layer = nn::Linear(weight, layer.bias());
        }
        if (const auto found = adapter->replaced.find(part.name + ".bias"); found != adapter->replaced.end() && part.name != fused) {
            const at::Tensor bias = layer.bias().clone();
            bias.narrow(0, begin, part.rows).copy_(found->second);
            layer = layer.int8Weight().defined() ? nn::Linear(layer.int8Weight(), bias) : nn::Linear(layer.weight(), bias);
        }
        begin += part.rows;
        if (const auto found = adapter->layers.find(part.name); found != adapter->layers.end()) {
            rank += found->second.a.size(1);
        }
    }
    if (rank == 0) {
        return layer;
    }
    // Adapters of the parts, joined so that each sees only its own rank.
    const at::Tensor a = at::zeros({layer.inputs(), rank}, m_placement.options());
    const at::Tensor b = at::zeros({rank, begin}, m_placement.options());
    std::int64_t row = 0;
    std::int64_t rank_begin = 0;
    for (const Part &part : parts) {
        if (const auto found = adapter->layers.find(part.name); found != adapter->layers.end()) {
            const std::int64_t part_rank = found->second.a.size(1);
            a.narrow(1, rank_begin, part_rank).copy_(found->second.a);
            b.narrow(0, rank_begin, part_rank).narrow(1, row, part.rows).copy_(found->second.b);
            rank_begin += part_rank;
        }
        row += part.rows;
    }
    layer.setAdapter(a, b);
    return layer;
}

void LmWeights::assemble()
{
    m_blocks.clear();
    for (std::int64_t layer = 0; layer < m_config.layers; ++layer) {
        const std::string name = layerName(layer);
        Block block;
        block.attention_norm = norm(name + ".input_layernorm");
        block.query_key_value = linear(name + kQkv, partsOf(layer, kQkv));
        if (m_config.head_norms) {
            block.query_norm = norm(name + ".self_attn.q_norm");
            block.key_norm = norm(name + ".self_attn.k_norm");
        }
        block.attention_out = linear(name + ".self_attn.o_proj", partsOf(layer, ".self_attn.o_proj"));
        // The same name means another place where there are four norms.
        block.mlp_norm = norm(name + (m_config.four_norms ? ".pre_feedforward_layernorm" : ".post_attention_layernorm"));
        if (m_config.four_norms) {
            block.attention_out_norm = norm(name + ".post_attention_layernorm");
            block.mlp_out_norm = norm(name + ".post_feedforward_layernorm");
        }
        block.gate_up = linear(name + kGateUp, partsOf(layer, kGateUp));
        block.down = linear(name + ".mlp.down_proj", partsOf(layer, ".mlp.down_proj"));
        m_blocks.push_back(std::move(block));
    }
    m_embedding = plainLinear("embed_tokens");
    m_stream_embedding = tensor("channel_embedding.weight");
    m_final_norm = norm("norm");
    const Adapter *adapter = active();
    const auto own_output = m_base.find("lm_head.weight");
    const bool has_own_output = (own_output != m_base.end() && own_output->second.defined()) || m_int8_base.count("lm_head.weight") > 0 ||
                                (adapter != nullptr && adapter->replaced.count("lm_head.weight") > 0);
    m_output = has_own_output ? plainLinear("lm_head") : m_embedding;  // tied where there is none
    m_token_heads = m_config.token_heads.count > 1 ? TokenHeads(m_config.token_heads, linear(kTokenHeads, headParts())) : TokenHeads();
    if (adapter != nullptr) {
        if (const auto found = adapter->layers.find("lm_head"); found != adapter->layers.end()) {
            m_output.setAdapter(found->second.a, found->second.b);
        }
    }
}

std::uint64_t LmWeights::bytesPerToken() const
{
    std::uint64_t bytes = m_output.weightBytes();
    for (const Block &block : m_blocks) {
        bytes += block.query_key_value.weightBytes() + block.attention_out.weightBytes() + block.gate_up.weightBytes() + block.down.weightBytes();
    }
    return bytes;
}

}  // namespace braid::models::lm
