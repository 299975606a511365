// Streaming translation as a language model learns it ("LLM as Effective Streaming Processor", B.3 and figure 5): the sequence, its
// positions and its mask are those of a run of translation::WaitKTranslator over models::lm::TranslationRun, row by row, and the rows that
// count are those that predict. k is drawn for every example, so that one model serves many. Where an example goes on from another
// sentence, that one stands in the prompt and the header as a context does, and its translation is learnt, too: as offline translation.
// No torch. Errors: Error(Input). Thread: const functions from any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/paradigms/paradigm.h"
#include "lab/train/language/language_recipe.h"
#include "lab/train/language/sequence.h"
#include "lab/train/language/translation_pairs.h"

namespace braid::train {

// Where target tokens stand for what they see of the source, when every read moves them behind it (paradigms::Reencoding::Positions): as far on as they see
// tokens of the source.
[[nodiscard]] std::vector<double> positionsBehindSource(const Sequence &sequence);

// Tokens in the order and under the tags of a paradigm as a sequence: `source` and `target` as they are fed, prompt, header and ends included.
// `heads`: how many tokens each row learns to predict; those of the target behind its label, up to the first end.
[[nodiscard]] Sequence translationSequence(const paradigms::Visibility &visibility, paradigms::TrainingTokens tokens, std::span<const std::int32_t> source,
                                           std::span<const std::int32_t> target, std::int64_t heads = 1);

class TranslationSource : public SequenceSource {
  public:
    // By TranslationFrame, whose marks the tokenizer must have.
    TranslationSource(const LanguageRecipe &recipe, const std::vector<PairText> &pairs, std::shared_ptr<const text::LanguageTokenizer> tokenizer);
    TranslationSource(const LanguageRecipe &recipe, const std::vector<PairText> &pairs, const text::LanguageTokenizer &tokenizer, TranslationSpelling spelling);

    [[nodiscard]] std::vector<SequenceItem> epoch(std::uint64_t number) const override;
    [[nodiscard]] std::vector<Sequence> make(const SequenceItem &item, Random random) const override;
    [[nodiscard]] std::vector<SequenceItem> validation() const override;

    // The sequences of one example for a k (the first or, where all is read first, the only ones).
    [[nodiscard]] std::vector<Sequence> sequences(const TokenPair &pair, const TokenPair *before, std::int64_t k) const;

    [[nodiscard]] std::int64_t trained() const noexcept { return static_cast<std::int64_t>(m_trained.size()); }
    [[nodiscard]] std::int64_t leftOut() const noexcept { return m_left_out; }  // too long

  private:
    [[nodiscard]] SequenceItem itemOf(std::int64_t example, std::int64_t before) const;

    LanguageRecipe m_recipe;
    paradigms::Paradigm m_paradigm;
    std::vector<TokenPair> m_pairs;
    std::vector<std::int64_t> m_trained;  // indices of m_pairs
    std::vector<std::int64_t> m_held_out;
    std::int64_t m_left_out = 0;
    TranslationSpelling m_spelling;
};

}  // namespace braid::train
