// The Streams page: lanes on one clock in the middle, the line that is typed into below, the answer in large type and the Inspector at
// the right, the truth in the status line; and, where asked for, the same words to one queue of messages beside it. GUI thread.
// Everything that moves is driven by the controllers' frame clocks.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include <QTimer>

#include "core/engine/run_journal_reader.h"
#include "ui/pages/room_page.h"
#include "ui/session/caption_controller.h"
#include "ui/settings.h"
#include "ui/streams/streams_controller.h"
#include "ui/theme/appearance.h"

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
    [[nodiscard]] StreamsController &baseline() noexcept { return m_baseline; }
    [[nodiscard]] StreamsChoicesRow &choicesRow() noexcept { return *m_choices; }
    [[nodiscard]] LanesView &lanes() noexcept { return *m_lanes; }
    [[nodiscard]] LanesView &baselineLanes() noexcept { return *m_baseline_lanes; }
    [[nodiscard]] TypingLine &typing() noexcept { return *m_typing; }
    [[nodiscard]] AnswerPanel &answer() noexcept { return *m_answer; }
    [[nodiscard]] StreamsInspector &inspector() noexcept { return *m_inspector; }
    [[nodiscard]] StreamsStatusLine &status() noexcept { return *m_status; }
    [[nodiscard]] NoticeStack &notices() noexcept { return *m_notices; }

    void startOrStop() override;  // start, pause, go on
    void goLive() override;
    void find() override;
    void save() override;
    void openDialog() override;
    void openFiles(const std::vector<std::filesystem::path> &files) override;
    void newPage() override;
    void setInspectorOpen(bool open) override;
    void openInspectorTab(int tab) override;
    void setPresentation(Presentation presentation) override;
    void compare() override;
    void openTuning() override;
    void stepTuning(int direction) override;
    void takeFocus() override;
    [[nodiscard]] KeyUse takeKey(int key) override;

    void singleStep();
    void replay();
    // Writes in the background; the kind follows from the ending: .json the conversation, .md the table, .txt lane by lane.
    void saveTo(const std::filesystem::path &file);
    void openConversation(const std::filesystem::path &file);
    // Conversations that a crash cut off, the newest first.
    void offerRecovery(const std::vector<engine::InterruptedRun> &runs);
    // Read in the background, shown in place of what is there.
    void openJournal(const std::filesystem::path &folder);

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
    // --- running (streams_page_run.cpp)
    bool start();
    void startBaseline();
    void showEmptyLanes();
    void say(int stream, const QString &words);
    void endTurn(int stream);
    void giveCaptions();
    void sayFile(const std::filesystem::path &file);
    void rewindTo(std::int64_t last_row);
    void rewindBaseline(std::int64_t last_row);
    void undoRewind(std::size_t events);
    void begin(StreamsChoices choices);
    void showConversation(streams::Conversation conversation);
    void play(streams::Conversation conversation, sessions::Playback playback);
    void offerNextStart();
    // --- showing
    void onFrame();
    void reviseLaneStates();
    void reviseFigures();
    void reviseActivity();
    void reviseEmptyState();
    [[nodiscard]] std::optional<CellRef> chosenCell() const;
    void showInspected();
    void wishLook();
    void showLook();
    void showLaneMenu(int stream, const QPoint &global_position);
    void keepArrangement();
    void changeLook(int stream, const std::function<void(LaneLook &)> &change);
    void applyRemembered();
    void raiseProblem(const QString &sentence);

    StreamsServices &m_services;
    SettingsStore &m_settings;
    Appearance &m_appearance;
    CaptionController &m_captions;
    StreamsController m_controller;
    StreamsController m_baseline;
    StreamsChoicesRow *m_choices;
    QSplitter *m_columns;
    QWidget *m_left;
    NoticeStack *m_notices;
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
    QTimer m_look_soon;               // the pointer has come to rest on a cell
    QElapsedTimer m_since_figures;
    Presentation m_presentation = Presentation::Window;
    std::size_t m_captions_given = 0;  // items of the captions that were said here, or came before
    bool m_states_are_old = true;
    bool m_goes_on_with_words = false;  // paused by a rewind: the next word goes on from there
    bool m_moved_before_rewind = false;
};

}  // namespace braid::ui
