// The row of choices: source, model, policy, language, decoding, Compare and Start. Each shows what is chosen; a change is kept in the settings at
// once. Lists of devices and models come from background threads. GUI thread.
#pragma once

#include <optional>
#include <vector>

#include "ui/shared/choices_frame.h"
#include "ui/state/caption_controller.h"
#include "ui/state/services.h"
#include "ui/state/settings.h"

class QPushButton;

namespace braid::ui {

class TranslateChoice;
class TuningControls;

class ChoicesRow : public ChoicesFrame {
    Q_OBJECT
  public:
    ChoicesRow(Services &services, SettingsStore &settings, QWidget *parent = nullptr);

    // What Start would run now; nothing with a sentence in `problem` where something is missing.
    [[nodiscard]] std::optional<CaptionChoices> choices(QString &problem) const;
    // The same model and policy on a file.
    [[nodiscard]] std::optional<CaptionChoices> choicesForFile(const std::filesystem::path &file, audio::Pace pace, QString &problem) const;
    // At the pace that the settings say.
    [[nodiscard]] std::optional<CaptionChoices> choicesForFile(const std::filesystem::path &file, QString &problem) const;
    [[nodiscard]] const std::vector<ModelEntry> &models() const noexcept { return m_models.entries; }
    [[nodiscard]] bool listsArrived() const noexcept { return m_devices.arrived && m_models.arrived; }
    [[nodiscard]] TuningControls &tuning() noexcept { return *m_tuning; }
    [[nodiscard]] TranslateChoice &translate() noexcept { return *m_translate; }
    [[nodiscard]] const ModelEntry *chosenModel() const;
    // Takes another source as the chosen one; does not start it.
    void chooseFile(const std::filesystem::path &file);
    void chooseMicrophone();
    // The first sound of this machine's own there is; false where there is none.
    [[nodiscard]] bool chooseSystemSound();
    [[nodiscard]] bool hasMicrophone() const;
    [[nodiscard]] bool hasSystemSound() const;
    void refreshDevices();
    void refreshModels();
    void setActivity(RunActivity activity, bool loading);
    void setOverlayShown(bool shown);

  Q_SIGNALS:
    void openRequested();
    void choiceChanged();                                        // of source or model, by a person: a run that is going should begin anew
    void tuningChanged(const braid::ui::CaptionTuning &tuning);  // by a person: a run goes on with it
    void compareRequested();
    void overlayRequested();

  private:
    void fillSources();
    void fillSourcesWhenClosed();
    void fillModels();
    void fillLanguages();
    void onSourceActivated(int index);
    void keepTuning();
    [[nodiscard]] std::optional<CaptionChoices> withModel(CaptionChoices choices, QString &problem) const;

    Services &m_services;
    SettingsStore &m_settings;
    ChoiceBox *m_source;
    ChoiceBox *m_model;
    TuningControls *m_tuning;
    ChoiceBox *m_language;
    TranslateChoice *m_translate;
    QPushButton *m_compare;
    QPushButton *m_overlay;
    FoundList<audio::DeviceInfo> m_devices;
    FoundList<ModelEntry> m_models;
    std::optional<std::filesystem::path> m_file;  // chosen instead of a device
    bool m_looking_for_devices = false;
    bool m_sources_are_old = false;  // the list is open: it is filled when it closes
};

}  // namespace braid::ui
