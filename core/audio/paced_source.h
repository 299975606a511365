// Plays a fast source at its own speed: a file as if it were spoken now.
#pragma once

#include <atomic>
#include <memory>

#include "core/audio/clock.h"
#include "core/audio/source.h"

namespace braid::audio {

// Gives sound no earlier than the steady clock says, in pieces of at most 100 ms; a reader that comes late gets what is due at once,
// piece after piece. Gaps take their time too. Thread: as Source.
class PacedSource final : public Source {
  public:
    // `clock`: null for the real one; else it must outlive the source.
    explicit PacedSource(std::unique_ptr<Source> inner, Clock *clock = nullptr);

    void start() override;
    [[nodiscard]] ReadResult read(std::span<float> sound, std::chrono::milliseconds timeout) override;
    void stop() override;
    [[nodiscard]] SourceDescription description() const override;

  private:
    [[nodiscard]] Sample dueSamples() const;
    void waitForDue(Sample samples, TimePoint deadline);

    std::unique_ptr<Source> m_inner;
    Clock m_real_clock;
    Clock *m_clock;
    TimePoint m_began{};
    Sample m_delivered = 0;
    Sample m_gap_left = 0;  // of a gap the inner source reported whole
    std::atomic<bool> m_stopped{false};
};

}  // namespace braid::audio
