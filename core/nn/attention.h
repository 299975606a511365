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
[[nodiscard]] at::Tensor attend(const at::Tensor &queries, const at::Tensor &keys, const at::Tensor &values, Visibility visibility, at::Tensor *scores = nullptr);

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
    [[nodiscard]] std::uint64_t bytes() const noexcept { return static_cast<std::uint64_t>(m_data.nbytes()); }

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

// Keys and values of self-attention for tokens that form a tree (rows that share their beginnings): an entry is a token, wherever it stands. Which
// entries a query sees is its mask's business. Memory is taken in advance and doubles when it is full. Owned by one decoding.
class TreeCache {
  public:
    TreeCache(std::int64_t layers, std::int64_t heads, std::int64_t capacity, std::int64_t width, const Placement &placement);

    [[nodiscard]] std::int64_t capacity() const noexcept { return m_data.size(3); }
    [[nodiscard]] std::uint64_t bytes() const noexcept { return static_cast<std::uint64_t>(m_data.nbytes()); }
    // Makes room for `entries`; what is there stays.
    void reserve(std::int64_t entries);
    // Keys and values [N, 2, H, D] of the entries `slots` [N] (int64, on the cache's device; ascending or not, each once).
    void write(std::int64_t layer, const at::Tensor &slots, const at::Tensor &keys_values);
    // Entry slots[i] becomes entry i, ascending; the others are forgotten.
    void keepOnly(const at::Tensor &slots);
    // Of the first `length` entries: [H, length, D], a view.
    [[nodiscard]] at::Tensor keys(std::int64_t layer, std::int64_t length) const { return m_data.select(0, layer).select(0, 0).narrow(1, 0, length); }
    [[nodiscard]] at::Tensor values(std::int64_t layer, std::int64_t length) const { return m_data.select(0, layer).select(0, 1).narrow(1, 0, length); }

  private:
    at::Tensor m_data;  // [layers, 2, heads, capacity, width]
};

}  // namespace braid::nn
