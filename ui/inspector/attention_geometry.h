// Which cell of a heat map lies where: plain numbers, tested by data rows.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include <QPointF>
#include <QRectF>

namespace braid::ui {

struct AttentionCell {
    int row = 0;
    int column = 0;
    friend bool operator==(const AttentionCell &, const AttentionCell &) = default;
};

struct AttentionGeometry {
    QRectF area;  // of the cells, without labels and scale
    int rows = 0;
    int columns = 0;

    [[nodiscard]] double rowHeight() const noexcept { return rows > 0 ? area.height() / rows : 0; }
    [[nodiscard]] double columnWidth() const noexcept { return columns > 0 ? area.width() / columns : 0; }
    [[nodiscard]] QRectF rowRect(int row) const { return {area.left(), area.top() + row * rowHeight(), area.width(), rowHeight()}; }
    [[nodiscard]] double xOfColumn(double column) const { return area.left() + column * columnWidth(); }
    [[nodiscard]] std::optional<AttentionCell> cellAt(const QPointF &point) const
    {
        if (rows <= 0 || columns <= 0 || !area.contains(point)) {
            return {};
        }
        return AttentionCell{std::min(rows - 1, static_cast<int>((point.y() - area.top()) / rowHeight())),
                             std::min(columns - 1, static_cast<int>((point.x() - area.left()) / columnWidth()))};
    }
};

}  // namespace braid::ui
