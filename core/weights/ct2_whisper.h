// Whisper in a folder of CTranslate2 (faster-whisper): model.bin in float32, float16, bfloat16 or int8 (a scale for each row), config.json. Its layers are
// fused; parts are views of the mapped file. The tokenizer lies beside it as in other folders, or is Whisper's own. Errors: Error(Model). Thread: any. Source:
// OpenNMT/CTranslate2, python/ctranslate2/specs/model_spec.py (the file), whisper_spec.py and converters/transformers.py (its layers).
#pragma once

#include <filesystem>

#include "core/weights/whisper_checkpoint.h"

namespace braid::weights {

// By the head of model.bin. Never throws.
[[nodiscard]] bool isCt2Whisper(const std::filesystem::path &folder) noexcept;
[[nodiscard]] WhisperCheckpoint readCt2Whisper(const std::filesystem::path &folder);

}  // namespace braid::weights
