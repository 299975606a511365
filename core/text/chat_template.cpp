#include "core/text/chat_template.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/strict_json.h"
#include "core/text/unicode_classes.h"
#include "core/text/utf8.h"

namespace braid::text {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t kMaxConfigBytes = std::size_t{8} << 20;

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

// Templates hold line ends escaped where they come from JSON-in-Python sources and plain where from files.
std::string unescaped(std::string_view text)
{
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] == 'n') {
            out += '\n';
            ++i;
        } else {
            out += text[i];
        }
    }
    return out;
}

// What a ChatML template says where the conversation has no system turn: it stands whole in the template as the turn it writes.
std::optional<std::string> defaultSystem(std::string_view source)
{
    const auto plain = unescaped(source);
    constexpr std::string_view before = "<|im_start|>system\n";
    for (auto at = plain.find(before); at != std::string::npos; at = plain.find(before, at + 1)) {
        const auto start = at + before.size();
        const auto end = plain.find("<|im_end|>", start);
        if (end != std::string::npos && end > start && plain.substr(start, end - start).find_first_of("'\"{}") == std::string::npos) {
            return plain.substr(start, end - start);
        }
    }
    return std::nullopt;
}

ChatTemplate llama3(std::string_view source)
{
    ChatTemplate chat;
    chat.name = "llama3";
    chat.begin = "<|begin_of_text|>";
    chat.before_role = "<|start_header_id|>";
    chat.after_role = "<|end_header_id|>\n\n";
    chat.after_content = chat.end_of_turn = "<|eot_id|>";
    chat.trim = ContentTrim::BothEnds;
    if (source.find("Cutting Knowledge Date") != source.npos) {
        chat.name = "llama3.1";
        // The template's own date for where no clock is asked, so that equal conversations stay equal.
        chat.system_preamble = "Cutting Knowledge Date: December 2023\nToday Date: 26 Jul 2024\n\n";
    }
    return chat;
}

ChatTemplate chatMl(std::string_view source)
{
    ChatTemplate chat;
    chat.name = "chatml";
    chat.before_role = "<|im_start|>";
    chat.end_of_turn = "<|im_end|>";
    if (source.find("<|im_sep|>") != source.npos) {
        chat.name = "phi4";
        chat.after_role = "<|im_sep|>";
        chat.after_content = "<|im_end|>";
        return chat;
    }
    chat.after_role = "\n";
    chat.after_content = "<|im_end|>\n";
    chat.default_system = defaultSystem(source);
    for (const char *marker : {"content'] | trim", "content']|trim", "content | trim", "content|trim"}) {
        chat.trim = source.find(marker) != source.npos ? ContentTrim::BothEnds : chat.trim;
    }
    if (source.find("</think>") != source.npos && source.find("last_query_index") != source.npos) {
        chat.name = "qwen3";
        chat.thinking = Thinking::KeptWhenLast;
    }
    return chat;
}

ChatTemplate gemma(std::string_view source)
{
    ChatTemplate chat;
    chat.name = "gemma2";
    chat.begin = "<bos>";
    chat.before_role = "<start_of_turn>";
    chat.after_role = "\n";
    chat.after_content = "<end_of_turn>\n";
    chat.end_of_turn = "<end_of_turn>";
    chat.assistant = "model";
    chat.trim = ContentTrim::BothEnds;
    chat.system = SystemTurn::Refused;
    chat.must_alternate = true;
    if (source.find("first_user_prefix") != source.npos) {
        chat.name = "gemma3";
        chat.system = SystemTurn::JoinsFirstUser;
    }
    return chat;
}

ChatTemplate phi(std::string_view source)
{
    ChatTemplate chat;
    chat.before_role = "<|";
    chat.end_of_turn = "<|end|>";
    // Phi-3 names its roles one by one, with a line end after each; Phi-4-mini writes the role's own name and no line end.
    const auto plain = unescaped(source);
    const bool has_lines = plain.find("<|user|>\n") != plain.npos || plain.find("<|user|>' + '\n'") != plain.npos || plain.find("<|end|>\n") != plain.npos;
    chat.name = has_lines ? "phi3" : "phi4-mini";
    chat.after_role = has_lines ? "|>\n" : "|>";
    chat.after_content = has_lines ? "<|end|>\n" : "<|end|>";
    chat.end = plain.find("eos_token") != plain.npos ? "<|endoftext|>" : "";
    chat.begin = plain.find("bos_token") != plain.npos ? "<s>" : "";
    if (has_lines && plain.find("<|system|>") == plain.npos) {
        chat.system = SystemTurn::Refused;  // the first Phi-3 passed over it in silence
    }
    return chat;
}

std::string tokenText(const json &config, const char *key)
{
    const auto token = config.find(key);
    if (token == config.end()) {
        return {};
    }
    if (token->is_string()) {
        return token->get<std::string>();
    }
    return token->is_object() && token->contains("content") && (*token)["content"].is_string() ? (*token)["content"].get<std::string>() : std::string();
}

// One template, or the one named "default" among several.
std::string templateIn(const json &config)
{
    const auto entry = config.find("chat_template");
    if (entry == config.end()) {
        return {};
    }
    if (entry->is_string()) {
        return entry->get<std::string>();
    }
    for (const auto &candidate : entry->is_array() ? *entry : json::array()) {
        if (candidate.is_object() && candidate.value("name", json()) == "default" && candidate.contains("template") && candidate["template"].is_string()) {
            return candidate["template"].get<std::string>();
        }
    }
    return {};
}

// Turn by turn into parts.
class ChatWriter {
  public:
    explicit ChatWriter(const ChatTemplate &chat)
        : m_chat(chat)
    {
        mark(chat.begin);
    }
    void begin(std::string_view role)
    {
        mark(m_chat.before_role + std::string(role) + m_chat.after_role);
    }
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

ChatTemplate recogniseChatTemplate(std::string_view source, std::string_view begin_token, const std::string &where)
{
    const auto has = [&](std::string_view marker) { return source.find(marker) != source.npos; };
    ChatTemplate chat;
    if (has("<|start_header_id|>")) {
        chat = llama3(source);
    } else if (has("<|im_start|>")) {
        chat = chatMl(source);
    } else if (has("<start_of_turn>")) {
        chat = gemma(source);
    } else if (has("<|end|>") && has("<|assistant|>") && !has("<|channel|>")) {
        chat = phi(source);
    } else {
        throw Error(ErrorKind::Model, "its chat template is of a kind that Braid does not know", where, "Known are those of Llama 3, Qwen and ChatML, Gemma, Phi-3 and Phi-4");
    }
    if (!chat.begin.empty() && !begin_token.empty()) {
        chat.begin = begin_token;
    }
    return chat;
}

ChatTemplate loadChatTemplate(const fs::path &folder)
{
    std::error_code problem;
    json config = json::object();
    const auto config_file = folder / "tokenizer_config.json";
    if (fs::exists(config_file, problem)) {
        config = parseStrictJson(readTextFile(config_file, kMaxConfigBytes), config_file.string());
    }
    if (!config.is_object()) {
        throw Error(ErrorKind::Model, "this is not a tokenizer's configuration", config_file.string());
    }
    const auto file = folder / "chat_template.jinja";
    const auto source = fs::exists(file, problem) ? readTextFile(file, kMaxConfigBytes) : templateIn(config);
    if (source.empty()) {
        throw Error(ErrorKind::Model, "there is no chat template in this folder", folder.string(), "A model without one was not trained on conversations; use it without turns");
    }
    return recogniseChatTemplate(source, tokenText(config, "bos_token"), folder.string());
}

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
