// Attention over the sound, on the waveform's axis: one row a token, one cell a column of the map, where its sound lies. Plain values and
// painters that keep nothing.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include <QFont>
#include <QPainter>
#include <QString>

#include "core/captions/caption_policy.h"
#include "ui/captions/timeline_geometry.h"
#include "ui/shared/theme.h"

namespace braid::ui {

// Which rows of which map: those of a word's tokens, or of one token alone.
struct AttentionTrace {
    std::shared_ptr<const captions::AttentionMap> map;
    Sample offset = 0;      // where the map's run begins on the page's clock
    std::vector<int> rows;  // of the map, in order
    friend bool operator==(const AttentionTrace &, const AttentionTrace &) = default;
};

struct StripCell {
    double left = 0;  // pixels
    double right = 0;
    double share = 0;  // of the greatest weight among the traced rows, 0..1
};

// The cells of row `row` (index into trace.rows) that lie on the page; where columns are narrower than a pixel, the greatest of each pixel.
[[nodiscard]] std::vector<StripCell> stripCells(const AttentionTrace &trace, std::size_t row, const TimelineGeometry &geometry);
// The weight of `row` under `sample`; negative outside the map.
[[nodiscard]] double weightAt(const AttentionTrace &trace, std::size_t row, Sample sample);
// Heat cells in `area`, rows from top to bottom, each with its token at the left edge of the page.
void paintAttentionStrip(QPainter &painter, const QRectF &area, const AttentionTrace &trace, const TimelineGeometry &geometry, const Theme &theme,
                         const QFont &font);
// "·country 0.31": what the traced tokens give to the sound at `sample`.
[[nodiscard]] QString attentionTextAt(const AttentionTrace &trace, Sample sample);

}  // namespace braid::ui
