#include "ui/transcript/transcript_view.h"

#include <algorithm>
#include <cmath>

#include <QFontMetricsF>
#include <QPaintEvent>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QVariantAnimation>


namespace braid::ui {
namespace {

constexpr qint64 kFadeMs = 700;
constexpr int kScrollMs = 140;
constexpr double kWidestLineEm = 44;  // longer lines are hard to read
constexpr double kLineHeight = 1.4;
constexpr int kNewestWords = 60;

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
    connect(&model, &TranscriptModel::paragraphSettled, this, [this](const QString &line) { announceText(this, line); });
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

QString TranscriptView::newestText() const
{
    const int words = m_model.wordCount();
    return words == 0 ? QString() : m_model.plainText(std::max(0, words - kNewestWords), words - 1);
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
    fadeSettled();
    updateScrollRange();
    updateContent(QRectF(0, old_bottom, viewport()->width(), m_layout.contentHeight() - old_bottom + m_layout.shape().line_height));
    if (m_following == Following::Live) {
        scrollToLive(true);
    } else {
        placePill();
    }
    refreshMatches();
}

// The words at the front of the tail have settled: those revised in the same moment show it once, and the tail's memory moves on.
void TranscriptView::fadeSettled()
{
    const qint64 now = m_clock.elapsed();
    const auto settled = static_cast<std::size_t>(std::max(0, m_model.wordCount() - m_settled_words));
    for (std::size_t index = 0; index < std::min(settled, m_tail_revisions.size()) && m_appearance.motion() == Motion::Full; ++index) {
        const int word = m_settled_words + static_cast<int>(index);
        const bool revised_now = m_model.word(word).revision_count > m_tail_revisions[index];
        const qint64 changed = revised_now ? now : m_tail_changed_ms[index];
        if (now - changed < kFadeMs) {
            m_settled_fades.push_back({word, changed});
            m_fading = true;
        }
    }
    const auto gone = static_cast<std::ptrdiff_t>(std::min(settled, m_tail_revisions.size()));
    m_tail_revisions.erase(m_tail_revisions.begin(), m_tail_revisions.begin() + gone);
    m_tail_changed_ms.erase(m_tail_changed_ms.begin(), m_tail_changed_ms.begin() + gone);
    m_settled_words = m_model.wordCount();
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
    m_marks.settled_fade.clear();
    for (const SettledFade &fade : m_settled_fades) {
        const qint64 age = now - fade.changed_ms;
        updateWord(WordRef{WordPart::Settled, fade.word});
        if (age < kFadeMs) {
            m_marks.settled_fade.emplace_back(fade.word, 1 - static_cast<float>(age) / kFadeMs);
            m_fading = true;
        }
    }
    std::erase_if(m_settled_fades, [now](const SettledFade &fade) { return now - fade.changed_ms >= kFadeMs; });
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
    m_tail_revisions.clear();
    m_tail_changed_ms.clear();
    m_settled_fades.clear();
    m_settled_words = 0;
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

void TranscriptView::setDiffering(const std::vector<bool> *differing)
{
    m_differing = differing;
    viewport()->update();
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
    marks.differing = m_differing;
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

}  // namespace braid::ui
