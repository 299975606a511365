#include "core/models/decoder_lm/translation_layout.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/models/decoder_lm/lm_texts.h"
#include "core/text/chat_template.h"
#include "core/text/languages.h"
#include "core/weights/huggingface_lm.h"

namespace braid::models::lm {
namespace {

using text::AssistantTurn;
using text::ChatMessage;
using text::ChatPart;
using text::ChatRole;

std::string instruction(std::string_view source_language, std::string_view target_language)
{
    const auto nameOf = [](std::string_view code) {
        const std::string_view name = text::languageName(code);
        if (name.empty()) {
            throw Error(ErrorKind::Usage, "\"" + std::string(code.substr(0, 40)) + "\" is no language this program knows", {},
                        "Give a code such as en, fr or de");
        }
        return std::string(name);
    };
    return "Translate the following " + nameOf(source_language) + " paragraph to " + nameOf(target_language);
}

// Models that think before they answer are told that they have.
constexpr std::string_view kNoThoughts = "<think>\n\n</think>\n\n";

struct ChatPieces {
    std::vector<ChatPart> before_source;
    std::vector<ChatPart> after_source;
    std::vector<ChatPart> before_target;
};

ChatPieces piecesOf(const text::ChatTemplate &chat, const std::string &task)
{
    const bool has_system = chat.system == text::SystemTurn::OwnTurn;
    std::vector<ChatMessage> messages;
    if (has_system) {
        messages.push_back({ChatRole::System, task});
    }
    messages.push_back({ChatRole::User, "source"});
    ChatPieces pieces;
    pieces.before_source = text::writeChat(chat, messages, AssistantTurn::Begun);
    pieces.before_source.pop_back();  // the marks behind the source, written below
    pieces.before_source.pop_back();  // the source
    if (!has_system) {
        pieces.before_source.push_back({task + "\n", false});
    }
    pieces.after_source = {{chat.after_content, true}};
    pieces.before_target = {
        {chat.before_role + chat.assistant + chat.after_role + (chat.thinking == text::Thinking::None ? std::string() : std::string(kNoThoughts)), true}};
    return pieces;
}

}  // namespace

TranslationLayout TranslationLayout::of(const std::filesystem::path &folder, std::shared_ptr<const text::LanguageTokenizer> tokenizer,
                                        std::string_view source_language, std::string_view target_language, Unmarked unmarked)
{
    TranslationLayout layout(std::move(tokenizer));
    layout.m_frame = text::TranslationFrame::of(layout.m_tokenizer);
    if (layout.m_frame) {
        layout.m_end_of_source = {layout.m_frame->end()};
        layout.m_end_of_target = layout.m_frame->end();
        return layout;
    }
    const bool has_template = hasChatTemplate(folder);
    if (!has_template && (unmarked == Unmarked::Spelled || weights::readLmConfig(folder).translation)) {
        layout.spellMarks(folder);
        return layout;
    }
    const ChatPieces pieces = piecesOf(chatTemplateOf(folder), instruction(source_language, target_language));
    layout.m_chat.source = text::encodeChat(*layout.m_tokenizer, pieces.before_source);
    layout.m_chat.target = text::encodeChat(*layout.m_tokenizer, pieces.before_target);
    layout.m_end_of_source = text::encodeChat(*layout.m_tokenizer, pieces.after_source);
    const auto end = std::find_if(layout.m_end_of_source.begin(), layout.m_end_of_source.end(),
                                  [&layout](std::int32_t token) { return layout.m_tokenizer->isSpecial(token); });
    if (end == layout.m_end_of_source.end()) {
        throw Error(ErrorKind::Model, "its tokenizer has no token that ends a turn of its chat template", folder.string(),
                    "The tokenizer belongs to another model");
    }
    layout.m_end_of_target = *end;
    return layout;
}

// As text, letter by letter where the vocabulary knows no better: every tokenizer can write them.
void TranslationLayout::spellMarks(const std::filesystem::path &folder)
{
    const std::vector<std::int32_t> ends = weights::readLmConfig(folder).end_tokens;
    const auto end = std::find_if(ends.begin(), ends.end(), [this](std::int32_t token) { return m_tokenizer->isSpecial(token); });
    if (end == ends.end()) {
        throw Error(ErrorKind::Model, "it has neither a chat template nor a token that ends a text (\"eos_token_id\")", folder.string(),
                    "Take a model that has one of them");
    }
    m_chat = {plainTokens(text::TranslationFrame::kSource), plainTokens(text::TranslationFrame::kTarget)};
    m_end_of_source = plainTokens(text::TranslationFrame::kEnd);
    m_end_of_target = *end;
}

TranslationLayout::Beginning TranslationLayout::beginning(const translation::TranslationContext &context) const
{
    if (m_frame) {
        return {m_frame->prompt(context.source), m_frame->header(context.target)};
    }
    // A chat model sees one paragraph that goes on.
    Beginning beginning = m_chat;
    const auto append = [this](std::vector<std::int32_t> &tokens, std::string_view before) {
        const std::vector<std::int32_t> more = plainTokens(before);
        tokens.insert(tokens.end(), more.begin(), more.end());
    };
    append(beginning.source, context.source);
    append(beginning.target, context.target);
    return beginning;
}

std::vector<std::int32_t> TranslationLayout::unitTokens(std::string_view unit) const
{
    return m_frame ? m_frame->textTokens(unit) : plainTokens(unit);
}

std::vector<std::int32_t> TranslationLayout::plainTokens(std::string_view text) const
{
    text::LanguageTokenizer::EncodeOptions options;
    options.special = text::SpecialTexts::PlainText;
    options.position = text::TextPosition::Continues;
    return text.empty() ? std::vector<std::int32_t>() : m_tokenizer->encode(text, options);
}

bool TranslationLayout::isEnd(std::int32_t token) const
{
    return m_frame ? token == m_frame->end() || m_tokenizer->isSpecial(token) : m_tokenizer->isSpecial(token);
}

bool canTranslate(const std::filesystem::path &folder) noexcept
{
    try {
        static_cast<void>(TranslationLayout::of(folder, tokenizerOf(folder), "en", "fr"));
        return true;
    } catch (const std::exception &) {
        return false;
    }
}

}  // namespace braid::models::lm
