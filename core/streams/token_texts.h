// What a session, a table and a packing need to know of a tokenizer; models bring theirs, tests a small one. Thread: const from any.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace braid::streams {

class TokenTexts {
  public:
    virtual ~TokenTexts() = default;
    // A text as it stands, its leading space included; special tokens only where `special` says so (people must not end a turn by typing).
    enum class Specials : std::uint8_t { PlainText = 1, Recognised };
    [[nodiscard]] virtual std::vector<std::int32_t> encode(std::string_view text, Specials specials) const = 0;
    // What the token adds to a text (" cat"); bytes, perhaps of part of a character.
    [[nodiscard]] virtual std::string text(std::int32_t token) const = 0;
    [[nodiscard]] virtual std::int32_t size() const = 0;  // tokens are 0 .. size - 1
};

}  // namespace braid::streams
