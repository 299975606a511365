// The row of choices: source, model, policy, language, decoding, Compare and Start. Each shows what is chosen; a change is kept in the settings at
// once. Lists of devices and models come from background threads. GUI thread.
#pragma once

#include <optional>
#include <vector>

#include <QWidget>

#include "ui/services.h"
#include "ui/session/caption_controller.h"
#include "ui/settings.h"

class QPushButton;

namespace braid::ui {

class ChoiceBox;
class TuningControls;

class ChoicesRow : public QWidget {
    Q_OBJECT
  public:
    ChoicesRow(Services &services, SettingsStore &settings, QWidget *parent = nullptr);

    // What Start would run now; nothing with a sentence in `problem` where something is missing.
    [[nodiscard]] std::optional<CaptionChoices> choices(QString &problem) const;
    // The same model and policy on a file.
    [[nodiscard]] std::optional<CaptionChoices> choicesForFile(const std::filesystem::path &file, audio::Pace pace, QString &problem) const;
    [[nodiscard]] const std::vector<ModelEntry> &models() const noexcept { return m_models; }
    [[nodiscard]] bool listsArrived() const noexcept { return m_devices_arrived && m_models_arrived; }
    [[nodiscard]] TuningControls &tuning() noexcept { return *m_tuning; }
    [[nodiscard]] const ModelEntry *chosenModel() const;
    // Takes another source as the chosen one; does not start it.
    void chooseFile(const std::filesystem::path &file);
    void chooseMicrophone();
    void refreshDevices();
    void refreshModels();
    void setActivity(RunActivity activity, bool loading);

  Q_SIGNALS:
    void startStopRequested();
    void openRequested();
    void choiceChanged();    // of source or model, by a person: a run that is going should begin anew
    void tuningChanged(const braid::ui::CaptionTuning &tuning);  // by a person: a run goes on with it
    void compareRequested();
    void listsChanged();

  protected:
    void resizeEvent(QResizeEvent *event) override;

  private:
    void fillSources();
    void fillModels();
    void fillLanguages();
    void onSourceActivated(int index);
    void keepTuning();
    void reviseRoom();
    [[nodiscard]] std::optional<CaptionChoices> withModel(CaptionChoices choices, QString &problem) const;

    Services &m_services;
    SettingsStore &m_settings;
    ChoiceBox *m_source;
    ChoiceBox *m_model;
    TuningControls *m_tuning;
    ChoiceBox *m_language;
    QPushButton *m_compare;
    QPushButton *m_start;
    std::vector<audio::DeviceInfo> m_devices;
    std::vector<ModelEntry> m_models;
    std::optional<std::filesystem::path> m_file;  // chosen instead of a device
    bool m_devices_arrived = false;
    bool m_models_arrived = false;
    bool m_looking_for_devices = false;
    QString m_device_problem;
    QString m_model_problem;
};

}  // namespace braid::ui
