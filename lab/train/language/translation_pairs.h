// Sentences and their translations, tokenised in the units in which wait-k reads and writes them (decoding/reading_units.h, wait_k.h).
// No torch. Errors: Error(Input) with file and line. Thread: const functions from any thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/language_tokenizer.h"
#include "core/text/translation_frame.h"

namespace braid::train {

struct PairText {
    std::string source;
    std::string target;
};

// Lines "source TAB target", white space made single spaces; further columns are ignored. Refused: a line without a tab or with an empty side.
[[nodiscard]] std::vector<PairText> readPairs(const std::filesystem::path &file);
[[nodiscard]] std::vector<PairText> parsePairs(std::string_view text, const std::string &where);

struct TokenPair {
    std::vector<std::int32_t> source;
    std::vector<std::int32_t> target;
    std::vector<std::uint8_t> source_units;  // tokens of each unit
    std::vector<std::uint8_t> target_words;

    [[nodiscard]] std::int64_t tokens() const noexcept { return static_cast<std::int64_t>(source.size() + target.size()); }
};

// How a model's translations are spelled: TranslationFrame's marks, or those of a chat template (core/models/decoder_lm/translation_layout.h).
struct TranslationSpelling {
    std::vector<std::int32_t> before_source;
    std::vector<std::int32_t> before_target;
    std::vector<std::int32_t> between;  // behind a sentence that another one goes on from
    std::vector<std::int32_t> end_of_source;
    std::int32_t end_of_target = 0;
    std::function<std::vector<std::int32_t>(std::string_view)> tokens;  // of a unit with the space before it, if there is one, or of a whole text

    // Around the tokens of a pair.
    [[nodiscard]] std::int64_t marks() const noexcept
    {
        return static_cast<std::int64_t>(before_source.size() + before_target.size() + end_of_source.size() + 1);
    }
};
[[nodiscard]] TranslationSpelling spellingOf(const text::TranslationFrame &frame);

// Empty sides where a unit or word has more than 255 tokens.
[[nodiscard]] TokenPair tokenised(const PairText &pair, const TranslationSpelling &spelling, const text::LanguageTokenizer &tokenizer);
[[nodiscard]] TokenPair tokenised(const PairText &pair, const text::TranslationFrame &frame, const text::LanguageTokenizer &tokenizer);

// Held out: decided by the source sentence alone, so that no translation of a held-out sentence is trained on.
[[nodiscard]] bool isHeldOut(const std::string &source, double share) noexcept;

}  // namespace braid::train
