// The rows of a pass that predict: the one behind the newest written token, and those of tokens that were proposed, fed behind it and not yet written. While
// what is written is what was proposed, the next row stands ready and nothing need be computed: verification and prediction in one pass
// ("Faster Speech-LLaMA with multi-token prediction", III-A). Torch header; thread: one.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <ATen/ATen.h>

#include "core/models/decoder_lm/decoder_lm.h"

namespace braid::models::lm {

class PredictingRows {
  public:
    // `hidden` [1 + proposed.size(), width]; `looked`: attention of these rows, [rows, entries], or undefined.
    void set(at::Tensor hidden, std::span<const std::int32_t> proposed, at::Tensor looked);
    void clear();

    [[nodiscard]] bool any() const noexcept { return m_hidden.defined(); }
    // Of the row that predicts the next token: [width]; its attention [1, entries], or undefined.
    [[nodiscard]] at::Tensor hidden() const { return m_hidden[m_row]; }
    [[nodiscard]] at::Tensor looked() const { return m_looked.defined() ? m_looked.narrow(0, m_row, 1) : m_looked; }
    // [vocabulary]; those of all rows are computed at once, the first time.
    [[nodiscard]] at::Tensor logits(const DecoderLm &model);
    // What was proposed for the next token and fed already.
    [[nodiscard]] std::optional<std::int32_t> proposed() const;
    // The next token is written: true where it is the proposed one, and the row behind it predicts from now on.
    [[nodiscard]] bool advance(std::int32_t token);
    // Proposals that are fed and not written; and forgets them.
    [[nodiscard]] std::int64_t ahead() const noexcept { return static_cast<std::int64_t>(m_proposed.size()) - m_row; }
    void forgetAhead();

  private:
    at::Tensor m_hidden;
    at::Tensor m_logits;  // undefined: not yet computed
    at::Tensor m_looked;
    std::vector<std::int32_t> m_proposed;
    std::int64_t m_row = 0;
};

}  // namespace braid::models::lm
