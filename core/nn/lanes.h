// Several floats at a time, for the hot kernels of this folder: GCC's own vectors, in the width and number of the registers of the processor that
// runs them. A kernel written for wider vectors than there are keeps its sums in memory, and takes three times as long.
//
// A kernel is a struct with the numbers it works on and `template <class Unit> void run() const`; runOnProcessor() runs what was compiled for
// this processor. Everything it calls must be BRAID_INLINE, to be compiled for the same one.
#pragma once

#include <cmath>
#include <cstdint>

#ifndef _OPENMP
#error "compile the kernels with OpenMP: at::parallel_for is a template, and without it runs on one thread"
#endif

#define BRAID_INLINE [[gnu::always_inline]] inline

// One function for several processors, as GCC has it.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define BRAID_X86_UNITS
#endif

namespace braid::nn {

// What a processor computes with.
struct AnyUnit {
    using Floats = float __attribute__((vector_size(16), aligned(4), may_alias));
    using Ints = std::int32_t __attribute__((vector_size(16), aligned(4), may_alias));
    using Halves = std::uint16_t __attribute__((vector_size(8), aligned(2), may_alias));
    static constexpr int kLanes = 4;
    static constexpr int kRegisters = 16;
};
struct Avx2Unit {
    using Floats = float __attribute__((vector_size(32), aligned(4), may_alias));
    using Ints = std::int32_t __attribute__((vector_size(32), aligned(4), may_alias));
    using Halves = std::uint16_t __attribute__((vector_size(16), aligned(2), may_alias));
    static constexpr int kLanes = 8;
    static constexpr int kRegisters = 16;
};
struct Avx512Unit {
    using Floats = float __attribute__((vector_size(64), aligned(4), may_alias));
    using Ints = std::int32_t __attribute__((vector_size(64), aligned(4), may_alias));
    using Halves = std::uint16_t __attribute__((vector_size(32), aligned(2), may_alias));
    static constexpr int kLanes = 16;
    static constexpr int kRegisters = 32;
};

enum class Processor { Any = 1, Avx2, Avx512 };

inline Processor thisProcessor()
{
#ifdef BRAID_X86_UNITS
    static const Processor processor = __builtin_cpu_supports("x86-64-v4")   ? Processor::Avx512
                                       : __builtin_cpu_supports("x86-64-v3") ? Processor::Avx2
                                                                             : Processor::Any;
    return processor;
#else
    return Processor::Any;
#endif
}

#ifdef BRAID_X86_UNITS
template <class Kernel>
[[gnu::target("arch=x86-64-v3")]] void runOnAvx2(const Kernel &kernel)
{
    kernel.template run<Avx2Unit>();
}

template <class Kernel>
[[gnu::target("arch=x86-64-v4")]] void runOnAvx512(const Kernel &kernel)
{
    kernel.template run<Avx512Unit>();
}
#endif

template <class Kernel>
void runOnProcessor(const Kernel &kernel)
{
    switch (thisProcessor()) {
#ifdef BRAID_X86_UNITS
    case Processor::Avx2:
        return runOnAvx2(kernel);
    case Processor::Avx512:
        return runOnAvx512(kernel);
#endif
    default:
        return kernel.template run<AnyUnit>();
    }
}

template <class Unit>
using Floats = typename Unit::Floats;

template <class Unit>
BRAID_INLINE Floats<Unit> loadLanes(const float *from)
{
    return *reinterpret_cast<const Floats<Unit> *>(from);
}

template <class Unit>
BRAID_INLINE void storeLanes(float *to, const Floats<Unit> &lanes)
{
    *reinterpret_cast<Floats<Unit> *>(to) = lanes;
}

// Halves onto halves: one after the other would take longer than the product of a narrow layer itself.
BRAID_INLINE float sumOf(const AnyUnit::Floats &v)
{
    return (v[0] + v[2]) + (v[1] + v[3]);
}
BRAID_INLINE float sumOf(const Avx2Unit::Floats &v)
{
    return sumOf(__builtin_shufflevector(v, v, 0, 1, 2, 3) + __builtin_shufflevector(v, v, 4, 5, 6, 7));
}
BRAID_INLINE float sumOf(const Avx512Unit::Floats &v)
{
    return sumOf(__builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7) + __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15));
}

// e to the x for x up to 0, to about two units in the last place; 0 below -87. Reduction by ln 2 in two parts, then a polynomial.
template <class Unit>
BRAID_INLINE Floats<Unit> expOf(const Floats<Unit> &x)
{
    using Ints = typename Unit::Ints;
    constexpr float kRound = 12582912.0f;  // 1.5 x 2^23: adding and taking it away rounds to whole numbers
    const Floats<Unit> zero = {};
    const Floats<Unit> lowest = zero - 87.0f;
    const Floats<Unit> inside = x > lowest ? x : lowest;
    const Floats<Unit> n = (inside * 1.44269504f + kRound) - kRound;
    const Floats<Unit> r = inside - n * 0.693359375f - n * -2.12194440e-4f;
    Floats<Unit> p = zero + 1.9875691500e-4f;
    p = p * r + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    p = p * r * r + r + 1.0f;
    const Ints exponent = (__builtin_convertvector(n, Ints) + 127) << 23;
    return x > lowest ? p * reinterpret_cast<const Floats<Unit> &>(exponent) : zero;
}

// Scores become weights that sum to one.
template <class Unit>
BRAID_INLINE void softmaxInPlace(float *scores, std::int64_t entries)
{
    constexpr int kLanes = Unit::kLanes;
    const std::int64_t whole = entries - entries % kLanes;
    float highest = -INFINITY;
    if (whole > 0) {
        Floats<Unit> highest_lanes = loadLanes<Unit>(scores);
        for (std::int64_t t = kLanes; t < whole; t += kLanes) {
            const Floats<Unit> v = loadLanes<Unit>(scores + t);
            highest_lanes = v > highest_lanes ? v : highest_lanes;
        }
        for (int lane = 0; lane < kLanes; ++lane) {
            highest = highest_lanes[lane] > highest ? highest_lanes[lane] : highest;
        }
    }
    for (std::int64_t t = whole; t < entries; ++t) {
        highest = scores[t] > highest ? scores[t] : highest;
    }
    Floats<Unit> sums = {};
    for (std::int64_t t = 0; t < whole; t += kLanes) {
        const Floats<Unit> weight = expOf<Unit>(loadLanes<Unit>(scores + t) - highest);
        storeLanes<Unit>(scores + t, weight);
        sums += weight;
    }
    float total = sumOf(sums);
    for (std::int64_t t = whole; t < entries; ++t) {
        scores[t] = std::exp(scores[t] - highest);
        total += scores[t];
    }
    const float share = 1.0f / total;
    for (std::int64_t t = 0; t < entries; ++t) {
        scores[t] *= share;
    }
}

}  // namespace braid::nn
