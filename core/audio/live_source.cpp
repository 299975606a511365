#include "core/audio/live_source.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/error.h"
#include "core/base/log.h"

namespace braid::audio {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kPoll{5};
constexpr milliseconds kQuietStep{100};        // how often session time moves on while a monitor rests
constexpr milliseconds kOverflowPause{10000};  // between two notices of the same kind
constexpr double kSmallestLossSeconds = 0.1;   // less is the jitter of the callback's times
constexpr std::size_t kRawPiece = 1u << 16;

double secondsBetween(TimePoint from, TimePoint to)
{
    return std::chrono::duration<double>(to - from).count();
}

TimePoint after(TimePoint from, double seconds)
{
    return from + std::chrono::duration_cast<TimePoint::duration>(std::chrono::duration<double>(seconds));
}

}  // namespace

LiveSource::LiveSource(std::unique_ptr<CaptureBackend> backend, LiveSourceOptions options, Clock *clock)
    : m_backend(std::move(backend))
    , m_options(options)
    , m_clock(clock != nullptr ? clock : &m_real_clock)
    , m_format(m_backend->open())
{
    m_resampler.emplace(m_format.rate_hz);
    m_raw.resize(kRawPiece / static_cast<std::size_t>(m_format.channels) * static_cast<std::size_t>(m_format.channels));
}

LiveSource::~LiveSource()
{
    m_backend->close();  // before the sink goes
}

void LiveSource::start()
{
    m_accounted_until = m_clock->now();
    beginRecording();
}

void LiveSource::beginRecording()
{
    m_sink = std::make_unique<CaptureSink>(m_format, m_options.ring_seconds, *m_clock);
    m_overflows_seen = 0;
    m_overflow_frames = 0;
    m_backend->start(*m_sink);
    m_recording_began = m_clock->now();
    m_phase = Phase::Recording;
}

SourceDescription LiveSource::description() const
{
    return {m_format.name,
            std::to_string(std::lround(m_format.rate_hz)) + " Hz, " + std::to_string(m_format.channels) + (m_format.channels == 1 ? " channel" : " channels"),
            Pace::Live, 0};
}

ReadResult LiveSource::read(std::span<float> sound, milliseconds timeout)
{
    const TimePoint deadline = m_clock->now() + timeout;
    while (true) {
        if (auto result = giveReady(sound)) {
            return *result;
        }
        switch (m_phase) {
        case Phase::Recording:
            if (m_stopped) {
                drainInto(Phase::Over);
                continue;
            }
            if (takeFromRing()) {
                continue;
            }
            checkHealth();
            break;
        case Phase::Draining:
            if (!takeFromRing()) {
                finishDraining();
            }
            continue;
        case Phase::Lost:
            if (m_stopped) {
                m_phase = Phase::Over;
                continue;
            }
            if (m_clock->now() >= m_retry_at) {
                tryToReopen();
            }
            break;
        case Phase::Opened:
        case Phase::Over:
            return {ReadState::End, 0, 0, std::exchange(m_notice, {})};
        }
        const TimePoint now = m_clock->now();
        if (now >= deadline && m_phase == Phase::Lost) {
            addGapUntil(now);
        }
        if (m_gap_samples > 0 || !m_ready.empty() || m_phase == Phase::Draining) {
            continue;
        }
        if (now >= deadline || !m_notice.empty()) {
            return {ReadState::Nothing, 0, 0, std::exchange(m_notice, {})};
        }
        m_clock->sleepFor(std::min<std::chrono::nanoseconds>(kPoll, deadline - now));
    }
}

std::optional<ReadResult> LiveSource::giveReady(std::span<float> sound)
{
    if (m_taken < m_ready.size()) {
        const std::size_t count = std::min(sound.size(), m_ready.size() - m_taken);
        std::copy_n(m_ready.begin() + static_cast<std::ptrdiff_t>(m_taken), count, sound.begin());
        m_taken += count;
        // A notice that goes with a gap waits for it.
        return ReadResult{ReadState::Sound, count, 0, m_gap_samples == 0 ? std::exchange(m_notice, {}) : std::string()};
    }
    m_ready.clear();
    m_taken = 0;
    if (m_gap_samples > 0) {
        return ReadResult{ReadState::Gap, 0, std::exchange(m_gap_samples, 0), std::exchange(m_notice, {})};
    }
    return {};
}

