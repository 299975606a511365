// How the families of language models cut text into pieces before byte pairs are merged. Each is a regular expression in the model's
// tokenizer.json; the known ones are written by hand here, over a small table, and any other is refused: std::regex knows no Unicode,
// and a pattern nearly understood gives ids nearly right. Linear in the text. Thread: any.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace braid::text {

enum class SplitPattern : std::uint8_t {
    Gpt2 = 1,  // GPT-2, and every Whisper
    Cl100k,    // GPT-4, Llama 3, Phi-4: numbers in groups of three
    Qwen2,     // Qwen2, 2.5, 3: numbers digit by digit
    Qwen35,    // Qwen3.5: marks belong to letters
    O200k,     // GPT-4o, Phi-4-mini: a capital begins a new piece
};

// The pattern that this regular expression is, in any of the spellings in which it is found in files; nullopt for any other.
[[nodiscard]] std::optional<SplitPattern> knownSplitPattern(std::string_view regular_expression);

// Pieces in order; together they are `text`. Each broken UTF-8 byte counts as a character that is no letter, number or space.
[[nodiscard]] std::vector<std::string_view> splitBy(SplitPattern pattern, std::string_view text);

}  // namespace braid::text
