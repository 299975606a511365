// Time to pixels and back, zoom at a point, panning, following: plain numbers, tested by data rows.
#pragma once

#include "core/base/sample_clock.h"

namespace braid::ui {

struct TimelineGeometry {
    double samples_per_pixel = 160;  // 100 pixels a second
    double first_sample = 0;         // at x = 0; may be negative while the session is shorter than the page
    int width = 800;

    static constexpr double kFinest = 4;               // samples a pixel
    static constexpr double kCoarsest = 16000 * 60.0;  // one minute a pixel

    [[nodiscard]] double xOf(Sample sample) const noexcept { return (static_cast<double>(sample) - first_sample) / samples_per_pixel; }
    [[nodiscard]] Sample sampleAt(double x) const noexcept;
    [[nodiscard]] Sample lastSample() const noexcept { return sampleAt(width); }

    // Times `factor` samples a pixel (below 1 zooms in), with the sample at `x` staying at `x`.
    void zoomAt(double x, double factor);
    void panBy(double pixels) { first_sample -= pixels * samples_per_pixel; }
    // Puts `newest` at `share` of the width and aligns to whole pixels, so that columns keep their sound from frame to frame.
    void follow(Sample newest, double share = 0.92);
    // Not before the session's start and not beyond its end by more than a page.
    void keepWithin(Sample newest);
    // Seconds between marks of the scale: 1, 2, 5 times a power of ten, then minutes; at least `least_pixels` apart.
    [[nodiscard]] double markSeconds(double least_pixels) const;
};

}  // namespace braid::ui
