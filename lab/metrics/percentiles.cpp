#include "lab/metrics/percentiles.h"

#include <algorithm>

namespace braid::metrics {

double percentile(std::span<const double> values, double percent)
{
    if (values.empty()) {
        return 0;
    }
    std::vector<double> sorted(values.begin(), values.end());
    const double place = std::clamp(percent, 0.0, 100.0) / 100 * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(below);
    std::nth_element(sorted.begin(), middle, sorted.end());
    const double low = *middle;
    if (below + 1 == sorted.size()) {
        return low;
    }
    const double high = *std::min_element(middle + 1, sorted.end());
    return low + (high - low) * (place - static_cast<double>(below));
}

PercentileWindow::PercentileWindow(std::size_t capacity)
    : m_capacity(std::max<std::size_t>(1, capacity))
{
}

void PercentileWindow::add(double value)
{
    if (m_values.size() < m_capacity) {
        m_values.push_back(value);
    } else {
        m_values[static_cast<std::size_t>(m_count) % m_capacity] = value;
    }
    ++m_count;
}

void PercentileWindow::clear()
{
    m_values.clear();
    m_count = 0;
}

}  // namespace braid::metrics
