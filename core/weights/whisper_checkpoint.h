// A Whisper as people have it on disk, read into one form: OpenAI's tensor names, adapters apart from the base.
// Formats: Hugging Face folder (config.json, *.safetensors single or sharded or pytorch_model.bin, generation_config.json), OpenAI .pt,
// CarelessWhisper .pt and Lightning .ckpt (shared/reference/streaming-asr.md 1.1, 2), whisper.cpp's ggml-*.bin, CTranslate2 folder (model.bin).
// Errors: Error(Model) with the file, what is wrong and what to do. Thread: any.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/weights/tensor_store.h"

namespace braid::weights {

// How far the encoder's two convolutions move at a time. {1, 2} is Whisper's: frames of 20 ms. Frames of 40 ms: {2, 2} in Braid's own small
// models, {1, 4} in a Whisper of which every second frame is kept.
struct ConvStrides {
    std::int64_t first = 1;
    std::int64_t second = 2;

    [[nodiscard]] constexpr std::int64_t melFrames() const noexcept { return first * second; }  // of one encoder frame
    friend constexpr bool operator==(const ConvStrides &, const ConvStrides &) = default;
};

// Names as in openai/whisper's ModelDimensions, plus what Braid's own small models vary.
struct WhisperDims {
    std::int64_t n_mels = 80;
    std::int64_t n_audio_ctx = 1500;
    std::int64_t n_audio_state = 384;
    std::int64_t n_audio_head = 6;
    std::int64_t n_audio_layer = 4;
    std::int64_t n_vocab = 51865;
    std::int64_t n_text_ctx = 448;
    std::int64_t n_text_state = 384;
    std::int64_t n_text_head = 6;
    std::int64_t n_text_layer = 4;
    std::int64_t n_audio_mlp = 0;  // 0: 4 x state
    std::int64_t n_text_mlp = 0;
    std::int64_t conv1_stride = 1;  // 1 or 2 ("encoder_conv1_stride" in config.json)
    std::int64_t conv2_stride = 2;  // 2 or 4 ("encoder_conv2_stride"); 4 only with a conv1_stride of 1

    [[nodiscard]] constexpr ConvStrides strides() const noexcept { return {conv1_stride, conv2_stride}; }
    [[nodiscard]] constexpr std::int64_t audioMlp() const noexcept { return n_audio_mlp > 0 ? n_audio_mlp : 4 * n_audio_state; }
    [[nodiscard]] constexpr std::int64_t textMlp() const noexcept { return n_text_mlp > 0 ? n_text_mlp : 4 * n_text_state; }
};

// Whisper pads every window with silence to its full length; Braid's own models take sound as long as it is ("pad_to_window": false).
enum class WindowPadding { FullWindow = 1, None };

// A model whose encoder was trained to be block-causal.
struct StreamingConfig {
    // CarelessWhisper's "cfg"; there the causal encoder is the adapters' work, and without them the model is the offline one.
    std::int64_t chunk_frames = 15;  // gran, in encoder frames of 20 ms
    std::int64_t rank = 0;
    std::int64_t extra_first_chunks = 0;  // extra_gran_blocks
    // The same in milliseconds; Braid's own models say it so ("braid_streaming" in config.json), and any chunk between the two is fine.
    std::int64_t first_chunk_ms = 300;
    std::int64_t default_chunk_ms = 300;
    std::int64_t chunk_ms_min = 300;
    std::int64_t chunk_ms_max = 300;
    std::int64_t reencode_ms = 0;  // captions::Chunking::reencode_samples
};

struct WhisperCheckpoint {
    explicit WhisperCheckpoint(std::string origin)
        : tensors(origin)
        , adapters(origin)
    {
    }
    WhisperDims dims;
    WindowPadding padding = WindowPadding::FullWindow;
    TensorStore tensors;   // "encoder.blocks.0.attn.query.weight", ...: the base model
    TensorStore adapters;  // LoRA: "encoder.blocks.0.attn.query.lora_A" [in, rank] and "..lora_B" [rank, out]; scale 1; empty without
    std::optional<StreamingConfig> streaming;
    std::vector<std::pair<int, int>> alignment_heads;  // (layer, head); from generation_config.json or the published table by dims; may be empty
    std::vector<std::int32_t> suppressed_tokens;       // from generation_config.json; empty: the tokenizer's non-speech tokens where it is OpenAI's
    std::filesystem::path tokenizer_path;              // tokenizer.json, vocab.json, *.tiktoken, or empty: OpenAI's vocabulary is needed
    std::vector<std::string> languages;                // "braid_languages" in config.json; empty: by the tokenizer
    // What a ggml file brings beside its weights; the program has both itself, and refuses a model that was made with others. Else empty.
    std::vector<float> mel_filters;   // [n_mels, 201]
    std::vector<std::string> pieces;  // bytes of the tokens 0, 1, 2, ...: those that are text
};

// Cheap look without weights: dims and formats; for model lists.
[[nodiscard]] WhisperCheckpoint readWhisperHeader(const std::filesystem::path &path);
[[nodiscard]] WhisperCheckpoint readWhisperCheckpoint(const std::filesystem::path &path);

}  // namespace braid::weights
