// A language model that listens, as a folder: an encoder of speech, an adapter that brings its frames to the language model's width, and a decoder-only
// language model with its heads (docs/formats.md, "Speech language models"). config.json names the parts; model.safetensors holds "encoder.*", "adapter.*"
// and "language_model.*"; tokenizer.json has the marks of text::TranslationFrame. Strict: a setting that is not known is refused, every tensor has its place.
// Source: "LLM as Effective Streaming Processor", appendix B.1; "Faster Speech-LLaMA with multi-token prediction", sections II and IV.
// Files come from strangers. Errors: Error(Model). Thread: any.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/weights/language_model.h"
#include "core/weights/speech_encoder_config.h"
#include "core/weights/whisper_checkpoint.h"

namespace braid::weights {

enum class SpeechEncoderKind : std::uint8_t { CausalWhisper = 1 };

struct SpeechLmConfig {
    SpeechEncoderKind encoder_kind = SpeechEncoderKind::CausalWhisper;
    WhisperDims encoder;              // CausalWhisper: what is said of the decoder means nothing
    SpeechAdapterConfig adapter;      // its last width is the language model's
    std::int64_t segment_ms = 400;    // of speech, read at once: whole frames
    std::int64_t wait_k = 3;          // what it was trained with, or does best with
    std::vector<double> phi = {0.0};  // offsets of the text's positions it was trained with; at least one
    std::vector<std::string> languages;
    LmConfig language_model;

    [[nodiscard]] std::int64_t frameMs() const noexcept { return 10 * encoder.strides().melFrames(); }
};

struct SpeechLmCheckpoint {
    explicit SpeechLmCheckpoint(const std::string &origin)
        : encoder(origin)
        , adapter(origin)
        , language_model(origin)
    {
    }
    SpeechLmConfig config;
    WhisperCheckpoint encoder;  // its tensors: "encoder.conv1.weight", ...
    TensorStore adapter;        // "adapter.0.weight", "adapter.0.bias", ...
    LmCheckpoint language_model;
};

inline constexpr std::string_view kSpeechLm = "braid-speech-lm";  // "model_type"

// True where config.json in a folder says so. Never throws.
[[nodiscard]] bool isSpeechLm(const std::filesystem::path &folder) noexcept;
// `where` names the file in error sentences.
[[nodiscard]] SpeechLmConfig parseSpeechLmConfig(std::string_view config_text, const std::string &where);
// config.json alone, for lists of models.
[[nodiscard]] SpeechLmConfig readSpeechLmConfig(const std::filesystem::path &folder);
[[nodiscard]] SpeechLmCheckpoint readSpeechLm(const std::filesystem::path &folder);

// Every tensor of a complete model of these sizes, under the names of the file.
[[nodiscard]] std::vector<ExpectedTensor> expectedSpeechLmTensors(const SpeechLmConfig &config);

}  // namespace braid::weights
