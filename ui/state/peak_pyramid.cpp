#include "ui/state/peak_pyramid.h"

#include <algorithm>
#include <cmath>

namespace braid::ui {
namespace {

std::int8_t quantised(float value)
{
    return static_cast<std::int8_t>(std::lround(std::clamp(value, -1.0F, 1.0F) * 127.0F));
}

Peak joined(Peak a, Peak b)
{
    return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

}  // namespace

void PeakPyramid::append(std::span<const float> sound)
{
    for (const float value : sound) {
        const std::int8_t level = quantised(std::isfinite(value) ? value : 0);
        m_open = joined(m_open, {level, level});
        if (++m_open_samples == kFinestSamples) {
            closeStretch(m_open);
        }
    }
    m_samples += static_cast<Sample>(sound.size());
}

void PeakPyramid::appendSilence(Sample samples)
{
    static constexpr float kSilence[1024] = {};
    for (; samples > 0; samples -= 1024) {
        append(std::span(kSilence, static_cast<std::size_t>(std::min<Sample>(samples, 1024))));
    }
}

void PeakPyramid::closeStretch(Peak finest)
{
    m_open = {127, -127};
    m_open_samples = 0;
    Peak peak = finest;
    for (std::size_t level = 0;; ++level) {
        if (level == m_levels.size()) {
            m_levels.emplace_back();
        }
        m_levels[level].push_back(peak);
        const std::size_t count = m_levels[level].size();
        if (count % kFactor != 0) {
            return;
        }
        for (std::size_t index = count - kFactor; index < count; ++index) {
            peak = joined(peak, m_levels[level][index]);
        }
    }
}

void PeakPyramid::clear()
{
    m_levels.clear();
    m_open = {127, -127};
    m_open_samples = 0;
    m_samples = 0;
}

Peak PeakPyramid::peak(Sample start, Sample end) const
{
    start = std::max<Sample>(start, 0);
    end = std::min(end, m_samples);
    if (start >= end || m_levels.empty()) {
        return start < end && m_open_samples > 0 ? m_open : Peak{};
    }
    // The coarsest level of which at least two stretches fit in: its blur at the edges stays below one pixel in two.
    std::size_t level = 0;
    Sample stretch = kFinestSamples;
    while (level + 1 < m_levels.size() && stretch * kFactor * 2 <= end - start) {
        ++level;
        stretch *= kFactor;
    }
    Peak found{127, -127};
    const auto &peaks = m_levels[level];
    const auto first = static_cast<std::size_t>(start / stretch);
    const auto last = std::min(static_cast<std::size_t>((end - 1) / stretch), peaks.empty() ? 0 : peaks.size() - 1);
    for (std::size_t index = first; index <= last && index < peaks.size(); ++index) {
        found = joined(found, peaks[index]);
    }
    // Sound so new that this level has not closed its stretch yet.
    const Sample covered = static_cast<Sample>(peaks.size()) * stretch;
    if (end > covered) {
        const auto &finest = m_levels.front();
        for (auto index = static_cast<std::size_t>(std::max(start, covered) / kFinestSamples); index < finest.size(); ++index) {
            if (static_cast<Sample>(index) * kFinestSamples >= end) {
                break;
            }
            found = joined(found, finest[index]);
        }
        if (m_open_samples > 0 && end > m_samples - m_open_samples) {
            found = joined(found, m_open);
        }
    }
    return found.low > found.high ? Peak{} : found;
}

}  // namespace braid::ui
