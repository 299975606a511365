// Words set in lines for a strip that shows the last few of them: a settled word is placed once and stays, whole lines roll, and a tail that gets
// shorter never rolls them back. Plain values; widths in whatever `measure` says. GUI thread.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include <QString>

#include "ui/captions/word_flow.h"

namespace braid::ui {

struct OverlayWord {
    QString text;
    bool joined = false;       // no space before it
    bool begins_line = false;  // of the transcript
    friend bool operator==(const OverlayWord &, const OverlayWord &) = default;
};

struct OverlayLine {
    QString settled;
    QString tail;  // what may still change, with the space before it
    [[nodiscard]] QString text() const { return settled + tail; }
    friend bool operator==(const OverlayLine &, const OverlayLine &) = default;
};

class OverlayLines {
  public:
    using Measure = std::function<double(const QString &)>;

    // Another width or font: forgets all words, for they stand elsewhere now.
    void reshape(double width, Measure measure);
    void clear();
    void append(const std::vector<OverlayWord> &words);
    void setTail(const std::vector<OverlayWord> &words);
    // The newest `count` lines, oldest first; fewer where there are not so many.
    [[nodiscard]] std::vector<OverlayLine> newest(int count);

  private:
    void place(const OverlayWord &word, LinePen &pen, std::vector<QString> &lines) const;

    double m_width = 600;
    double m_space = 6;
    Measure m_measure;
    std::vector<QString> m_lines;  // settled, of the newest kKept
    std::size_t m_dropped = 0;     // lines before those
    LinePen m_pen;
    std::vector<OverlayWord> m_tail;
    std::size_t m_first = 0;  // line that was the top one when it was asked last
};

}  // namespace braid::ui
