// What stands around source and target of a translation, for every model that can translate: the frame of models trained by this program
// (core/text/translation_frame.h), or the chat template of a published instruction model, laid out as in the paper's own code (streaming-llm.md 1.1: the
// instruction and the user's turn are source, the assistant's header is target). Thread: const; any.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/language_tokenizer.h"
#include "core/text/translation_frame.h"
#include "core/translation/translation_model.h"

namespace braid::models::lm {

// What stands around texts where a folder has neither the frame nor a chat template.
enum class Unmarked : std::uint8_t {
    Refused = 1,  // unless its config.json says that it was made for translation ("braid_translation")
    Spelled       // the frame's marks as plain text, and the model's own end
};

class TranslationLayout {
  public:
    // `source_language`, `target_language`: codes, for the instruction of a chat model. Errors: Error(Model) for a folder that has neither frame nor a
    // template that is known; Error(Usage) for an unknown language.
    [[nodiscard]] static TranslationLayout of(const std::filesystem::path &folder, std::shared_ptr<const text::LanguageTokenizer> tokenizer,
                                              std::string_view source_language, std::string_view target_language, Unmarked unmarked = Unmarked::Refused);

    struct Beginning {
        std::vector<std::int32_t> source;  // read before the first unit
        std::vector<std::int32_t> target;  // written before the first word
    };
    [[nodiscard]] Beginning beginning(const translation::TranslationContext &context) const;
    // A unit with the space before it, if there is one.
    [[nodiscard]] std::vector<std::int32_t> unitTokens(std::string_view unit) const;
    [[nodiscard]] const std::vector<std::int32_t> &endOfSource() const noexcept { return m_end_of_source; }
    // The frame itself; empty: something else stands around texts.
    [[nodiscard]] const std::optional<text::TranslationFrame> &frame() const noexcept { return m_frame; }
    // With which a target is ended.
    [[nodiscard]] std::int32_t endOfTarget() const noexcept { return m_end_of_target; }
    // Of the target. Tokens that are no text end it too.
    [[nodiscard]] bool isEnd(std::int32_t token) const;

  private:
    explicit TranslationLayout(std::shared_ptr<const text::LanguageTokenizer> tokenizer)
        : m_tokenizer(std::move(tokenizer))
    {
    }
    [[nodiscard]] std::vector<std::int32_t> plainTokens(std::string_view text) const;
    void spellMarks(const std::filesystem::path &folder);

    std::shared_ptr<const text::LanguageTokenizer> m_tokenizer;
    std::optional<text::TranslationFrame> m_frame;
    Beginning m_chat;  // of a chat model, without context
    std::vector<std::int32_t> m_end_of_source;
    std::int32_t m_end_of_target = 0;
};

// Whether beginning with this folder's tokenizer and template would work; cheap: reads no weights.
[[nodiscard]] bool canTranslate(const std::filesystem::path &folder) noexcept;

}  // namespace braid::models::lm
