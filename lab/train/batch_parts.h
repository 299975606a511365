// A batch in parts that can be learned from at the same time, or one after the other. Plain numbers; no torch. Thread: any.
#pragma once

#include <vector>

#include "core/weights/whisper_checkpoint.h"
#include "lab/train/batch.h"

namespace braid::train {

// Every n-th window goes into the same part, so that windows sorted by length make parts of like length; each part is padded no further
// than its own longest window. At most `count` parts, none of them empty.
[[nodiscard]] std::vector<Batch> splitBatch(const Batch &batch, std::int64_t count, weights::ConvStrides strides);

// The same windows once for each time point of the window that has most: the first batch has the first row of every window, the second one the second
// rows and the windows that have one, and so on. The sound heard counts once, with the first.
[[nodiscard]] std::vector<Batch> splitByPoint(const Batch &batch, weights::ConvStrides strides);

}  // namespace braid::train
