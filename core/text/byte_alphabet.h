// GPT-2 writes bytes as visible characters: printable Latin-1 as itself, the other 68 in order from U+0100. Hugging Face's byte-level
// vocabularies are written so. Source: openai/gpt-2 encoder.py. Thread: any.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace braid::text {

class ByteAlphabet {
  public:
    ByteAlphabet();
    // The bytes that a token of a vocabulary stands for; nullopt where it is not written in that alphabet.
    [[nodiscard]] std::optional<std::string> bytesOf(std::string_view token) const;
    // The character, in UTF-8, that stands for a byte.
    [[nodiscard]] const std::string &written(unsigned char byte) const { return m_written[byte]; }

  private:
    std::array<std::int16_t, 0x200> m_bytes{};  // by code point; -1: none
    std::array<std::string, 256> m_written;
};

}  // namespace braid::text
