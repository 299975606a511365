#include "ui/streams/lanes_painter.h"

#include <algorithm>
#include <cmath>

#include <QFontMetricsF>
#include <QPainterPath>

#include "ui/shared/appearance.h"

namespace braid::ui {
namespace {

constexpr double kRound = 4;
constexpr double kBarHeight = 2;
constexpr double kRulerLabelPx = 92;

QColor faint(QColor colour, double share)
{
    colour.setAlphaF(static_cast<float>(share));
    return colour;
}

// Words of a lane stand in a box as high as the type, in the middle of the band.
QRectF boxOf(const QRectF &cell, double height)
{
    return {cell.left() + 2, cell.center().y() - height / 2, cell.width() - 4, height};
}

struct Pens {
    const Theme &theme;
    const HeatRamp &ramp;
    QFont font;
    QFontMetricsF metrics;
    double box_height;
};

void paintSilence(QPainter &painter, const QRectF &cell, const Theme &theme)
{
    painter.setPen(Qt::NoPen);
    painter.setBrush(faint(theme.colour(ColourToken::InkSoft), 0.42));
    painter.drawEllipse(cell.center(), 1.4, 1.4);
}

void paintWord(QPainter &painter, const QRectF &cell, const streams::Cell &word, const QColor &colour, float weight, bool shows_attention, bool continues,
               const Pens &pens)
{
    QRectF box = boxOf(cell, pens.box_height);
    if (continues) {
        box.setLeft(box.left() - 4);  // joined to the piece before it
    }
    const QColor paper = pens.theme.colour(ColourToken::Paper);
    QColor ground = mixed(paper, colour, pens.theme.isDark() ? 0.16 : 0.13);
    QColor ink = pens.theme.colour(ColourToken::Ink);
    if (shows_attention) {
        ground = weight > 0 ? QColor(pens.ramp.colour(std::sqrt(static_cast<double>(weight)))) : paper;
        ink = contrastRatio(ink, ground) >= contrastRatio(paper, ground) ? ink : paper;
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(ground);
    painter.drawRoundedRect(box, kRound, kRound);
    painter.setPen(ink);
    const QString text = pens.metrics.elidedText(cellText(word), Qt::ElideRight, box.width() - 4);
    painter.drawText(box.adjusted(0, 0, 0, -1), Qt::AlignCenter, text);
    if (word.source == streams::CellSource::Sampled && !shows_attention) {
        // How sure: as long a line as the token was probable.
        const double length = std::clamp(word.probability, 0.0, 1.0) * (box.width() - 6);
        painter.fillRect(QRectF(box.left() + 3, box.bottom() - kBarHeight - 1, length, kBarHeight), colour);
    }
}

void paintFolded(QPainter &painter, const LanesModel &model, const LanesGeometry &geometry, const LaneBand &band, const LanesGeometry::Range &rows,
                 const QColor &colour)
{
    for (std::int64_t row = rows.first; row <= rows.last; ++row) {
        if (!model.cell({row, band.stream}).isSilent()) {
            const QRectF cell = geometry.cellRect(row, band);
            painter.fillRect(QRectF(cell.left() + 1, cell.center().y() - 2, cell.width() - 2, 4), faint(colour, 0.75));
        }
    }
}

void paintWaiting(QPainter &painter, const LanesGeometry &geometry, const LaneBand &band, const LaneState &state, const QColor &colour, const Pens &pens)
{
    double x = geometry.liveX() + 14;
    const double right = geometry.width - 4;
    const auto word = [&](const QString &text, bool is_unfinished) {
        const double width = std::ceil(pens.metrics.horizontalAdvance(text)) + 14;
        if (x + width > right) {
            return false;
        }
        const QRectF box = boxOf(QRectF(x, geometry.yOf(band), width, band.height), pens.box_height);
        // Unsettled: soft ink and a dotted baseline, in an outline that is not yet a cell.
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(faint(colour, is_unfinished ? 0.9 : 0.55), 1, is_unfinished ? Qt::SolidLine : Qt::DotLine));
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), kRound, kRound);
        painter.setPen(pens.theme.colour(ColourToken::InkSoft));
        painter.drawText(box.adjusted(0, 0, 0, -1), Qt::AlignCenter, text);
        x += width + 2;
        return true;
    };
    for (const QString &text : state.waiting) {
        if (!word(text, false)) {
            painter.setPen(pens.theme.colour(ColourToken::InkSoft));
            if (x + 14 < right + 4) {
                painter.drawText(QRectF(x, geometry.yOf(band), 16, band.height), Qt::AlignCenter, QStringLiteral("\u2026"));
            }
            return;
        }
    }
    if (!state.unfinished.isEmpty()) {
        word(state.unfinished, true);
    }
}

