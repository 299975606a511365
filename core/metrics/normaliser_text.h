// Text as code points, and what characters are to a regular expression of Python's: the English normaliser's tools. Internal to core/metrics.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace braid::metrics {

[[nodiscard]] std::u32string codePoints(std::string_view utf8);  // broken bytes become U+FFFD
[[nodiscard]] std::string utf8Of(std::u32string_view text);

[[nodiscard]] bool isSpace(char32_t c) noexcept;       // \s
[[nodiscard]] bool isWordLetter(char32_t c) noexcept;  // \w: letters, numbers and _; no combining marks
[[nodiscard]] int digitValue(char32_t c) noexcept;     // of \d; -1: none
[[nodiscard]] inline bool isAsciiDigit(char32_t c) noexcept
{
    return c >= U'0' && c <= U'9';
}
// \b between the characters before and at `at`.
[[nodiscard]] bool isBoundary(std::u32string_view text, std::size_t at) noexcept;

// Lower case as Python has it: with the final sigma.
[[nodiscard]] std::u32string lowered(std::string_view utf8);
// Compatibility decomposition; then marks of no width go, other marks, symbols and punctuation become spaces but for `kept`, and letters
// that are not made of parts (ø, ß) are written with others.
[[nodiscard]] std::u32string withoutSymbols(std::u32string_view text, std::u32string_view kept);

[[nodiscard]] std::vector<std::u32string> split(std::u32string_view text);  // at white space
[[nodiscard]] std::u32string joined(const std::vector<std::u32string> &words);

// Goes through `text` from the left: at each place `rule` says how many characters it takes (0: none, the character stays) and appends
// what stands in their place.
using Rule = std::function<std::size_t(std::u32string_view text, std::size_t at, std::u32string &out)>;
[[nodiscard]] std::u32string replaced(std::u32string_view text, const Rule &rule);

}  // namespace braid::metrics
