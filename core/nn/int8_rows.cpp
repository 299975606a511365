#include "core/nn/int8_rows.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <ATen/Parallel.h>
#include <c10/core/GradMode.h>

#include "core/nn/few_rows.h"
#include "core/nn/row_product.h"

namespace braid::nn {
namespace {

at::Tensor scaled(const at::Tensor &numbers, const at::Tensor &scales)
{
    const at::Tensor blocks = numbers.to(at::kFloat).view({-1, kScaledWeights});
    return blocks.mul_(scales.reshape({-1, 1})).view(numbers.sizes());
}

void multiply(const at::Tensor &x, const Int8Weight &weight, const float *bias, const at::Tensor &y)
{
    const std::int64_t in = weight.numbers.size(1);
    const std::int64_t out = weight.numbers.size(0);
    at::parallel_for(0, out, std::max<std::int64_t>(1, kGrainBytes / in), [&](std::int64_t begin, std::int64_t end) {
        runOnProcessor(Product<std::int8_t>{x.data_ptr<float>(), weight.numbers.data_ptr<std::int8_t>(), bias, y.data_ptr<float>(), x.numel() / in, in, out,
                                            begin, end, weight.scales.data_ptr<float>()});
    });
}

}  // namespace

bool fitsInt8(const at::Tensor &weight)
{
    return weight.defined() && weight.device().is_cpu() && weight.scalar_type() == at::kFloat && weight.dim() == 2 && weight.numel() > 0 &&
           weight.size(1) % kScaledWeights == 0 && weight.is_contiguous() && !weight.requires_grad();
}

Int8Weight toInt8(const at::Tensor &weight)
{
    const std::int64_t blocks = weight.numel() / kScaledWeights;
    const Int8Weight out{at::empty(weight.sizes(), at::kChar), at::empty({weight.size(0), weight.size(1) / kScaledWeights}, at::kFloat)};
    const float *from = weight.data_ptr<float>();
    std::int8_t *numbers = out.numbers.data_ptr<std::int8_t>();
    float *scales = out.scales.data_ptr<float>();
    at::parallel_for(0, blocks, kGrainBytes / kScaledWeights, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t block = begin; block < end; ++block) {
            const float *values = from + block * kScaledWeights;
            float greatest = 0;
            for (int i = 0; i < kScaledWeights; ++i) {
                greatest = std::max(greatest, std::abs(values[i]));
            }
            const float inverse = 127 / greatest;
            const bool is_plain = std::isfinite(greatest) && std::isfinite(inverse);
            // Too small for an inverse: zeros. Infinite: what the product gives, no number, says so.
            scales[block] = is_plain ? greatest / 127 : std::isfinite(greatest) ? 0 : greatest;
            for (int i = 0; i < kScaledWeights; ++i) {
                numbers[block * kScaledWeights + i] = is_plain ? static_cast<std::int8_t>(std::nearbyint(values[i] * inverse)) : std::int8_t{0};
            }
        }
    });
    return out;
}

std::optional<Int8Weight> int8IfExact(const at::Tensor &weight)
{
    if (!fitsInt8(weight)) {
        return std::nullopt;
    }
    const auto exact = [](const at::Tensor &numbers) -> std::optional<Int8Weight> {
        Int8Weight found = toInt8(numbers);
        return at::equal(fromInt8(found), numbers) ? std::optional(std::move(found)) : std::nullopt;
    };
    // Weights that lose something do so in their first row.
    return exact(weight.narrow(0, 0, 1)) ? exact(weight) : std::nullopt;
}

at::Tensor fromInt8(const Int8Weight &weight)
{
    return scaled(weight.numbers, weight.scales);
}

at::Tensor int8Linear(const at::Tensor &x, const Int8Weight &weight, const at::Tensor &bias)
{
    const at::Tensor inputs = x.to(at::kFloat).contiguous();
    const at::Tensor biases = bias.defined() ? bias.to(at::kFloat).contiguous() : bias;
    const std::int64_t in = weight.numbers.size(1);
    const std::int64_t out = weight.numbers.size(0);
    std::vector<std::int64_t> shape = x.sizes().vec();
    shape.back() = out;
    const at::Tensor y = at::empty(shape, inputs.options());
    if (inputs.numel() == 0) {
        return y;
    }
    if (inputs.numel() <= mostRows() * in) {
        multiply(inputs, weight, biases.defined() ? biases.data_ptr<float>() : nullptr, y);
        return y;
    }
    constexpr std::int64_t kFloatsAtOnce = 4 << 20;
    const std::int64_t step = std::max<std::int64_t>(1, kFloatsAtOnce / in);
    for (std::int64_t begin = 0; begin < out; begin += step) {
        const std::int64_t count = std::min(step, out - begin);
        const at::Tensor part = fromInt8(weight.rows(begin, count));
        y.narrow(-1, begin, count).copy_(at::linear(inputs, part, biases.defined() ? biases.narrow(0, begin, count) : biases));
    }
    return y;
}

at::Tensor int8Embedding(const Int8Weight &weight, const at::Tensor &rows)
{
    const at::Tensor flat = rows.reshape({-1});
    std::vector<std::int64_t> shape = rows.sizes().vec();
    shape.push_back(weight.numbers.size(1));
    return scaled(weight.numbers.index_select(0, flat), weight.scales.index_select(0, flat)).view(shape);
}

}  // namespace braid::nn
