// What stands around a translation for models that were trained by this program (published chat models have chat templates instead,
// chat_template.h). One layout, for training and for running:
//   source  <|source|> [what was said before <|end|>] unit unit ... <|end|>
//   target  <|target|> [its translation <|end|>] word word ... <|end|>
// Every text is tokenised with a space before it, also where a sentence begins, so that a word has the same tokens everywhere.
// Thread: const functions from any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/text/language_tokenizer.h"

namespace braid::text {

class TranslationFrame {
  public:
    static constexpr std::string_view kSource = "<|source|>";
    static constexpr std::string_view kTarget = "<|target|>";
    static constexpr std::string_view kEnd = "<|end|>";

    // Empty where the vocabulary lacks one of the three marks.
    [[nodiscard]] static std::optional<TranslationFrame> of(std::shared_ptr<const LanguageTokenizer> tokenizer);

    // What is read before the first unit; `context`: source text from before, may be empty.
    [[nodiscard]] std::vector<std::int32_t> prompt(std::string_view context = {}) const;
    // What is written before the first word; `context`: the translation of the prompt's context.
    [[nodiscard]] std::vector<std::int32_t> header(std::string_view context = {}) const;
    // A unit of the source or a whole text, with or without a space before it. The marks are plain text in it.
    [[nodiscard]] std::vector<std::int32_t> textTokens(std::string_view text) const;
    // Ends a source, and a target.
    [[nodiscard]] std::int32_t end() const noexcept { return m_end; }

  private:
    [[nodiscard]] std::vector<std::int32_t> begun(std::int32_t mark, std::string_view context) const;

    std::shared_ptr<const LanguageTokenizer> m_tokenizer;
    std::int32_t m_source = 0;
    std::int32_t m_target = 0;
    std::int32_t m_end = 0;
};

}  // namespace braid::text
