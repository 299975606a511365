#include "core/nn/block_attend.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <ATen/Parallel.h>
#include <c10/core/GradMode.h>

#include "core/nn/lanes.h"

namespace braid::nn {

namespace {

constexpr int kQueries = 6;  // as many as there are registers for
constexpr std::int64_t kGrainProducts = 1 << 16;  // less work than this is not worth waking a thread for

// One head and up to kQueries queries.
struct HeadBlock {
    const float *queries = nullptr;  // [Q, D]
    const float *keys = nullptr;     // [D, T], rows key_stride apart
    const float *values = nullptr;   // [T, D], rows value_stride apart
    const float *mask = nullptr;     // [Q, T] or null
    float *scores = nullptr;         // room for [Q, T]
    float *out = nullptr;            // [Q, D]
    std::int64_t entries = 0;        // T
    std::int64_t width = 0;          // D
    std::int64_t key_stride = 0;
    std::int64_t value_stride = 0;
    float scale = 1;
};

// Some rows by a matrix: out[r, c] = scale x the sum over i of rows[r, i] x matrix[i, c].
struct RowsByMatrix {
    const float *rows = nullptr;    // [R, inner]
    const float *matrix = nullptr;  // [inner, columns], rows `stride` apart
    float *out = nullptr;           // [R, columns]
    std::int64_t inner = 0;
    std::int64_t columns = 0;
    std::int64_t stride = 0;
    float scale = 1;
};

// The columns c .. c + kVectors x kLanes - 1.
template <int kRows, int kVectors>
[[gnu::always_inline]] inline void productColumns(const RowsByMatrix &p, std::int64_t c)
{
    Lanes sums[kRows][kVectors] = {};
    const float *from = p.matrix + c;
    for (std::int64_t i = 0; i < p.inner; ++i, from += p.stride) {
        Lanes m[kVectors];
#pragma GCC unroll 8
        for (int v = 0; v < kVectors; ++v) {
            m[v] = loadLanes(from + v * kLanes);
        }
#pragma GCC unroll 8
        for (int r = 0; r < kRows; ++r) {
            const float x = p.rows[r * p.inner + i];
#pragma GCC unroll 8
            for (int v = 0; v < kVectors; ++v) {
                sums[r][v] += x * m[v];
            }
        }
    }
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 8
        for (int v = 0; v < kVectors; ++v) {
            storeLanes(p.out + r * p.columns + c + v * kLanes, sums[r][v] * p.scale);
        }
    }
}

template <int kRows>
[[gnu::always_inline]] inline void product(const RowsByMatrix &p)
{
    std::int64_t c = 0;
    for (; c + 4 * kLanes <= p.columns; c += 4 * kLanes) {
        productColumns<kRows, 4>(p, c);
    }
    for (; c + kLanes <= p.columns; c += kLanes) {
        productColumns<kRows, 1>(p, c);
    }
    for (; c < p.columns; ++c) {
#pragma GCC unroll 8
        for (int r = 0; r < kRows; ++r) {
            float sum = 0;
            for (std::int64_t i = 0; i < p.inner; ++i) {
                sum += p.rows[r * p.inner + i] * p.matrix[i * p.stride + c];
            }
            p.out[r * p.columns + c] = sum * p.scale;
        }
    }
}

// Scores become weights that sum to one.
[[gnu::always_inline]] inline void weigh(float *scores, const float *mask, std::int64_t entries)
{
    if (mask != nullptr) {
        for (std::int64_t t = 0; t < entries; ++t) {
            scores[t] += mask[t];
        }
    }
    float highest = scores[0];
    for (std::int64_t t = 1; t < entries; ++t) {
        highest = scores[t] > highest ? scores[t] : highest;
    }
    const std::int64_t whole = entries - entries % kLanes;
    Lanes sums = {};
    for (std::int64_t t = 0; t < whole; t += kLanes) {
        const Lanes weight = expOf(loadLanes(scores + t) - highest);
        storeLanes(scores + t, weight);
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

template <int kRows>
[[gnu::always_inline]] inline void attendRows(const HeadBlock &b)
{
    product<kRows>({b.queries, b.keys, b.scores, b.width, b.entries, b.key_stride, b.scale});
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r) {
        weigh(b.scores + r * b.entries, b.mask == nullptr ? nullptr : b.mask + r * b.entries, b.entries);
    }
    product<kRows>({b.scores, b.values, b.out, b.entries, b.width, b.value_stride, 1});
}

BRAID_KERNEL void attendBlock(const HeadBlock &b, std::int64_t rows)
{
    switch (rows) {
    case 1: return attendRows<1>(b);
    case 2: return attendRows<2>(b);
    case 3: return attendRows<3>(b);
    case 4: return attendRows<4>(b);
    case 5: return attendRows<5>(b);
    default: return attendRows<kQueries>(b);
    }
}

}  // namespace

bool blockAttendApplies(const at::Tensor &queries, const at::Tensor &keys, const at::Tensor &values)
{
    return queries.device().is_cpu() && queries.scalar_type() == at::kFloat && keys.scalar_type() == at::kFloat && values.scalar_type() == at::kFloat && keys.size(1) > 0
        && keys.stride(1) == 1 && values.stride(2) == 1
        && !(c10::GradMode::is_enabled() && (queries.requires_grad() || keys.requires_grad() || values.requires_grad()));
}

at::Tensor blockAttend(const at::Tensor &queries, const at::Tensor &keys, const at::Tensor &values, const at::Tensor &mask, float scale)
{
    const at::Tensor q = queries.contiguous();
    const at::Tensor m = mask.defined() ? mask.contiguous() : mask;
    at::Tensor out = at::empty(q.sizes(), q.options());
    const std::int64_t count = q.size(1);
    const std::int64_t entries = keys.size(1);
    const std::int64_t width = q.size(2);
    // Blocks of the same size, as far as that goes: a last block of one query would read the whole cache for it alone.
    const std::int64_t blocks = (count + kQueries - 1) / kQueries;
    const float *q_data = q.data_ptr<float>();
    const float *k_data = keys.data_ptr<float>();
    const float *v_data = values.data_ptr<float>();
    const float *m_data = m.defined() ? m.data_ptr<float>() : nullptr;
    float *out_data = out.data_ptr<float>();
    const std::int64_t grain = std::max<std::int64_t>(1, kGrainProducts / (kQueries * entries * width));
    at::parallel_for(0, q.size(0) * blocks, grain, [&](std::int64_t begin, std::int64_t end) {
        std::vector<float> scores(static_cast<std::size_t>(kQueries * entries));
        for (std::int64_t task = begin; task < end; ++task) {
            const std::int64_t group = task / blocks;
            const std::int64_t first = task % blocks * count / blocks;
            const std::int64_t rows = (task % blocks + 1) * count / blocks - first;
            attendBlock({q_data + (group * count + first) * width, k_data + group * keys.stride(0), v_data + group * values.stride(0),
                         m_data == nullptr ? nullptr : m_data + first * entries, scores.data(), out_data + (group * count + first) * width, entries, width, keys.stride(2),
                         values.stride(1), scale},
                        rows);
        }
    });
    return out;
}

}  // namespace braid::nn
