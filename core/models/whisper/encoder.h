// Whisper's encoder as it runs (its layers: layers.h).
// Also with frames of 40 ms (weights::ConvStrides), and with windows as long as the sound.
// Three forms: whole (every frame sees all), and block-causal (CarelessWhisper, eqs. 11 and 12) masked-whole and incremental, which give the same
// (Theorem 2). Thread: one at a time. Torch header.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include <ATen/ATen.h>

#include "core/models/whisper/layers.h"
#include "core/nn/attention.h"
#include "core/nn/placement.h"
#include "core/weights/whisper_checkpoint.h"

namespace braid::models::whisper {

// What the incremental encoder keeps of the sound before: keys and values of every layer (memory is taken once, nothing in it is ever
// moved) and the few mel frames that the next block's convolutions reach back to. Owned by one stream; made by Encoder::emptyCache.
struct EncoderCache {
    nn::GrowingCache keys_values;
    at::Tensor mel;              // [F, n_mels]: the newest frames, the next block's first convolution begins with them
    std::int64_t mel_start = 0;  // which mel frame of the stream mel[0] is
    std::int64_t revisable = 0;  // of how many of the newest frames the mel is kept, so that they can be encoded again

    [[nodiscard]] std::int64_t frames() const noexcept { return keys_values.length(); }
    void clear();
    // Forgets the frames after the first `length`, at most `revisable` of them: the next block begins with them, and brings no mel of theirs.
    void truncate(std::int64_t length) { keys_values.truncate(length); }
};

class Encoder {
  public:
    // Takes its tensors out of the checkpoint. Throws Error(Model) where one is missing or of another shape.
    Encoder(weights::WhisperCheckpoint &checkpoint, const nn::Placement &placement, const TakeWatch &watch = {});

    // mel [n_mels, F] -> [F', n_state]; F' = F / strides.melFrames(), rounded up, at most n_audio_ctx. The mel is converted to the
    // encoder's device and type. Throws Error(Cancelled) when `stop` is asked for between two blocks.
    [[nodiscard]] at::Tensor operator()(const at::Tensor &mel, const std::stop_token &stop = {}) const;

    // Block-causal, all at once: frame t sees the frames before the first of `block_ends` that is greater than t. mel [n_mels, F] with at
    // least melFramesOf(block_ends.back()) - 1 frames (streaming_mel.h); what the convolutions lack at its right edge is zero.
    // `block_ends`: ascending, the last at most n_audio_ctx. -> [block_ends.back(), n_state].
    [[nodiscard]] at::Tensor masked(const at::Tensor &mel, std::span<const std::int64_t> block_ends, const std::stop_token &stop = {}) const;

    // Block-causal, block after block. `capacity`: frames of the longest stream, at most n_audio_ctx.
    [[nodiscard]] EncoderCache emptyCache(std::int64_t capacity) const;
    // The next `frames` frames of the stream as one block -> [frames, n_state]; they see everything in the cache and each other.
    // mel [n_mels, F]: the mel frames that follow those given before; with them the stream's must reach what the block's last frame needs.
    // Throws Error(Internal) where they do not, or where the cache is full.
    [[nodiscard]] at::Tensor extend(EncoderCache &cache, const at::Tensor &mel, std::int64_t frames) const;

    [[nodiscard]] std::int64_t contextLength() const noexcept { return m_layers.contextLength(); }
    [[nodiscard]] std::int64_t width() const noexcept { return m_layers.width(); }
    [[nodiscard]] std::int64_t layers() const noexcept { return m_layers.count(); }
    void switchAdapters(nn::AdapterState state) { m_layers.switchAdapters(state); }

  private:
    [[nodiscard]] at::Tensor convolveNext(EncoderCache &cache, const at::Tensor &mel, std::int64_t frames) const;
    [[nodiscard]] std::int64_t framesOf(const at::Tensor &mel) const;
    // The first `frames` frames, [1, frames, n_state].
    [[nodiscard]] at::Tensor convolveWhole(const at::Tensor &mel, std::int64_t frames) const;

    nn::Placement m_placement;
    std::int64_t m_heads = 1;
    weights::ConvStrides m_strides;
    EncoderLayers m_layers;
};

}  // namespace braid::models::whisper
