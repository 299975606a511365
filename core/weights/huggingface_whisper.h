// Whisper in a Hugging Face folder: config.json, generation_config.json, *.safetensors (or pytorch_model.bin), tokenizer.json.
// Source: transformers WhisperConfig and WhisperForConditionalGeneration; naming in streaming-asr.md 2.
#pragma once

#include <filesystem>
#include <string_view>

#include "core/weights/whisper_checkpoint.h"

namespace braid::weights {

// Everything but the weights. Throws Error(Model) for another architecture or settings this program does not have.
[[nodiscard]] WhisperCheckpoint readHuggingFaceHeader(const std::filesystem::path &folder);

// All of it, with OpenAI's names. "proj_out.weight" is accepted where it equals the token embedding it is tied to.
[[nodiscard]] WhisperCheckpoint readHuggingFaceWhisper(const std::filesystem::path &folder);

// The texts of the two JSON files, for tests and fuzzers: no file is touched. `generation_config` may be empty.
void applyHuggingFaceConfig(std::string_view config, std::string_view generation_config, const std::filesystem::path &folder, WhisperCheckpoint &checkpoint);

}  // namespace braid::weights
