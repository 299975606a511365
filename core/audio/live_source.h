// A recording device as a source that survives the device: it notices a loss, reports it, marks the gap and takes the device up again
// when it returns. Session time stays true to the wall clock all the while.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "core/audio/capture.h"
#include "core/audio/resampler.h"
#include "core/audio/source.h"

namespace braid::audio {

struct LiveSourceOptions {
    std::chrono::milliseconds stall{1500};       // no sound for so long: see SilencePolicy
    std::chrono::milliseconds opening{5000};     // the same for a device just opened: some (Bluetooth) take their time
    std::chrono::milliseconds first_retry{500};  // pause before the first attempt to reopen; doubles with each failure
    std::chrono::milliseconds longest_retry{4000};
    double ring_seconds = 8;  // how long the pump may be busy elsewhere
};

// Thread: as Source. read() polls (every few milliseconds) since the callback may not wake anybody; opening a returned device may hold
// one read() up for as long as the device library takes.
class LiveSource final : public Source {
  public:
    // Opens the device, so that what is wrong with it is said before a run begins. Throws Error(Device).
    // `clock`: null for the real one; else it must outlive the source.
    LiveSource(std::unique_ptr<CaptureBackend> backend, LiveSourceOptions options, Clock *clock = nullptr);
    ~LiveSource() override;
    LiveSource(const LiveSource &) = delete;
    LiveSource &operator=(const LiveSource &) = delete;

    void start() override;
    [[nodiscard]] ReadResult read(std::span<float> sound, std::chrono::milliseconds timeout) override;
    void stop() override { m_stopped = true; }
    [[nodiscard]] SourceDescription description() const override;

  private:
    enum class Phase { Opened = 1, Recording, Draining, Lost, Over };

    void beginRecording();
    // Moves everything the ring has into m_ready, and a loss after it into m_gap_samples. True: there is something to give.
    bool takeFromRing();
    void checkHealth();
    void accountOverflow();
    // Stops the device; what it gave before is still read, then the phase becomes `next`.
    void drainInto(Phase next);
    void finishDraining();
    void tryToReopen();
    [[nodiscard]] std::optional<ReadResult> giveReady(std::span<float> sound);
    // Session time that passed since m_accounted_until without sound.
    void addGapUntil(TimePoint until);

    std::unique_ptr<CaptureBackend> m_backend;
    LiveSourceOptions m_options;
    Clock m_real_clock;
    Clock *m_clock;
    CaptureFormat m_format;
    std::unique_ptr<CaptureSink> m_sink;
    std::optional<Resampler> m_resampler;
    Phase m_phase = Phase::Opened;
    Phase m_after_draining = Phase::Over;

    std::vector<float> m_raw;  // out of the ring
    std::vector<float> m_mono;
    std::vector<float> m_ready;  // 16 kHz, from m_taken on not yet given
    std::size_t m_taken = 0;
    Sample m_gap_samples = 0;    // comes after m_ready
    double m_gap_remainder = 0;  // of a sample
    std::string m_notice;

    TimePoint m_accounted_until{};  // session time is complete up to here; valid while no sound comes (the session begins with the first sound)
    TimePoint m_recording_began{};
    bool m_resuming = false;  // the next sound follows a gap
    std::uint32_t m_overflows_seen = 0;
    std::int64_t m_overflow_frames = 0;  // of this recording, already given as a gap
    TimePoint m_overflow_told{};
    TimePoint m_retry_at{};
    std::chrono::milliseconds m_retry_pause{0};
    std::atomic<bool> m_stopped{false};
};

}  // namespace braid::audio
