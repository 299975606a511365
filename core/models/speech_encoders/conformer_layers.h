// The layers of the VGG-conformer, defined once for running and for training. Gradients flow. Torch header.
// Front: VGG convolutions (Simonyan & Zisserman 2014, as speech encoders use them) that look back in time only, then a projection.
// Blocks: Gulati et al. 2020, section 2: half a feed-forward, self-attention with relative positions (Dai et al. 2019, "Transformer-XL", section 3.3), a
// depthwise convolution, half a feed-forward, each added to what went in; then a norm. shared/seeds/004 names the encoder and says no more of it, so this is
// the published conformer; its convolutions look back only, so that it streams. Thread: const functions from any number of threads.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <ATen/ATen.h>

#include "core/models/speech_encoders/block_stream.h"
#include "core/models/speech_encoders/layer_source.h"
#include "core/weights/conformer.h"

namespace braid::models::speech {

class ConformerLayers {
  public:
    // What lies before a piece of the stream: of the front's convolutions, one after the other, and of the blocks' depthwise ones.
    struct Past {
        std::vector<Tail> front;
        std::vector<Tail> blocks;
        [[nodiscard]] std::uint64_t bytes() const;
    };
    // Attention of one layer: its queries, keys and values, [1, L, 3 x width] -> [1, L, width].
    using Attention = std::function<at::Tensor(std::int64_t layer, const at::Tensor &query_key_value)>;

    ConformerLayers(const weights::ConformerConfig &config, const LayerSource &source);

    // Before the stream's first frame.
    [[nodiscard]] Past noPast() const;
    // Log-mel [F, bands] that follows `past`, F a multiple of melFrames() -> [1, F / melFrames(), width].
    [[nodiscard]] at::Tensor front(const at::Tensor &mel, Past &past) const;
    // All blocks: [1, L, width] -> [1, L, width].
    [[nodiscard]] at::Tensor run(at::Tensor x, Past &past, const Attention &attention) const;

    // A layer's view of distances: [D, width] rows for the distances nearest..nearest + D - 1, farthest first. Distance: how many frames the frame that looks
    // is behind the one it looks at; negative where it looks ahead, within its block.
    [[nodiscard]] at::Tensor distanceRows(std::int64_t layer, std::int64_t nearest, std::int64_t farthest) const;
    // Attention with relative positions. queries [H, Q, D] of the newest Q of the frames of keys and values [H, T, D]; `distances`: distanceRows for
    // -(Q - 1) .. T - 1 -> [H, Q, D].
    [[nodiscard]] at::Tensor attend(std::int64_t layer, const at::Tensor &queries, const at::Tensor &keys, const at::Tensor &values,
                                    const at::Tensor &distances) const;

  private:
    struct VggConvolution {
        at::Tensor weight;  // [out, in, kernel (time), kernel (bands)]
        at::Tensor bias;
        nn::LayerNorm norm;  // over bands, or undefined tensors
        std::int64_t pool_time = 1;
        std::int64_t pool_bands = 1;
    };
    struct FeedForward {
        nn::LayerNorm norm;
        nn::Linear in;
        nn::Linear out;
        [[nodiscard]] at::Tensor operator()(const at::Tensor &x) const { return out(at::silu(in(norm(x)))); }
    };
    struct Block {
        FeedForward first;
        nn::LayerNorm attention_norm;
        nn::Linear query_key_value;
        nn::Linear attention_out;
        at::Tensor distance_weight;  // [width, width]: what sines and cosines of a distance become
        at::Tensor content_bias;     // [heads, 1, D]: u of Transformer-XL
        at::Tensor distance_bias;    // [heads, 1, D]: v
        nn::LayerNorm convolution_norm;
        nn::Linear convolution_in;
        at::Tensor depthwise_weight;  // [width, 1, kernel]
        at::Tensor depthwise_bias;
        nn::LayerNorm depthwise_norm;
        at::Tensor mean;  // of a batch norm; else undefined
        at::Tensor variance;
        nn::Linear convolution_out;
        FeedForward second;
        nn::LayerNorm norm;
    };

    [[nodiscard]] Block blockFrom(const std::string &name, const weights::ConformerConfig &config, const LayerSource &source) const;
    [[nodiscard]] at::Tensor convolved(const Block &block, const at::Tensor &x, Tail &past) const;

    std::int64_t m_heads = 1;
    std::int64_t m_width = 0;
    std::int64_t m_kernel = 1;
    std::vector<VggConvolution> m_front;
    nn::Linear m_projection;
    std::vector<Block> m_blocks;
};

}  // namespace braid::models::speech
