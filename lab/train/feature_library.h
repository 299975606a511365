// The teacher's output on the speech of a run, from the cache: 16-bit floats, [frames, width] an utterance, one row for each encoder
// frame of the model in training; with the mean and deviation of every column, in whose units the model learns it.
// Made by teacher.h, which needs libtorch; reading it does not. Errors: Error(Input). Thread: const from any.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "lab/train/keyed_store.h"

namespace braid::train {

enum class FeatureUnit : std::uint8_t { Deviation = 1, Plain };

class FeatureLibrary {
  public:
    // `path` without ending; "PATH.stats" holds `width` means and as many deviations as 32-bit floats.
    // Plain features are given as they lie, and have no such file.
    FeatureLibrary(const std::filesystem::path &path, std::int64_t width, FeatureUnit unit = FeatureUnit::Deviation);

    [[nodiscard]] std::int64_t width() const noexcept { return m_width; }
    [[nodiscard]] bool contains(std::uint64_t key) const { return m_store.contains(key); }
    [[nodiscard]] const std::vector<float> &means() const noexcept { return m_mean; }
    [[nodiscard]] const std::vector<float> &deviations() const noexcept { return m_deviation; }
    // Rows [first, first + count) in the library's unit, row-major; rows the utterance does not have are left out at the end.
    [[nodiscard]] std::vector<float> rows(std::uint64_t key, std::int64_t first, std::int64_t count) const;

  private:
    KeyedStore m_store;
    std::int64_t m_width = 0;
    std::vector<float> m_mean;
    std::vector<float> m_deviation;
};

[[nodiscard]] float floatFromHalf(std::uint16_t bits) noexcept;

}  // namespace braid::train
