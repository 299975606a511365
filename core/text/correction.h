// What a person corrected in a transcript. The program never changes a committed word; a person may, and the model's word stays on record with it.
// Thread: any. Values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "core/text/transcript.h"

namespace braid::text {

// Of one word; what is longer is cut.
inline constexpr std::size_t kMostCorrectionBytes = 4096;

struct WordCorrection {
    std::int64_t word = 0;            // the n-th word of the run, from 0
    std::string heard;                // what the model said there: it holds for no other word
    std::optional<std::string> text;  // nothing: as the model said it; empty: struck out
    friend bool operator==(const WordCorrection &, const WordCorrection &) = default;
};

[[nodiscard]] inline bool isCorrected(const Word &word) noexcept
{
    return !word.heard.empty();
}
// What the model said.
[[nodiscard]] inline const std::string &heardText(const Word &word) noexcept
{
    return isCorrected(word) ? word.heard : word.text;
}
// Puts `text` (WordCorrection::text) in the place of what the word says. Valid UTF-8 afterwards, in one line, without space around it.
void correctWord(Word &word, const std::optional<std::string> &text);

}  // namespace braid::text
