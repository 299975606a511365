// Tokenizers of language models as people have them: byte-level BPE (Llama 3, Qwen, Phi-4-mini) and BPE over characters with marked
// spaces and bytes as a last resort (Llama 2, Phi-3, Gemma). Reads tokenizer.json (all of it, or refuses it with a sentence),
// SentencePiece's tokenizer.model, tiktoken's ranks and llama2.c's tokenizer. Gives the ids of Hugging Face's tokenizers 0.23.
// Thread: const functions from any thread. Errors: Error(Model) with file and reason.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/added_tokens.h"
#include "core/text/text_steps.h"

namespace braid::text {

struct LanguageVocabulary;
class TokenStream;

// Whether the tokens that the model wants around a text (its beginning, mostly) are put there.
enum class Surroundings : std::uint8_t { None = 1, Added };
// Whether "<|im_end|>" in a text is that token or just these letters. Text from people must not be able to end their own turn.
enum class SpecialTexts : std::uint8_t { Recognised = 1, PlainText };
enum class SpecialTokens : std::uint8_t { Hidden = 1, Shown };

class LanguageTokenizer {
  public:
    // A model folder (tokenizer.json, else tokenizer.model, else the only *.tiktoken), or one of these files, or llama2.c's *.bin.
    [[nodiscard]] static std::shared_ptr<const LanguageTokenizer> load(const std::filesystem::path &path);
    explicit LanguageTokenizer(LanguageVocabulary vocabulary, const std::string &where);
    ~LanguageTokenizer();

    struct EncodeOptions {
        Surroundings surroundings = Surroundings::None;
        SpecialTexts special = SpecialTexts::Recognised;
        TextPosition position = TextPosition::Start;   // Continues: the tokenizers that put a space before a text do not
        std::span<const TextRange> plain_ranges = {};  // of a valid UTF-8 text: where special tokens are plain text; in order, apart from each other
    };
    // Invalid UTF-8 becomes U+FFFD first: such tokenizers know text only.
    [[nodiscard]] std::vector<std::int32_t> encode(std::string_view text, EncodeOptions options) const;
    [[nodiscard]] std::vector<std::int32_t> encode(std::string_view text) const { return encode(text, EncodeOptions()); }

    // As valid UTF-8. Ids without a token are left out.
    [[nodiscard]] std::string decode(std::span<const std::int32_t> ids, SpecialTokens special = SpecialTokens::Hidden) const;

    // What the token adds inside a text: bytes, perhaps of a part of a character; a marked space is a space. Empty for no token.
    [[nodiscard]] std::string tokenBytes(std::int32_t id) const;
    [[nodiscard]] std::string readableToken(std::int32_t id) const;               // for people: valid UTF-8, bytes as <E2> where incomplete
    [[nodiscard]] std::string_view writtenToken(std::int32_t id) const noexcept;  // as in the file; empty for no token
    // The token written so in the file ("<|im_end|>", "Ġthe").
    [[nodiscard]] std::optional<std::int32_t> idOf(std::string_view written) const;

    [[nodiscard]] std::int32_t size() const noexcept;              // one more than the largest id
    [[nodiscard]] bool isSpecial(std::int32_t id) const noexcept;  // control, never text
    // What is put before and after one text with Surroundings::Added.
    [[nodiscard]] std::span<const std::int32_t> beforeText() const noexcept;
    [[nodiscard]] std::span<const std::int32_t> afterText() const noexcept;

    // Decodes token after token and never shows half a character; what it gave stays. Special tokens give nothing. The tokenizer must outlive it.
    class Stream {
      public:
        explicit Stream(const LanguageTokenizer &tokenizer, SpecialTokens special = SpecialTokens::Hidden);
        ~Stream();
        Stream(Stream &&other) noexcept;
        Stream &operator=(Stream &&other) noexcept;
        [[nodiscard]] std::string push(std::int32_t id);
        [[nodiscard]] std::string finish();  // what is left, broken bytes as U+FFFD

      private:
        const LanguageTokenizer *m_tokenizer;
        SpecialTokens m_special;
        std::unique_ptr<TokenStream> m_stream;
    };

  private:
    struct Data;
    void encodePiece(std::string_view piece, std::vector<std::int32_t> &ids) const;

    std::unique_ptr<Data> m_data;
};

}  // namespace braid::text
