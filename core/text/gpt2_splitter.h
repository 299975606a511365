// GPT-2's way of cutting text into pieces before byte pairs are merged; Whisper's tokenizers use it unchanged.
//   's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
// Source: openai/gpt-2 encoder.py; openai/whisper tokenizer.py. Written by hand over a small table, so that no regular expression
// library with Unicode is needed. Linear in the text. Thread: any.
#pragma once

#include <string_view>
#include <vector>

namespace braid::text {

// Pieces in order; together they are `text`. Each broken UTF-8 byte counts as a character that is no letter, number or space.
[[nodiscard]] std::vector<std::string_view> splitLikeGpt2(std::string_view text);

}  // namespace braid::text
