// The Captions page: choices on top, the text in the middle, the Inspector at the right, time below, the truth in the status line.
// GUI thread. Everything that moves is driven by the controller's frame clock.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "core/runtime/run_journal_reader.h"
#include "ui/shared/appearance.h"
#include "ui/shared/export.h"
#include "ui/shared/notice_bar.h"
#include "ui/state/caption_controller.h"
#include "ui/state/caption_queue.h"
#include "ui/state/room_page.h"
#include "ui/state/settings.h"

class QSplitter;

namespace braid::ui {

class ChoicesRow;
class Corrections;
class EmptyState;
class FindBar;
class InspectorPanel;
class LineTranslations;
class Playback;
class PlayerBar;
class QueuePanel;
class StatusLine;
class TimelineView;
class TranscriptView;
class WelcomeCard;
class WordCard;

enum class Greeting : std::uint8_t { None = 1, FirstTime };

class CaptionsPage : public RoomPage {
    Q_OBJECT
  public:
    CaptionsPage(Services &services, SettingsStore &settings, Appearance &appearance, CaptionController &controller, QWidget *parent = nullptr);

    [[nodiscard]] ChoicesRow &choicesRow() noexcept { return *m_choices; }
    [[nodiscard]] TranscriptView &transcriptView() noexcept { return *m_transcript; }
    [[nodiscard]] TimelineView &timeline() noexcept { return *m_timeline; }
    [[nodiscard]] InspectorPanel &inspector() noexcept { return *m_inspector; }
    [[nodiscard]] StatusLine &status() noexcept { return *m_status; }
    [[nodiscard]] NoticeStack &notices() noexcept { return *m_notices; }
    [[nodiscard]] WordCard &wordCard() noexcept { return *m_card; }
    [[nodiscard]] Playback &playback() noexcept { return *m_playback; }
    [[nodiscard]] PlayerBar &playerBar() noexcept { return *m_player_bar; }
    [[nodiscard]] CaptionQueue &queue() noexcept { return *m_queue; }
    [[nodiscard]] QueuePanel &queuePanel() noexcept { return *m_queue_panel; }
    [[nodiscard]] FindBar &findBar() noexcept { return *m_find; }

    void startOrStop() override;
    // Each has a page of its own; they wait for their turn, also for the end of a capture. Of folders the recordings in them, once looked up.
    void openFiles(const std::vector<std::filesystem::path> &files) override;
    void openDialog() override;
    // Captions the bundled sample at its own pace, with the offer to use the microphone instead; the first time with what one should know.
    void showSample(Greeting greeting = Greeting::None);
    // Null unless it shows.
    [[nodiscard]] WelcomeCard *welcomeCard() const noexcept { return m_welcome; }
    void offerRecovery(const std::vector<runtime::InterruptedRun> &runs);
    // Read in the background, shown on an empty page.
    void openJournal(const std::filesystem::path &folder, const QString &words = {});
    void newPage() override;
    void save() override;
    // Every recording of the queue into `folder`, a file each of the kind `ending` (".srt"); none that is there is replaced. In the background.
    void saveAllTo(const std::filesystem::path &folder, const std::string &ending);
    // Writes to `file`; the kind follows from its ending. Errors become a notice. True when written.
    bool saveTranscriptTo(const std::filesystem::path &file, ExportedText which = ExportedText::Original);
    // Shown under the lines; null: none. Outlives the page, or is taken away before it goes.
    void setTranslations(const LineTranslations *translations);
    void goLive() override;
    void find() override;
    void setInspectorOpen(bool open) override;
    void setPresentation(Presentation presentation) override;
    [[nodiscard]] KeyUse takeKey(int key) override;
    void takeFocus() override;

    // Chunk, beam and look-back; [ and ] step the chunk.
    void openTuning() override;
    void stepTuning(int direction) override;
    void openInspectorTab(int tab) override;
    void compare() override;

  Q_SIGNALS:
    void compareRequested();

  protected:
    void resizeEvent(QResizeEvent *event) override;

  private:
    void connectChoices();
    void connectQueue();
    // Why Start could not: with ways out where it is the source that is missing.
    void raiseNoStart(const QString &problem);
    void beginFromSample();
    void welcome();
    void endWelcome();
    void showOrHideTimeline();
    void applyLineTimes();
    void takeFiles(const std::vector<std::filesystem::path> &files);
    void askWhereToSaveAll();
    void connectWords();
    void connectController();
    void connectCorrections();
    void connectPlayback();
    void revisePlayerBar();
    void undoCorrection();
    void redoCorrection();
    void onFrame();
    void restartIfRunning();
    void playFrom(int word, int last_word);
    void showInspected();
    void showAttention(std::optional<WordRef> ref);
    void showFacts(std::optional<WordRef> ref);
    void showCompute();
    void reviseEmptyState();

    Services &m_services;
    SettingsStore &m_settings;
    Appearance &m_appearance;
    CaptionController &m_controller;
    ChoicesRow *m_choices;
    CaptionQueue *m_queue;
    QueuePanel *m_queue_panel;
    QWidget *m_paper;
    NoticeStack *m_notices;
    TranscriptView *m_transcript;
    Corrections *m_corrections;
    Playback *m_playback;
    FindBar *m_find;
    EmptyState *m_empty;
    QSplitter *m_splitter;
    InspectorPanel *m_inspector;
    PlayerBar *m_player_bar;
    TimelineView *m_timeline;
    StatusLine *m_status;
    WordCard *m_card;
    std::optional<WordRef> m_timeline_hover;
    std::optional<WordRef> m_inspected;
    int m_hovered_token = -1;
    const LineTranslations *m_translations = nullptr;
    WelcomeCard *m_welcome = nullptr;
    bool m_presents = false;
    bool m_shows_sample = false;
};

}  // namespace braid::ui
