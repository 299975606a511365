// Added tokens: texts that are one token wherever they stand, found before (or after) the text is normalised, and cut out of it.
// Matching is that of Hugging Face's tokenizers 0.23: leftmost, then longest; flags may take the white space beside them along.
// Internal to core/text. Thread: const functions from any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace braid::text {

struct AddedToken {
    std::int32_t id = 0;
    std::string content;
    bool is_special = false;       // control, not text
    bool is_single_word = false;   // only where no word character stands beside it
    bool takes_left = false;       // lstrip: the white space before it goes with it
    bool takes_right = false;      // rstrip
    bool is_normalised = false;    // looked for in the normalised text
    bool has_normal_form = false;  // its content is in normal form already (SentencePiece)
};

// Bytes of a text.
struct TextRange {
    std::size_t start = 0;
    std::size_t end = 0;
};

class AddedTokenMatcher {
  public:
    // Looks for `token.content`, or for `as` where given (its normalised form). Not for an empty text.
    void add(const AddedToken &token, std::string_view as);

    struct Part {
        std::size_t start = 0;
        std::size_t end = 0;
        std::int32_t id = -1;  // -1: text between tokens
    };
    enum class Special : std::uint8_t { Recognised = 1, AsText };
    // Parts in order. An empty text is one empty part. `plain`: where special tokens are text in any case; in order, apart from each other.
    [[nodiscard]] std::vector<Part> split(std::string_view text, Special special, std::span<const TextRange> plain = {}) const;

  private:
    [[nodiscard]] const AddedToken *longestAt(std::string_view text, std::size_t offset, std::size_t &length) const;

    std::vector<AddedToken> m_tokens;
    std::unordered_map<std::uint64_t, std::uint32_t> m_edges;  // node << 8 | byte -> node
    std::vector<std::int32_t> m_token_of_node{-1};             // index into m_tokens; -1: no token ends here
};

}  // namespace braid::text
