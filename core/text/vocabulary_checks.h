// What every reader of a vocabulary checks, and how it says no. Internal to core/text. Header only; thread: any.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/base/error.h"
#include "core/text/utf8.h"

namespace braid::text {

using IdOfToken = std::unordered_map<std::string, std::int32_t>;

inline constexpr std::int64_t kMaxTokens = 2000000;
inline constexpr std::size_t kMaxTokenBytes = 512;

[[noreturn]] inline void refuse(const std::string &happened, const std::string &where)
{
    throw Error(ErrorKind::Model, happened, where, "The vocabulary is damaged or of another kind of model");
}

[[nodiscard]] inline std::string inQuotes(std::string_view token)
{
    return "\"" + toValidUtf8(token.substr(0, 60)) + "\"";
}

// The tokens of the 256 bytes, from a table of tokens by their bytes; every one must be there.
[[nodiscard]] inline std::array<std::int32_t, 256> singleByteIds(const IdOfToken &ids, const std::string &where)
{
    std::array<std::int32_t, 256> byte_ids{};
    for (int byte = 0; byte < 256; ++byte) {
        const auto position = ids.find(std::string(1, static_cast<char>(byte)));
        if (position == ids.end()) {
            refuse("the vocabulary has no token for the byte " + std::to_string(byte), where);
        }
        byte_ids[static_cast<std::size_t>(byte)] = position->second;
    }
    return byte_ids;
}

// Calls `use` with every line, without its end.
template <typename Use>
void forEachLine(std::string_view file, const Use &use)
{
    while (!file.empty()) {
        const auto end = std::min(file.find('\n'), file.size());
        auto line = file.substr(0, end);
        file.remove_prefix(std::min(end + 1, file.size()));
        if (!line.empty() && line.back() == '\r') {
            line.remove_suffix(1);
        }
        use(line);
    }
}

}  // namespace braid::text
