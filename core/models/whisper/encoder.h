// Whisper's encoder (Radford et al. 2022, section 2.2): two convolutions, sinusoidal positions, pre-norm transformer blocks.
// Also Braid's own small models, whose first convolution has stride 2 (40 ms frames) and whose windows are as long as the sound.
// Thread: one at a time. Torch header.
#pragma once

#include <cstdint>
#include <stop_token>
#include <vector>

#include <ATen/ATen.h>

#include "core/models/whisper/take_weights.h"
#include "core/nn/linear.h"
#include "core/nn/placement.h"
#include "core/weights/whisper_checkpoint.h"

namespace braid::models::whisper {

class Encoder {
  public:
    // Takes its tensors out of the checkpoint. Throws Error(Model) where one is missing or of another shape.
    Encoder(weights::WhisperCheckpoint &checkpoint, const nn::Placement &placement, const TakeWatch &watch = {});

    // mel [n_mels, F] -> [F', n_state]; F' = F / 2 / conv1_stride, rounded up, at most n_audio_ctx. The mel is converted to the
    // encoder's device and type. Throws Error(Cancelled) when `stop` is asked for between two blocks.
    [[nodiscard]] at::Tensor operator()(const at::Tensor &mel, const std::stop_token &stop = {}) const;
    void switchAdapters(nn::AdapterState state);

  private:
    struct Block {
        nn::LayerNorm attention_norm;
        nn::Linear query_key_value;
        nn::Linear out;
        nn::LayerNorm mlp_norm;
        nn::Linear mlp_in;
        nn::Linear mlp_out;
    };

    nn::Placement m_placement;
    std::int64_t m_heads = 1;
    std::int64_t m_conv1_stride = 1;
    at::Tensor m_conv1_weight;
    at::Tensor m_conv1_bias;
    at::Tensor m_conv2_weight;
    at::Tensor m_conv2_bias;
    at::Tensor m_positions;  // [n_audio_ctx, n_state]
    std::vector<Block> m_blocks;
    nn::LayerNorm m_final_norm;
};

}  // namespace braid::models::whisper
