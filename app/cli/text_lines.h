// A text file line by line, as commands read lists of sentences and pairs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "core/base/file.h"

namespace braid::cli {

// Without their ends. Throws Error(Input) where it cannot be read or is larger than `most_bytes`.
[[nodiscard]] inline std::vector<std::string> linesOf(const std::string &file, std::size_t most_bytes = 64u << 20)
{
    const std::string text = readTextFile(file, most_bytes);
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < text.size();) {
        const auto end = std::min(text.find('\n', at), text.size());
        lines.push_back(text.substr(at, end - at));
        if (!lines.back().empty() && lines.back().back() == '\r') {
            lines.back().pop_back();
        }
        at = end + 1;
    }
    return lines;
}

}  // namespace braid::cli
