// Linear layers that Phi's files hold as one: their rows, one part after the other (streaming-llm.md 3). Internal to core/weights.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/weights/language_model.h"

namespace braid::weights {

// ("layers.0.self_attn.q_proj", rows), ... for "layers.0.self_attn.qkv_proj"; empty for a layer that is one of its own.
[[nodiscard]] std::vector<std::pair<std::string, std::int64_t>> partsOfFused(const std::string &layer, const LmConfig &config);

// Rows [begin, begin + count) of a tensor that has more than none, without copying.
[[nodiscard]] StoredTensor rowsOf(const StoredTensor &tensor, std::int64_t begin, std::int64_t count);

}  // namespace braid::weights
