// Draws lanes from plain values; keeps nothing. The same call paints the screen, a picture for a test, and a print.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include <QFont>
#include <QPainter>
#include <QStringList>

#include "ui/inspector/heat_ramp.h"
#include "ui/shared/theme.h"
#include "ui/streams/lanes_geometry.h"
#include "ui/streams/lanes_model.h"

namespace braid::ui {

// What one cell attended to, by place; 1 is the greatest of them.
class CellWeights {
  public:
    void clear() { m_weights.clear(); }
    void set(CellRef ref, float weight) { m_weights[keyOf(ref)] = weight; }
    [[nodiscard]] bool isEmpty() const noexcept { return m_weights.empty(); }
    [[nodiscard]] float of(CellRef ref) const
    {
        const auto found = m_weights.find(keyOf(ref));
        return found == m_weights.end() ? 0 : found->second;
    }
    friend bool operator==(const CellWeights &, const CellWeights &) = default;

  private:
    static std::int64_t keyOf(CellRef ref) noexcept { return ref.row * 64 + ref.stream; }  // a layout has at most 64 streams
    std::unordered_map<std::int64_t, float> m_weights;
};

struct LanesMarks {
    std::optional<CellRef> hovered;
    std::optional<CellRef> pinned;
    std::optional<CellRef> cursor;       // the keyboard's cell, with the focus ring
    std::optional<CellRef> looked_from;  // whose attention `weights` are
    const CellWeights *weights = nullptr;
    std::optional<std::int64_t> keep_until;  // a rewind is being chosen: rows behind this one would be taken back
    std::optional<int> dragged_lane;
    int drop_place = -1;
    const std::vector<CellRef> *matches = nullptr;  // found words, by row
    int current_match = -1;
};

// What stands beside a lane's name and behind its newest step.
struct LaneState {
    QString note;         // "12 words", "3 wait", "switched off"
    QStringList waiting;  // words on their way, first ones only
    QString unfinished;   // a word that somebody is still typing
    bool is_switched_off = false;
};

// The ruler with numbers of steps and times, the handle that rewinds.
void paintRuler(QPainter &painter, const LanesModel &model, const LanesGeometry &geometry, const LanesMarks &marks, const Theme &theme);
// Every visible cell of every lane, and what waits behind the newest.
void paintLanes(QPainter &painter, const LanesModel &model, const LanesGeometry &geometry, const std::vector<LaneState> &states, const LanesMarks &marks,
                const Theme &theme, const HeatRamp &ramp, const QFont &token_font);
void paintLaneNames(QPainter &painter, const LanesModel &model, const LanesGeometry &geometry, const std::vector<LaneState> &states, const LanesMarks &marks,
                    const Theme &theme);

// The lane's colour, strong enough to be seen on `theme`'s paper (3:1).
[[nodiscard]] QColor laneColour(streams::LaneColour colour, const Theme &theme);

}  // namespace braid::ui
