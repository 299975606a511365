#include "core/streams/user_script.h"

#include <charconv>

#include "core/base/error.h"
#include "core/text/utf8.h"

namespace braid::streams {
namespace {

constexpr std::int64_t kLastRow = 1'000'000'000;

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) {
        text.remove_prefix(1);
    }
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) {
        text.remove_suffix(1);
    }
    return text;
}

int fedStream(std::string_view name, const Layout &layout, const std::string &where)
{
    for (std::size_t i = 0; i < layout.size(); ++i) {
        const Stream &stream = layout.streams[i];
        if (name.empty() ? stream.role == StreamRole::User : stream.name == name && !stream.isSampled()) {
            return static_cast<int>(i);
        }
    }
    throw Error(ErrorKind::Input,
                name.empty() ? "this layout has no user" : "\"" + std::string(name.substr(0, kMostNameBytes)) + "\" is no stream that words can be put into",
                where);
}

}  // namespace

std::vector<ScriptLine> parseUserScript(std::string_view text, const Layout &layout, const std::string &where)
{
    if (text.size() > kMostScriptBytes) {
        throw Error(ErrorKind::Input, "is larger than 4 MiB", where);
    }
    std::vector<ScriptLine> script;
    std::size_t number = 0;
    while (!text.empty()) {
        const auto end = text.find('\n');
        const std::string_view line = trimmed(text.substr(0, end));
        text.remove_prefix(end == text.npos ? text.size() : end + 1);
        const std::string place = where + ", line " + std::to_string(++number);
        if (line.empty() || line.front() == '#') {
            continue;
        }
        const auto time_end = line.find_first_of(" \t");
        std::string_view time = line.substr(0, time_end);
        const auto at = time.find('@');
        const std::string_view name = at == time.npos ? std::string_view() : time.substr(at + 1);
        time = time.substr(0, at);
        const bool is_later = time.starts_with('+');
        if (is_later) {
            time.remove_prefix(1);
        }
        std::int64_t row = 0;
        const auto [stop, problem] = std::from_chars(time.data(), time.data() + time.size(), row);
        const std::int64_t before = script.empty() ? 0 : script.back().row;
        if (problem != std::errc() || stop != time.data() + time.size() || row < 0 || row > kLastRow || (is_later && before + row > kLastRow)) {
            throw Error(ErrorKind::Input, "does not begin with a row", place, "A line looks like: 12 these words, or +5 those, or +0@Document a text");
        }
        row += is_later ? before : 0;
        if (row < before) {
            throw Error(ErrorKind::Input, "goes back from row " + std::to_string(before) + " to row " + std::to_string(row), place);
        }
        const std::string_view words = time_end == line.npos ? std::string_view() : trimmed(line.substr(time_end));
        if (!text::isValidUtf8(words)) {
            throw Error(ErrorKind::Input, "is not valid UTF-8", place);
        }
        script.push_back({row, fedStream(name, layout, place), std::string(words)});
    }
    return script;
}

void schedule(const std::vector<ScriptLine> &script, StreamsRun &run)
{
    for (const ScriptLine &line : script) {
        if (line.words.empty()) {
            run.endTurnAt(line.row, line.stream);
        } else if (line.text == ScriptText::Cell) {
            run.sayCellAt(line.row, line.stream, line.words);
        } else {
            run.sayAt(line.row, line.stream, line.words);
        }
    }
}

}  // namespace braid::streams
