#include "ui/captions/timeline_painter.h"

#include <algorithm>
#include <cmath>

#include <QFontMetricsF>

#include "core/base/sample_clock.h"

namespace braid::ui {
namespace {

constexpr double kReadableWidth = 9;

QString scaleText(double seconds, double step)
{
    const auto whole = static_cast<std::int64_t>(std::floor(seconds + 1e-6));
    QString text = whole >= 3600 ? QStringLiteral("%1:%2").arg(whole / 3600).arg(whole / 60 % 60, 2, 10, QLatin1Char('0')) : QString::number(whole / 60);
    text += QStringLiteral(":%1").arg(whole % 60, 2, 10, QLatin1Char('0'));
    if (step < 1) {
        text += QStringLiteral(".%1").arg(static_cast<int>(std::lround((seconds - static_cast<double>(whole)) * 100)), 2, 10, QLatin1Char('0'));
    }
    return text;
}

struct WordRow {
    QPainter &painter;
    const TimelineGeometry &geometry;
    const TimelineBands &bands;
    const TimelineMarks &marks;
    const Theme &theme;
    QFontMetricsF metrics;
};

void drawTimelineWord(const WordRow &row, const text::Word &word, WordRef ref, double next_x)
{
    const double top = row.bands.wordsTop();
    const double left = row.geometry.xOf(word.start_sample);
    const double right = std::max(left + 1, row.geometry.xOf(word.end_sample));
    const bool settled = ref.part == WordPart::Settled;
    const bool marked = row.marks.hovered == ref || row.marks.pinned == ref || (settled && row.marks.playing_word == ref.index);
    const QColor ink = row.theme.colour(settled ? ColourToken::Ink : ColourToken::InkSoft);
    if (marked) {
        const ColourToken behind = settled && row.marks.playing_word == ref.index ? ColourToken::Highlight : ColourToken::Selection;
        row.painter.fillRect(QRectF(left, top, right - left, row.bands.words_height), row.theme.colour(behind));
    }
    // The bar is the word's time; dashes say that it is not settled.
    row.painter.setPen(QPen(row.theme.colour(settled ? ColourToken::Accent : ColourToken::InkSoft), 2, settled ? Qt::SolidLine : Qt::DotLine, Qt::FlatCap));
    row.painter.drawLine(QPointF(left + 0.5, top + 1.5), QPointF(std::max(left + 1, right - 1), top + 1.5));
    const double room = next_x - left - 3;
    if (room < kReadableWidth) {
        return;
    }
    row.painter.setPen(ink);
    const QString text = QString::fromStdString(word.text);
    const QString shown = row.metrics.horizontalAdvance(text) <= room ? text : row.metrics.elidedText(text, Qt::ElideRight, room);
    if (shown != QStringLiteral("\u2026")) {
        row.painter.drawText(QPointF(left + 1, top + 4 + row.metrics.ascent()), shown);
    }
}

}  // namespace

int firstWordEndingAfter(const TranscriptModel &model, Sample sample)
{
    int low = 0;
    int high = model.wordCount();
    while (low < high) {
        const int middle = (low + high) / 2;
        if (model.word(middle).end_sample > sample) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

void paintWaveColumns(QPainter &painter, const QRect &area, std::int64_t first_column, double samples_per_pixel, const PeakPyramid &peaks, const Theme &theme)
{
    painter.fillRect(area, theme.colour(ColourToken::Paper));
    const double middle = area.top() + area.height() / 2.0;
    const double scale = area.height() / 2.0 - 1;
    const QColor wave = theme.colour(ColourToken::Wave);
    const QColor line = theme.colour(ColourToken::Line);
    for (int x = 0; x < area.width(); ++x) {
        const auto start = static_cast<Sample>(std::llround(static_cast<double>(first_column + x) * samples_per_pixel));
        const auto end = static_cast<Sample>(std::llround(static_cast<double>(first_column + x + 1) * samples_per_pixel));
        if (start >= peaks.samples() || start < 0) {
            painter.fillRect(QRectF(area.left() + x, middle, 1, 1), line);
            continue;
        }
        const Peak peak = peaks.peak(start, std::max(end, start + 1));
        // A gentle curve lifts quiet speech without making loud sound a wall.
        const auto shaped = [](int level) { return level < 0 ? -std::pow(-level / 127.0, 0.6) : std::pow(level / 127.0, 0.6); };
        const double top = middle - shaped(peak.high) * scale;
        const double bottom = middle - shaped(peak.low) * scale;
        painter.fillRect(QRectF(area.left() + x, top, 1, std::max(1.0, bottom - top)), wave);
    }
}

void paintTimeScale(QPainter &painter, const TimelineGeometry &geometry, const TimelineBands &bands, const Theme &theme, const QFont &font)
{
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    const double step = geometry.markSeconds(72);
    const double first = std::floor(std::max(0.0, geometry.first_sample) / kSampleRateHz / step) * step;
    for (double seconds = first;; seconds += step) {
        const double x = geometry.xOf(samplesFromSeconds(seconds));
        if (x > geometry.width) {
            break;
        }
        painter.setPen(theme.colour(ColourToken::Line));
        painter.drawLine(QPointF(x, 2), QPointF(x, bands.scale_height));
        painter.setPen(theme.colour(ColourToken::InkSoft));
        painter.drawText(QPointF(x + 4, metrics.ascent() + 1), scaleText(seconds, step));
    }
}

void paintTimelineWords(QPainter &painter, const TimelineGeometry &geometry, const TimelineBands &bands, const TranscriptModel &model,
                        const TimelineMarks &marks, const Theme &theme, const QFont &font)
{
    painter.setFont(font);
    const WordRow row{painter, geometry, bands, marks, theme, QFontMetricsF(font)};
    const Sample last = geometry.lastSample();
    const int count = model.wordCount();
    const auto &tail = model.tail();
    const double tail_x = tail.empty() ? geometry.width + 1000.0 : geometry.xOf(tail.front().start_sample);
    double drawn_to = -1e9;
    for (int index = firstWordEndingAfter(model, static_cast<Sample>(geometry.first_sample)); index < count; ++index) {
        const text::Word &word = model.word(index);
        if (word.start_sample > last) {
            break;
        }
        // Hours on one screen: one bar a pixel is all that can be seen.
        if (geometry.xOf(word.end_sample) < drawn_to + 1) {
            continue;
        }
        drawTimelineWord(row, word, {WordPart::Settled, index}, index + 1 < count ? geometry.xOf(model.word(index + 1).start_sample) : tail_x);
        drawn_to = geometry.xOf(word.end_sample);
    }
    for (std::size_t index = 0; index < tail.size(); ++index) {
        const double next = index + 1 < tail.size() ? geometry.xOf(tail[index + 1].start_sample) : geometry.width + 1000.0;
        drawTimelineWord(row, tail[index], {WordPart::Tail, static_cast<int>(index)}, next);
    }
}

void paintTimelineMarks(QPainter &painter, const TimelineGeometry &geometry, const TimelineBands &bands, const TranscriptModel &model,
                        const TimelineMarks &marks, const Theme &theme, const QFont &font)
{
    const double top = bands.scale_height;
    for (const Paragraph &paragraph : model.paragraphs()) {
        const double x = geometry.xOf(paragraph.start_sample);
        const double right = geometry.xOf(paragraph.start_sample + paragraph.length_samples);
        if (paragraph.kind == ParagraphKind::Gap && right > 0 && x < geometry.width) {
            const double left = std::max(0.0, x);
            painter.fillRect(QRectF(left, top, std::max(2.0, std::min<double>(right, geometry.width) - left), bands.wave_height),
                             QBrush(theme.colour(ColourToken::Warn), Qt::BDiagPattern));
        }
    }
    if (marks.heard > marks.decoded) {
        const double from = geometry.xOf(marks.decoded);
        QColor waiting = theme.colour(ColourToken::Accent);
        waiting.setAlphaF(0.12F);
        painter.fillRect(QRectF(from, top, geometry.xOf(marks.heard) - from, bands.wave_height), waiting);
    }
    if (bands.wave_height <= 0) {
        return;  // words alone: the wave beside them shows the rest
    }
    painter.setPen(QPen(theme.colour(ColourToken::Accent), 1));
    const double now = std::floor(geometry.xOf(marks.heard)) + 0.5;
    painter.drawLine(QPointF(now, top), QPointF(now, top + bands.wave_height));
    const auto shade = [&](std::optional<WordRef> ref, ColourToken token, float opacity) {
        const text::Word *word = ref ? model.find(*ref) : nullptr;
        if (word != nullptr) {
            QColor colour = theme.colour(token);
            colour.setAlphaF(opacity);
            const double left = geometry.xOf(word->start_sample);
            painter.fillRect(QRectF(left, top, std::max(1.0, geometry.xOf(word->end_sample) - left), bands.wave_height), colour);
        }
    };
    shade(marks.hovered, ColourToken::Accent, 0.15F);
    shade(marks.pinned, ColourToken::Accent, 0.22F);
    shade(WordRef{WordPart::Settled, marks.playing_word}, ColourToken::Highlight, 0.7F);
    if (marks.pointer_x >= 0) {
        painter.setPen(QPen(theme.colour(ColourToken::InkSoft), 1));
        painter.drawLine(QPointF(std::floor(marks.pointer_x) + 0.5, top), QPointF(std::floor(marks.pointer_x) + 0.5, bands.height()));
        QString time = scaleText(std::max(0.0, secondsFromSamples(geometry.sampleAt(marks.pointer_x))), 0.1);
        if (!marks.pointer_text.isEmpty()) {
            time += QStringLiteral("   ") + marks.pointer_text;
        }
        const QFontMetricsF metrics(font);
        const double width = metrics.horizontalAdvance(time) + 10;
        const double left = std::min(marks.pointer_x + 6, geometry.width - width - 4);
        painter.setFont(font);
        painter.fillRect(QRectF(left, top + 2, width, metrics.height() + 2), theme.colour(ColourToken::Surface));
        painter.setPen(theme.colour(ColourToken::Ink));
        painter.drawText(QPointF(left + 5, top + 3 + metrics.ascent()), time);
    }
}

}  // namespace braid::ui
