// Lanes in a terminal: a column for each stream, a line for each row, time going down; below them a line of status and one for typing, rewritten in
// place. Knows widths and UTF-8, not where the terminal is. Thread: one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "core/streams/layout.h"
#include "core/streams/streams_events.h"

namespace braid::cli {

enum class Ink : std::uint8_t { Plain = 1, Coloured };

class LaneScreen {
  public:
    // `write` gets text, with control sequences only where it is Coloured. Throws what `write` throws.
    LaneScreen(streams::Layout layout, std::function<void(std::string_view)> write, Ink ink);

    void heading(std::size_t columns);
    // Rows, rewinds, ends and notices become lines; silent rows behind a silent one do not.
    void event(const streams::StreamsEvent &event, std::size_t columns);
    // Coloured only: what stands below the lanes; empty takes it away.
    void below(const std::string &status, const std::string &typing, std::size_t columns);

  private:
    [[nodiscard]] std::size_t laneWidth(std::size_t columns) const;
    [[nodiscard]] std::string rowLine(const streams::StreamsEvent &event, std::size_t columns) const;
    void line(const std::string &text);

    streams::Layout m_layout;
    std::function<void(std::string_view)> m_write;
    Ink m_ink;
    bool m_was_silent = false;
    bool m_has_below = false;
};

}  // namespace braid::cli
