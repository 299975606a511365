// What the readers of tokenizer.json share. Internal to core/text. Header only; thread: any.
#pragma once

#include <cstdint>
#include <string>

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

}  // namespace braid::text
