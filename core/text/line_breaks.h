// Where captions begin a new line: at a sentence's end, at a pause, or at both, as a person has set it. The one rule for a live run and for a whole
// file. A line is never begun between words that touch. Plain values; thread: one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/base/sample_clock.h"
#include "core/text/transcript.h"

namespace braid::text {

enum class LineEnds : std::uint8_t { AtPauses = 1, AtSentences, AtBoth };

struct LineRule {
    LineEnds ends = LineEnds::AtBoth;
    Sample pause_samples = samplesFromMs(700);  // between two words; a longer one ends the line
    std::size_t sentence_characters = 80;       // a sentence's end in the midst of speech ends a line of at least so many
    std::size_t long_line_characters = 240;     // such a line ends at a third of the pause, too

    [[nodiscard]] bool breaksAtPauses() const noexcept { return ends != LineEnds::AtSentences; }
    [[nodiscard]] bool breaksAtSentences() const noexcept { return ends != LineEnds::AtPauses; }
};

class LineBreaker {
  public:
    explicit LineBreaker(LineRule rule = {})
        : m_rule(rule)
    {
    }

    // Whether a line ends between what stands in it and `next`.
    [[nodiscard]] bool breaksBefore(const Word &next) const;
    void add(const Word &word);
    // The line was ended, for whatever reason.
    void newLine();

    [[nodiscard]] const LineRule &rule() const noexcept { return m_rule; }
    [[nodiscard]] bool isEmpty() const noexcept { return m_characters == 0; }
    // Where the speaker stops here for certain: the line has ended with its sentence.
    [[nodiscard]] bool endsWithSentence() const;
    // Where the newest word ends.
    [[nodiscard]] Sample end() const noexcept { return m_end; }

  private:
    LineRule m_rule;
    std::size_t m_characters = 0;
    std::string m_last;
    Sample m_end = 0;
};

}  // namespace braid::text
