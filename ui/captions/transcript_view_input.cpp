// What hands do on the transcript: pointing, pinning, selecting, keys. What it shows is in transcript_view.cpp.
#include <algorithm>

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QScrollBar>

#include "ui/captions/transcript_view.h"

namespace braid::ui {

// --- words: hovering, pinning, playing ---------------------------------------------------------------------------------------------

bool TranscriptView::viewportEvent(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const auto ref = m_layout.wordAt(toContent(help->pos()));
        Q_EMIT factsRequested(ref);
        return true;
    }
    if (event->type() == QEvent::Leave) {
        setHovered({});
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void TranscriptView::setHovered(std::optional<WordRef> ref)
{
    if (ref == m_marks.hovered) {
        return;
    }
    updateWord(m_marks.hovered);
    m_marks.hovered = ref;
    updateWord(ref);
    viewport()->setCursor(ref ? Qt::PointingHandCursor : Qt::IBeamCursor);
    Q_EMIT hoveredChanged();
}

void TranscriptView::pinWord(std::optional<WordRef> ref)
{
    if (ref == m_marks.pinned) {
        return;
    }
    updateWord(m_marks.pinned);
    m_marks.pinned = ref;
    updateWord(ref);
    Q_EMIT pinnedChanged();
}

void TranscriptView::setPlayingWord(int word)
{
    if (word == m_marks.playing) {
        return;
    }
    updateWord(WordRef{WordPart::Settled, m_marks.playing});
    m_marks.playing = word;
    updateWord(WordRef{WordPart::Settled, word});
}

// --- selecting -------------------------------------------------------------------------------------------------------------------

void TranscriptView::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton) {
        return;
    }
    m_press_position = event->pos();
    if (event->modifiers().testFlag(Qt::ShiftModifier) && m_marks.selected_first >= 0) {
        const auto to = m_layout.nearestSettled(toContent(event->position()));
        if (to) {
            m_marks.selected_first = std::min(m_marks.selected_first, *to);
            m_marks.selected_last = std::max(m_marks.selected_last, *to);
            viewport()->update();
        }
        return;
    }
    clearSelection();
    m_drag_from = m_layout.nearestSettled(toContent(event->position()));
}

void TranscriptView::mouseMoveEvent(QMouseEvent *event)
{
    const QPointF point = toContent(event->position());
    if (!(event->buttons() & Qt::LeftButton)) {
        setHovered(m_layout.wordAt(point));
        return;
    }
    if (!m_drag_from || (event->pos() - m_press_position).manhattanLength() < QApplication::startDragDistance()) {
        return;
    }
    const auto to = m_layout.nearestSettled(point);
    if (to) {
        m_marks.selected_first = std::min(*m_drag_from, *to);
        m_marks.selected_last = std::max(*m_drag_from, *to);
        viewport()->update();
    }
    if (event->pos().y() < 0 || event->pos().y() > viewport()->height()) {
        verticalScrollBar()->setValue(verticalScrollBar()->value() + (event->pos().y() < 0 ? event->pos().y() : event->pos().y() - viewport()->height()));
    }
}

void TranscriptView::mouseReleaseEvent(QMouseEvent *event)
{
    m_drag_from.reset();
    if (event->button() != Qt::LeftButton || m_marks.selected_first >= 0 || m_editor->isVisible()) {
        return;
    }
    const auto ref = m_layout.wordAt(toContent(event->position()));
    if (!ref) {
        pinWord({});
        return;
    }
    pinWord(ref);
    m_marks.cursor = ref->part == WordPart::Settled ? ref : std::nullopt;
    if (ref->part == WordPart::Settled) {
        Q_EMIT wordActivated(ref->index);
    }
}

void TranscriptView::mouseDoubleClickEvent(QMouseEvent *event)
{
    const auto ref = m_layout.wordAt(toContent(event->position()));
    if (ref && ref->part == WordPart::Settled) {
        correct(ref->index, ref->index);
    }
}

// --- correcting ------------------------------------------------------------------------------------------------------------------

std::optional<std::pair<int, int>> TranscriptView::wordsToCorrect() const
{
    if (m_marks.selected_first >= 0) {
        return std::pair(m_marks.selected_first, m_marks.selected_last);
    }
    for (const auto &ref : {m_marks.cursor, m_marks.pinned, m_marks.hovered}) {
        if (ref && ref->part == WordPart::Settled) {
            return std::pair(ref->index, ref->index);
        }
    }
    return {};
}

std::pair<int, int> TranscriptView::lineOf(int word) const
{
    const std::vector<Paragraph> &paragraphs = m_model.paragraphs();
    auto paragraph = std::upper_bound(paragraphs.begin(), paragraphs.end(), word, [](int index, const Paragraph &p) { return index < p.first_word; });
    --paragraph;  // the words' own: gaps and headings before it begin with the same word
    return {paragraph->first_word, paragraph->first_word + paragraph->word_count - 1};
}

QRectF TranscriptView::editorPlace() const
{
    const QRectF first = wordRectInViewport({WordPart::Settled, m_edited.first});
    const QRectF last = wordRectInViewport({WordPart::Settled, m_edited.second});
    return last.top() == first.top() ? first.united(last) : first.united(QRectF(m_layout.shape().text_left, first.top(), m_layout.shape().text_width, 1));
}

