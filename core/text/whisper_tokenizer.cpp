#include "core/text/whisper_tokenizer.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <utility>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/text/language_splitters.h"
#include "core/text/languages.h"
#include "core/text/tokenizer_files.h"
#include "core/text/utf8.h"

namespace braid::text {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kMaxFileBytes = 32u << 20;
constexpr std::int64_t kEnglishVocabulary = 51864;
constexpr std::int64_t kTimestampCount = 1501;  // 0.00 to 30.00 seconds in steps of 20 ms
constexpr const char *kOtherVocabulary = "The vocabulary does not belong to this model";

std::string timestampName(std::int64_t index)
{
    char name[32];
    std::snprintf(name, sizeof name, "<|%d.%02d|>", static_cast<int>(index / 50), static_cast<int>(index % 50 * 2));
    return name;
}

// The special tokens stand behind the vocabulary in a fixed order; how many languages there are follows from the model's size.
// Source: openai/whisper tokenizer.py, get_encoding.
void addOpenAiSpecialTokens(Vocabulary &vocabulary, std::int64_t n_vocab, const std::string &where)
{
    static constexpr std::string_view after_languages[] = {"<|translate|>",   "<|transcribe|>", "<|startoflm|>",
                                                           "<|startofprev|>", "<|nospeech|>",   "<|notimestamps|>"};
    const auto ranks = static_cast<std::int64_t>(vocabulary.bytes.size());
    const auto fixed = 2 + static_cast<std::int64_t>(std::size(after_languages)) + kTimestampCount;
    const auto language_count = n_vocab - ranks - fixed;
    const auto languages = whisperLanguages();
    if (language_count < 99 || language_count > static_cast<std::int64_t>(languages.size())) {
        throw Error(ErrorKind::Model, "a vocabulary of " + std::to_string(ranks) + " tokens does not fit a Whisper with " + std::to_string(n_vocab) + " tokens",
                    where, "English-only models need gpt2.tiktoken, all others multilingual.tiktoken");
    }
    auto id = ranks;
    const auto add = [&](std::string_view name) { vocabulary.setToken(id++, std::string(name), TokenKind::Special, where); };
    add("<|endoftext|>");
    add("<|startoftranscript|>");
    for (const auto &language : languages.first(static_cast<std::size_t>(language_count))) {
        add("<|" + std::string(language.code) + "|>");
    }
    for (const auto name : after_languages) {
        add(name);
    }
    for (std::int64_t i = 0; i < kTimestampCount; ++i) {
        add(timestampName(i));
    }
}

std::string textIfThere(const fs::path &path)
{
    std::error_code ignored;
    return fs::exists(path, ignored) ? readTextFile(path, kMaxFileBytes) : std::string();
}

Vocabulary readVocabulary(const fs::path &path, std::int64_t n_vocab)
{
    const auto where = path.string();
    try {
        if (path.extension() == ".tiktoken") {
            auto vocabulary = readTiktoken(readTextFile(path, kMaxFileBytes), where);
            addOpenAiSpecialTokens(vocabulary, n_vocab, where);
            return vocabulary;
        }
        if (path.filename() == "vocab.json") {
            const auto folder = path.parent_path();
            return readVocabAndMerges(readTextFile(path, kMaxFileBytes), readTextFile(folder / "merges.txt", kMaxFileBytes),
                                      textIfThere(folder / "added_tokens.json"), where);
        }
        return readTokenizerJson(readTextFile(path, kMaxFileBytes), where);
    } catch (const Error &error) {
        if (error.kind() == ErrorKind::Input) {  // not readable: for the caller that is trouble with the model
            throw Error(ErrorKind::Model, "the model's vocabulary " + error.happened(), error.where(), error.remedy());
        }
        throw;
    }
}

}  // namespace

struct WhisperTokenizer::Data {
    Vocabulary vocabulary;
    std::map<std::string, std::int32_t, std::less<>> special_ids;
    std::vector<std::pair<std::string, std::int32_t>> languages;
    std::int32_t end_of_text = 0;
    std::int32_t start_of_transcript = 0;
    std::optional<std::int32_t> no_speech;
    std::optional<std::int32_t> no_timestamps;
    std::optional<std::int32_t> timestamp_begin;
    std::int32_t timestamp_count = 0;

