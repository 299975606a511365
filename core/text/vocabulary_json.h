// What the readers and the writers of tokenizer.json share. Internal to core/text. Header only; thread: any.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/text/vocabulary_checks.h"

namespace braid::text {

// The number that stands for `token` in a file.
[[nodiscard]] inline std::int64_t tokenId(const nlohmann::json &value, const std::string &token, const std::string &where)
{
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() >= static_cast<std::uint64_t>(kMaxTokens)) {
        refuse("the token " + inQuotes(token) + " has no usable number", where);
    }
    return value.get<std::int64_t>();
}

// The entries of special tokens that take the numbers from `first_id` on.
[[nodiscard]] inline nlohmann::json specialTokensJson(const std::vector<std::string> &tokens, std::size_t first_id)
{
    nlohmann::json added = nlohmann::json::array();
    for (const std::string &token : tokens) {
        added.push_back({{"id", first_id + added.size()},
                         {"content", token},
                         {"single_word", false},
                         {"lstrip", false},
                         {"rstrip", false},
                         {"normalized", false},
                         {"special", true}});
    }
    return added;
}

// What one byte-pair tokenizer.json has of its own.
struct BytePairParts {
    nlohmann::json added_tokens;
    nlohmann::json normalizer;  // null: texts stay as they are
    nlohmann::json pre_tokenizer;
    nlohmann::json decoder;
    bool ignore_merges = false;  // a piece that is a token is taken whole
    nlohmann::json vocabulary;   // token -> number
    nlohmann::json merges;
};

[[nodiscard]] inline std::string bytePairFile(const BytePairParts &parts)
{
    const nlohmann::json file = {{"version", "1.0"},
                                 {"truncation", nullptr},
                                 {"padding", nullptr},
                                 {"added_tokens", parts.added_tokens},
                                 {"normalizer", parts.normalizer},
                                 {"pre_tokenizer", parts.pre_tokenizer},
                                 {"post_processor", nullptr},
                                 {"decoder", parts.decoder},
                                 {"model",
                                  {{"type", "BPE"},
                                   {"dropout", nullptr},
                                   {"unk_token", nullptr},
                                   {"continuing_subword_prefix", nullptr},
                                   {"end_of_word_suffix", nullptr},
                                   {"fuse_unk", false},
                                   {"byte_fallback", false},
                                   {"ignore_merges", parts.ignore_merges},
                                   {"vocab", parts.vocabulary},
                                   {"merges", parts.merges}}}};
    return file.dump(1) + "\n";
}

}  // namespace braid::text
