#include "core/base/sample_clock.h"

#include <algorithm>
#include <cstdio>

namespace braid {

std::string formatClock(Sample samples)
{
    const auto seconds = std::max<Sample>(samples, 0) / kSampleRateHz;
    char text[40];
    std::snprintf(text, sizeof text, "%02lld:%02lld:%02lld", static_cast<long long>(seconds / 3600), static_cast<long long>(seconds / 60 % 60),
                  static_cast<long long>(seconds % 60));
    return text;
}

std::string formatTimecode(Sample samples, char decimal_mark)
{
    const auto ms = msFromSamples(std::max<Sample>(samples, 0));
    char text[12];
    std::snprintf(text, sizeof text, "%c%03d", decimal_mark, static_cast<int>(ms % 1000));
    return formatClock(samples) + text;
}

}  // namespace braid
