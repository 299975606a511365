// A layer with a great many outputs, the words a model may say next, of which only a few are looked at: the best, some asked for, and the sum that makes
// probabilities of them. One pass over the weights tells all of it; of a handful of rows on the CPU (few_rows.h) the outputs never stand in memory as a
// whole, so that a vocabulary costs little more than reading its weights. Elsewhere the outputs are computed as the layer does and then looked through.
// Thread: as the layer's.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <ATen/ATen.h>

#include "core/nn/linear.h"

namespace braid::nn {

struct OutputScore {
    std::int64_t index = 0;
    float score = 0;
};

struct OutputWishes {
    std::int64_t best = 1;                             // so many of the highest, or all there are
    std::span<const std::int64_t> never;               // ascending: these outputs count as minus infinity
    std::span<const std::vector<std::int64_t>> asked;  // for each row, ascending: outputs whose scores are wanted in any case; or empty: none
};

// Of one row.
struct OutputSummary {
    float log_sum_exp = 0;          // over all outputs; minus infinity where all are
    std::vector<OutputScore> best;  // highest first; of equals the one of lower index
    std::vector<float> asked;       // as they were asked
};

// x [..., in] with N rows -> N summaries. Throws nothing of its own; indices are the caller's care.
[[nodiscard]] std::vector<OutputSummary> summariseOutputs(const Linear &layer, const at::Tensor &x, const OutputWishes &wishes);
// Of scores that are there already.
[[nodiscard]] OutputSummary summariseScores(std::span<const float> scores, std::int64_t best);

}  // namespace braid::nn
