#include "core/audio/level.h"

#include <algorithm>
#include <cmath>

namespace braid::audio {

void LevelMeter::push(std::span<const float> sound) noexcept
{
    for (const float value : sound) {
        m_peak = std::max(m_peak, std::fabs(value));
        m_square_sum += static_cast<double>(value) * value;
        if (++m_count == kBlockSamples) {
            m_level = {m_peak, static_cast<float>(std::sqrt(m_square_sum / kBlockSamples))};
            m_peak = 0;
            m_square_sum = 0;
            m_count = 0;
        }
    }
}

void LevelMeter::reset() noexcept
{
    *this = {};
}

}  // namespace braid::audio
