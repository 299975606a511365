// Conversations in parallel streams as a language model learns them ("Multi-Stream LLMs", arXiv 2605.12460, Method): the packing of
// core/streams row by row, labels of the sampled streams alone, each the next row of its own stream; or, as the baseline, the same
// conversation collapsed into one sequence. Conversations are made anew for every epoch (lab/conversations/conversations.h), or are the tables that the
// recipe names, each once an epoch.
//
// Silence that the layout skips is seen by nobody else. So silent cells without a label are left out, and of those whose label is silence
// again only a share is kept, their weight raised by as much: the same loss on average for a fraction of the tokens.
// No torch. Errors: Error(Input). Thread: const functions from any thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/paradigms/visibility.h"
#include "core/streams/layout.h"
#include "core/streams/packing.h"
#include "core/streams/token_texts.h"
#include "core/text/language_tokenizer.h"
#include "lab/conversations/conversations.h"
#include "lab/train/language/language_recipe.h"
#include "lab/train/language/sequence.h"

namespace braid::train {

// The tables that the recipe names, columns in the layout's order. Throws Error(Input) naming file and line, and where nothing is left to train on.
[[nodiscard]] std::vector<streams::TextTable> readTables(const StreamsRecipe &recipe, const streams::Layout &layout);

// A vocabulary as a tokenizer.json: the cells of `tables` (none: of made conversations) as whole tokens, the marks of the collapsed form, the end mark.
[[nodiscard]] std::string streamsTokenizerJson(const streams::Layout &layout, const std::vector<streams::TextTable> &tables, std::uint64_t seed,
                                               std::int32_t size);

class StreamsSource : public SequenceSource {
  public:
    // `tables`: of readTables().
    StreamsSource(const LanguageRecipe &recipe, streams::Layout layout, std::vector<streams::TextTable> tables,
                  std::shared_ptr<const text::LanguageTokenizer> tokenizer);

    [[nodiscard]] std::vector<SequenceItem> epoch(std::uint64_t number) const override;
    [[nodiscard]] std::vector<Sequence> make(const SequenceItem &item, Random random) const override;
    [[nodiscard]] std::vector<SequenceItem> validation() const override;

    // The sequence of a conversation's table, in the form that the recipe asks for. `random` draws the silent cells that are kept.
    [[nodiscard]] Sequence sequenceOf(const streams::TextTable &table, Random random) const;

  private:
    [[nodiscard]] Sequence conversation(std::int64_t example) const;
    [[nodiscard]] bool isHeldOut(std::size_t table) const;
    [[nodiscard]] Sequence parallel(const streams::TextTable &table, Random random) const;
    [[nodiscard]] Sequence collapsed(const streams::TextTable &table) const;
    [[nodiscard]] SequenceItem itemOf(std::int64_t example) const;

    LanguageRecipe m_recipe;
    streams::Layout m_layout;
    std::vector<streams::TextTable> m_tables;
    paradigms::Visibility m_visibility;
    streams::PackOptions m_packing;
    std::unique_ptr<streams::TokenTexts> m_texts;
};

}  // namespace braid::train
