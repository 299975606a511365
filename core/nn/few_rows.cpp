#include "core/nn/few_rows.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include <c10/core/GradMode.h>
#include <ATen/Parallel.h>

#include "core/nn/lanes.h"

namespace braid::nn {

namespace {

constexpr std::int64_t kGrainBytes = 256 << 10;  // less weight than this is not worth waking a thread for

struct Product {
    const float *x = nullptr;  // [rows, in]
    const float *weight = nullptr;  // [out, in]
    const float *bias = nullptr;  // [out] or null
    float *y = nullptr;  // [rows, out]
    std::int64_t in = 0;
    std::int64_t out = 0;
};

constexpr int kRowGroup = 6;
constexpr int kOutGroup = 4;  // with six rows, as many sums as there are registers for

// A block of kOut outputs by kRows inputs.
template <int kRows, int kOut>
[[gnu::always_inline]] inline void productBlock(const Product &p, std::int64_t row, std::int64_t o)
{
    Lanes sums[kRows][kOut] = {};
    const float *x = p.x + row * p.in;
    const std::int64_t whole = p.in - p.in % kLanes;
    for (std::int64_t i = 0; i < whole; i += kLanes) {
        Lanes w[kOut];
#pragma GCC unroll 8
        for (int b = 0; b < kOut; ++b) {
            w[b] = loadLanes(p.weight + (o + b) * p.in + i);
            __builtin_prefetch(p.weight + (o + kOut + b) * p.in + i);  // rows are too short for the processor to see by itself what comes next
        }
#pragma GCC unroll 8
        for (int r = 0; r < kRows; ++r) {
            const Lanes v = loadLanes(x + r * p.in + i);
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
            for (std::int64_t i = whole; i < p.in; ++i) {
                sum += x[r * p.in + i] * p.weight[(o + b) * p.in + i];
            }
            p.y[(row + r) * p.out + o + b] = sum + (p.bias == nullptr ? 0.0f : p.bias[o + b]);
        }
    }
}

template <int kOut>
[[gnu::always_inline]] inline void productRows(const Product &p, std::int64_t row, std::int64_t rows, std::int64_t o)
{
    switch (rows) {
    case 1: return productBlock<1, kOut>(p, row, o);
    case 2: return productBlock<2, kOut>(p, row, o);
    case 3: return productBlock<3, kOut>(p, row, o);
    case 4: return productBlock<4, kOut>(p, row, o);
    case 5: return productBlock<5, kOut>(p, row, o);
    default: return productBlock<kRowGroup, kOut>(p, row, o);
    }
}

// Every weight is read from memory once: a few outputs' weights stay in the nearest cache while all rows pass.
BRAID_KERNEL void product(const Product &p, std::int64_t rows, std::int64_t begin, std::int64_t end)
{
    const std::int64_t groups = (rows + kRowGroup - 1) / kRowGroup;
    for (std::int64_t o = begin; o < end;) {
        const bool full = o + kOutGroup <= end;
        for (std::int64_t group = 0; group < groups; ++group) {
            const std::int64_t row = group * rows / groups;
            const std::int64_t count = (group + 1) * rows / groups - row;
            if (full) {
                productRows<kOutGroup>(p, row, count, o);
            } else {
                productRows<1>(p, row, count, o);
            }
        }
        o += full ? kOutGroup : 1;
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
            sums += loadLanes(a.queries + i) * loadLanes(key + i);
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
            storeLanes(a.out + i, loadLanes(a.out + i) + weight * loadLanes(value + i));
        }
        for (std::int64_t i = whole; i < a.width; ++i) {
            a.out[i] += weight * value[i];
        }
    }
}

}  // namespace

std::int64_t mostRows()
{
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
    // Without wide registers the sums do not fit, and general products are as good from a few rows on.
    static const std::int64_t rows = __builtin_cpu_supports("avx512f") ? kSomeRows : kFewRows;
    return rows;
#else
    return kFewRows;
#endif
}

bool fewRowsApply(const at::Tensor &x, const at::Tensor &weight)
{
    return x.device().is_cpu() && x.scalar_type() == at::kFloat && weight.scalar_type() == at::kFloat && x.dim() > 0 && x.numel() > 0
        && x.numel() <= mostRows() * weight.size(1) && x.size(-1) == weight.size(1) && x.is_contiguous() && weight.is_contiguous()
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
