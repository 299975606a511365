// Cuts text that grows into the units in which a translation reads and is counted: words with their punctuation, or characters where a
// language writes no spaces. What is given stays given: a unit comes out once it cannot grow any more.
// Source: Ma et al. 2019 (wait-k counts words); reference/streaming-llm.md 1.2 and 1.5 (punctuation belongs to its word; languages without
// spaces need another unit). Thread: one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace braid::translation {

enum class ReadingUnit : std::uint8_t {
    Words = 1,   // what stands between white space
    Characters,  // each character of scripts written without spaces (Chinese, Japanese, Thai, ...); words of others stay words
    Segments,    // as they come: every piece given is a unit (speech segments)
};

struct SourceUnit {
    std::string text;                   // valid UTF-8, no white space around or doubled in it, no control characters; never empty
    bool starts_without_space = false;  // joins the unit before it
};

// A word of more characters than this is cut, so that an endless one is read after all.
inline constexpr std::size_t kMaxUnitCharacters = 80;

class UnitReader {
  public:
    explicit UnitReader(ReadingUnit unit);
    // Text that directly follows what was given before; may end inside a word or a character.
    [[nodiscard]] std::vector<SourceUnit> add(std::string_view text);
    // Nothing more follows.
    [[nodiscard]] std::vector<SourceUnit> finish();
    // The unit that may still grow, for display.
    [[nodiscard]] const std::string &growing() const noexcept { return m_unit; }
    // Nothing is kept back, not even a part of a character.
    [[nodiscard]] bool isEmpty() const noexcept { return m_unit.empty() && m_bytes.empty(); }

  private:
    void addCharacter(char32_t character, std::vector<SourceUnit> &units);
    void close(std::vector<SourceUnit> &units);
    [[nodiscard]] bool beginsUnit(char32_t character) const;

    ReadingUnit m_kind;
    std::string m_bytes;  // an incomplete character
    std::string m_unit;
    std::size_t m_characters = 0;  // in m_unit
    char32_t m_last = 0;
    bool m_holds_word = false;  // m_unit has something besides opening punctuation
    bool m_after_space = true;
    bool m_unit_after_space = true;
};

// Whether text whose last character is `last` is followed by something new or by more of the same unit, by a token of these bytes. Bytes that
// begin inside a character, marks and closing punctuation go on. For the writing side, where the text comes in tokens.
[[nodiscard]] bool beginsTargetUnit(ReadingUnit unit, char32_t last, std::string_view token_bytes) noexcept;

// How many units a closed piece of target text counts for: one word, or as many characters as it has.
[[nodiscard]] std::int64_t targetUnits(ReadingUnit unit, std::string_view text) noexcept;

}  // namespace braid::translation
