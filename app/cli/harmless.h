// Words of others on a terminal: names of files and what journals and models say may hold sequences that move its cursor, change its title or worse.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace braid::cli {

// `text` (UTF-8) with a question mark for every control character, line feeds among them: it stays one line, and says nothing to a terminal.
[[nodiscard]] inline std::string harmless(std::string_view text)
{
    std::string plain;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const auto byte = static_cast<unsigned char>(text[at]);
        const bool is_c1 =
            byte == 0xC2 && at + 1 < text.size() && static_cast<unsigned char>(text[at + 1]) >= 0x80 && static_cast<unsigned char>(text[at + 1]) < 0xA0;
        plain += byte < 0x20 || byte == 0x7F || is_c1 ? '?' : text[at];
        at += is_c1 ? 1 : 0;
    }
    return plain;
}

}  // namespace braid::cli
