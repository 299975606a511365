// Sound as the 16-bit samples that the cache keeps, and as numbers from -1 to 1. Full scale is 32768, as where sound files are read and
// written (core/audio/wav_decoder.cpp, core/corpus/sound_writer.cpp): a file of 16 bits is kept bit for bit, and the model hears in
// training what it hears later. Pure functions; no torch. Thread: any.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace braid::train {

inline constexpr float kPcm16FullScale = 32768.0f;

[[nodiscard]] inline std::vector<float> floatsOf(std::span<const std::int16_t> pcm)
{
    std::vector<float> sound(pcm.size());
    std::transform(pcm.begin(), pcm.end(), sound.begin(), [](std::int16_t value) { return static_cast<float>(value) / kPcm16FullScale; });
    return sound;
}

// What exceeds full scale is cut off; what is no number is silence.
[[nodiscard]] inline std::vector<std::int16_t> pcm16Of(std::span<const float> sound)
{
    std::vector<std::int16_t> pcm(sound.size());
    std::transform(sound.begin(), sound.end(), pcm.begin(), [](float value) {
        const float scaled = std::isfinite(value) ? value * kPcm16FullScale : 0.0f;
        return static_cast<std::int16_t>(std::lround(std::clamp(scaled, -kPcm16FullScale, kPcm16FullScale - 1)));
    });
    return pcm;
}

}  // namespace braid::train
