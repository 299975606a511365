#include "app/cli/live_screen.h"

#include <algorithm>
#include <utility>

#include "core/text/display_width.h"
#include "core/text/transcript_writer.h"

namespace braid::cli {
namespace {

constexpr std::string_view kUnsettledInk = "\x1b[2;4m";  // dim and underlined: not told apart by brightness alone
constexpr std::string_view kNormalInk = "\x1b[0m";
constexpr std::string_view kEraseBelow = "\r\x1b[J";

// Control characters in a transcript must not steer the terminal.
std::string harmless(std::string text)
{
    std::replace_if(
        text.begin(), text.end(), [](unsigned char character) { return character < 0x20 || character == 0x7F; }, ' ');
    return text;
}

}  // namespace

std::string fitted(const std::string &text, std::size_t columns)
{
    if (text::displayWidth(text) < columns) {
        return text;
    }
    return text.substr(0, text::bytesThatFit(text, columns > 2 ? columns - 2 : 0)) + "\u2026";
}

LiveScreen::LiveScreen(std::function<void(std::string_view)> write)
    : m_write(std::move(write))
{
}

void LiveScreen::commit(std::span<const text::TranscriptItem> items)
{
    for (const auto &item : items) {
        if (const auto *word = std::get_if<text::Word>(&item)) {
            m_settled.push_back({harmless(word->text), word->starts_without_space, true});
        } else {
            endLine();
            if (const auto *gap = std::get_if<text::Gap>(&item)) {
                m_done += harmless(text::gapText(*gap)) + "\r\n";
            }
        }
    }
    // What has just settled stood in the tail a moment ago: the next look brings the tail without it.
    m_tail.clear();
    draw();
}

void LiveScreen::tail(const std::vector<text::Word> &words, std::size_t columns)
{
    std::vector<Piece> tail;
    for (const auto &word : words) {
        tail.push_back({harmless(word.text), word.starts_without_space, false});
    }
    const bool same = std::equal(tail.begin(), tail.end(), m_tail.begin(), m_tail.end(), [](const Piece &a, const Piece &b) { return a.text == b.text; });
    if (!same || columns != m_columns) {
        m_columns = std::max<std::size_t>(20, columns);
        m_tail = std::move(tail);
        draw();
    }
}

void LiveScreen::status(const std::string &line, std::size_t columns)
{
    if (line != m_status) {
        m_columns = std::max<std::size_t>(20, columns);
        m_status = harmless(line);
        draw();
    }
}

void LiveScreen::close()
{
    m_tail.clear();
    m_status.clear();
    endLine();
    draw();
}

void LiveScreen::endLine()
{
    std::size_t column = 0;
    for (const auto &piece : m_settled) {
        const std::size_t space = column == 0 || piece.joins ? 0 : 1;
        const std::size_t width = space + text::displayWidth(piece.text);
        const bool wraps = column > 0 && column + width > m_columns - 1;
        m_done += (wraps ? "\r\n" : space > 0 ? " " : "") + piece.text;
        column = wraps ? width - space : column + width;
    }
    if (!std::exchange(m_settled, {}).empty()) {
        m_done += "\r\n";
    }
}

void LiveScreen::draw()
{
    std::string out;
    if (m_rows_below_top > 0) {
        out += "\x1b[" + std::to_string(m_rows_below_top) + "A";
    }
    out += kEraseBelow;
    out += std::exchange(m_done, {});
    m_rows_below_top = 0;

    // Word by word into rows; a row that is full of settled words is written for the last time.
    std::vector<Piece> pieces = m_settled;
    pieces.insert(pieces.end(), m_tail.begin(), m_tail.end());
    std::size_t column = 0;
    std::size_t settled_in_full_rows = 0;
    std::size_t settled_seen = 0;
    bool inked = false;
    for (const auto &piece : pieces) {
        const std::size_t width = text::displayWidth(piece.text);
        const std::size_t space = column == 0 || piece.joins ? 0 : 1;
        const bool wraps = column > 0 && column + space + width > m_columns - 1;
        if (inked && (wraps || piece.settled)) {
            out += kNormalInk;
            inked = false;
        }
        if (wraps) {
            out += "\r\n";
            column = 0;
            if (settled_seen == m_settled.size() && !piece.settled) {
                ++m_rows_below_top;
            } else {
                settled_in_full_rows = settled_seen;
            }
        } else if (space > 0) {
            out += ' ';
            ++column;
        }
        if (!piece.settled && !inked) {
            out += kUnsettledInk;
            inked = true;
        }
        out += width < m_columns ? piece.text : fitted(piece.text, m_columns);
        column += std::min(width, m_columns - 1);
        settled_seen += piece.settled ? 1 : 0;
    }
    if (inked) {
        out += kNormalInk;
    }
    m_settled.erase(m_settled.begin(), m_settled.begin() + static_cast<std::ptrdiff_t>(settled_in_full_rows));
    if (!m_status.empty()) {
        out += column > 0 ? "\r\n" : "";
        m_rows_below_top += column > 0 ? 1 : 0;
        out += "\x1b[2m" + fitted(m_status, m_columns) + std::string(kNormalInk);
    }
    m_write(out);
}

}  // namespace braid::cli
