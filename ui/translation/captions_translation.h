// The translation under the captions: one run for a page, fed as the captions settle, and which of its sentences belongs to which paragraph.
//
// A line of the captions ends a unit of translation, so a sentence belongs to one paragraph; which, its times say. What was said last has no successor
// to end its sentence: the end of the captions' run does. GUI thread; never waits for the engine.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "ui/state/captions_feed.h"
#include "ui/state/line_translations.h"
#include "ui/state/services.h"
#include "ui/state/settings.h"
#include "ui/translation/translation_controller.h"

namespace braid::ui {

class CaptionsTranslation : public LineTranslations {
    Q_OBJECT
  public:
    // Everything outlives it. `services` must be able to make a translation kit.
    CaptionsTranslation(Services &services, SettingsStore &settings, CaptionController &captions);
    ~CaptionsTranslation() override;

    // What translates from now on: another model or language translates the whole page anew, paradigm and k hold from the next sentence on; nothing: off.
    void setTranslator(const std::optional<TranslatorChoices> &choices);
    [[nodiscard]] bool isOn() const noexcept { return m_choices.has_value(); }
    [[nodiscard]] TranslationController &controller() noexcept { return *m_controller; }

    [[nodiscard]] std::vector<TranslatedPiece> pieces(int paragraph) const override;
    [[nodiscard]] text::Transcript transcript() const override;

  private:
    void give();
    void begin();
    void onChanged(int first_sentence);
    [[nodiscard]] int paragraphAt(Sample start) const;

    Services &m_services;
    SettingsStore &m_settings;
    CaptionController &m_captions;
    CaptionsFeed m_feed;
    std::unique_ptr<TranslationController> m_controller;
    std::optional<TranslatorChoices> m_choices;
    std::vector<int> m_paragraphs;  // of each sentence; never falls
    bool m_has_failed = false;      // on this page: it is not tried again with every word
};

}  // namespace braid::ui
