#include "core/nn/linear.h"

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
    return at::linear(x, weight.to(x.scalar_type()), bias);
}

}  // namespace

Linear::Linear(at::Tensor weight, at::Tensor bias)
    : m_weight(std::move(weight))
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
    at::Tensor y = product(x, m_weight, m_bias);
    if (m_adapter_state == AdapterState::On && m_lora_a.defined()) {
        y += at::matmul(at::matmul(x, m_lora_a), m_lora_b);
    }
    return y;
}

Linear stackLinears(std::span<const Linear> parts)
{
    std::vector<at::Tensor> weights;
    std::vector<at::Tensor> biases;
    bool any_bias = false;
    at::TensorOptions adapter_options;
    bool any_adapter = false;
    std::int64_t rank = 0;
    std::int64_t rows = 0;
    for (const Linear &part : parts) {
        weights.push_back(part.weight());
        biases.push_back(part.bias().defined() ? part.bias() : at::zeros({part.weight().size(0)}, part.weight().options()));
        any_bias = any_bias || part.bias().defined();
        any_adapter = any_adapter || part.hasAdapter();
        if (part.hasAdapter()) {
            rank += part.adapterA().size(1);
            adapter_options = part.adapterA().options();
        }
        rows += part.weight().size(0);
    }
    Linear stacked(at::cat(weights), any_bias ? at::cat(biases) : at::Tensor());
    if (any_adapter) {
        const at::Tensor a = at::zeros({weights.front().size(1), rank}, adapter_options);
        const at::Tensor b = at::zeros({rank, rows}, adapter_options);
        std::int64_t rank_begin = 0;
        std::int64_t row_begin = 0;
        for (const Linear &part : parts) {
            const std::int64_t part_rows = part.weight().size(0);
            if (part.hasAdapter()) {
                const std::int64_t part_rank = part.adapterA().size(1);
                a.narrow(1, rank_begin, part_rank).copy_(part.adapterA());
                b.narrow(0, rank_begin, part_rank).narrow(1, row_begin, part_rows).copy_(part.adapterB());
                rank_begin += part_rank;
            }
            row_begin += part_rows;
        }
        stacked.setAdapter(a, b);
    }
    return stacked;
}

}  // namespace braid::nn
