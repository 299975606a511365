// The newest snapshot of a run of captions: what pump and worker last said, put together. Thread: any, as Latest.
#pragma once

#include <chrono>
#include <deque>
#include <memory>
#include <string>

#include "core/audio/source.h"
#include "core/captions/caption_events.h"
#include "core/captions/caption_session.h"
#include "core/runtime/latest.h"

namespace braid::captions {

class CaptionBoard : public runtime::Latest<CaptionSnapshot> {
  public:
    using runtime::Latest<CaptionSnapshot>::Latest;

    // --- pump
    void soundOpened(audio::Pace pace);
    void soundHeard(Sample heard, float peak, float rms, VoiceState voice);
    void soundEnded();

    // --- worker
    void session(const SessionStatistics &statistics, Sample step_samples);
    // Everything of `update` but what is committed, which is an event.
    void update(const SessionUpdate &update);
    void policy(std::string name);
    // Nothing may change any more.
    void clearTail();

    // --- any
    // Sees for itself when a device has gone silent.
    [[nodiscard]] std::shared_ptr<const CaptionSnapshot> look();

  private:
    using Time = std::chrono::steady_clock::time_point;
    void countLags(Statistics &out) const;

    // All used inside change() and look() alone, which guard them.
    audio::Pace m_pace = audio::Pace::Live;
    VoiceState m_heard_voice = VoiceState::NoSound;
    Time m_last_sound;
    SessionStatistics m_session;
    Sample m_step_samples = 0;
    Sample m_lag_after_step = 0;
    std::deque<runtime::StepTiming> m_steps;
    std::deque<Revision> m_revisions;
};

}  // namespace braid::captions
