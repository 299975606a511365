#include "core/text/words.h"

#include <algorithm>

namespace braid::text {

std::vector<std::string> wordsOf(std::string_view text)
{
    constexpr std::string_view kWhiteSpace = " \t\n\v\f\r";
    std::vector<std::string> words;
    for (std::size_t begin = text.find_first_not_of(kWhiteSpace); begin != text.npos;) {
        const std::size_t end = std::min(text.find_first_of(kWhiteSpace, begin), text.size());
        words.emplace_back(text.substr(begin, end - begin));
        begin = text.find_first_not_of(kWhiteSpace, end);
    }
    return words;
}

}  // namespace braid::text
