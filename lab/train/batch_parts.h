// A batch in parts that can be learned from at the same time. Plain numbers; no torch. Thread: any.
#pragma once

#include <vector>

#include "core/weights/whisper_checkpoint.h"
#include "lab/train/batch.h"

namespace braid::train {

// Every n-th window goes into the same part, so that windows sorted by length make parts of like length; each part is padded no further
// than its own longest window. At most `count` parts, none of them empty.
[[nodiscard]] std::vector<Batch> splitBatch(const Batch &batch, std::int64_t count, weights::ConvStrides strides);

}  // namespace braid::train
