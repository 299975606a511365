#include "core/models/whisper/decoder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "core/base/error.h"

namespace braid::models::whisper {

namespace {

bool isIn(const std::pair<int, int> &head, std::size_t layer)
{
    return static_cast<std::size_t>(head.first) == layer;
}

}  // namespace

Decoder::Decoder(weights::WhisperCheckpoint &checkpoint, const nn::Placement &placement, const TakeWatch &watch)
    : m_placement(placement)
{
    const weights::WhisperDims &dims = checkpoint.dims;
    const std::int64_t state = dims.n_text_state;
    const std::int64_t mlp = dims.n_text_mlp > 0 ? dims.n_text_mlp : 4 * state;
    m_heads = dims.n_text_head;

    WeightTaker take(checkpoint, placement, watch);
    m_embedding = take.matrix("decoder.token_embedding.weight", dims.n_vocab, state);
    m_positions = take.tensor("decoder.positional_embedding", {dims.n_text_ctx, state});
    constexpr auto kWithoutBias = WeightTaker::Bias::Without;
    for (std::int64_t layer = 0; layer < dims.n_text_layer; ++layer) {
        const std::string name = "decoder.blocks." + std::to_string(layer);
        const std::array<nn::Linear, 3> self = {take.linear(name + ".attn.query", state, state), take.linear(name + ".attn.key", state, state, kWithoutBias),
                                                take.linear(name + ".attn.value", state, state)};
        const std::array<nn::Linear, 2> cross = {take.linear(name + ".cross_attn.key", state, state, kWithoutBias), take.linear(name + ".cross_attn.value", state, state)};
        Block block;
        block.self_norm = take.norm(name + ".attn_ln", state);
        block.self_query_key_value = nn::stackLinears(self);
        block.self_out = take.linear(name + ".attn.out", state, state);
        block.cross_norm = take.norm(name + ".cross_attn_ln", state);
        block.cross_query = take.linear(name + ".cross_attn.query", state, state);
        block.cross_key_value = nn::stackLinears(cross);
        block.cross_out = take.linear(name + ".cross_attn.out", state, state);
        block.mlp_norm = take.norm(name + ".mlp_ln", state);
        block.mlp_in = take.linear(name + ".mlp.0", state, mlp);
        block.mlp_out = take.linear(name + ".mlp.2", mlp, state);
        m_blocks.push_back(std::move(block));
    }
    m_final_norm = take.norm("decoder.ln", state);
}

void Decoder::switchAdapters(nn::AdapterState state)
{
    for (Block &block : m_blocks) {
        for (nn::Linear *layer : {&block.self_query_key_value, &block.self_out, &block.cross_query, &block.cross_key_value, &block.cross_out}) {
            layer->switchAdapter(state);
        }
    }
}

SoundCache Decoder::listen(const at::Tensor &encoded) const
{
    SoundCache sound;
    sound.frames = encoded.size(0);
    const at::Tensor x = encoded.to(m_placement.options()).unsqueeze(0);
    const std::int64_t state = encoded.size(1);
    for (const Block &block : m_blocks) {
        const at::Tensor both = block.cross_key_value(x);
        sound.layers.push_back({nn::splitHeads(both.narrow(2, 0, state), m_heads).contiguous(), nn::splitHeads(both.narrow(2, state, state), m_heads).contiguous()});
    }
    return sound;
}

nn::SelfCache Decoder::emptyCache(std::int64_t rows) const
{
    return {layerCount(), rows, m_heads, contextLength(), m_embedding.size(1) / m_heads, m_placement};
}

SoundCache Decoder::emptySound(std::int64_t capacity) const
{
    SoundCache sound;
    sound.memory = emptyTree(capacity);
    sound.layers.resize(m_blocks.size());
    return sound;
}

void Decoder::hear(SoundCache &sound, const at::Tensor &encoded) const
{
    const std::int64_t frames = encoded.size(0);
    const at::Tensor x = encoded.to(m_placement.options());
    for (std::int64_t layer = 0; layer < layerCount(); ++layer) {
        sound.memory.write(layer, m_blocks[static_cast<std::size_t>(layer)].cross_key_value(x).view({frames, 2, m_heads, width() / m_heads}));
    }
    sound.memory.advance(frames);
    sound.frames = sound.memory.length();
    for (std::int64_t layer = 0; layer < layerCount(); ++layer) {
        sound.layers[static_cast<std::size_t>(layer)] = {sound.memory.keys(layer, sound.frames), sound.memory.values(layer, sound.frames)};
    }
}

nn::GrowingCache Decoder::emptyTree(std::int64_t entries) const
{
    return {layerCount(), m_heads, entries, m_embedding.size(1) / m_heads, m_placement};
}

at::Tensor Decoder::embed(std::span<const std::int32_t> tokens) const
{
    at::Tensor ids = at::empty({static_cast<std::int64_t>(tokens.size())}, at::kLong);
    std::copy(tokens.begin(), tokens.end(), ids.data_ptr<std::int64_t>());
    return m_embedding.index_select(0, ids.to(m_placement.device)).to(m_placement.type);
}

at::Tensor Decoder::crossQueries(const Block &block, const at::Tensor &x) const
{
    // All rows look at the same sound: they become queries of the same heads, so that its keys are read once.
    return nn::splitHeads(block.cross_query(block.cross_norm(x)).unsqueeze(0), m_heads);
}

void Decoder::addCrossAndForward(const Block &block, const at::Tensor &attended, at::Tensor &x) const
{
    x += block.cross_out(nn::joinHeads(attended, m_heads).squeeze(0));
    x += block.mlp_out(at::gelu(block.mlp_in(block.mlp_norm(x))));
}

at::Tensor Decoder::run(const SoundCache &sound, nn::SelfCache &cache, std::span<const std::int32_t> tokens, const AlignmentHeads *heads, at::Tensor *alignment) const
{
    const std::int64_t rows = cache.rows();
    const std::int64_t length = static_cast<std::int64_t>(tokens.size()) / rows;
    const std::int64_t before = cache.length();
    const std::int64_t state = m_embedding.size(1);
    const std::int64_t width = state / m_heads;
    if (length == 0 || static_cast<std::int64_t>(tokens.size()) != length * rows || before + length > contextLength()) {
        throw Error(ErrorKind::Internal, "a decoder was asked for more tokens than its context holds");
    }
    at::Tensor x = embed(tokens);
    x.view({rows, length, state}) += m_positions.narrow(0, before, length);

    std::vector<at::Tensor> tapped(heads != nullptr ? heads->size() : 0);
    for (std::size_t layer = 0; layer < m_blocks.size(); ++layer) {
        const Block &block = m_blocks[layer];
        const at::Tensor qkv = block.self_query_key_value(block.self_norm(x)).view({rows, length, 3 * state});
        const auto index = static_cast<std::int64_t>(layer);
        cache.write(index, qkv.view({rows, length, 3, m_heads, width}).narrow(2, 1, 2));
        const at::Tensor self = nn::attend(nn::splitHeads(qkv.narrow(2, 0, state), m_heads), cache.keys(index, before + length), cache.values(index, before + length),
                                           nn::Visibility::Causal);
        x += block.self_out(nn::joinHeads(self, m_heads)).view({rows * length, state});
        const bool wanted = heads != nullptr && std::any_of(heads->begin(), heads->end(), [layer](const auto &head) { return isIn(head, layer); });
        at::Tensor scores;
        const at::Tensor cross = nn::attend(crossQueries(block, x), sound.layers[layer].keys, sound.layers[layer].values, nn::Visibility::All, wanted ? &scores : nullptr);
        for (std::size_t i = 0; i < tapped.size(); ++i) {
            if (isIn((*heads)[i], layer)) {
                tapped[i] = scores.select(0, (*heads)[i].second);
            }
        }
        addCrossAndForward(block, cross, x);
    }
    cache.advance(length);
    if (alignment != nullptr && !tapped.empty()) {
        *alignment = at::stack(tapped).view({static_cast<std::int64_t>(tapped.size()), rows, length, sound.frames});
    }
    return m_final_norm(x).view({rows, length, state});
}

at::Tensor Decoder::runTree(const SoundCache &sound, nn::GrowingCache &cache, const TreeStep &step, const AlignmentHeads &heads, at::Tensor &alignment) const
{
    const auto count = static_cast<std::int64_t>(step.tokens.size());
    const std::int64_t state = width();
    const std::int64_t entries = step.mask.size(1);
    const auto indices = [&](const std::vector<std::int64_t> &values) { return at::tensor(values, at::kLong).to(m_placement.device); };
    const at::Tensor slots = indices(step.slots);
    at::Tensor mask = step.mask.to(m_placement.device);
    const at::Tensor wanted = indices(step.wanted);
    at::Tensor tapped_nodes = step.tapped.empty() ? at::Tensor() : wanted.index_select(0, indices(step.tapped));
    at::Tensor x = embed(step.tokens);
    x += m_positions.index_select(0, indices(step.positions));

    std::vector<at::Tensor> tapped(heads.size());
    for (std::size_t layer = 0; layer < m_blocks.size(); ++layer) {
        const Block &block = m_blocks[layer];
        const at::Tensor qkv = block.self_query_key_value(block.self_norm(x));
        const auto index = static_cast<std::int64_t>(layer);
        cache.writeSlots(index, slots, qkv.view({count, 3, m_heads, state / m_heads}).narrow(1, 1, 2));
        at::Tensor self_queries = nn::splitHeads(qkv.narrow(1, 0, state).unsqueeze(0), m_heads);
        if (layer + 1 == m_blocks.size()) {
            self_queries = self_queries.index_select(1, wanted);
            mask = mask.index_select(0, wanted);
            x = x.index_select(0, wanted);
            tapped_nodes = tapped_nodes.defined() ? indices(step.tapped) : tapped_nodes;
        }
        const at::Tensor self = nn::attendMasked(self_queries, cache.keys(index, entries), cache.values(index, entries), mask);
        x += block.self_out(nn::joinHeads(self, m_heads).squeeze(0));

        const at::Tensor queries = crossQueries(block, x);
        const SoundCache::Layer &heard = sound.layers[layer];
        for (std::size_t i = 0; tapped_nodes.defined() && i < heads.size(); ++i) {
            if (isIn(heads[i], layer)) {
                const at::Tensor query = queries.select(0, heads[i].second).index_select(0, tapped_nodes);
                tapped[i] = at::mm(query * (1.0 / std::sqrt(static_cast<double>(state / m_heads))), heard.keys.select(0, heads[i].second).transpose(0, 1)).to(at::kFloat);
            }
        }
        addCrossAndForward(block, nn::attend(queries, heard.keys, heard.values, nn::Visibility::All), x);
    }
    alignment = tapped_nodes.defined() && !tapped.empty() ? at::stack(tapped) : at::Tensor();
    return m_final_norm(x);
}

at::Tensor Decoder::logits(const at::Tensor &hidden) const
{
    return nn::Linear(m_embedding, {})(hidden.contiguous()).to(at::kFloat);
}

}  // namespace braid::models::whisper
