#include "core/nn/few_rows_bfloat16.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include <ATen/Parallel.h>
#include <c10/core/GradMode.h>

#include "core/nn/few_rows.h"
#include "core/nn/lanes.h"

namespace braid::nn {

namespace {

constexpr std::int64_t kGrainBytes = 256 << 10;

// A bfloat16 is the upper half of a float.
template <class Unit>
BRAID_INLINE Floats<Unit> widened(const std::uint16_t *from)
{
    using Ints = typename Unit::Ints;
    const Ints words = __builtin_convertvector(*reinterpret_cast<const typename Unit::Halves *>(from), Ints) << 16;
    return reinterpret_cast<const Floats<Unit> &>(words);
}

BRAID_INLINE float widenedOne(std::uint16_t half)
{
    return std::bit_cast<float>(static_cast<std::uint32_t>(half) << 16);
}

// The outputs begin .. end - 1 of y = x W'.
struct Product {
    const float *x = nullptr;               // [rows, in], widened
    const std::uint16_t *weight = nullptr;  // [out, in]
    float *y = nullptr;                     // [rows, out]
    std::int64_t rows = 0;
    std::int64_t in = 0;
    std::int64_t out = 0;
    std::int64_t begin = 0;
    std::int64_t end = 0;

    template <class Unit>
    BRAID_INLINE void run() const
    {
        switch (rows) {
        case 1: return outputs<Unit, 1>();
        case 2: return outputs<Unit, 2>();
        case 3: return outputs<Unit, 3>();
        case 4: return outputs<Unit, 4>();
        case 5: return outputs<Unit, 5>();
        case 6: return outputs<Unit, 6>();
        case 7: return outputs<Unit, 7>();
        default: return outputs<Unit, 8>();
        }
    }

    template <class Unit, int kRows>
    BRAID_INLINE void outputs() const
    {
        constexpr int kOut = std::max(1, std::min(4, (Unit::kRegisters - 1) / (kRows + 1)));
        std::int64_t o = begin;
        for (; o + kOut <= end; o += kOut) {
            block<Unit, kRows, kOut>(o);
        }
        for (; o < end; ++o) {
            block<Unit, kRows, 1>(o);
        }
    }

    template <class Unit, int kRows, int kOut>
    BRAID_INLINE void block(std::int64_t o) const
    {
        constexpr int kLanes = Unit::kLanes;
        Floats<Unit> sums[kRows][kOut] = {};
        const std::int64_t whole = in - in % kLanes;
        for (std::int64_t i = 0; i < whole; i += kLanes) {
            Floats<Unit> w[kOut];
#pragma GCC unroll 8
            for (int b = 0; b < kOut; ++b) {
                w[b] = widened<Unit>(weight + (o + b) * in + i);
            }
#pragma GCC unroll 8
            for (int r = 0; r < kRows; ++r) {
                const Floats<Unit> v = loadLanes<Unit>(x + r * in + i);
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
                    sum += x[r * in + i] * widenedOne(weight[(o + b) * in + i]);
                }
                y[r * out + o + b] = sum;
            }
        }
    }
};

}  // namespace

bool fewRowsBfloat16Apply(const at::Tensor &x, const at::Tensor &weight)
{
    return x.device().is_cpu() && x.scalar_type() == at::kBFloat16 && weight.scalar_type() == at::kBFloat16 && x.dim() > 0 && x.numel() > 0
        && x.numel() <= kFewRows * weight.size(1) && x.size(-1) == weight.size(1) && weight.is_contiguous()
        && !(c10::GradMode::is_enabled() && (x.requires_grad() || weight.requires_grad()));
}

at::Tensor fewRowsLinearBfloat16(const at::Tensor &x, const at::Tensor &weight, const at::Tensor &bias)
{
    const at::Tensor wide = x.to(at::kFloat).contiguous();
    std::vector<std::int64_t> shape = x.sizes().vec();
    shape.back() = weight.size(0);
    at::Tensor y = at::empty(shape, wide.options());
    const std::int64_t rows = x.numel() / weight.size(1);
    const Product whole{wide.data_ptr<float>(), reinterpret_cast<const std::uint16_t *>(weight.data_ptr<at::BFloat16>()), y.data_ptr<float>(), rows,
                        weight.size(1), weight.size(0)};
    const std::int64_t grain = std::max<std::int64_t>(1, kGrainBytes / (whole.in * 2));
    at::parallel_for(0, whole.out, grain, [&whole](std::int64_t begin, std::int64_t end) {
        Product part = whole;
        part.begin = begin;
        part.end = end;
        runOnProcessor(part);
    });
    if (bias.defined()) {
        y += bias;
    }
    return y.to(at::kBFloat16);
}

}  // namespace braid::nn
