#include "core/text/tokenizer_files.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "core/base/error.h"
#include "core/base/strict_json.h"
#include "core/text/utf8.h"

namespace braid::text {
namespace {

using nlohmann::json;
using IdOfToken = std::unordered_map<std::string, std::int32_t>;

constexpr std::int64_t kMaxTokens = 2000000;
constexpr std::size_t kMaxTokenBytes = 512;
constexpr const char *kRemedy = "The vocabulary is damaged or of another kind of model";

[[noreturn]] void refuse(const std::string &happened, const std::string &where)
{
    throw Error(ErrorKind::Model, happened, where, kRemedy);
}

std::string inQuotes(std::string_view token)
{
    return "\"" + toValidUtf8(token.substr(0, 60)) + "\"";
}

// GPT-2 writes bytes as visible characters: printable Latin-1 as itself, the other 68 in order from U+0100.
std::array<char32_t, 256> makeByteAlphabet()
{
    std::array<char32_t, 256> alphabet{};
    char32_t next = 0x100;
    for (char32_t byte = 0; byte < 256; ++byte) {
        const bool is_visible = (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
        alphabet[byte] = is_visible ? byte : next++;
    }
    return alphabet;
}

// The bytes that a token of a Hugging Face vocabulary stands for; nullopt where it is not written in that alphabet.
class ByteAlphabet {
  public:
    ByteAlphabet()
    {
        const auto alphabet = makeByteAlphabet();
        for (std::size_t byte = 0; byte < 256; ++byte) {
            m_bytes[alphabet[byte]] = static_cast<std::int16_t>(byte);
        }
    }
    [[nodiscard]] std::optional<std::string> bytesOf(std::string_view token) const
    {
        std::string bytes;
        for (std::size_t offset = 0; offset < token.size();) {
            const auto character = characterAt(token, offset);
            if (character.state != Utf8State::Valid || character.code_point >= m_bytes.size() || m_bytes[character.code_point] < 0) {
                return std::nullopt;
            }
            bytes += static_cast<char>(m_bytes[character.code_point]);
            offset += character.length;
        }
        return bytes;
    }

  private:
    std::array<std::int16_t, 0x200> m_bytes = [] {
        std::array<std::int16_t, 0x200> none{};
        none.fill(-1);
        return none;
    }();
};

std::optional<std::string> decodeBase64(std::string_view text)
{
    if (text == "=") {
        return std::string();  // how the empty token stands in OpenAI's multilingual file
    }
    if (text.size() % 4 != 0 || text.empty()) {
        return std::nullopt;
    }
    std::string bytes;
    std::uint32_t bits = 0;
    int bit_count = 0;
    const auto padding = text.size() - std::min(text.size(), text.find_last_not_of('=') + 1);
    if (padding > 2) {
        return std::nullopt;
    }
    for (const char c : text.substr(0, text.size() - padding)) {
        std::uint32_t value = 0;
        if (c >= 'A' && c <= 'Z') {
            value = static_cast<std::uint32_t>(c - 'A');
        } else if (c >= 'a' && c <= 'z') {
            value = static_cast<std::uint32_t>(c - 'a' + 26);
        } else if (c >= '0' && c <= '9') {
            value = static_cast<std::uint32_t>(c - '0' + 52);
        } else if (c == '+' || c == '/') {
            value = c == '+' ? 62 : 63;
        } else {
            return std::nullopt;
        }
        bits = (bits << 6 | value) & 0xFFFFFF;
        bit_count += 6;
        if (bit_count >= 8) {
            bit_count -= 8;
            bytes += static_cast<char>(bits >> bit_count & 0xFF);
        }
    }
    return bytes;
}

std::array<std::int32_t, 256> singleByteIds(const IdOfToken &ids, const std::string &where)
{
    std::array<std::int32_t, 256> byte_ids{};
    for (int byte = 0; byte < 256; ++byte) {
        const auto position = ids.find(std::string(1, static_cast<char>(byte)));
        if (position == ids.end()) {
            refuse("the vocabulary has no token for the byte " + std::to_string(byte), where);
        }
        byte_ids[static_cast<std::size_t>(byte)] = position->second;
    }
    return byte_ids;
}

// tiktoken has no list of merges: two neighbours may be merged wherever their bytes together are a token, and that token's id is the rank.
std::vector<TokenMerge> mergesByRank(const std::vector<std::string> &tokens, const IdOfToken &ids)
{
    std::vector<TokenMerge> merges;
    std::string left;
    std::string right;
    for (std::size_t id = 0; id < tokens.size(); ++id) {
        const auto &token = tokens[id];
        for (std::size_t cut = 1; cut < token.size(); ++cut) {
            left.assign(token, 0, cut);
            const auto left_id = ids.find(left);
            if (left_id == ids.end()) {
                continue;
            }
            right.assign(token, cut);
            if (const auto right_id = ids.find(right); right_id != ids.end()) {
                merges.push_back({left_id->second, right_id->second, static_cast<std::int32_t>(id)});
            }
        }
    }
    return merges;
}

std::int64_t tokenId(const json &value, const std::string &token, const std::string &where)
{
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() >= static_cast<std::uint64_t>(kMaxTokens)) {
        refuse("the token " + inQuotes(token) + " has no usable number", where);
    }
    return value.get<std::int64_t>();
}

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

// Calls `use` with every line, without its end.
template <typename Use>
void forEachLine(std::string_view file, const Use &use)
{
    while (!file.empty()) {
        const auto end = std::min(file.find('\n'), file.size());
        auto line = file.substr(0, end);
        file.remove_prefix(std::min(end + 1, file.size()));
        if (!line.empty() && line.back() == '\r') {
            line.remove_suffix(1);
        }
        use(line);
    }
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

Vocabulary readTiktoken(std::string_view file, const std::string &where)
{
    Vocabulary vocabulary;
    IdOfToken ids;
    forEachLine(file, [&](std::string_view line) {
        if (line.empty()) {
            return;
        }
        const auto rank = static_cast<std::int64_t>(vocabulary.bytes.size());
        const auto space = line.find(' ');
        std::int64_t number = -1;
        const auto digits = space == line.npos ? std::string_view() : line.substr(space + 1);
        const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
        auto bytes = space == line.npos ? std::nullopt : decodeBase64(line.substr(0, space));
        if (!bytes || problem != std::errc() || end != digits.data() + digits.size()) {
            refuse("line " + std::to_string(rank + 1) + " is not a token in base64 and its rank", where);
        }
        if (number != rank || rank >= kMaxTokens) {
            refuse("line " + std::to_string(rank + 1) + " has the rank " + std::to_string(number) + " where " + std::to_string(rank) + " is due", where);
        }
        if (bytes->size() > kMaxTokenBytes) {
            refuse("the token on line " + std::to_string(rank + 1) + " is too long", where);
        }
        if (!ids.emplace(*bytes, static_cast<std::int32_t>(rank)).second) {
            refuse("the token on line " + std::to_string(rank + 1) + " is there twice", where);
        }
        vocabulary.bytes.push_back(std::move(*bytes));
        vocabulary.kinds.push_back(TokenKind::Text);
    });
    const auto byte_ids = singleByteIds(ids, where);
    vocabulary.encoder = BytePairEncoder(byte_ids, mergesByRank(vocabulary.bytes, ids));
    vocabulary.encoder.setWholePieces(std::move(ids));
    return vocabulary;
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
