// A linear layer with an optional LoRA adapter that stays apart from the base and can be switched at run time.
// LoRA: y = W x + b + (x A) B, scale 1 (CarelessWhisper; shared/reference/streaming-asr.md 1.1).
// Thread: const functions from one thread at a time per model; switching only while nothing computes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include <ATen/ATen.h>

#include "core/nn/int8_rows.h"
#include "core/nn/placement.h"

namespace braid::nn {

enum class AdapterState { Off = 1, On };

class Linear {
  public:
    Linear() = default;
    // `weight` [out, in], of the inputs' number type or float16 (few_rows.h); `bias` [out] or undefined.
    Linear(at::Tensor weight, at::Tensor bias);
    Linear(Int8Weight weight, at::Tensor bias);

    // `a` [in, rank], `b` [rank, out]; starts switched on.
    void setAdapter(at::Tensor a, at::Tensor b);
    // Off gives exactly what the layer gives without adapter. Without an adapter this does nothing.
    void switchAdapter(AdapterState state) noexcept { m_adapter_state = state; }
    [[nodiscard]] bool hasAdapter() const noexcept { return m_lora_a.defined(); }

    // Inputs, weights and result in this number type from now on (bfloat16 while float32 parameters are trained); else in the inputs'.
    void setProductType(at::ScalarType type) noexcept { m_product_type = type; }

    // x [..., in] -> [..., out]
    [[nodiscard]] at::Tensor operator()(const at::Tensor &x) const;

    // As floats; of eight bits a copy.
    [[nodiscard]] at::Tensor weight() const { return m_int8.defined() ? fromInt8(m_int8) : m_weight; }
    [[nodiscard]] const Int8Weight &int8Weight() const noexcept { return m_int8; }  // undefined where the weights are floats
    [[nodiscard]] std::uint64_t weightBytes() const { return m_int8.defined() ? m_int8.bytes() : m_weight.nbytes(); }
    [[nodiscard]] std::int64_t inputs() const { return (m_int8.defined() ? m_int8.numbers : m_weight).size(1); }
    [[nodiscard]] std::int64_t outputs() const { return (m_int8.defined() ? m_int8.numbers : m_weight).size(0); }
    // Rows of the weights, for an output layer that is the embedding, too: int64 of any shape -> [..., in].
    [[nodiscard]] at::Tensor embedding(const at::Tensor &rows) const { return m_int8.defined() ? int8Embedding(m_int8, rows) : at::embedding(m_weight, rows); }
    [[nodiscard]] const at::Tensor &bias() const noexcept { return m_bias; }
    [[nodiscard]] const at::Tensor &adapterA() const noexcept { return m_lora_a; }
    [[nodiscard]] const at::Tensor &adapterB() const noexcept { return m_lora_b; }
    [[nodiscard]] std::optional<at::ScalarType> productType() const noexcept { return m_product_type; }

  private:
    at::Tensor m_weight;
    Int8Weight m_int8;  // one of the two
    at::Tensor m_bias;
    at::Tensor m_lora_a;
    at::Tensor m_lora_b;
    AdapterState m_adapter_state = AdapterState::On;
    std::optional<at::ScalarType> m_product_type;
};

// A layer of a model that runs, in the form that is fastest for these weights: of eight bits where they are wanted or lose nothing, else float16 where that
// loses nothing (few_rows.h), else as they are.
[[nodiscard]] Linear linearFrom(const at::Tensor &weight, at::Tensor bias, WeightStorage storage);

// One layer that computes several over the same input at once: its output is theirs, one after the other. Missing biases become
// zero, weights of different number types the wider, of eight bits beside others floats; adapters are joined so that each still sees only its own rank.
// Gradients flow.
[[nodiscard]] Linear stackLinears(std::span<const Linear> parts);

// Layer normalisation over the last dimension.
struct LayerNorm {
    at::Tensor weight;
    at::Tensor bias;
    double epsilon = 1e-5;
    [[nodiscard]] at::Tensor operator()(const at::Tensor &x) const { return at::layer_norm(x, weight.sizes(), weight, bias, epsilon); }
};

}  // namespace braid::nn
