#include "core/nn/stream_cache.h"

#include <algorithm>

#include <c10/core/InferenceMode.h>

#include "core/base/error.h"

namespace braid::nn {

using paradigms::Entry;
using paradigms::EntryKind;

StreamCache::StreamCache(const StreamCacheShape &shape, const Placement &placement)
    : m_shape(shape)
    , m_placement(placement)
    , m_layers(static_cast<std::size_t>(shape.layers))
{
    grow(std::max<std::int64_t>(shape.capacity, 16));
}

std::uint64_t StreamCache::bytes() const
{
    const std::uint64_t kinds = m_shape.storage == KeyStorage::Movable ? 3 : 2;
    return kinds * static_cast<std::uint64_t>(m_shape.layers * m_shape.key_value_heads * m_shape.head_width * m_capacity) * c10::elementSize(m_placement.type);
}

double StreamCache::greatestPosition() const
{
    double greatest = 0;
    for (const Entry &entry : entries()) {
        greatest = std::max(greatest, entry.position);
    }
    return greatest;
}

std::int64_t StreamCache::lengthAfterStep(std::int64_t step) const
{
    std::int64_t length = m_length;
    while (length > 0 && m_entries[static_cast<std::size_t>(length - 1)].step > step) {
        --length;
    }
    return length;
}

void StreamCache::grow(std::int64_t entries)
{
    const c10::InferenceMode inference;  // here and below: what is made in it may only be written in it
    m_capacity = std::max(entries, 2 * m_capacity);
    const auto enlarged = [this](const at::Tensor &old) {
        at::Tensor larger = at::empty({m_shape.key_value_heads, m_capacity, m_shape.head_width}, m_placement.options());
        if (m_length > 0) {
            larger.narrow(1, 0, m_length).copy_(old.narrow(1, 0, m_length));
        }
        return larger;
    };
    for (Layer &layer : m_layers) {
        layer.turned_keys = enlarged(layer.turned_keys);
        layer.values = enlarged(layer.values);
        if (m_shape.storage == KeyStorage::Movable) {
            layer.keys = enlarged(layer.keys);
        }
    }
}

void StreamCache::begin(std::span<const Entry> coming, std::span<const std::int32_t> tokens, const at::Tensor &rows)
{
    if (coming.size() != tokens.size()) {
        throw Error(ErrorKind::Internal, "a cache was given not one tag for each token");
    }
    if (std::count(tokens.begin(), tokens.end(), kRow) != (rows.defined() ? rows.size(0) : 0)) {
        throw Error(ErrorKind::Internal, "a cache was given not one row for each place that holds one");
    }
    if (m_shape.rows == RowStorage::Kept) {
        const c10::InferenceMode inference;
        m_rows.resize(static_cast<std::size_t>(m_length));
        std::int64_t next = 0;
        for (const std::int32_t token : tokens) {
            m_rows.push_back(token == kRow ? rows[next++].clone() : at::Tensor());
        }
    }
    m_entries.resize(static_cast<std::size_t>(m_length));
    m_entries.insert(m_entries.end(), coming.begin(), coming.end());
    m_tokens.resize(static_cast<std::size_t>(m_length));
    m_tokens.insert(m_tokens.end(), tokens.begin(), tokens.end());
    if (const auto needed = static_cast<std::int64_t>(m_entries.size()); needed > m_capacity) {
        grow(needed);
    }
}

void StreamCache::write(std::int64_t layer, const at::Tensor &keys, const at::Tensor &turned_keys, const at::Tensor &values)
{
    const c10::InferenceMode inference;
    Layer &store = m_layers[static_cast<std::size_t>(layer)];
    const std::int64_t count = static_cast<std::int64_t>(m_entries.size()) - m_length;
    store.turned_keys.narrow(1, m_length, count).copy_(turned_keys.transpose(0, 1));
    store.values.narrow(1, m_length, count).copy_(values.transpose(0, 1));
    if (m_shape.storage == KeyStorage::Movable) {
        store.keys.narrow(1, m_length, count).copy_(keys.transpose(0, 1));
    }
}

void StreamCache::finish()
{
    m_length = static_cast<std::int64_t>(m_entries.size());
}

at::Tensor StreamCache::rows() const
{
    std::vector<at::Tensor> rows;
    for (std::size_t i = 0; i < static_cast<std::size_t>(m_length); ++i) {
        if (m_tokens[i] != kRow) {
            continue;
        }
        if (m_shape.rows != RowStorage::Kept) {
            throw Error(ErrorKind::Internal, "a cache that does not keep rows was asked for them");
        }
        rows.push_back(m_rows[i]);
    }
    return rows.empty() ? at::Tensor() : at::stack(rows);
}

at::Tensor StreamCache::keys(std::int64_t layer) const
{
    return m_layers[static_cast<std::size_t>(layer)].turned_keys.narrow(1, 0, static_cast<std::int64_t>(m_entries.size()));
}

at::Tensor StreamCache::values(std::int64_t layer) const
{
    return m_layers[static_cast<std::size_t>(layer)].values.narrow(1, 0, static_cast<std::int64_t>(m_entries.size()));
}

void StreamCache::truncate(std::int64_t length)
{
    m_length = std::clamp<std::int64_t>(length, 0, m_length);
    m_entries.resize(static_cast<std::size_t>(m_length));
    m_tokens.resize(static_cast<std::size_t>(m_length));
    if (m_shape.rows == RowStorage::Kept) {
        m_rows.resize(static_cast<std::size_t>(m_length));
    }
}

void StreamCache::erase(std::int64_t first, std::int64_t count)
{
    first = std::clamp<std::int64_t>(first, 0, m_length);
    count = std::clamp<std::int64_t>(count, 0, m_length - first);
    const std::int64_t behind = m_length - first - count;
    if (count == 0) {
        return;
    }
    if (behind > 0) {
        const c10::InferenceMode inference;
        for (Layer &layer : m_layers) {
            for (const at::Tensor *store : {&layer.turned_keys, &layer.values, &layer.keys}) {
                if (store->defined()) {
                    store->narrow(1, first, behind).copy_(store->narrow(1, first + count, behind).clone());
                }
            }
        }
    }
    m_entries.resize(static_cast<std::size_t>(m_length));
    m_entries.erase(m_entries.begin() + first, m_entries.begin() + first + count);
    m_tokens.resize(static_cast<std::size_t>(m_length));
    m_tokens.erase(m_tokens.begin() + first, m_tokens.begin() + first + count);
    if (m_shape.rows == RowStorage::Kept) {
        m_rows.resize(static_cast<std::size_t>(m_length));
        m_rows.erase(m_rows.begin() + first, m_rows.begin() + first + count);
    }
    m_length -= count;
}

void StreamCache::eraseSilent(std::int64_t first)
{
    for (std::int64_t at = m_length - 1; at >= first; --at) {
        if (m_entries[static_cast<std::size_t>(at)].kind == EntryKind::Silent) {
            erase(at, 1);
        }
    }
}

void StreamCache::move(std::span<const std::int64_t> entries, std::span<const double> positions, const Rotary &rotary)
{
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (entries[i] < 0 || entries[i] >= m_length || positions.size() != entries.size()) {
            throw Error(ErrorKind::Internal, "a cache was asked to move entries it does not have");
        }
        m_entries[static_cast<std::size_t>(entries[i])].position = positions[i];
    }
    turnAgain(entries, rotary);
}

