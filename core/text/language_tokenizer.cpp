#include "core/text/language_tokenizer.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/text/byte_alphabet.h"
#include "core/text/language_vocabulary.h"
#include "core/text/utf8.h"
#include "core/text/vocabulary_checks.h"

namespace braid::text {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxFileBytes = std::size_t{128} << 20;

fs::path fileIn(const fs::path &path)
{
    std::error_code problem;
    if (!fs::is_directory(path, problem)) {
        return path;
    }
    for (const char *name : {"tokenizer.json", "tokenizer.model"}) {
        if (fs::is_regular_file(path / name, problem)) {
            return path / name;
        }
    }
    std::vector<fs::path> ranks;
    for (const auto &entry : fs::directory_iterator(path, problem)) {
        if (entry.path().extension() == ".tiktoken") {
            ranks.push_back(entry.path());
        }
    }
    if (ranks.size() != 1) {
        throw Error(ErrorKind::Model, "there is no tokenizer in this folder", path.string(),
                    "It should be named tokenizer.json, tokenizer.model or NAME.tiktoken");
    }
    return ranks.front();
}

// Llama 3's tokenizer.model is a list of ranks: a line begins with base64, never with a protocol buffer's first byte.
bool looksLikeRanks(std::string_view file)
{
    const auto line = file.substr(0, std::min(file.find('\n'), std::min<std::size_t>(file.size(), 1024)));
    const auto space = line.find(' ');
    return space != line.npos && space > 0 && std::all_of(line.begin(), line.end(), [](unsigned char c) { return c >= 0x20 && c < 0x7F; });
}

LanguageVocabulary readFile(const fs::path &path)
{
    const auto file = readTextFile(path, kMaxFileBytes);
    const auto where = path.string();
    if (path.extension() == ".json") {
        return readLanguageJson(file, where);
    }
    if (path.extension() == ".tiktoken" || looksLikeRanks(file)) {
        return readLanguageRanks(file, where);
    }
    return path.extension() == ".bin" ? readLlama2c(file, where) : readSentencePiece(file, where);
}

}  // namespace

struct LanguageTokenizer::Data {
    LanguageVocabulary vocabulary;
    BytePairEncoder encoder;
    AddedTokenMatcher raw_matcher;
    AddedTokenMatcher normalised_matcher;
    bool is_byte_level = false;
    std::array<std::int32_t, 256> byte_tokens{};                 // of bytes in the alphabet, or <0xE2>; -1: none
    std::unordered_map<std::string, std::int32_t> whole_pieces;  // by what encodePiece gets; only where those are preferred
    std::vector<bool> is_special;
    std::unordered_map<std::string, std::int32_t> added_ids;
    std::unordered_map<std::int32_t, std::string> normal_forms;  // of added tokens looked for in normalised text: they come back in that form

    void prepareBytes(const std::string &where);
    void prepareAdded();
    [[nodiscard]] std::string_view written(std::int32_t id) const noexcept
    {
        const auto index = static_cast<std::size_t>(id);
        return id >= 0 && index < vocabulary.written.size() ? std::string_view(vocabulary.written[index]) : std::string_view();
    }
    // What decoding starts from.
    [[nodiscard]] std::string_view decodable(std::int32_t id) const noexcept
    {
        const auto normal = normal_forms.find(id);
        return normal != normal_forms.end() ? std::string_view(normal->second) : written(id);
    }
};

void LanguageTokenizer::Data::prepareBytes(const std::string &where)
{
    const ByteAlphabet alphabet;
    int missing = 0;
    for (unsigned byte = 0; byte < 256; ++byte) {
        char fallback[8];
        std::snprintf(fallback, sizeof fallback, "<0x%02X>", byte);
        const auto position = vocabulary.ids.find(is_byte_level ? alphabet.written(static_cast<unsigned char>(byte)) : std::string(fallback));
        byte_tokens[byte] = position == vocabulary.ids.end() ? -1 : position->second;
        missing += byte_tokens[byte] < 0 ? 1 : 0;
    }
    if (is_byte_level && vocabulary.falls_back_to_bytes && missing > 0) {
        refuse("it falls back to bytes twice over", where);
    }
    if (!vocabulary.prefers_whole_pieces) {
        return;
    }
    for (const auto &[token, id] : vocabulary.ids) {
        if (const auto bytes = is_byte_level ? alphabet.bytesOf(token) : std::optional(token)) {
            whole_pieces.emplace(*bytes, id);
        }
    }
}

