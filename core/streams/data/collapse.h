// The single-stream baseline from the same data: the streams of a table one after the other in one sequence, each behind a mark that
// names it. What is fed comes first, then what is said, in the order that a model without streams needs: it reads, works, answers, checks.
// Source: "Multi-Stream LLMs" (arXiv 2605.12460), Dataset (collapsed baselines). Thread: any. Errors: Error(Input).
#pragma once

#include <string>
#include <vector>

#include "core/streams/layout.h"
#include "core/streams/table.h"

namespace braid::streams {

struct Segment {
    std::size_t stream = 0;  // of the layout
    std::string text;
    bool operator==(const Segment &) const = default;
};

// The mark before a stream's text, "<|User|>"; a model of the baseline has each as one token.
[[nodiscard]] std::string markOf(const Stream &stream);

// Streams with something to say: system, user, documents, then `said_order` (names of sampled streams, all of them; empty: the layout's order).
[[nodiscard]] std::vector<Segment> collapse(const Layout &layout, const TextTable &table, const std::vector<std::string> &said_order = {});

// The cells of one stream as segments again, as the table of the collapsed sequence has them: one column, a mark before each segment.
[[nodiscard]] TextTable collapsedTable(const Layout &layout, const TextTable &table, const std::vector<std::string> &said_order = {});
// Its segments. Cells before the first mark are refused.
[[nodiscard]] std::vector<Segment> segmentsOf(const Layout &layout, const TextTable &collapsed);
// Of every row of the collapsed table, whether it is learnt (it belongs to a sampled stream; its mark counts for the stream).
[[nodiscard]] std::vector<bool> learntRows(const Layout &layout, const TextTable &collapsed);

}  // namespace braid::streams
