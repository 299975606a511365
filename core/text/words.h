// The words of a text as white space parts them (space, tab, line breaks). Thread: any.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace braid::text {

[[nodiscard]] std::vector<std::string> wordsOf(std::string_view text);

}  // namespace braid::text
