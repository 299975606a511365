// The attention of a translation as numbers to draw or to export: a map of target words over source units, how it is made readable, and the
// staircase of reading and writing over it. Torch-free plain functions.
// Source: "LLM as Effective Streaming Processor", 4.5 and G.1 (each source column scaled to 0..1, then a gamma to bring small weights out, the
// sink left out); reference/streaming-llm.md 1.10. Attention is not explanation. Thread: any.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/translation/wait_k.h"

namespace braid::translation {

// Rows are target words, columns source units; the last column is the source's end once it was read.
struct AttentionTable {
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::vector<float> weights;            // rows x columns; 0 where not read yet
    std::vector<std::int64_t> read_units;  // for each row: so many columns had been read
    [[nodiscard]] float at(std::int64_t row, std::int64_t column) const { return weights[static_cast<std::size_t>(row * columns + column)]; }
};

// `source_units`: columns there are, the end included; more where a word had read more.
[[nodiscard]] AttentionTable attentionTable(std::span<const TranslatedWord> words, std::int64_t source_units);

enum class AttentionScale : std::uint8_t {
    AsIs = 1,
    PerRow,     // each target word over its units: what it looked at most
    PerColumn,  // each source unit over the words that had read it: who looked at it most (the paper's)
};
enum class AttentionSink : std::uint8_t {
    Kept = 1,
    Removed,  // the column that draws weight for no reason of its own becomes 0; what the other units of a row have is scaled up to the row's sum
};

struct AttentionView {
    AttentionScale scale = AttentionScale::PerColumn;
    double gamma = 0.5;  // below 1 brings small weights out
    AttentionSink sink = AttentionSink::Kept;
};
inline constexpr double kLeastGamma = 0.05;
inline constexpr double kMostGamma = 5;

// The first unit, where its mean weight is the largest of all and more than three times the median of the others (at least four columns and two rows); else
// -1. The model's first tokens, where most sinks are, stand in the prompt and have no column.
[[nodiscard]] std::int64_t sinkColumn(const AttentionTable &table);
// Weights from 0 to 1 for drawing; cells that were not read stay 0. In a column (or row) of one cell that was read, or of equal ones, nothing stands out:
// 0 where they are 0, else 1. Errors: Error(Usage) for a gamma outside kLeastGamma to kMostGamma.
[[nodiscard]] AttentionTable readable(const AttentionTable &table, const AttentionView &view);

// The path of reading and writing through the table: right for every unit read, down for every word written.
struct StaircaseStep {
    std::int64_t read_units = 0;  // so many had been read
    std::int64_t written_words = 0;
    friend bool operator==(const StaircaseStep &, const StaircaseStep &) = default;
};
// Corner points from (0, 0) to the end; `read_now`: units read in all.
[[nodiscard]] std::vector<StaircaseStep> staircase(std::span<const std::int64_t> read_units, std::int64_t read_now);

// As JSON (docs/formats.md, "Attention of a translation"): for each sentence units, words, units read, weights as they are and as the view shows them,
// staircase.
struct SentenceAttention {
    std::vector<std::string> source;  // units, without the end
    std::vector<TranslatedWord> target;
};
[[nodiscard]] std::string attentionJson(std::span<const SentenceAttention> sentences, const AttentionView &view);

}  // namespace braid::translation
