// Groups the tokens of a live decoding into words, without times. Torch header (through the model).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/models/whisper/whisper_model.h"
#include "core/text/transcript.h"

namespace braid::models::whisper {

// Special tokens are skipped; punctuation joins its word; a word's probability is the mean of its tokens'. Never inside a character.
[[nodiscard]] std::vector<text::Word> spokenWords(const Model &model, std::span<const text::Token> tokens, const std::string &language);

}  // namespace braid::models::whisper
