// Where the vocabulary of a model lies on disk.
#pragma once

#include <cstdint>
#include <filesystem>

namespace braid::weights {

// tokenizer.json, vocab.json with merges.txt, or a *.tiktoken in `folder`, in this order; empty where there is none.
// `n_vocab` chooses between several *.tiktoken files: gpt2.tiktoken for English-only models (51864), else multilingual.tiktoken.
[[nodiscard]] std::filesystem::path tokenizerInFolder(const std::filesystem::path &folder, std::int64_t n_vocab);

// For a model that is a single file: beside it, or in a folder "tokenizers" beside it.
[[nodiscard]] std::filesystem::path tokenizerBesideFile(const std::filesystem::path &file, std::int64_t n_vocab);

}  // namespace braid::weights
