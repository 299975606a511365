// The trainer's own greedy decoding: slow and plain, the whole row computed anew for every token. For validation and as what the
// program's recogniser must agree with. Torch header; thread: one.
#pragma once

#include <cstdint>
#include <vector>

#include "lab/train/losses.h"
#include "lab/train/network.h"

namespace braid::train {

// The text tokens of every window of `batch`, given all of its frames; special tokens but the end are never chosen.
// `most`: tokens of a text.
[[nodiscard]] std::vector<std::vector<std::int32_t>> greedyTexts(const Network &network, const Batch &batch, const TextFrame &text, std::int64_t most);

}  // namespace braid::train
