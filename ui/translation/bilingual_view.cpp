#include "ui/translation/bilingual_view.h"

#include <algorithm>
#include <cmath>

#include <QFontMetricsF>
#include <QPaintEvent>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>

namespace braid::ui {
namespace {

constexpr double kLineHeight = 1.4;
constexpr double kWidestColumnEm = 30;    // longer lines are hard to read
constexpr double kNarrowestColumnEm = 9;  // below it two columns are harder to read than one
constexpr double kBandEm = 4;
constexpr double kWidestBand = 140;
constexpr int kNewestWords = 60;
constexpr int kPageMargin = 24;

}  // namespace

BilingualView::BilingualView(BilingualText &text, Appearance &appearance, QWidget *parent)
    : QAbstractScrollArea(parent), m_text(text), m_appearance(appearance), m_pill(new QPushButton(tr("Live"), viewport()))
{
    setObjectName(QStringLiteral("bilingual"));
    setAccessibleName(tr("Source and translation"));
    setAccessibleDescription(tr("Sentence beside sentence. Left and Right move from word to word, S changes the side, Enter keeps a word in the Inspector."));
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setMouseTracking(true);
    viewport()->setCursor(Qt::IBeamCursor);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    m_pill->setObjectName(QStringLiteral("pill"));
    m_pill->setAccessibleName(tr("Back to live"));
    m_pill->setToolTip(tr("Back to the newest words (L)"));
    m_pill->setCursor(Qt::ArrowCursor);
    m_pill->hide();
    connect(m_pill, &QPushButton::clicked, this, &BilingualView::followLive);
    connect(&text, &BilingualText::changed, this, [this](int first_sentence) {
        onChanged();
        if (!m_needle.isEmpty()) {
            findFrom(first_sentence);
            Q_EMIT matchesChanged();
        }
    });
    connect(&text, &BilingualText::openWordChanged, this, &BilingualView::onChanged);
    connect(&text, &BilingualText::cleared, this, &BilingualView::onCleared);
    connect(&text, &BilingualText::sentenceSettled, this, [this](const QString &translation) { announceText(this, translation); });
    connect(&appearance, &Appearance::changed, this, [this] {
        m_marks.low_probability = m_appearance.showsLowProbability() ? LowProbability::Marked : LowProbability::Hidden;
        reshape(true);
    });
    reshape(true);
}

// --- shape and scrolling ---------------------------------------------------------------------------------------------------------

void BilingualView::reshape(bool measure_anew)
{
    // What stands at the top of the page stays there, as near as the new lines allow.
    const int anchor = m_layout.firstSentenceBelow(scrollTop());
    const QFont font = m_appearance.captionFont();
    const QFontMetricsF metrics(font);
    const double em = font.pixelSize();
    const double width = viewport()->width() - 2.0 * kPageMargin;
    BilingualShape shape;
    shape.line_height = std::ceil(em * kLineHeight);
    shape.space_width = metrics.horizontalAdvance(QLatin1Char(' '));
    shape.hanging = kHangingEm * em;
    shape.sentence_space = std::ceil(em * 0.35);
    shape.line_space = std::ceil(em * 0.5);
    shape.band_width = std::floor(std::min({em * kBandEm, kWidestBand, width / 5}));
    shape.gutter = std::max(12.0, std::floor(em * 0.8));
    const double both = (width - shape.band_width - 2 * shape.gutter) / 2;
    shape.arrangement = both >= kNarrowestColumnEm * em ? PairArrangement::SideBySide : PairArrangement::Interlinear;
    if (shape.arrangement == PairArrangement::SideBySide) {
        shape.column_width = std::floor(std::min(both, kWidestColumnEm * em));
        shape.left = std::floor(kPageMargin + both - shape.column_width);
    } else {
        shape.band_width = std::floor(std::min(shape.band_width, width / 6));
        shape.column_width = std::floor(std::max(40.0, width - shape.band_width - shape.gutter));
        shape.left = kPageMargin;
    }
    m_layout.reshape(shape, measure_anew ? [metrics](const QString &text) { return metrics.horizontalAdvance(text); } : BilingualLayout::Measure());
    m_layout.place(m_text);
    verticalScrollBar()->setSingleStep(static_cast<int>(shape.line_height));
    updateScrollRange();
    if (m_following == Following::Live) {
        scrollToLive();
    } else {
        m_moving_by_itself = true;
        verticalScrollBar()->setValue(static_cast<int>(m_layout.sentenceRect(anchor).top()) - 8);
        m_moving_by_itself = false;
    }
    placePill();
    viewport()->update();
}

void BilingualView::updateScrollRange()
{
    const int page = viewport()->height();
    m_moving_by_itself = true;
    verticalScrollBar()->setPageStep(page);
    verticalScrollBar()->setRange(0, std::max(0, static_cast<int>(std::ceil(m_layout.contentHeight() + 2 * m_layout.shape().line_height)) - page));
    m_moving_by_itself = false;
}

// Live is where words are being written: source that waits below it must not carry it off the page.
void BilingualView::scrollToLive()
{
    QScrollBar *bar = verticalScrollBar();
    const int open = std::min(m_text.firstOpen(), m_layout.sentenceCount() - 1);
    int wanted = bar->maximum();
    if (open >= 0 && m_layout.sentenceCount() - 1 > open) {
        const QRectF row = m_layout.sentenceRect(open);
        const double below = row.bottom() + 3 * m_layout.shape().line_height - viewport()->height();
        // Never up: words that stand should stand.
        wanted = std::clamp(static_cast<int>(std::ceil(below)), std::min(bar->value(), static_cast<int>(row.top())), bar->maximum());
    }
    m_moving_by_itself = true;
    bar->setValue(wanted);
    m_moving_by_itself = false;
}

void BilingualView::followLive()
{
    setFollowing(Following::Live);
    scrollToLive();
}

void BilingualView::showSentence(int sentence, double within)
{
    const QRectF row = m_layout.sentenceRect(sentence);
    if (row.isEmpty()) {
        return;
    }
    setFollowing(Following::Stopped);
    m_moving_by_itself = true;
    verticalScrollBar()->setValue(static_cast<int>(std::lround(row.top() + within * row.height())));
    m_moving_by_itself = false;
}

void BilingualView::setFollowing(Following following)
{
    if (following == m_following) {
        return;
    }
    m_following = following;
    m_sentences_when_left = m_text.firstOpen();
    placePill();
    Q_EMIT followingChanged();
}

void BilingualView::placePill()
{
    const bool shown = m_following == Following::Stopped;
    if (shown) {
        const int sentences = m_text.firstOpen() - m_sentences_when_left;
        m_pill->setText(sentences == 0 ? tr("Live  \u2193") : sentences == 1 ? tr("Live  \u2193  one new sentence") : tr("Live  \u2193  %1 new sentences").arg(sentences));
        m_pill->adjustSize();
        m_pill->move((viewport()->width() - m_pill->width()) / 2, viewport()->height() - m_pill->height() - 16);
    }
    m_pill->setVisible(shown);
}

double BilingualView::scrollTop() const
{
    return verticalScrollBar()->value();
}

QPointF BilingualView::toContent(const QPointF &viewport_point) const
{
    return viewport_point + QPointF(0, scrollTop());
}

QRectF BilingualView::pieceRectInViewport(PieceRef ref) const
{
    return m_layout.pieceRect(ref).translated(0, -scrollTop());
}

void BilingualView::scrollContentsBy(int, int)
{
    if (!m_moving_by_itself) {
        const QScrollBar *bar = verticalScrollBar();
        const int open = std::min(m_text.firstOpen(), m_layout.sentenceCount() - 1);
        const bool sees_live = bar->value() >= bar->maximum() - 2 || (open >= 0 && open < m_layout.sentenceCount() - 1 && m_layout.sentenceRect(open).bottom() <= scrollTop() + viewport()->height()
                                                                       && m_layout.sentenceRect(open).top() >= scrollTop());
        setFollowing(sees_live ? Following::Live : Following::Stopped);
        const int top = m_layout.firstSentenceBelow(scrollTop());
        const QRectF row = m_layout.sentenceRect(top);
        if (m_following == Following::Stopped && !row.isEmpty()) {
            Q_EMIT scrolled(top, (scrollTop() - row.top()) / row.height());
        }
    }
    viewport()->update();
}

void BilingualView::resizeEvent(QResizeEvent *)
{
    reshape(false);
}

// --- what comes in ---------------------------------------------------------------------------------------------------------------

void BilingualView::onChanged()
{
    m_layout.place(m_text);
    light();
    updateScrollRange();
    if (m_following == Following::Live) {
        scrollToLive();
    } else {
        placePill();
    }
    viewport()->update();
}

void BilingualView::onCleared()
{
    m_layout.clear();
    m_matches.clear();
    BilingualMarks none;
    none.low_probability = m_marks.low_probability;
    m_marks = none;
    m_drag_from.reset();
    m_scrubbing = false;
    setFollowing(Following::Live);
    updateScrollRange();
    viewport()->update();
    Q_EMIT inspectedChanged();
    Q_EMIT pinnedChanged();
    Q_EMIT matchesChanged();
}

// --- drawing ---------------------------------------------------------------------------------------------------------------------

void BilingualView::paintEvent(QPaintEvent *event)
{
    QPainter painter(viewport());
    painter.fillRect(event->rect(), m_appearance.colour(ColourToken::Paper));
    painter.setClipRect(event->rect());
    painter.translate(0, -scrollTop());
    BilingualMarks marks = m_marks;
    marks.matches = &m_matches;
    if (!hasFocus()) {
        marks.cursor.reset();
    }
    paintBilingual(painter, QRectF(event->rect()).translated(0, scrollTop()), m_text, m_layout, marks, m_appearance.theme(), m_appearance.captionFont());
}

void BilingualView::light()
{
    LitPieces lit = litBy(m_text, inspected());
    if (!(lit == m_marks.lit)) {
        m_marks.lit = std::move(lit);
        viewport()->update();
    }
}

QString BilingualView::newestText() const
{
    const int words = m_text.wordCount();
    return words == 0 ? QString() : m_text.plainText(TextSide::Target, std::max(0, words - kNewestWords), words - 1);
}

}  // namespace braid::ui
