// From tokens back to text, by the rules a tokenizer.json names, so far as they can be followed token by token. Internal to core/text.
// Thread: any.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace braid::text {

enum class TokenWriting : std::uint8_t {
    ByteAlphabet = 1,  // each token is bytes in GPT-2's alphabet
    Pieces,            // each token is text with a mark for spaces; bytes of characters that are no token stand as <0xE2>
};

struct DecodeRules {
    TokenWriting writing = TokenWriting::ByteAlphabet;
    std::vector<std::pair<std::string, std::string>> replacements;  // in each token, in order
    bool has_byte_tokens = false;                                   // <0xE2> is a byte
    int leading_strip = 0;                                          // how many of `strip_text` at the beginning of the text are dropped
    std::string strip_text = " ";
    std::string first_token_mark;  // dropped wherever it stands in the first token ("Metaspace"); empty: nothing is
};

// The byte that a token like "<0xE2>" stands for.
[[nodiscard]] std::optional<unsigned char> byteOfToken(std::string_view token) noexcept;

// One token's share of the text. A byte is kept apart: what follows decides whether it becomes a character.
struct DecodedToken {
    std::string bytes;
    bool is_byte = false;
};
[[nodiscard]] DecodedToken decodeToken(const DecodeRules &rules, std::string_view written, bool is_first);

// A whole text, exactly as Hugging Face's tokenizers decode it: broken bytes become U+FFFD (one for each byte of a run of byte tokens
// that is not valid as a whole, else one for each broken sequence).
[[nodiscard]] std::string decodeAll(const DecodeRules &rules, const std::vector<std::string_view> &written);

// Token after token, never half a character; what came out stays. Equal to decodeAll but where a run of byte tokens is broken: here
// its whole characters are kept.
class TokenStream {
  public:
    explicit TokenStream(DecodeRules rules);
    [[nodiscard]] std::string push(std::string_view written);
    [[nodiscard]] std::string finish();

  private:
    [[nodiscard]] std::string released(std::string text);
    [[nodiscard]] std::string drained(bool is_all);

    DecodeRules m_rules;
    std::string m_pending;  // bytes of a character that is not whole yet
    bool m_is_first = true;
    int m_to_strip = 0;
};

}  // namespace braid::text
