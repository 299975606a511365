// Multi-head attention over keys and values that are already projected, and the caches that hold them.
//
// Numbers: Whisper scales queries and keys by d_head^-0.25 each; here the queries alone are scaled, by d_head^-0.5, before they meet
// the keys: the same product, and as safe from overflow in half precision. Softmax is float32 always.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <ATen/ATen.h>

#include "core/nn/placement.h"

namespace braid::nn {

enum class Visibility { All = 1, Causal };

// queries [G, Q, D], keys and values [G, T, D] with G = rows x heads -> [G, Q, D].
// Causal: query i sees the entries up to T - Q + i.
// `scores`: where given, receives the scaled products before the softmax, float32 [G, Q, T] (for alignment; costs extra).
[[nodiscard]] at::Tensor attend(const at::Tensor &queries, const at::Tensor &keys, const at::Tensor &values, Visibility visibility,
                                at::Tensor *scores = nullptr);

// The same with a mask of one's own: float [Q, T], 0 where a query sees an entry and minus infinity where not; every query sees one at least.
[[nodiscard]] at::Tensor attendMasked(const at::Tensor &queries, const at::Tensor &keys, const at::Tensor &values, const at::Tensor &mask);

// [B, L, H x D] -> [B x H, L, D] and back.
[[nodiscard]] at::Tensor splitHeads(const at::Tensor &x, std::int64_t heads);
[[nodiscard]] at::Tensor joinHeads(const at::Tensor &x, std::int64_t heads);

// Keys and values of self-attention for several rows (beams) of one decoding; memory is taken once. Owned by one decoding.
class SelfCache {
  public:
    SelfCache(std::int64_t layers, std::int64_t rows, std::int64_t heads, std::int64_t capacity, std::int64_t width, const Placement &placement);

    [[nodiscard]] std::int64_t length() const noexcept { return m_length; }
    [[nodiscard]] std::int64_t rows() const noexcept { return m_rows; }
    [[nodiscard]] std::int64_t capacity() const noexcept { return m_capacity; }

    // Writes keys and values [B, L, 2, H, D] of the entries after length(); does not move length().
    void write(std::int64_t layer, const at::Tensor &keys_values);
    // Keys or values of the first `length` entries: [B x H, length, D], a view.
    [[nodiscard]] at::Tensor keys(std::int64_t layer, std::int64_t length) const { return view(layer, 0, length); }
    [[nodiscard]] at::Tensor values(std::int64_t layer, std::int64_t length) const { return view(layer, 1, length); }
    // Counts `entries` written in every layer as there.
    void advance(std::int64_t entries) { m_length += entries; }
    // Forgets what comes after `length`.
    void truncate(std::int64_t length);
    // Row i becomes what row sources[i] was; the number of rows becomes sources.size(), at most the rows given at the beginning.
    void reorder(std::span<const std::int64_t> sources);

  private:
    [[nodiscard]] at::Tensor view(std::int64_t layer, std::int64_t which, std::int64_t length) const;

    at::Tensor m_data;   // [layers, 2, rows, heads, capacity, width]
    at::Tensor m_spare;  // the same, made when rows are first reordered
    std::int64_t m_rows = 1;
    std::int64_t m_heads = 1;
    std::int64_t m_capacity = 0;
    std::int64_t m_width = 0;
    std::int64_t m_length = 0;
};

// Keys and values of something that grows at its end, or (a tree of tokens) is written entry by entry: memory is taken in advance, what is there is
// not moved. Keys lie transposed, so that blocks of queries meet them at full speed (block_attend.h). Owned by one decoding.
class GrowingCache {
  public:
    GrowingCache() = default;
    GrowingCache(std::int64_t layers, std::int64_t heads, std::int64_t capacity, std::int64_t width, const Placement &placement);

    [[nodiscard]] std::int64_t length() const noexcept { return m_length; }
    [[nodiscard]] std::int64_t capacity() const noexcept { return m_values.defined() ? m_values.size(2) : 0; }

    // Writes keys and values [L, 2, H, D] of the entries after length(); does not move length(). Throws Error(Internal) where they do not fit.
    void write(std::int64_t layer, const at::Tensor &keys_values);
    // Counts `entries` written in every layer as there.
    void advance(std::int64_t entries) { m_length += entries; }
    void clear() { m_length = 0; }
    // Forgets the entries after the first `length`.
    void truncate(std::int64_t length);

    // For trees: writes the entries `slots` [N] (int64, on the cache's device, each once), wherever they are.
    void writeSlots(std::int64_t layer, const at::Tensor &slots, const at::Tensor &keys_values);
    // Makes room for `entries`, at least twice the present; what is there stays.
    void reserve(std::int64_t entries);
    // Entry slots[i], ascending, becomes entry i; the others are forgotten.
    void keepOnly(const at::Tensor &slots);

    // Of the first `length` entries: [H, length, D], views.
    [[nodiscard]] at::Tensor keys(std::int64_t layer, std::int64_t length) const { return m_keys.select(0, layer).narrow(2, 0, length).transpose(1, 2); }
    [[nodiscard]] at::Tensor values(std::int64_t layer, std::int64_t length) const { return m_values.select(0, layer).narrow(1, 0, length); }

  private:
    at::Tensor m_keys;    // [layers, heads, width, capacity]
    at::Tensor m_values;  // [layers, heads, capacity, width]
    std::int64_t m_length = 0;
};

}  // namespace braid::nn