void ring(QPainter &painter, const QRectF &cell, const QColor &colour, double width, double box_height)
{
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colour, width));
    painter.drawRoundedRect(boxOf(cell, box_height).adjusted(-1, -1, 1, 1), kRound + 1, kRound + 1);
}

}  // namespace

QColor laneColour(streams::LaneColour colour, const Theme &theme)
{
    const auto hex = streams::hexOf(colour);
    QColor shown(QString::fromLatin1(hex.data(), static_cast<qsizetype>(hex.size())));
    const QColor paper = theme.colour(ColourToken::Paper);
    const QColor towards = theme.isDark() ? QColor(Qt::white) : QColor(Qt::black);
    for (int step = 0; step < 12 && contrastRatio(shown, paper) < 3; ++step) {
        shown = mixed(shown, towards, 0.08);
    }
    return shown;
}

void paintRuler(QPainter &painter, const LanesModel &model, const LanesGeometry &geometry, const LanesMarks &marks, const Theme &theme)
{
    painter.fillRect(QRectF(0, 0, geometry.width, geometry.ruler_height), theme.colour(ColourToken::Paper));
    painter.fillRect(QRectF(0, geometry.ruler_height - 1, geometry.width, 1), theme.colour(ColourToken::Line));
    const QFont small = Appearance::interfaceFont(11);
    painter.setFont(small);
    painter.setPen(theme.colour(ColourToken::InkSoft));
    painter.drawText(QRectF(14, 0, geometry.names_width - 18, geometry.ruler_height - 1), Qt::AlignLeft | Qt::AlignVCenter, QObject::tr("step"));
    if (model.rows() == 0) {
        return;
    }
    painter.save();
    painter.setClipRect(QRectF(geometry.names_width, 0, geometry.width - geometry.names_width, geometry.ruler_height));
    const LanesGeometry::Range rows = geometry.visibleRows();
    const double mean =
        rows.last >= rows.first ? (geometry.xOf(rows.last + 1) - geometry.xOf(rows.first)) / static_cast<double>(rows.last - rows.first + 1) : 1;
    const std::int64_t step = rulerStep(mean, kRulerLabelPx);
    const QFontMetricsF metrics(small);
    double free_from = geometry.names_width - kRulerLabelPx;
    for (std::int64_t row = rows.first - rows.first % step; row <= rows.last; row += step) {
        if (row < 0) {
            continue;
        }
        const double x = geometry.xOf(row);
        painter.fillRect(QRectF(std::round(x), geometry.ruler_height - 6, 1, 5), theme.colour(ColourToken::InkSoft));
        const QString number = QString::number(row + 1);
        const QString time = stepClockText(model.timeOf(row));
        if (x < free_from) {
            continue;
        }
        painter.setPen(theme.colour(ColourToken::Ink));
        painter.drawText(QPointF(x + 4, geometry.ruler_height - 9), number);
        const double after = x + 4 + metrics.horizontalAdvance(number) + 6;
        painter.setPen(theme.colour(ColourToken::InkSoft));
        painter.drawText(QPointF(after, geometry.ruler_height - 9), time);
        free_from = after + metrics.horizontalAdvance(time) + 8;
    }
    // The handle stands at the end of what is, or where a rewind would cut.
    const double x = marks.keep_until ? geometry.xOf(*marks.keep_until + 1) : geometry.liveX();
    QPainterPath handle;
    handle.moveTo(x - 7, 3);
    handle.lineTo(x + 7, 3);
    handle.lineTo(x + 7, 11);
    handle.lineTo(x, geometry.ruler_height - 3);
    handle.lineTo(x - 7, 11);
    handle.closeSubpath();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillPath(handle, theme.colour(ColourToken::Accent));
    painter.setPen(QPen(theme.colour(ColourToken::OnAccent), 1));
    painter.drawLine(QPointF(x - 2, 6), QPointF(x - 2, 12));
    painter.drawLine(QPointF(x + 2, 6), QPointF(x + 2, 12));
    painter.restore();
}

