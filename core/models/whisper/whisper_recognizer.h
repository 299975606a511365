// WindowRecognizer over Whisper: one window of sound in, one hypothesis out, with word times, rivals and attention. Torch header.
#pragma once

#include <memory>

#include "core/captions/recognizer.h"
#include "core/model_access/caption_model.h"
#include "core/models/whisper/language_memory.h"

namespace braid::models::whisper {

class WhisperRecognizer final : public captions::WindowRecognizer {
  public:
    // Throws Error(Usage) for a language or task the model does not have.
    WhisperRecognizer(std::shared_ptr<const Model> model, const CaptionOptions &options);

    [[nodiscard]] captions::Hypothesis recognize(const captions::RecognitionRequest &request) override;
    [[nodiscard]] Sample maximumSamples() const override { return m_model->windowSamples(); }

  private:
    [[nodiscard]] captions::Hypothesis look(const captions::RecognitionRequest &request);

    std::shared_ptr<const Model> m_model;
    CaptionOptions m_options;
    LanguageMemory m_language;
};

// Throws Error(Usage) where the model cannot do the task.
void requireTask(const Model &model, SpeechTask task);
// What a recognition pads its windows with.
[[nodiscard]] weights::WindowPadding paddingOf(const Model &model, const CaptionOptions &options);

}  // namespace braid::models::whisper
