#include "core/models/whisper/decoder.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"

namespace braid::models::whisper {

namespace {

bool isIn(const std::pair<int, int> &head, std::int64_t layer)
{
    return head.first == layer;
}

}  // namespace

Decoder::Decoder(weights::WhisperCheckpoint &checkpoint, const nn::Placement &placement, const TakeWatch &watch)
    : m_placement(placement)
    , m_heads(checkpoint.dims.n_text_head)
    , m_layers(checkpoint.dims, takingFrom(checkpoint, placement, watch))
{
}

SoundCache Decoder::listen(const at::Tensor &encoded) const
{
    SoundCache sound;
    sound.frames = encoded.size(0);
    const at::Tensor x = encoded.to(m_placement.options()).unsqueeze(0);
    const std::int64_t state = encoded.size(1);
    for (std::int64_t layer = 0; layer < layerCount(); ++layer) {
        const at::Tensor both = m_layers.soundKeysValues(layer, x);
        sound.layers.push_back(
            {nn::splitHeads(both.narrow(2, 0, state), m_heads).contiguous(), nn::splitHeads(both.narrow(2, state, state), m_heads).contiguous()});
    }
    return sound;
}

nn::SelfCache Decoder::emptyCache(std::int64_t rows) const
{
    return {layerCount(), rows, m_heads, contextLength(), width() / m_heads, m_placement};
}

SoundCache Decoder::emptySound(std::int64_t capacity) const
{
    SoundCache sound;
    sound.memory = emptyTree(capacity);
    sound.layers.resize(static_cast<std::size_t>(layerCount()));
    return sound;
}

void Decoder::hear(SoundCache &sound, const at::Tensor &encoded) const
{
    const std::int64_t frames = encoded.size(0);
    const at::Tensor x = encoded.to(m_placement.options());
    for (std::int64_t layer = 0; layer < layerCount(); ++layer) {
        sound.memory.write(layer, m_layers.soundKeysValues(layer, x).view({frames, 2, m_heads, width() / m_heads}));
    }
    sound.memory.advance(frames);
    sound.frames = sound.memory.length();
    for (std::int64_t layer = 0; layer < layerCount(); ++layer) {
        sound.layers[static_cast<std::size_t>(layer)] = {sound.memory.keys(layer, sound.frames), sound.memory.values(layer, sound.frames)};
    }
}

nn::GrowingCache Decoder::emptyTree(std::int64_t entries) const
{
    return {layerCount(), m_heads, entries, width() / m_heads, m_placement};
}

at::Tensor Decoder::embed(std::span<const std::int32_t> tokens) const
{
    at::Tensor ids = at::empty({static_cast<std::int64_t>(tokens.size())}, at::kLong);
    std::copy(tokens.begin(), tokens.end(), ids.data_ptr<std::int64_t>());
    return m_layers.embed(ids.to(m_placement.device));
}

at::Tensor Decoder::run(const SoundCache &sound, nn::SelfCache &cache, std::span<const std::int32_t> tokens, const AlignmentHeads *heads,
                        at::Tensor *alignment) const
{
    const std::int64_t rows = cache.rows();
    const std::int64_t length = static_cast<std::int64_t>(tokens.size()) / rows;
    const std::int64_t before = cache.length();
    const std::int64_t state = width();
    if (length == 0 || static_cast<std::int64_t>(tokens.size()) != length * rows || before + length > contextLength()) {
        throw Error(ErrorKind::Internal, "a decoder was asked for more tokens than its context holds");
    }
    at::Tensor x = embed(tokens);
    x = (x.view({rows, length, state}) + m_layers.positions().narrow(0, before, length)).view({rows * length, state});

    std::vector<at::Tensor> tapped(heads != nullptr ? heads->size() : 0);
    DecoderLayers::Attention attention;
    attention.tokens = [&](std::int64_t layer, const at::Tensor &query_key_value, at::Tensor &) {
        const at::Tensor own = query_key_value.view({rows, length, 3 * state});
        cache.write(layer, own.view({rows, length, 3, m_heads, state / m_heads}).narrow(2, 1, 2));
        const at::Tensor queries = nn::splitHeads(own.narrow(2, 0, state), m_heads);
        const at::Tensor attended = nn::attend(queries, cache.keys(layer, before + length), cache.values(layer, before + length), nn::Visibility::Causal);
        return nn::joinHeads(attended, m_heads).view({rows * length, state});
    };
    attention.sound = [&](std::int64_t layer, const at::Tensor &queries) {
        const SoundCache::Layer &heard = sound.layers[static_cast<std::size_t>(layer)];
        const bool wanted = heads != nullptr && std::any_of(heads->begin(), heads->end(), [layer](const auto &head) { return isIn(head, layer); });
        at::Tensor scores;
        const at::Tensor attended = nn::attend(headsOf(queries), heard.keys, heard.values, nn::Visibility::All, wanted ? &scores : nullptr);
        for (std::size_t i = 0; i < tapped.size(); ++i) {
            if (isIn((*heads)[i], layer)) {
                tapped[i] = scores.select(0, (*heads)[i].second);
            }
        }
        return nn::joinHeads(attended, m_heads).squeeze(0);
    };
    const at::Tensor hidden = m_layers.run(std::move(x), attention);
    cache.advance(length);
    if (alignment != nullptr && !tapped.empty()) {
        *alignment = at::stack(tapped).view({static_cast<std::int64_t>(tapped.size()), rows, length, sound.frames});
    }
    return hidden.view({rows, length, state});
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
    at::Tensor x = embed(step.tokens) + m_layers.positions().index_select(0, indices(step.positions));

    std::vector<at::Tensor> tapped(heads.size());
    DecoderLayers::Attention attention;
    attention.tokens = [&](std::int64_t layer, const at::Tensor &query_key_value, at::Tensor &sum) {
        cache.writeSlots(layer, slots, query_key_value.view({count, 3, m_heads, state / m_heads}).narrow(1, 1, 2));
        at::Tensor queries = headsOf(query_key_value.narrow(1, 0, state));
        if (layer + 1 == layerCount()) {
            queries = queries.index_select(1, wanted);
            mask = mask.index_select(0, wanted);
            sum = sum.index_select(0, wanted);
            tapped_nodes = tapped_nodes.defined() ? indices(step.tapped) : tapped_nodes;
        }
        return nn::joinHeads(nn::attendMasked(queries, cache.keys(layer, entries), cache.values(layer, entries), mask), m_heads).squeeze(0);
    };
    attention.sound = [&](std::int64_t layer, const at::Tensor &projected) {
        const at::Tensor queries = headsOf(projected);
        const SoundCache::Layer &heard = sound.layers[static_cast<std::size_t>(layer)];
        for (std::size_t i = 0; tapped_nodes.defined() && i < heads.size(); ++i) {
            if (isIn(heads[i], layer)) {
                const at::Tensor query = queries.select(0, heads[i].second).index_select(0, tapped_nodes);
                tapped[i] = at::mm(query * (1.0 / std::sqrt(static_cast<double>(state / m_heads))), heard.keys.select(0, heads[i].second).transpose(0, 1))
                                .to(at::kFloat);
            }
        }
        return nn::joinHeads(nn::attend(queries, heard.keys, heard.values, nn::Visibility::All), m_heads).squeeze(0);
    };
    const at::Tensor hidden = m_layers.run(std::move(x), attention);
    alignment = tapped_nodes.defined() && !tapped.empty() ? at::stack(tapped) : at::Tensor();
    return hidden;
}

at::Tensor Decoder::logits(const at::Tensor &hidden) const
{
    return m_layers.logits(hidden.contiguous()).to(at::kFloat);
}

}  // namespace braid::models::whisper
