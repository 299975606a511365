// A translation on the screen: reading, following, pointing at a word to see what it looked at, scrubbing along the staircase, selecting,
// finding. Draws only what is visible. GUI thread; the text and the appearance outlive it.
#pragma once

#include <optional>
#include <vector>

#include <QAbstractScrollArea>

#include "ui/captions/transcript_accessible.h"
#include "ui/shared/appearance.h"
#include "ui/shared/finder.h"
#include "ui/shared/live_scroll.h"
#include "ui/translation/bilingual_layout.h"
#include "ui/translation/bilingual_painter.h"
#include "ui/translation/bilingual_text.h"

namespace braid::ui {

class BilingualView : public QAbstractScrollArea, public SettledText {
    Q_OBJECT
  public:
    BilingualView(BilingualText &text, Appearance &appearance, QWidget *parent = nullptr);

    [[nodiscard]] const BilingualLayout &layout() const noexcept { return m_layout; }
    [[nodiscard]] const BilingualText &text() const noexcept { return m_text; }
    [[nodiscard]] const BilingualMarks &marks() const noexcept { return m_marks; }
    [[nodiscard]] Following following() const noexcept { return m_live.following(); }
    [[nodiscard]] std::optional<PieceRef> hovered() const noexcept { return m_marks.hovered; }
    [[nodiscard]] std::optional<PieceRef> pinned() const noexcept { return m_marks.pinned; }
    // What the page is looking at: the piece under the pointer, else the pinned one.
    [[nodiscard]] std::optional<PieceRef> inspected() const noexcept { return m_marks.hovered ? m_marks.hovered : m_marks.pinned; }
    [[nodiscard]] QString selectedText() const;
    [[nodiscard]] QString newestText() const override;
    // Where a piece stands in the viewport now.
    [[nodiscard]] QRectF pieceRectInViewport(PieceRef ref) const;

    void followLive();
    // Scrolls there, as another view of the same source did: `within` is the part of the sentence above the top.
    void showSentence(int sentence, double within);
    void pin(std::optional<PieceRef> ref);
    // As if the pointer were on it: from a picture of the attention elsewhere.
    void hover(std::optional<PieceRef> ref);
    // The cursor goes to the other column, to the piece that the present one looked at most.
    void changeSide();
    void copySelection() const;

    [[nodiscard]] Finder &finder() noexcept { return m_finder; }

  Q_SIGNALS:
    void inspectedChanged();
    void pinnedChanged();
    void followingChanged();
    void scrolled(int sentence, double within);  // by a person, away from live
    void captionSizeRequested(int steps);

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
    void focusOutEvent(QFocusEvent *event) override;

  private:
    void onChanged();
    void onCleared();
    void reshape(bool measure_anew);
    void updateScrollRange();
    void scrollToLive();
    void light();
    void moveCursor(int by, bool selecting);
    void placeCursor(PieceRef ref);
    [[nodiscard]] int search(const QString &needle, int first_sentence);
    [[nodiscard]] int firstMatchOnPage() const;
    void reveal(PieceRef ref);
    [[nodiscard]] std::optional<PieceRef> wordOnStaircase(const QPointF &point) const;
    [[nodiscard]] double scrollTop() const;
    [[nodiscard]] QPointF toContent(const QPointF &viewport_point) const;

    BilingualText &m_text;
    Appearance &m_appearance;
    BilingualLayout m_layout;
    BilingualMarks m_marks;
    std::vector<PieceMatch> m_matches;
    std::optional<PieceRef> m_drag_from;
    bool m_scrubbing = false;
    QPoint m_press_position;
    LiveScroll m_live;
    Finder m_finder;
};

}  // namespace braid::ui
