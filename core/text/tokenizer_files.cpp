#include "core/text/tokenizer_files.h"

#include <algorithm>

#include "core/base/strict_json.h"
#include "core/text/byte_alphabet.h"
#include "core/text/vocabulary_checks.h"
#include "core/text/vocabulary_json.h"

namespace braid::text {
namespace {

using nlohmann::json;
// The model's own tokens: {"token": id}, in the byte alphabet. Special ones may stand among them.
struct TokenTable {
    Vocabulary vocabulary;
    IdOfToken id_of_written;  // as written in the file
    IdOfToken id_of_bytes;    // text tokens
};

TokenTable readTokenTable(const json &vocab, const IdOfToken &added, const std::string &where)
{
    if (!vocab.is_object()) {
        refuse("the vocabulary is not a table of tokens", where);
    }
    TokenTable table;
    auto &vocabulary = table.vocabulary;
    const ByteAlphabet alphabet;
    for (const auto &[token, number] : vocab.items()) {
        const auto id = tokenId(number, token, where);
        if (token.size() > 2 * kMaxTokenBytes) {
            refuse("the token " + inQuotes(token) + "... is too long", where);
        }
        if (added.contains(token) || looksSpecial(token)) {
            vocabulary.setToken(id, token, TokenKind::Special, where);
            continue;
        }
        const auto bytes = alphabet.bytesOf(token);
        if (!bytes) {
            refuse("the token " + inQuotes(token) + " is not written in GPT-2's byte alphabet", where);
        }
        vocabulary.setToken(id, *bytes, TokenKind::Text, where);
        table.id_of_written.emplace(token, static_cast<std::int32_t>(id));
        table.id_of_bytes.emplace(*bytes, static_cast<std::int32_t>(id));
    }
    return table;
}

// Finds the tokens of a merge and of its result.
TokenMerge mergeOf(const TokenTable &table, const std::string &left, const std::string &right, const std::string &where)
{
    const auto id = [&](const std::string &token) {
        const auto position = table.id_of_written.find(token);
        if (position == table.id_of_written.end()) {
            refuse("a merge speaks of the token " + inQuotes(token) + ", which the vocabulary does not have", where);
        }
        return position->second;
    };
    if (left.empty() || right.empty()) {
        refuse("there is a merge with nothing", where);
    }
    return {id(left), id(right), id(left + right)};
}

TokenMerge mergeFromLine(const TokenTable &table, std::string_view line, const std::string &where)
{
    const auto space = line.find(' ');
    if (space == line.npos || line.find(' ', space + 1) != line.npos) {
        refuse("the merge " + inQuotes(line) + " is not two tokens", where);
    }
    return mergeOf(table, std::string(line.substr(0, space)), std::string(line.substr(space + 1)), where);
}

bool isUnset(const json &object, const char *key)
{
    const auto position = object.find(key);
    return position == object.end() || position->is_null() || *position == "" || *position == false;
}

void requireByteLevel(const json &part, const char *name, const std::string &where)
{
    if (!part.is_object() || !part.contains("type") || part["type"] != "ByteLevel") {
        refuse(std::string("its ") + name + " is not \"ByteLevel\", the only kind Whisper's tokenizers have", where);
    }
}

// Whether text is cut like GPT-2's first.
bool readPreTokenizer(const json &document, const std::string &where)
{
    const json *part = document.contains("pre_tokenizer") ? &document["pre_tokenizer"] : nullptr;
    if (part != nullptr && part->is_object() && part->contains("type") && (*part)["type"] == "Sequence" && part->contains("pretokenizers")
        && (*part)["pretokenizers"].is_array() && (*part)["pretokenizers"].size() == 1) {
        part = &(*part)["pretokenizers"][0];
    }
    if (part == nullptr) {
        refuse("it has no pre-tokenizer", where);
    }
    requireByteLevel(*part, "pre-tokenizer", where);
    if (!isUnset(*part, "add_prefix_space")) {
        refuse("it adds a space before every text, which no Whisper does", where);
    }
    return !part->contains("use_regex") || (*part)["use_regex"] == true;
}

// A post-processor only adds special tokens around a text, which Braid does itself; any of the usual kinds is fine.
void checkPostProcessor(const json &part, const std::string &where)
{
    if (part.is_null()) {
        return;
    }
    const auto type = part.is_object() && part.contains("type") ? part["type"] : json();
    if (type == "Sequence" && part.contains("processors") && part["processors"].is_array()) {
        for (const auto &inner : part["processors"]) {
            if (inner.is_object() && inner.contains("type") && inner["type"] == "Sequence") {
                refuse("its post-processors are nested", where);
            }
            checkPostProcessor(inner, where);
        }
    } else if (type != "TemplateProcessing" && type != "ByteLevel") {
        refuse("it has a post-processor of an unknown kind", where);
    }
}

void checkModelOptions(const json &model, const std::string &where)
{
    if (!model.is_object() || !model.contains("type") || model["type"] != "BPE" || !model.contains("vocab") || !model.contains("merges")) {
        refuse("its model is not byte pair encoding", where);
    }
    for (const char *option : {"dropout", "continuing_subword_prefix", "end_of_word_suffix", "fuse_unk", "byte_fallback"}) {
        if (!isUnset(model, option)) {
            refuse(std::string("its model uses \"") + option + "\", which no Whisper does", where);
        }
    }
    for (const auto &[key, value] : model.items()) {
        static constexpr std::string_view known[] = {"type",     "dropout",  "unk_token",     "continuing_subword_prefix", "end_of_word_suffix",
                                                     "fuse_unk", "byte_fallback", "ignore_merges", "vocab",                     "merges"};
        if (std::find(std::begin(known), std::end(known), key) == std::end(known)) {
            refuse("its model has the unknown part " + inQuotes(key), where);
        }
    }
}

struct AddedToken {
    std::int64_t id;
    std::string content;
    bool is_special;
};

std::vector<AddedToken> readAddedTokens(const json &document, const std::string &where)
{
    std::vector<AddedToken> added;
    const auto list = document.find("added_tokens");
    if (list == document.end() || list->is_null()) {
        return added;
    }
    if (!list->is_array()) {
        refuse("its added tokens are not a list", where);
    }
    for (const auto &entry : *list) {
        if (!entry.is_object() || !entry.contains("content") || !entry["content"].is_string() || !entry.contains("id")) {
            refuse("an added token has no text or no number", where);
        }
        AddedToken token{0, entry["content"].get<std::string>(), entry.contains("special") && entry["special"] == true};
        token.id = tokenId(entry["id"], token.content, where);
        if (token.content.size() > kMaxTokenBytes) {
            refuse("the added token " + inQuotes(token.content) + "... is too long", where);
        }
        token.is_special = token.is_special || looksSpecial(token.content) || token.content.empty();
        if (!token.is_special && !(isUnset(entry, "single_word") && isUnset(entry, "lstrip") && isUnset(entry, "rstrip"))) {
            refuse("the added token " + inQuotes(token.content) + " changes the text around it", where);
        }
        added.push_back(std::move(token));
    }
    return added;
}

}  // namespace

void Vocabulary::setToken(std::int64_t id, std::string token_bytes, TokenKind kind, const std::string &where)
{
    if (id < 0 || id >= kMaxTokens) {
        refuse("the token " + inQuotes(token_bytes) + " has no usable number", where);
    }
    const auto index = static_cast<std::size_t>(id);
    if (index >= kinds.size()) {
        kinds.resize(index + 1, TokenKind::Unused);
        bytes.resize(index + 1);
    }
    if (kinds[index] != TokenKind::Unused && bytes[index] != token_bytes) {
        refuse("the tokens " + inQuotes(bytes[index]) + " and " + inQuotes(token_bytes) + " have the same number", where);
    }
    kinds[index] = kind;
    bytes[index] = std::move(token_bytes);
}

bool looksSpecial(std::string_view token) noexcept
{
    return token.size() > 4 && token.starts_with("<|") && token.ends_with("|>");
}

Vocabulary readTokenizerJson(std::string_view file, const std::string &where)
{
    const auto document = parseStrictJson(file, where);
    if (!document.is_object() || !document.contains("model")) {
        refuse("this is not a tokenizer.json", where);
    }
    for (const auto &[key, value] : document.items()) {
        static constexpr std::string_view known[] = {"version",    "truncation",    "padding",        "added_tokens", "normalizer",
                                                     "pre_tokenizer", "post_processor", "decoder", "model"};
        if (std::find(std::begin(known), std::end(known), key) == std::end(known)) {
            refuse("it has the unknown part " + inQuotes(key), where);
        }
    }
    if (!isUnset(document, "normalizer")) {
        refuse("it changes the text before splitting it (a normalizer), which no Whisper does", where);
    }
    const bool splits = readPreTokenizer(document, where);
    if (document.contains("decoder")) {
        requireByteLevel(document["decoder"], "decoder", where);
    }
    if (document.contains("post_processor")) {
        checkPostProcessor(document["post_processor"], where);
    }
    const auto &model = document["model"];
    checkModelOptions(model, where);
    const auto added = readAddedTokens(document, where);

    IdOfToken added_ids;
    for (const auto &token : added) {
        if (!added_ids.emplace(token.content, static_cast<std::int32_t>(token.id)).second) {
            refuse("the added token " + inQuotes(token.content) + " is there twice", where);
        }
    }
    auto table = readTokenTable(model["vocab"], added_ids, where);
    auto &vocabulary = table.vocabulary;
    vocabulary.splits_like_gpt2 = splits;
    for (const auto &token : added) {
        vocabulary.setToken(token.id, token.content, token.is_special ? TokenKind::Special : TokenKind::Text, where);
        if (!token.is_special) {
            vocabulary.added_texts.emplace_back(token.content, static_cast<std::int32_t>(token.id));
        }
    }
    if (!model["merges"].is_array()) {
        refuse("its merges are not a list", where);
    }
    std::vector<TokenMerge> merges;
    merges.reserve(model["merges"].size());
    for (const auto &merge : model["merges"]) {
        if (merge.is_string()) {
            merges.push_back(mergeFromLine(table, merge.get_ref<const std::string &>(), where));
        } else if (merge.is_array() && merge.size() == 2 && merge[0].is_string() && merge[1].is_string()) {
            merges.push_back(mergeOf(table, merge[0].get<std::string>(), merge[1].get<std::string>(), where));
        } else {
            refuse("a merge is not two tokens", where);
        }
    }
    vocabulary.encoder = BytePairEncoder(singleByteIds(table.id_of_bytes, where), merges);
    if (!isUnset(model, "ignore_merges")) {
        vocabulary.encoder.setWholePieces(std::move(table.id_of_bytes));
    }
    return std::move(vocabulary);
}

Vocabulary readVocabAndMerges(std::string_view vocab, std::string_view merges_file, std::string_view added_tokens, const std::string &where)
{
    IdOfToken added;
    if (!added_tokens.empty()) {
        const auto document = parseStrictJson(added_tokens, where);
        if (!document.is_object()) {
            refuse("its added tokens are not a table", where);
        }
        for (const auto &[token, number] : document.items()) {
            if (!looksSpecial(token)) {
                refuse("the added token " + inQuotes(token) + " is not of the form <|...|>", where);
            }
            added.emplace(token, static_cast<std::int32_t>(tokenId(number, token, where)));
        }
    }
    auto table = readTokenTable(parseStrictJson(vocab, where), added, where);
    for (const auto &[token, id] : added) {
        table.vocabulary.setToken(id, token, TokenKind::Special, where);
    }
    std::vector<TokenMerge> merges;
    bool is_first = true;
    forEachLine(merges_file, [&](std::string_view line) {
        const bool is_version = is_first && line.starts_with("#version");
        is_first = false;
        if (!line.empty() && !is_version) {
            merges.push_back(mergeFromLine(table, line, where));
        }
    });
    table.vocabulary.encoder = BytePairEncoder(singleByteIds(table.id_of_bytes, where), merges);
    return std::move(table.vocabulary);
}

}  // namespace braid::text
