// Attention of grouped queries over keys and values of fewer heads, with soft-capping and masks, and views of its weights on demand.
// Softmax is float32 always. Gradients flow. Thread: const.
#pragma once

#include <cstdint>
#include <optional>

#include <ATen/ATen.h>

namespace braid::nn {

struct StreamAttention {
    double scale = 1;    // of the products
    double softcap = 0;  // cap x tanh(product / cap), before the mask; 0: none (Gemma 2)
};

// queries [B, Q, H, D]; keys and values [B, K, T, D], H a multiple of K, query head h looking at key head h / (H / K); `mask` float32 [B or 1, Q, T],
// added, or undefined: all is seen. -> [B, Q, H x D].
// `weights`: where given, receives the attention [B, H, Q, T], float32; costs extra.
[[nodiscard]] at::Tensor attendGrouped(const at::Tensor &queries, const at::Tensor &keys, const at::Tensor &values, const at::Tensor &mask,
                                       const StreamAttention &attention, at::Tensor *weights = nullptr);

// A look at the attention of one pass. Nothing is computed where nobody looks.
enum class AttentionSummary : std::uint8_t { Mean = 1, Max };
struct AttentionLook {
    std::optional<std::int64_t> layer;  // empty: over all layers
    std::optional<std::int64_t> head;   // empty: over all heads
    AttentionSummary summary = AttentionSummary::Mean;
    at::Tensor weights;  // filled: [Q, T], float32, on the CPU

    [[nodiscard]] bool wants(std::int64_t of_layer) const { return !layer || *layer == of_layer; }
    // Takes in a layer's attention [H, Q, T]; `layers` there are in all.
    void take(const at::Tensor &attention, std::int64_t layers);
};

}  // namespace braid::nn