void StreamCache::setReach(RotaryReach reach)
{
    if (reach != m_reach && m_length > 0) {
        throw Error(ErrorKind::Internal, "a cache that holds entries was asked to change its rotary frequencies");
    }
    m_reach = reach;
}

void StreamCache::turnAgain(std::span<const std::int64_t> entries, const Rotary &rotary)
{
    if (entries.empty()) {
        return;
    }
    if (m_shape.storage != KeyStorage::Movable) {
        throw Error(ErrorKind::Internal, "a cache that keeps only turned keys was asked to move them");
    }
    const c10::InferenceMode inference;
    std::vector<double> positions;
    at::Tensor chosen = at::empty({static_cast<std::int64_t>(entries.size())}, at::kLong);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        positions.push_back(m_entries[static_cast<std::size_t>(entries[i])].position);
        chosen.data_ptr<std::int64_t>()[i] = entries[i];
    }
    chosen = chosen.to(m_placement.device);
    const RotaryTable table = rotary.table(positions, m_reach, m_placement.device);
    for (Layer &layer : m_layers) {
        const at::Tensor turned = rotary.turned(layer.keys.index_select(1, chosen).transpose(0, 1), table).transpose(0, 1);
        layer.turned_keys.index_copy_(1, chosen, turned);
    }
}

}  // namespace braid::nn
