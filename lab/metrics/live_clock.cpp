#include "lab/metrics/live_clock.h"

#include <algorithm>

namespace braid::metrics {

void LiveClock::addStep(Sample heard, double compute_ms)
{
    const double before_ms = m_steps.empty() ? 0 : m_steps.back().done_ms;
    m_steps.push_back({heard, std::max(before_ms, 1000 * secondsFromSamples(heard)) + compute_ms});
}

double LiveClock::shownAt_ms(Sample heard) const
{
    auto after = std::upper_bound(m_steps.begin(), m_steps.end(), heard, [](Sample limit, const Step &step) { return limit < step.heard; });
    if (after != m_steps.begin() && std::prev(after)->heard == heard) {
        --after;
    }
    return after == m_steps.end() ? 0 : after->done_ms;
}

}  // namespace braid::metrics
