// The Translation page: choices on top, source and translation side by side, the Inspector at the right, a field to type in below, the truth in
// the status line. The source is typed, pasted, opened, or follows the captions. Two paradigms may run on one source, each on its side.
// GUI thread. Everything that moves is driven by the controllers' frame clocks.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include <QTimer>

#include "core/runtime/run_journal_reader.h"
#include "ui/shared/appearance.h"
#include "ui/shared/notice_bar.h"
#include "ui/state/caption_controller.h"
#include "ui/state/captions_feed.h"
#include "ui/state/room_page.h"
#include "ui/state/services.h"
#include "ui/state/settings.h"
#include "ui/translation/bilingual_text.h"

class QSplitter;
class QStackedWidget;

namespace braid::ui {

class BilingualView;
class EmptyState;
class FindBar;
class SourceLine;
class TranslationChoicesRow;
class TranslationControls;
class TranslationInspector;
class TranslationSide;
class TranslationStatus;

class TranslationPage : public RoomPage {
    Q_OBJECT
  public:
    // `captions` is followed where the source is the captions.
    TranslationPage(Services &services, SettingsStore &settings, Appearance &appearance, CaptionController &captions, QWidget *parent = nullptr);
    ~TranslationPage() override;

    [[nodiscard]] TranslationChoicesRow &choicesRow() noexcept { return *m_choices; }
    [[nodiscard]] TranslationSide &side() noexcept { return *m_side; }
    // Null unless two sides are compared.
    [[nodiscard]] TranslationSide *otherSide() noexcept { return m_other.get(); }
    [[nodiscard]] TranslationControls *otherControls() noexcept { return m_other_controls; }
    [[nodiscard]] SourceLine &sourceLine() noexcept { return *m_source; }
    [[nodiscard]] TranslationInspector &inspector() noexcept { return *m_inspector; }
    [[nodiscard]] TranslationStatus &status() noexcept { return *m_status; }
    [[nodiscard]] NoticeStack &notices() noexcept { return *m_notices; }
    [[nodiscard]] FindBar &findBar() noexcept { return *m_find; }
    [[nodiscard]] bool isRunning() const;
    [[nodiscard]] bool isComparing() const noexcept { return m_other != nullptr; }

    void startOrStop() override;
    void goLive() override;
    void find() override;
    void save() override;
    // Writes to `file`; the kind follows from its ending. Errors become a notice. True when written.
    bool saveTo(const std::filesystem::path &file);
    void openDialog() override;
    void openFiles(const std::vector<std::filesystem::path> &files) override;
    // Once the models are listed.
    void openWhenReady(const std::filesystem::path &file);
    void newPage() override;
    // Translations that a crash cut off, the newest first.
    void offerRecovery(const std::vector<runtime::InterruptedRun> &runs);
    // Read in the background, shown on an empty page.
    void openJournal(const std::filesystem::path &folder, const QString &words = {});
    void setInspectorOpen(bool open) override;
    void openInspectorTab(int tab) override;
    void setPresentation(Presentation presentation) override;
    void compare() override;
    void openTuning() override;
    void stepTuning(int direction) override;
    void takeFocus() override;
    [[nodiscard]] int presentedLetters() const override { return 17; }  // two columns have to fit
    [[nodiscard]] KeyUse takeKey(int key) override;

    // Source that directly follows what was given before; begins a run where none is going.
    void addText(const QString &text);

  Q_SIGNALS:
    void captionsRequested();

  private:
    void connectChoices();
    void connectSource();
    void connectSide(TranslationSide &side, TranslationInspector &inspector);
    [[nodiscard]] bool beginRun(const QString &source_name);
    [[nodiscard]] bool beginOther(const QString &source_name);
    [[nodiscard]] std::vector<TranslationSide *> sides() const;
    void retune();
    void beginComparing();
    void endComparing();
    void giveSourceAgain();
    void followCaptions();
    void giveCaptions();
    void showInspected(TranslationSide &side, TranslationInspector &inspector);
    void reviseState();
    void reviseFigures();
    void reviseSource();
    void reviseEmptyState();
    void showCompute();
    void takeOpened(const std::vector<std::filesystem::path> &files, const QString &text);

    Services &m_services;
    SettingsStore &m_settings;
    Appearance &m_appearance;
    CaptionController &m_captions;
    TranslationChoicesRow *m_choices;
    QWidget *m_paper;
    NoticeStack *m_notices;
    QSplitter *m_sides;
    TranslationSide *m_side;
    std::unique_ptr<TranslationSide> m_other;
    TranslationControls *m_other_controls = nullptr;
    FindBar *m_find;
    EmptyState *m_empty;
    SourceLine *m_source;
    QSplitter *m_splitter;
    QStackedWidget *m_inspectors;
    TranslationInspector *m_inspector;
    TranslationInspector *m_other_inspector = nullptr;
    TranslationStatus *m_status;
    QString m_source_name;
    CaptionsFeed m_captions_feed;
    QTimer m_figures;  // they are to be read, not to dance
};

}  // namespace braid::ui