    Data(Vocabulary tokens, std::int64_t n_vocab, const std::string &where)
        : vocabulary(std::move(tokens))
    {
        indexSpecialTokens();
        if (const auto last = special("<|notimestamps|>"); last && !special("<|0.00|>") && n_vocab == *last + 1 + kTimestampCount) {
            // Older tokenizer.json files leave out the timestamps that the model has.
            for (std::int64_t i = 0; i < kTimestampCount; ++i) {
                vocabulary.setToken(*last + 1 + i, timestampName(i), TokenKind::Special, where);
            }
            indexSpecialTokens();
        }
        const auto size = static_cast<std::int64_t>(vocabulary.kinds.size());
        if (n_vocab > 0 && size > n_vocab) {
            throw Error(ErrorKind::Model, "the vocabulary has " + std::to_string(size) + " tokens, the model only " + std::to_string(n_vocab), where,
                        kOtherVocabulary);
        }
        const auto end = special("<|endoftext|>");
        const auto start = special("<|startoftranscript|>");
        if (!end || !start) {
            throw Error(ErrorKind::Model, "the vocabulary has no <|endoftext|> or no <|startoftranscript|>", where, "This is not the vocabulary of a Whisper");
        }
        end_of_text = *end;
        start_of_transcript = *start;
        no_timestamps = special("<|notimestamps|>");
        no_speech = special("<|nospeech|>");
        if (!no_speech) {
            no_speech = special("<|nocaptions|>");  // its name in older Hugging Face folders
        }
        timestamp_begin = special("<|0.00|>");
        while (timestamp_begin && special(timestampName(timestamp_count)) == *timestamp_begin + timestamp_count) {
            ++timestamp_count;
        }
        // OpenAI's English-only models carry the language tokens without having learned them.
        const bool is_english_only = size == kEnglishVocabulary && end_of_text == 50256;
        for (const auto &language : whisperLanguages()) {
            if (const auto id = special("<|" + std::string(language.code) + "|>"); id && !is_english_only) {
                languages.emplace_back(language.code, *id);
            }
        }
    }

    [[nodiscard]] std::optional<std::int32_t> special(std::string_view name) const
    {
        const auto position = special_ids.find(name);
        return position == special_ids.end() ? std::nullopt : std::optional(position->second);
    }

  private:
    void indexSpecialTokens()
    {
        for (std::size_t id = 0; id < vocabulary.kinds.size(); ++id) {
            if (vocabulary.kinds[id] == TokenKind::Special) {
                special_ids.emplace(vocabulary.bytes[id], static_cast<std::int32_t>(id));
            }
        }
    }
};

std::shared_ptr<const WhisperTokenizer> WhisperTokenizer::load(const fs::path &path, std::int64_t n_vocab)
{
    auto data = std::make_unique<Data>(readVocabulary(path, n_vocab), n_vocab, path.string());
    return std::shared_ptr<const WhisperTokenizer>(new WhisperTokenizer(std::move(data)));
}

WhisperTokenizer::WhisperTokenizer(std::unique_ptr<Data> data)
    : m_data(std::move(data))
{
}

WhisperTokenizer::~WhisperTokenizer() = default;

std::vector<std::int32_t> WhisperTokenizer::encode(std::string_view text) const
{
    const auto &vocabulary = m_data->vocabulary;
    std::vector<std::int32_t> ids;
    const auto encodePlain = [&](std::string_view plain) {
        if (!vocabulary.splits_like_gpt2) {
            vocabulary.encoder.encode(plain, ids);
            return;
        }
        for (const auto piece : splitBy(SplitPattern::Gpt2, plain)) {
            vocabulary.encoder.encode(piece, ids);
        }
    };
    if (vocabulary.added_texts.empty()) {
        encodePlain(text);
        return ids;
    }
    // Added tokens that are text stand for themselves wherever they occur; the longest at a place counts.
    std::size_t plain_start = 0;
    for (std::size_t offset = 0; offset < text.size();) {
        const std::pair<std::string, std::int32_t> *longest = nullptr;
        for (const auto &added : vocabulary.added_texts) {
            if (text.substr(offset).starts_with(added.first) && (longest == nullptr || added.first.size() > longest->first.size())) {
                longest = &added;
            }
        }
        if (longest == nullptr) {
            ++offset;
            continue;
        }
        encodePlain(text.substr(plain_start, offset - plain_start));
        ids.push_back(longest->second);
        offset += longest->first.size();
        plain_start = offset;
    }
    encodePlain(text.substr(plain_start));
    return ids;
}

std::string WhisperTokenizer::decodeBytes(std::span<const std::int32_t> ids) const
{
    std::string bytes;
    for (const auto id : ids) {
        if (!isSpecial(id)) {
            bytes += m_data->vocabulary.bytes[static_cast<std::size_t>(id)];
        }
    }
    return bytes;
}

std::string WhisperTokenizer::decode(std::span<const std::int32_t> ids) const
{
    return toValidUtf8(decodeBytes(ids));
}