void LanguageTokenizer::Data::prepareAdded()
{
    is_special.resize(vocabulary.written.size());
    for (const auto &token : vocabulary.added) {
        is_special[static_cast<std::size_t>(token.id)] = token.is_special;
        added_ids.emplace(token.content, token.id);
        if (!token.is_normalised) {
            raw_matcher.add(token, token.content);
        } else if (token.has_normal_form) {
            normalised_matcher.add(token, token.content);
        } else {
            auto normal = normalise(vocabulary.normalisers, token.content, TextPosition::Start);
            normalised_matcher.add(token, normal);
            normal_forms.emplace(token.id, std::move(normal));
        }
    }
}

LanguageTokenizer::LanguageTokenizer(LanguageVocabulary vocabulary, const std::string &where)
    : m_data(std::make_unique<Data>())
{
    auto &data = *m_data;
    data.vocabulary = std::move(vocabulary);
    auto &tokens = data.vocabulary;
    data.encoder = BytePairEncoder({}, tokens.merges);
    tokens.merges = {};
    data.is_byte_level = !tokens.pre_tokenizers.empty() && std::holds_alternative<AsBytes>(tokens.pre_tokenizers.back());
    data.prepareBytes(where);
    data.prepareAdded();
}

LanguageTokenizer::~LanguageTokenizer() = default;

std::shared_ptr<const LanguageTokenizer> LanguageTokenizer::load(const fs::path &path)
{
    const auto file = fileIn(path);
    return std::make_shared<const LanguageTokenizer>(readFile(file), file.string());
}

void LanguageTokenizer::encodePiece(std::string_view piece, std::vector<std::int32_t> &ids) const
{
    const auto &data = *m_data;
    const auto &vocabulary = data.vocabulary;
    if (vocabulary.prefers_whole_pieces) {
        if (const auto whole = data.whole_pieces.find(std::string(piece)); whole != data.whole_pieces.end()) {
            ids.push_back(whole->second);
            return;
        }
    }
    std::vector<std::int32_t> symbols;
    bool has_unknown = false;  // one waits to be written
    const auto endUnknown = [&] {
        if (has_unknown) {
            symbols.push_back(*vocabulary.unknown);
            has_unknown = false;
        }
    };
    for (std::size_t offset = 0; offset < piece.size();) {
        const auto length = data.is_byte_level ? 1 : characterAt(piece, offset).length;
        const auto symbol = piece.substr(offset, length);
        offset += length;
        std::int32_t id = -1;
        if (data.is_byte_level) {
            id = data.byte_tokens[static_cast<unsigned char>(symbol[0])];
        } else if (const auto known = vocabulary.ids.find(std::string(symbol)); known != vocabulary.ids.end()) {
            id = known->second;
        }
        if (id >= 0) {
            endUnknown();
            symbols.push_back(id);
            continue;
        }
        const auto byteToken = [&](char byte) { return data.byte_tokens[static_cast<unsigned char>(byte)]; };
        if (vocabulary.falls_back_to_bytes && std::all_of(symbol.begin(), symbol.end(), [&](char byte) { return byteToken(byte) >= 0; })) {
            std::transform(symbol.begin(), symbol.end(), std::back_inserter(symbols), byteToken);
            continue;
        }
        if (vocabulary.unknown) {
            if (!vocabulary.fuses_unknown) {
                endUnknown();
            }
            has_unknown = true;
        }
    }
    endUnknown();
    data.encoder.merge(symbols, ids);
}

