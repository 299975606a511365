// ggml's numbers for the types of tensors, in whisper.cpp's files and in GGUF, and how many bytes a tensor of them has. Internal to core/weights.
// Source: ggml.h, enum ggml_type. Header only; thread: any.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/weights/blocks.h"
#include "core/weights/byte_reader.h"

namespace braid::weights {

[[nodiscard]] inline std::optional<DType> dtypeOfGgml(std::uint32_t type)
{
    switch (type) {
    case 0:
        return DType::Float32;
    case 1:
        return DType::Float16;
    case 2:
        return DType::Q4_0;
    case 3:
        return DType::Q4_1;
    case 6:
        return DType::Q5_0;
    case 7:
        return DType::Q5_1;
    case 8:
        return DType::Q8_0;
    case 12:
        return DType::Q4_K;
    case 13:
        return DType::Q5_K;
    case 14:
        return DType::Q6_K;
    case 30:
        return DType::BFloat16;
    default:
        return std::nullopt;
    }
}

// `shape` as Braid has it: the last dimension is the one in which numbers stand side by side. Refuses lengths below one, rows that are no whole blocks, and
// tensors larger than any file.
[[nodiscard]] inline std::uint64_t ggmlBytes(DType dtype, std::span<const std::int64_t> shape, const std::string &name, const ByteReader &reader)
{
    const BlockForm form = isBlocks(dtype) ? blockForm(dtype) : BlockForm{"", 1, bytesPerElement(dtype)};
    std::uint64_t count = 1;
    for (const std::int64_t length : shape) {
        if (length < 1 || __builtin_mul_overflow(count, static_cast<std::uint64_t>(length), &count) || count > (std::uint64_t{1} << 48)) {
            reader.refuse("the tensor \"" + name + "\" has an impossible size");
        }
    }
    if (shape.empty() || shape.back() % form.numbers != 0) {
        reader.refuse("the rows of the tensor \"" + name + "\" are no whole blocks of " + std::to_string(form.numbers) + " numbers");
    }
    return count / static_cast<std::uint64_t>(form.numbers) * form.bytes;
}

}  // namespace braid::weights
