#include "core/nn/linear.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/nn/few_rows.h"

namespace braid::nn {
namespace {

// By the fastest way there is for so many rows of this number type.
at::Tensor product(const at::Tensor &x, const at::Tensor &weight, const at::Tensor &bias)
{
    if (fewRowsApply(x, weight)) {
        return fewRowsLinear(x, weight, bias);
    }
    return at::linear(x, weight.to(x.scalar_type()), bias.defined() ? bias.to(x.scalar_type()) : bias);
}

}  // namespace

Linear::Linear(at::Tensor weight, at::Tensor bias)
    : m_weight(std::move(weight))
    , m_bias(std::move(bias))
{
}

Linear::Linear(Int8Weight weight, at::Tensor bias)
    : m_int8(std::move(weight))
    , m_bias(std::move(bias))
{
}

void Linear::setAdapter(at::Tensor a, at::Tensor b)
{
    m_lora_a = std::move(a);
    m_lora_b = std::move(b);
    m_adapter_state = AdapterState::On;
}

at::Tensor Linear::operator()(const at::Tensor &x) const
{
    const at::Tensor input = m_product_type ? x.to(*m_product_type) : x;
    at::Tensor y = m_int8.defined() ? int8Linear(input, m_int8, m_bias) : product(input, m_weight, m_bias);
    if (m_adapter_state == AdapterState::On && m_lora_a.defined()) {
        y += at::matmul(at::matmul(input, m_lora_a.to(input.scalar_type())), m_lora_b.to(input.scalar_type()));
    }
    return y;
}

Linear Linear::rows(std::int64_t begin, std::int64_t count) const
{
    const at::Tensor bias = m_bias.defined() ? m_bias.narrow(0, begin, count) : m_bias;
    Linear part = m_int8.defined() ? Linear(m_int8.rows(begin, count), bias) : Linear(m_weight.narrow(0, begin, count), bias);
    part.m_product_type = m_product_type;
    return part;
}

Linear linearFrom(const at::Tensor &weight, at::Tensor bias, WeightStorage storage)
{
    if (storage == WeightStorage::Int8 && fitsInt8(weight)) {
        return {toInt8(weight), std::move(bias)};
    }
    if (std::optional<Int8Weight> exact = int8IfExact(weight)) {
        return {std::move(*exact), std::move(bias)};
    }
    return {asHalvesIfExact(weight), std::move(bias)};
}

Linear stackLinears(std::span<const Linear> parts)
{
    const bool has_bias = std::any_of(parts.begin(), parts.end(), [](const Linear &part) { return part.bias().defined(); });
    const bool all_int8 = std::all_of(parts.begin(), parts.end(), [](const Linear &part) { return part.int8Weight().defined(); });
    std::vector<at::Tensor> weights;
    std::vector<at::Tensor> scales;
    std::vector<at::Tensor> biases;
    std::vector<at::Tensor> adapters_a;
    std::vector<at::Tensor> adapters_b;
    for (const Linear &part : parts) {
        const std::int64_t rows = part.outputs();
        weights.push_back(all_int8 ? part.int8Weight().numbers : part.weight());
        if (all_int8) {
            scales.push_back(part.int8Weight().scales);
        }
        const at::TensorOptions numbers = all_int8 ? scales.back().options() : weights.back().options();
        biases.push_back(part.bias().defined() ? part.bias() : at::zeros({rows}, numbers));
        if (part.hasAdapter()) {
            adapters_a.push_back(part.adapterA());
        }
        adapters_b.push_back(part.hasAdapter() ? part.adapterB() : at::zeros({0, rows}, numbers));
    }
    const at::Tensor bias = has_bias ? at::cat(biases) : at::Tensor();
    Linear stacked = all_int8 ? Linear(Int8Weight{at::cat(weights), at::cat(scales)}, bias) : Linear(at::cat(weights), bias);
    if (!adapters_a.empty()) {
        stacked.setAdapter(at::cat(adapters_a, 1), at::block_diag(adapters_b));
    }
    if (const std::optional<at::ScalarType> type = parts.front().productType()) {
        stacked.setProductType(*type);
    }
    return stacked;
}

}  // namespace braid::nn
