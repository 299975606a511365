// Unicode classes of code points, as far as splitting text for a tokenizer needs them: \p{L}, \p{N} and \s of Unicode 16.
// Thread: any.
#pragma once

#include <span>

namespace braid::text {

struct CodePointRange {
    char32_t first;
    char32_t last;  // inclusive
};

// Sorted and apart from each other (unicode_table.cpp, generated).
extern const std::span<const CodePointRange> letter_ranges;
extern const std::span<const CodePointRange> number_ranges;
extern const std::span<const CodePointRange> white_space_ranges;

enum class CharacterClass { Letter = 1, Number, Space, Other };

[[nodiscard]] CharacterClass characterClass(char32_t code_point) noexcept;

}  // namespace braid::text
