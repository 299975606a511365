// The tokenizer in a GGUF file, for tests only: tokens, scores, kinds and merges of the vocabularies in shared/data/tokenizers/vectors.
#pragma once

#include <cstdint>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace braid::test {

struct GgufVocabulary {
    std::vector<std::string> tokens;
    std::vector<float> scores;
    std::vector<std::int32_t> kinds;  // 1 normal, 2 unknown, 3 control, 4 user-defined, 5 unused, 6 byte
    std::vector<std::string> merges;
};

class GgufReader {
  public:
    explicit GgufReader(const std::string &path)
    {
        std::ifstream file(path, std::ios::binary);
        std::stringstream all;
        all << file.rdbuf();
        m_bytes = all.str();
    }
    GgufVocabulary read()
    {
        GgufVocabulary vocabulary;
        m_at = 4 + 4 + 8;  // magic, version, tensors
        for (auto count = number<std::uint64_t>(); count > 0; --count) {
            const auto key = text();
            const auto type = number<std::uint32_t>();
            if (type == kList) {
                readList(key, vocabulary);
            } else {
                skip(type);
            }
        }
        return vocabulary;
    }

  private:
    static constexpr std::uint32_t kText = 8;
    static constexpr std::uint32_t kList = 9;

    template <typename Number>
    Number number()
    {
        Number value;
        std::memcpy(&value, m_bytes.substr(m_at, sizeof value).data(), sizeof value);
        m_at += sizeof value;
        return value;
    }
    std::string text()
    {
        const auto length = number<std::uint64_t>();
        m_at += length;
        return m_bytes.substr(m_at - length, length);
    }
    void skip(std::uint32_t type)
    {
        static constexpr std::size_t sizes[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
        if (type == kText) {
            (void)text();
        } else {
            m_at += sizes[type];
        }
    }
    void readList(const std::string &key, GgufVocabulary &vocabulary)
    {
        const auto type = number<std::uint32_t>();
        for (auto count = number<std::uint64_t>(); count > 0; --count) {
            if (key == "tokenizer.ggml.tokens") {
                vocabulary.tokens.push_back(text());
            } else if (key == "tokenizer.ggml.merges") {
                vocabulary.merges.push_back(text());
            } else if (key == "tokenizer.ggml.scores") {
                vocabulary.scores.push_back(number<float>());
            } else if (key == "tokenizer.ggml.token_type") {
                vocabulary.kinds.push_back(number<std::int32_t>());
            } else {
                skip(type);
            }
        }
    }

    std::string m_bytes;
    std::size_t m_at = 0;
};

}  // namespace braid::test
