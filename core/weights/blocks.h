// Numbers in few bits, as ggml stores them in blocks along a row: each block has a scale (and perhaps a least value) in float16, and whole numbers of 4 to 8
// bits. Q4_0 to Q8_0: 32 numbers a block; Q4_K, Q5_K, Q6_K: 256, in parts with scales of their own.
// Source: ggml's block layouts (ggml-common.h, block_q4_0 ... block_q6_K) and its reference dequantisation. Thread: any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/weights/tensor_store.h"

namespace braid::weights {

struct BlockForm {
    std::string_view name;     // "q4_0"
    std::int64_t numbers = 0;  // of a block
    std::size_t bytes = 0;
};
// Of a type with isBlocks(); else a form without numbers, called "unknown".
[[nodiscard]] BlockForm blockForm(DType dtype) noexcept;

// Whole blocks -> the numbers they stand for. `numbers` has room for all of them.
void dequantise(DType dtype, std::span<const std::byte> bytes, std::span<float> numbers);

// True where a scale is infinite or not a number.
[[nodiscard]] bool blocksHoldNoNumbers(DType dtype, std::span<const std::byte> bytes);

[[nodiscard]] float floatOfHalf(std::uint16_t half) noexcept;

}  // namespace braid::weights
