// Learns a byte-level BPE vocabulary from texts and writes it as a tokenizer.json that LanguageTokenizer and Hugging Face's tokenizers
// read: text in normal form C, cut as Qwen2 cuts it (numbers digit by digit), then byte pairs merged, the most frequent first.
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

class TokenizerLearner {
  public:
    // Counts the pieces of a text `times` times.
    void add(std::string_view text, std::int64_t times = 1);

    // Ids: the 256 bytes, the merged pairs in order, the special tokens. `size` counts all of them; fewer come out where no pair is
    // left that stands twice.
    [[nodiscard]] std::string json(std::int32_t size, const std::vector<std::string> &special_tokens) const;

  private:
    std::unordered_map<std::string, std::int64_t> m_pieces;
};

}  // namespace braid::text
