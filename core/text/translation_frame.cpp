#include "core/text/translation_frame.h"

#include <string>

namespace braid::text {

std::optional<TranslationFrame> TranslationFrame::of(std::shared_ptr<const LanguageTokenizer> tokenizer)
{
    const auto source = tokenizer->idOf(kSource);
    const auto target = tokenizer->idOf(kTarget);
    const auto end = tokenizer->idOf(kEnd);
    if (!source || !target || !end) {
        return std::nullopt;
    }
    TranslationFrame frame;
    frame.m_tokenizer = std::move(tokenizer);
    frame.m_source = *source;
    frame.m_target = *target;
    frame.m_end = *end;
    return frame;
}

std::vector<std::int32_t> TranslationFrame::textTokens(std::string_view text) const
{
    LanguageTokenizer::EncodeOptions options;
    options.special = SpecialTexts::PlainText;
    return text.empty() || text.front() == ' ' ? m_tokenizer->encode(text, options) : m_tokenizer->encode(" " + std::string(text), options);
}

std::vector<std::int32_t> TranslationFrame::begun(std::int32_t mark, std::string_view context) const
{
    std::vector<std::int32_t> tokens = {mark};
    if (!context.empty()) {
        const std::vector<std::int32_t> before = textTokens(context);
        tokens.insert(tokens.end(), before.begin(), before.end());
        tokens.push_back(m_end);
    }
    return tokens;
}

std::vector<std::int32_t> TranslationFrame::prompt(std::string_view context) const
{
    return begun(m_source, context);
}

std::vector<std::int32_t> TranslationFrame::header(std::string_view context) const
{
    return begun(m_target, context);
}

}  // namespace braid::text
