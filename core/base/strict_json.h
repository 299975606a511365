// JSON from strangers: read whole, or refused with a sentence. Duplicate keys (which nlohmann would silently merge) and nesting
// deeper than any file of ours needs are errors. Header only; thread: any.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/error.h"

namespace braid {

// Throws Error(`kind`) naming `where`. `max_depth`: objects and arrays within each other.
[[nodiscard]] inline nlohmann::json parseStrictJson(std::string_view text, const std::string &where, ErrorKind kind = ErrorKind::Model, int max_depth = 32)
{
    using nlohmann::json;
    std::vector<std::set<std::string>> keys;  // of every open object
    const auto check = [&](int depth, json::parse_event_t event, json &parsed) {
        switch (event) {
        case json::parse_event_t::object_start:
            keys.emplace_back();
            [[fallthrough]];
        case json::parse_event_t::array_start:
            if (depth >= max_depth) {
                throw Error(kind, "its JSON is nested too deeply", where);
            }
            break;
        case json::parse_event_t::object_end:
            keys.pop_back();
            break;
        case json::parse_event_t::key:
            if (!keys.back().insert(parsed.get_ref<const std::string &>()).second) {
                throw Error(kind, "\"" + parsed.get<std::string>().substr(0, 100) + "\" stands in it twice", where);
            }
            break;
        default:
            break;
        }
        return true;
    };
    try {
        return json::parse(text.begin(), text.end(), check);
    } catch (const json::exception &problem) {
        // nlohmann's own words: "[json.exception.parse_error.101] parse error at line 1, column 5: ..."
        const std::string_view words = problem.what();
        const auto after_tag = words.find("] ");
        throw Error(kind, "is not valid JSON: " + std::string(after_tag == words.npos ? words : words.substr(after_tag + 2)).substr(0, 200), where);
    }
}

}  // namespace braid
