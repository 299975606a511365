// y = x W' + b for a handful of rows x, the hottest kernel of this folder, over weights in any number type: every weight is read from memory once. Internal to
// core/nn; compiled for several processors (lanes.h).
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>

#include "core/nn/lanes.h"

namespace braid::nn {

inline constexpr std::int64_t kGrainBytes = 256 << 10;  // less weight than this is not worth waking a thread for

inline constexpr int kMostRowsAtOnce = 6;
inline constexpr std::int64_t kPanelBytes = 24 << 10;   // of weights that stay in the nearest cache while all rows pass
inline constexpr std::int64_t kPanelStep = 12;          // outputs: blocks of three and of four end with the panel
inline constexpr std::int64_t kFetchedAhead = 4 << 10;  // weights
inline constexpr std::int64_t kScaledWeights = 32;      // of a row of whole numbers that share a scale

// How the weights that come next are fetched, for rows of them are too short for the processor to see by itself what comes next.
enum class Fetching {
    Alone = 1,  // one group of rows: it passes all weights, and fetches those some way ahead
    Shared,     // several: each fetches its share of the next panel, so that the memory is busy all the time
};

template <class Unit>
BRAID_INLINE Floats<Unit> loadWeights(const float *from)
{
    return loadLanes<Unit>(from);
}

template <class Unit>
BRAID_INLINE Floats<Unit> loadWeights(const c10::Half *from)
{
#ifdef BRAID_X86_UNITS
    using Shorts8 = short __attribute__((vector_size(16)));
    using Shorts16 = short __attribute__((vector_size(32)));
    if constexpr (Unit::kLanes == 16) {
        constexpr int kRoundingAsSet = 4;
        return __builtin_ia32_vcvtph2ps512_mask(reinterpret_cast<Shorts16>(*reinterpret_cast<const typename Unit::Halves *>(from)), Floats<Unit>{}, -1,
                                                kRoundingAsSet);
    } else if constexpr (Unit::kLanes == 8) {
        return __builtin_ia32_vcvtph2ps256(reinterpret_cast<Shorts8>(*reinterpret_cast<const typename Unit::Halves *>(from)));
    }
#endif
    Floats<Unit> numbers = {};
    for (int lane = 0; lane < Unit::kLanes; ++lane) {
        numbers[lane] = static_cast<float>(from[lane]);
    }
    return numbers;
}

// Whole numbers, still to be scaled. GCC 12 would convert bytes to wider vectors one by one (__builtin_convertvector), which takes longer than float32's
// product.
template <class Unit>
BRAID_INLINE Floats<Unit> loadWeights(const std::int8_t *from)
{
    using Ints = typename Unit::Ints;
#ifdef BRAID_X86_UNITS
    using Bytes = char __attribute__((vector_size(16)));
    if constexpr (Unit::kLanes == 16) {
        Bytes bytes;
        std::memcpy(&bytes, from, sizeof bytes);
        const Ints numbers = __builtin_ia32_pmovsxbd512_mask(bytes, Ints{}, -1);
        return __builtin_convertvector(numbers, Floats<Unit>);
    } else if constexpr (Unit::kLanes == 8) {
        using Longs = long long __attribute__((vector_size(16)));
        Longs eight = {};
        std::memcpy(&eight, from, 8);
        const Ints numbers = __builtin_ia32_pmovsxbd256(reinterpret_cast<Bytes>(eight));
        return __builtin_convertvector(numbers, Floats<Unit>);
    }
#endif
    if constexpr (Unit::kLanes == 4) {
        // Each byte into the upper bits of a number, and down again with its sign.
        using Words = std::uint32_t __attribute__((vector_size(16)));
        std::uint32_t four = 0;
        std::memcpy(&four, from, sizeof four);
        const Words shifted = Words{four, four, four, four} << Words{24, 16, 8, 0};
        const Ints numbers = reinterpret_cast<const Ints &>(shifted) >> 24;
        return __builtin_convertvector(numbers, Floats<Unit>);
    }
}

// A bfloat16 is the upper half of a float.
template <class Unit>
BRAID_INLINE Floats<Unit> loadWeights(const c10::BFloat16 *from)
{
    using Ints = typename Unit::Ints;
    const Ints words = __builtin_convertvector(*reinterpret_cast<const typename Unit::Halves *>(from), Ints) << 16;
    return reinterpret_cast<const Floats<Unit> &>(words);
}

// The outputs begin .. end - 1.
template <class Weight>
struct Product {
    static constexpr bool kIsScaled = std::is_same_v<Weight, std::int8_t>;
    const float *x = nullptr;        // [rows, in]
    const Weight *weight = nullptr;  // [out, in]
    const float *bias = nullptr;     // [out] or null
    float *y = nullptr;              // [rows, out]
    std::int64_t rows = 0;
    std::int64_t in = 0;
    std::int64_t out = 0;
    std::int64_t begin = 0;
    std::int64_t end = 0;
    const float *scales = nullptr;  // [out, in / 32] of whole numbers; else null

