#include "core/nn/attention.h"

#include <algorithm>
#include <cmath>

#include <torch/version.h>

#include "core/base/error.h"
#include "core/nn/block_attend.h"
#include "core/nn/few_rows.h"

namespace braid::nn {

namespace {

constexpr std::int64_t kQueryBlock = 256;  // keeps a block's scores in the cache

// Products are divided by the root of the heads' width (Vaswani et al. 2017, equation 1).
double productScale(const at::Tensor &queries)
{
    return 1.0 / std::sqrt(static_cast<double>(queries.size(2)));
}

at::Tensor causalMask(std::int64_t queries, std::int64_t entries, const at::Device &device)
{
    const at::Tensor open = at::zeros({queries, entries}, at::TensorOptions().device(device).dtype(at::kFloat));
    const at::Tensor closed = at::ones({queries, entries}, open.options().dtype(at::kBool)).triu(entries - queries + 1);
    return open.masked_fill(closed, -INFINITY);
}

at::Tensor attendPlainly(const at::Tensor &queries, const at::Tensor &keys, const at::Tensor &values, const at::Tensor &mask, at::Tensor *scores)
{
    at::Tensor products = at::bmm(queries * productScale(queries), keys.transpose(1, 2)).to(at::kFloat);
    if (mask.defined()) {
        products += mask;
    }
    if (scores != nullptr) {
        *scores = products;
    }
    return at::bmm(at::softmax(products, -1).to(values.scalar_type()), values);
}

}  // namespace

at::Tensor attend(const at::Tensor &queries, const at::Tensor &keys, const at::Tensor &values, Visibility visibility, at::Tensor *scores)
{
    const std::int64_t count = queries.size(1);
    const std::int64_t entries = keys.size(1);
    const bool masked = visibility == Visibility::Causal && count > 1;
    if (scores == nullptr && !masked && blockAttendApplies(queries, keys, values)) {
        return blockAttend(queries, keys, values, {}, static_cast<float>(productScale(queries)));
    }
    if (scores == nullptr && !masked && count <= kFewRows && fewRowsAttendApply(queries, keys)) {
        return fewRowsAttend(queries, keys, values, static_cast<float>(productScale(queries)));
    }
    const at::Tensor mask = masked ? causalMask(count, entries, queries.device()) : at::Tensor();
    if (scores != nullptr || count <= kQueryBlock) {
        return attendPlainly(queries, keys, values, mask, scores);
    }
#if TORCH_VERSION_MAJOR >= 2
    if (!masked) {
        return at::scaled_dot_product_attention(queries.unsqueeze(0), keys.unsqueeze(0), values.unsqueeze(0)).squeeze(0);
    }
#endif
    at::Tensor out = at::empty(queries.sizes(), queries.options());
    for (std::int64_t begin = 0; begin < count; begin += kQueryBlock) {
        const std::int64_t size = std::min(kQueryBlock, count - begin);
        out.narrow(1, begin, size)
            .copy_(attendPlainly(queries.narrow(1, begin, size), keys, values, masked ? mask.narrow(0, begin, size) : at::Tensor(), nullptr));
    }
    return out;
}

at::Tensor attendMasked(const at::Tensor &queries, const at::Tensor &keys, const at::Tensor &values, const at::Tensor &mask)
{
    if (blockAttendApplies(queries, keys, values)) {
        return blockAttend(queries, keys, values, mask, static_cast<float>(productScale(queries)));
    }
    return attendPlainly(queries, keys, values, mask, nullptr);
}

at::Tensor splitHeads(const at::Tensor &x, std::int64_t heads)
{
    const std::int64_t batch = x.size(0);
    const std::int64_t length = x.size(1);
    const std::int64_t width = x.size(2) / heads;
    // One row or one entry: the split is a view, no copy.
    return x.view({batch, length, heads, width}).transpose(1, 2).reshape({batch * heads, length, width});
}

at::Tensor joinHeads(const at::Tensor &x, std::int64_t heads)
{
    const std::int64_t batch = x.size(0) / heads;
    return x.view({batch, heads, x.size(1), x.size(2)}).transpose(1, 2).reshape({batch, x.size(1), heads * x.size(2)});
}

SelfCache::SelfCache(std::int64_t layers, std::int64_t rows, std::int64_t heads, std::int64_t capacity, std::int64_t width, const Placement &placement)
    : m_data(at::empty({layers, 2, rows, heads, capacity, width}, placement.options()))
    , m_rows(rows)
    , m_heads(heads)
    , m_capacity(capacity)
    , m_width(width)
{
}

void SelfCache::write(std::int64_t layer, const at::Tensor &keys_values)
{
    const std::int64_t entries = keys_values.size(1);
    if (m_length + entries > m_capacity) {
        throw Error(ErrorKind::Internal, "a decoder was asked for more tokens than its context holds");
    }
    // [2, B, H, L, D]
    m_data.select(0, layer).narrow(1, 0, m_rows).narrow(3, m_length, entries).copy_(keys_values.permute({2, 0, 3, 1, 4}));
}

void SelfCache::truncate(std::int64_t length)
{
    m_length = std::clamp<std::int64_t>(length, 0, m_length);
}

void SelfCache::reorder(std::span<const std::int64_t> sources)
{
    const auto count = static_cast<std::int64_t>(sources.size());
    bool unchanged = count <= m_rows;
    for (std::int64_t i = 0; i < count; ++i) {
        unchanged = unchanged && sources[static_cast<std::size_t>(i)] == i;
    }
    if (unchanged) {
        m_rows = count;
        return;
    }
    if (count > m_data.size(2)) {
        throw Error(ErrorKind::Internal, "a decoder was asked for more beams than its cache has rows");
    }
    if (!m_spare.defined()) {
        m_spare = at::empty_like(m_data);
    }
    for (std::int64_t i = 0; i < count; ++i) {
        m_spare.select(2, i).narrow(3, 0, m_length).copy_(m_data.select(2, sources[static_cast<std::size_t>(i)]).narrow(3, 0, m_length));
    }
    std::swap(m_data, m_spare);
    m_rows = count;
}

at::Tensor SelfCache::view(std::int64_t layer, std::int64_t which, std::int64_t length) const
{
    return m_data.select(0, layer).select(0, which).narrow(0, 0, m_rows).view({m_rows * m_heads, m_capacity, m_width}).narrow(1, 0, length);
}

GrowingCache::GrowingCache(std::int64_t layers, std::int64_t heads, std::int64_t capacity, std::int64_t width, const Placement &placement)
    : m_keys(at::zeros({layers, heads, width, capacity}, placement.options()))
    , m_values(at::zeros({layers, heads, capacity, width}, placement.options()))
{
}

void GrowingCache::write(std::int64_t layer, const at::Tensor &keys_values)
{
    const std::int64_t entries = keys_values.size(0);
    if (m_length + entries > capacity()) {
        throw Error(ErrorKind::Internal, "a cache of keys and values was given more than it holds");
    }
    m_keys.select(0, layer).narrow(2, m_length, entries).copy_(keys_values.select(1, 0).permute({1, 2, 0}));
    m_values.select(0, layer).narrow(1, m_length, entries).copy_(keys_values.select(1, 1).transpose(0, 1));
}

void GrowingCache::truncate(std::int64_t length)
{
    m_length = std::clamp<std::int64_t>(length, 0, m_length);
}

void GrowingCache::writeSlots(std::int64_t layer, const at::Tensor &slots, const at::Tensor &keys_values)
{
    m_keys.select(0, layer).index_copy_(2, slots, keys_values.select(1, 0).permute({1, 2, 0}));
    m_values.select(0, layer).index_copy_(1, slots, keys_values.select(1, 1).transpose(0, 1));
}

void GrowingCache::reserve(std::int64_t entries)
{
    const std::int64_t known = capacity();
    if (entries <= known) {
        return;
    }
    const auto grown = [entries, known](const at::Tensor &old, std::int64_t dimension) {
        std::vector<std::int64_t> sizes = old.sizes().vec();
        sizes[static_cast<std::size_t>(dimension)] = std::max(entries, 2 * known);
        at::Tensor larger = at::zeros(sizes, old.options());
        larger.narrow(dimension, 0, known).copy_(old);
        return larger;
    };
    m_keys = grown(m_keys, 3);
    m_values = grown(m_values, 2);
}

void GrowingCache::keepOnly(const at::Tensor &slots)
{
    m_keys.narrow(3, 0, slots.size(0)).copy_(m_keys.index_select(3, slots));
    m_values.narrow(2, 0, slots.size(0)).copy_(m_values.index_select(2, slots));
}

}  // namespace braid::nn
