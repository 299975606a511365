#include "ui/captions/timeline_geometry.h"

#include <algorithm>
#include <cmath>

namespace braid::ui {

Sample TimelineGeometry::sampleAt(double x) const noexcept
{
    return static_cast<Sample>(std::llround(first_sample + x * samples_per_pixel));
}

void TimelineGeometry::zoomAt(double x, double factor)
{
    const double there = first_sample + x * samples_per_pixel;
    samples_per_pixel = std::clamp(samples_per_pixel * factor, kFinest, kCoarsest);
    first_sample = there - x * samples_per_pixel;
}

void TimelineGeometry::follow(Sample newest, double share)
{
    const double first = static_cast<double>(newest) - share * width * samples_per_pixel;
    first_sample = std::ceil(first / samples_per_pixel) * samples_per_pixel;
    if (first_sample < 0) {
        first_sample = 0;
    }
}

void TimelineGeometry::keepWithin(Sample newest)
{
    const double page = width * samples_per_pixel;
    const double latest = std::max(0.0, static_cast<double>(newest) - page * 0.5);
    first_sample = std::clamp(first_sample, 0.0, latest);
}

double TimelineGeometry::markSeconds(double least_pixels) const
{
    static constexpr double kSteps[] = {0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21600};
    const double least_seconds = least_pixels * samples_per_pixel / kSampleRateHz;
    const auto *step = std::lower_bound(std::begin(kSteps), std::end(kSteps), least_seconds);
    return step == std::end(kSteps) ? 86400 : *step;
}

}  // namespace braid::ui