void TranscriptView::correct(int first_word, int last_word)
{
    if (first_word < 0 || last_word >= m_model.wordCount() || first_word > last_word) {
        return;
    }
    last_word = std::min(last_word, lineOf(first_word).second);  // a correction stays in its line
    m_edited = {first_word, last_word};
    m_live.reveal(m_layout.wordRect({WordPart::Settled, first_word}), m_layout.shape().line_height);
    m_following_before = following();
    m_live.setFollowing(Following::Stopped);  // new words must not carry it away
    m_editor->open(m_model.plainText(first_word, last_word), m_appearance.captionFont(), editorPlace());
}

void TranscriptView::clearSelection()
{
    if (m_marks.selected_first >= 0) {
        m_marks.selected_first = m_marks.selected_last = -1;
        viewport()->update();
    }
}

void TranscriptView::selectAll()
{
    if (m_model.wordCount() > 0) {
        m_marks.selected_first = 0;
        m_marks.selected_last = m_model.wordCount() - 1;
        viewport()->update();
    }
}

QString TranscriptView::selectedText() const
{
    return m_marks.selected_first < 0 ? QString() : m_model.plainText(m_marks.selected_first, m_marks.selected_last);
}

void TranscriptView::copySelection() const
{
    const QString text = selectedText();
    if (!text.isEmpty()) {
        QApplication::clipboard()->setText(text);
    }
}

// --- keyboard and wheel ----------------------------------------------------------------------------------------------------------

void TranscriptView::wheelEvent(QWheelEvent *event)
{
    if (const auto steps = sizeSteps(*event)) {
        if (*steps != 0) {
            Q_EMIT captionSizeRequested(*steps);
        }
        event->accept();
        return;
    }
    m_live.stopGliding();
    QAbstractScrollArea::wheelEvent(event);
}

void TranscriptView::moveCursor(int to, bool selecting)
{
    const int last = m_model.wordCount() - 1;
    if (last < 0) {
        return;
    }
    to = std::clamp(to, 0, last);
    const int from = m_marks.cursor && m_marks.cursor->part == WordPart::Settled ? m_marks.cursor->index : to;
    if (selecting) {
        const bool extends_last = m_marks.selected_first < 0 || from == m_marks.selected_last;
        const int fixed = m_marks.selected_first < 0 ? from : (extends_last ? m_marks.selected_first : m_marks.selected_last);
        m_marks.selected_first = std::min(fixed, to);
        m_marks.selected_last = std::max(fixed, to);
    } else {
        m_marks.selected_first = m_marks.selected_last = -1;
    }
    m_marks.cursor = WordRef{WordPart::Settled, to};
    pinWord(m_marks.cursor);
    m_live.reveal(m_layout.wordRect(*m_marks.cursor), m_layout.shape().line_height);
    viewport()->update();
    const text::Word &word = m_model.word(to);
    announceText(this, text::isCorrected(word) ? tr("%1, corrected").arg(word.text.empty() ? tr("struck out") : shownText(word)) : shownText(word));
}

void TranscriptView::keyPressEvent(QKeyEvent *event)
{
    const bool shift = event->modifiers().testFlag(Qt::ShiftModifier);
    const int visible_row = static_cast<int>(m_layout.firstRowBelow(scrollTop() + 1));
    const bool has_cursor = m_marks.cursor && m_marks.cursor->part == WordPart::Settled;
    const int cursor = has_cursor                                               ? m_marks.cursor->index
                       : visible_row < static_cast<int>(m_layout.rows().size()) ? m_layout.rows()[static_cast<std::size_t>(visible_row)].first_word
                                                                                : m_model.wordCount() - 1;
    if (event->matches(QKeySequence::Copy)) {
        copySelection();
    } else if (event->matches(QKeySequence::SelectAll)) {
        selectAll();
    } else if (event->matches(QKeySequence::Undo)) {
        Q_EMIT undoRequested();
    } else if (event->matches(QKeySequence::Redo)) {
        Q_EMIT redoRequested();
    } else if (event->key() == Qt::Key_F2) {
        if (const auto chosen = wordsToCorrect()) {
            const auto [first, last] = shift ? lineOf(chosen->first) : *chosen;
            correct(first, last);
        }
    } else if (event->key() == Qt::Key_Left || event->key() == Qt::Key_Right) {
        moveCursor(has_cursor ? cursor + (event->key() == Qt::Key_Left ? -1 : 1) : cursor, shift);
    } else if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        if (has_cursor) {
            if (shift) {
                Q_EMIT playFromRequested(cursor);
            } else {
                Q_EMIT wordActivated(cursor);
            }
        }
    } else if (event->key() == Qt::Key_Escape && (m_marks.selected_first >= 0 || m_marks.pinned)) {
        clearSelection();
        pinWord({});
        m_marks.cursor.reset();
        viewport()->update();
    } else if (!m_live.takesKey(event->key())) {
        event->ignore();
    }
}

void TranscriptView::contextMenuEvent(QContextMenuEvent *event)
{
    const bool by_key = event->reason() == QContextMenuEvent::Keyboard;
    const auto ref = by_key ? m_marks.cursor : m_layout.wordAt(toContent(event->pos()));
    const int word = ref && ref->part == WordPart::Settled ? ref->index : -1;
    const QPoint at = by_key && word >= 0 ? viewport()->mapToGlobal(wordRectInViewport(*ref).bottomLeft().toPoint()) : event->globalPos();
    Q_EMIT menuRequested(word, at);
}

void TranscriptView::focusOutEvent(QFocusEvent *event)
{
    updateWord(m_marks.cursor);
    QAbstractScrollArea::focusOutEvent(event);
}

}  // namespace braid::ui
