// The latest-wins outlet of a run of captions: one snapshot (design: "Threads"). The lossless one is event_queue.h.
// Thread: any. One mutex, held only to swap or copy small things, never while computing.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/audio/source.h"
#include "core/engine/caption_events.h"
#include "core/sessions/caption_session.h"

namespace braid::engine {

// What pump and worker last said about a run, put together when somebody looks.
class SnapshotBoard {
  public:
    explicit SnapshotBoard(std::uint64_t generation);

    // --- pump
    void soundOpened(audio::Pace pace);
    void soundHeard(Sample heard, float peak, float rms, VoiceState voice);
    void soundEnded();

    // --- worker
    void state(RunState state, std::string activity, double loading_fraction = 0);
    void loading(std::string activity, double fraction);
    void session(const sessions::SessionStatistics &statistics, Sample step_samples);
    // Everything of `update` but what is committed, which is an event.
    void update(const sessions::SessionUpdate &update);
    void policy(std::string name);

    // --- any
    [[nodiscard]] std::shared_ptr<const CaptionSnapshot> look();

  private:
    using Time = std::chrono::steady_clock::time_point;
    void countLags();
    [[nodiscard]] VoiceState voiceNow(Time now) const;

    std::mutex m_mutex;
    CaptionSnapshot m_now;
    audio::Pace m_pace = audio::Pace::Live;
    VoiceState m_heard_voice = VoiceState::NoSound;
    Time m_last_sound;
    sessions::SessionStatistics m_session;
    Sample m_step_samples = 0;
    Sample m_lag_after_step = 0;
    std::deque<sessions::StepTiming> m_steps;
    std::deque<sessions::Revision> m_revisions;
    std::shared_ptr<const CaptionSnapshot> m_given;  // null when out of date
};

}  // namespace braid::engine
