// Lists of how words are written (core/text/word_rules.h): a person's own, and the one of profanity that comes with Braid (resources/words). Thread: any.
// Errors: Error(Input), with the file and what to do.
#pragma once

#include <filesystem>

#include "core/text/word_rules.h"

namespace braid::models {

[[nodiscard]] text::WordRules readWordRules(const std::filesystem::path &file);
// English; nothing where it was taken out of the installation.
[[nodiscard]] text::WordRules profanityInTheBox();

}  // namespace braid::models
