// Canonical normalisation (Unicode Standard Annex 15) and lower case, as the normalisers of language models' tokenizers need them.
// Broken UTF-8 passes through byte by byte. Unicode 16. Thread: any.
#pragma once

#include <string>
#include <string_view>

namespace braid::text {

[[nodiscard]] std::string composed(std::string_view text);    // NFC
[[nodiscard]] std::string decomposed(std::string_view text);  // NFD

// Of one character; itself where it has no other, or one of several characters.
[[nodiscard]] char32_t lowerCase(char32_t code_point) noexcept;
[[nodiscard]] char32_t upperCase(char32_t code_point) noexcept;
// Character by character, without regard to neighbours (no final sigma), as tokenizers do it.
[[nodiscard]] std::string lowerCased(std::string_view text);

}  // namespace braid::text
