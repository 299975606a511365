// What a model is, in words, from its header alone. Torch-free; used by the list of models and by a loaded one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "core/model_access/caption_model.h"
#include "core/weights/speech_lm.h"
#include "core/weights/whisper_checkpoint.h"

namespace braid::models {

inline constexpr const char *kNoTokenizer = "No tokenizer was found for this model: put tokenizer.json, multilingual.tiktoken or gpt2.tiktoken beside it.";

// Of the base model, adapters not counted.
[[nodiscard]] std::int64_t countParameters(const weights::WhisperDims &dims);
// All but the size in bytes.
[[nodiscard]] ModelSummary describeModel(const std::filesystem::path &path, const weights::WhisperCheckpoint &header);
[[nodiscard]] ModelSummary describeSpeechLm(const std::filesystem::path &path, const weights::SpeechLmConfig &config);

}  // namespace braid::models
