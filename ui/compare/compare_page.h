// Two policies on the same sound, side by side: what they write, where they differ, how late and how dear each is. Live sound is
// captured once and heard by both; a file that is read as fast as possible is captioned by one after the other, so that neither takes
// the other's processor. Source and model are those of the Captions page. GUI thread.
#pragma once

#include <filesystem>
#include <memory>

#include <QElapsedTimer>
#include <QWidget>

#include "ui/compare/compare_side.h"
#include "ui/compare/word_differences.h"
#include "ui/shared/notice_bar.h"
#include "ui/state/settings.h"

class QPushButton;

namespace braid::captions {
class SourceTee;
}

namespace braid::ui {

class ChoicesRow;
class TimelineView;

class ComparePage : public QWidget {
    Q_OBJECT
  public:
    // `choices` and `captions`: of the Captions page, outlive this.
    ComparePage(Services &services, SettingsStore &settings, Appearance &appearance, ChoicesRow &choices, CaptionController &captions,
                QWidget *parent = nullptr);

    [[nodiscard]] CompareSidePanel &side(CompareSide side) noexcept { return side == CompareSide::Left ? *m_left : *m_right; }
    [[nodiscard]] NoticeStack &notices() noexcept { return *m_notices; }
    [[nodiscard]] const WordDifferences &differences() const noexcept { return m_differences; }
    [[nodiscard]] bool isRunning() const;
    void startOrStop();
    // Ends what runs and gives the models back.
    void leave();
    void refreshChoices();
    void tellSidesApart();
    void save();
    // Errors become a notice. True when written.
    bool saveTo(const std::filesystem::path &file);
    [[nodiscard]] ComparisonReport report();

  Q_SIGNALS:
    void leaveRequested();

  protected:
    void resizeEvent(QResizeEvent *event) override;

  private:
    void connectSide(CompareSidePanel &panel, CompareSide side);
    void start();
    void stop();
    void onFinished(CompareSide side);
    void reviseState();
    void reviseFigures();
    void showAttention(CompareSidePanel &panel, std::optional<WordRef> ref);

    Services &m_services;
    SettingsStore &m_settings;
    ChoicesRow &m_choices;
    CaptionController &m_captions;
    CompareSidePanel *m_left;
    CompareSidePanel *m_right;
    NoticeStack *m_notices;
    QLabel *m_source;
    QLabel *m_sentence;
    QPushButton *m_start;
    QPushButton *m_save;
    TimelineView *m_timeline;        // the sound and the left side's words
    TimelineView *m_right_timeline;  // the right side's words, on the same axis
    WordDifferences m_differences;
    std::shared_ptr<captions::SourceTee> m_tee;
    std::optional<CaptionChoices> m_right_waits;  // for the left one to end
    CaptionChoices m_present;
    ComparisonTurns m_turns = ComparisonTurns::Together;
    QElapsedTimer m_since_figures;
    bool m_has_run = false;
};

}  // namespace braid::ui
