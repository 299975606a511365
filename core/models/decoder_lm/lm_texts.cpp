#include "core/models/decoder_lm/lm_texts.h"

#include <cmath>

#include "core/base/error.h"
#include "core/text/gguf_vocabulary.h"
#include "core/weights/gguf_file.h"

namespace braid::models::lm {
namespace {

constexpr const char *kTemplate = "tokenizer.chat_template";
constexpr const char *kTokens = "tokenizer.ggml.tokens";
constexpr const char *kBegin = "tokenizer.ggml.bos_token_id";

text::GgufVocabulary vocabularyOf(const weights::GgufFile &file)
{
    text::GgufVocabulary vocabulary;
    vocabulary.model = file.text("tokenizer.ggml.model").value_or("");
    vocabulary.splitting = file.text("tokenizer.ggml.pre").value_or("");
    vocabulary.tokens.assign(file.texts(kTokens).begin(), file.texts(kTokens).end());
    vocabulary.merges.assign(file.texts("tokenizer.ggml.merges").begin(), file.texts("tokenizer.ggml.merges").end());
    for (const double kind : file.numbers("tokenizer.ggml.token_type")) {
        vocabulary.kinds.push_back(kind >= 1 && kind <= 6 ? static_cast<std::int32_t>(kind) : 0);
    }
    for (const double score : file.numbers("tokenizer.ggml.scores")) {
        vocabulary.scores.push_back(std::isfinite(score) ? static_cast<float>(score) : NAN);
    }
    if (const auto begin = file.whole(kBegin)) {
        vocabulary.begin = *begin >= 0 && *begin <= INT32_MAX ? static_cast<std::int32_t>(*begin) : -1;
    }
    vocabulary.adds_begin = file.flag("tokenizer.ggml.add_bos_token");
    vocabulary.adds_space_prefix = file.flag("tokenizer.ggml.add_space_prefix").value_or(true);
    return vocabulary;
}

}  // namespace

std::shared_ptr<const text::LanguageTokenizer> tokenizerOf(const std::filesystem::path &model)
{
    if (!weights::isGguf(model)) {
        return text::LanguageTokenizer::load(model);
    }
    const weights::GgufFile file(model);
    return text::makeTokenizer(vocabularyOf(file), file.where());
}

bool hasChatTemplate(const std::filesystem::path &model)
{
    return weights::isGguf(model) ? weights::GgufFile(model).text(kTemplate).has_value() : text::hasChatTemplate(model);
}

text::ChatTemplate chatTemplateOf(const std::filesystem::path &model)
{
    if (!weights::isGguf(model)) {
        return text::loadChatTemplate(model);
    }
    const weights::GgufFile file(model);
    const auto source = file.text(kTemplate);
    if (!source) {
        throw Error(ErrorKind::Model, "there is no chat template in this file", file.where(),
                    "A model without one was not trained on conversations; use it without turns");
    }
    const auto begin = file.whole(kBegin);
    const auto &tokens = file.texts(kTokens);
    const bool has_begin = begin && *begin >= 0 && static_cast<std::size_t>(*begin) < tokens.size();
    return text::recogniseChatTemplate(*source, has_begin ? tokens[static_cast<std::size_t>(*begin)] : std::string_view(), file.where());
}

}  // namespace braid::models::lm
