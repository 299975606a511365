// Rows x streams: how multi-stream conversations are written down, exchanged and trained on. A text table holds in every cell the text
// that one step adds to one stream; a token table the ids. Source: "Multi-Stream LLMs" (arXiv 2605.12460), Dataset (tabular generation
// format); streaming-llm.md 2.1 for the two files people have: a markdown table, one row a step, "-" for silence, and JSON Lines of
// {"num_rows": R, "token_ids": [streams][R]}.
// Files may come from strangers: bounded, ragged rows refused with their line (or filled, where asked). Thread: any.
// Errors: Error(Input) with `where` and the line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/streams/layout.h"
#include "core/streams/token_texts.h"

namespace braid::streams {

inline constexpr std::size_t kMostTableBytes = 16u << 20;
inline constexpr std::size_t kMostTableRows = 100'000;
inline constexpr std::size_t kMostCellBytes = 10'000;

struct TextTable {
    std::vector<std::string> streams;            // names, in order
    std::vector<std::vector<std::string>> rows;  // [row][stream]; "" is silence; " cat" is a word after a space, "ting" goes on with one

    // The stream's text, all its cells joined.
    [[nodiscard]] std::string textOf(std::size_t stream) const;
    [[nodiscard]] std::size_t wordsOf(std::size_t stream) const;  // cells that are not silent
    bool operator==(const TextTable &) const = default;
};

struct TokenTable {
    static constexpr std::int32_t kSilent = -1;      // a silent cell, whichever token a model says it with
    std::vector<std::vector<std::int32_t>> columns;  // [stream][row]
    std::vector<std::string> streams;                // names; empty where the file has none

    [[nodiscard]] std::size_t rows() const noexcept { return columns.empty() ? 0 : columns.front().size(); }
    bool operator==(const TokenTable &) const = default;
};

// What to do with rows (or columns) that are too short. Too long ones are always refused.
enum class Ragged : std::uint8_t { Refused = 1, Filled };

// A markdown table; text around it is an error. Cells are trimmed: "cat" is " cat". "-" or nothing is silence. Escapes in cells: \| \\ \-
// \n (line break) \t \s (a space that counts) and, first in a cell, \c (no space before it).
[[nodiscard]] TextTable parseMarkdownTable(std::string_view text, const std::string &where, Ragged ragged = Ragged::Refused);
// The tables of a text, one behind the other, an empty line before each (as `braid-cli streams make` writes them); `where` is numbered.
[[nodiscard]] std::vector<TextTable> parseMarkdownTables(std::string_view text, const std::string &where, Ragged ragged = Ragged::Refused);
// What parseMarkdownTable() reads again to an equal table.
[[nodiscard]] std::string markdownTable(const TextTable &table);

// {"num_rows": R, "token_ids": [C][R], "streams": [names]?, "silence": id?}; other keys are passed over. `silence_token` is what the file
// says silence with, unless it says itself. Ids are 0 .. vocabulary - 1.
[[nodiscard]] TokenTable parseTokenTable(std::string_view json, const std::string &where, std::int32_t silence_token, std::int32_t vocabulary,
                                         Ragged ragged = Ragged::Refused);
[[nodiscard]] std::string tokenTableJson(const TokenTable &table, std::int32_t silence_token);  // one line

// Every cell as tokens. A cell of several tokens takes as many rows; the streams beside it wait in silence, so that nobody learns
// anything earlier than in the table.
[[nodiscard]] TokenTable toTokens(const TextTable &table, const TokenTexts &texts);
[[nodiscard]] TextTable toTexts(const TokenTable &table, const TokenTexts &texts);

// The table's columns in the layout's order, by name; a stream that the table lacks is silent. Throws where the table has one that the
// layout does not know.
[[nodiscard]] TextTable inOrderOf(const Layout &layout, const TextTable &table, const std::string &where);

}  // namespace braid::streams