    // With so many the sums make the best square. Where there are several groups, each has at least three.
    template <class Unit>
    static constexpr int kRowsOfMany = Unit::kRegisters >= 32 ? 6 : 4;

    // A group of rows on its way through a panel of weights.
    struct Pass {
        std::int64_t row = 0;
        std::int64_t o = 0;
        std::int64_t panel_end = 0;
        const Weight *next = nullptr;  // its share of the next panel
        std::int64_t groups = 1;
    };

    template <class Unit>
    BRAID_INLINE void run() const
    {
        if (rows <= kMostRowsAtOnce) {
            return rowGroup<Unit, Fetching::Alone>({0, begin, end, weight, 1}, rows);
        }
        const std::int64_t groups = (rows + kRowsOfMany<Unit> - 1) / kRowsOfMany<Unit>;
        const std::int64_t panel = std::max(kPanelStep, kPanelBytes / (in * static_cast<std::int64_t>(sizeof(Weight))) / kPanelStep * kPanelStep);
        for (std::int64_t o = begin; o < end; o += panel) {
            const std::int64_t panel_end = std::min(end, o + panel);
            for (std::int64_t group = 0; group < groups; ++group) {
                const std::int64_t row = group * rows / groups;
                rowGroup<Unit, Fetching::Shared>({row, o, panel_end, weight + panel_end * in + group * panel * in / groups, groups},
                                                 (group + 1) * rows / groups - row);
            }
        }
    }

    template <class Unit, Fetching kFetching>
    BRAID_INLINE void rowGroup(const Pass &pass, std::int64_t count) const
    {
        constexpr int kLeast = kFetching == Fetching::Alone ? 1 : 3;
        constexpr int kMost = kFetching == Fetching::Alone ? kMostRowsAtOnce : kRowsOfMany<Unit>;
        groupOf<Unit, kFetching, kLeast, kMost>(pass, count);
    }

    // Of kRows rows, or as many more as `count` says: only the numbers there can be are compiled.
    template <class Unit, Fetching kFetching, int kRows, int kMost>
    BRAID_INLINE void groupOf(const Pass &pass, std::int64_t count) const
    {
        if constexpr (kRows < kMost) {
            if (count > kRows) {
                return groupOf<Unit, kFetching, kRows + 1, kMost>(pass, count);
            }
        }
        outputs<Unit, kFetching, kRows>(pass);
    }

    template <class Unit, Fetching kFetching, int kRows>
    BRAID_INLINE void outputs(Pass pass) const
    {
        constexpr int kOut = std::min(4, (Unit::kRegisters - 1) / (kRows + 1));  // the sums, a weight for each column of them, and an input
        for (; pass.o + kOut <= pass.panel_end; pass.o += kOut, pass.next += kOut * in / pass.groups) {
            block<Unit, kFetching, kRows, kOut>(pass);
        }
        for (; pass.o < pass.panel_end; ++pass.o) {
            block<Unit, kFetching, kRows, 1>(pass);
        }
    }

