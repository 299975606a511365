// Medians and other percentiles, of a list or of the newest values of an endless stream. Thread: one object, one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace braid::metrics {

// The value below which `percent` (0 to 100, clamped) of the values lie, linear between neighbours; 50 is the median. 0 for no values.
// Not-a-number values must not be among them.
[[nodiscard]] double percentile(std::span<const double> values, double percent);

// Keeps the newest `capacity` values (at least one), so that hours of steps cost no more memory than a minute.
class PercentileWindow {
  public:
    explicit PercentileWindow(std::size_t capacity = 512);

    void add(double value);
    [[nodiscard]] double at(double percent) const { return percentile(m_values, percent); }
    [[nodiscard]] double median() const { return at(50); }
    [[nodiscard]] double p95() const { return at(95); }
    // All values ever added, also those no longer kept.
    [[nodiscard]] std::int64_t count() const noexcept { return m_count; }
    void clear();

  private:
    std::vector<double> m_values;
    std::size_t m_capacity;
    std::int64_t m_count = 0;
};

}  // namespace braid::metrics