std::vector<std::int32_t> LanguageTokenizer::encode(std::string_view given, EncodeOptions options) const
{
    const auto &data = *m_data;
    const auto &vocabulary = data.vocabulary;
    std::string valid;
    if (!isValidUtf8(given)) {
        valid = toValidUtf8(given);
        given = valid;
    }
    const auto special = options.special == SpecialTexts::Recognised ? AddedTokenMatcher::Special::Recognised : AddedTokenMatcher::Special::AsText;
    std::vector<std::int32_t> ids;
    if (options.surroundings == Surroundings::Added) {
        ids = vocabulary.before_text;
    }
    for (const auto &outer : data.raw_matcher.split(given, special, options.plain_ranges)) {
        if (outer.id >= 0) {
            ids.push_back(outer.id);
            continue;
        }
        const bool is_first = outer.start == 0;
        const auto position = is_first ? options.position : TextPosition::Start;
        const auto normal = normalise(vocabulary.normalisers, given.substr(outer.start, outer.end - outer.start), position);
        // Where the text was normalised, ranges of it are lost: special tokens count there only if no part of it is plain.
        const bool is_plain = std::any_of(options.plain_ranges.begin(), options.plain_ranges.end(),
                                          [&](const TextRange &range) { return range.start < outer.end && range.end > outer.start; });
        for (const auto &inner : data.normalised_matcher.split(normal, is_plain ? AddedTokenMatcher::Special::AsText : special)) {
            if (inner.id >= 0) {
                ids.push_back(inner.id);
                continue;
            }
            const auto text = std::string_view(normal).substr(inner.start, inner.end - inner.start);
            const bool begins_input = is_first && inner.start == 0;
            const auto inner_position = inner.start == 0 ? position : TextPosition::Start;
            for (const auto &piece : preTokenise(vocabulary.pre_tokenizers, text, inner_position, begins_input)) {
                encodePiece(piece, ids);
            }
        }
    }
    if (options.surroundings == Surroundings::Added) {
        ids.insert(ids.end(), vocabulary.after_text.begin(), vocabulary.after_text.end());
    }
    return ids;
}

std::string LanguageTokenizer::decode(std::span<const std::int32_t> ids, SpecialTokens special) const
{
    std::vector<std::string_view> written;
    written.reserve(ids.size());
    for (const auto id : ids) {
        const auto token = m_data->decodable(id);
        if (!token.empty() && (special == SpecialTokens::Shown || !isSpecial(id))) {
            written.push_back(token);
        }
    }
    return decodeAll(m_data->vocabulary.decoding, written);
}

std::string LanguageTokenizer::tokenBytes(std::int32_t id) const
{
    return decodeToken(m_data->vocabulary.decoding, m_data->decodable(id), false).bytes;
}

std::string LanguageTokenizer::readableToken(std::int32_t id) const
{
    const auto bytes = tokenBytes(id);
    std::string text;
    for (std::size_t offset = 0; offset < bytes.size();) {
        const auto character = characterAt(bytes, offset);
        if (character.state == Utf8State::Valid) {
            text += bytes.substr(offset, character.length);
            offset += character.length;
            continue;
        }
        char shown[8];
        std::snprintf(shown, sizeof shown, "<%02X>", static_cast<unsigned char>(bytes[offset]));
        text += shown;
        ++offset;
    }
    return text;
}

std::string_view LanguageTokenizer::writtenToken(std::int32_t id) const noexcept
{
    return m_data->written(id);
}

std::optional<std::int32_t> LanguageTokenizer::idOf(std::string_view written) const
{
    const std::string token(written);
    if (const auto added = m_data->added_ids.find(token); added != m_data->added_ids.end()) {
        return added->second;
    }
    const auto known = m_data->vocabulary.ids.find(token);
    return known == m_data->vocabulary.ids.end() ? std::nullopt : std::optional(known->second);
}

std::int32_t LanguageTokenizer::size() const noexcept
{
    return static_cast<std::int32_t>(m_data->vocabulary.written.size());
}

bool LanguageTokenizer::isSpecial(std::int32_t id) const noexcept
{
    return id >= 0 && id < size() && m_data->is_special[static_cast<std::size_t>(id)];
}

std::span<const std::int32_t> LanguageTokenizer::beforeText() const noexcept
{
    return m_data->vocabulary.before_text;
}

std::span<const std::int32_t> LanguageTokenizer::afterText() const noexcept
{
    return m_data->vocabulary.after_text;
}

LanguageTokenizer::Stream::Stream(const LanguageTokenizer &tokenizer, SpecialTokens special)
    : m_tokenizer(&tokenizer)
    , m_special(special)
    , m_stream(std::make_unique<TokenStream>(tokenizer.m_data->vocabulary.decoding))
{
}

LanguageTokenizer::Stream::~Stream() = default;
LanguageTokenizer::Stream::Stream(Stream &&other) noexcept = default;
LanguageTokenizer::Stream &LanguageTokenizer::Stream::operator=(Stream &&other) noexcept = default;

std::string LanguageTokenizer::Stream::push(std::int32_t id)
{
    const auto token = m_tokenizer->m_data->decodable(id);
    return token.empty() || (m_special == SpecialTokens::Hidden && m_tokenizer->isSpecial(id)) ? std::string() : m_stream->push(token);
}

std::string LanguageTokenizer::Stream::finish()
{
    return m_stream->finish();
}

}  // namespace braid::text
