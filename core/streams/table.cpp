#include "core/streams/table.h"

#include <algorithm>
#include <map>

#include "core/base/error.h"
#include "core/base/strict_json.h"
#include "core/text/utf8.h"

namespace braid::streams {
namespace {

using nlohmann::json;

[[noreturn]] void refuse(const std::string &what, const std::string &where, const std::string &remedy = {})
{
    throw Error(ErrorKind::Input, what, where, remedy);
}

std::string_view trimmed(std::string_view text)
{
    const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
    while (!text.empty() && is_space(text.front())) {
        text.remove_prefix(1);
    }
    while (!text.empty() && is_space(text.back())) {
        text.remove_suffix(1);
    }
    return text;
}

// "| a | b \| c |" -> "a", "b \| c"; still escaped.
std::vector<std::string_view> cellsOf(std::string_view line, const std::string &where)
{
    line = trimmed(line);
    if (line.size() < 2 || line.front() != '|') {
        refuse("is not a row of a table", where, "A row looks like | one | two |");
    }
    std::vector<std::string_view> cells;
    std::size_t start = 1;
    for (std::size_t i = 1; i < line.size(); ++i) {
        if (line[i] == '\\') {
            ++i;
        } else if (line[i] == '|') {
            cells.push_back(trimmed(line.substr(start, i - start)));
            start = i + 1;
            if (cells.size() > kMostStreams) {
                refuse("has more than 64 streams", where);
            }
        }
    }
    if (start != line.size()) {
        refuse("does not end with |", where);
    }
    return cells;
}

bool isRule(const std::vector<std::string_view> &cells)
{
    return std::all_of(cells.begin(), cells.end(),
                       [](std::string_view cell) { return cell.size() >= 1 && cell.find_first_not_of("-:") == cell.npos && cell.find('-') != cell.npos; });
}

std::string unescaped(std::string_view cell, const std::string &where)
{
    std::string text;
    for (std::size_t i = 0; i < cell.size(); ++i) {
        if (cell[i] != '\\') {
            text += cell[i];
            continue;
        }
        if (++i == cell.size()) {
            refuse("a cell ends with a single backslash", where, "Write \\\\ for a backslash");
        }
        switch (cell[i]) {
        case '|':
        case '\\':
        case '-':
            text += cell[i];
            break;
        case 'n':
            text += '\n';
            break;
        case 't':
            text += '\t';
            break;
        case 'r':
            text += '\r';
            break;
        case 's':
            text += ' ';
            break;
        default:
            refuse("a cell has an unknown escape \\" + std::string(1, cell[i]), where, "Known are \\| \\\\ \\- \\n \\t \\r \\s, and \\c first in a cell");
        }
    }
    return text;
}

std::string cellText(std::string_view cell, const std::string &where)
{
    if (cell.empty() || cell == "-") {
        return {};
    }
    if (cell.size() > kMostCellBytes) {
        refuse("a cell is longer than 10000 bytes", where);
    }
    if (!text::isValidUtf8(cell)) {
        refuse("a cell is not valid UTF-8", where);
    }
    const bool goes_on = cell.starts_with("\\c");
    const std::string text = unescaped(goes_on ? cell.substr(2) : cell, where);
    if (text.empty()) {
        refuse("a cell says \\c and nothing", where);
    }
    return goes_on ? text : " " + text;
}

std::string escaped(std::string_view text)
{
    std::string cell;
    const bool goes_on = !text.starts_with(' ');
    if (goes_on) {
        cell = "\\c";
    } else {
        text.remove_prefix(1);
    }
    if (text == "-") {
        return cell + "\\-";
    }
    if (text.empty()) {
        return cell;  // a lone space: see markdownTable()
    }
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool at_edge = i == 0 || i + 1 == text.size();
        switch (text[i]) {
        case '|':
            cell += "\\|";
            break;
        case '\\':
            cell += "\\\\";
            break;
        case '\n':
            cell += "\\n";
            break;
        case '\t':
            cell += "\\t";
            break;
        case '\r':
            cell += "\\r";
            break;
        case ' ':
            cell += at_edge ? "\\s" : " ";
            break;
        default:
            cell += text[i];
        }
    }
    return cell;
}

std::vector<std::string_view> linesOf(std::string_view text)
{
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const auto end = text.find('\n');
        lines.push_back(text.substr(0, end));
        text.remove_prefix(end == text.npos ? text.size() : end + 1);
    }
    return lines;
}

}  // namespace

std::string TextTable::textOf(std::size_t stream) const
{
    std::string text;
    for (const auto &row : rows) {
        text += row[stream];
    }
    return text;
}

std::size_t TextTable::wordsOf(std::size_t stream) const
{
    return static_cast<std::size_t>(std::count_if(rows.begin(), rows.end(), [stream](const auto &row) { return !row[stream].empty(); }));
}

