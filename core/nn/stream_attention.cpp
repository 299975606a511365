#include "core/nn/stream_attention.h"

#include <algorithm>

#include "core/nn/few_rows.h"

namespace braid::nn {

namespace {

constexpr std::int64_t kQueryBlock = 256;  // keeps a block's products small
constexpr std::int64_t kFewQueries = 64;   // rows of one key head for which the kernel is faster than general products

at::Tensor attendBlock(const at::Tensor &queries, const at::Tensor &keys, const at::Tensor &values, const at::Tensor &mask, const StreamAttention &attention,
                       at::Tensor *weights)
{
    const std::int64_t batch = queries.size(0);
    const std::int64_t count = queries.size(1);
    const std::int64_t heads = queries.size(2);
    const std::int64_t width = queries.size(3);
    const std::int64_t key_heads = keys.size(1);
    const std::int64_t group = heads / key_heads;
    const std::int64_t entries = keys.size(2);
    // Queries that share keys become rows of one product: [B x K, group x Q, D].
    const at::Tensor rows = queries.transpose(1, 2).reshape({batch * key_heads, group * count, width});
    const at::Tensor flat_keys = keys.reshape({batch * key_heads, entries, width});
    const at::Tensor flat_values = values.reshape({batch * key_heads, entries, width});
    at::Tensor out;
    if (!mask.defined() && weights == nullptr && attention.softcap == 0 && group * count <= kFewQueries && fewRowsAttendApply(rows, flat_keys)) {
        out = fewRowsAttend(rows, flat_keys, flat_values, static_cast<float>(attention.scale));
    } else {
        at::Tensor products = at::bmm(rows, flat_keys.transpose(1, 2)).to(at::kFloat) * attention.scale;
        if (attention.softcap > 0) {
            products = at::tanh(products / attention.softcap) * attention.softcap;
        }
        if (mask.defined()) {
            products = (products.view({batch, heads, count, entries}) + mask.unsqueeze(1)).view({batch * key_heads, group * count, entries});
        }
        products = at::softmax(products, -1);
        if (weights != nullptr) {
            *weights = products.view({batch, heads, count, entries});
        }
        out = at::bmm(products.to(values.scalar_type()), flat_values);
    }
    return out.view({batch, heads, count, width}).transpose(1, 2).reshape({batch, count, heads * width});
}

}  // namespace

at::Tensor attendGrouped(const at::Tensor &queries, const at::Tensor &keys, const at::Tensor &values, const at::Tensor &mask, const StreamAttention &attention,
                         at::Tensor *weights)
{
    const std::int64_t count = queries.size(1);
    if (count <= kQueryBlock || weights != nullptr) {
        return attendBlock(queries, keys, values, mask, attention, weights);
    }
    std::vector<at::Tensor> blocks;
    for (std::int64_t begin = 0; begin < count; begin += kQueryBlock) {
        const std::int64_t size = std::min(kQueryBlock, count - begin);
        blocks.push_back(attendBlock(queries.narrow(1, begin, size), keys, values, mask.defined() ? mask.narrow(1, begin, size) : mask, attention, nullptr));
    }
    return at::cat(blocks, 1);
}

void AttentionLook::take(const at::Tensor &attention, std::int64_t layers)
{
    const at::Tensor of_layer = head ? attention.select(0, *head) : summary == AttentionSummary::Mean ? attention.mean(0) : attention.amax(0);
    if (layer) {
        weights = of_layer.to(at::kCPU).contiguous();
    } else if (summary == AttentionSummary::Mean) {
        const at::Tensor share = of_layer.to(at::kCPU) / static_cast<double>(layers);
        weights = weights.defined() ? weights + share : share;
    } else {
        weights = weights.defined() ? at::maximum(weights, of_layer.to(at::kCPU)) : of_layer.to(at::kCPU).contiguous();
    }
}

}  // namespace braid::nn
