// Which tensors a Whisper has, by OpenAI's names and with their shapes, and how other formats name them.
// Source: openai/whisper model.py; transformers' convert_openai_to_hf.py (facts in streaming-asr.md 2).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/weights/expected_tensors.h"
#include "core/weights/whisper_checkpoint.h"

namespace braid::weights {

// Throws Error(Model) where sizes are not positive, implausibly large or do not fit together (heads that do not divide the state).
void checkWhisperDims(const WhisperDims &dims, const std::string &where);

// Every tensor of a complete Whisper; `dims` must have passed checkWhisperDims.
[[nodiscard]] std::vector<ExpectedTensor> expectedWhisperTensors(const WhisperDims &dims);

// "model.encoder.layers.0.self_attn.q_proj.weight" -> "encoder.blocks.0.attn.query.weight"; nullopt for names that are not Whisper's.
// "proj_out.weight" gives itself. The prefix "model." may be missing.
[[nodiscard]] std::optional<std::string> openAiNameOf(std::string_view hugging_face_name);

// Throws Error(Model) naming the first tensors that are missing, of another shape or type, or in excess.
void requireWhisperTensors(const TensorStore &tensors, const WhisperDims &dims);

}  // namespace braid::weights
