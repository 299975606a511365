// Lists of numbers in the configurations of Whisper's folders, each number inside the model. Internal to core/weights (its users' headers do not show JSON).
// Errors: Error(Model) naming the list. Thread: any.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/weights/whisper_checkpoint.h"

namespace braid::weights {

// [[layer, head], ...] of the decoder; each pair once.
[[nodiscard]] std::vector<std::pair<int, int>> alignmentHeadsIn(const nlohmann::json &list, const WhisperDims &dims, const std::string &where);
// [id, ...] under `key`. -1 stands for "the usual ones", which an empty list means here: it is left out.
[[nodiscard]] std::vector<std::int32_t> suppressedTokensIn(const nlohmann::json &list, const char *key, const WhisperDims &dims, const std::string &where);

}  // namespace braid::weights
