// Words on their way into one stream: typed or pasted here, handed on to the run a little at a time, entered one token a row. A book can
// wait here; the run's own queue is small. Plain logic, no Qt. Thread: the owner's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace braid::ui {

inline constexpr std::size_t kMostTypedBytes = 16u << 20;  // more than any book
inline constexpr std::size_t kMostGivenBytes = 2048;       // on their way through the run's queue at a time

enum class TurnEnd : std::uint8_t { No = 1, Yes };

class TypedWords {
  public:
    // Whole words. Returns how many bytes did not fit and were left out.
    std::size_t add(std::string_view words);
    // The turn is over behind what waits now.
    void endTurn();
    // Drops everything that waits and gives it back, for who wants it again.
    std::string clear();

    // The next piece for the run: whole words, or nothing while enough is on its way; and whether the turn ends behind it.
    struct Piece {
        std::string words;
        TurnEnd end = TurnEnd::No;
    };
    [[nodiscard]] Piece give();
    // A token of this stream has entered, as the run says it (" cat", "ting").
    void entered(std::string_view token);
    // The run says that nothing waits there: what was given is in, whatever it was turned into.
    void allEntered() { m_entered = m_given; }

    [[nodiscard]] bool isEmpty() const noexcept { return m_entered >= m_text.size(); }
    [[nodiscard]] std::size_t bytesWaiting() const noexcept { return m_text.size() - m_entered; }
    // The first words that wait, at most so many; the first may be what is left of one.
    [[nodiscard]] std::vector<std::string> firstWords(std::size_t most) const;
    // All words that wait; counted once and kept up as they enter.
    [[nodiscard]] std::size_t wordsWaiting() const;

  private:
    void forgetEntered();

    std::string m_text;
    std::size_t m_entered = 0;
    std::size_t m_given = 0;
    std::deque<std::size_t> m_turn_ends;  // offsets in m_text
    mutable std::size_t m_counted_from = std::string::npos;
    mutable std::size_t m_counted_to = 0;
    mutable std::size_t m_words = 0;
};

}  // namespace braid::ui
