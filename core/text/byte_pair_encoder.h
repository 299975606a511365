// Merging byte pairs into tokens, the same for every byte-level BPE vocabulary: as long as two neighbours have a merge, the pair with
// the lowest rank is merged, the leftmost first. A heap over a linked list: n log n, so that a megabyte without a space is no trap.
// Source: Sennrich et al. 2016; openai/gpt-2 encoder.py (order of merges). Thread: const functions from any thread.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace braid::text {

struct TokenMerge {
    std::int32_t left;
    std::int32_t right;
    std::int32_t merged;
    std::int32_t rank = -1;  // the lowest is merged first; -1: its place in the list
};

class BytePairEncoder {
  public:
    BytePairEncoder() = default;
    // `byte_ids`: the token of each single byte. `merges`: of equal pairs the last counts, as in the tables of the libraries that read such lists.
    BytePairEncoder(const std::array<std::int32_t, 256> &byte_ids, std::span<const TokenMerge> merges);

    // A piece that is as a whole in the vocabulary becomes that token, whatever its merges say (tiktoken, "ignore_merges").
    void setWholePieces(std::unordered_map<std::string, std::int32_t> pieces);

    // Appends the tokens of `piece` to `ids`.
    void encode(std::string_view piece, std::vector<std::int32_t> &ids) const;
    // The same from symbols that are tokens already, for vocabularies that do not begin at bytes. At most 2^30 of them.
    void merge(std::span<const std::int32_t> symbols, std::vector<std::int32_t> &ids) const;

  private:
    struct Merge {
        std::int32_t rank;
        std::int32_t merged;
    };
    [[nodiscard]] const Merge *find(std::int32_t left, std::int32_t right) const;

    std::array<std::int32_t, 256> m_byte_ids{};
    std::unordered_map<std::uint64_t, Merge> m_merges;
    std::unordered_map<std::string, std::int32_t> m_whole_pieces;
};

}  // namespace braid::text
