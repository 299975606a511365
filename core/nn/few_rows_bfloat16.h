// few_rows.h for weights and activations kept in bfloat16: half the bytes of float32, sums in float32. ATen's own products of one row with a
// bfloat16 matrix miss the floor (bytes over memory bandwidth) by far on processors without bfloat16 arithmetic; bench_decoder_lm measures it.
#pragma once

#include <ATen/ATen.h>

namespace braid::nn {

// True when fewRowsLinearBfloat16 may be used: bfloat16, on the CPU, contiguous, at most kFewRows rows, no gradient wanted.
[[nodiscard]] bool fewRowsBfloat16Apply(const at::Tensor &x, const at::Tensor &weight);
// x [..., in], weight [out, in], bias [out] or undefined, all bfloat16 -> [..., out], bfloat16.
[[nodiscard]] at::Tensor fewRowsLinearBfloat16(const at::Tensor &x, const at::Tensor &weight, const at::Tensor &bias);

}  // namespace braid::nn
