// Between a recording device and the session: what a device library must offer (CaptureBackend), and where its callback puts the
// sound (CaptureSink). PortAudio and PulseAudio stand behind it; tests put a device there that can be unplugged.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "core/audio/clock.h"
#include "core/audio/ring.h"

namespace braid::audio {

struct CaptureFormat {
    std::string name;  // "Built-in Audio (ALSA)"
    double rate_hz = 0;
    int channels = 0;
};

// Where the audio callback writes. The callback side neither locks, allocates, logs nor throws.
class CaptureSink {
  public:
    // Room for `seconds` of sound while the pump is busy.
    CaptureSink(const CaptureFormat &format, double seconds, const Clock &clock)
        : m_ring(static_cast<std::size_t>(format.rate_hz * seconds) * static_cast<std::size_t>(format.channels))
        , m_channels(static_cast<std::size_t>(format.channels))
        , m_clock(clock)
    {
    }

    // --- the callback's side ---
    void deliver(const float *interleaved, std::size_t frames) noexcept
    {
        const std::int64_t now = m_clock.now().time_since_epoch().count();
        if (m_frames.load(std::memory_order_relaxed) == 0) {
            m_first_frames.store(frames, std::memory_order_relaxed);
            m_first_delivery.store(now, std::memory_order_relaxed);
        }
        m_ring.write({interleaved, frames * m_channels});
        m_last_delivery.store(now, std::memory_order_relaxed);
        m_frames.fetch_add(frames, std::memory_order_release);
    }
    // The device says that it lost sound before this block.
    void noteOverflow() noexcept { m_overflows.fetch_add(1, std::memory_order_relaxed); }

    // --- the pump's side ---
    [[nodiscard]] SampleRing &ring() noexcept { return m_ring; }
    // Frames the device gave, those that found no room included. The times below are valid once it is not 0.
    [[nodiscard]] std::uint64_t frames() const noexcept { return m_frames.load(std::memory_order_acquire); }
    [[nodiscard]] TimePoint firstDelivery() const noexcept { return asTime(m_first_delivery); }
    [[nodiscard]] std::size_t firstFrames() const noexcept { return m_first_frames.load(std::memory_order_relaxed); }
    [[nodiscard]] TimePoint lastDelivery() const noexcept { return asTime(m_last_delivery); }
    [[nodiscard]] std::uint32_t overflows() const noexcept { return m_overflows.load(std::memory_order_relaxed); }

  private:
    [[nodiscard]] static TimePoint asTime(const std::atomic<std::int64_t> &count) noexcept
    {
        return TimePoint(TimePoint::duration(count.load(std::memory_order_relaxed)));
    }

    SampleRing m_ring;
    std::size_t m_channels;
    const Clock &m_clock;
    std::atomic<std::uint64_t> m_frames{0};
    std::atomic<std::size_t> m_first_frames{0};
    std::atomic<std::int64_t> m_first_delivery{0};
    std::atomic<std::int64_t> m_last_delivery{0};
    std::atomic<std::uint32_t> m_overflows{0};
};

enum class CaptureHealth {
    Alive = 1,
    Lost,  // stopped, unplugged, server gone: close and open again
};

enum class SilencePolicy {
    MeansLost = 1,      // a microphone always gives sound: none for a while means that it is gone
    MeansNothingPlays,  // a monitor may rest while nothing plays
};

// One device, chosen by name. Thread: one (the pump's); the sound comes on a thread of the library's own.
class CaptureBackend {
  public:
    virtual ~CaptureBackend() = default;
    // Looks for the device among those present now and prepares it. Throws Error(Device). After close() it may be opened again.
    [[nodiscard]] virtual CaptureFormat open() = 0;
    // The sound begins to come; `sink` outlives the recording. Throws Error(Device).
    virtual void start(CaptureSink &sink) = 0;
    // Afterwards nothing comes any more. Idempotent.
    virtual void close() = 0;
    [[nodiscard]] virtual CaptureHealth health() = 0;
    [[nodiscard]] virtual SilencePolicy silencePolicy() const = 0;
    // For sentences: "The microphone", "The system sound".
    [[nodiscard]] virtual std::string noun() const = 0;
};

}  // namespace braid::audio
