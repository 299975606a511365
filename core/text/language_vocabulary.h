// A language model's tokenizer as its files describe it, in one form for every kind of file. Internal to core/text;
// LanguageTokenizer is the public face. Errors: Error(Model) with `where`; what is not understood is refused, never read differently.
// Thread: any.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/text/added_tokens.h"
#include "core/text/byte_pair_encoder.h"
#include "core/text/text_steps.h"
#include "core/text/token_decoder.h"

namespace braid::text {

struct LanguageVocabulary {
    std::vector<std::string> written;                   // by id, as in the file; empty: no such token
    std::unordered_map<std::string, std::int32_t> ids;  // of what may come out of merging; added tokens have a list of their own
    std::vector<AddedToken> added;
    std::vector<Normaliser> normalisers;
    std::vector<PreTokenizer> pre_tokenizers;  // bytes are what is merged if the last is AsBytes, else characters
    std::vector<TokenMerge> merges;
    DecodeRules decoding;
    std::vector<std::int32_t> before_text;  // around one text, if special tokens are wanted
    std::vector<std::int32_t> after_text;
    std::optional<std::int32_t> unknown;  // for what has no token; else that is left out
    bool fuses_unknown = false;           // several in a row are one
    bool falls_back_to_bytes = false;     // a character without a token becomes its bytes <0xE2>...
    bool prefers_whole_pieces = false;    // "ignore_merges"

    // Grows `written` where needed. Throws where the id belongs to another token already.
    void setToken(std::int64_t id, std::string_view token, const std::string &where);
};

// Hugging Face's tokenizer.json with a BPE model.
[[nodiscard]] LanguageVocabulary readLanguageJson(std::string_view file, const std::string &where);

// SentencePiece's tokenizer.model with a BPE model and text left as it is (Llama 2, Mistral, Gemma, Phi-3).
[[nodiscard]] LanguageVocabulary readSentencePiece(std::string_view file, const std::string &where);

// llama2.c's tokenizer: the longest token's length, then of each token its score, length and text.
[[nodiscard]] LanguageVocabulary readLlama2c(std::string_view file, const std::string &where);

// Ranks (tiktoken's format) of a family known by how many there are: GPT-2, GPT-4, Llama 3, Qwen, GPT-4o.
[[nodiscard]] LanguageVocabulary readLanguageRanks(std::string_view file, const std::string &where);

// SentencePiece's parts, from whichever file they came.
enum class PieceKind : std::uint8_t { Normal = 1, Unknown, Control, UserDefined, Byte, Unused };
struct SentencePiece {
    std::string text;
    float score = 0;
    PieceKind kind = PieceKind::Normal;
};
struct SentencePieceRules {
    bool adds_dummy_prefix = true;
    std::optional<std::int32_t> begin;  // put before a text
};
// Two neighbours may be merged wherever together they are a piece; the highest score first.
[[nodiscard]] LanguageVocabulary fromSentencePieces(const std::vector<SentencePiece> &pieces, const SentencePieceRules &rules, const std::string &where);

}  // namespace braid::text
