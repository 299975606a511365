// Whisper's decoder as it runs (its layers: layers.h), with its two caches: keys and values of the sound (computed once per window) and of the tokens so far
// (preallocated; beams are its rows). Thread: one at a time. Torch header.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <ATen/ATen.h>

#include "core/models/whisper/layers.h"
#include "core/nn/attention.h"
#include "core/nn/placement.h"
#include "core/weights/whisper_checkpoint.h"

namespace braid::models::whisper {

// Keys and values of one window of sound, all layers. Shared by everything that decodes it.
struct SoundCache {
    struct Layer {
        at::Tensor keys;    // [H, T, D]
        at::Tensor values;  // [H, T, D]
    };
    std::vector<Layer> layers;
    std::int64_t frames = 0;  // T
    nn::GrowingCache memory;  // what the layers are views of, where the sound may grow; else of no capacity
};

// Tokens to run, in a tree that shares one nn::TreeCache: node i stands at `positions[i]` of its row, is kept in entry `slots[i]` of the cache, and sees
// the entries that row i of `mask` opens (its ancestors and itself).
struct TreeStep {
    std::vector<std::int32_t> tokens;
    std::vector<std::int64_t> positions;
    std::vector<std::int64_t> slots;
    at::Tensor mask;  // float [N, entries of the cache in use], on the CPU
    std::vector<std::int64_t>
        wanted;  // the nodes whose hidden state is wanted, as indices into the above: of the others the last layer makes keys and values only
    std::vector<std::int64_t> tapped;  // those whose attention to the sound is wanted too, as indices into `wanted`
};

using AlignmentHeads = std::vector<std::pair<int, int>>;  // (layer, head)

class Decoder {
  public:
    // Takes its tensors out of the checkpoint. Throws Error(Model) where one is missing or of another shape.
    Decoder(weights::WhisperCheckpoint &checkpoint, const nn::Placement &placement, const TakeWatch &watch = {});

    // Encoder output [T, n_state] -> the cache of that window.
    [[nodiscard]] SoundCache listen(const at::Tensor &encoded) const;
    // An empty token cache for at most `rows` beams.
    [[nodiscard]] nn::SelfCache emptyCache(std::int64_t rows) const;

    // Runs `tokens` (rows x L ids, row-major, rows = cache.rows()) after those in the cache and adds them to it.
    // Returns the normalised hidden states [rows, L, n_state]. `alignment`: where given, receives the cross-attention products of
    // `heads` before the softmax, float32 [heads, rows, L, T]; costs nothing otherwise.
    [[nodiscard]] at::Tensor run(const SoundCache &sound, nn::SelfCache &cache, std::span<const std::int32_t> tokens, const AlignmentHeads *heads = nullptr,
                                 at::Tensor *alignment = nullptr) const;

    // Sound that grows: an empty cache for at most `capacity` frames, and further encoder output [T, n_state] at its end. What is there stays where it is.
    [[nodiscard]] SoundCache emptySound(std::int64_t capacity) const;
    void hear(SoundCache &sound, const at::Tensor &encoded) const;
    // What was heard after the first `frames` is heard anew: the next hear() goes on behind them. Nothing may be decoded before that.
    static void forgetAfter(SoundCache &sound, std::int64_t frames) { sound.memory.truncate(frames); }
    // Empty, with room for `entries`.
    [[nodiscard]] nn::GrowingCache emptyTree(std::int64_t entries) const;
    // Runs the nodes of a tree all at once and keeps them in the cache. Returns the normalised hidden states [wanted, n_state]; `alignment`: receives
    // the cross-attention products of `heads` before the softmax for the tapped nodes, float32 [heads, tapped, T]; undefined where none are tapped.
    [[nodiscard]] at::Tensor runTree(const SoundCache &sound, nn::GrowingCache &cache, const TreeStep &step, const AlignmentHeads &heads,
                                     at::Tensor &alignment) const;

    // Hidden states [..., n_state] -> float32 scores over the vocabulary [..., n_vocab] (output embedding tied to the input's).
    [[nodiscard]] at::Tensor logits(const at::Tensor &hidden) const;
    // What is wanted of the scores of each of N hidden states [N, n_state], without making them all.
    [[nodiscard]] std::vector<nn::OutputSummary> summarise(const at::Tensor &hidden, const nn::OutputWishes &wishes) const
    {
        return m_layers.summarise(hidden, wishes);
    }

    void switchAdapters(nn::AdapterState state) { m_layers.switchAdapters(state); }
    [[nodiscard]] std::int64_t contextLength() const noexcept { return m_layers.contextLength(); }
    [[nodiscard]] std::int64_t layerCount() const noexcept { return m_layers.count(); }
    [[nodiscard]] std::int64_t headCount() const noexcept { return m_heads; }
    [[nodiscard]] std::int64_t width() const noexcept { return m_layers.width(); }
    [[nodiscard]] double bytesPerWeight() const { return m_layers.bytesPerWeight(); }
    [[nodiscard]] at::Device device() const noexcept { return m_placement.device; }
    [[nodiscard]] at::TensorOptions options() const { return m_placement.options(); }

  private:
    [[nodiscard]] at::Tensor embed(std::span<const std::int32_t> tokens) const;
    // [N, n_state] -> [H, N, D]. All rows look at the same sound: they become queries of the same heads, so that its keys are read once.
    [[nodiscard]] at::Tensor headsOf(const at::Tensor &queries) const { return nn::splitHeads(queries.unsqueeze(0), m_heads); }

    nn::Placement m_placement;
    std::int64_t m_heads = 1;
    DecoderLayers m_layers;
};

}  // namespace braid::models::whisper
