// Whisper's layers (Radford et al. 2022, section 2.2), defined once for running and for training: which there are, where their weights come from, and
// the order they compute in. Who attends to what, and over which caches, the caller says; so gradients flow where the caller's part lets them.
// Layer sizes are those of weights::WhisperDims. Torch header. Thread: const functions from any number of threads.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "core/nn/best_outputs.h"
#include "core/nn/linear.h"
#include "core/nn/placement.h"
#include "core/weights/whisper_checkpoint.h"

namespace braid::models::whisper {

// Told the bytes of every tensor taken; may throw to stop the loading. May be empty.
using TakeWatch = std::function<void(std::uint64_t bytes)>;

// Where layers get their weights from: a checkpoint, or a network in training.
struct LayerSource {
    // The tensor of this name and shape (-1: of any size). Undefined for an adapter (".lora_A", ".lora_B") that is not there; throws where another is missing.
    std::function<at::Tensor(const std::string &name, const std::vector<std::int64_t> &shape)> find;
    // Makes the layer of a product; the way it computes is chosen here.
    std::function<nn::Linear(at::Tensor weight, at::Tensor bias)> linear;
};

// Takes each tensor out of the checkpoint once. Weights of products become what nn::linearFrom() makes of them.
// `checkpoint` and `watch` must outlive it. Throws Error(Model) where a tensor is missing or of another shape.
[[nodiscard]] LayerSource takingFrom(weights::WhisperCheckpoint &checkpoint, const nn::Placement &placement, const TakeWatch &watch);

struct FeedForward {
    nn::LayerNorm norm;
    nn::Linear in;
    nn::Linear out;
    [[nodiscard]] at::Tensor operator()(const at::Tensor &x) const { return out(at::gelu(in(norm(x)))); }
};

// Changes what a block is about to add: dropout in training. Empty: nothing.
using Adding = std::function<at::Tensor(const at::Tensor &added)>;

class EncoderLayers {
  public:
    // Attention of one layer: its queries, keys and values, [B, L, 3 x n_state] -> [B, L, n_state].
    using Attention = std::function<at::Tensor(std::int64_t layer, const at::Tensor &query_key_value)>;
    // Where the convolutions, of three frames each, find a zero.
    enum class Zeros { Nowhere = 1, Before, Around };

    EncoderLayers(const weights::WhisperDims &dims, const LayerSource &source);

    // Both convolutions, then positions from `first_frame` on: mel [B, F, n_mels] -> the first `frames` outputs, [B, frames, n_state].
    [[nodiscard]] at::Tensor convolve(const at::Tensor &mel, Zeros zeros, std::int64_t first_frame, std::int64_t frames) const;
    // The blocks and the last norm: [B, L, n_state] -> [B, L, n_state].
    [[nodiscard]] at::Tensor run(at::Tensor x, const Attention &attention, const Adding &adding = {}) const;

    [[nodiscard]] std::int64_t contextLength() const noexcept { return m_positions.size(0); }
    [[nodiscard]] std::int64_t width() const noexcept { return m_positions.size(1); }
    [[nodiscard]] std::int64_t count() const noexcept { return static_cast<std::int64_t>(m_blocks.size()); }
    void switchAdapters(nn::AdapterState state);

  private:
    struct Block {
        nn::LayerNorm norm;
        nn::Linear query_key_value;
        nn::Linear out;
        FeedForward feed_forward;
    };

    weights::ConvStrides m_strides;
    nn::Linear m_convolutions[2];  // [out, 3 x in]: the weights of the three frames side by side
    at::Tensor m_positions;        // [n_audio_ctx, n_state]
    std::vector<Block> m_blocks;
    nn::LayerNorm m_final_norm;
};

class DecoderLayers {
  public:
    struct Attention {
        // To the tokens: a layer's queries, keys and values, [..., 3 x n_state] -> [..., n_state]. May narrow `x`, the sum the blocks add to, together with its
        // result.
        std::function<at::Tensor(std::int64_t layer, const at::Tensor &query_key_value, at::Tensor &x)> tokens;
        // To the sound: a layer's queries, [..., n_state] -> [..., n_state].
        std::function<at::Tensor(std::int64_t layer, const at::Tensor &queries)> sound;
    };

    DecoderLayers(const weights::WhisperDims &dims, const LayerSource &source);

    // Token ids of any shape, int64 -> [..., n_state], without positions.
    [[nodiscard]] at::Tensor embed(const at::Tensor &tokens) const { return m_output.embedding(tokens).to(m_positions.scalar_type()); }
    [[nodiscard]] const at::Tensor &positions() const noexcept { return m_positions; }  // [n_text_ctx, n_state]
    // A layer's keys and values of encoder output: [..., n_state] -> [..., 2 x n_state].
    [[nodiscard]] at::Tensor soundKeysValues(std::int64_t layer, const at::Tensor &encoded) const;
    // The blocks and the last norm: [..., n_state] -> [..., n_state].
    [[nodiscard]] at::Tensor run(at::Tensor x, const Attention &attention, const Adding &adding = {}) const;
    // Hidden states -> scores over the vocabulary; the output embedding is the input's.
    [[nodiscard]] at::Tensor logits(const at::Tensor &hidden) const { return m_output(hidden); }
    // What is wanted of these scores, without making them all.
    [[nodiscard]] std::vector<nn::OutputSummary> summarise(const at::Tensor &hidden, const nn::OutputWishes &wishes) const
    {
        return nn::summariseOutputs(m_output, hidden, wishes);
    }

    [[nodiscard]] std::int64_t contextLength() const noexcept { return m_positions.size(0); }
    [[nodiscard]] std::int64_t width() const noexcept { return m_positions.size(1); }
    [[nodiscard]] std::int64_t count() const noexcept { return static_cast<std::int64_t>(m_blocks.size()); }
    [[nodiscard]] double bytesPerWeight() const
    {
        return static_cast<double>(m_output.weightBytes()) / static_cast<double>(m_output.inputs() * m_output.outputs());
    }
    void switchAdapters(nn::AdapterState state);

  private:
    struct Block {
        nn::LayerNorm token_norm;
        nn::Linear token_query_key_value;
        nn::Linear token_out;
        nn::LayerNorm sound_norm;
        nn::Linear sound_query;
        nn::Linear sound_key_value;
        nn::Linear sound_out;
        FeedForward feed_forward;
    };

    nn::Linear m_output;  // [n_vocab, n_state]
    at::Tensor m_positions;
    std::vector<Block> m_blocks;
    nn::LayerNorm m_final_norm;
};

}  // namespace braid::models::whisper
