// Hugging Face's tokenizer.json, part by part. Every key is known or the file is refused.
#include <algorithm>
#include <initializer_list>
#include <utility>

#include "core/base/strict_json.h"
#include "core/text/language_steps_json.h"
#include "core/text/language_vocabulary.h"
#include "core/text/vocabulary_checks.h"
#include "core/text/vocabulary_json.h"

namespace braid::text {
namespace {

using nlohmann::json;

bool isUnset(const json &object, const char *key)
{
    const auto position = object.find(key);
    return position == object.end() || position->is_null() || *position == "" || *position == false || *position == 0;
}

bool flag(const json &object, const char *key, const std::string &where)
{
    const auto position = object.find(key);
    if (position == object.end() || position->is_null()) {
        return false;
    }
    if (!position->is_boolean()) {
        refuse("\"" + std::string(key) + "\" is neither true nor false", where);
    }
    return position->get<bool>();
}

void readModelOptions(const json &model, LanguageVocabulary &vocabulary, const std::string &where)
{
    requireKeys(
        model,
        {"type", "dropout", "unk_token", "continuing_subword_prefix", "end_of_word_suffix", "fuse_unk", "byte_fallback", "ignore_merges", "vocab", "merges"},
        "its model", where);
    const bool is_pair_encoding = (!model.contains("type") || model["type"] == "BPE") && model.contains("vocab") && model.contains("merges");
    if (!is_pair_encoding) {
        refuse("its model is not byte pair encoding", where);
    }
    for (const char *option : {"dropout", "continuing_subword_prefix", "end_of_word_suffix"}) {
        if (!isUnset(model, option)) {
            refuse(std::string("its model uses \"") + option + "\", which Braid does not know", where);
        }
    }
    vocabulary.fuses_unknown = flag(model, "fuse_unk", where);
    vocabulary.falls_back_to_bytes = flag(model, "byte_fallback", where);
    vocabulary.prefers_whole_pieces = flag(model, "ignore_merges", where);
}

void readVocab(const json &model, LanguageVocabulary &vocabulary, const std::string &where)
{
    const auto &vocab = model["vocab"];
    if (!vocab.is_object()) {
        refuse("the vocabulary is not a table of tokens", where);
    }
    vocabulary.ids.reserve(vocab.size());
    for (const auto &[token, number] : vocab.items()) {
        const auto id = tokenId(number, token, where);
        if (token.size() > 2 * kMaxTokenBytes) {
            refuse("the token " + inQuotes(token) + "... is too long", where);
        }
        if (token.empty()) {
            continue;  // Whisper's has one; it never comes out of merging
        }
        vocabulary.setToken(id, token, where);
        vocabulary.ids.emplace(token, static_cast<std::int32_t>(id));
    }
    if (!isUnset(model, "unk_token")) {
        const auto &name = model["unk_token"];
        const auto unknown = name.is_string() ? vocabulary.ids.find(name.get<std::string>()) : vocabulary.ids.end();
        if (unknown == vocabulary.ids.end()) {
            refuse("its token for the unknown is not in its vocabulary", where);
        }
        vocabulary.unknown = unknown->second;
    }
}

void readMerges(const json &merges, LanguageVocabulary &vocabulary, const std::string &where)
{
    if (!merges.is_array()) {
        refuse("its merges are not a list", where);
    }
    const auto id = [&](const std::string &token) {
        const auto position = vocabulary.ids.find(token);
        if (position == vocabulary.ids.end()) {
            refuse("a merge speaks of the token " + inQuotes(token) + ", which the vocabulary does not have", where);
        }
        return position->second;
    };
    vocabulary.merges.reserve(merges.size());
    for (const auto &merge : merges) {
        std::string left;
        std::string right;
        if (merge.is_string()) {
            const auto &line = merge.get_ref<const std::string &>();
            const auto space = line.find(' ');
            if (space != line.npos && line.find(' ', space + 1) == line.npos) {
                left = line.substr(0, space);
                right = line.substr(space + 1);
            }
        } else if (merge.is_array() && merge.size() == 2 && merge[0].is_string() && merge[1].is_string()) {
            left = merge[0].get<std::string>();
            right = merge[1].get<std::string>();
        }
        if (left.empty() || right.empty()) {
            refuse("a merge is not two tokens", where);
        }
        vocabulary.merges.push_back({id(left), id(right), id(left + right)});
    }
}

void readAddedTokens(const json &document, LanguageVocabulary &vocabulary, const std::string &where)
{
    const auto list = document.find("added_tokens");
    if (list == document.end() || list->is_null()) {
        return;
    }
    if (!list->is_array()) {
        refuse("its added tokens are not a list", where);
    }
    IdOfToken seen;
    for (const auto &entry : *list) {
        requireKeys(entry, {"id", "content", "single_word", "lstrip", "rstrip", "normalized", "special"}, "an added token", where);
        if (!entry.contains("content") || !entry["content"].is_string() || !entry.contains("id")) {
            refuse("an added token has no text or no number", where);
        }
        AddedToken token;
        token.content = entry["content"].get<std::string>();
        if (token.content.empty()) {
            continue;  // never found in a text
        }
        if (token.content.size() > kMaxTokenBytes) {
            refuse("the added token " + inQuotes(token.content) + "... is too long", where);
        }
        token.id = static_cast<std::int32_t>(tokenId(entry["id"], token.content, where));
        token.is_special = flag(entry, "special", where);
        token.is_single_word = flag(entry, "single_word", where);
        token.takes_left = flag(entry, "lstrip", where);
        token.takes_right = flag(entry, "rstrip", where);
        token.is_normalised = flag(entry, "normalized", where);
        if (!seen.emplace(token.content, token.id).second) {
            refuse("the added token " + inQuotes(token.content) + " is there twice", where);
        }
        vocabulary.setToken(token.id, token.content, where);
        vocabulary.added.push_back(std::move(token));
    }
}

// The ids of a special token by the table in the post-processor.
void appendSpecial(const json &step, const json &table, std::vector<std::int32_t> &ids, const LanguageVocabulary &vocabulary, const std::string &where)
{
    const auto name = step.is_object() && step.contains("id") && step["id"].is_string() ? step["id"].get<std::string>() : std::string();
    if (!table.is_object() || !table.contains(name) || !table[name].is_object() || !table[name].contains("ids") || !table[name]["ids"].is_array()) {
        refuse("its post-processor adds the token " + inQuotes(name) + ", which it does not explain", where);
    }
    for (const auto &number : table[name]["ids"]) {
        const auto id = tokenId(number, name, where);
        if (static_cast<std::size_t>(id) >= vocabulary.written.size()) {
            refuse("its post-processor adds the token " + inQuotes(name) + ", which the vocabulary does not have", where);
        }
        ids.push_back(static_cast<std::int32_t>(id));
    }
}

void readTemplate(const json &part, LanguageVocabulary &vocabulary, const std::string &where)
{
    if (!part.contains("single") || !part["single"].is_array()) {
        refuse("its post-processor has no template for one text", where);
    }
    const auto table = part.contains("special_tokens") ? part["special_tokens"] : json();
    bool is_after = false;
    for (const auto &step : part["single"]) {
        if (step.is_object() && step.contains("Sequence") && !is_after) {
            is_after = true;
        } else if (step.is_object() && step.contains("SpecialToken")) {
            appendSpecial(step["SpecialToken"], table, is_after ? vocabulary.after_text : vocabulary.before_text, vocabulary, where);
        } else {
            refuse("its post-processor's template has a part that Braid does not know", where);
        }
    }
    if (!is_after) {
        refuse("its post-processor's template leaves the text out", where);
    }
}

void readPostProcessor(const json &part, LanguageVocabulary &vocabulary, const std::string &where)
{
    if (part.is_null()) {
        return;
    }
    const auto type = part.is_object() && part.contains("type") ? part["type"] : json();
    if (type == "Sequence" && part.contains("processors") && part["processors"].is_array()) {
        for (const auto &inner : part["processors"]) {
            readPostProcessor(inner, vocabulary, where);
        }
    } else if (type == "TemplateProcessing") {
        if (!vocabulary.before_text.empty() || !vocabulary.after_text.empty()) {
            refuse("it has two templates for special tokens", where);
        }
        readTemplate(part, vocabulary, where);
    } else if (type != "ByteLevel") {  // which changes offsets only
        refuse("it has a post-processor of a kind that Braid does not know: " + inQuotes(type.is_string() ? type.get<std::string>() : type.dump()), where);
    }
}

}  // namespace

void LanguageVocabulary::setToken(std::int64_t id, std::string_view token, const std::string &where)
{
    if (id < 0 || id >= kMaxTokens) {
        refuse("the token " + inQuotes(token) + " has no usable number", where);
    }
    const auto index = static_cast<std::size_t>(id);
    if (index >= written.size()) {
        written.resize(index + 1);
    }
    if (!written[index].empty() && written[index] != token) {
        refuse("the tokens " + inQuotes(written[index]) + " and " + inQuotes(token) + " have the same number", where);
    }
    written[index] = token;
}

LanguageVocabulary readLanguageJson(std::string_view file, const std::string &where)
{
    const auto document = parseStrictJson(file, where);
    if (!document.is_object() || !document.contains("model") || !document["model"].is_object()) {
        refuse("this is not a tokenizer.json", where);
    }
    // Truncation and padding are of batches; a caller of Braid's gets the whole text.
    requireKeys(document, {"version", "truncation", "padding", "added_tokens", "normalizer", "pre_tokenizer", "post_processor", "decoder", "model"}, "it",
                where);
    LanguageVocabulary vocabulary;
    const auto part = [&](const char *key) -> const json & {
        static const json none;
        return document.contains(key) ? document[key] : none;
    };
    readModelOptions(part("model"), vocabulary, where);
    readNormaliser(part("normalizer"), vocabulary.normalisers, where);
    readPreTokenizer(part("pre_tokenizer"), vocabulary.pre_tokenizers, where);
    vocabulary.decoding = readDecoder(part("decoder"), where);
    const bool is_byte_level = !vocabulary.pre_tokenizers.empty() && std::holds_alternative<AsBytes>(vocabulary.pre_tokenizers.back());
    if (is_byte_level != (vocabulary.decoding.writing == TokenWriting::ByteAlphabet)) {
        refuse("its pre-tokenizer and its decoder do not agree whether tokens are bytes", where);
    }
    readVocab(part("model"), vocabulary, where);
    readMerges(part("model")["merges"], vocabulary, where);
    readAddedTokens(document, vocabulary, where);
    readPostProcessor(part("post_processor"), vocabulary, where);
    return vocabulary;
}

}  // namespace braid::text
