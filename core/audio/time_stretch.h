// Speech slower or faster at its own pitch: pieces of the sound are laid over one another closer together or further apart, each taken from where it
// continues the piece before it best.
// Source: Verhelst and Roelands, "An overlap-add technique based on waveform similarity (WSOLA)", ICASSP 1993. Thread: any. Shapes: mono, 16 kHz.
#pragma once

#include <span>
#include <vector>

namespace braid::audio {

inline constexpr double kSlowestSpeed = 0.5;
inline constexpr double kFastestSpeed = 2.0;

// `sound` as long as it takes at `speed` (1: as it is, bit for bit; outside the bounds: the nearest of them).
[[nodiscard]] std::vector<float> stretchTime(std::span<const float> sound, double speed);

}  // namespace braid::audio
