// One stream's words as running text, for large type: cells joined into words, a new line for each turn of the user. Kept up to date
// with the lanes; a rewind takes its words back. GUI thread; the lanes outlive it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <QObject>

#include "ui/state/transcript_model.h"
#include "ui/streams/lanes_model.h"

namespace braid::ui {

class AnswerText : public QObject {
    Q_OBJECT
  public:
    explicit AnswerText(const LanesModel &lanes, QObject *parent = nullptr);

    [[nodiscard]] TranscriptModel &transcript() noexcept { return m_transcript; }
    [[nodiscard]] int stream() const noexcept { return m_stream; }
    // Another stream in large type.
    void setStream(int stream);
    // The row of a settled word's first cell; -1 where there is none.
    [[nodiscard]] std::int64_t rowOf(int word) const;
    // Nothing more is coming for now: the last word is whole.
    void settle();

  private:
    void onReset();
    void onRows(std::int64_t first_row);
    void rebuild();
    void endWord();
    void showTail();

    const LanesModel &m_lanes;
    TranscriptModel m_transcript;
    int m_stream = -1;
    std::string m_layout;          // whose stream it is
    text::Word m_word;             // being said
    std::int64_t m_word_row = -1;  // -1: none is
    std::vector<std::int64_t> m_rows;
    std::size_t m_turns = 0;  // ends of turns that were counted
    std::int64_t m_silent_rows = 0;
    bool m_turn_is_over = false;
};

// The stream that people read: "Answer" or "Output" by name, else the first that speaks; -1 where nobody does.
[[nodiscard]] int answerStream(const streams::Layout &layout);

}  // namespace braid::ui
