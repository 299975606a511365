// Kernels for the case live decoding consists of: a handful of rows (one token, a few beams, the frames of a chunk) against a whole weight matrix or
// a whole key/value cache, on the CPU, with sums in float32. There the bytes of the weights are the floor; general matrix products miss it
// three- to fivefold (shared/reference/platform.md; bench_whisper measures it), those with bfloat16 on processors without bfloat16 arithmetic by
// far (bench_decoder_lm). Elsewhere callers use ATen.
#pragma once

#include <ATen/ATen.h>

namespace braid::nn {

inline constexpr std::int64_t kFewRows = 8;
inline constexpr std::int64_t kSomeRows = 96;

// Up to how many rows fewRowsLinear is the faster way on this processor: kFewRows or kSomeRows.
[[nodiscard]] std::int64_t mostRows();
// True when fewRowsLinear may be used: on the CPU, contiguous, no gradient wanted; float32 with weights in float32 or float16 and at most mostRows()
// rows, or both in bfloat16 and at most kFewRows.
[[nodiscard]] bool fewRowsApply(const at::Tensor &x, const at::Tensor &weight);
// x [..., in], weight [out, in], bias [out] or undefined -> [..., out], of the type of x.
[[nodiscard]] at::Tensor fewRowsLinear(const at::Tensor &x, const at::Tensor &weight, const at::Tensor &bias);

// `weight` as float16 where that loses nothing and this processor widens it as fast as it reads it, for half the bytes mean half the time;
// otherwise as it is. Published weights are mostly float16, whatever type they are stored in.
[[nodiscard]] at::Tensor asHalvesIfExact(const at::Tensor &weight);

// True when fewRowsAttend may be used: float32, on the CPU, keys and values with contiguous entries, no gradient wanted.
[[nodiscard]] bool fewRowsAttendApply(const at::Tensor &queries, const at::Tensor &keys);
// Attention of few queries over cached keys and values, without a mask.
// queries [G, Q, D], keys and values [G, T, D] (G = rows x heads; entries contiguous, groups may be strided) -> [G, Q, D].
[[nodiscard]] at::Tensor fewRowsAttend(const at::Tensor &queries, const at::Tensor &keys, const at::Tensor &values, float scale);

}  // namespace braid::nn
