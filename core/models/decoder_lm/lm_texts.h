// Tokenizer and chat template of a language model: from the files of its folder, or from the metadata of a GGUF file. Errors: Error(Model). Thread: any.
#pragma once

#include <filesystem>
#include <memory>

#include "core/text/chat_template.h"
#include "core/text/language_tokenizer.h"

namespace braid::models::lm {

[[nodiscard]] std::shared_ptr<const text::LanguageTokenizer> tokenizerOf(const std::filesystem::path &model);
// Whether it has a template at all.
[[nodiscard]] bool hasChatTemplate(const std::filesystem::path &model);
[[nodiscard]] text::ChatTemplate chatTemplateOf(const std::filesystem::path &model);

}  // namespace braid::models::lm
