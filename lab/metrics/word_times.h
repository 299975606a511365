// How good word times are: precision and recall at a threshold, mean deviations of starts and ends (CarelessWhisper, section VII-C, after Hu
// et al. 2025). A word is right when an alignment of the texts pairs it with the same word and both its ends lie within the threshold;
// precision is right words by words given out. A word of the reference is missed when the alignment pairs it with none that is the
// same; recall is right words by right and missed ones. (The paper's tables fit this definition: at 80 ms instead of 240 ms precision
// falls from 88.6 to 64.4, recall from 82.8 only to 77.8.) Plain functions. Thread: any.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/base/sample_clock.h"

namespace braid::metrics {

struct TimedText {
    std::string text;  // normalised
    Sample start_sample = 0;
    Sample end_sample = 0;
};

struct WordTimeScore {
    std::int64_t given = 0;   // words given out
    std::int64_t paired = 0;  // the same word in the reference
    std::int64_t missed = 0;  // reference words without
    std::int64_t within_240_ms = 0;
    std::int64_t within_80_ms = 0;
    double start_deviation_ms = 0;  // sums of absolute deviations over paired words
    double end_deviation_ms = 0;

    [[nodiscard]] double precision(std::int64_t within) const noexcept { return given == 0 ? 0 : static_cast<double>(within) / static_cast<double>(given); }
    [[nodiscard]] double recall(std::int64_t within) const noexcept
    {
        return within + missed == 0 ? 0 : static_cast<double>(within) / static_cast<double>(within + missed);
    }
    [[nodiscard]] double meanStartDeviation_ms() const noexcept { return paired == 0 ? 0 : start_deviation_ms / static_cast<double>(paired); }
    [[nodiscard]] double meanEndDeviation_ms() const noexcept { return paired == 0 ? 0 : end_deviation_ms / static_cast<double>(paired); }
    WordTimeScore &operator+=(const WordTimeScore &other) noexcept;
};

// Words that end within `ignored` of the beginning count neither here nor there (the paper leaves out the first chunk's).
[[nodiscard]] WordTimeScore scoreWordTimes(std::span<const TimedText> reference, std::span<const TimedText> hypothesis, Sample ignored = 0);

}  // namespace braid::metrics
