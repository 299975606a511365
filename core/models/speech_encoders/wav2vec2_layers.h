// The layers of wav2vec 2 (Baevski et al. 2020, section 2), defined once for running and for training. Who attends to what, and what lies before a block, the
// caller says. Gradients flow. Torch header. Thread: const functions from any number of threads.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <ATen/ATen.h>

#include "core/models/speech_encoders/layer_source.h"
#include "core/weights/wav2vec2.h"

namespace braid::models::speech {

class Wav2Vec2Layers {
  public:
    // Attention of one layer: its queries, keys and values, [1, L, 3 x width] -> [1, L, width].
    using Attention = std::function<at::Tensor(std::int64_t layer, const at::Tensor &query_key_value)>;

    // Hugging Face's names without "wav2vec2.".
    Wav2Vec2Layers(const weights::Wav2Vec2Config &config, const LayerSource &source);

    // The feature extractor and its projection: sound [S] -> [1, L, width] with L = (S - field) / hop + 1 frames; S reaches the field at least.
    [[nodiscard]] at::Tensor features(const at::Tensor &sound) const;
    // What the positional convolution adds to frames. `x`: the frames with what lies around them: L + kernel - 1 frames, zeros where there is no sound
    // [1, L + kernel - 1, width] -> [1, L, width].
    [[nodiscard]] at::Tensor positions(const at::Tensor &x) const;
    // The transformer over frames with their positions: [1, L, width] -> [1, L, width].
    [[nodiscard]] at::Tensor run(at::Tensor x, const Attention &attention) const;

  private:
    struct Convolution {
        at::Tensor weight;   // [out, in, kernel]
        at::Tensor bias;     // [out] or undefined
        nn::LayerNorm norm;  // over channels, or the group norm of the first; undefined tensors where there is none
        std::int64_t stride = 1;
    };
    struct Block {
        nn::Linear query_key_value;
        nn::Linear out;
        nn::LayerNorm attention_norm;
        nn::Linear mlp_in;
        nn::Linear mlp_out;
        nn::LayerNorm mlp_norm;
    };

    [[nodiscard]] at::Tensor normalised(const Convolution &convolution, const at::Tensor &x) const;
    [[nodiscard]] at::Tensor positionWeight() const;

    weights::Wav2Vec2FeatureNorm m_feature_norm;
    weights::Wav2Vec2BlockNorm m_block_norm;
    std::vector<Convolution> m_convolutions;
    nn::LayerNorm m_feature_layer_norm;
    nn::Linear m_projection;
    // Weight norm: the weight is `size` times `direction` brought to length one, for each place of the kernel.
    at::Tensor m_position_size;       // [1, 1, kernel]
    at::Tensor m_position_direction;  // [width, width / groups, kernel]
    at::Tensor m_position_weight;     // their product where they are not trained
    at::Tensor m_position_bias;
    std::int64_t m_position_groups = 1;
    nn::LayerNorm m_norm;  // before the first block (After) or behind the last one (Before)
    std::vector<Block> m_blocks;
};

}  // namespace braid::models::speech
