// Where everything of the lanes stands: columns of steps from left to right, as wide as their widest word, and bands of lanes from top
// to bottom. Plain numbers, tested by data rows. A column never changes its width once it is there, but when lanes are folded or the
// size of the type changes. Thread: any.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <QPointF>
#include <QRectF>
#include <QString>

#include "ui/streams/cell_ref.h"
#include "ui/streams/lane_arrangement.h"

namespace braid::ui {

// How many cells of a monospaced face `text` takes: wide characters two, marks on others none.
[[nodiscard]] int displayColumns(const QString &text);

struct ColumnShape {
    double advance = 7;     // of one character
    int padding = 7;        // on each side of a word
    int silent_width = 18;  // of a step in which no open lane says anything
    int most_characters = 18;
    friend bool operator==(const ColumnShape &, const ColumnShape &) = default;
};

// The steps' columns: O(1) to add, O(log n) to find.
class StepColumns {
  public:
    // `open`: by stream, whether its words make room. Recounts everything when something changes.
    void setShape(const ColumnShape &shape, const std::vector<bool> &open);
    // Empties it for rows of so many streams.
    void reset(std::size_t streams);
    // One row; characters by stream.
    void append(std::span<const int> characters);
    void truncate(std::int64_t rows);

    [[nodiscard]] std::int64_t rows() const noexcept { return static_cast<std::int64_t>(m_ends.size()); }
    [[nodiscard]] std::int64_t left(std::int64_t row) const
    {
        return row <= 0 || m_ends.empty() ? 0 : m_ends[static_cast<std::size_t>(std::min(row, rows()) - 1)];
    }
    [[nodiscard]] std::int64_t right(std::int64_t row) const { return left(row + 1); }
    [[nodiscard]] std::int64_t total() const { return m_ends.empty() ? 0 : m_ends.back(); }
    // The row whose column holds `x`; -1 before the first, rows() behind the last.
    [[nodiscard]] std::int64_t rowAt(double x) const;
    [[nodiscard]] const ColumnShape &shape() const noexcept { return m_shape; }

  private:
    [[nodiscard]] std::int64_t widthOf(std::size_t row) const;

    ColumnShape m_shape;
    std::size_t m_streams = 0;
    std::vector<bool> m_open;
    std::vector<std::uint8_t> m_characters;  // [row][stream]
    std::vector<std::int64_t> m_ends;        // right edges
};

struct LaneBand {
    int stream = 0;
    double top = 0;
    double height = 0;
    LaneFold fold = LaneFold::Open;
    friend bool operator==(const LaneBand &, const LaneBand &) = default;
};

inline constexpr double kFoldedLanePx = 20;

// The bands of all lanes below `top`: folded ones low, the others share `room` between least and most.
[[nodiscard]] std::vector<LaneBand> laneBands(const LaneArrangement &arrangement, double top, double room, double least_height, double most_height);

enum class LanesPart : std::uint8_t { Nothing = 1, Ruler, RewindHandle, Name, FoldButton, Cell, Waiting };

struct LanesHit {
    LanesPart part = LanesPart::Nothing;
    CellRef cell;  // Ruler: the row; Name, FoldButton: the stream
    friend bool operator==(const LanesHit &, const LanesHit &) = default;
};

// In the viewport's coordinates; steps are scrolled by scroll_x, lanes by scroll_y. The names and the ruler stay.
struct LanesGeometry {
    const StepColumns *columns = nullptr;
    std::vector<LaneBand> bands;  // content coordinates
    double width = 0;
    double height = 0;
    double names_width = 132;
    double ruler_height = 26;
    double scroll_x = 0;
    double scroll_y = 0;

    static constexpr double kHandleReach = 9;
    static constexpr double kFoldButtonWidth = 26;

    [[nodiscard]] double lanesHeight() const { return bands.empty() ? 0 : bands.back().top + bands.back().height; }
    [[nodiscard]] const LaneBand *bandOf(int stream) const;
    // The band at viewport `y`; nearest where `y` is outside all; null without lanes.
    [[nodiscard]] const LaneBand *bandAt(double y) const;
    [[nodiscard]] double xOf(std::int64_t row) const { return names_width + static_cast<double>(columns->left(row)) - scroll_x; }
    // Right edge of the newest column.
    [[nodiscard]] double liveX() const { return xOf(columns->rows()); }
    [[nodiscard]] double yOf(const LaneBand &band) const { return ruler_height + band.top - scroll_y; }
    [[nodiscard]] QRectF cellRect(std::int64_t row, const LaneBand &band) const;
    [[nodiscard]] QRectF columnRect(std::int64_t row) const { return {xOf(row), 0, xOf(row + 1) - xOf(row), height}; }
    // First and last row that can be seen; first > last where none can.
    struct Range {
        std::int64_t first = 0;
        std::int64_t last = -1;
    };
    [[nodiscard]] Range visibleRows() const;
    [[nodiscard]] LanesHit at(const QPointF &point) const;
    // The row after which a rewind dragged to `x` cuts: -1 takes everything back, rows() - 1 nothing.
    [[nodiscard]] std::int64_t lastRowKeptAt(double x) const;
    // Place in the order for a lane dragged to viewport `y`.
    [[nodiscard]] int placeAt(double y) const;
};

// Every how many rows the ruler writes a number, so that labels stand at least `least_px` apart on average.
[[nodiscard]] std::int64_t rulerStep(double mean_column_px, double least_px);

}  // namespace braid::ui
