// The tokenizer that a GGUF file states in its metadata, as a LanguageTokenizer: byte-level BPE cut as the families of GPT-2, Llama 3, Qwen2 and GPT-4o cut
// (Phi-4-mini), or SentencePiece's BPE (Llama 2, Phi-3, Gemma). What is not known is refused, never read differently. Thread: any. Errors: Error(Model).
// Source: llama.cpp, gguf-py/gguf/constants.py (tokenizer.ggml.*) and src/llama-vocab.cpp (how each kind of splitting is called).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/text/language_tokenizer.h"

namespace braid::text {

// By token: text, and of which kind it is (1 normal, 2 unknown, 3 control, 4 user-defined, 5 unused, 6 byte).
struct GgufVocabulary {
    std::string model;      // "gpt2" (byte-level BPE) or "llama" (SentencePiece's BPE)
    std::string splitting;  // tokenizer.ggml.pre: "llama-bpe", "qwen2", ...
    std::vector<std::string> tokens;
    std::vector<std::int32_t> kinds;  // empty: all normal
    std::vector<float> scores;        // of "llama"
    std::vector<std::string> merges;  // of "gpt2": "left right", best first
    std::optional<std::int32_t> begin;
    std::optional<bool> adds_begin;  // where not said, as llama.cpp has it
    bool adds_space_prefix = true;   // of "llama"
};

[[nodiscard]] std::shared_ptr<const LanguageTokenizer> makeTokenizer(const GgufVocabulary &vocabulary, const std::string &where);

}  // namespace braid::text
