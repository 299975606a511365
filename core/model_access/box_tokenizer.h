// Whisper's two vocabularies come with Braid (resources/tokenizers), so that OpenAI's .pt needs nothing beside it. Thread: any.
#pragma once

#include <cstdint>
#include <filesystem>

namespace braid::models {

// gpt2.tiktoken for English-only models (51864 tokens), multilingual.tiktoken for 51865 and 51866; empty for a vocabulary of another size.
[[nodiscard]] std::filesystem::path tokenizerInTheBox(std::int64_t n_vocab);

}  // namespace braid::models
