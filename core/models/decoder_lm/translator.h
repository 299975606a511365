// A translation model (core/translation/translation_model.h) over a language model: its layout of source and target, one TranslationRun for each sentence
// in any paradigm, and sampling. Thread: one; several on one LoadedLm may run at the same time.
#pragma once

#include <deque>
#include <memory>
#include <optional>

#include "core/models/decoder_lm/loaded_lm.h"
#include "core/models/decoder_lm/translation_layout.h"
#include "core/models/decoder_lm/translation_run.h"
#include "core/streams/sampling.h"
#include "core/translation/translation_model.h"

namespace braid::models::lm {

class Translator final : public translation::TranslationModel {
  public:
    // Errors: Error(Usage) for options that cannot be.
    Translator(std::shared_ptr<const LoadedLm> lm, TranslationLayout layout, const TranslatorOptions &options);

    // What the source tokens nn::kRow stand for that are read next, in their order: [rows, width]. A read of them without rows is Error(Internal).
    void addRows(const at::Tensor &rows);

    void begin(const translation::TranslationContext &context) override;
    [[nodiscard]] std::vector<std::int32_t> sourceTokens(std::string_view text) const override;
    [[nodiscard]] std::vector<std::int32_t> endOfSource() const override { return m_layout.endOfSource(); }
    void read(std::span<const std::int32_t> tokens) override;
    [[nodiscard]] translation::PredictedToken predict(AttentionWanted attention) override;
    void write(std::int32_t token_id) override;
    void unwrite(int count) override;
    [[nodiscard]] std::int64_t room() const override;
    [[nodiscard]] std::int64_t promptTokens() const override { return m_prompt_tokens; }
    [[nodiscard]] translation::TranslationCost cost() const override;

  private:
    void writeHeader();
    // Equation 10: what the heads said of the next tokens when the model was last asked, as far as it stands.
    struct Sure {
        std::deque<translation::PredictedToken> tokens;  // that may be said without asking again, once `expected` is written
        std::int32_t expected = -1;                      // what was predicted last; -1: nothing
    };
    [[nodiscard]] translation::PredictedToken predicted(AttentionWanted attention);
    [[nodiscard]] translation::PredictedToken tokenOf(const streams::Choice &choice) const;
    void noteSureTokens(const translation::PredictedToken &next);
    [[nodiscard]] std::vector<float> sourceAttention(const nn::AttentionLook &look) const;

    std::shared_ptr<const LoadedLm> m_lm;
    TranslationLayout m_layout;
    TranslatorOptions m_options;
    paradigms::Paradigm m_paradigm;
    std::optional<TranslationRun> m_run;
    at::Tensor m_rows;  // given, not yet read; undefined: none
    std::int64_t m_prompt_tokens = 0;
    std::int64_t m_header_tokens = 0;
    std::vector<std::int32_t> m_header;  // not yet written: offline translation reads all first
    Sure m_sure;
    std::int64_t m_sentence = 0;                 // sampling draws anew in each
    translation::TranslationCost m_cost_before;  // of the sentences before
};

}  // namespace braid::models::lm
