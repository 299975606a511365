// The transcript on the screen: reading, following, selecting, finding, hearing. Draws only what is visible; when the tail changes,
// only the tail's rows. GUI thread; the model and the appearance outlive it.
#pragma once

#include <optional>
#include <vector>

#include <QAbstractScrollArea>
#include <QElapsedTimer>

#include "ui/captions/revision_fades.h"
#include "ui/captions/transcript_accessible.h"
#include "ui/captions/transcript_layout.h"
#include "ui/captions/transcript_painter.h"
#include "ui/captions/word_editor.h"
#include "ui/shared/appearance.h"
#include "ui/shared/finder.h"
#include "ui/shared/live_scroll.h"
#include "ui/state/line_translations.h"
#include "ui/state/transcript_model.h"

namespace braid::ui {

class TranscriptView : public QAbstractScrollArea, public SettledText {
    Q_OBJECT
  public:
    TranscriptView(TranscriptModel &model, Appearance &appearance, QWidget *parent = nullptr);

    [[nodiscard]] const TranscriptLayout &layout() const noexcept { return m_layout; }
    [[nodiscard]] const TranscriptModel &model() const noexcept { return m_model; }
    [[nodiscard]] Following following() const noexcept { return m_live.following(); }
    [[nodiscard]] std::optional<WordRef> hoveredWord() const noexcept { return m_marks.hovered; }
    [[nodiscard]] std::optional<WordRef> pinnedWord() const noexcept { return m_marks.pinned; }
    [[nodiscard]] QString selectedText() const;
    [[nodiscard]] QString newestText() const override;
    // Where a word stands in the viewport now.
    [[nodiscard]] QRectF wordRectInViewport(WordRef ref) const;
    [[nodiscard]] Finder &finder() noexcept { return m_finder; }

    void followLive();
    void setPlayingWord(int word);
    void pinWord(std::optional<WordRef> ref);
    void setTimesInMargin(TimesInMargin times);
    // The margin shows the time of day; null: the time of the recording. Outlives the view.
    void setDayTimes(const DayTimes *times);
    // A translation under every line; null: none. Outlives the view, or is taken away before it goes.
    void setTranslations(const LineTranslations *translations);
    // What stands under a paragraph, row by row.
    [[nodiscard]] const std::vector<QString> &translatedRows(int paragraph) const { return m_translation_rows.rows(paragraph); }
    // Settled words to mark as different from another transcript; by index, shorter means not different. May be null; outlives the view.
    void setDiffering(const std::vector<bool> *differing);
    // Opens a field over settled words, to correct them in; many words of a line are corrected as one.
    void correct(int first_word, int last_word);
    // The words that are selected, else the one under the keyboard's mark, the pinned or the pointed one; nothing where there is none.
    [[nodiscard]] std::optional<std::pair<int, int>> wordsToCorrect() const;
    // All words of the paragraph of a settled word.
    [[nodiscard]] std::pair<int, int> lineOf(int word) const;
    [[nodiscard]] WordEditor &editor() noexcept { return *m_editor; }
    // Puts the keyboard's mark on a settled word and brings it onto the page.
    void showWord(int word) { moveCursor(word, false); }
    void copySelection() const;
    void selectAll();
    void clearSelection();
    // Called by the frame clock: fades what was revised just now.
    void advanceFades();
    [[nodiscard]] bool isFading() const noexcept { return m_fades.isFading(); }

  Q_SIGNALS:
    void hoveredChanged();
    void factsRequested(std::optional<braid::ui::WordRef> ref);  // the pointer rests on a word; nothing: on none
    void pinnedChanged();
    void wordActivated(int word);      // clicked, or Enter: hear it
    void playFromRequested(int word);  // Shift+Enter
    void correctionMade(int first_word, int last_word, const QString &words);
    void undoRequested();
    void redoRequested();
    void followingChanged();
    void menuRequested(int word, const QPoint &at);  // a settled word, or -1; at: on the screen
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
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;

  private:
    void onAppended();
    void onTailChanged();
    void onCleared();
    void onAppearanceChanged();
    void onTranslated(int first_paragraph);
    void onCorrected(int word);
    [[nodiscard]] QRectF editorPlace() const;
    [[nodiscard]] bool takeTranslations(int first_paragraph);
    void placeAnew(const TranscriptShape &shape, TranscriptLayout::Measure measure = {});
    void reshape(bool measure_anew);
    void updateScrollRange();
    void scrollToLive(ScrollMotion motion);
    void setHovered(std::optional<WordRef> ref);
    void moveCursor(int to, bool selecting);
    void updateWord(std::optional<WordRef> ref);
    void updateContent(const QRectF &content_rect);
    [[nodiscard]] int search(const QString &needle, int first_word);
    [[nodiscard]] int firstMatchOnPage() const;
    [[nodiscard]] double scrollTop() const;
    [[nodiscard]] QPointF toContent(const QPointF &viewport_point) const;

    TranscriptModel &m_model;
    Appearance &m_appearance;
    TranscriptLayout m_layout;
    TranscriptMarks m_marks;
    std::vector<TextMatch> m_matches;
    int m_searched_from = 0;       // first word of the paragraph that was the last when it was searched
    double m_reserved_height = 0;  // never shrinks within a run: a shorter tail must not pull the page back
    std::optional<int> m_drag_from;
    QPoint m_press_position;
    const std::vector<bool> *m_differing = nullptr;
    const LineTranslations *m_translations = nullptr;
    TranslationRows m_translation_rows;
    QElapsedTimer m_clock;
    RevisionFades m_fades;
    LiveScroll m_live;
    Finder m_finder;
    WordEditor *m_editor;
    std::pair<int, int> m_edited;                    // first and last word
    Following m_following_before = Following::Live;  // the editor opened
};

}  // namespace braid::ui
