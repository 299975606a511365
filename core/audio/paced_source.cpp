#include "core/audio/paced_source.h"

#include <algorithm>
#include <utility>

namespace braid::audio {
namespace {

constexpr Sample kLargestPiece = samplesFromMs(100);
constexpr Sample kSmallestPiece = samplesFromMs(20);  // worth waking up for
constexpr std::chrono::milliseconds kStopLatency{20};

}  // namespace

PacedSource::PacedSource(std::unique_ptr<Source> inner, Clock *clock)
    : m_inner(std::move(inner))
    , m_clock(clock != nullptr ? clock : &m_real_clock)
{
}

void PacedSource::start()
{
    m_inner->start();
    m_began = m_clock->now();
}

ReadResult PacedSource::read(std::span<float> sound, std::chrono::milliseconds timeout)
{
    const TimePoint deadline = m_clock->now() + timeout;
    waitForDue(kSmallestPiece, deadline);
    if (m_stopped) {
        return m_inner->read(sound, timeout);  // its End
    }
    const Sample due = std::min(dueSamples(), kLargestPiece);
    if (due < kSmallestPiece) {
        return {};
    }
    if (m_gap_left == 0) {
        const auto room = std::min(sound.size(), static_cast<std::size_t>(due));
        const auto left = std::max(std::chrono::duration_cast<std::chrono::milliseconds>(deadline - m_clock->now()), std::chrono::milliseconds(0));
        ReadResult result = m_inner->read(sound.first(room), left);
        if (result.state != ReadState::Gap) {
            m_delivered += static_cast<Sample>(result.samples);
            return result;
        }
        m_gap_left = std::exchange(result.gap_samples, std::min(result.gap_samples, due));
        m_gap_left -= result.gap_samples;
        m_delivered += result.gap_samples;
        return result;
    }
    const Sample piece = std::min(m_gap_left, due);
    m_gap_left -= piece;
    m_delivered += piece;
    return {ReadState::Gap, 0, piece, {}};
}

void PacedSource::stop()
{
    m_stopped = true;
    m_inner->stop();
}

SourceDescription PacedSource::description() const
{
    SourceDescription description = m_inner->description();
    description.pace = Pace::Realtime;
    return description;
}

Sample PacedSource::dueSamples() const
{
    const std::chrono::duration<double> passed = m_clock->now() - m_began;
    return static_cast<Sample>(passed.count() * kSampleRateHz) - m_delivered;
}

void PacedSource::waitForDue(Sample samples, TimePoint deadline)
{
    while (!m_stopped && dueSamples() < samples) {
        const TimePoint now = m_clock->now();
        if (now >= deadline) {
            return;
        }
        const auto until_due = std::chrono::nanoseconds((samples - dueSamples()) * 1'000'000'000 / kSampleRateHz + 1000);
        m_clock->sleepFor(std::min({until_due, std::chrono::nanoseconds(deadline - now), std::chrono::nanoseconds(kStopLatency)}));
    }
}

}  // namespace braid::audio
