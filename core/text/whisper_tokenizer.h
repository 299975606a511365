// Whisper's tokenizers: byte-level BPE from OpenAI's .tiktoken files or a Hugging Face tokenizer.json, with all special, language,
// task and timestamp tokens. Byte-exact in both directions. Thread: const functions from any thread.
// Errors: Error(Model) with file and reason; a tokenizer.json with parts this class does not know is refused, never read differently.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace braid::text {

class WhisperTokenizer {
  public:
    // `path`: a *.tiktoken file (`n_vocab` chooses the special tokens: 51864 English-only, 51865, 51866), a tokenizer.json, or a vocab.json beside merges.txt.
    [[nodiscard]] static std::shared_ptr<const WhisperTokenizer> load(const std::filesystem::path &path, std::int64_t n_vocab);
    ~WhisperTokenizer();

    // Plain text to ids; special tokens in the text are text. Invalid UTF-8 is encoded byte by byte.
    [[nodiscard]] std::vector<std::int32_t> encode(std::string_view text) const;
    // The bytes of the ids, special tokens left out; may end inside a UTF-8 character.
    [[nodiscard]] std::string decodeBytes(std::span<const std::int32_t> ids) const;
    // As valid UTF-8: broken sequences become U+FFFD.
    [[nodiscard]] std::string decode(std::span<const std::int32_t> ids) const;
    [[nodiscard]] std::string tokenBytes(std::int32_t id) const;     // "<|en|>" for special tokens
    [[nodiscard]] std::string readableToken(std::int32_t id) const;  // for people: valid UTF-8, bytes as <E2> where incomplete

    [[nodiscard]] std::int64_t size() const noexcept;
    [[nodiscard]] bool isSpecial(std::int32_t id) const noexcept;  // anything that is not text, timestamps included
    [[nodiscard]] bool isMultilingual() const noexcept;            // has language tokens it learned (OpenAI's .en carry them unlearned)

    [[nodiscard]] std::int32_t endOfText() const noexcept;
    [[nodiscard]] std::int32_t startOfTranscript() const noexcept;
    [[nodiscard]] std::optional<std::int32_t> transcribe() const noexcept;
    [[nodiscard]] std::optional<std::int32_t> translate() const noexcept;
    [[nodiscard]] std::optional<std::int32_t> startOfLanguageModel() const noexcept;
    [[nodiscard]] std::optional<std::int32_t> startOfPrevious() const noexcept;
    [[nodiscard]] std::optional<std::int32_t> noSpeech() const noexcept;
    [[nodiscard]] std::optional<std::int32_t> noTimestamps() const noexcept;
    [[nodiscard]] std::optional<std::int32_t> timestampBegin() const noexcept;  // <|0.00|>; each further one is 20 ms; empty where the model has none
    [[nodiscard]] std::int32_t timestampCount() const noexcept;
    [[nodiscard]] std::optional<std::int32_t> language(std::string_view code) const;    // "en" -> <|en|>
    [[nodiscard]] std::vector<std::pair<std::string, std::int32_t>> languages() const;  // code, id; empty unless isMultilingual()
    // <|startoftranscript|> [<|language|> <|task|>] [<|notimestamps|>], as the model has them. Throws Error(Usage) for an unknown language.
    enum class Task { Transcribe = 1, Translate };
    enum class Timestamps { Without = 1, With };
    [[nodiscard]] std::vector<std::int32_t> prompt(std::string_view language, Task task, Timestamps timestamps) const;
    // Brackets, music notes and the like, as openai/whisper's non_speech_tokens lists them.
    [[nodiscard]] std::vector<std::int32_t> nonSpeechTokens() const;

    // Splits ids into words: at spaces where the language has them, at Unicode characters elsewhere (zh, ja, th, lo, my, yue);
    // never inside a character. Punctuation stands alone, as openai/whisper's split_to_word_tokens gives it. Special ids are skipped.
    struct WordPiece {
        std::string text;  // with its leading space
        std::vector<std::int32_t> ids;
    };
    [[nodiscard]] std::vector<WordPiece> splitIntoWords(std::span<const std::int32_t> ids, std::string_view language) const;

  private:
    struct Data;
    explicit WhisperTokenizer(std::unique_ptr<Data> data);
    std::unique_ptr<Data> m_data;
};

// Decodes token after token and never shows half a character: bytes wait until their character is complete.
class IncrementalDecoder {
  public:
    explicit IncrementalDecoder(std::shared_ptr<const WhisperTokenizer> tokenizer);
    // The text that became complete with this token; may be empty.
    [[nodiscard]] std::string push(std::int32_t id);
    // What is left, broken bytes as U+FFFD.
    [[nodiscard]] std::string finish();

  private:
    std::shared_ptr<const WhisperTokenizer> m_tokenizer;
    std::string m_pending;
};

}  // namespace braid::text
