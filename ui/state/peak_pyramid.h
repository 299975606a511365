// Least and greatest sample of every stretch of sound, at many sizes of stretch, built as sound comes in: drawing any zoom of hours
// of sound looks at a few numbers a pixel. A twelfth of a byte a sample. Plain data; one thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/sample_clock.h"

namespace braid::ui {

struct Peak {
    std::int8_t low = 0;  // -127..127 for -1..1
    std::int8_t high = 0;
    friend bool operator==(const Peak &, const Peak &) = default;
};

class PeakPyramid {
  public:
    static constexpr Sample kFinestSamples = 32;  // stretch of the lowest level
    static constexpr int kFactor = 4;             // each level's stretch is this many of the one below

    void append(std::span<const float> sound);
    // Appends silence: sound that was lost.
    void appendSilence(Sample samples);
    void clear();
    [[nodiscard]] Sample samples() const noexcept { return m_samples; }
    // Over [start, end), from the coarsest level that is fine enough; nothing there gives {0, 0}.
    [[nodiscard]] Peak peak(Sample start, Sample end) const;

  private:
    void closeStretch(Peak finest);

    std::vector<std::vector<Peak>> m_levels;
    Peak m_open{127, -127};
    int m_open_samples = 0;
    Sample m_samples = 0;
};

}  // namespace braid::ui
