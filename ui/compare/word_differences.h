// Which settled words two transcripts of the same sound have differently, kept up as both grow. Case and punctuation do not count.
// What is aligned with certainty is not looked at again, so that hours cost no more a word than minutes. GUI thread; plain values.
#pragma once

#include <string>
#include <vector>

#include "ui/state/transcript_model.h"

namespace braid::ui {

enum class ComparisonState : std::uint8_t { Growing = 1, Over };

class WordDifferences {
  public:
    // Growing: words behind the last common one are not told apart yet, for one side may only be late.
    void update(const TranscriptModel &left, const TranscriptModel &right, ComparisonState state);
    void clear();
    // By settled word: true where the other side has something else, or nothing.
    [[nodiscard]] const std::vector<bool> &left() const noexcept { return m_left.differs; }
    [[nodiscard]] const std::vector<bool> &right() const noexcept { return m_right.differs; }
    // Places where the two differ: a run of differing words, on one side or both, is one place.
    [[nodiscard]] int places() const noexcept { return m_sure_places + m_open_places; }

  private:
    struct Side {
        std::vector<std::string> words;  // as they are compared
        std::vector<bool> differs;
        std::size_t sure = 0;  // words before this one are aligned for good
    };
    static void read(const TranscriptModel &model, Side &side);

    Side m_left;
    Side m_right;
    int m_sure_places = 0;
    int m_open_places = 0;
};

}  // namespace braid::ui
