// One sequential ramp for heat maps: even steps of lightness (OKLab), light to dark on light, dark to light on dark.
#pragma once

#include <array>

#include <QRgb>

#include "ui/shared/theme.h"

namespace braid::ui {

class HeatRamp {
  public:
    explicit HeatRamp(const Theme &theme);
    // `value` 0..1; outside it is clamped.
    [[nodiscard]] QRgb colour(double value) const;
    // OKLab lightness 0..1 of a colour, for tests of evenness.
    [[nodiscard]] static double lightness(QRgb colour);

  private:
    std::array<QRgb, 256> m_colours{};
};

}  // namespace braid::ui
