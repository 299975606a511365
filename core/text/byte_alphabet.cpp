#include "core/text/byte_alphabet.h"

#include "core/text/utf8.h"

namespace braid::text {

ByteAlphabet::ByteAlphabet()
{
    m_bytes.fill(-1);
    char32_t next = 0x100;
    for (unsigned byte = 0; byte < 256; ++byte) {
        const bool is_visible = (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
        const char32_t character = is_visible ? byte : next++;
        m_bytes[character] = static_cast<std::int16_t>(byte);
        appendUtf8(m_written[byte], character);
    }
}

std::optional<std::string> ByteAlphabet::bytesOf(std::string_view token) const
{
    std::string bytes;
    for (std::size_t offset = 0; offset < token.size();) {
        const auto character = characterAt(token, offset);
        if (character.state != Utf8State::Valid || character.code_point >= m_bytes.size() || m_bytes[character.code_point] < 0) {
            return std::nullopt;
        }
        bytes += static_cast<char>(m_bytes[character.code_point]);
        offset += character.length;
    }
    return bytes;
}

}  // namespace braid::text
