// The single-stream baseline from the same data: the streams of a table one after the other in one sequence, each behind a mark that
// names it, and the end mark behind the last. What is fed comes first, then what is said, in the order that a model without streams needs: it
// reads, works, answers, checks. core/streams/one_queue.h runs a model of such sequences.
// Source: "Multi-Stream LLMs" (arXiv 2605.12460), Dataset (collapsed baselines). Thread: any. Errors: Error(Input).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
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

inline constexpr std::string_view kEndMark = "<|end|>";

// The fed streams of a layout as they are read: system, user, documents.
[[nodiscard]] std::vector<std::size_t> readingOrder(const Layout &layout);
// Streams with something to say: system, user, documents, then `said_order` (names of sampled streams, all of them; empty: the layout's order).
[[nodiscard]] std::vector<Segment> collapse(const Layout &layout, const TextTable &table, const std::vector<std::string> &said_order = {});

// The cells of one stream as segments again, as the table of the collapsed sequence has them: one column, a mark before each segment, the end mark last.
[[nodiscard]] TextTable collapsedTable(const Layout &layout, const TextTable &table, const std::vector<std::string> &said_order = {});
// Its segments. Cells before the first mark are refused.
[[nodiscard]] std::vector<Segment> segmentsOf(const Layout &layout, const TextTable &collapsed);
// Of every row of the collapsed table, whether it is learnt (it belongs to a sampled stream; its mark counts for the stream).
[[nodiscard]] std::vector<bool> learntRows(const Layout &layout, const TextTable &collapsed);

}  // namespace braid::streams
