#include "core/nn/few_rows.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include <c10/core/GradMode.h>
#include <ATen/Parallel.h>

// One function body, compiled for several processors; the loader picks. GCC's own vectors are split where the processor has narrower ones.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define BRAID_KERNEL __attribute__((target_clones("arch=skylake-avx512", "arch=haswell", "default")))
#else
#define BRAID_KERNEL
#endif

namespace braid::nn {

namespace {

constexpr std::int64_t kLanes = 16;
using Lanes = float __attribute__((vector_size(kLanes * sizeof(float)), aligned(4), may_alias));
using Lanes8 = float __attribute__((vector_size(8 * sizeof(float)), aligned(4), may_alias));
using Lanes4 = float __attribute__((vector_size(4 * sizeof(float)), aligned(4), may_alias));
constexpr std::int64_t kGrainBytes = 256 << 10;  // less weight than this is not worth waking a thread for

// Halves onto halves: one after the other would take longer than the product of a narrow layer itself.
[[gnu::always_inline]] inline float sumOf(const Lanes &v)
{
    const Lanes8 eight = __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7) + __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15);
    const Lanes4 four = __builtin_shufflevector(eight, eight, 0, 1, 2, 3) + __builtin_shufflevector(eight, eight, 4, 5, 6, 7);
    return (four[0] + four[2]) + (four[1] + four[3]);
}

struct Product {
    const float *x = nullptr;  // [rows, in]
    const float *weight = nullptr;  // [out, in]
    const float *bias = nullptr;  // [out] or null
    float *y = nullptr;  // [rows, out]
    std::int64_t in = 0;
    std::int64_t out = 0;
};

// A block of kOut outputs by kRows inputs; every weight is read once.
template <int kRows, int kOut>
[[gnu::always_inline]] inline void productBlock(const Product &p, std::int64_t o)
{
    Lanes sums[kRows][kOut] = {};
    const std::int64_t whole = p.in - p.in % kLanes;
    for (std::int64_t i = 0; i < whole; i += kLanes) {
        Lanes w[kOut];
        for (int b = 0; b < kOut; ++b) {
            w[b] = *reinterpret_cast<const Lanes *>(p.weight + (o + b) * p.in + i);
        }
        for (int r = 0; r < kRows; ++r) {
            const Lanes x = *reinterpret_cast<const Lanes *>(p.x + r * p.in + i);
            for (int b = 0; b < kOut; ++b) {
                sums[r][b] += x * w[b];
            }
        }
    }
    for (int r = 0; r < kRows; ++r) {
        for (int b = 0; b < kOut; ++b) {
            float sum = sumOf(sums[r][b]);
            for (std::int64_t i = whole; i < p.in; ++i) {
                sum += p.x[r * p.in + i] * p.weight[(o + b) * p.in + i];
            }
            p.y[r * p.out + o + b] = sum + (p.bias == nullptr ? 0.0f : p.bias[o + b]);
        }
    }
}

template <int kRows>
[[gnu::always_inline]] inline void productRange(const Product &p, std::int64_t begin, std::int64_t end)
{
    constexpr int kOut = kRows <= 4 ? 4 : 2;  // as many sums as there are registers for
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

struct Attention {
    const float *queries = nullptr;
    const float *keys = nullptr;
    const float *values = nullptr;
    float *out = nullptr;
    std::int64_t entries = 0;  // T
    std::int64_t width = 0;    // D
    float scale = 1;
};

// One query over one head's cache; `scores` has room for `entries` numbers.
BRAID_KERNEL void attendOne(const Attention &a, float *scores)
{
    const std::int64_t whole = a.width - a.width % kLanes;
    float highest = -INFINITY;
    for (std::int64_t t = 0; t < a.entries; ++t) {
        const float *key = a.keys + t * a.width;
        Lanes sums = {};
        for (std::int64_t i = 0; i < whole; i += kLanes) {
            sums += *reinterpret_cast<const Lanes *>(a.queries + i) * *reinterpret_cast<const Lanes *>(key + i);
        }
        float sum = sumOf(sums);
        for (std::int64_t i = whole; i < a.width; ++i) {
            sum += a.queries[i] * key[i];
        }
        scores[t] = sum * a.scale;
        highest = std::max(highest, scores[t]);
    }
    float total = 0;
    for (std::int64_t t = 0; t < a.entries; ++t) {
        scores[t] = std::exp(scores[t] - highest);
        total += scores[t];
    }
    std::memset(a.out, 0, static_cast<std::size_t>(a.width) * sizeof(float));
    for (std::int64_t t = 0; t < a.entries; ++t) {
        const float *value = a.values + t * a.width;
        const float weight = scores[t] / total;
        for (std::int64_t i = 0; i < whole; i += kLanes) {
            *reinterpret_cast<Lanes *>(a.out + i) += weight * *reinterpret_cast<const Lanes *>(value + i);
        }
        for (std::int64_t i = whole; i < a.width; ++i) {
            a.out[i] += weight * value[i];
        }
    }
}

}  // namespace

