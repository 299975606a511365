// Text made comparable as Whisper's English normaliser does it (Radford et al. 2022, appendix C), so that word error rates can be put beside
// published ones: without brackets, fillers, symbols and diacritics; contractions and titles written out; numbers as digits with their
// currencies; American spelling. Checked against openai-whisper 20250625, its oddities included (tests/parity/normaliser.json).
// For every other language: text_normaliser.h. Plain functions. Thread: any. Broken UTF-8 becomes U+FFFD, which is no letter.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace braid::metrics {

// As the original returns it: there may be a space at either end.
[[nodiscard]] std::string englishNormalised(std::string_view text);
[[nodiscard]] std::vector<std::string> englishWords(std::string_view text);

}  // namespace braid::metrics
