// Sixteen floats at a time, for the hot kernels of this folder: GCC's own vectors, which are split where the processor has narrower ones.
// Include only from kernels compiled for several processors (BRAID_KERNEL).
#pragma once

#include <cstdint>

#ifndef _OPENMP
#error "compile the kernels with OpenMP: at::parallel_for is a template, and without it runs on one thread"
#endif

// One function body, compiled for several processors; the loader picks by what the processor can do (a processor's name would leave all others
// with the slowest).
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define BRAID_KERNEL __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define BRAID_KERNEL
#endif

namespace braid::nn {

inline constexpr std::int64_t kLanes = 16;
using Lanes = float __attribute__((vector_size(kLanes * sizeof(float)), aligned(4), may_alias));
using Lanes8 = float __attribute__((vector_size(8 * sizeof(float)), aligned(4), may_alias));
using Lanes4 = float __attribute__((vector_size(4 * sizeof(float)), aligned(4), may_alias));
using IntLanes = std::int32_t __attribute__((vector_size(kLanes * sizeof(std::int32_t)), aligned(4), may_alias));

[[gnu::always_inline]] inline Lanes loadLanes(const float *from)
{
    return *reinterpret_cast<const Lanes *>(from);
}

[[gnu::always_inline]] inline void storeLanes(float *to, const Lanes &lanes)
{
    *reinterpret_cast<Lanes *>(to) = lanes;
}

// Halves onto halves: one after the other would take longer than the product of a narrow layer itself.
[[gnu::always_inline]] inline float sumOf(const Lanes &v)
{
    const Lanes8 eight = __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7) + __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15);
    const Lanes4 four = __builtin_shufflevector(eight, eight, 0, 1, 2, 3) + __builtin_shufflevector(eight, eight, 4, 5, 6, 7);
    return (four[0] + four[2]) + (four[1] + four[3]);
}

// e to the x for x up to 0, to about two units in the last place; 0 below -87. Reduction by ln 2 in two parts, then a polynomial.
[[gnu::always_inline]] inline Lanes expOf(const Lanes &x)
{
    constexpr float kRound = 12582912.0f;  // 1.5 x 2^23: adding and taking it away rounds to whole numbers
    const Lanes zero = {};
    const Lanes lowest = zero - 87.0f;
    const Lanes inside = x > lowest ? x : lowest;
    const Lanes n = (inside * 1.44269504f + kRound) - kRound;
    const Lanes r = inside - n * 0.693359375f - n * -2.12194440e-4f;
    Lanes p = zero + 1.9875691500e-4f;
    p = p * r + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    p = p * r * r + r + 1.0f;
    const IntLanes exponent = (__builtin_convertvector(n, IntLanes) + 127) << 23;
    return x > lowest ? p * reinterpret_cast<const Lanes &>(exponent) : zero;
}

}  // namespace braid::nn
