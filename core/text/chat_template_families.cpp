// The families of chat templates, known by their markers.
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/strict_json.h"
#include "core/text/chat_template.h"

namespace braid::text {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t kMaxConfigBytes = std::size_t{8} << 20;

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
    const auto has = [&](const char *marker) { return plain.find(marker) != plain.npos; };
    const bool has_lines = has("<|user|>\n") || has("<|user|>' + '\n'") || has("<|end|>\n");
    chat.name = has_lines ? "phi3" : "phi4-mini";
    chat.after_role = has_lines ? "|>\n" : "|>";
    chat.after_content = has_lines ? "<|end|>\n" : "<|end|>";
    chat.end = has("eos_token") ? "<|endoftext|>" : "";
    chat.begin = has("bos_token") ? "<s>" : "";
    if (has_lines && !has("<|system|>")) {
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
        throw Error(ErrorKind::Model, "its chat template is of a kind that Braid does not know", where,
                    "Known are those of Llama 3, Qwen and ChatML, Gemma, Phi-3 and Phi-4");
    }
    if (!chat.begin.empty() && !begin_token.empty()) {
        chat.begin = begin_token;
    }
    return chat;
}

namespace {

struct TemplateFiles {
    std::string source;  // the template's program text; empty: none
    json config;         // tokenizer_config.json
};

TemplateFiles readTemplateFiles(const fs::path &folder)
{
    std::error_code problem;
    TemplateFiles files;
    files.config = json::object();
    const auto config_file = folder / "tokenizer_config.json";
    if (fs::exists(config_file, problem)) {
        files.config = parseStrictJson(readTextFile(config_file, kMaxConfigBytes), config_file.string());
    }
    if (!files.config.is_object()) {
        throw Error(ErrorKind::Model, "this is not a tokenizer's configuration", config_file.string());
    }
    const auto file = folder / "chat_template.jinja";
    files.source = fs::exists(file, problem) ? readTextFile(file, kMaxConfigBytes) : templateIn(files.config);
    return files;
}

}  // namespace

bool hasChatTemplate(const fs::path &folder)
{
    return !readTemplateFiles(folder).source.empty();
}

ChatTemplate loadChatTemplate(const fs::path &folder)
{
    const TemplateFiles files = readTemplateFiles(folder);
    if (files.source.empty()) {
        throw Error(ErrorKind::Model, "there is no chat template in this folder", folder.string(),
                    "A model without one was not trained on conversations; use it without turns");
    }
    return recogniseChatTemplate(files.source, tokenText(files.config, "bos_token"), folder.string());
}

}  // namespace braid::text
