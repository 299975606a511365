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

using Halves = std::uint16_t __attribute__((vector_size(kLanes * sizeof(std::uint16_t)), aligned(2), may_alias));
using Words = std::uint32_t __attribute__((vector_size(kLanes * sizeof(std::uint32_t)), aligned(4), may_alias));
constexpr std::int64_t kGrainBytes = 256 << 10;

struct Product {
    const float *x = nullptr;               // [rows, in], widened
    const std::uint16_t *weight = nullptr;  // [out, in]
    float *y = nullptr;                     // [rows, out]
    std::int64_t in = 0;
    std::int64_t out = 0;
};

// A bfloat16 is the upper half of a float.
[[gnu::always_inline]] inline Lanes widened(const std::uint16_t *from)
{
    const Words words = __builtin_convertvector(*reinterpret_cast<const Halves *>(from), Words) << 16;
    return reinterpret_cast<const Lanes &>(words);
}

[[gnu::always_inline]] inline float widenedOne(std::uint16_t half)
{
    return std::bit_cast<float>(static_cast<std::uint32_t>(half) << 16);
}

template <int kRows, int kOut>
[[gnu::always_inline]] inline void productBlock(const Product &p, std::int64_t o)
{
    Lanes sums[kRows][kOut] = {};
    const std::int64_t whole = p.in - p.in % kLanes;
    for (std::int64_t i = 0; i < whole; i += kLanes) {
        Lanes w[kOut];
        for (int b = 0; b < kOut; ++b) {
            w[b] = widened(p.weight + (o + b) * p.in + i);
        }
        for (int r = 0; r < kRows; ++r) {
            const Lanes x = loadLanes(p.x + r * p.in + i);
            for (int b = 0; b < kOut; ++b) {
                sums[r][b] += x * w[b];
            }
        }
    }
    for (int r = 0; r < kRows; ++r) {
        for (int b = 0; b < kOut; ++b) {
            float sum = sumOf(sums[r][b]);
            for (std::int64_t i = whole; i < p.in; ++i) {
                sum += p.x[r * p.in + i] * widenedOne(p.weight[(o + b) * p.in + i]);
            }
            p.y[r * p.out + o + b] = sum;
        }
    }
}

template <int kRows>
[[gnu::always_inline]] inline void productRange(const Product &p, std::int64_t begin, std::int64_t end)
{
    constexpr int kOut = kRows <= 4 ? 4 : 2;
    std::int64_t o = begin;
    for (; o + kOut <= end; o += kOut) {
        productBlock<kRows, kOut>(p, o);
    }
    for (; o < end; ++o) {
        productBlock<kRows, 1>(p, o);
    }
}

BRAID_KERNEL void product(const Product &p, std::int64_t rows, std::int64_t begin, std::int64_t end)
{
    switch (rows) {
    case 1: return productRange<1>(p, begin, end);
    case 2: return productRange<2>(p, begin, end);
    case 3: return productRange<3>(p, begin, end);
    case 4: return productRange<4>(p, begin, end);
    case 5: return productRange<5>(p, begin, end);
    case 6: return productRange<6>(p, begin, end);
    case 7: return productRange<7>(p, begin, end);
    default: return productRange<8>(p, begin, end);
    }
}

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
    const Product p{wide.data_ptr<float>(), reinterpret_cast<const std::uint16_t *>(weight.data_ptr<at::BFloat16>()), y.data_ptr<float>(), weight.size(1), weight.size(0)};
    const std::int64_t grain = std::max<std::int64_t>(1, kGrainBytes / (p.in * 2));
    at::parallel_for(0, p.out, grain, [&p, rows](std::int64_t begin, std::int64_t end) { product(p, rows, begin, end); });
    if (bias.defined()) {
        y += bias;
    }
    return y.to(at::kBFloat16);
}

}  // namespace braid::nn
