// Attention of a block of queries over a long cache whose keys lie transposed, [D, T] for each head, float32 on the CPU. A block of live
// captions is some fifteen frames, or the tokens of a few rows, against hundreds of entries: there general batched products spend most of
// their time elsewhere (bench_streaming measures it).
#pragma once

#include <ATen/ATen.h>

namespace braid::nn {

// True when blockAttend may be used: float32, on the CPU, keys with contiguous columns (stride 1 over T), values with contiguous rows, no
// gradient wanted.
[[nodiscard]] bool blockAttendApplies(const at::Tensor &queries, const at::Tensor &keys, const at::Tensor &values);
// queries [G, Q, D]; keys, values [G, T, D], strided as above; mask float32 [Q, T], added to the scaled products, or undefined -> [G, Q, D].
// Every query sees an entry at least.
[[nodiscard]] at::Tensor blockAttend(const at::Tensor &queries, const at::Tensor &keys, const at::Tensor &values, const at::Tensor &mask, float scale);

}  // namespace braid::nn