    // kRows inputs by kOut outputs.
    template <class Unit, Fetching kFetching, int kRows, int kOut>
    BRAID_INLINE void block(const Pass &pass) const
    {
        if constexpr (kIsScaled) {
            return scaledBlock<Unit, kFetching, kRows, kOut>(pass);
        }
        constexpr int kLanes = Unit::kLanes;
        Floats<Unit> sums[kRows][kOut] = {};
        const float *from = x + pass.row * in;
        const Weight *weights = weight + pass.o * in;
        const Weight *next = pass.next;
        const std::int64_t next_step = kLanes * kOut / pass.groups;
        const std::int64_t whole = in - in % kLanes;
        for (std::int64_t i = 0; i < whole; i += kLanes) {
            if constexpr (kFetching == Fetching::Shared) {
                __builtin_prefetch(next, 0, 2);
                next += next_step;
            }
            Floats<Unit> w[kOut];
#pragma GCC unroll 8
            for (int b = 0; b < kOut; ++b) {
                w[b] = loadWeights<Unit>(weights + b * in + i);
                if constexpr (kFetching == Fetching::Alone) {
                    __builtin_prefetch(weights + b * in + i + kFetchedAhead);
                }
            }
#pragma GCC unroll 8
            for (int r = 0; r < kRows; ++r) {
                const Floats<Unit> v = loadLanes<Unit>(from + r * in + i);
#pragma GCC unroll 8
                for (int b = 0; b < kOut; ++b) {
                    sums[r][b] += v * w[b];
                }
            }
        }
#pragma GCC unroll 8
        for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 8
            for (int b = 0; b < kOut; ++b) {
                float sum = sumOf(sums[r][b]);
                for (std::int64_t i = whole; i < in; ++i) {
                    sum += from[r * in + i] * static_cast<float>(weights[b * in + i]);
                }
                y[(pass.row + r) * out + pass.o + b] = sum + (bias == nullptr ? 0.0f : bias[pass.o + b]);
            }
        }
    }

    // The same of whole numbers: 32 of a row at a time, which share a scale.
    template <class Unit, Fetching kFetching, int kRows, int kOut>
    BRAID_INLINE void scaledBlock(const Pass &pass) const
    {
        constexpr int kLanes = Unit::kLanes;
        Floats<Unit> sums[kRows][kOut] = {};
        const float *from = x + pass.row * in;
        const std::int64_t blocks = in / kScaledWeights;
        const Weight *next = pass.next;
        const std::int64_t next_step = kScaledWeights * kOut / pass.groups;
        for (std::int64_t block = 0; block < blocks; ++block) {
            if constexpr (kFetching == Fetching::Shared) {
                __builtin_prefetch(next, 0, 2);
                next += next_step;
            }
#pragma GCC unroll 8
            for (int b = 0; b < kOut; ++b) {
                const Weight *weights = weight + (pass.o + b) * in + block * kScaledWeights;
                if constexpr (kFetching == Fetching::Alone) {
                    __builtin_prefetch(weights + kFetchedAhead);
                }
                const float scale = scales[(pass.o + b) * blocks + block];
                Floats<Unit> partial[kRows] = {};
#pragma GCC unroll 8
                for (int i = 0; i < kScaledWeights; i += kLanes) {
                    const Floats<Unit> w = loadWeights<Unit>(weights + i);
#pragma GCC unroll 8
                    for (int r = 0; r < kRows; ++r) {
                        partial[r] += loadLanes<Unit>(from + r * in + block * kScaledWeights + i) * w;
                    }
                }
#pragma GCC unroll 8
                for (int r = 0; r < kRows; ++r) {
                    sums[r][b] += partial[r] * scale;
                }
            }
        }
#pragma GCC unroll 8
        for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 8
            for (int b = 0; b < kOut; ++b) {
                y[(pass.row + r) * out + pass.o + b] = sumOf(sums[r][b]) + (bias == nullptr ? 0.0f : bias[pass.o + b]);
            }
        }
    }
};

}  // namespace braid::nn
