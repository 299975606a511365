// A translation model (core/translation/translation_model.h) over a language model: its layout of source and target, one TranslationRun for each sentence
// in any paradigm, and sampling. Thread: one; several on one LoadedLm may run at the same time.
#pragma once

#include <memory>
#include <optional>

#include "core/models/decoder_lm/loaded_lm.h"
#include "core/models/decoder_lm/translation_layout.h"
#include "core/models/decoder_lm/translation_run.h"
#include "core/translation/translation_model.h"

namespace braid::models::lm {

class Translator final : public translation::TranslationModel {
  public:
    // Errors: Error(Usage) for options that cannot be.
    Translator(std::shared_ptr<const LoadedLm> lm, TranslationLayout layout, const TranslatorOptions &options);

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
    [[nodiscard]] translation::PredictedToken predicted(AttentionWanted attention);
    [[nodiscard]] std::vector<float> sourceAttention(const nn::AttentionLook &look) const;

    std::shared_ptr<const LoadedLm> m_lm;
    TranslationLayout m_layout;
    TranslatorOptions m_options;
    paradigms::Paradigm m_paradigm;
    std::optional<TranslationRun> m_run;
    std::int64_t m_prompt_tokens = 0;
    std::int64_t m_header_tokens = 0;
    std::vector<std::int32_t> m_header;          // not yet written: offline translation reads all first
    std::int64_t m_sentence = 0;                 // sampling draws anew in each
    translation::TranslationCost m_cost_before;  // of the sentences before
};

}  // namespace braid::models::lm
