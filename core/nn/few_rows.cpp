#include "core/nn/few_rows.h"

#include <algorithm>
#include <vector>

#include <ATen/Parallel.h>
#include <c10/core/GradMode.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>

#include "core/nn/lanes.h"

namespace braid::nn {

namespace {

constexpr std::int64_t kGrainBytes = 256 << 10;  // less weight than this is not worth waking a thread for

constexpr int kMostRowsAtOnce = 6;
constexpr std::int64_t kPanelBytes = 24 << 10;   // of weights that stay in the nearest cache while all rows pass
constexpr std::int64_t kPanelStep = 12;          // outputs: blocks of three and of four end with the panel
constexpr std::int64_t kFetchedAhead = 4 << 10;  // weights

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

// A bfloat16 is the upper half of a float.
template <class Unit>
BRAID_INLINE Floats<Unit> loadWeights(const c10::BFloat16 *from)
{
    using Ints = typename Unit::Ints;
    const Ints words = __builtin_convertvector(*reinterpret_cast<const typename Unit::Halves *>(from), Ints) << 16;
    return reinterpret_cast<const Floats<Unit> &>(words);
}

// The outputs begin .. end - 1 of y = x W' + b. Every weight is read from memory once.
template <class Weight>
struct Product {
    const float *x = nullptr;        // [rows, in]
    const Weight *weight = nullptr;  // [out, in]
    const float *bias = nullptr;     // [out] or null
    float *y = nullptr;              // [rows, out]
    std::int64_t rows = 0;
    std::int64_t in = 0;
    std::int64_t out = 0;
    std::int64_t begin = 0;
    std::int64_t end = 0;

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
        constexpr std::int64_t kRowsOfMany = Unit::kRegisters >= 32 ? 6 : 4;  // with so many the sums make the best square
        if (rows <= kMostRowsAtOnce) {
            return rowGroup<Unit, Fetching::Alone>({0, begin, end, weight, 1}, rows);
        }
        const std::int64_t groups = (rows + kRowsOfMany - 1) / kRowsOfMany;
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
        switch (count) {
        case 1:
            return outputs<Unit, kFetching, 1>(pass);
        case 2:
            return outputs<Unit, kFetching, 2>(pass);
        case 3:
            return outputs<Unit, kFetching, 3>(pass);
        case 4:
            return outputs<Unit, kFetching, 4>(pass);
        case 5:
            return outputs<Unit, kFetching, 5>(pass);
        default:
            return outputs<Unit, kFetching, kMostRowsAtOnce>(pass);
        }
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
};

// One query over one head's cache.
struct Attention {
    const float *query = nullptr;   // [D]
    const float *keys = nullptr;    // [T, D]
    const float *values = nullptr;  // [T, D]
    float *scores = nullptr;        // room for [T]
    float *out = nullptr;           // [D]
    std::int64_t entries = 0;       // T
    std::int64_t width = 0;         // D
    float scale = 1;

    template <class Unit>
    BRAID_INLINE void run() const
    {
        constexpr int kLanes = Unit::kLanes;
        const std::int64_t whole = width - width % kLanes;
        for (std::int64_t t = 0; t < entries; ++t) {
            const float *key = keys + t * width;
            Floats<Unit> sums = {};
            for (std::int64_t i = 0; i < whole; i += kLanes) {
                sums += loadLanes<Unit>(query + i) * loadLanes<Unit>(key + i);
            }
            float sum = sumOf(sums);
            for (std::int64_t i = whole; i < width; ++i) {
                sum += query[i] * key[i];
            }
            scores[t] = sum * scale;
        }
        softmaxInPlace<Unit>(scores, entries);
        std::int64_t i = 0;
        for (; i + 4 * kLanes <= width; i += 4 * kLanes) {
            weighValues<Unit, 4>(i);
        }
        for (; i < whole; i += kLanes) {
            weighValues<Unit, 1>(i);
        }
        for (; i < width; ++i) {
            float sum = 0;
            for (std::int64_t t = 0; t < entries; ++t) {
                sum += scores[t] * values[t * width + i];
            }
            out[i] = sum;
        }
    }

