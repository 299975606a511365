// Which language a live session is in: given, the model's only one, or detected on what is heard first. Torch header.
#pragma once

#include <string>

#include "core/base/sample_clock.h"
#include "core/models/whisper/whisper_model.h"

namespace braid::models::whisper {

class LanguageMemory {
  public:
    // `language`: resolved; empty: to be detected.
    explicit LanguageMemory(std::string language)
        : m_language(std::move(language))
        , m_settled(!m_language.empty())
    {
    }

    // The language of this window. Detection runs again with every window until it is sure or has heard enough, then stays.
    [[nodiscard]] const std::string &languageOf(const Model &model, const SoundCache &sound, Sample heard_samples);
    // What is thought so far; empty before anything was heard.
    [[nodiscard]] const std::string &present() const noexcept { return m_language; }

  private:
    std::string m_language;
    bool m_settled = false;
};

}  // namespace braid::models::whisper
