// Captions in a terminal: settled words in normal ink, the unsettled tail dimmed and underlined after them, a status line below; all
// of it but full settled rows is rewritten in place. Knows widths and UTF-8, not where the terminal is. Thread: one.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/transcript.h"

namespace braid::cli {

// `text` cut to `columns`, with an ellipsis where something is missing.
[[nodiscard]] std::string fitted(const std::string &text, std::size_t columns);

class LiveScreen {
  public:
    // `write` gets text with control sequences, one whole redraw at a time. Throws what `write` throws.
    explicit LiveScreen(std::function<void(std::string_view)> write);

    void commit(std::span<const text::TranscriptItem> items);
    void tail(const std::vector<text::Word> &words, std::size_t columns);
    void status(const std::string &line, std::size_t columns);
    // Leaves the settled text, takes the rest away, ends the line. What is committed later starts anew.
    void close();

  private:
    struct Piece {
        std::string text;
        bool joins = false;  // no space before it
        bool settled = false;
    };
    void draw();
    void endLine();

    std::function<void(std::string_view)> m_write;
    std::size_t m_columns = 80;
    std::string m_done;            // full rows and closed lines, to be written once
    std::vector<Piece> m_settled;  // words of the present row
    std::vector<Piece> m_tail;
    std::string m_status;
    std::size_t m_rows_below_top = 0;  // rows between where drawing began and where the cursor is now
};

}  // namespace braid::cli
