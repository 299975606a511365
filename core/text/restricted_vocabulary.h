// A part of somebody's byte-level BPE vocabulary, chosen by the texts a model will write: the single bytes, the tokens that are met often
// enough, and everything those are merged from. A token that is met too seldom counts for its two parts, as the smaller vocabulary will
// write it. Texts are cut and merged as before, so a model that knew the whole vocabulary finds its habits again.
// Thread: one. Errors: Error(Model) with the file and the reason.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace braid::text {

class RestrictedVocabulary {
  public:
    // `tiktoken`: the whole vocabulary (gpt2.tiktoken).
    explicit RestrictedVocabulary(const std::filesystem::path &tiktoken);
    ~RestrictedVocabulary();

    // Counts the tokens of a text, with a space before it as words have it.
    void add(std::string_view text);

    struct Choice {
        std::string tokenizer_json;  // a Whisper's tokenizer.json; ids: the bytes, the tokens, the special tokens
        std::int64_t tokens = 0;     // of all kinds
        std::int64_t seldom = 0;     // of these, met less often than asked for, and kept because others are merged from them
    };
    // Tokens met at least `least` times.
    [[nodiscard]] Choice choose(std::int64_t least, const std::vector<std::string> &special_tokens) const;
    [[nodiscard]] std::int64_t counted() const noexcept;  // tokens of the texts

  private:
    struct Data;
    std::unique_ptr<Data> m_data;
};

}  // namespace braid::text
