// Weights of eight bits, computed with as such: a matrix product reads a quarter of float32's bytes and makes floats of them in registers. Each 32 whole
// numbers of a row share a scale, the greatest of them by 127 (ggml's Q8_0, with scales in float32). Inputs, sums and results are float32. CPU only. Thread: as
// torch's. Source: the layout is that of ggml-common.h, block_q8_0.
#pragma once

#include <cstdint>
#include <optional>

#include <ATen/ATen.h>

namespace braid::nn {

struct Int8Weight {
    at::Tensor numbers;  // int8 [out, in]
    at::Tensor scales;   // float32 [out, in / 32]

    [[nodiscard]] bool defined() const noexcept { return numbers.defined(); }
    [[nodiscard]] std::uint64_t bytes() const { return numbers.nbytes() + scales.nbytes(); }
    // A view.
    [[nodiscard]] Int8Weight rows(std::int64_t begin, std::int64_t count) const { return {numbers.narrow(0, begin, count), scales.narrow(0, begin, count)}; }
};

// True for matrices in float32 on the CPU with rows of whole blocks, no gradient wanted.
[[nodiscard]] bool fitsInt8(const at::Tensor &weight);
// The nearest in eight bits: off by at most half a scale, or by 4e-37 where 32 numbers are all smaller than that. `weight` as fitsInt8() wants it.
[[nodiscard]] Int8Weight toInt8(const at::Tensor &weight);
// In eight bits where that loses nothing, as of weights that were stored so; else nothing.
[[nodiscard]] std::optional<Int8Weight> int8IfExact(const at::Tensor &weight);
[[nodiscard]] at::Tensor fromInt8(const Int8Weight &weight);  // float32 [out, in]

// x float32 [..., in], bias [out] or undefined -> [..., out]. For many rows the weights become floats first, a part at a time.
[[nodiscard]] at::Tensor int8Linear(const at::Tensor &x, const Int8Weight &weight, const at::Tensor &bias);
// The rows of these numbers, int64 of any shape -> float32 [..., in].
[[nodiscard]] at::Tensor int8Embedding(const Int8Weight &weight, const at::Tensor &rows);

}  // namespace braid::nn
