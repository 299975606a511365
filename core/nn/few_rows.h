// Kernels for the case live decoding consists of: a handful of rows (one token, a few beams) against a whole weight matrix or a
// whole key/value cache, float32, on the CPU. There the bytes of the weights are the floor; general matrix products miss it
// three- to fivefold (shared/reference/platform.md; bench_whisper measures it). Elsewhere callers use ATen.
#pragma once

#include <ATen/ATen.h>

namespace braid::nn {

inline constexpr std::int64_t kFewRows = 8;
inline constexpr std::int64_t kSomeRows = 96;

// Up to how many rows fewRowsLinear is the faster way on this processor: kFewRows or kSomeRows.
[[nodiscard]] std::int64_t mostRows();
// True when fewRowsLinear may be used: float32, on the CPU, contiguous, at most mostRows() rows, no gradient wanted.
[[nodiscard]] bool fewRowsApply(const at::Tensor &x, const at::Tensor &weight);
// x [..., in], weight [out, in], bias [out] or undefined -> [..., out].
[[nodiscard]] at::Tensor fewRowsLinear(const at::Tensor &x, const at::Tensor &weight, const at::Tensor &bias);

// True when fewRowsAttend may be used: float32, on the CPU, keys and values with contiguous entries, no gradient wanted.
[[nodiscard]] bool fewRowsAttendApply(const at::Tensor &queries, const at::Tensor &keys);
// Attention of few queries over cached keys and values, without a mask.
// queries [G, Q, D], keys and values [G, T, D] (G = rows x heads; entries contiguous, groups may be strided) -> [G, Q, D].
[[nodiscard]] at::Tensor fewRowsAttend(const at::Tensor &queries, const at::Tensor &keys, const at::Tensor &values, float scale);

}  // namespace braid::nn
