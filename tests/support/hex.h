// Bytes that a JSON file keeps as hexadecimal digits, because they are not always UTF-8.
#pragma once

#include <string>

namespace braid::test {

inline std::string fromHex(const std::string &hex)
{
    std::string bytes;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
        bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
    }
    return bytes;
}

}  // namespace braid::test
