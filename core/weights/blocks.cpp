#include "core/weights/blocks.h"

#include <bit>
#include <cmath>
#include <cstring>

namespace braid::weights {
namespace {

constexpr std::int64_t kSmallBlock = 32;
constexpr std::int64_t kLargeBlock = 256;

std::uint8_t byteAt(const std::byte *block, std::int64_t at)
{
    return std::to_integer<std::uint8_t>(block[at]);
}

float halfAt(const std::byte *block, std::int64_t at)
{
    std::uint16_t half = 0;
    std::memcpy(&half, block + at, sizeof half);
    return floatOfHalf(half);
}

// The lower four bits of 16 bytes are the first half of a block, the upper four the second; `fifth_bits`: a bit more for each number, or none.
void readNibbles(const std::byte *nibbles, std::uint32_t fifth_bits, float scale, float least, float *numbers)
{
    for (int i = 0; i < 16; ++i) {
        const int both = byteAt(nibbles, i);
        const int low = (both & 15) | static_cast<int>((fifth_bits >> i & 1) << 4);
        const int high = (both >> 4) | static_cast<int>((fifth_bits >> (i + 16) & 1) << 4);
        numbers[i] = scale * static_cast<float>(low) + least;
        numbers[i + 16] = scale * static_cast<float>(high) + least;
    }
}

std::uint32_t bitsAt(const std::byte *block, std::int64_t at)
{
    std::uint32_t bits = 0;
    std::memcpy(&bits, block + at, sizeof bits);
    return bits;
}

void readSmall(DType dtype, const std::byte *block, float *numbers)
{
    const float scale = halfAt(block, 0);
    switch (dtype) {
    case DType::Q4_0:
        return readNibbles(block + 2, 0, scale, -8 * scale, numbers);
    case DType::Q4_1:
        return readNibbles(block + 4, 0, scale, halfAt(block, 2), numbers);
    case DType::Q5_0:
        return readNibbles(block + 6, bitsAt(block, 2), scale, -16 * scale, numbers);
    case DType::Q5_1:
        return readNibbles(block + 8, bitsAt(block, 4), scale, halfAt(block, 2), numbers);
    default:  // Q8_0
        for (int i = 0; i < kSmallBlock; ++i) {
            numbers[i] = scale * static_cast<float>(static_cast<std::int8_t>(byteAt(block, 2 + i)));
        }
    }
}

// Q4_K and Q5_K: eight parts of 32, each with a scale and a least value of six bits, packed into twelve bytes.
struct PartScale {
    int scale = 0;
    int least = 0;
};

PartScale partScale(const std::byte *packed, int part)
{
    if (part < 4) {
        return {byteAt(packed, part) & 63, byteAt(packed, part + 4) & 63};
    }
    return {(byteAt(packed, part + 4) & 15) | (byteAt(packed, part - 4) >> 6) << 4, (byteAt(packed, part + 4) >> 4) | (byteAt(packed, part) >> 6) << 4};
}

// `fifth_bits`: 32 bytes of which bit p belongs to part p, or null.
void readParts(const std::byte *block, const std::byte *fifth_bits, const std::byte *nibbles, float *numbers)
{
    const float scale = halfAt(block, 0);
    const float least = halfAt(block, 2);
    for (int part = 0; part < 8; ++part) {
        const PartScale own = partScale(block + 4, part);
        const float part_scale = scale * static_cast<float>(own.scale);
        const float part_least = least * static_cast<float>(own.least);
        for (int i = 0; i < 32; ++i) {
            const int both = byteAt(nibbles, part / 2 * 32 + i);
            const int fifth = fifth_bits == nullptr ? 0 : (byteAt(fifth_bits, i) >> part & 1) << 4;
            numbers[32 * part + i] = part_scale * static_cast<float>((part % 2 == 0 ? both & 15 : both >> 4) | fifth) - part_least;
        }
    }
}

// Q6_K: 128 bytes with lower four bits, 64 with upper two, 16 scales of 16 numbers each, then the block's.
void readSixBits(const std::byte *block, float *numbers)
{
    const float scale = halfAt(block, 208);
    for (int i = 0; i < kLargeBlock; ++i) {
        const int half = i / 128;
        const int quarter = i % 128 / 32;
        const int column = i % 32;
        const int low = byteAt(block, 64 * half + 32 * (quarter % 2) + column) >> (quarter < 2 ? 0 : 4) & 15;
        const int high = byteAt(block, 128 + 32 * half + column) >> (2 * quarter) & 3;
        const auto part_scale = static_cast<std::int8_t>(byteAt(block, 192 + i / 16));
        numbers[i] = scale * static_cast<float>(part_scale) * static_cast<float>((low | high << 4) - 32);
    }
}

}  // namespace

BlockForm blockForm(DType dtype) noexcept
{
    switch (dtype) {
    case DType::Q4_0:
        return {"q4_0", kSmallBlock, 18};
    case DType::Q4_1:
        return {"q4_1", kSmallBlock, 20};
    case DType::Q5_0:
        return {"q5_0", kSmallBlock, 22};
    case DType::Q5_1:
        return {"q5_1", kSmallBlock, 24};
    case DType::Q8_0:
        return {"q8_0", kSmallBlock, 34};
    case DType::Q4_K:
        return {"q4_k", kLargeBlock, 144};
    case DType::Q5_K:
        return {"q5_k", kLargeBlock, 176};
    case DType::Q6_K:
        return {"q6_k", kLargeBlock, 210};
    default:
        return {"unknown", 0, 0};
    }
}

void dequantise(DType dtype, std::span<const std::byte> bytes, std::span<float> numbers)
{
    const BlockForm form = blockForm(dtype);
    const std::byte *block = bytes.data();
    float *out = numbers.data();
    for (std::size_t left = form.bytes == 0 ? 0 : bytes.size() / form.bytes; left > 0; --left, block += form.bytes, out += form.numbers) {
        switch (dtype) {
        case DType::Q4_K:
            readParts(block, nullptr, block + 16, out);
            break;
        case DType::Q5_K:
            readParts(block, block + 16, block + 48, out);
            break;
        case DType::Q6_K:
            readSixBits(block, out);
            break;
        default:
            readSmall(dtype, block, out);
        }
    }
}

bool blocksHoldNoNumbers(DType dtype, std::span<const std::byte> bytes)
{
    const BlockForm form = blockForm(dtype);
    const bool has_least = dtype == DType::Q4_1 || dtype == DType::Q5_1 || dtype == DType::Q4_K || dtype == DType::Q5_K;
    const std::int64_t scale_at = dtype == DType::Q6_K ? 208 : 0;
    for (std::size_t at = 0; form.bytes > 0 && at + form.bytes <= bytes.size(); at += form.bytes) {
        const std::byte *block = bytes.data() + at;
        if (!std::isfinite(halfAt(block, scale_at)) || (has_least && !std::isfinite(halfAt(block, 2)))) {
            return true;
        }
    }
    return false;
}

float floatOfHalf(std::uint16_t half) noexcept
{
    const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000) << 16;
    const std::uint32_t magnitude = half & 0x7FFF;
    if (magnitude < 0x0400) {  // zero, or too small for a leading one
        return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(static_cast<float>(magnitude) * 0x1p-24f));
    }
    if (magnitude >= 0x7C00) {
        return std::bit_cast<float>(sign | 0x7F80'0000 | (magnitude & 0x3FF) << 13);
    }
    return std::bit_cast<float>(sign | ((magnitude << 13) + 0x3800'0000));
}

}  // namespace braid::weights
