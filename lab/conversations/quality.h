// The two tiers of quality filters without a judge model. Per stream: fluency (no loops), completeness, no malformed tokens. Across
// streams: each does its own work (no echo), says something, starts early enough to be parallel, and names nothing too early.
// Source: "Multi-Stream LLMs" (arXiv 2605.12460), Dataset (two-tier quality filtering); the paper's scores come from a language model,
// these are rules about words. Thread: any.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "core/streams/layout.h"
#include "core/streams/table.h"

namespace braid::conversations {

enum class Flaw : std::uint8_t {
    Malformed = 1,  // broken UTF-8, U+FFFD, control characters, special tokens or table leftovers in a cell
    Loops,          // the same few words again and again
    Incomplete,     // stops in the middle of a sentence
    TooShort,
    TooLong,
    Empty,        // a stream that must speak says nothing
    Echo,         // says what another stream says
    NotParallel,  // nobody says anything while somebody else speaks
    TooEarly,     // names what stands only later
};
[[nodiscard]] std::string_view nameOf(Flaw flaw) noexcept;  // "malformed", ...

struct QualityRules {
    double most_looping = 0.5;     // share of repeated three-word sequences
    double most_echo = 0.8;        // share of three-word sequences that another sampled stream has, too
    double least_parallel = 0.05;  // share of rows in which two streams or more speak
    std::size_t least_words = 1;   // of a stream that speaks at all
    std::size_t most_words = 4096;
    std::set<std::string> must_speak;     // names
    std::set<std::string> must_complete;  // names: end with . ? ! or a stop token of the layout
    std::set<std::string> common;         // for the causal check
};

struct Finding {
    std::size_t stream = 0;  // the table's size where it is about all
    Flaw flaw = Flaw::Malformed;
    double measured = 0;  // share or count
    std::string detail;   // a word, a piece of text
};

// Nothing found: the table is kept.
[[nodiscard]] std::vector<Finding> findFlaws(const streams::Layout &layout, const streams::TextTable &table, const QualityRules &rules);

}  // namespace braid::conversations
