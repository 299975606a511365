#include "core/text/tokenizer_files.h"

#include <set>
#include <utility>

#include "core/base/strict_json.h"
#include "core/text/byte_alphabet.h"
#include "core/text/language_vocabulary.h"
#include "core/text/vocabulary_checks.h"
#include "core/text/vocabulary_json.h"

namespace braid::text {
namespace {

using nlohmann::json;

// Of what a tokenizer.json may do to a text, Whisper's only cut it like GPT-2's or not at all. Whether this one cuts.
bool checkSteps(const LanguageVocabulary &read, const std::string &where)
{
    if (!read.normalisers.empty()) {
        refuse("it changes the text before splitting it (a normalizer), which no Whisper does", where);
    }
    const auto *bytes = read.pre_tokenizers.size() == 1 ? std::get_if<AsBytes>(&read.pre_tokenizers.front()) : nullptr;
    if (bytes == nullptr) {
        refuse("its pre-tokenizer is not \"ByteLevel\", the only kind Whisper's tokenizers have", where);
    }
    if (bytes->adds_prefix_space) {
        refuse("it adds a space before every text, which no Whisper does", where);
    }
    if (read.falls_back_to_bytes || read.fuses_unknown) {
        refuse("its model uses \"byte_fallback\" or \"fuse_unk\", which no Whisper does", where);
    }
    return bytes->splits_like_gpt2;
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
    const LanguageVocabulary read = readLanguageJson(file, where);
    Vocabulary vocabulary;
    vocabulary.splits_like_gpt2 = checkSteps(read, where);
    std::set<std::string_view> added;
    for (const AddedToken &token : read.added) {
        added.insert(token.content);
    }
    const ByteAlphabet alphabet;
    IdOfToken id_of_bytes;
    std::vector<bool> is_mergeable(read.written.size());
    for (const auto &[token, id] : read.ids) {
        if (added.contains(token) || looksSpecial(token)) {
            vocabulary.setToken(id, token, TokenKind::Special, where);
            continue;
        }
        const auto bytes = alphabet.bytesOf(token);
        if (!bytes) {
            refuse("the token " + inQuotes(token) + " is not written in GPT-2's byte alphabet", where);
        }
        vocabulary.setToken(id, *bytes, TokenKind::Text, where);
        id_of_bytes.emplace(*bytes, id);
        is_mergeable[static_cast<std::size_t>(id)] = true;
    }
    for (const AddedToken &token : read.added) {
        const bool is_special = token.is_special || looksSpecial(token.content);
        if (!is_special && (token.is_single_word || token.takes_left || token.takes_right)) {
            refuse("the added token " + inQuotes(token.content) + " changes the text around it", where);
        }
        vocabulary.setToken(token.id, token.content, is_special ? TokenKind::Special : TokenKind::Text, where);
        if (!is_special) {
            vocabulary.added_texts.emplace_back(token.content, token.id);
        }
    }
    for (const TokenMerge &merge : read.merges) {
        for (const std::int32_t id : {merge.left, merge.right, merge.merged}) {
            if (!is_mergeable[static_cast<std::size_t>(id)]) {
                refuse("a merge speaks of the token " + inQuotes(read.written[static_cast<std::size_t>(id)]) + ", which is no part of a text", where);
            }
        }
    }
    vocabulary.encoder = BytePairEncoder(singleByteIds(id_of_bytes, where), read.merges);
    if (read.prefers_whole_pieces) {
        vocabulary.encoder.setWholePieces(std::move(id_of_bytes));
    }
    return vocabulary;
}

Vocabulary readVocabAndMerges(std::string_view vocab, std::string_view merges, std::string_view added_tokens, const std::string &where)
{
    BytePairParts parts;
    parts.vocabulary = parseStrictJson(vocab, where);
    parts.pre_tokenizer = {{"type", "ByteLevel"}, {"add_prefix_space", false}};
    parts.decoder = {{"type", "ByteLevel"}};
    parts.added_tokens = json::array();
    if (!added_tokens.empty()) {
        const auto document = parseStrictJson(added_tokens, where);
        if (!document.is_object()) {
            refuse("its added tokens are not a table", where);
        }
        for (const auto &[token, number] : document.items()) {
            if (!looksSpecial(token)) {
                refuse("the added token " + inQuotes(token) + " is not of the form <|...|>", where);
            }
            parts.added_tokens.push_back({{"id", number}, {"content", token}, {"special", true}});
        }
    }
    parts.merges = json::array();
    bool is_first = true;
    forEachLine(merges, [&](std::string_view line) {
        const bool is_version = is_first && line.starts_with("#version");
        is_first = false;
        if (!line.empty() && !is_version) {
            parts.merges.push_back(std::string(line));
        }
    });
    try {
        return readTokenizerJson(bytePairFile(parts), where);
    } catch (const json::type_error &) {
        refuse("its merges are not UTF-8", where);
    }
}

}  // namespace braid::text
