// What this program plays itself is not captioned: whoever plays says so here, and a capture of the system's sound leaves that time out, as a
// gap with its reason. (A monitor hears all programs together; one of them cannot be taken out of it.)
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>

#include "core/audio/clock.h"
#include "core/audio/source.h"

namespace braid::audio {

// Thread: any.
class OwnPlayback {
  public:
    // `tail`: how long a loudspeaker's buffers may go on after the last sample was handed over. `clock`: null for the real one; else it outlives this.
    explicit OwnPlayback(std::chrono::milliseconds tail = std::chrono::milliseconds(600), const Clock *clock = nullptr)
        : m_tail(tail)
        , m_clock(clock != nullptr ? clock : &m_real_clock)
    {
    }
    void begin() noexcept { m_plays = true; }
    void end() noexcept
    {
        m_ended = m_clock->now().time_since_epoch().count();
        m_plays = false;
    }
    [[nodiscard]] bool isAudible() const noexcept
    {
        return m_plays || (m_ended != kNever && m_clock->now() - TimePoint(TimePoint::duration(m_ended.load())) < m_tail);
    }

  private:
    static constexpr std::int64_t kNever = INT64_MIN;
    std::chrono::milliseconds m_tail;
    Clock m_real_clock;
    const Clock *m_clock;
    std::atomic<bool> m_plays{false};
    std::atomic<std::int64_t> m_ended{kNever};
};

// `source` with gaps where `playback` was audible. Thread: as Source.
[[nodiscard]] std::unique_ptr<Source> withoutOwnPlayback(std::unique_ptr<Source> source, std::shared_ptr<const OwnPlayback> playback);

}  // namespace braid::audio
