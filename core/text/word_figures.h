// The figures of a run, word by word, as a table (CSV, RFC 4180: commas, quotes where they are needed, decimal points). Thread: any.
#pragma once

#include <span>
#include <string>

#include "core/text/transcript.h"

namespace braid::text {

// A row a word: start_s, end_s, word, heard (where it was corrected or written otherwise), probability, seen_after_s and settled_after_s (sound heard since the
// word's end; empty where it is not known), changes (how often the tail said something else in its place). Gaps and line breaks have none.
[[nodiscard]] std::string wordFiguresCsv(std::span<const TranscriptItem> items);

}  // namespace braid::text
