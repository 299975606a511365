#include "ui/transcript/transcript_view.h"

#include <algorithm>
#include <cmath>

#include <QApplication>
#include <QClipboard>
#include <QFontMetricsF>
#include <QHelpEvent>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QToolTip>
#include <QVariantAnimation>

#include "ui/transcript/transcript_accessible.h"
#include "ui/transcript/word_facts.h"

namespace braid::ui {
namespace {

constexpr qint64 kFadeMs = 700;
constexpr int kScrollMs = 140;
constexpr double kWidestLineEm = 44;  // longer lines are hard to read
constexpr double kLineHeight = 1.4;

int lastParagraphStart(const TranscriptModel &model)
{
    return model.paragraphs().empty() ? 0 : model.paragraphs().back().first_word;
}

}  // namespace

TranscriptView::TranscriptView(TranscriptModel &model, Appearance &appearance, QWidget *parent)
    : QAbstractScrollArea(parent), m_model(model), m_appearance(appearance)
{
    setObjectName(QStringLiteral("transcript"));
    setAccessibleName(tr("Captions"));
    setAccessibleDescription(tr("Settled words in order. Arrow keys move from word to word, Enter plays the word."));
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setMouseTracking(true);
    viewport()->setCursor(Qt::IBeamCursor);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    m_clock.start();

    m_pill = new QPushButton(tr("Live"), viewport());
    m_pill->setObjectName(QStringLiteral("pill"));
    m_pill->setAccessibleName(tr("Back to live"));
    m_pill->setToolTip(tr("Back to the newest words (L)"));
    m_pill->setCursor(Qt::ArrowCursor);
    m_pill->hide();
    connect(m_pill, &QPushButton::clicked, this, &TranscriptView::followLive);

    m_scroll = new QVariantAnimation(this);
    m_scroll->setDuration(kScrollMs);
    m_scroll->setEasingCurve(QEasingCurve::OutCubic);
    connect(m_scroll, &QVariantAnimation::valueChanged, this, [this](const QVariant &value) {
        m_moving_by_itself = true;
        verticalScrollBar()->setValue(value.toInt());
        m_moving_by_itself = false;
    });

    connect(&model, &TranscriptModel::appended, this, &TranscriptView::onAppended);
    connect(&model, &TranscriptModel::tailChanged, this, &TranscriptView::onTailChanged);
    connect(&model, &TranscriptModel::cleared, this, &TranscriptView::onCleared);
    connect(&model, &TranscriptModel::paragraphSettled, this, [this](const QString &line) { announceSettledLine(this, line); });
    connect(&appearance, &Appearance::changed, this, &TranscriptView::onAppearanceChanged);
    reshape(true);
}

// --- shape and scrolling ---------------------------------------------------------------------------------------------------------

void TranscriptView::reshape(bool measure_anew)
{
    // What stands at the top of the page stays there, as near as the new lines allow.
    const std::size_t first_row = m_layout.firstRowBelow(scrollTop());
    const int anchor = first_row < m_layout.rows().size() ? m_layout.rows()[first_row].first_word : -1;

    const QFont font = m_appearance.captionFont();
    const QFontMetricsF metrics(font);
    const double em = font.pixelSize();
    const double width = viewport()->width();
    TranscriptShape shape;
    const double margin = m_marks.times == TimesInMargin::Shown ? std::max(72.0, em * 1.6 + 40) : std::max(24.0, em);
    const double right_margin = std::max(24.0, em);
    shape.text_width = std::floor(std::clamp(width - margin - right_margin, 40.0, em * kWidestLineEm));
    shape.text_left = std::floor(std::max(margin, (width - shape.text_width) / 2));
    shape.line_height = std::ceil(em * kLineHeight);
    shape.paragraph_space = std::ceil(em * 0.5);
    shape.top = 24;
    shape.space_width = metrics.horizontalAdvance(QLatin1Char(' '));
    if (measure_anew) {
        m_layout.reshape(shape, [metrics](const QString &text) { return metrics.horizontalAdvance(text); });
    } else {
        m_layout.reshape(shape);
    }
    m_layout.placeSettled(m_model);
    m_layout.placeTail(m_model);
    m_reserved_height = 0;
    verticalScrollBar()->setSingleStep(static_cast<int>(shape.line_height));
    updateScrollRange();
    if (m_following == Following::Live) {
        scrollToLive(false);
    } else if (anchor >= 0) {
        m_moving_by_itself = true;
        verticalScrollBar()->setValue(static_cast<int>(m_layout.wordRect({WordPart::Settled, anchor}).top()) - 8);
        m_moving_by_itself = false;
    }
    placePill();
    viewport()->update();
}

void TranscriptView::updateScrollRange()
{
    const double bottom_space = m_layout.shape().line_height;
    m_reserved_height = std::max(m_reserved_height, m_layout.contentHeight() + bottom_space);
    const int page = viewport()->height();
    m_moving_by_itself = true;
    verticalScrollBar()->setPageStep(page);
    verticalScrollBar()->setRange(0, std::max(0, static_cast<int>(std::ceil(m_reserved_height)) - page));
    m_moving_by_itself = false;
}

void TranscriptView::scrollToLive(bool smoothly)
{
    QScrollBar *bar = verticalScrollBar();
    if (bar->value() == bar->maximum()) {
        return;
    }
    m_scroll->stop();
    if (smoothly && m_appearance.motion() == Motion::Full && isVisible() && bar->maximum() - bar->value() < viewport()->height()) {
        m_scroll->setStartValue(bar->value());
        m_scroll->setEndValue(bar->maximum());
        m_scroll->start();
        return;
    }
    m_moving_by_itself = true;
    bar->setValue(bar->maximum());
    m_moving_by_itself = false;
}

void TranscriptView::followLive()
{
    setFollowing(Following::Live);
    scrollToLive(true);
}

void TranscriptView::setFollowing(Following following)
{
    if (following == m_following) {
        return;
    }
    m_following = following;
    m_rows_when_left = static_cast<int>(m_layout.rows().size());
    m_scroll->stop();
    placePill();
    Q_EMIT followingChanged();
}

void TranscriptView::placePill()
{
    const bool shown = m_following == Following::Stopped;
    if (shown) {
        const int rows = static_cast<int>(m_layout.rows().size()) - m_rows_when_left;
        m_pill->setText(rows > 0 ? tr("Live  \u2193  %n new line(s)", nullptr, rows).replace(QStringLiteral("line(s)"), rows == 1 ? tr("line") : tr("lines")) : tr("Live  \u2193"));
        m_pill->adjustSize();
        m_pill->move((viewport()->width() - m_pill->width()) / 2, viewport()->height() - m_pill->height() - 16);
    }
    m_pill->setVisible(shown);
}

double TranscriptView::scrollTop() const
{
    return verticalScrollBar()->value();
}

QPointF TranscriptView::toContent(const QPointF &viewport_point) const
{
    return viewport_point + QPointF(0, scrollTop());
}

QRectF TranscriptView::wordRectInViewport(WordRef ref) const
{
    return m_layout.wordRect(ref).translated(0, -scrollTop());
}

void TranscriptView::scrollContentsBy(int, int dy)
{
    if (!m_moving_by_itself) {
        const QScrollBar *bar = verticalScrollBar();
        setFollowing(bar->value() >= bar->maximum() - 2 ? Following::Live : Following::Stopped);
    }
    // The pill stays where it is; everything else moves as one.
    if (m_pill->isVisible()) {
        viewport()->update();
    } else {
        viewport()->scroll(0, dy);
    }
}

void TranscriptView::resizeEvent(QResizeEvent *)
{
    reshape(false);
}

// --- what comes in ---------------------------------------------------------------------------------------------------------------

void TranscriptView::onAppended()
{
    const double old_bottom = m_layout.rows().empty() ? 0 : m_layout.rows().back().top;
    m_layout.placeSettled(m_model);
    m_layout.placeTail(m_model);
    updateScrollRange();
    updateContent(QRectF(0, old_bottom, viewport()->width(), m_layout.contentHeight() - old_bottom + m_layout.shape().line_height));
    if (m_following == Following::Live) {
        scrollToLive(true);
    } else {
        placePill();
    }
    refreshMatches();
}

void TranscriptView::onTailChanged()
{
    const QRectF before = m_layout.tailRect();
    m_layout.placeTail(m_model);
    const auto &tail = m_model.tail();
    const qint64 now = m_clock.elapsed();
    m_tail_changed_ms.resize(tail.size(), -kFadeMs);
    for (std::size_t index = 0; index < tail.size(); ++index) {
        const int revisions_before = index < m_tail_revisions.size() ? m_tail_revisions[index] : 0;
        if (tail[index].revision_count > revisions_before && m_appearance.motion() == Motion::Full) {
            m_tail_changed_ms[index] = now;
            m_fading = true;
        }
    }
    m_tail_revisions.clear();
    for (const text::Word &word : tail) {
        m_tail_revisions.push_back(word.revision_count);
    }
    if (m_marks.hovered && m_marks.hovered->part == WordPart::Tail) {
        setHovered({});
    }
    if (m_marks.pinned && m_marks.pinned->part == WordPart::Tail && m_model.find(*m_marks.pinned) == nullptr) {
        pinWord({});
    }
    advanceFades();
    updateScrollRange();
    updateContent(before.united(m_layout.tailRect()).adjusted(-8, 0, 8, 0));
    if (m_model.tailStartsParagraph()) {
        updateContent(QRectF(0, m_layout.tailRect().top(), m_layout.shape().text_left, m_layout.shape().line_height));
        updateContent(QRectF(0, before.top(), m_layout.shape().text_left, m_layout.shape().line_height));
    }
    if (m_following == Following::Live) {
        scrollToLive(true);
    }
}

void TranscriptView::advanceFades()
{
    if (!m_fading) {
        return;
    }
    const qint64 now = m_clock.elapsed();
    m_fading = false;
    m_marks.tail_fade.assign(m_tail_changed_ms.size(), 0);
    for (std::size_t index = 0; index < m_tail_changed_ms.size(); ++index) {
        const qint64 age = now - m_tail_changed_ms[index];
        if (age < kFadeMs) {
            m_marks.tail_fade[index] = 1 - static_cast<float>(age) / kFadeMs;
            m_fading = true;
        }
    }
    updateContent(m_layout.tailRect());
}

void TranscriptView::onCleared()
{
    m_layout.clear();
    m_matches.clear();
    m_searched_from = 0;
    TranscriptMarks none;
    none.low_probability = m_marks.low_probability;
    none.times = m_marks.times;
    m_marks = none;
    m_reserved_height = 0;
    setFollowing(Following::Live);
    updateScrollRange();
    viewport()->update();
    Q_EMIT hoveredChanged();
    Q_EMIT pinnedChanged();
    Q_EMIT matchesChanged();
}

void TranscriptView::onAppearanceChanged()
{
    m_marks.low_probability = m_appearance.showsLowProbability() ? LowProbability::Marked : LowProbability::Hidden;
    reshape(true);
}

void TranscriptView::setTimesInMargin(TimesInMargin times)
{
    m_marks.times = times;
    reshape(false);
}

// --- drawing ---------------------------------------------------------------------------------------------------------------------

void TranscriptView::paintEvent(QPaintEvent *event)
{
    QPainter painter(viewport());
    painter.fillRect(event->rect(), m_appearance.colour(ColourToken::Paper));
    painter.setClipRect(event->rect());
    painter.translate(0, -scrollTop());
    TranscriptMarks marks = m_marks;
    marks.matches = &m_matches;
    if (!hasFocus()) {
        marks.cursor.reset();
    }
    paintTranscript(painter, QRectF(event->rect()).translated(0, scrollTop()), m_model, m_layout, marks, m_appearance.theme(), m_appearance.captionFont());
}

void TranscriptView::updateContent(const QRectF &content_rect)
{
    viewport()->update(content_rect.translated(0, -scrollTop()).toAlignedRect().adjusted(-4, -1, 4, 2));
}

void TranscriptView::updateWord(std::optional<WordRef> ref)
{
    if (ref) {
        updateContent(m_layout.wordRect(*ref));
    }
}

// --- words: hovering, pinning, playing ---------------------------------------------------------------------------------------------

QString TranscriptView::toolTipFor(const text::Word &word) const
{
    return wordFactsAsHtml(word);
}

bool TranscriptView::viewportEvent(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const auto ref = m_layout.wordAt(toContent(help->pos()));
        const text::Word *word = ref ? m_model.find(*ref) : nullptr;
        if (word != nullptr) {
            QToolTip::showText(help->globalPos(), toolTipFor(*word), viewport(), wordRectInViewport(*ref).toAlignedRect());
        } else {
            QToolTip::hideText();
        }
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
    if (event->button() != Qt::LeftButton || m_marks.selected_first >= 0) {
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
        Q_EMIT playFromRequested(ref->index);
    }
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
    if (event->modifiers().testFlag(Qt::ControlModifier)) {
        const int delta = event->angleDelta().y();
        if (delta != 0) {
            Q_EMIT captionSizeRequested(delta > 0 ? 1 : -1);
        }
        event->accept();
        return;
    }
    m_scroll->stop();
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
    ensureVisible(m_layout.wordRect(*m_marks.cursor));
    viewport()->update();
    announceWord(this, m_model.word(to));
}

void TranscriptView::keyPressEvent(QKeyEvent *event)
{
    const bool shift = event->modifiers().testFlag(Qt::ShiftModifier);
    const int visible_row = static_cast<int>(m_layout.firstRowBelow(scrollTop() + 1));
    const bool has_cursor = m_marks.cursor && m_marks.cursor->part == WordPart::Settled;
    const int cursor = has_cursor ? m_marks.cursor->index
        : visible_row < static_cast<int>(m_layout.rows().size()) ? m_layout.rows()[static_cast<std::size_t>(visible_row)].first_word
                                                                 : m_model.wordCount() - 1;
    QScrollBar *bar = verticalScrollBar();
    if (event->matches(QKeySequence::Copy)) {
        copySelection();
    } else if (event->matches(QKeySequence::SelectAll)) {
        selectAll();
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
    } else if (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down) {
        bar->triggerAction(event->key() == Qt::Key_Up ? QAbstractSlider::SliderSingleStepSub : QAbstractSlider::SliderSingleStepAdd);
    } else if (event->key() == Qt::Key_PageUp || event->key() == Qt::Key_PageDown) {
        bar->triggerAction(event->key() == Qt::Key_PageUp ? QAbstractSlider::SliderPageStepSub : QAbstractSlider::SliderPageStepAdd);
    } else if (event->key() == Qt::Key_Home) {
        bar->triggerAction(QAbstractSlider::SliderToMinimum);
    } else if (event->key() == Qt::Key_End) {
        followLive();
    } else if (event->key() == Qt::Key_Escape && (m_marks.selected_first >= 0 || m_marks.pinned)) {
        clearSelection();
        pinWord({});
        m_marks.cursor.reset();
        viewport()->update();
    } else {
        event->ignore();
    }
}

void TranscriptView::focusOutEvent(QFocusEvent *event)
{
    updateWord(m_marks.cursor);
    QAbstractScrollArea::focusOutEvent(event);
}

void TranscriptView::ensureVisible(const QRectF &rect)
{
    const double margin = m_layout.shape().line_height;
    QScrollBar *bar = verticalScrollBar();
    if (rect.top() - margin < scrollTop()) {
        bar->setValue(static_cast<int>(rect.top() - margin));
    } else if (rect.bottom() + margin > scrollTop() + viewport()->height()) {
        bar->setValue(static_cast<int>(rect.bottom() + margin - viewport()->height()));
    }
}

// --- finding ---------------------------------------------------------------------------------------------------------------------

void TranscriptView::find(const QString &needle)
{
    m_needle = needle;
    m_matches = findText(m_model, needle);
    m_searched_from = lastParagraphStart(m_model);
    m_marks.current_match = -1;
    if (!m_matches.empty()) {
        const std::size_t row = m_layout.firstRowBelow(scrollTop());
        const int from = row < m_layout.rows().size() ? m_layout.rows()[row].first_word : 0;
        const auto match = std::find_if(m_matches.begin(), m_matches.end(), [from](const TextMatch &m) { return m.first_word >= from; });
        showMatch(match == m_matches.end() ? 0 : static_cast<int>(match - m_matches.begin()));
    }
    viewport()->update();
    Q_EMIT matchesChanged();
}

void TranscriptView::showMatch(int index)
{
    if (m_matches.empty()) {
        return;
    }
    const int count = matchCount();
    m_marks.current_match = ((index % count) + count) % count;
    ensureVisible(m_layout.wordRect({WordPart::Settled, m_matches[static_cast<std::size_t>(m_marks.current_match)].first_word}));
    viewport()->update();
    Q_EMIT matchesChanged();
}

void TranscriptView::refreshMatches()
{
    if (m_needle.isEmpty()) {
        return;
    }
    // Settled words never change: only the paragraph that was the last one, and those after it, can hold anything new.
    const int from = m_searched_from;
    std::erase_if(m_matches, [from](const TextMatch &match) { return match.first_word >= from; });
    const std::vector<TextMatch> found = findText(m_model, m_needle, from);
    m_matches.insert(m_matches.end(), found.begin(), found.end());
    m_searched_from = lastParagraphStart(m_model);
    if (m_marks.current_match < 0 && !m_matches.empty()) {
        m_marks.current_match = 0;
    }
    Q_EMIT matchesChanged();
}

}  // namespace braid::ui