bool fewRowsApply(const at::Tensor &x, const at::Tensor &weight)
{
    return x.device().is_cpu() && x.scalar_type() == at::kFloat && weight.scalar_type() == at::kFloat && x.dim() > 0 && x.numel() > 0
        && x.numel() <= kFewRows * weight.size(1) && x.size(-1) == weight.size(1) && x.is_contiguous() && weight.is_contiguous()
        && !(c10::GradMode::is_enabled() && (x.requires_grad() || weight.requires_grad()));
}

at::Tensor fewRowsLinear(const at::Tensor &x, const at::Tensor &weight, const at::Tensor &bias)
{
    std::vector<std::int64_t> shape = x.sizes().vec();
    shape.back() = weight.size(0);
    at::Tensor y = at::empty(shape, x.options());
    const std::int64_t rows = x.numel() / weight.size(1);
    const Product p{x.data_ptr<float>(), weight.data_ptr<float>(), bias.defined() ? bias.data_ptr<float>() : nullptr, y.data_ptr<float>(),
                    weight.size(1), weight.size(0)};
    const std::int64_t grain = std::max<std::int64_t>(1, kGrainBytes / (p.in * static_cast<std::int64_t>(sizeof(float))));
    at::parallel_for(0, p.out, grain, [&p, rows](std::int64_t begin, std::int64_t end) { product(p, rows, begin, end); });
    return y;
}

bool fewRowsAttendApply(const at::Tensor &queries, const at::Tensor &keys)
{
    return queries.device().is_cpu() && queries.scalar_type() == at::kFloat && keys.stride(-1) == 1 && keys.stride(-2) == keys.size(-1)
        && !(c10::GradMode::is_enabled() && (queries.requires_grad() || keys.requires_grad()));
}

at::Tensor fewRowsAttend(const at::Tensor &queries, const at::Tensor &keys, const at::Tensor &values, float scale)
{
    const at::Tensor q = queries.contiguous();
    at::Tensor out = at::empty(q.sizes(), q.options());
    const std::int64_t groups = q.size(0);
    const std::int64_t per_group = q.size(1);
    const std::int64_t width = q.size(2);
    const std::int64_t entries = keys.size(1);
    const float *q_data = q.data_ptr<float>();
    const float *k_data = keys.data_ptr<float>();
    const float *v_data = values.data_ptr<float>();
    float *out_data = out.data_ptr<float>();
    const std::int64_t grain = std::max<std::int64_t>(1, kGrainBytes / (2 * entries * width * static_cast<std::int64_t>(sizeof(float))));
    at::parallel_for(0, groups, grain, [&](std::int64_t begin, std::int64_t end) {
        std::vector<float> scores(static_cast<std::size_t>(entries));
        for (std::int64_t g = begin; g < end; ++g) {
            for (std::int64_t n = 0; n < per_group; ++n) {
                const std::int64_t row = (g * per_group + n) * width;
                attendOne({q_data + row, k_data + g * keys.stride(0), v_data + g * values.stride(0), out_data + row, entries, width, scale}, scores.data());
            }
        }
    });
    return out;
}

}  // namespace braid::nn
