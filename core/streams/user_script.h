// A user's words with their times, as a file: for demonstrations, tests, `braid-cli chat --script`. A line:
//   12 what is       these words enter the user's stream from row 12 on, one token a row
//   +5 plus 3        five rows after the line before
//   +0@Document ...  into another fed stream, by its name
//   +3               no words: the turn of that stream ends
// Empty lines and lines that begin with # are skipped. Files may come from strangers: bounded. Thread: any. Errors: Error(Input) with the line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/streams/layout.h"
#include "core/streams/streams_run.h"

namespace braid::streams {

inline constexpr std::size_t kMostScriptBytes = 4u << 20;

enum class ScriptText : std::uint8_t { Words = 1, Cell };

struct ScriptLine {
    std::int64_t row = 0;
    int stream = 0;
    std::string words;                    // empty: the turn ends
    ScriptText text = ScriptText::Words;  // Cell: one token as it stands in a table, for its row alone
    bool operator==(const ScriptLine &) const = default;
};

[[nodiscard]] std::vector<ScriptLine> parseUserScript(std::string_view text, const Layout &layout, const std::string &where);
// Hands every line to the run, to be said at its row. Turns that no line ends stay open.
void schedule(const std::vector<ScriptLine> &script, StreamsRun &run);

}  // namespace braid::streams
