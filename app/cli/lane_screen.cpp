#include "app/cli/lane_screen.h"

#include <algorithm>
#include <cstdio>

#include "app/cli/live_screen.h"
#include "core/text/display_width.h"
#include "core/text/utf8.h"

namespace braid::cli {
namespace {

constexpr std::size_t kNumberWidth = 6;
constexpr std::size_t kWidestLane = 16;
constexpr std::size_t kNarrowestLane = 4;
constexpr std::string_view kSilent = "\u00B7";
constexpr std::string_view kEraseBelow = "\x1b[1A\r\x1b[J";  // from the typing line, the second below the lanes

// 256-colour codes next to the lanes' own (look.md).
int colourCode(streams::LaneColour colour)
{
    switch (colour) {
    case streams::LaneColour::Blue:
        return 32;
    case streams::LaneColour::Orange:
        return 214;
    case streams::LaneColour::Green:
        return 36;
    case streams::LaneColour::Pink:
        return 175;
    case streams::LaneColour::Sky:
        return 74;
    case streams::LaneColour::Vermilion:
        return 166;
    case streams::LaneColour::Yellow:
        return 226;
    case streams::LaneColour::Grey:
        break;
    }
    return 245;
}

// What a token adds, without what would steer the terminal; its leading space is the column's.
std::string shown(const std::string &text)
{
    std::string clean = text::toValidUtf8(text.starts_with(' ') ? text.substr(1) : text);
    std::replace_if(
        clean.begin(), clean.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; }, ' ');
    return clean;
}

std::string padded(std::string text, std::size_t width)
{
    text = fitted(text, width);
    const std::size_t used = text::displayWidth(text);
    return text + std::string(width > used ? width - used : 0, ' ');
}

}  // namespace

LaneScreen::LaneScreen(streams::Layout layout, std::function<void(std::string_view)> write, Ink ink)
    : m_layout(std::move(layout))
    , m_write(std::move(write))
    , m_ink(ink)
{
}

std::size_t LaneScreen::laneWidth(std::size_t columns) const
{
    const std::size_t room = columns > kNumberWidth + 1 ? columns - kNumberWidth - 1 : 0;
    return std::clamp(room / std::max<std::size_t>(m_layout.size(), 1), kNarrowestLane, kWidestLane);
}

void LaneScreen::line(const std::string &text)
{
    m_write((m_has_below ? std::string(kEraseBelow) : std::string()) + text + "\n");
    m_has_below = false;
}

void LaneScreen::heading(std::size_t columns)
{
    std::string text(kNumberWidth, ' ');
    for (const streams::Stream &stream : m_layout.streams) {
        const std::string name = padded(shown(stream.label.empty() ? stream.name : stream.label), laneWidth(columns));
        text += m_ink == Ink::Coloured ? "\x1b[1;38;5;" + std::to_string(colourCode(stream.colour)) + "m" + name + "\x1b[0m" : name;
    }
    line(text);
}

std::string LaneScreen::rowLine(const streams::StreamsEvent &event, std::size_t columns) const
{
    char number[24];
    std::snprintf(number, sizeof number, "%*lld ", static_cast<int>(kNumberWidth - 1), static_cast<long long>(event.row));
    std::string text = m_ink == Ink::Coloured ? "\x1b[2m" + std::string(number) + "\x1b[0m" : number;
    for (std::size_t i = 0; i < event.cells.size() && i < m_layout.size(); ++i) {
        const streams::Cell &cell = event.cells[i];
        const std::string word = padded(cell.isSilent() ? std::string(kSilent) : shown(cell.text), laneWidth(columns));
        if (m_ink == Ink::Plain) {
            text += word;
        } else if (cell.isSilent()) {
            text += "\x1b[2m" + word + "\x1b[0m";
        } else {
            text += "\x1b[38;5;" + std::to_string(colourCode(m_layout.streams[i].colour)) + "m" + word + "\x1b[0m";
        }
    }
    while (text.ends_with(' ')) {
        text.pop_back();
    }
    return text;
}

void LaneScreen::event(const streams::StreamsEvent &event, std::size_t columns)
{
    switch (event.type) {
    case streams::StreamsEventType::Row: {
        const bool silent = std::all_of(event.cells.begin(), event.cells.end(), [](const streams::Cell &cell) { return cell.isSilent(); });
        if (!silent || !m_was_silent) {
            line(rowLine(event, columns));
        }
        m_was_silent = silent;
        break;
    }
    case streams::StreamsEventType::Rewound:
        line(event.row < 0 ? "back to the beginning" : "back to row " + std::to_string(event.row));
        break;
    case streams::StreamsEventType::Notice:
        line(shown(event.text));
        break;
    case streams::StreamsEventType::RunEnded:
        line("the end");
        break;
    case streams::StreamsEventType::TurnEnded:
    case streams::StreamsEventType::StreamEnded:
        break;
    }
}

void LaneScreen::below(const std::string &status, const std::string &typing, std::size_t columns)
{
    if (m_ink == Ink::Plain) {
        return;
    }
    std::string text(m_has_below ? kEraseBelow : "");
    m_has_below = !status.empty() || !typing.empty();
    if (m_has_below) {
        text += "\x1b[2m" + fitted(shown(status), columns) + "\x1b[0m\r\n" + fitted("> " + typing, columns);
    }
    m_write(text);
}

}  // namespace braid::cli
