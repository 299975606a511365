// Unicode 16's general categories, and the classes made of them that splitting text for a tokenizer needs. A table of our own, because Debian's utf8proc
// knows Unicode 15, and tokenizers must agree with tiktoken on every character. Thread: any.
#pragma once

#include <cstdint>
#include <span>

namespace braid::text {

// In the order of tools/make_unicode_table.py.
enum class GeneralCategory : std::uint8_t {
    UppercaseLetter = 1,
    LowercaseLetter,
    TitlecaseLetter,
    ModifierLetter,
    OtherLetter,
    NonspacingMark,
    SpacingMark,
    EnclosingMark,
    DecimalNumber,
    LetterNumber,
    OtherNumber,
    ConnectorPunctuation,
    DashPunctuation,
    OpenPunctuation,
    ClosePunctuation,
    InitialPunctuation,
    FinalPunctuation,
    OtherPunctuation,
    MathSymbol,
    CurrencySymbol,
    ModifierSymbol,
    OtherSymbol,
    SpaceSeparator,
    LineSeparator,
    ParagraphSeparator,
    Control,
    Format,
    PrivateUse,
    Surrogate,
    Unassigned,
};

// Where each run of code points of one category begins: code point << 5 | category. Sorted (unicode_table.cpp, generated).
extern const std::span<const std::uint32_t> category_starts;

[[nodiscard]] GeneralCategory generalCategory(char32_t code_point) noexcept;

enum class CharacterClass { Letter = 1, Number, Space, Other };

// \p{L}, \p{N}, \s (the property White_Space).
[[nodiscard]] CharacterClass characterClass(char32_t code_point) noexcept;

[[nodiscard]] bool isMark(char32_t code_point) noexcept;           // \p{M}
[[nodiscard]] bool isPunctuation(char32_t code_point) noexcept;    // \p{P} and ASCII's symbols: what Hugging Face's tokenizers call punctuation
[[nodiscard]] bool isWordCharacter(char32_t code_point) noexcept;  // \w: letters, marks, decimal numbers, connectors, joiners
// A letter or number of a script in which spaces do not tell words apart: Chinese, Japanese, Thai, ...
[[nodiscard]] bool isWrittenWithoutSpaces(char32_t code_point) noexcept;

}  // namespace braid::text
