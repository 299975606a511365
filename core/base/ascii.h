// Letters of ASCII, whatever the locale: for names, endings and addresses, not for words of people. Thread: any.
#pragma once

#include <algorithm>
#include <string>

namespace braid {

// Every other byte stays as it is.
[[nodiscard]] inline std::string lowerAscii(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return text;
}

}  // namespace braid
