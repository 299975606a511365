// Text made comparable before it is scored: lower case, no punctuation, single spaces. This is the basic one, for every language;
// Whisper's English normaliser (spelling, numbers, contractions) comes beside it. What scores takes words, so any normaliser serves.
// Plain functions. Thread: any. Bytes that are no UTF-8 are left as they are.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace braid::metrics {

// Lower case (Latin, Greek, Cyrillic, Armenian), typographic apostrophes as ', an apostrophe kept only inside a word ("don't"); everything that
// is neither letter, digit nor mark becomes a space; no space at the ends.
[[nodiscard]] std::string normalised(std::string_view text);
// The words of normalised(text).
[[nodiscard]] std::vector<std::string> normalisedWords(std::string_view text);

}  // namespace braid::metrics
