// Words set one behind the other in lines of one width: where each goes depends only on those before it. Plain numbers.
#pragma once

namespace braid::ui {

// Closing punctuation that comes as a piece of its own may hang into the margin, by so much of the size of the letters: better than beginning a
// line with it.
inline constexpr double kHangingEm = 0.6;

struct LineWidths {
    double line = 600;
    double space = 6;
    double hanging = 0;
};

struct LinePen {  // where the next word would go
    double left = 0;
    bool fresh = true;  // nothing in this paragraph yet
};

struct FlowedWord {
    double left = 0;
    bool new_line = false;
};

// `joined`: no space before the word.
[[nodiscard]] inline FlowedWord flowWord(LinePen &pen, double width, bool joined, const LineWidths &widths)
{
    const double left = pen.fresh ? 0 : pen.left + (joined ? 0 : widths.space);
    const bool new_line = pen.fresh || left + width > widths.line + (joined ? widths.hanging : 0);
    pen.fresh = false;
    pen.left = new_line ? width : left + width;
    return {new_line ? 0 : left, new_line};
}

}  // namespace braid::ui