bool LiveSource::takeFromRing()
{
    SampleRing &ring = m_sink->ring();
    if (ring.available() > 0) {
        if (m_resuming) {
            // What lies in the ring began its own length before the newest of it was handed over.
            m_resuming = false;
            addGapUntil(after(m_sink->lastDelivery(), -static_cast<double>(ring.available()) / m_format.channels / m_format.rate_hz));
            return true;
        }
        const std::size_t count = ring.read(m_raw);
        m_mono.clear();
        appendDownmixed(std::span(m_raw).first(count), m_format.channels, m_mono);
        m_resampler->push(m_mono, m_ready);
        return true;
    }
    if (const std::size_t dropped = ring.takeDropped(); dropped > 0) {
        const double seconds = static_cast<double>(dropped) / m_format.channels / m_format.rate_hz;
        m_resampler->flush(m_ready);
        m_gap_remainder += seconds * kSampleRateHz;
        m_gap_samples += static_cast<Sample>(m_gap_remainder);
        m_gap_remainder -= std::floor(m_gap_remainder);
        m_notice = "The computer was too busy to take all of the sound; " + std::to_string(std::max(std::lround(seconds), 1L)) + " s of it are missing.";
        return true;
    }
    return false;
}

void LiveSource::checkHealth()
{
    accountOverflow();
    if (m_gap_samples > 0) {
        return;
    }
    const TimePoint now = m_clock->now();
    const bool any = m_sink->frames() > 0;
    const TimePoint last = any ? m_sink->lastDelivery() : m_recording_began;
    const bool rests = m_backend->silencePolicy() == SilencePolicy::MeansNothingPlays;
    const bool silent = now - last > (any || rests ? m_options.stall : m_options.opening);
    if (m_backend->health() == CaptureHealth::Lost || (silent && !rests)) {
        drainInto(Phase::Lost);
        return;
    }
    if (silent && (!m_resuming || now - m_accounted_until >= kQuietStep)) {
        // A monitor at rest: time goes on without sound, and what comes next follows a gap.
        if (!m_resuming && any) {
            m_resampler->flush(m_ready);
            m_accounted_until = last;
        }
        m_resuming = true;
        addGapUntil(now);
    }
}

void LiveSource::accountOverflow()
{
    const std::uint32_t overflows = m_sink->overflows();
    if (overflows == m_overflows_seen || m_sink->frames() == 0) {
        return;
    }
    m_overflows_seen = overflows;
    // The device does not say how much it lost; the clock does.
    const double passed = secondsBetween(m_sink->firstDelivery(), m_sink->lastDelivery());
    const double given = static_cast<double>(static_cast<std::int64_t>(m_sink->frames() - m_sink->firstFrames()) + m_overflow_frames) / m_format.rate_hz;
    const double lost = passed - given;
    if (lost < kSmallestLossSeconds) {
        return;
    }
    m_overflow_frames += std::llround(lost * m_format.rate_hz);
    m_resampler->flush(m_ready);
    m_gap_samples += samplesFromSeconds(lost);
    const TimePoint now = m_clock->now();
    if (m_overflow_told == TimePoint{} || now - m_overflow_told > kOverflowPause) {
        m_overflow_told = now;
        m_notice = m_backend->noun() + " skipped some of the sound; the computer may be too busy.";
    }
}

void LiveSource::drainInto(Phase next)
{
    m_backend->close();
    m_phase = Phase::Draining;
    m_after_draining = next;
}

void LiveSource::finishDraining()
{
    m_resampler->flush(m_ready);
    m_phase = m_after_draining;
    if (m_phase != Phase::Lost) {
        return;
    }
    if (m_sink->frames() > 0 && !m_resuming) {
        m_accounted_until = m_sink->lastDelivery();
    }
    m_retry_pause = m_options.first_retry;
    m_retry_at = m_clock->now() + m_retry_pause;
    m_notice = m_backend->noun() + " \"" + m_format.name + "\" was lost; waiting for it.";
    spdlog::info("{}", m_notice);
    addGapUntil(m_clock->now());
}

void LiveSource::tryToReopen()
{
    try {
        m_format = m_backend->open();
        m_resampler.emplace(m_format.rate_hz);
        m_raw.resize(kRawPiece / static_cast<std::size_t>(m_format.channels) * static_cast<std::size_t>(m_format.channels));
        m_resuming = true;
        addGapUntil(m_clock->now());
        beginRecording();
        m_notice = m_backend->noun() + " \"" + m_format.name + "\" is back.";
        spdlog::info("{}", m_notice);
    } catch (const Error &error) {
        spdlog::debug("not back yet: {}", error.what());
        m_backend->close();
        m_phase = Phase::Lost;
        m_retry_pause = std::min(m_retry_pause * 2, m_options.longest_retry);
        m_retry_at = m_clock->now() + m_retry_pause;
    }
}

void LiveSource::addGapUntil(TimePoint until)
{
    if (until <= m_accounted_until) {
        return;
    }
    m_gap_remainder += secondsBetween(m_accounted_until, until) * kSampleRateHz;
    m_gap_samples += static_cast<Sample>(m_gap_remainder);
    m_gap_remainder -= std::floor(m_gap_remainder);
    m_accounted_until = until;
}

}  // namespace braid::audio
