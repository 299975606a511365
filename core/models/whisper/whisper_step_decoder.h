// StepDecoder over Whisper: one token at a time with what it attended to, for AlignAtt. Greedy, without timestamps. Torch header.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/captions/recognizer.h"
#include "core/model_access/caption_model.h"
#include "core/models/whisper/decode_window.h"
#include "core/models/whisper/language_memory.h"

namespace braid::models::whisper {

class WhisperStepDecoder final : public captions::StepDecoder {
  public:
    // Throws Error(Usage) for a language or task the model does not have.
    WhisperStepDecoder(std::shared_ptr<const Model> model, const CaptionOptions &options);

    void setSound(std::span<const float> sound, Sample start_sample) override;
    void begin(std::string_view previous_text, std::span<const std::int32_t> forced_tokens) override;
    [[nodiscard]] captions::DecodedStep next() override;
    void accept(std::int32_t token_id) override;
    void retract(int count) override;

    [[nodiscard]] int frames() const override { return static_cast<int>(m_frames); }
    [[nodiscard]] Sample frameSamples() const override { return m_model->frameSamples(); }
    [[nodiscard]] Sample maximumSamples() const override { return m_model->windowSamples(); }
    [[nodiscard]] std::vector<text::Word> words(std::span<const text::Token> tokens) const override;
    [[nodiscard]] std::string textOf(std::span<const std::int32_t> token_ids) const override;

  private:
    [[nodiscard]] captions::DecodedStep describe(const at::Tensor &hidden, const at::Tensor &attention) const;

    std::shared_ptr<const Model> m_model;
    CaptionOptions m_options;
    LanguageMemory m_memory;
    std::string m_language;
    std::vector<std::int64_t> m_never;  // tokens that are never said, ascending
    std::optional<SoundCache> m_sound;
    std::int64_t m_frames = 0;
    nn::SelfCache m_cache;
    std::vector<std::int32_t> m_tokens;  // prompt, forced, accepted
    std::size_t m_fixed = 0;             // prompt and forced tokens, which are not taken back
    std::optional<captions::DecodedStep> m_next;
};

}  // namespace braid::models::whisper
