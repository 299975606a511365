// The decoder heads of OpenAI's published models that follow the sound most closely; word times come from them.
// Source: openai/whisper __init__.py, _ALIGNMENT_HEADS (facts in streaming-asr.md 2).
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "core/weights/whisper_checkpoint.h"

namespace braid::weights {

// By the model's sizes; empty for models that were never published. large and large-v2 have the sizes of large-v1: `name` (file or
// folder name) tells that one apart where it says so.
[[nodiscard]] std::vector<std::pair<int, int>> publishedAlignmentHeads(const WhisperDims &dims, std::string_view name);

}  // namespace braid::weights