TextTable parseMarkdownTable(std::string_view text, const std::string &where, Ragged ragged)
{
    if (text.size() > kMostTableBytes) {
        refuse("is larger than 16 MiB", where);
    }
    TextTable table;
    bool has_rule = false;
    std::size_t number = 0;
    for (const std::string_view line : linesOf(text)) {
        const std::string place = where + ", line " + std::to_string(++number);
        if (trimmed(line).empty()) {
            continue;
        }
        const auto cells = cellsOf(line, place);
        if (table.streams.empty()) {
            for (const std::string_view cell : cells) {
                const std::string name = unescaped(cell, place);
                if (name.empty() || name.size() > kMostNameBytes || !text::isValidUtf8(name) ||
                    std::find(table.streams.begin(), table.streams.end(), name) != table.streams.end()) {
                    refuse("a column has no name, one too long, or that of another", place);
                }
                table.streams.push_back(name);
            }
            continue;
        }
        if (!has_rule) {
            if (!isRule(cells) || cells.size() != table.streams.size()) {
                refuse("the row under the names is not | --- | for each of the " + std::to_string(table.streams.size()) + " columns", place);
            }
            has_rule = true;
            continue;
        }
        if (cells.size() > table.streams.size() || (cells.size() < table.streams.size() && ragged == Ragged::Refused)) {
            refuse("has " + std::to_string(cells.size()) + " cells, but there are " + std::to_string(table.streams.size()) + " streams", place,
                   "Every row has one cell for each stream; - is silence");
        }
        if (table.rows.size() >= kMostTableRows) {
            refuse("has more than 100000 rows", where);
        }
        std::vector<std::string> row(table.streams.size());
        for (std::size_t i = 0; i < cells.size(); ++i) {
            row[i] = cellText(cells[i], place);
        }
        table.rows.push_back(std::move(row));
    }
    if (!has_rule) {
        refuse("holds no table", where, "A table begins with | name | name | and | --- | --- |");
    }
    return table;
}

std::vector<TextTable> parseMarkdownTables(std::string_view text, const std::string &where, Ragged ragged)
{
    const auto looksLikeRule = [](std::string_view line) {
        return line.find("--") != std::string_view::npos && trimmed(line).find_first_not_of("|-: ") == std::string_view::npos;
    };
    const std::vector<std::string_view> lines = linesOf(text);
    std::vector<std::size_t> begins = {0};
    for (std::size_t i = 1; i + 1 < lines.size(); ++i) {
        if (trimmed(lines[i - 1]).empty() && !trimmed(lines[i]).empty() && looksLikeRule(lines[i + 1])) {
            begins.push_back(i);
        }
    }
    if (begins.size() > 1 &&
        std::all_of(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(begins[1]), [](std::string_view line) { return trimmed(line).empty(); })) {
        begins.erase(begins.begin());  // empty lines alone before the first
    }
    std::vector<TextTable> tables;
    for (std::size_t t = 0; t < begins.size(); ++t) {
        const char *const begin = lines.empty() ? text.data() : lines[begins[t]].data();
        const char *const end = t + 1 < begins.size() ? lines[begins[t + 1]].data() : text.data() + text.size();
        tables.push_back(
            parseMarkdownTable({begin, static_cast<std::size_t>(end - begin)}, begins.size() > 1 ? where + ", table " + std::to_string(t + 1) : where, ragged));
    }
    return tables;
}

std::string markdownTable(const TextTable &table)
{
    std::string text;
    const auto line = [&text](const std::vector<std::string> &cells) {
        for (const std::string &cell : cells) {
            text += "| " + cell + " ";
        }
        text += "|\n";
    };
    std::vector<std::string> cells;
    for (const std::string &name : table.streams) {
        const std::string cell = escaped(" " + name);
        cells.push_back(cell);
    }
    line(cells);
    line(std::vector<std::string>(table.streams.size(), "---"));
    for (const auto &row : table.rows) {
        cells.clear();
        for (const std::string &cell : row) {
            cells.push_back(cell.empty() ? "-" : cell == " " ? "\\c\\s" : escaped(cell));
        }
        line(cells);
    }
    return text;
}

