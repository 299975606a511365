// The row of choices of the Streams page: layout, model, how it runs, baseline; step, replay and Start. A change is kept in the settings
// at once. Lists of layouts and models come from background threads. GUI thread.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "ui/shared/choices_frame.h"
#include "ui/state/settings.h"
#include "ui/state/streams_services.h"
#include "ui/streams/streams_controller.h"

class QPushButton;

namespace braid::ui {

class StreamsPanel;

class StreamsChoicesRow : public ChoicesFrame {
    Q_OBJECT
  public:
    StreamsChoicesRow(StreamsServices &services, SettingsStore &settings, QWidget *parent = nullptr);

    [[nodiscard]] StreamsPanel &panel() noexcept { return *m_panel; }
    [[nodiscard]] bool listsArrived() const noexcept { return m_layouts.arrived && m_models.arrived; }
    [[nodiscard]] const std::vector<StreamsModelEntry> &models() const noexcept { return m_models.entries; }
    // The chosen layout with what the panel says of it; nothing while there is none.
    [[nodiscard]] std::optional<streams::Layout> layout() const;
    [[nodiscard]] QString layoutTitle() const;
    // What Start would run now; nothing with a sentence in `problem` where something is missing.
    [[nodiscard]] std::optional<StreamsChoices> choices(QString &problem) const;
    [[nodiscard]] std::optional<StreamsChoices> baselineChoices(QString &problem) const;
    // The model called `name` that can run `layout`; null where there is none.
    [[nodiscard]] const StreamsModelEntry *modelFor(const streams::Layout &layout, const QString &name) const;
    [[nodiscard]] StreamsChoices withCompute(StreamsChoices choices) const;
    void setActivity(StreamsActivity activity, bool can_replay);
    void refresh();
    void refreshModels();
    void openPanel();
    void toggleBaseline();
    // Reads a layout file in the background and chooses it.
    void openLayout(const std::filesystem::path &file);
    // What gives way on a narrow window does not widen it.
    [[nodiscard]] QSize minimumSizeHint() const override { return {360, QWidget::minimumSizeHint().height()}; }

  Q_SIGNALS:
    void stepRequested();
    void replayRequested();
    void newRequested();
    void layoutChanged();  // by a person, or the first one arrived
    void modelChanged();
    void baselineToggled(bool shown);
    void openLayoutRequested();
    void failed(const QString &sentence);

  private:
    void fillLayouts();
    void showLaneNames();
    void fillModels();
    void onLayoutActivated(int index);
    void revisePanelButton();
    [[nodiscard]] const LayoutEntry *chosenLayout() const;

    StreamsServices &m_services;
    SettingsStore &m_settings;
    ChoiceBox *m_layout;
    ChoiceBox *m_model;
    QPushButton *m_panel_button;
    StreamsPanel *m_panel;
    QPushButton *m_baseline;
    QPushButton *m_new;
    QPushButton *m_replay;
    QPushButton *m_step;
    FoundList<LayoutEntry> m_layouts;
    FoundList<StreamsModelEntry> m_models;
};

}  // namespace braid::ui
