// The Streams page: lanes on one clock in the middle, the line that is typed into below, the answer in large type and the Inspector at
// the right, the truth in the status line; and, where asked for, the same words to one queue of messages beside it. GUI thread.
// Everything that moves is driven by the controllers' frame clocks.
#pragma once

#include <filesystem>
#include <vector>

#include <QElapsedTimer>

#include "ui/shared/appearance.h"
#include "ui/state/caption_controller.h"
#include "ui/state/captions_feed.h"
#include "ui/state/room_page.h"
#include "ui/state/settings.h"
#include "ui/streams/cell_inspection.h"
#include "ui/streams/lane_preferences.h"
#include "ui/streams/streams_files.h"
#include "ui/streams/streams_run.h"

class QLabel;
class QSplitter;

namespace braid::ui {

class AnswerPanel;
class FindBar;
class LanesView;
class NoticeStack;
class OverviewStrip;
class StreamsChoicesRow;
class StreamsInspector;
class StreamsStatusLine;
class TypingLine;

class StreamsPage : public RoomPage {
    Q_OBJECT
  public:
    // `captions` may be followed: what it settles enters a stream.
    StreamsPage(StreamsServices &services, SettingsStore &settings, Appearance &appearance, CaptionController &captions, QWidget *parent = nullptr);
    ~StreamsPage() override;

    [[nodiscard]] StreamsController &controller() noexcept { return m_controller; }
    [[nodiscard]] StreamsController &baseline() noexcept { return m_run.baseline(); }
    [[nodiscard]] StreamsRun &run() noexcept { return m_run; }
    [[nodiscard]] StreamsFiles &files() noexcept { return m_files; }
    [[nodiscard]] StreamsChoicesRow &choicesRow() noexcept { return *m_choices; }
    [[nodiscard]] LanesView &lanes() noexcept { return *m_lanes; }
    [[nodiscard]] LanesView &baselineLanes() noexcept { return *m_baseline_lanes; }
    [[nodiscard]] TypingLine &typing() noexcept { return *m_typing; }
    [[nodiscard]] AnswerPanel &answer() noexcept { return *m_answer; }
    [[nodiscard]] StreamsInspector &inspector() noexcept { return *m_inspector; }
    [[nodiscard]] StreamsStatusLine &status() noexcept { return *m_status; }
    [[nodiscard]] NoticeStack &notices() noexcept { return *m_notices; }

    void startOrStop() override { m_run.startOrPause(); }
    void goLive() override;
    void find() override;
    void save() override { m_files.askAndSave(); }
    void openDialog() override { m_files.askAndOpen(); }
    void openFiles(const std::vector<std::filesystem::path> &files) override { m_files.open(files); }
    // A journal in place of what is there, with `words` found in it; none: nothing.
    void openJournal(const std::filesystem::path &folder, const QString &words);
    void newPage() override { m_run.beginAnew(); }
    void setInspectorOpen(bool open) override;
    void openInspectorTab(int tab) override;
    void setPresentation(Presentation presentation) override;
    void compare() override;
    void openTuning() override;
    void stepTuning(int direction) override;
    void takeFocus() override;
    [[nodiscard]] KeyUse takeKey(int key) override;

  protected:
    void resizeEvent(QResizeEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

  private:
    void buildLeft();
    void connectChoices();
    void connectLanes();
    void connectTyping();
    void connectControllers();
    void addShortcuts();
    void giveCaptions();
    void onFrame();
    void reviseLaneStates();
    void reviseFigures();
    void reviseActivity();
    void reviseEmptyState();
    void askExample(int index);
    [[nodiscard]] QString examplesText() const;

    SettingsStore &m_settings;
    Appearance &m_appearance;
    CaptionController &m_captions;
    StreamsChoicesRow *m_choices;
    QSplitter *m_columns;
    QWidget *m_left;
    NoticeStack *m_notices;
    StreamsRun m_run;
    StreamsController &m_controller;  // of the run: the conversation
    LanesView *m_lanes;
    QLabel *m_empty;
    QLabel *m_baseline_title;
    LanesView *m_baseline_lanes;
    OverviewStrip *m_overview;
    FindBar *m_find;
    QSplitter *m_right;
    AnswerPanel *m_answer;
    StreamsInspector *m_inspector;
    TypingLine *m_typing;
    StreamsStatusLine *m_status;
    StreamsFiles m_files;
    LanePreferences m_preferences;
    CellInspection m_inspection;
    CaptionsFeed m_captions_feed;
    QElapsedTimer m_since_figures;
    Presentation m_presentation = Presentation::Window;
    bool m_states_are_old = true;
};

}  // namespace braid::ui
