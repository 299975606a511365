#include "core/nn/block_attend.h"

#include <algorithm>
#include <vector>

#include <ATen/Parallel.h>
#include <c10/core/GradMode.h>

#include "core/nn/lanes.h"

namespace braid::nn {

namespace {

constexpr int kQueries = 6;                       // as many as there are registers for
constexpr std::int64_t kQueriesOfTask = 24;       // while a tile of keys and values is in the nearest cache
constexpr std::int64_t kTile = 64;                // entries
constexpr std::int64_t kGrainProducts = 1 << 16;  // less work than this is not worth waking a thread for

enum class Onto { Nothing = 1, WhatIsThere };

// Some rows by a matrix: out[r, c] = scale x the sum over i of rows[r, i] x matrix[i, c], on top of what is there where wanted.
struct RowsByMatrix {
    const float *rows = nullptr;    // [R, inner], row_stride apart
    const float *matrix = nullptr;  // [inner, columns], rows `stride` apart
    float *out = nullptr;           // [R, columns], rows out_stride apart
    std::int64_t inner = 0;
    std::int64_t columns = 0;
    std::int64_t row_stride = 0;
    std::int64_t stride = 0;
    std::int64_t out_stride = 0;
    float scale = 1;
    Onto onto = Onto::Nothing;

    template <class Unit, int kRows>
    BRAID_INLINE void run() const
    {
        constexpr int kLanes = Unit::kLanes;
        constexpr int kVectors = (kRows + 1) * 4 < Unit::kRegisters ? 4 : 2;  // the sums, a row of the matrix, and an input
        std::int64_t c = 0;
        for (; c + kVectors * kLanes <= columns; c += kVectors * kLanes) {
            block<Unit, kRows, kVectors>(c);
        }
        for (; c + kLanes <= columns; c += kLanes) {
            block<Unit, kRows, 1>(c);
        }
        for (; c < columns; ++c) {
#pragma GCC unroll 8
            for (int r = 0; r < kRows; ++r) {
                float sum = 0;
                for (std::int64_t i = 0; i < inner; ++i) {
                    sum += rows[r * row_stride + i] * matrix[i * stride + c];
                }
                float &to = out[r * out_stride + c];
                to = sum * scale + (onto == Onto::WhatIsThere ? to : 0.0f);
            }
        }
    }

    // The columns c .. c + kVectors x lanes - 1.
    template <class Unit, int kRows, int kVectors>
    BRAID_INLINE void block(std::int64_t c) const
    {
        constexpr int kLanes = Unit::kLanes;
        Floats<Unit> sums[kRows][kVectors] = {};
        const float *from = matrix + c;
        for (std::int64_t i = 0; i < inner; ++i, from += stride) {
            Floats<Unit> m[kVectors];
#pragma GCC unroll 8
            for (int v = 0; v < kVectors; ++v) {
                m[v] = loadLanes<Unit>(from + v * kLanes);
            }
#pragma GCC unroll 8
            for (int r = 0; r < kRows; ++r) {
                const float x = rows[r * row_stride + i];
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
                float *to = out + r * out_stride + c + v * kLanes;
                const Floats<Unit> sum = sums[r][v] * scale;
                storeLanes<Unit>(to, onto == Onto::WhatIsThere ? sum + loadLanes<Unit>(to) : sum);
            }
        }
    }
};

template <class Unit>
BRAID_INLINE void multiply(const RowsByMatrix &product, std::int64_t rows)
{
    switch (rows) {
    case 1:
        return product.run<Unit, 1>();
    case 2:
        return product.run<Unit, 2>();
    case 3:
        return product.run<Unit, 3>();
    case 4:
        return product.run<Unit, 4>();
    case 5:
        return product.run<Unit, 5>();
    default:
        return product.run<Unit, kQueries>();
    }
}

// Some queries over one head's cache. All of them pass over a tile of its entries while that is in the nearest cache.
struct HeadAttention {
    const float *queries = nullptr;  // [Q, D]
    const float *keys = nullptr;     // [D, T], rows key_stride apart
    const float *values = nullptr;   // [T, D], rows value_stride apart
    const float *mask = nullptr;     // [Q, T] or null
    float *scores = nullptr;         // room for [Q, T]
    float *out = nullptr;            // [Q, D]
    std::int64_t count = 0;          // Q
    std::int64_t entries = 0;        // T
    std::int64_t width = 0;          // D
    std::int64_t key_stride = 0;
    std::int64_t value_stride = 0;
    float scale = 1;

