// Byte-level BPE vocabularies as they lie on disk, read into one form. Internal to core/text; WhisperTokenizer is the public face.
// Errors: Error(Model) with `where` and the reason; what is not understood is refused, never read differently. Thread: any.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/text/byte_pair_encoder.h"

namespace braid::text {

enum class TokenKind : std::uint8_t {
    Text = 1,
    Special,  // "<|en|>": never part of a text
    Unused,   // an id between others that no file names
};

struct Vocabulary {
    std::vector<std::string> bytes;  // by id: a text token's bytes, a special token's name
    std::vector<TokenKind> kinds;
    BytePairEncoder encoder;
    std::vector<TokenMerge> merges;  // of a tiktoken file, which does not name them; else empty
    // Text that is one token wherever it stands, before anything is split ("added tokens" that are not special).
    std::vector<std::pair<std::string, std::int32_t>> added_texts;
    bool splits_like_gpt2 = true;

    // Grows the vocabulary where needed. Throws where the id belongs to another token already.
    void setToken(std::int64_t id, std::string token_bytes, TokenKind kind, const std::string &where);
};

// "<|name|>", the only form in which Whisper's special tokens come.
[[nodiscard]] bool looksSpecial(std::string_view token) noexcept;

// OpenAI's format: a line per token, its bytes in base64 and its rank. The ranks are 0, 1, 2, ... and all single bytes are there.
[[nodiscard]] Vocabulary readTiktoken(std::string_view file, const std::string &where);

// Hugging Face's tokenizer.json with a byte-level BPE model, split like GPT-2's or not at all, with nothing that changes the text.
[[nodiscard]] Vocabulary readTokenizerJson(std::string_view file, const std::string &where);

// The older three files; `added_tokens` ({"<|en|>": 50259, ...}) may be empty.
[[nodiscard]] Vocabulary readVocabAndMerges(std::string_view vocab, std::string_view merges, std::string_view added_tokens, const std::string &where);

}  // namespace braid::text
