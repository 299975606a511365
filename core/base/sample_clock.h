// The one clock: time is a count of 16 kHz samples since the session began (design: "One clock").
// Words, tokens, attention columns, the waveform and the journal all live on it.
#pragma once

#include <cstdint>
#include <string>

namespace braid {

using Sample = std::int64_t;
inline constexpr int kSampleRateHz = 16000;

[[nodiscard]] constexpr Sample samplesFromMs(std::int64_t ms) noexcept
{
    return ms * (kSampleRateHz / 1000);
}
[[nodiscard]] constexpr Sample samplesFromSeconds(double seconds) noexcept
{
    return static_cast<Sample>(seconds * kSampleRateHz + (seconds < 0 ? -0.5 : 0.5));
}
[[nodiscard]] constexpr std::int64_t msFromSamples(Sample samples) noexcept
{
    return samples / (kSampleRateHz / 1000);
}
[[nodiscard]] constexpr double secondsFromSamples(Sample samples) noexcept
{
    return static_cast<double>(samples) / kSampleRateHz;
}

// "00:12:41" for the status line.
[[nodiscard]] std::string formatClock(Sample samples);
// "00:12:41,250" with `decimal_mark` before the milliseconds: ',' for SRT, '.' for VTT. Negative times read as zero.
[[nodiscard]] std::string formatTimecode(Sample samples, char decimal_mark);

}  // namespace braid