    template <class Unit>
    BRAID_INLINE void run() const
    {
        // Groups of the same size, as far as that goes.
        const std::int64_t groups = (count + kQueries - 1) / kQueries;
        for (std::int64_t t = 0; t < entries; t += kTile) {
            const std::int64_t tile = std::min(kTile, entries - t);
            for (std::int64_t group = 0; group < groups; ++group) {
                const std::int64_t q = group * count / groups;
                fetch(t + kTile, group * width / groups, (group + 1) * width / groups);
                multiply<Unit>({queries + q * width, keys + t, scores + q * entries + t, width, tile, width, key_stride, entries, scale, Onto::Nothing},
                               (group + 1) * count / groups - q);
            }
        }
        for (std::int64_t q = 0; q < count; ++q) {
            float *row = scores + q * entries;
            for (std::int64_t t = 0; mask != nullptr && t < entries; ++t) {
                row[t] += mask[q * entries + t];
            }
            softmaxInPlace<Unit>(row, entries);
        }
        for (std::int64_t t = 0; t < entries; t += kTile) {
            const std::int64_t tile = std::min(kTile, entries - t);
            for (std::int64_t group = 0; group < groups; ++group) {
                const std::int64_t q = group * count / groups;
                multiply<Unit>({scores + q * entries + t, values + t * value_stride, out + q * width, tile, width, entries, value_stride, width, 1,
                                t == 0 ? Onto::Nothing : Onto::WhatIsThere},
                               (group + 1) * count / groups - q);
            }
        }
    }

    // Begins to read the rows begin .. end - 1 of the tile of keys at t: they lie too far apart for the processor to see by itself what comes next.
    BRAID_INLINE void fetch(std::int64_t t, std::int64_t begin, std::int64_t end) const
    {
        constexpr std::int64_t kFloatsOfLine = 16;
        const std::int64_t tile_end = std::min(t + kTile, entries);
        for (std::int64_t d = begin; d < end; ++d) {
            for (std::int64_t from = t; from < tile_end; from += kFloatsOfLine) {
                __builtin_prefetch(keys + d * key_stride + from);
            }
        }
    }
};

}  // namespace

bool blockAttendApplies(const at::Tensor &queries, const at::Tensor &keys, const at::Tensor &values)
{
    return queries.device().is_cpu() && queries.scalar_type() == at::kFloat && keys.scalar_type() == at::kFloat && values.scalar_type() == at::kFloat &&
           keys.size(1) > 0 && keys.stride(1) == 1 && values.stride(2) == 1 &&
           !(c10::GradMode::is_enabled() && (queries.requires_grad() || keys.requires_grad() || values.requires_grad()));
}

at::Tensor blockAttend(const at::Tensor &queries, const at::Tensor &keys, const at::Tensor &values, const at::Tensor &mask, float scale)
{
    const at::Tensor q = queries.contiguous();
    const at::Tensor m = mask.defined() ? mask.contiguous() : mask;
    at::Tensor out = at::empty(q.sizes(), q.options());
    const std::int64_t count = q.size(1);
    const std::int64_t entries = keys.size(1);
    const std::int64_t width = q.size(2);
    // As many tasks as there are threads, and as few more as the cache allows.
    const std::int64_t heads = q.size(0);
    const std::int64_t few = (count + kQueriesOfTask - 1) / kQueriesOfTask;
    const std::int64_t tasks = heads * few >= at::get_num_threads() ? few : (count + kQueries - 1) / kQueries;
    const std::int64_t most_queries = (count + tasks - 1) / tasks;
    const float *q_data = q.data_ptr<float>();
    const float *k_data = keys.data_ptr<float>();
    const float *v_data = values.data_ptr<float>();
    const float *m_data = m.defined() ? m.data_ptr<float>() : nullptr;
    float *out_data = out.data_ptr<float>();
    const std::int64_t grain = std::max<std::int64_t>(1, kGrainProducts / (most_queries * entries * width));
    at::parallel_for(0, heads * tasks, grain, [&](std::int64_t begin, std::int64_t end) {
        std::vector<float> scores(static_cast<std::size_t>(most_queries * entries));
        for (std::int64_t task = begin; task < end; ++task) {
            const std::int64_t head = task / tasks;
            const std::int64_t first = task % tasks * count / tasks;
            const std::int64_t queries_of_task = (task % tasks + 1) * count / tasks - first;
            runOnProcessor(HeadAttention{q_data + (head * count + first) * width, k_data + head * keys.stride(0), v_data + head * values.stride(0),
                                         m_data == nullptr ? nullptr : m_data + first * entries, scores.data(), out_data + (head * count + first) * width,
                                         queries_of_task, entries, width, keys.stride(2), values.stride(1), scale});
        }
    });
    return out;
}

}  // namespace braid::nn
