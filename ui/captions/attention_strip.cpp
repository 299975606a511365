#include "ui/captions/attention_strip.h"

#include <algorithm>
#include <cmath>

#include <QFontMetricsF>
#include <QObject>
#include <QStringList>

#include "ui/inspector/heat_ramp.h"
#include "ui/state/word_facts.h"

namespace braid::ui {
namespace {

std::span<const float> rowOf(const AttentionTrace &trace, std::size_t row)
{
    const captions::AttentionMap &map = *trace.map;
    return std::span(map.weights)
        .subspan(static_cast<std::size_t>(trace.rows[row]) * static_cast<std::size_t>(map.columns), static_cast<std::size_t>(map.columns));
}

float greatestOf(const AttentionTrace &trace)
{
    float greatest = 1e-6F;
    for (std::size_t row = 0; row < trace.rows.size(); ++row) {
        const auto weights = rowOf(trace, row);
        greatest = std::max(greatest, weights.empty() ? 0.0F : *std::max_element(weights.begin(), weights.end()));
    }
    return greatest;
}

QString labelOf(const AttentionTrace &trace, std::size_t row)
{
    const auto index = static_cast<std::size_t>(trace.rows[row]);
    return index < trace.map->row_labels.size() ? tokenText(trace.map->row_labels[index]) : QString();
}

}  // namespace

std::vector<StripCell> stripCells(const AttentionTrace &trace, std::size_t row, const TimelineGeometry &geometry)
{
    std::vector<StripCell> cells;
    if (!trace.map || row >= trace.rows.size() || trace.map->column_samples <= 0) {
        return cells;
    }
    const captions::AttentionMap &map = *trace.map;
    const auto weights = rowOf(trace, row);
    const double greatest = static_cast<double>(greatestOf(trace));
    const Sample begin = trace.offset + map.first_column_sample;
    const auto first = std::clamp<Sample>((geometry.sampleAt(0) - begin) / map.column_samples - 1, 0, map.columns);
    const auto last = std::clamp<Sample>((geometry.lastSample() - begin) / map.column_samples + 2, first, map.columns);
    for (Sample column = first; column < last; ++column) {
        const double left = geometry.xOf(begin + column * map.column_samples);
        const double right = geometry.xOf(begin + (column + 1) * map.column_samples);
        const double share = static_cast<double>(weights[static_cast<std::size_t>(column)]) / greatest;
        if (!cells.empty() && left < cells.back().left + 1) {
            cells.back().right = right;
            cells.back().share = std::max(cells.back().share, share);
        } else {
            cells.push_back({left, right, share});
        }
    }
    return cells;
}

double weightAt(const AttentionTrace &trace, std::size_t row, Sample sample)
{
    if (!trace.map || row >= trace.rows.size() || trace.map->column_samples <= 0) {
        return -1;
    }
    const Sample within = sample - trace.offset - trace.map->first_column_sample;
    const Sample column = within / trace.map->column_samples;
    return within < 0 || column >= trace.map->columns ? -1 : static_cast<double>(rowOf(trace, row)[static_cast<std::size_t>(column)]);
}

QString attentionTextAt(const AttentionTrace &trace, Sample sample)
{
    QStringList parts;
    for (std::size_t row = 0; row < trace.rows.size(); ++row) {
        const double weight = weightAt(trace, row, sample);
        if (weight >= 0) {
            parts << QStringLiteral("%1 %2").arg(labelOf(trace, row)).arg(weight, 0, 'f', 3);
        }
    }
    return parts.join(QStringLiteral(", "));
}

void paintAttentionStrip(QPainter &painter, const QRectF &area, const AttentionTrace &trace, const TimelineGeometry &geometry, const Theme &theme,
                         const QFont &font)
{
    if (!trace.map || trace.rows.empty()) {
        return;
    }
    const HeatRamp ramp(theme);
    const double height = area.height() / static_cast<double>(trace.rows.size());
    const QFontMetricsF metrics(font);
    painter.save();
    painter.setClipRect(area);
    for (std::size_t row = 0; row < trace.rows.size(); ++row) {
        const double top = area.top() + static_cast<double>(row) * height;
        for (const StripCell &cell : stripCells(trace, row, geometry)) {
            // The same curve as the heat map's: faint looks stay visible.
            painter.fillRect(QRectF(cell.left, top, std::max(1.0, cell.right - cell.left), height - (trace.rows.size() > 1 ? 1 : 0)),
                             QColor(ramp.colour(std::sqrt(cell.share))));
        }
        // At the page's edge, where it hides least of what a following page shows.
        if (height >= metrics.height() - 4) {
            const QString label = QObject::tr("%1 looks at").arg(labelOf(trace, row));
            const double width = metrics.horizontalAdvance(label) + 12;
            painter.fillRect(QRectF(area.left(), top, width, height), theme.colour(ColourToken::Paper));
            painter.setFont(font);
            painter.setPen(theme.colour(ColourToken::InkSoft));
            painter.drawText(QRectF(area.left() + 6, top, width, height), Qt::AlignVCenter, label);
        }
    }
    painter.restore();
}

}  // namespace braid::ui
