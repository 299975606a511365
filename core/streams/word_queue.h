// The words that wait to enter a stream, one token a row: typed, from a file, or from captions. Bounded: who pastes a book is told so.
// Thread: one. No errors; what does not fit is counted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "core/streams/token_texts.h"

namespace braid::streams {

// How a text ends: typing goes on in the middle of a word; what came from a file or with Enter is whole.
enum class TextEnd : std::uint8_t { Open = 1, Whole };
// Whether the first word of a stream has a space before it (rows) or not (after an opening).
enum class FirstWord : std::uint8_t { Spaced = 1, Bare };

class WordQueue {
  public:
    WordQueue(std::size_t most_tokens, FirstWord first)
        : m_most(most_tokens)
        , m_first(first)
    {
    }

    // Returns how many bytes of `text` did not fit and were left out; from there on nothing is taken until pop() has made room.
    std::size_t push(std::string_view text, TextEnd end, const TokenTexts &texts);
    // A text as it stands, without a space of its own, behind all others: a closing, a cell of a table.
    void pushText(std::string_view text, TokenTexts::Specials specials, const TokenTexts &texts);
    // -1: nothing waits.
    [[nodiscard]] std::int32_t pop();
    [[nodiscard]] std::size_t size() const noexcept { return m_tokens.size(); }
    // Drops everything that waits, an unfinished word included. Returns the number of tokens.
    std::size_t clear();
    // From now on the next word is as the first of a stream is, or one of many.
    void continueAfter(std::int64_t words_before) noexcept { m_has_words = words_before > 0; }
    [[nodiscard]] const std::string &unfinished() const noexcept { return m_unfinished; }

  private:
    bool take(std::string_view word, const TokenTexts &texts);  // false: full

    std::size_t m_most;
    FirstWord m_first;
    bool m_has_words = false;
    std::deque<std::int32_t> m_tokens;
    std::string m_unfinished;  // a word somebody is still typing
};

}  // namespace braid::streams
