// Peak and loudness of the newest sound, for the level meter. Cheap: one multiplication a sample, nothing kept but sums.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/sample_clock.h"

namespace braid::audio {

struct Level {
    float peak = 0;  // largest magnitude, linear; 1 is full scale
    float rms = 0;   // root of the mean square, linear
};

// Thread: one (the pump's). Works in blocks of 100 ms: level() is that of the newest whole block.
class LevelMeter {
  public:
    static constexpr Sample kBlockSamples = samplesFromMs(100);

    void push(std::span<const float> sound) noexcept;
    // A gap or a new session: the level falls to zero.
    void reset() noexcept;
    [[nodiscard]] Level level() const noexcept { return m_level; }

  private:
    Level m_level;
    float m_peak = 0;
    double m_square_sum = 0;
    Sample m_count = 0;
};

}  // namespace braid::audio
