// The normalizer, pre_tokenizer and decoder of a tokenizer.json. Internal to core/text. Errors: Error(Model). Thread: any.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/text/text_steps.h"
#include "core/text/token_decoder.h"

namespace braid::text {

// Throws where `object` is none, or has a key that is not among `keys`.
void requireKeys(const nlohmann::json &object, std::initializer_list<std::string_view> keys, const std::string &what, const std::string &where);

void readNormaliser(const nlohmann::json &part, std::vector<Normaliser> &steps, const std::string &where);
// ByteLevel, where there is one, is the last step.
void readPreTokenizer(const nlohmann::json &part, std::vector<PreTokenizer> &steps, const std::string &where);
[[nodiscard]] DecodeRules readDecoder(const nlohmann::json &part, const std::string &where);

}  // namespace braid::text
