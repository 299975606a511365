// The heads of a language model that predict the tokens behind the next one, all from one hidden state: so that several tokens are proposed where one pass
// is computed. Independent: a projection each. Latent: a transform of the hidden state each, then the projection that all share, which costs
// width x width numbers a head instead of width x vocabulary.
// Source: "Faster Speech-LLaMA with multi-token prediction", section III, figure 2. There head 1 is trained like the others; here it is the model's own
// output, so that a model with further heads says what it said without them.
// Thread: const.
#pragma once

#include <cstdint>

#include <ATen/ATen.h>

#include "core/nn/linear.h"
#include "core/weights/language_model.h"

namespace braid::models::lm {

class TokenHeads {
  public:
    // The model's own head alone.
    TokenHeads() = default;
    // `joined`: the outputs of the heads 2, 3, ... `heads.count` one after the other, [heads x (vocabulary or width), width].
    TokenHeads(const weights::LmTokenHeads &heads, nn::Linear joined);

    [[nodiscard]] std::int64_t count() const noexcept { return m_heads.count; }  // with the model's own
    // Logits as they are before soft-capping: hidden [..., width], contiguous -> [heads, ..., vocabulary], heads `first` to `last`, from 2 on.
    // `output`: the model's own projection. Gradients flow. Errors: Error(Internal) for heads there are not.
    [[nodiscard]] at::Tensor logits(const at::Tensor &hidden, std::int64_t first, std::int64_t last, const nn::Linear &output) const;

  private:
    weights::LmTokenHeads m_heads;
    nn::Linear m_joined;
};

}  // namespace braid::models::lm
