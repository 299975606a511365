// A recorded conversation, given out piece by piece exactly as it was told. Thread: one, the session's. No errors: what was read was checked
// (core/streams/conversation.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/streams/streams_events.h"

namespace braid::streams {

class StreamsPlayback {
  public:
    explicit StreamsPlayback(std::vector<StreamsEvent> events)
        : m_events(std::move(events))
    {
    }

    [[nodiscard]] bool isOver() const noexcept { return m_next == m_events.size(); }
    [[nodiscard]] std::int64_t rows() const noexcept { return m_rows; }  // that stand now
    // Between the newest event and the next row or rewind, as recorded; long pauses are shortened, nobody waits for somebody who had gone.
    [[nodiscard]] std::int64_t pauseBeforeNextMs() const;
    // One row: the events up to and with the next row or rewind, and what was told right after it.
    enum class HowMuch : std::uint8_t { OneRow = 1, All };
    [[nodiscard]] std::vector<StreamsEvent> next(HowMuch how_much);
    // Everything given out so far.
    [[nodiscard]] std::vector<StreamsEvent> played() const { return {m_events.begin(), m_events.begin() + static_cast<std::ptrdiff_t>(m_next)}; }

  private:
    std::vector<StreamsEvent> m_events;
    std::size_t m_next = 0;
    std::int64_t m_rows = 0;
};

}  // namespace braid::streams