    // The outputs i .. i + kVectors x lanes - 1.
    template <class Unit, int kVectors>
    BRAID_INLINE void weighValues(std::int64_t i) const
    {
        Floats<Unit> sums[kVectors] = {};
        for (std::int64_t t = 0; t < entries; ++t) {
#pragma GCC unroll 8
            for (int v = 0; v < kVectors; ++v) {
                sums[v] += scores[t] * loadLanes<Unit>(values + t * width + i + v * Unit::kLanes);
            }
        }
#pragma GCC unroll 8
        for (int v = 0; v < kVectors; ++v) {
            storeLanes<Unit>(out + i + v * Unit::kLanes, sums[v]);
        }
    }
};

template <class Weight>
void multiply(const at::Tensor &x, const at::Tensor &weight, const float *bias, const at::Tensor &y)
{
    const std::int64_t in = weight.size(1);
    const std::int64_t out = weight.size(0);
    const std::int64_t rows = x.numel() / in;
    const std::int64_t grain = std::max<std::int64_t>(1, kGrainBytes / (in * static_cast<std::int64_t>(sizeof(Weight))));
    at::parallel_for(0, out, grain, [&](std::int64_t begin, std::int64_t end) {
        runOnProcessor(Product<Weight>{x.data_ptr<float>(), weight.data_ptr<Weight>(), bias, y.data_ptr<float>(), rows, in, out, begin, end});
    });
}

}  // namespace

std::int64_t mostRows()
{
    // From there on general products, which sort the weights first, are as good.
    return thisProcessor() == Processor::Any ? kFewRows : kSomeRows;
}

bool fewRowsApply(const at::Tensor &x, const at::Tensor &weight)
{
    const bool floats = x.scalar_type() == at::kFloat && (weight.scalar_type() == at::kFloat || weight.scalar_type() == at::kHalf);
    const bool bfloats = x.scalar_type() == at::kBFloat16 && weight.scalar_type() == at::kBFloat16;
    return (floats || bfloats) && x.device().is_cpu() && x.dim() > 0 && x.numel() > 0 && x.numel() <= (floats ? mostRows() : kFewRows) * weight.size(1) &&
           x.size(-1) == weight.size(1) && x.is_contiguous() && weight.is_contiguous() &&
           !(c10::GradMode::is_enabled() && (x.requires_grad() || weight.requires_grad()));
}

at::Tensor fewRowsLinear(const at::Tensor &x, const at::Tensor &weight, const at::Tensor &bias)
{
    const at::Tensor inputs = x.to(at::kFloat);
    const at::Tensor biases = bias.defined() ? bias.to(at::kFloat).contiguous() : bias;
    const float *bias_data = biases.defined() ? biases.data_ptr<float>() : nullptr;
    std::vector<std::int64_t> shape = x.sizes().vec();
    shape.back() = weight.size(0);
    const at::Tensor y = at::empty(shape, inputs.options());
    switch (weight.scalar_type()) {
    case at::kHalf:
        multiply<c10::Half>(inputs, weight, bias_data, y);
        break;
    case at::kBFloat16:
        multiply<c10::BFloat16>(inputs, weight, bias_data, y);
        break;
    default:
        multiply<float>(inputs, weight, bias_data, y);
    }
    return y.to(x.scalar_type());
}

at::Tensor asHalvesIfExact(const at::Tensor &weight)
{
    if (thisProcessor() == Processor::Any || !weight.device().is_cpu() || weight.scalar_type() != at::kFloat || !weight.is_contiguous()) {
        return weight;
    }
    const auto halvesOf = [](const at::Tensor &numbers) {
        const at::Tensor halves = numbers.to(at::kHalf);
        return at::equal(halves.to(at::kFloat), numbers) ? halves : numbers;
    };
    // Most weights that lose something do so within their first numbers.
    constexpr std::int64_t kFirst = 1024;
    const at::Tensor first = weight.view({-1}).narrow(0, 0, std::min(weight.numel(), kFirst));
    return halvesOf(first).scalar_type() == at::kHalf ? halvesOf(weight) : weight;
}

bool fewRowsAttendApply(const at::Tensor &queries, const at::Tensor &keys)
{
    return queries.device().is_cpu() && queries.scalar_type() == at::kFloat && keys.stride(-1) == 1 && keys.stride(-2) == keys.size(-1) &&
           !(c10::GradMode::is_enabled() && (queries.requires_grad() || keys.requires_grad()));
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
                runOnProcessor(
                    Attention{q_data + row, k_data + g * keys.stride(0), v_data + g * values.stride(0), scores.data(), out_data + row, entries, width, scale});
            }
        }
    });
    return out;
}

}  // namespace braid::nn
