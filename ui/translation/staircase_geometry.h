// Where the read/write staircase of a sentence stands: right for every unit read, down for every word written. Plain numbers, tested by
// data rows.
//
// Both axes have the same number of steps, so that the diagonal is a translation word for word and the room between it and the path is the
// lag. That number grows by a third or a half at a time: a path that grows stands still in between.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include <QPointF>
#include <QRectF>

#include "core/translation/translation_attention.h"

namespace braid::ui {

inline constexpr int kLeastStairs = 8;

// Steps of both axes where so many units arrived and so many words were written.
[[nodiscard]] inline int stairsFor(std::int64_t units, std::int64_t words)
{
    int stairs = kLeastStairs;  // 8, 12, 16, 24, 32, 48, ...
    while (stairs < std::max(units, words)) {
        stairs += stairs % 3 == 0 ? stairs / 3 : stairs / 2;
    }
    return stairs;
}

struct StaircaseGeometry {
    QRectF area;
    int stairs = kLeastStairs;

    [[nodiscard]] double xOf(std::int64_t read_units) const
    {
        return area.left() + area.width() * static_cast<double>(std::min<std::int64_t>(read_units, stairs)) / stairs;
    }
    [[nodiscard]] double yOf(std::int64_t written_words) const
    {
        return area.top() + area.height() * static_cast<double>(std::min<std::int64_t>(written_words, stairs)) / stairs;
    }
    [[nodiscard]] QPointF at(const translation::StaircaseStep &step) const { return {xOf(step.read_units), yOf(step.written_words)}; }
    // The word that was written at this height, among `words`; -1 where there is none. The last one also below its step, as a hand is not so exact.
    [[nodiscard]] int wordAt(double y, int words) const
    {
        if (words == 0 || y < area.top() || y > area.bottom()) {
            return -1;
        }
        return std::min(words - 1, static_cast<int>((y - area.top()) / area.height() * stairs));
    }
};

}  // namespace braid::ui
