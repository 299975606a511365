#include "core/text/chat_template.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/text/unicode_classes.h"
#include "core/text/utf8.h"

namespace braid::text {
namespace {

bool isPythonSpace(char32_t point)
{
    return characterClass(point) == CharacterClass::Space || (point >= 0x1C && point <= 0x1F);
}

// Python's str.strip().
std::string_view trimmed(std::string_view text)
{
    std::size_t first = text.size();
    std::size_t last = 0;
    for (std::size_t offset = 0; offset < text.size();) {
        const auto character = characterAt(text, offset);
        if (!(character.state == Utf8State::Valid && isPythonSpace(character.code_point))) {
            first = std::min(first, offset);
            last = offset + character.length;
        }
        offset += character.length;
    }
    return first >= last ? std::string_view() : text.substr(first, last - first);
}

std::string_view withoutLineEnds(std::string_view text, bool at_start, bool at_end)
{
    while (at_start && text.starts_with('\n')) {
        text.remove_prefix(1);
    }
    while (at_end && text.ends_with('\n')) {
        text.remove_suffix(1);
    }
    return text;
}

// An answer's thoughts and its words (Qwen3): what stands before the last </think>, and what after it.
struct Answer {
    std::string thoughts;
    std::string words;
};

Answer parted(std::string_view content)
{
    constexpr std::string_view open = "<think>";
    constexpr std::string_view close = "</think>";
    const auto first_close = content.find(close);
    if (first_close == content.npos) {
        return {{}, std::string(content)};
    }
    auto thoughts = withoutLineEnds(content.substr(0, first_close), false, true);
    if (const auto last_open = thoughts.rfind(open); last_open != thoughts.npos) {
        thoughts.remove_prefix(last_open + open.size());
    }
    return {std::string(withoutLineEnds(thoughts, true, true)), std::string(withoutLineEnds(content.substr(content.rfind(close) + close.size()), true, false))};
}

// Turn by turn into parts.
class ChatWriter {
  public:
    explicit ChatWriter(const ChatTemplate &chat)
        : m_chat(chat)
    {
        mark(chat.begin);
    }
    void begin(std::string_view role) { mark(m_chat.before_role + std::string(role) + m_chat.after_role); }
    void turn(std::string_view role, std::string_view content)
    {
        begin(role);
        words(content);
        mark(m_chat.after_content);
    }
    void mark(std::string_view text) { append(text, true); }
    void words(std::string_view text) { append(text, false); }
    std::vector<ChatPart> take() { return std::move(m_parts); }

  private:
    void append(std::string_view text, bool is_mark)
    {
        if (text.empty()) {
            return;
        }
        if (!m_parts.empty() && m_parts.back().is_mark == is_mark) {
            m_parts.back().text += text;
        } else {
            m_parts.push_back({std::string(text), is_mark});
        }
    }
    const ChatTemplate &m_chat;
    std::vector<ChatPart> m_parts;
};

void requireAlternating(std::span<const ChatMessage> messages, const ChatTemplate &chat)
{
    for (std::size_t i = 0; i < messages.size(); ++i) {
        if (chat.must_alternate && (messages[i].role == ChatRole::User) != (i % 2 == 0)) {
            throw Error(ErrorKind::Usage, "this model's conversations must alternate between user and assistant, beginning with the user", chat.name);
        }
    }
}

std::size_t lastUserTurn(std::span<const ChatMessage> messages)
{
    for (auto i = messages.size(); i-- > 0;) {
        if (messages[i].role == ChatRole::User) {
            return i;
        }
    }
    return messages.empty() ? 0 : messages.size() - 1;
}

void writeAssistant(ChatWriter &writer, const ChatTemplate &chat, std::span<const ChatMessage> messages, std::size_t index, std::string_view content)
{
    if (chat.thinking == Thinking::None) {
        writer.turn(chat.assistant, content);
        return;
    }
    const auto answer = parted(content);
    const bool shows_thoughts = index > lastUserTurn(messages) && (index + 1 == messages.size() || !answer.thoughts.empty());
    if (!shows_thoughts) {
        writer.turn(chat.assistant, answer.words);
        return;
    }
    writer.begin(chat.assistant);
    writer.mark("<think>\n");
    writer.words(answer.thoughts);
    writer.mark("\n</think>\n\n");
    writer.words(withoutLineEnds(answer.words, true, false));
    writer.mark(chat.after_content);
}

}  // namespace

std::vector<ChatPart> writeChat(const ChatTemplate &chat, std::span<const ChatMessage> messages, AssistantTurn assistant)
{
    const auto contentOf = [&](const ChatMessage &message) {
        return chat.trim == ContentTrim::BothEnds ? trimmed(message.content) : std::string_view(message.content);
    };
    ChatWriter writer(chat);
    const bool has_system = !messages.empty() && messages.front().role == ChatRole::System;
    std::string_view joined_system;
    if (has_system && chat.system == SystemTurn::Refused) {
        throw Error(ErrorKind::Usage, "this model knows no system turn", chat.name, "Put the instruction before the first question");
    }
    if (!chat.system_preamble.empty()) {
        writer.begin("system");
        writer.mark(chat.system_preamble);
        writer.words(has_system ? contentOf(messages.front()) : std::string_view());
        writer.mark(chat.after_content);
    } else if (has_system && chat.system == SystemTurn::JoinsFirstUser) {
        joined_system = messages.front().content;
    } else if (has_system) {
        writer.turn("system", contentOf(messages.front()));
    } else if (chat.default_system && !messages.empty()) {
        writer.mark(chat.before_role + "system" + chat.after_role + *chat.default_system + chat.after_content);
    }
    const auto turns = messages.subspan(has_system ? 1 : 0);
    requireAlternating(turns, chat);
    for (std::size_t i = 0; i < turns.size(); ++i) {
        if (turns[i].role == ChatRole::Assistant) {
            writeAssistant(writer, chat, turns, i, contentOf(turns[i]));
            continue;
        }
        writer.begin(turns[i].role == ChatRole::User ? "user" : "system");
        if (i == 0 && has_system && chat.system == SystemTurn::JoinsFirstUser) {
            writer.words(joined_system);
            writer.mark("\n\n");
        }
        writer.words(contentOf(turns[i]));
        writer.mark(chat.after_content);
    }
    if (assistant == AssistantTurn::Begun) {
        writer.begin(chat.assistant);
    } else {
        writer.mark(chat.end);
    }
    return writer.take();
}

std::string chatText(std::span<const ChatPart> parts)
{
    std::string text;
    for (const auto &part : parts) {
        text += part.text;
    }
    return text;
}

std::vector<std::int32_t> encodeChat(const LanguageTokenizer &tokenizer, std::span<const ChatPart> parts)
{
    std::string text;
    std::vector<TextRange> words;
    for (const auto &part : parts) {
        const auto valid = toValidUtf8(part.text);  // before the ranges are measured
        if (!part.is_mark) {
            words.push_back({text.size(), text.size() + valid.size()});
        }
        text += valid;
    }
    LanguageTokenizer::EncodeOptions options;
    options.plain_ranges = words;
    return tokenizer.encode(text, options);
}

}  // namespace braid::text