void paintLanes(QPainter &painter, const LanesModel &model, const LanesGeometry &geometry, const std::vector<LaneState> &states, const LanesMarks &marks,
                const Theme &theme, const HeatRamp &ramp, const QFont &token_font)
{
    const QRectF area(geometry.names_width, geometry.ruler_height, geometry.width - geometry.names_width, geometry.height - geometry.ruler_height);
    painter.save();
    painter.setClipRect(area);
    const QFontMetricsF metrics(token_font);
    const Pens pens{theme, ramp, token_font, metrics, std::ceil(metrics.height()) + 8};
    const LanesGeometry::Range rows = geometry.visibleRows();
    const double lanes_bottom = std::min(geometry.height, geometry.ruler_height + geometry.lanesHeight() - geometry.scroll_y);
    const auto columnWithin = [&](std::int64_t row) {
        return QRectF(geometry.xOf(row), geometry.ruler_height, geometry.xOf(row + 1) - geometry.xOf(row), lanes_bottom - geometry.ruler_height);
    };
    const bool shows_attention = marks.weights != nullptr && !marks.weights->isEmpty();
    if (model.rows() > 0 && !shows_attention) {
        painter.fillRect(columnWithin(model.rows() - 1), theme.colour(ColourToken::Highlight));
    }
    if (marks.hovered && marks.hovered->row >= rows.first && marks.hovered->row <= rows.last) {
        painter.fillRect(columnWithin(marks.hovered->row), faint(theme.colour(ColourToken::Hover), marks.hovered->row == model.rows() - 1 ? 0.5 : 1.0));
    }
    painter.setFont(token_font);
    painter.setRenderHint(QPainter::Antialiasing);
    for (const LaneBand &band : geometry.bands) {
        const double top = geometry.yOf(band);
        if (top > geometry.height || top + band.height < geometry.ruler_height) {
            continue;
        }
        const QColor colour = laneColour(model.colourOf(band.stream), theme);
        painter.fillRect(QRectF(area.left(), top + band.height - 1, area.width(), 1), theme.colour(ColourToken::Line));
        if (band.fold == LaneFold::Folded) {
            paintFolded(painter, model, geometry, band, rows, colour);
            continue;
        }
        for (std::int64_t row = rows.first; row <= rows.last; ++row) {
            const streams::Cell &cell = model.cell({row, band.stream});
            const QRectF rect = geometry.cellRect(row, band);
            if (cell.isSilent()) {
                if (cell.source != streams::CellSource::Silenced) {
                    paintSilence(painter, rect, theme);
                }
                continue;
            }
            const bool continues = row > 0 && continuesWord(cell) && !model.cell({row - 1, band.stream}).isSilent();
            paintWord(painter, rect, cell, colour, shows_attention ? marks.weights->of({row, band.stream}) : 0, shows_attention, continues, pens);
        }
        if (const auto end = model.endOf(band.stream); end && end->row >= rows.first && end->row <= rows.last) {
            painter.fillRect(QRectF(geometry.xOf(end->row + 1) - 2, top + 4, 3, band.height - 9), colour);
        }
        if (static_cast<std::size_t>(band.stream) < states.size()) {
            paintWaiting(painter, geometry, band, states[static_cast<std::size_t>(band.stream)], colour, pens);
        }
    }
    for (const CellRef &turn : model.turnEnds()) {
        const LaneBand *band = geometry.bandOf(turn.stream);
        if (band != nullptr && turn.row >= rows.first && turn.row <= rows.last) {
            painter.fillRect(QRectF(geometry.xOf(turn.row + 1) - 2, geometry.yOf(*band) + 4, 3, band->height - 9),
                             laneColour(model.colourOf(turn.stream), theme));
        }
    }
    const auto mark = [&](const std::optional<CellRef> &ref, const QColor &colour, double width) {
        const LaneBand *band = ref && model.contains(*ref) ? geometry.bandOf(ref->stream) : nullptr;
        if (band != nullptr && band->fold == LaneFold::Open) {
            ring(painter, geometry.cellRect(ref->row, *band), colour, width, pens.box_height);
        }
    };
    if (marks.matches != nullptr) {
        const auto first =
            std::lower_bound(marks.matches->begin(), marks.matches->end(), rows.first, [](const CellRef &match, std::int64_t row) { return match.row < row; });
        for (auto match = first; match != marks.matches->end() && match->row <= rows.last; ++match) {
            const bool is_current = match - marks.matches->begin() == marks.current_match;
            mark(*match, theme.colour(ColourToken::Warn), is_current ? 2.5 : 1.5);
        }
    }
    mark(marks.hovered, theme.colour(ColourToken::InkSoft), 1);
    mark(marks.pinned, theme.colour(ColourToken::Accent), 1.5);
    mark(marks.looked_from, theme.colour(ColourToken::Accent), 2);
    mark(marks.cursor, theme.colour(ColourToken::Accent), 2);
    if (marks.keep_until) {
        const double x = geometry.xOf(*marks.keep_until + 1);
        painter.fillRect(QRectF(x, geometry.ruler_height, geometry.width - x, lanes_bottom - geometry.ruler_height),
                         faint(theme.colour(ColourToken::Paper), 0.82));
        painter.fillRect(QRectF(x - 1, geometry.ruler_height, 2, lanes_bottom - geometry.ruler_height), theme.colour(ColourToken::Accent));
    } else if (model.rows() > 0) {
        painter.fillRect(QRectF(geometry.liveX() - 0.5, geometry.ruler_height, 1, lanes_bottom - geometry.ruler_height),
                         faint(theme.colour(ColourToken::Accent), 0.55));
    }
    painter.restore();
}

