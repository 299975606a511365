// Whisper in one file of whisper.cpp (ggml-*.bin): sizes, mel filters, vocabulary, tensors under OpenAI's names in float32, float16 or blocks (Q4_0 to Q8_0,
// Q4_K to Q6_K). Mapped; no tensor is copied. Errors: Error(Model). Thread: any.
// Source: ggml-org/whisper.cpp, models/convert-pt-to-ggml.py and whisper_model_load().
#pragma once

#include <filesystem>
#include <span>

#include "core/weights/torch_whisper.h"
#include "core/weights/whisper_checkpoint.h"

namespace braid::weights {

// By its first bytes. Never throws.
[[nodiscard]] bool isGgmlWhisper(const std::filesystem::path &path) noexcept;
// `depth` Header: sizes only.
[[nodiscard]] WhisperCheckpoint readGgmlWhisper(const std::filesystem::path &path, ReadDepth depth);

}  // namespace braid::weights
