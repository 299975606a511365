// Learns a byte-level vocabulary from texts and writes it as a tokenizer.json that LanguageTokenizer and Hugging Face's tokenizers
// read. Either byte pairs merged, the most frequent first, of text in normal form C cut as Qwen2 cuts it (numbers digit by digit); or, for a
// small closed language, every piece a token, cut as GPT-2 cuts it (" 42" is one piece), anything else in bytes.
// Source: Sennrich, Haddow and Birch 2016, algorithm 1, over the counts of distinct pieces; counts are kept up to date by touching only
// the pieces in which a pair stands. Equal texts give equal files: of pairs as frequent as each other the one with the lower ids is
// merged first. Thread: one. Errors: Error(Usage) for a vocabulary too small to hold the bytes and the special tokens.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace braid::text {

enum class TokenizerPieces : std::uint8_t {
    Merged = 1,  // byte pairs
    Whole,       // every piece that was added is a token
};

class TokenizerLearner {
  public:
    explicit TokenizerLearner(TokenizerPieces pieces = TokenizerPieces::Merged)
        : m_kind(pieces)
    {
    }

    // Counts the pieces of a text `times` times.
    void add(std::string_view text, std::int64_t times = 1);

    // Ids: the 256 bytes, the merged pairs in order (whole pieces: by their bytes), the special tokens. `size` counts all of them; fewer come
    // out where no pair is left that stands twice, or there are fewer pieces. Of too many whole pieces the most frequent are taken.
    [[nodiscard]] std::string json(std::int32_t size, const std::vector<std::string> &special_tokens) const;

  private:
    TokenizerPieces m_kind;
    std::unordered_map<std::string, std::int64_t> m_pieces;
};

}  // namespace braid::text
