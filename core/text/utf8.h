// UTF-8 from strangers: where characters begin and end, which bytes are broken, and text with U+FFFD in their place.
// "Broken" follows the Unicode standard (3.9, table 3-7): no surrogates, no overlong forms, nothing above U+10FFFF; a broken sequence is
// its longest start that could have become a character ("maximal subpart"), as Python, Qt and the browsers have it. Thread: any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace braid::text {

enum class Utf8State : std::uint8_t {
    Valid = 1,
    Broken,      // can never become a character
    Incomplete,  // the text ends inside a character that may still be completed
};

struct Utf8Character {
    char32_t code_point = 0xFFFD;
    std::size_t length = 0;  // bytes; 0 only at the end of the text
    Utf8State state = Utf8State::Valid;
};

// The character, or the broken sequence, that starts at `offset`.
[[nodiscard]] Utf8Character characterAt(std::string_view text, std::size_t offset) noexcept;

[[nodiscard]] bool isValidUtf8(std::string_view text) noexcept;

// `text` with every broken or incomplete sequence replaced by U+FFFD.
[[nodiscard]] std::string toValidUtf8(std::string_view text);

// The offsets at which characters (or broken sequences) begin, and last the length of the text.
[[nodiscard]] std::vector<std::size_t> characterBoundaries(std::string_view text);

// How many bytes of `text` can be shown now: all but an incomplete character at its end.
[[nodiscard]] std::size_t completeLength(std::string_view text) noexcept;

// How many characters `text` has; every broken sequence counts as one.
[[nodiscard]] std::size_t characterCount(std::string_view text) noexcept;

void appendUtf8(std::string &text, char32_t code_point);

}  // namespace braid::text
