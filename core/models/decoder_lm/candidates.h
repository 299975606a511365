// From logits to candidates among which a token is chosen (core/streams/sampling.h). Thread: any.
#pragma once

#include <cstddef>
#include <vector>

#include <ATen/ATen.h>

#include "core/streams/streams_model.h"

namespace braid::models::lm {

// `logits` float32 [vocabulary]; `most`: how many candidates, the highest first, equal ones by token; 0: all. -> with log_sum and entropy over the whole
// vocabulary; `stream` is left 0.
[[nodiscard]] streams::Prediction predictionOf(const at::Tensor &logits, std::size_t most);

}  // namespace braid::models::lm
