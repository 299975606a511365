// The VGG-conformer of Speech-LLaMA (shared/seeds/004, "Implementation details": 80 bands of log-mel every 10 ms, VGG convolutions to a sixth of the frames,
// 512 or 768 numbers wide). No weights of it are published; the format is our own: config.json ("model_type": "braid-conformer") and model.safetensors,
// described in docs/formats.md. Files come from strangers. Errors: Error(Model). Thread: any.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/weights/speech_encoder_config.h"
#include "core/weights/tensor_store.h"

namespace braid::weights {

enum class VggNorm { None = 1, Layer };  // Layer: over the frequencies, after each convolution

// A block of the front: `convolutions` of kernel x kernel, each followed by its norm and ReLU; then the greatest of every pool_time x pool_bands.
struct VggBlock {
    std::int64_t channels = 64;
    std::int64_t convolutions = 2;
    std::int64_t kernel = 3;  // odd: over frequencies it is centred; over time it looks back
    std::int64_t pool_time = 2;
    std::int64_t pool_bands = 2;
    VggNorm norm = VggNorm::None;
};

enum class ConformerNorm { Batch = 1, Layer };  // after the depthwise convolution; Batch: by the means and variances of training

struct ConformerConfig {
    std::int64_t mel_bands = 80;
    std::vector<VggBlock> front;
    std::int64_t width = 512;
    std::int64_t layers = 16;
    std::int64_t heads = 8;
    std::int64_t mlp_width = 2048;
    std::int64_t kernel = 15;  // of the depthwise convolution
    ConformerNorm convolution_norm = ConformerNorm::Batch;
    SpeechStreaming streaming{.left_context_frames = {}, .maximum_frames = 1000, .first_chunk_ms = 720, .chunk_ms = 720};
    std::optional<SpeechAdapterConfig> adapter;

    [[nodiscard]] std::int64_t melFrames() const noexcept;   // that become one frame
    [[nodiscard]] std::int64_t frontWidth() const noexcept;  // channels times what the pools leave of the bands
};

struct ConformerCheckpoint {
    ConformerConfig config;
    TensorStore tensors;
};

[[nodiscard]] ConformerConfig parseConformerConfig(std::string_view config_text, const std::string &where);
[[nodiscard]] ConformerCheckpoint readConformer(const std::filesystem::path &folder);

}  // namespace braid::weights
