// What hands do on a translation: pointing, pinning, scrubbing, selecting, keys. What it shows is in bilingual_view.cpp.
#include <algorithm>

#include <QApplication>
#include <QClipboard>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>

#include "ui/translation/bilingual_view.h"

namespace braid::ui {

// --- pieces: hovering, pinning, scrubbing ------------------------------------------------------------------------------------------

bool BilingualView::viewportEvent(QEvent *event)
{
    if (event->type() == QEvent::Leave) {
        hover({});
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void BilingualView::hover(std::optional<PieceRef> ref)
{
    if (ref == m_marks.hovered) {
        return;
    }
    m_marks.hovered = ref;
    light();
    viewport()->setCursor(ref ? Qt::PointingHandCursor : Qt::IBeamCursor);
    viewport()->update();
    Q_EMIT inspectedChanged();
}

void BilingualView::pin(std::optional<PieceRef> ref)
{
    if (ref == m_marks.pinned) {
        return;
    }
    m_marks.pinned = ref;
    light();
    viewport()->update();
    Q_EMIT pinnedChanged();
    Q_EMIT inspectedChanged();
}

std::optional<PieceRef> BilingualView::wordOnStaircase(const QPointF &point) const
{
    const int index = m_layout.firstSentenceBelow(point.y());
    const QRectF band = m_layout.bandRect(index);
    if (!band.adjusted(-4, -4, 4, 4).contains(point)) {
        return {};
    }
    const SentencePair &sentence = m_text.sentences()[static_cast<std::size_t>(index)];
    const int word = staircaseGeometry(sentence, band).wordAt(std::clamp(point.y(), band.top(), band.bottom()), sentence.word_count);
    return word < 0 ? std::nullopt : std::optional(PieceRef{TextSide::Target, sentence.first_word + word});
}

// --- mouse -----------------------------------------------------------------------------------------------------------------------

void BilingualView::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton) {
        return;
    }
    m_press_position = event->pos();
    const QPointF point = toContent(event->position());
    if (const auto word = wordOnStaircase(point)) {
        m_scrubbing = true;
        pin(word);
        return;
    }
    m_drag_from = m_layout.nearest(m_layout.sideAt(point), point);
    m_marks.selected_first = m_marks.selected_last = -1;
    viewport()->update();
}

void BilingualView::mouseMoveEvent(QMouseEvent *event)
{
    const QPointF point = toContent(event->position());
    const auto on_staircase = wordOnStaircase(point);
    if (m_scrubbing) {
        if (on_staircase) {
            hover(on_staircase);
            pin(on_staircase);
        }
        return;
    }
    if (!event->buttons().testFlag(Qt::LeftButton)) {
        hover(on_staircase ? on_staircase : m_layout.pieceAt(point));
        return;
    }
    if (!m_drag_from || (event->pos() - m_press_position).manhattanLength() < QApplication::startDragDistance()) {
        return;
    }
    if (const auto to = m_layout.nearest(m_drag_from->side, point)) {
        m_marks.selected_side = m_drag_from->side;
        m_marks.selected_first = std::min(m_drag_from->index, to->index);
        m_marks.selected_last = std::max(m_drag_from->index, to->index);
        viewport()->update();
    }
    const int above = std::min(0, event->pos().y());
    const int below = std::max(0, event->pos().y() - viewport()->height());
    verticalScrollBar()->setValue(verticalScrollBar()->value() + above + below);
}

void BilingualView::mouseReleaseEvent(QMouseEvent *event)
{
    m_drag_from.reset();
    const bool was_scrubbing = std::exchange(m_scrubbing, false);
    if (event->button() != Qt::LeftButton || was_scrubbing || m_marks.selected_first >= 0) {
        return;
    }
    const auto ref = m_layout.pieceAt(toContent(event->position()));
    m_marks.cursor = ref;
    pin(ref);
}

void BilingualView::wheelEvent(QWheelEvent *event)
{
    if (const auto steps = sizeSteps(*event)) {
        if (*steps != 0) {
            Q_EMIT captionSizeRequested(*steps);
        }
        event->accept();
        return;
    }
    QAbstractScrollArea::wheelEvent(event);
}

// --- keyboard --------------------------------------------------------------------------------------------------------------------

QString BilingualView::selectedText() const
{
    return m_marks.selected_first < 0 ? QString() : m_text.plainText(m_marks.selected_side, m_marks.selected_first, m_marks.selected_last);
}

void BilingualView::copySelection() const
{
    const QString text = selectedText();
    if (!text.isEmpty()) {
        QApplication::clipboard()->setText(text);
    }
}

void BilingualView::placeCursor(PieceRef ref)
{
    m_marks.cursor = ref;
    pin(ref);
    reveal(ref);
    viewport()->update();
    announceText(this, m_text.textOf(ref));
}

void BilingualView::moveCursor(int by, bool selecting)
{
    const TextSide side = m_marks.cursor ? m_marks.cursor->side : TextSide::Target;
    const int last = m_text.count(side) - 1;
    if (last < 0) {
        return;
    }
    const int from = m_marks.cursor ? m_marks.cursor->index : last;
    const int to = m_marks.cursor ? std::clamp(from + by, 0, last) : last;
    if (selecting) {
        const bool fresh = m_marks.selected_first < 0 || m_marks.selected_side != side;
        const int fixed = fresh ? from : from == m_marks.selected_last ? m_marks.selected_first : m_marks.selected_last;
        m_marks.selected_side = side;
        m_marks.selected_first = std::min(fixed, to);
        m_marks.selected_last = std::max(fixed, to);
    } else {
        m_marks.selected_first = m_marks.selected_last = -1;
    }
    placeCursor({side, to});
}

void BilingualView::changeSide()
{
    const PieceRef from = m_marks.cursor ? *m_marks.cursor : m_marks.pinned ? *m_marks.pinned : PieceRef{TextSide::Source, m_text.unitCount() - 1};
    if (!m_text.contains(from)) {
        return;
    }
    const TextSide other = from.side == TextSide::Source ? TextSide::Target : TextSide::Source;
    const LitPieces lit = litBy(m_text, from);
    const auto brightest = std::max_element(lit.weights.begin(), lit.weights.end());
    if (brightest != lit.weights.end()) {
        placeCursor({other, lit.first + static_cast<int>(brightest - lit.weights.begin())});
        return;
    }
    const SentencePair &sentence = m_text.sentences()[static_cast<std::size_t>(m_text.sentenceOf(from))];
    const PieceRef first{other, other == TextSide::Source ? sentence.first_unit : sentence.first_word};
    if (m_text.contains(first)) {
        placeCursor(first);
    }
}

void BilingualView::keyPressEvent(QKeyEvent *event)
{
    const bool shift = event->modifiers().testFlag(Qt::ShiftModifier);
    if (event->matches(QKeySequence::Copy)) {
        copySelection();
    } else if (event->matches(QKeySequence::SelectAll)) {
        const TextSide side = m_marks.cursor ? m_marks.cursor->side : TextSide::Target;
        m_marks.selected_side = side;
        m_marks.selected_first = m_text.count(side) > 0 ? 0 : -1;
        m_marks.selected_last = m_text.count(side) - 1;
        viewport()->update();
    } else if (event->key() == Qt::Key_Left || event->key() == Qt::Key_Right) {
        moveCursor(event->key() == Qt::Key_Left ? -1 : 1, shift);
    } else if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && m_marks.cursor) {
        pin(m_marks.pinned == m_marks.cursor ? std::nullopt : m_marks.cursor);
    } else if (event->key() == Qt::Key_Escape && (m_marks.selected_first >= 0 || m_marks.pinned)) {
        m_marks.selected_first = m_marks.selected_last = -1;
        m_marks.cursor.reset();
        pin({});
        viewport()->update();
    } else if (!m_live.takesKey(event->key())) {
        event->ignore();
    }
}

void BilingualView::focusOutEvent(QFocusEvent *event)
{
    viewport()->update();
    QAbstractScrollArea::focusOutEvent(event);
}

}  // namespace braid::ui
