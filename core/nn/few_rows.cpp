#include "core/nn/few_rows.h"

#include <algorithm>
#include <vector>

#include <ATen/Parallel.h>
#include <c10/core/GradMode.h>

#include "core/nn/lanes.h"
#include "core/nn/row_product.h"

namespace braid::nn {

namespace {

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