TokenTable parseTokenTable(std::string_view text, const std::string &where, std::int32_t silence_token, std::int32_t vocabulary, Ragged ragged)
{
    if (text.size() > kMostTableBytes) {
        refuse("is larger than 16 MiB", where);
    }
    const json root = parseStrictJson(text, where, ErrorKind::Input, 8);
    const auto ids = root.is_object() ? root.find("token_ids") : root.end();
    if (!root.is_object() || ids == root.end() || !ids->is_array() || ids->empty() || ids->size() > kMostStreams) {
        refuse("\"token_ids\" is not a list of 1 to 64 streams", where);
    }
    if (const auto silence = root.find("silence"); silence != root.end()) {
        if (!silence->is_number_integer() || silence->get<std::int64_t>() < 0 || silence->get<std::int64_t>() >= vocabulary) {
            refuse("\"silence\" is not a token of this vocabulary", where);
        }
        silence_token = silence->get<std::int32_t>();
    }
    TokenTable table;
    std::size_t rows = 0;
    for (const json &column : *ids) {
        if (!column.is_array() || column.size() > kMostTableRows) {
            refuse("a stream is not a list of at most 100000 tokens", where);
        }
        std::vector<std::int32_t> tokens;
        tokens.reserve(column.size());
        for (const json &id : column) {
            if (!id.is_number_integer() || id.get<std::int64_t>() < 0 || id.get<std::int64_t>() >= vocabulary) {
                refuse("token " + std::to_string(tokens.size() + 1) + " of stream " + std::to_string(table.columns.size() + 1) + " is not 0 to " +
                           std::to_string(vocabulary - 1),
                       where, "It was made for another tokenizer");
            }
            const auto token = id.get<std::int32_t>();
            tokens.push_back(token == silence_token ? TokenTable::kSilent : token);
        }
        rows = std::max(rows, tokens.size());
        table.columns.push_back(std::move(tokens));
    }
    if (const auto count = root.find("num_rows"); count != root.end()) {
        if (!count->is_number_unsigned() || count->get<std::uint64_t>() < rows || count->get<std::uint64_t>() > kMostTableRows) {
            refuse("\"num_rows\" is not the number of its rows, " + std::to_string(rows), where);
        }
        rows = count->get<std::size_t>();
    }
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        if (table.columns[i].size() != rows && ragged == Ragged::Refused) {
            refuse("stream " + std::to_string(i + 1) + " has " + std::to_string(table.columns[i].size()) + " rows, but there are " + std::to_string(rows),
                   where);
        }
        table.columns[i].resize(rows, TokenTable::kSilent);
    }
    if (const auto names = root.find("streams"); names != root.end()) {
        if (!names->is_array() || names->size() != table.columns.size()) {
            refuse("\"streams\" is not one name for each stream", where);
        }
        for (const json &name : *names) {
            if (!name.is_string() || name.get_ref<const std::string &>().size() > kMostNameBytes) {
                refuse("\"streams\" holds what is no name", where);
            }
            table.streams.push_back(name.get<std::string>());
        }
    }
    return table;
}

std::string tokenTableJson(const TokenTable &table, std::int32_t silence_token)
{
    nlohmann::ordered_json root;
    root["num_rows"] = table.rows();
    if (!table.streams.empty()) {
        root["streams"] = table.streams;
    }
    root["silence"] = silence_token;
    root["token_ids"] = nlohmann::ordered_json::array();
    for (auto column : table.columns) {
        std::replace(column.begin(), column.end(), TokenTable::kSilent, silence_token);
        root["token_ids"].push_back(std::move(column));
    }
    return root.dump(-1, ' ', false, json::error_handler_t::replace);
}

TokenTable toTokens(const TextTable &table, const TokenTexts &texts)
{
    TokenTable tokens;
    tokens.streams = table.streams;
    tokens.columns.resize(table.streams.size());
    std::map<std::string, std::vector<std::int32_t>, std::less<>> known;
    for (const auto &row : table.rows) {
        std::size_t height = 1;
        std::vector<const std::vector<std::int32_t> *> cells(row.size(), nullptr);
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (row[i].empty()) {
                continue;
            }
            auto found = known.find(row[i]);
            if (found == known.end()) {
                found = known.emplace(row[i], texts.encode(row[i], TokenTexts::Specials::Recognised)).first;
            }
            cells[i] = &found->second;
            height = std::max(height, found->second.size());
        }
        for (std::size_t i = 0; i < row.size(); ++i) {
            auto &column = tokens.columns[i];
            const std::size_t end = column.size() + height;
            if (cells[i] != nullptr) {
                column.insert(column.end(), cells[i]->begin(), cells[i]->end());
            }
            column.resize(end, TokenTable::kSilent);
        }
    }
    return tokens;
}

TextTable toTexts(const TokenTable &table, const TokenTexts &texts)
{
    TextTable result;
    result.streams = table.streams;
    for (std::size_t i = result.streams.size(); i < table.columns.size(); ++i) {
        result.streams.push_back("Stream " + std::to_string(i + 1));
    }
    for (std::size_t r = 0; r < table.rows(); ++r) {
        std::vector<std::string> row;
        for (const auto &column : table.columns) {
            row.push_back(column[r] == TokenTable::kSilent ? std::string() : texts.text(column[r]));
        }
        result.rows.push_back(std::move(row));
    }
    return result;
}

TextTable inOrderOf(const Layout &layout, const TextTable &table, const std::string &where)
{
    TextTable ordered;
    std::vector<std::size_t> to(table.streams.size());
    for (std::size_t i = 0; i < table.streams.size(); ++i) {
        const int index = layout.indexOf(table.streams[i]);
        if (index < 0) {
            refuse("has a stream \"" + table.streams[i] + "\" that the layout \"" + layout.name + "\" does not have", where);
        }
        to[i] = static_cast<std::size_t>(index);
    }
    for (const Stream &stream : layout.streams) {
        ordered.streams.push_back(stream.name);
    }
    for (const auto &row : table.rows) {
        std::vector<std::string> cells(layout.size());
        for (std::size_t i = 0; i < row.size(); ++i) {
            cells[to[i]] = row[i];
        }
        ordered.rows.push_back(std::move(cells));
    }
    return ordered;
}

}  // namespace braid::streams
