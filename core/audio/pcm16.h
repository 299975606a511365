// Sound as 16-bit samples and as numbers from -1 to 1. Full scale is 32768 everywhere, so that 16-bit sound that is read, kept and read
// again stays as it was, bit for bit. Pure functions. Thread: any.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace braid::audio {

inline constexpr float kPcm16FullScale = 32768.0f;

[[nodiscard]] inline float floatOf(std::int16_t pcm)
{
    return static_cast<float>(pcm) / kPcm16FullScale;
}

// What exceeds full scale is cut off; what is no number is silence.
[[nodiscard]] inline std::int16_t pcm16Of(float value)
{
    const float scaled = std::isfinite(value) ? value * kPcm16FullScale : 0.0f;
    return static_cast<std::int16_t>(std::lround(std::clamp(scaled, -kPcm16FullScale, kPcm16FullScale - 1)));
}

[[nodiscard]] inline std::vector<float> floatsOf(std::span<const std::int16_t> pcm)
{
    std::vector<float> sound(pcm.size());
    std::transform(pcm.begin(), pcm.end(), sound.begin(), floatOf);
    return sound;
}

[[nodiscard]] inline std::vector<std::int16_t> pcm16Of(std::span<const float> sound)
{
    std::vector<std::int16_t> pcm(sound.size());
    std::transform(sound.begin(), sound.end(), pcm.begin(), [](float value) { return pcm16Of(value); });
    return pcm;
}

}  // namespace braid::audio