void paintLaneNames(QPainter &painter, const LanesModel &model, const LanesGeometry &geometry, const std::vector<LaneState> &states, const LanesMarks &marks,
                    const Theme &theme)
{
    painter.save();
    painter.setClipRect(QRectF(0, geometry.ruler_height, geometry.names_width, geometry.height - geometry.ruler_height));
    painter.fillRect(QRectF(0, geometry.ruler_height, geometry.names_width, geometry.height), theme.colour(ColourToken::Paper));
    painter.setRenderHint(QPainter::Antialiasing);
    const QFont name_font = Appearance::interfaceFont(13);
    const QFont note_font = Appearance::interfaceFont(11);
    const QFontMetricsF name_metrics(name_font);
    const QFontMetricsF note_metrics(note_font);
    for (const LaneBand &band : geometry.bands) {
        const double top = geometry.yOf(band);
        if (top > geometry.height || top + band.height < geometry.ruler_height) {
            continue;
        }
        const auto index = static_cast<std::size_t>(band.stream);
        const LaneState state = index < states.size() ? states[index] : LaneState();
        const QColor colour = laneColour(model.colourOf(band.stream), theme);
        if (marks.dragged_lane == band.stream) {
            painter.fillRect(QRectF(0, top, geometry.names_width, band.height), theme.colour(ColourToken::Hover));
        }
        painter.fillRect(QRectF(0, top + band.height - 1, geometry.names_width, 1), theme.colour(ColourToken::Line));
        const bool is_folded = band.fold == LaneFold::Folded;
        painter.fillRect(QRectF(4, top + 3, 4, band.height - 7), state.is_switched_off ? faint(colour, 0.35) : colour);
        const double room = geometry.names_width - 14 - LanesGeometry::kFoldButtonWidth;
        const bool has_note = !is_folded && !state.note.isEmpty() && band.height >= name_metrics.height() + note_metrics.height() + 4;
        painter.setFont(is_folded ? note_font : name_font);
        painter.setPen(theme.colour(is_folded || state.is_switched_off ? ColourToken::InkSoft : ColourToken::Ink));
        const QString name = model.nameOf(band.stream);
        const QFontMetricsF &metrics = is_folded ? note_metrics : name_metrics;
        const double text_height = metrics.height() + (has_note ? note_metrics.height() : 0);
        const QRectF line(14, top + (band.height - 1 - text_height) / 2, room, metrics.height());
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(name, Qt::ElideRight, room));
        if (has_note) {
            painter.setFont(note_font);
            painter.setPen(theme.colour(ColourToken::InkSoft));
            painter.drawText(QRectF(14, line.bottom(), room, note_metrics.height()), Qt::AlignLeft | Qt::AlignVCenter,
                             note_metrics.elidedText(state.note, Qt::ElideRight, room));
        }
        // Folded: points right; open: points down.
        const QPointF middle(geometry.names_width - LanesGeometry::kFoldButtonWidth / 2, top + (band.height - 1) / 2);
        QPainterPath chevron;
        chevron.moveTo(middle + (is_folded ? QPointF(-2, -4) : QPointF(-4, -2)));
        chevron.lineTo(middle + (is_folded ? QPointF(2, 0) : QPointF(0, 2)));
        chevron.lineTo(middle + (is_folded ? QPointF(-2, 4) : QPointF(4, -2)));
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.colour(ColourToken::InkSoft), 1.5));
        painter.drawPath(chevron);
    }
    if (marks.drop_place >= 0 && !geometry.bands.empty()) {
        const bool at_end = marks.drop_place >= static_cast<int>(geometry.bands.size());
        const LaneBand &beside = geometry.bands[at_end ? geometry.bands.size() - 1 : static_cast<std::size_t>(marks.drop_place)];
        painter.fillRect(QRectF(0, geometry.yOf(beside) + (at_end ? beside.height : 0) - 2, geometry.names_width, 3), theme.colour(ColourToken::Accent));
    }
    painter.setClipping(false);
    painter.fillRect(QRectF(geometry.names_width - 1, 0, 1, geometry.height), theme.colour(ColourToken::Line));
    painter.restore();
}

}  // namespace braid::ui