std::string WhisperTokenizer::tokenBytes(std::int32_t id) const
{
    return id >= 0 && id < size() ? m_data->vocabulary.bytes[static_cast<std::size_t>(id)] : std::string();
}

std::string WhisperTokenizer::readableToken(std::int32_t id) const
{
    const auto bytes = tokenBytes(id);
    std::string readable;
    for (std::size_t offset = 0; offset < bytes.size();) {
        const auto character = characterAt(bytes, offset);
        const bool is_control = character.code_point < 0x20 || (character.code_point >= 0x7F && character.code_point < 0xA0);
        if (character.state == Utf8State::Valid && !is_control) {
            readable.append(bytes, offset, character.length);
        } else {
            for (std::size_t i = 0; i < character.length; ++i) {
                char hex[8];
                std::snprintf(hex, sizeof hex, "<%02X>", static_cast<unsigned>(static_cast<unsigned char>(bytes[offset + i])));
                readable += hex;
            }
        }
        offset += character.length;
    }
    return readable;
}

std::int64_t WhisperTokenizer::size() const noexcept
{
    return static_cast<std::int64_t>(m_data->vocabulary.kinds.size());
}

bool WhisperTokenizer::isSpecial(std::int32_t id) const noexcept
{
    return id < 0 || id >= size() || m_data->vocabulary.kinds[static_cast<std::size_t>(id)] != TokenKind::Text;
}

bool WhisperTokenizer::isMultilingual() const noexcept
{
    return !m_data->languages.empty();
}

std::int32_t WhisperTokenizer::endOfText() const noexcept
{
    return m_data->end_of_text;
}

std::int32_t WhisperTokenizer::startOfTranscript() const noexcept
{
    return m_data->start_of_transcript;
}

std::optional<std::int32_t> WhisperTokenizer::transcribe() const noexcept
{
    return m_data->special("<|transcribe|>");
}

std::optional<std::int32_t> WhisperTokenizer::translate() const noexcept
{
    return m_data->special("<|translate|>");
}

std::optional<std::int32_t> WhisperTokenizer::startOfLanguageModel() const noexcept
{
    return m_data->special("<|startoflm|>");
}

std::optional<std::int32_t> WhisperTokenizer::startOfPrevious() const noexcept
{
    return m_data->special("<|startofprev|>");
}

std::optional<std::int32_t> WhisperTokenizer::noSpeech() const noexcept
{
    return m_data->no_speech;
}

std::optional<std::int32_t> WhisperTokenizer::noTimestamps() const noexcept
{
    return m_data->no_timestamps;
}

std::optional<std::int32_t> WhisperTokenizer::timestampBegin() const noexcept
{
    return m_data->timestamp_begin;
}

std::int32_t WhisperTokenizer::timestampCount() const noexcept
{
    return m_data->timestamp_count;
}

std::optional<std::int32_t> WhisperTokenizer::language(std::string_view code) const
{
    for (const auto &[known, id] : m_data->languages) {
        if (known == code) {
            return id;
        }
    }
    return std::nullopt;
}

std::vector<std::pair<std::string, std::int32_t>> WhisperTokenizer::languages() const
{
    return m_data->languages;
}

std::vector<std::int32_t> WhisperTokenizer::prompt(std::string_view language_code, Task task, Timestamps timestamps) const
{
    std::vector<std::int32_t> ids = {startOfTranscript()};
    if (isMultilingual()) {
        const auto language_id = language(language_code);
        if (!language_id) {
            throw Error(ErrorKind::Usage, "this model does not know the language \"" + std::string(language_code) + "\"");
        }
        ids.push_back(*language_id);
        if (const auto task_id = task == Task::Transcribe ? transcribe() : translate()) {
            ids.push_back(*task_id);
        }
    }
    if (timestamps == Timestamps::Without && noTimestamps()) {
        ids.push_back(*noTimestamps());
    }
    return ids;
}

IncrementalDecoder::IncrementalDecoder(std::shared_ptr<const WhisperTokenizer> tokenizer)
    : m_tokenizer(std::move(tokenizer))
{
}

std::string IncrementalDecoder::push(std::int32_t id)
{
    if (m_tokenizer->isSpecial(id)) {
        return {};
    }
    m_pending += m_tokenizer->tokenBytes(id);
    const auto complete = completeLength(m_pending);
    auto text = toValidUtf8(std::string_view(m_pending).substr(0, complete));
    m_pending.erase(0, complete);
    return text;
}

std::string IncrementalDecoder::finish()
{
    auto text = toValidUtf8(m_pending);
    m_pending.clear();
    return text;
}

}  // namespace braid::text
