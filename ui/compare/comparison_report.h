// Two policies on the same sound, in figures: lag, revisions, cost, differing words; as a value, as text, as JSON (docs/formats.md).
// Plain values and functions.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/captions/caption_events.h"
#include "core/text/transcript.h"

namespace braid::ui {

struct SideFigures {
    std::int64_t words = 0;
    std::int64_t differing_words = 0;
    std::int64_t revisions = 0;
    double first_word_s = 0;  // after the first word's end it was first seen
    double seen_s = 0;        // mean over the words: first seen after the word's end
    double settled_s = 0;     // mean over the words: settled after the word's end
    double seen_error_s = 0;  // of that mean, the standard error
    double settled_error_s = 0;
    double real_time_factor = 0;
    double step_ms_median = 0;
    double step_ms_p95 = 0;
    std::int64_t steps = 0;
    std::int64_t decoder_steps = 0;
};

struct ComparisonSide {
    std::string policy;  // "Streaming, 300 ms, beam 5"
    SideFigures figures;
    text::Transcript transcript;
    std::vector<bool> differs;  // by word
};

enum class ComparisonTurns : std::uint8_t { Together = 1, OneAfterTheOther };

struct ComparisonReport {
    std::string source;
    std::string model;
    double heard_s = 0;
    ComparisonTurns turns = ComparisonTurns::Together;
    int differing_places = 0;
    ComparisonSide left;
    ComparisonSide right;
};

[[nodiscard]] SideFigures figuresOf(const text::Transcript &transcript, const captions::Statistics &statistics, const std::vector<bool> &differs);
[[nodiscard]] std::string comparisonAsText(const ComparisonReport &report);
[[nodiscard]] std::string comparisonAsJson(const ComparisonReport &report);
// The ending decides: .txt or .json. Written as a whole. Throws Error(Usage) for another ending, Error(Storage) when the disk refuses.
void saveComparison(const ComparisonReport &report, const std::filesystem::path &file);

}  // namespace braid::ui
