#include "core/streams/streams_playback.h"

#include <algorithm>

namespace braid::streams {

namespace {

constexpr std::int64_t kLongestPauseMs = 2000;

bool movesRows(const StreamsEvent &event)
{
    return event.type == StreamsEventType::Row || event.type == StreamsEventType::Rewound;
}

}  // namespace

std::int64_t StreamsPlayback::pauseBeforeNextMs() const
{
    std::size_t mover = m_next;
    while (mover < m_events.size() && !movesRows(m_events[mover])) {
        ++mover;
    }
    if (m_next == 0 || mover == m_events.size()) {
        return 0;
    }
    return std::clamp<std::int64_t>(m_events[mover].time_ms - m_events[m_next - 1].time_ms, 0, kLongestPauseMs);
}

std::vector<StreamsEvent> StreamsPlayback::next(HowMuch how_much)
{
    std::vector<StreamsEvent> told;
    bool has_moved = false;
    while (!isOver()) {
        const StreamsEvent &event = m_events[m_next];
        if (movesRows(event)) {
            if (has_moved && how_much == HowMuch::OneRow) {
                break;
            }
            has_moved = true;
            m_rows = event.row + 1;
        }
        told.push_back(event);
        ++m_next;
    }
    return told;
}

}  // namespace braid::streams
