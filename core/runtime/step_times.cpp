#include "core/runtime/step_times.h"

#include <algorithm>
#include <cstddef>

namespace braid::runtime {
namespace {

constexpr std::size_t kRecentSteps = 256;

// Nearest rank: the smallest value that at least `share` of all values do not exceed. Reorders `values`.
double percentile(std::vector<float> &values, double share)
{
    if (values.empty()) {
        return 0;
    }
    const auto rank = static_cast<std::size_t>(share * static_cast<double>(values.size() - 1) + 0.5);
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(rank), values.end());
    return values[rank];
}

StepTimeSummary summarise(std::vector<float> values)
{
    return {percentile(values, 0.5), percentile(values, 0.95)};
}

}  // namespace

StepTimeSummary StepTimes::recent() const
{
    const auto first = m_ms.size() > kRecentSteps ? m_ms.end() - kRecentSteps : m_ms.begin();
    return summarise({first, m_ms.end()});
}

StepTimeSummary StepTimes::whole() const
{
    return summarise(m_ms);
}

}  // namespace braid::runtime
