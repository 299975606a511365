// One run of streaming translation over a StreamCache, in any paradigm: source tokens are read, target tokens written, and the next one predicted.
// The paradigms are values (core/paradigms/paradigm.h); this is the one decoder behind them.
//
// The rule of the released decoder (streaming-llm.md 1.4, 1.5): all but the last target token have seen what was read before they were written; the
// last one, which predicts, also what was read since. So a read takes it back out of the cache where it was fed already, and predict() feeds it (again).
// In one queue (interleaved) nothing is fed again; the last source token predicts. Feeding is lazy: several reads in a row cost one prediction.
// Thread: one; the model outlives the run. Errors: Error(Usage) for a read behind a write where all must be read first.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <ATen/ATen.h>

#include "core/models/decoder_lm/decoder_lm.h"
#include "core/paradigms/paradigm.h"

namespace braid::models::lm {

class TranslationRun {
  public:
    TranslationRun(const DecoderLm &model, const paradigms::Paradigm &paradigm, std::int64_t capacity = 256);

    // Tokens of the source: instruction, words, end.
    void read(std::span<const std::int32_t> tokens);
    // Tokens of the target: header, words. They are fed by the next feed() or predict().
    void write(std::span<const std::int32_t> tokens);
    // Takes the last target tokens back.
    void unwrite(std::int64_t count);
    // Feeds what is written and not yet fed.
    void feed() { feedPending(static_cast<std::int64_t>(m_target.size()) - m_target_fed, nullptr); }
    // Logits of the next target token, float32 [vocabulary]. `look`: where given, the attention of the pass that predicts; its columns are the
    // entries of cache().entries(). Errors: Error(Internal) where nothing was read or written yet.
    [[nodiscard]] at::Tensor predict(nn::AttentionLook *look = nullptr);

    [[nodiscard]] const std::vector<std::int32_t> &source() const noexcept { return m_source; }
    [[nodiscard]] const std::vector<std::int32_t> &target() const noexcept { return m_target; }
    [[nodiscard]] const nn::StreamCache &cache() const noexcept { return m_cache; }
    // The columns of a look that are source tokens, in their order.
    [[nodiscard]] std::vector<std::int64_t> sourceColumns() const;
    // All tokens that went through the model so far: what re-encoding costs.
    [[nodiscard]] std::int64_t tokensFed() const noexcept { return m_tokens_fed; }
    [[nodiscard]] std::int64_t passes() const noexcept { return m_step; }

  private:
    void feedPending(std::int64_t count, nn::AttentionLook *look);
    void run(std::int32_t stream, std::span<const std::int32_t> tokens, std::int64_t first_own_index, nn::AttentionLook *look);
    void takeBack();
    void eraseTargets(std::int64_t count);
    void movePositions();

    const DecoderLm &m_model;
    paradigms::Paradigm m_paradigm;
    bool m_one_queue = false;
    nn::StreamCache m_cache;
    std::vector<std::int32_t> m_source;
    std::vector<std::int32_t> m_target;
    std::int64_t m_target_fed = 0;  // of m_target, in the cache
    std::int64_t m_moved_for = 0;   // length of the source for which the target's positions are right
    std::int64_t m_step = 0;
    std::int64_t m_tokens_fed = 0;
    at::Tensor m_last_hidden;  // [width], of the row that predicts
};

}  // namespace braid::models::lm
