#include "ui/captions/transcript_view.h"

#include <algorithm>
#include <cmath>

#include <QFontMetricsF>
#include <QPaintEvent>
#include <QPainter>
#include <QScrollBar>

namespace braid::ui {
namespace {

constexpr double kWidestLineEm = 44;  // longer lines are hard to read
constexpr double kLineHeight = 1.4;
constexpr double kTranslationEm = 0.72;  // of the captions' letters
constexpr int kSmallestTranslationPx = 12;
constexpr int kNewestWords = 60;

}  // namespace

TranscriptView::TranscriptView(TranscriptModel &model, Appearance &appearance, QWidget *parent)
    : QAbstractScrollArea(parent)
    , m_model(model)
    , m_appearance(appearance)
    , m_live(*this, *verticalScrollBar(),
             {tr("Back to live"), tr("Back to the newest words (L)"), LiveScroll::ButtonPlace::BottomCentre,
              [this] { return static_cast<int>(m_layout.rows().size()); }, [](int rows) { return tr("%n new line(s)", nullptr, rows); }})
    , m_finder({[this](const QString &needle, std::int64_t first) { return search(needle, static_cast<int>(first)); }, [this] { return firstMatchOnPage(); },
                [this](int match) {
                    m_live.reveal(m_layout.wordRect({WordPart::Settled, m_matches[static_cast<std::size_t>(match)].first_word}), m_layout.shape().line_height);
                },
                [this] { viewport()->update(); }})
    , m_editor(new WordEditor(viewport()))
{
    setObjectName(QStringLiteral("transcript"));
    setAccessibleName(tr("Captions"));
    setAccessibleDescription(tr("Settled words in order. Arrow keys move from word to word, Enter plays the word, F2 corrects it."));
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setMouseTracking(true);
    viewport()->setCursor(Qt::IBeamCursor);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    m_clock.start();

    connect(&m_live, &LiveScroll::liveRequested, this, &TranscriptView::followLive);
    connect(&m_live, &LiveScroll::followingChanged, this, &TranscriptView::followingChanged);
    connect(&model, &TranscriptModel::appended, this, &TranscriptView::onAppended);
    connect(&model, &TranscriptModel::tailChanged, this, &TranscriptView::onTailChanged);
    connect(&model, &TranscriptModel::cleared, this, &TranscriptView::onCleared);
    connect(&model, &TranscriptModel::corrected, this, &TranscriptView::onCorrected);
    connect(m_editor, &WordEditor::kept, this, [this](const QString &words) { Q_EMIT correctionMade(m_edited.first, m_edited.second, words); });
    connect(m_editor, &WordEditor::left, this, [this] {
        if (m_following_before == Following::Live) {
            followLive();
        }
    });
    connect(m_editor, &WordEditor::doneByKey, this, [this] { setFocus(); });
    connect(&model, &TranscriptModel::paragraphSettled, this, [this](const QString &line) { announceText(this, line); });
    connect(&appearance, &Appearance::changed, this, &TranscriptView::onAppearanceChanged);
    reshape(true);
}

// --- shape and scrolling ---------------------------------------------------------------------------------------------------------

void TranscriptView::reshape(bool measure_anew)
{
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
    if (m_translations != nullptr) {
        m_marks.translation_font = font;
        m_marks.translation_font.setPixelSize(std::max(kSmallestTranslationPx, static_cast<int>(std::round(em * kTranslationEm))));
        const QFontMetricsF small(m_marks.translation_font);
        shape.translation_height = std::ceil(small.height() + em * 0.2);
        m_translation_rows.reshape(shape.text_width, [small](const QString &text) { return small.horizontalAdvance(text); });
    }
    TranscriptLayout::Measure measure;
    if (measure_anew) {
        measure = [metrics](const QString &text) { return metrics.horizontalAdvance(text); };
    }
    placeAnew(shape, std::move(measure));
}

// What stands at the top of the page stays there, as near as the new lines allow.
void TranscriptView::placeAnew(const TranscriptShape &shape, TranscriptLayout::Measure measure)
{
    const std::size_t first_row = m_layout.firstRowBelow(scrollTop());
    const int anchor = first_row < m_layout.rows().size() ? m_layout.rows()[first_row].first_word : -1;
    const double above_anchor = anchor >= 0 ? m_layout.rows()[first_row].top - scrollTop() : 0;
    if (m_translations != nullptr) {
        static_cast<void>(takeTranslations(0));
    }
    m_layout.reshape(shape, std::move(measure));
    m_layout.placeSettled(m_model);
    m_layout.placeTail(m_model);
    m_reserved_height = 0;
    verticalScrollBar()->setSingleStep(static_cast<int>(shape.line_height));
    updateScrollRange();
    if (following() == Following::Live) {
        scrollToLive(ScrollMotion::Jump);
    } else if (anchor >= 0) {
        m_live.moveTo(static_cast<int>(m_layout.wordRect({WordPart::Settled, anchor}).top() - above_anchor));
    }
    m_live.reviseButton();
    if (m_editor->isVisible()) {
        m_editor->moveTo(editorPlace());
    }
    viewport()->update();
}

void TranscriptView::updateScrollRange()
{
    m_reserved_height = std::max(m_reserved_height, m_layout.contentHeight() + m_layout.shape().line_height);
    m_live.setRange(m_reserved_height, viewport()->height());
}

void TranscriptView::scrollToLive(ScrollMotion motion)
{
    const QScrollBar *bar = verticalScrollBar();
    if (bar->value() != bar->maximum()) {
        const bool glides =
            motion == ScrollMotion::Glide && m_appearance.motion() == Motion::Full && isVisible() && bar->maximum() - bar->value() < viewport()->height();
        m_live.moveTo(bar->maximum(), glides ? ScrollMotion::Glide : ScrollMotion::Jump);
    }
}

void TranscriptView::followLive()
{
    m_live.setFollowing(Following::Live);
    scrollToLive(ScrollMotion::Glide);
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
    m_live.scrolled(verticalScrollBar()->value() >= verticalScrollBar()->maximum() - 2);
    // The button stays where it is; everything else moves as one.
    if (m_live.isButtonShown()) {
        viewport()->update();
    } else {
        viewport()->scroll(0, dy);
    }
    if (m_editor->isVisible()) {
        m_editor->moveTo(editorPlace());
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
    m_fades.onSettled(m_model, m_clock.elapsed(), m_appearance.motion());
    updateScrollRange();
    updateContent(QRectF(0, old_bottom, viewport()->width(), m_layout.contentHeight() - old_bottom + m_layout.shape().line_height));
    if (following() == Following::Live) {
        scrollToLive(ScrollMotion::Glide);
    } else {
        m_live.reviseButton();
    }
    m_finder.searchFrom(m_searched_from);
}

void TranscriptView::onTailChanged()
{
    const QRectF before = m_layout.tailRect();
    m_layout.placeTail(m_model);
    m_fades.onTailChanged(m_model, m_clock.elapsed(), m_appearance.motion());
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
    if (following() == Following::Live) {
        scrollToLive(ScrollMotion::Glide);
    }
}

void TranscriptView::advanceFades()
{
    if (!m_fades.isFading()) {
        return;
    }
    const qint64 now = m_clock.elapsed();
    m_marks.tail_fade = m_fades.tail(now);
    m_marks.settled_fade = m_fades.settled(now);
    updateContent(m_layout.tailRect());
    for (const auto &[word, share] : m_marks.settled_fade) {
        updateWord(WordRef{WordPart::Settled, word});
    }
    m_fades.advance(now);
}

void TranscriptView::onCleared()
{
    m_editor->hide();
    m_layout.clear();
    m_matches.clear();
    m_searched_from = 0;
    TranscriptMarks none;
    none.low_probability = m_marks.low_probability;
    none.times = m_marks.times;
    none.day_times = m_marks.day_times;
    none.translations = m_marks.translations;
    none.translation_font = m_marks.translation_font;
    m_translation_rows.clear();
    m_marks = none;
    m_reserved_height = 0;
    m_fades = {};
    m_live.setFollowing(Following::Live);
    updateScrollRange();
    viewport()->update();
    Q_EMIT hoveredChanged();
    Q_EMIT pinnedChanged();
    m_finder.keepFirst(0);
}

// Its letters may be wider or narrower now: what stands behind it flows anew.
void TranscriptView::onCorrected(int word)
{
    m_layout.measureAnew(word, shownText(m_model.word(word)));
    placeAnew(m_layout.shape());
    m_finder.searchFrom(0);
}

void TranscriptView::onAppearanceChanged()
{
    m_marks.low_probability = m_appearance.showsLowProbability() ? LowProbability::Marked : LowProbability::Hidden;
    reshape(true);
}

// --- translation -----------------------------------------------------------------------------------------------------------------

void TranscriptView::setTranslations(const LineTranslations *translations)
{
    if (translations == m_translations) {
        return;
    }
    if (m_translations != nullptr) {
        disconnect(m_translations, nullptr, this, nullptr);
    }
    m_translations = translations;
    m_marks.translations = translations == nullptr ? nullptr : &m_translation_rows;
    m_translation_rows.clear();
    if (translations != nullptr) {
        connect(translations, &LineTranslations::grew, this, &TranscriptView::onTranslated);
        connect(translations, &LineTranslations::cleared, this, [this] { onTranslated(0); });
        connect(translations, &LineTranslations::sentenceSettled, this, [this](const QString &translation) { announceText(this, translation); });
    }
    reshape(false);
}

bool TranscriptView::takeTranslations(int first_paragraph)
{
    const auto count = static_cast<int>(m_model.paragraphs().size());
    m_translation_rows.take(*m_translations, first_paragraph, count);
    bool moves = false;
    for (int paragraph = first_paragraph; paragraph < count; ++paragraph) {
        moves = m_layout.setTranslatedRows(paragraph, m_translation_rows.rowCount(paragraph)) || moves;
    }
    return moves;
}

void TranscriptView::onTranslated(int first_paragraph)
{
    if (takeTranslations(first_paragraph)) {
        placeAnew(m_layout.shape());
        return;
    }
    updateScrollRange();
    if (following() == Following::Live) {
        scrollToLive(ScrollMotion::Glide);
    }
    viewport()->update();
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

void TranscriptView::setDayTimes(const DayTimes *times)
{
    m_marks.day_times = times;
    viewport()->update();
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
    marks.current_match = m_finder.current();
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

// --- finding ---------------------------------------------------------------------------------------------------------------------

// Settled words never change: only the paragraph that was the last one, and those after it, can hold anything new.
int TranscriptView::search(const QString &needle, int first_word)
{
    std::erase_if(m_matches, [first_word](const TextMatch &match) { return match.first_word >= first_word; });
    const std::vector<TextMatch> found = findText(m_model, needle, first_word);
    m_matches.insert(m_matches.end(), found.begin(), found.end());
    m_searched_from = m_model.paragraphs().empty() ? 0 : m_model.paragraphs().back().first_word;
    return static_cast<int>(m_matches.size());
}

int TranscriptView::firstMatchOnPage() const
{
    const std::size_t row = m_layout.firstRowBelow(scrollTop());
    const int from = row < m_layout.rows().size() ? m_layout.rows()[row].first_word : 0;
    const auto match = std::find_if(m_matches.begin(), m_matches.end(), [from](const TextMatch &m) { return m.first_word >= from; });
    return match == m_matches.end() ? 0 : static_cast<int>(match - m_matches.begin());
}

}  // namespace braid::ui
