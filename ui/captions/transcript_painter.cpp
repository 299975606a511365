#include "ui/captions/transcript_painter.h"

#include <algorithm>
#include <cmath>

#include <QFontMetricsF>

#include "core/base/sample_clock.h"
#include "ui/captions/word_ink.h"
#include "ui/shared/appearance.h"

namespace braid::ui {
namespace {

struct Scene {
    QPainter &painter;
    const TranscriptModel &model;
    const TranscriptLayout &layout;
    const TranscriptMarks &marks;
    const Theme &theme;
    QFontMetricsF metrics;
};

QString marginTime(Sample sample)
{
    const QString clock = QString::fromStdString(formatClock(sample));
    return clock.startsWith(QLatin1String("00:")) ? clock.mid(3) : clock;
}

// What was found lies behind its letters only.
void drawMatches(const Scene &scene, int first_word, int last_word)
{
    if (scene.marks.matches == nullptr) {
        return;
    }
    const auto &matches = *scene.marks.matches;
    auto match = std::lower_bound(matches.begin(), matches.end(), first_word, [](const TextMatch &m, int word) { return m.last_word < word; });
    for (; match != matches.end() && match->first_word <= last_word; ++match) {
        const bool is_current = match - matches.begin() == scene.marks.current_match;
        for (int index = std::max(match->first_word, first_word); index <= std::min(match->last_word, last_word); ++index) {
            const QString text = QString::fromStdString(scene.model.word(index).text);
            QRectF rect = scene.layout.wordRect({WordPart::Settled, index});
            const int from = index == match->first_word ? match->first_character : 0;
            const int to = index == match->last_word ? match->last_character : static_cast<int>(text.size());
            const bool goes_on = index < std::min(match->last_word, last_word) && !scene.model.word(index + 1).starts_without_space;
            if (!text.isRightToLeft()) {
                const double left = rect.left() + scene.metrics.horizontalAdvance(text.left(from));
                rect.setRight(rect.left() + scene.metrics.horizontalAdvance(text.left(to)) + (goes_on ? scene.layout.shape().space_width : 0));
                rect.setLeft(left);
            }
            scene.painter.setPen(is_current ? QPen(scene.theme.colour(ColourToken::Accent), 2) : QPen(Qt::NoPen));
            scene.painter.setBrush(scene.theme.colour(ColourToken::Highlight));
            scene.painter.drawRoundedRect(rect.adjusted(-1, 2, 1, -2), 3, 3);
        }
    }
}

// Under a settled word: the fading trace of a revision, and the mark of what another transcript has otherwise.
void drawSettledLines(const Scene &scene, int index, const QRectF &rect)
{
    const double top = std::round(belowBaseline(scene.metrics, rect));
    const QRectF line(std::round(rect.left()), top, std::round(rect.width()), std::max(2.0, std::round(rect.height() / 16)));
    const auto fade =
        std::find_if(scene.marks.settled_fade.begin(), scene.marks.settled_fade.end(), [index](const auto &entry) { return entry.first == index; });
    if (fade != scene.marks.settled_fade.end()) {
        scene.painter.fillRect(line, mixed(scene.theme.colour(ColourToken::Paper), scene.theme.colour(ColourToken::Accent), static_cast<double>(fade->second)));
    }
    const auto position = static_cast<std::size_t>(index);
    if (scene.marks.differing != nullptr && position < scene.marks.differing->size() && (*scene.marks.differing)[position]) {
        scene.painter.fillRect(line, scene.theme.colour(ColourToken::Warn));
    }
}

void drawSettledRow(const Scene &scene, const TranscriptRow &row)
{
    const int last = row.first_word + row.word_count - 1;
    const TranscriptMarks &marks = scene.marks;
    // One band behind a run of selected words, not a box a word.
    if (marks.selected_first >= 0 && marks.selected_first <= last && marks.selected_last >= row.first_word) {
        const QRectF from = scene.layout.wordRect({WordPart::Settled, std::max(marks.selected_first, row.first_word)});
        const QRectF to = scene.layout.wordRect({WordPart::Settled, std::min(marks.selected_last, last)});
        drawBehindWord(scene.painter, from.united(to), scene.theme.colour(ColourToken::Selection));
    }
    drawMatches(scene, row.first_word, last);
    const QColor ink = scene.theme.colour(ColourToken::Ink);
    for (int index = row.first_word; index <= last; ++index) {
        const WordRef ref{WordPart::Settled, index};
        const QRectF rect = scene.layout.wordRect(ref);
        const text::Word &word = scene.model.word(index);
        if (marks.playing == index) {
            drawBehindWord(scene.painter, rect, scene.theme.colour(ColourToken::Highlight));
        } else if (marks.hovered == ref) {
            drawBehindWord(scene.painter, rect, scene.theme.colour(ColourToken::Hover));
        }
        drawWordText(scene.painter, scene.metrics, shownText(word), rect, word.text.empty() ? scene.theme.colour(ColourToken::InkSoft) : ink);
        if (text::isCorrected(word)) {
            drawCorrectedLine(scene.painter, scene.metrics, rect, scene.theme.colour(ColourToken::InkSoft));
        }
        drawSettledLines(scene, index, rect);
        if (marks.low_probability == LowProbability::Marked && word.probability < kLowProbability) {
            scene.painter.fillRect(QRectF(rect.left(), belowBaseline(scene.metrics, rect), rect.width(), std::max(1.0, rect.height() / 24)),
                                   mixed(scene.theme.colour(ColourToken::InkSoft), scene.theme.colour(ColourToken::Paper), 0.5));
        }
        if (marks.pinned == ref) {
            drawRingAround(scene.painter, rect, scene.theme.colour(ColourToken::Accent), 1.5);
        }
        if (marks.cursor == ref) {
            drawRingAround(scene.painter, rect, scene.theme.colour(ColourToken::Accent), 2.5);
        }
    }
}

// Under a settled row: the row of the translation that goes with it; under the paragraph's last row, those that found no row of their own.
void drawTranslation(const Scene &scene, std::size_t index)
{
    const std::vector<TranscriptRow> &rows = scene.layout.rows();
    const TranscriptRow &row = rows[index];
    const std::vector<QString> &translated = scene.marks.translations->rows(row.paragraph);
    std::size_t number = 0;
    while (number < index && rows[index - number - 1].paragraph == row.paragraph) {
        ++number;
    }
    const bool is_last = index + 1 == rows.size() || rows[index + 1].paragraph != row.paragraph;
    const bool goes_on = index + 1 == rows.size() && !scene.layout.tailRows().empty() && scene.layout.tailRows().front().paragraph == row.paragraph;
    const std::size_t end = is_last && !goes_on ? translated.size() : std::min(number + 1, translated.size());
    const TranscriptShape &shape = scene.layout.shape();
    const QFontMetricsF metrics(scene.marks.translation_font);
    scene.painter.setFont(scene.marks.translation_font);
    for (std::size_t line = number; line < end; ++line) {
        const double top = row.top + shape.line_height + static_cast<double>(line - number) * shape.translation_height;
        const double width = std::min(metrics.horizontalAdvance(translated[line]), shape.text_width);
        const double left = shape.text_left + (translated.front().isRightToLeft() ? shape.text_width - width : 0);
        drawWordText(scene.painter, metrics, translated[line], QRectF(left, top, width, shape.translation_height), scene.theme.colour(ColourToken::InkSoft));
    }
}

void drawTail(const Scene &scene)
{
    const QColor soft = scene.theme.colour(ColourToken::InkSoft);
    const QColor accent = scene.theme.colour(ColourToken::Accent);
    for (const TranscriptRow &row : scene.layout.tailRows()) {
        for (int index = row.first_word; index < row.first_word + row.word_count; ++index) {
            const WordRef ref{WordPart::Tail, index};
            const QRectF rect = scene.layout.wordRect(ref);
            if (scene.marks.hovered == ref) {
                drawBehindWord(scene.painter, rect, scene.theme.colour(ColourToken::Hover));
            }
            drawWordText(scene.painter, scene.metrics, QString::fromStdString(scene.model.tail()[static_cast<std::size_t>(index)].text), rect, soft);
            const auto position = static_cast<std::size_t>(index);
            const float fade = position < scene.marks.tail_fade.size() ? scene.marks.tail_fade[position] : 0;
            drawUnsettledDots(scene.painter, scene.metrics, rect, fade > 0 ? mixed(soft, accent, fade) : soft);
            if (scene.marks.pinned == ref) {
                drawRingAround(scene.painter, rect, scene.theme.colour(ColourToken::Accent), 1.5);
            }
            if (scene.marks.cursor == ref) {
                drawRingAround(scene.painter, rect, scene.theme.colour(ColourToken::Accent), 2.5);
            }
        }
    }
}

// A gap or a heading: a line across the page with its text in the middle or at the left.
void drawBreak(const Scene &scene, const TranscriptRow &row, const Paragraph &paragraph, const QFont &small_font)
{
    const TranscriptShape &shape = scene.layout.shape();
    const bool is_gap = paragraph.kind == ParagraphKind::Gap;
    const double middle = row.top + shape.line_height / 2;
    const QFontMetricsF metrics(small_font);
    const QString text = metrics.elidedText(paragraph.text, Qt::ElideRight, shape.text_width - 60);
    const double width = metrics.horizontalAdvance(text);
    const double left = is_gap ? shape.text_left + (shape.text_width - width) / 2 : shape.text_left;
    // Presenting keeps to three colours.
    const bool plain = scene.marks.times == TimesInMargin::Hidden;
    const ColourToken gap_colour = plain ? ColourToken::InkSoft : ColourToken::Warn;
    scene.painter.setPen(QPen(scene.theme.colour(is_gap  ? gap_colour
                                                 : plain ? ColourToken::InkSoft
                                                         : ColourToken::Line),
                              1, is_gap ? Qt::DashLine : Qt::SolidLine));
    if (left - 12 > shape.text_left) {
        scene.painter.drawLine(QPointF(shape.text_left, middle), QPointF(left - 12, middle));
    }
    scene.painter.drawLine(QPointF(left + width + 12, middle), QPointF(shape.text_left + shape.text_width, middle));
    scene.painter.setFont(small_font);
    scene.painter.setPen(scene.theme.colour(is_gap ? gap_colour : ColourToken::InkSoft));
    scene.painter.drawText(QPointF(left, middle + metrics.ascent() / 2 - metrics.descent() / 2), text);
}

void drawMarginTime(const Scene &scene, double top, Sample sample, const QFont &small_font)
{
    const QFontMetricsF metrics(small_font);
    const QDateTime of_day = scene.marks.day_times == nullptr ? QDateTime() : dayTimeAt(*scene.marks.day_times, sample);
    const QString time = of_day.isValid() ? of_day.toString(QStringLiteral("HH:mm:ss")) : marginTime(sample);
    const TranscriptShape &shape = scene.layout.shape();
    const double baseline = top + (shape.line_height - scene.metrics.height()) / 2 + scene.metrics.ascent();
    scene.painter.setFont(small_font);
    scene.painter.setPen(scene.theme.colour(ColourToken::InkSoft));
    scene.painter.drawText(QPointF(shape.text_left - 20 - metrics.horizontalAdvance(time), baseline), time);
}

}  // namespace

void paintTranscript(QPainter &painter, const QRectF &visible, const TranscriptModel &model, const TranscriptLayout &layout, const TranscriptMarks &marks,
                     const Theme &theme, const QFont &font)
{
    const Scene scene{painter, model, layout, marks, theme, QFontMetricsF(font)};
    const QFont small_font = Appearance::interfaceFont(std::clamp(font.pixelSize() / 2 + 1, 11, 16));
    painter.setRenderHint(QPainter::Antialiasing);
    int paragraph_before = -1;
    for (std::size_t index = layout.firstRowBelow(visible.top()); index < layout.rows().size(); ++index) {
        const TranscriptRow &row = layout.rows()[index];
        if (row.top > visible.bottom()) {
            return;
        }
        const Paragraph &paragraph = model.paragraphs()[static_cast<std::size_t>(row.paragraph)];
        if (paragraph.kind != ParagraphKind::Words) {
            drawBreak(scene, row, paragraph, small_font);
            continue;
        }
        if (marks.times == TimesInMargin::Shown && row.paragraph != paragraph_before && row.first_word == paragraph.first_word) {
            drawMarginTime(scene, row.top, paragraph.start_sample, small_font);
        }
        paragraph_before = row.paragraph;
        painter.setFont(font);
        drawSettledRow(scene, row);
        if (marks.translations != nullptr) {
            drawTranslation(scene, index);
        }
    }
    painter.setFont(font);
    if (!layout.tailRows().empty() && layout.tailRect().top() <= visible.bottom()) {
        if (model.tailStartsParagraph() && marks.times == TimesInMargin::Shown) {
            drawMarginTime(scene, layout.tailRows().front().top, model.tail().front().start_sample, small_font);
            painter.setFont(font);
        }
        drawTail(scene);
    }
}

}  // namespace braid::ui
