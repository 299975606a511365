// The transcript on the screen: reading, following, selecting, finding, hearing. Draws only what is visible; when the tail changes,
// only the tail's rows. GUI thread; the model and the appearance outlive it.
#pragma once

#include <optional>
#include <vector>

#include <QAbstractScrollArea>
#include <QElapsedTimer>

#include "ui/theme/appearance.h"
#include "ui/transcript/findable.h"
#include "ui/transcript/transcript_accessible.h"
#include "ui/transcript/transcript_layout.h"
#include "ui/transcript/transcript_model.h"
#include "ui/transcript/transcript_painter.h"

class QPushButton;
class QVariantAnimation;

namespace braid::ui {

enum class Following : std::uint8_t { Live = 1, Stopped };

class TranscriptView : public QAbstractScrollArea, public Findable, public SettledText {
    Q_OBJECT
  public:
    TranscriptView(TranscriptModel &model, Appearance &appearance, QWidget *parent = nullptr);

    [[nodiscard]] const TranscriptLayout &layout() const noexcept { return m_layout; }
    [[nodiscard]] const TranscriptModel &model() const noexcept { return m_model; }
    [[nodiscard]] Following following() const noexcept { return m_following; }
    [[nodiscard]] std::optional<WordRef> hoveredWord() const noexcept { return m_marks.hovered; }
    [[nodiscard]] std::optional<WordRef> pinnedWord() const noexcept { return m_marks.pinned; }
    [[nodiscard]] QString selectedText() const;
    [[nodiscard]] QString newestText() const override;
    // Where a word stands in the viewport now.
    [[nodiscard]] QRectF wordRectInViewport(WordRef ref) const;
    [[nodiscard]] int matchCount() const override { return static_cast<int>(m_matches.size()); }
    [[nodiscard]] int currentMatch() const override { return m_marks.current_match; }

    void followLive();
    void setPlayingWord(int word);
    void pinWord(std::optional<WordRef> ref);
    void setTimesInMargin(TimesInMargin times);
    // Settled words to mark as different from another transcript; by index, shorter means not different. May be null; outlives the view.
    void setDiffering(const std::vector<bool> *differing);
    void find(const QString &needle) override;
    void showMatch(int index) override;
    void copySelection() const;
    void selectAll();
    void clearSelection();
    // Called by the frame clock: fades what was revised just now.
    void advanceFades();
    [[nodiscard]] bool isFading() const noexcept { return m_fading; }

  Q_SIGNALS:
    void hoveredChanged();
    void factsRequested(std::optional<braid::ui::WordRef> ref);  // the pointer rests on a word; nothing: on none
    void pinnedChanged();
    void wordActivated(int word);       // clicked, or Enter: hear it
    void playFromRequested(int word);   // double click, or Shift+Enter
    void followingChanged();
    void captionSizeRequested(int steps);
    void matchesChanged();

  protected:
    bool viewportEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void scrollContentsBy(int dx, int dy) override;
    void wheelEvent(QWheelEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

  private:
    void onAppended();
    void fadeSettled();
    void onTailChanged();
    void onCleared();
    void onAppearanceChanged();
    void reshape(bool measure_anew);
    void updateScrollRange();
    void scrollToLive(bool smoothly);
    void setFollowing(Following following);
    void setHovered(std::optional<WordRef> ref);
    void moveCursor(int to, bool selecting);
    void ensureVisible(const QRectF &rect);
    void updateWord(std::optional<WordRef> ref);
    void updateContent(const QRectF &content_rect);
    void placePill();
    void refreshMatches();
    [[nodiscard]] double scrollTop() const;
    [[nodiscard]] QPointF toContent(const QPointF &viewport_point) const;

    TranscriptModel &m_model;
    Appearance &m_appearance;
    TranscriptLayout m_layout;
    TranscriptMarks m_marks;
    std::vector<TextMatch> m_matches;
    QString m_needle;
    int m_searched_from = 0;  // first word of the paragraph that was the last when it was searched
    Following m_following = Following::Live;
    bool m_moving_by_itself = false;  // the scroll bar moves because we follow, not because somebody scrolls
    bool m_fading = false;
    double m_reserved_height = 0;     // never shrinks within a run: a shorter tail must not pull the page back
    int m_rows_when_left = 0;
    std::optional<int> m_drag_from;
    QPoint m_press_position;
    std::vector<int> m_tail_revisions;
    std::vector<qint64> m_tail_changed_ms;
    struct SettledFade {
        int word = 0;
        qint64 changed_ms = 0;
    };
    std::vector<SettledFade> m_settled_fades;  // settled in the very moment they were revised
    int m_settled_words = 0;
    const std::vector<bool> *m_differing = nullptr;
    QElapsedTimer m_clock;
    QPushButton *m_pill = nullptr;
    QVariantAnimation *m_scroll = nullptr;
};

}  // namespace braid::ui
