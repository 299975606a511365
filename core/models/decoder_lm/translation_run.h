// One run of streaming translation over a StreamCache, in any paradigm: source tokens are read, target tokens written, and the next one predicted. The source
// may be rows of numbers as well (speech: "LLM as Effective Streaming Processor", appendix B.1): the rules are the same.
// The paradigms are values (core/paradigms/paradigm.h); this is the one decoder behind them.
//
// The rule of the released decoder (streaming-llm.md 1.4, 1.5): all but the last target token have seen what was read before they were written; the
// last one, which predicts, also what was read since. So a read takes it back out of the cache where it was fed already, and predict() feeds it (again).
// In one queue (interleaved) nothing is fed again; the last source token predicts. Feeding is lazy: several reads in a row cost one prediction.
//
// Several tokens a step (core/drafting/acceptance.h): what the model's further heads propose is fed behind the newest written token, in the same pass; while
// the caller writes what was proposed, predict() answers without another pass, and the cache is cut back where it writes something else. What is predicted is
// the same with and without proposals. Proposals that a read overtakes are made again: with Greedy verification what was predicted before the read is
// proposed after it, and stands only where the model still says it.
// Thread: one; the model outlives the run. Errors: Error(Usage) for a read behind a write where all must be read first.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <ATen/ATen.h>

#include "core/drafting/acceptance.h"
#include "core/models/decoder_lm/decoder_lm.h"
#include "core/models/decoder_lm/predicting_rows.h"
#include "core/paradigms/paradigm.h"

namespace braid::models::lm {

class TranslationRun {
  public:
    // Errors: Error(Usage) for drafting that the model's heads cannot do.
    TranslationRun(const DecoderLm &model, const paradigms::Paradigm &paradigm, std::int64_t capacity = 256, const drafting::DraftSettings &drafting = {});

    // Tokens of the source: instruction, words, end; and rows of numbers where it is no text.
    void read(const LmInput &input);
    void read(std::span<const std::int32_t> tokens) { read(LmInput{tokens}); }
    // Tokens of the target: header, words. They are fed by the next feed() or predict().
    void write(std::span<const std::int32_t> tokens);
    // Takes the last target tokens back.
    void unwrite(std::int64_t count);
    // Feeds what is written and not yet fed.
    void feed() { feedPending(static_cast<std::int64_t>(m_target.size()) - m_target_fed); }
    // Logits of the next target token, float32 [vocabulary]. `look`: where given, the attention of the pass that predicts; its columns are the
    // entries of cache().entries(). Errors: Error(Internal) where nothing was read or written yet.
    [[nodiscard]] at::Tensor predict(nn::AttentionLook *look = nullptr);
    // After predict(): what stands proposed in the next token's place and is fed already; empty where nothing is.
    [[nodiscard]] std::optional<std::int32_t> proposed() const { return m_rows.proposed(); }
    // After predict(), Threshold alone, which feeds nothing unwritten: what heads 2, 3, ... say of the tokens behind the next one, float32
    // [heads - 1, vocabulary].
    [[nodiscard]] at::Tensor laterLogits() const { return m_model.laterLogits(m_rows.hidden(), 2, m_drafting.heads); }

    [[nodiscard]] const std::vector<std::int32_t> &source() const noexcept { return m_source; }  // nn::kRow where a row was read
    [[nodiscard]] const std::vector<std::int32_t> &target() const noexcept { return m_target; }
    [[nodiscard]] const nn::StreamCache &cache() const noexcept { return m_cache; }
    // The columns of a look that are source tokens, in their order.
    [[nodiscard]] std::vector<std::int64_t> sourceColumns() const;
    // All tokens that went through the model so far: what re-encoding costs.
    [[nodiscard]] std::int64_t tokensFed() const noexcept { return m_tokens_fed; }
    [[nodiscard]] std::int64_t passes() const noexcept { return m_step; }
    [[nodiscard]] std::int64_t targetPasses() const noexcept { return m_target_passes; }  // those that fed the target: decoder calls

  private:
    void feedPending(std::int64_t count, std::span<const std::int32_t> proposals = {}, nn::AttentionLook *look = nullptr);
    void feedLastAgain(std::span<const std::int32_t> proposals, nn::AttentionLook *look);
    // `unwritten`: of the input's tokens, the last so many are proposals.
    void run(std::int32_t stream, const LmInput &input, std::int64_t first_own_index, std::int64_t unwritten, nn::AttentionLook *look);
    void takeBack();
    void eraseTargets(std::int64_t count);
    void dropProposals();
    void movePositions();
    [[nodiscard]] double positionAfter(std::int32_t stream, std::int64_t first_own_index, std::int64_t offset) const;
    void keepWhatWasPredicted();
    [[nodiscard]] std::vector<std::int32_t> proposals() const;

    const DecoderLm &m_model;
    paradigms::Paradigm m_paradigm;
    bool m_one_queue = false;
    nn::StreamCache m_cache;
    std::vector<std::int32_t> m_source;
    at::Tensor m_last_row;  // [1, width] where m_source ends with a row; else undefined
    std::vector<std::int32_t> m_target;
    std::int64_t m_target_fed = 0;  // of m_target, in the cache
    std::int64_t m_moved_for = 0;   // length of the source for which the target's positions are right
    std::int64_t m_step = 0;
    std::int64_t m_tokens_fed = 0;
    std::int64_t m_target_passes = 0;
    drafting::DraftSettings m_drafting;
    PredictingRows m_rows;
    // The newest hidden state that proposes: [width], and the index in m_target of the token that its head 1 predicts.
    at::Tensor m_proposing;
    std::int64_t m_proposes_from = 0;
};

}  // namespace braid::models::lm
