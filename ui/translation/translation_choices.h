// The row of choices of the Translation page: where the source comes from, model, languages, paradigm, k, Compare and Start. Each shows what is
// chosen; a change is kept in the settings at once. GUI thread.
#pragma once

#include <optional>
#include <vector>

#include "ui/shared/choices_frame.h"
#include "ui/state/caption_controller.h"
#include "ui/state/services.h"
#include "ui/state/settings.h"
#include "ui/state/translation_backend.h"

class QPushButton;

namespace braid::ui {

class TranslationControls;

class TranslationChoicesRow : public ChoicesFrame {
    Q_OBJECT
  public:
    TranslationChoicesRow(Services &services, SettingsStore &settings, QWidget *parent = nullptr);

    // What would run now; nothing with a sentence in `problem` where something is missing.
    [[nodiscard]] std::optional<TranslatorChoices> choices(QString &problem) const;
    [[nodiscard]] bool listsArrived() const noexcept { return m_models.arrived; }
    [[nodiscard]] const TranslationModelEntry *chosenModel() const;
    [[nodiscard]] TranslationControls &controls() noexcept { return *m_controls; }
    // "English", "French": empty where the model is told, or does not say.
    [[nodiscard]] QString sourceLanguage() const;
    [[nodiscard]] QString targetLanguage() const;
    void refreshModels();
    void setActivity(RunActivity activity, bool loading);
    void setComparing(bool comparing);

  Q_SIGNALS:
    void openRequested();
    void sourceChanged();
    void tuningChanged();  // paradigm, k, model, languages: a run goes on with it
    void compareRequested();

  private:
    void fillSources();
    void fillModels();
    void fillLanguages();
    void chooseLanguages();
    void keepTuning();

    Services &m_services;
    SettingsStore &m_settings;
    ChoiceBox *m_source;
    ChoiceBox *m_model;
    ChoiceBox *m_language;
    TranslationControls *m_controls;
    QPushButton *m_compare;
    FoundList<TranslationModelEntry> m_models;
};

}  // namespace braid::ui
