// How a level meter moves: up at once, down at 20 dB a second; the peak mark stays for 1.5 s and then falls. Plain numbers.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace braid::ui {

inline constexpr double kMeterFloorDb = -60;

[[nodiscard]] inline double decibels(double linear)
{
    return linear <= 0.001 ? kMeterFloorDb : std::clamp(20 * std::log10(linear), kMeterFloorDb, 0.0);
}

class LevelBallistics {
  public:
    static constexpr double kFallDbPerSecond = 20;
    static constexpr std::int64_t kPeakHoldMs = 1500;

    void update(double rms, double peak, std::int64_t now_ms)
    {
        const double fallen = m_last_ms < 0 ? 0 : static_cast<double>(now_ms - m_last_ms) / 1000 * kFallDbPerSecond;
        m_last_ms = now_ms;
        m_level_db = std::max({decibels(rms), m_level_db - fallen, kMeterFloorDb});
        if (decibels(peak) >= m_peak_db) {
            m_peak_db = decibels(peak);
            m_peak_ms = now_ms;
        } else if (now_ms - m_peak_ms > kPeakHoldMs) {
            m_peak_db = std::max({decibels(peak), m_peak_db - fallen, kMeterFloorDb});
        }
    }
    [[nodiscard]] double levelDb() const noexcept { return m_level_db; }
    [[nodiscard]] double peakDb() const noexcept { return m_peak_db; }
    [[nodiscard]] bool isAtRest() const noexcept { return m_level_db <= kMeterFloorDb && m_peak_db <= kMeterFloorDb; }

  private:
    double m_level_db = kMeterFloorDb;
    double m_peak_db = kMeterFloorDb;
    std::int64_t m_peak_ms = 0;
    std::int64_t m_last_ms = -1;
};

}  // namespace braid::ui
