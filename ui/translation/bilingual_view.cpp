#include "ui/translation/bilingual_view.h"

#include <algorithm>
#include <cmath>

#include <QFontMetricsF>
#include <QPaintEvent>
#include <QPainter>
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
    : QAbstractScrollArea(parent)
    , m_text(text)
    , m_appearance(appearance)
    , m_live(*this, *verticalScrollBar(),
             {tr("Back to live"), tr("Back to the newest words (L)"), LiveScroll::ButtonPlace::BottomCentre, [this] { return m_text.firstOpen(); },
              [](int sentences) { return tr("%n new sentence(s)", nullptr, sentences); }})
    , m_finder({[this](const QString &needle, std::int64_t first) { return search(needle, static_cast<int>(first)); }, [this] { return firstMatchOnPage(); },
                [this](int match) {
                    const PieceMatch &found = m_matches[static_cast<std::size_t>(match)];
                    reveal({found.side, found.place.first_word});
                },
                [this] { viewport()->update(); }})
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
    connect(&m_live, &LiveScroll::liveRequested, this, &BilingualView::followLive);
    connect(&m_live, &LiveScroll::followingChanged, this, &BilingualView::followingChanged);
    connect(&text, &BilingualText::changed, this, [this](int first_sentence) {
        onChanged();
        m_finder.searchFrom(first_sentence);
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
    if (following() == Following::Live) {
        scrollToLive();
    } else {
        m_live.moveTo(static_cast<int>(m_layout.sentenceRect(anchor).top()) - 8);
    }
    m_live.reviseButton();
    viewport()->update();
}

void BilingualView::updateScrollRange()
{
    m_live.setRange(m_layout.contentHeight() + 2 * m_layout.shape().line_height, viewport()->height());
}

// Live is where words are being written: source that waits below it must not carry it off the page.
void BilingualView::scrollToLive()
{
    const QScrollBar *bar = verticalScrollBar();
    const int open = std::min(m_text.firstOpen(), m_layout.sentenceCount() - 1);
    int wanted = bar->maximum();
    if (open >= 0 && m_layout.sentenceCount() - 1 > open) {
        const QRectF row = m_layout.sentenceRect(open);
        const double below = row.bottom() + 3 * m_layout.shape().line_height - viewport()->height();
        // Never up: words that stand should stand.
        wanted = std::clamp(static_cast<int>(std::ceil(below)), std::min(bar->value(), static_cast<int>(row.top())), bar->maximum());
    }
    m_live.moveTo(wanted);
}

void BilingualView::followLive()
{
    m_live.setFollowing(Following::Live);
    scrollToLive();
}

void BilingualView::showSentence(int sentence, double within)
{
    const QRectF row = m_layout.sentenceRect(sentence);
    if (row.isEmpty()) {
        return;
    }
    m_live.setFollowing(Following::Stopped);
    m_live.moveTo(static_cast<int>(std::lround(row.top() + within * row.height())));
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
    if (!m_live.isMovingByItself()) {
        const QScrollBar *bar = verticalScrollBar();
        const int open = std::min(m_text.firstOpen(), m_layout.sentenceCount() - 1);
        const bool sees_live = bar->value() >= bar->maximum() - 2 ||
                               (open >= 0 && open < m_layout.sentenceCount() - 1 &&
                                m_layout.sentenceRect(open).bottom() <= scrollTop() + viewport()->height() && m_layout.sentenceRect(open).top() >= scrollTop());
        m_live.scrolled(sees_live);
        const int top = m_layout.firstSentenceBelow(scrollTop());
        const QRectF row = m_layout.sentenceRect(top);
        if (following() == Following::Stopped && !row.isEmpty()) {
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
    if (following() == Following::Live) {
        scrollToLive();
    } else {
        m_live.reviseButton();
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
    m_live.setFollowing(Following::Live);
    updateScrollRange();
    viewport()->update();
    Q_EMIT inspectedChanged();
    Q_EMIT pinnedChanged();
    m_finder.keepFirst(0);
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
    marks.current_match = m_finder.current();
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

// --- finding ---------------------------------------------------------------------------------------------------------------------

// Nothing told changes: only the sentences from `first_sentence` on can hold anything new.
int BilingualView::search(const QString &needle, int first_sentence)
{
    for (const TextSide side : {TextSide::Source, TextSide::Target}) {
        std::vector<TextMatch> found;
        int from = -1;
        SearchedRun run;
        run.text_of = [&](int index) { return m_text.textOf({side, index}); };
        run.is_joined = [&](int index) { return m_text.isJoined({side, index}); };
        for (std::size_t index = static_cast<std::size_t>(first_sentence); index < m_text.sentences().size(); ++index) {
            const SentencePair &sentence = m_text.sentences()[index];
            run.first_word = side == TextSide::Source ? sentence.first_unit : sentence.first_word;
            run.word_count = side == TextSide::Source ? sentence.unit_count : sentence.word_count;
            from = from < 0 ? run.first_word : from;
            if (run.word_count > 0) {
                findInRun(run, needle, run.first_word, found);
            }
        }
        std::erase_if(m_matches, [side, from](const PieceMatch &match) { return match.side == side && from >= 0 && match.place.first_word >= from; });
        for (const TextMatch &place : found) {
            m_matches.push_back({side, place});
        }
    }
    std::stable_sort(m_matches.begin(), m_matches.end(),
                     [](const PieceMatch &a, const PieceMatch &b) { return a.side != b.side ? a.side < b.side : a.place.first_word < b.place.first_word; });
    return static_cast<int>(m_matches.size());
}

int BilingualView::firstMatchOnPage() const
{
    const auto match = std::find_if(m_matches.begin(), m_matches.end(), [this](const PieceMatch &m) {
        return m_layout.pieceRect({m.side, m.place.first_word}).bottom() >= scrollTop();
    });
    return match == m_matches.end() ? 0 : static_cast<int>(match - m_matches.begin());
}

void BilingualView::reveal(PieceRef ref)
{
    const QRectF place = m_layout.pieceRect(ref);
    if (!place.isEmpty()) {
        m_live.reveal(place, m_layout.shape().line_height);
    }
}

}  // namespace braid::ui
