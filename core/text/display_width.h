// How many columns text takes in a terminal or a monospaced subtitle, and where it may be cut. Thread: any.
#pragma once

#include <cstddef>
#include <string_view>

namespace braid::text {

// Columns of one character: 0 for combining marks, joiners and controls, 2 for East Asian wide characters and emoji, else 1.
[[nodiscard]] int columnsOf(char32_t character) noexcept;
// Columns of UTF-8 text; a broken byte counts as one (it shows as U+FFFD).
[[nodiscard]] std::size_t displayWidth(std::string_view text) noexcept;
// The longest start of `text` that takes at most `columns`, in bytes; never inside a character or between it and its marks.
[[nodiscard]] std::size_t bytesThatFit(std::string_view text, std::size_t columns) noexcept;

}  // namespace braid::text
