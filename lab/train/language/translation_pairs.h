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

// Empty sides where a unit or word has more than 255 tokens.
[[nodiscard]] TokenPair tokenised(const PairText &pair, const text::TranslationFrame &frame, const text::LanguageTokenizer &tokenizer);

// Held out: decided by the source sentence alone, so that no translation of a held-out sentence is trained on.
[[nodiscard]] bool isHeldOut(const std::string &source, double share) noexcept;

}  // namespace braid::train
