// Praat's TextGrid files: tiers of labelled intervals and points. Both written forms (long and short), in UTF-8 or UTF-16.
//
// After Praat's manual ("TextGrid file formats"): what counts in a text file is free-standing numbers, strings in double quotes (a doubled
// quote is one) and flags in angle brackets; all else is decoration, from "!" on a line is comment. Files come from strangers: tiers and
// intervals are limited, times must be numbers in order. Errors: Error(Input). Thread: any.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace braid::corpus {

struct TextGridInterval {
    double start_seconds = 0;
    double end_seconds = 0;  // a point's is its start
    std::string text;        // UTF-8
};

enum class TextGridTierKind { Intervals = 1, Points };

struct TextGridTier {
    TextGridTierKind kind = TextGridTierKind::Intervals;
    std::string name;
    std::vector<TextGridInterval> intervals;
};

struct TextGrid {
    double start_seconds = 0;
    double end_seconds = 0;
    std::vector<TextGridTier> tiers;
};

[[nodiscard]] TextGrid parseTextGrid(std::string_view bytes, const std::string &where);

// Whether the bytes begin as a TextGrid does, in any of its encodings.
[[nodiscard]] bool looksLikeTextGrid(std::string_view bytes);

// The tier with the words: named "words" or with "word" in its name, else the only tier of intervals, else nullptr.
[[nodiscard]] const TextGridTier *wordTier(const TextGrid &grid);

// "", "sp", "sil", "<eps>" and their like: silence and noise, no words.
[[nodiscard]] bool isSilenceLabel(std::string_view label);

}  // namespace braid::corpus
