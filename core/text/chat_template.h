// How a conversation is written for a model that was trained on conversations. The templates that come with models are programs
// (Jinja); they are never executed here: a family is recognised by its markers and written from a small description, and any other is
// refused with a sentence. Gives the text of transformers' apply_chat_template without tools. Thread: any. Errors: Error(Model) for a
// template that is not known, Error(Usage) for a conversation that the model cannot be given.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/language_tokenizer.h"

namespace braid::text {

enum class ChatRole : std::uint8_t { System = 1, User, Assistant };

struct ChatMessage {
    ChatRole role = ChatRole::User;
    std::string content;
};

enum class SystemTurn : std::uint8_t {
    OwnTurn = 1,
    JoinsFirstUser,  // Gemma 3: before the first user's text
    Refused,         // Gemma 2
};
enum class ContentTrim : std::uint8_t { None = 1, BothEnds };
enum class Thinking : std::uint8_t {
    None = 1,      // the model does not
    KeptWhenLast,  // Qwen3: <think> blocks of earlier answers are dropped
};
// Whether the text ends where the assistant is to speak.
enum class AssistantTurn : std::uint8_t { Begun = 1, NotBegun };

struct ChatTemplate {
    std::string name;   // "llama3", "llama3.1", "chatml", "qwen3", "gemma2", "gemma3", "phi3", "phi4", "phi4-mini"
    std::string begin;  // before everything
    std::string before_role;
    std::string after_role;
    std::string after_content;
    std::string end_of_turn;                    // the token with which the model ends its turn
    std::string assistant = "assistant";        // that role's name
    std::string end;                            // after everything, where no assistant's turn is begun
    std::string system_preamble;                // the system turn is always there and begins with this
    std::optional<std::string> default_system;  // where the conversation has no system turn
    SystemTurn system = SystemTurn::OwnTurn;
    ContentTrim trim = ContentTrim::None;
    Thinking thinking = Thinking::None;
    bool must_alternate = false;  // user, assistant, user, ...
};

// A piece of the written conversation: the template's own marks, or words of somebody who must not be able to write marks.
struct ChatPart {
    std::string text;
    bool is_mark = false;
};

// `source`: the template's program text. `begin_token`: the tokenizer's beginning-of-text token, empty where unknown.
[[nodiscard]] ChatTemplate recogniseChatTemplate(std::string_view source, std::string_view begin_token, const std::string &where);
// Whether a model's folder has one at all, in chat_template.jinja or tokenizer_config.json.
[[nodiscard]] bool hasChatTemplate(const std::filesystem::path &folder);
// From there.
[[nodiscard]] ChatTemplate loadChatTemplate(const std::filesystem::path &folder);

[[nodiscard]] std::vector<ChatPart> writeChat(const ChatTemplate &chat, std::span<const ChatMessage> messages, AssistantTurn assistant);
[[nodiscard]] std::string chatText(std::span<const ChatPart> parts);
// The ids of the whole text, in which special tokens count only where the template put them.
[[nodiscard]] std::vector<std::int32_t> encodeChat(const LanguageTokenizer &tokenizer, std::span<const ChatPart> parts);

}  // namespace braid::text
