#include "ui/streams/lanes_geometry.h"

#include <algorithm>
#include <cmath>

namespace braid::ui {
namespace {

struct CodeRange {
    char32_t first, last;
};
// East Asian wide and full-width blocks, and pictographs (Unicode, EastAsianWidth, as blocks).
constexpr CodeRange kWide[] = {{0x1100, 0x115F}, {0x2E80, 0x303E}, {0x3041, 0x33FF}, {0x3400, 0x4DBF}, {0x4E00, 0x9FFF},   {0xA000, 0xA4CF},  {0xAC00, 0xD7A3},
                               {0xF900, 0xFAFF}, {0xFE30, 0xFE4F}, {0xFF00, 0xFF60}, {0xFFE0, 0xFFE6}, {0x1F300, 0x1FAFF}, {0x20000, 0x3FFFD}};

bool isWide(char32_t code)
{
    return std::any_of(std::begin(kWide), std::end(kWide), [code](const CodeRange &range) { return code >= range.first && code <= range.last; });
}

}  // namespace

int displayColumns(const QString &text)
{
    int columns = 0;
    const QList<uint> codes = text.toUcs4();
    for (const uint code : codes) {
        if (!QChar::isNonCharacter(code) && QChar::category(code) != QChar::Mark_NonSpacing) {
            columns += isWide(code) ? 2 : 1;
        }
    }
    return columns;
}

// --- columns ---------------------------------------------------------------------------------------------------------------------

void StepColumns::setShape(const ColumnShape &shape, const std::vector<bool> &open)
{
    if (shape == m_shape && open == m_open) {
        return;
    }
    m_shape = shape;
    m_open = open;
    std::int64_t end = 0;
    for (std::size_t row = 0; row < m_ends.size(); ++row) {
        end += widthOf(row);
        m_ends[row] = end;
    }
}

void StepColumns::reset(std::size_t streams)
{
    m_streams = streams;
    m_open.assign(streams, true);
    m_characters.clear();
    m_ends.clear();
}

std::int64_t StepColumns::widthOf(std::size_t row) const
{
    int widest = 0;
    for (std::size_t stream = 0; stream < m_streams; ++stream) {
        if (stream < m_open.size() && m_open[stream]) {
            widest = std::max<int>(widest, m_characters[row * m_streams + stream]);
        }
    }
    return widest == 0 ? m_shape.silent_width
                       : std::max<std::int64_t>(m_shape.silent_width,
                                                std::lround(std::ceil(std::min(widest, m_shape.most_characters) * m_shape.advance)) + 2 * m_shape.padding);
}

void StepColumns::append(std::span<const int> characters)
{
    for (std::size_t stream = 0; stream < m_streams; ++stream) {
        m_characters.push_back(static_cast<std::uint8_t>(stream < characters.size() ? std::clamp(characters[stream], 0, 255) : 0));
    }
    const std::int64_t end = total();
    m_ends.push_back(0);
    m_ends.back() = end + widthOf(m_ends.size() - 1);
}

void StepColumns::truncate(std::int64_t rows)
{
    const auto kept = static_cast<std::size_t>(std::clamp<std::int64_t>(rows, 0, this->rows()));
    m_ends.resize(kept);
    m_characters.resize(kept * m_streams);
}

std::int64_t StepColumns::rowAt(double x) const
{
    if (x < 0) {
        return -1;
    }
    return std::upper_bound(m_ends.begin(), m_ends.end(), static_cast<std::int64_t>(std::floor(x))) - m_ends.begin();
}

// --- lanes -----------------------------------------------------------------------------------------------------------------------

std::vector<LaneBand> laneBands(const LaneArrangement &arrangement, double top, double room, double least_height, double most_height)
{
    const auto open = static_cast<double>(std::count(arrangement.folds.begin(), arrangement.folds.end(), LaneFold::Open));
    const double folded = (static_cast<double>(arrangement.folds.size()) - open) * kFoldedLanePx;
    const double height = open > 0 ? std::clamp(std::floor((room - folded) / open), least_height, most_height) : 0;
    std::vector<LaneBand> bands;
    for (const int stream : arrangement.order) {
        const LaneFold fold = arrangement.folds[static_cast<std::size_t>(stream)];
        bands.push_back({stream, top, fold == LaneFold::Open ? height : kFoldedLanePx, fold});
        top += bands.back().height;
    }
    return bands;
}

const LaneBand *LanesGeometry::bandOf(int stream) const
{
    const auto found = std::find_if(bands.begin(), bands.end(), [stream](const LaneBand &band) { return band.stream == stream; });
    return found == bands.end() ? nullptr : &*found;
}

const LaneBand *LanesGeometry::bandAt(double y) const
{
    const double content = y - ruler_height + scroll_y;
    for (const LaneBand &band : bands) {
        if (content < band.top + band.height) {
            return &band;
        }
    }
    return bands.empty() ? nullptr : &bands.back();
}

QRectF LanesGeometry::cellRect(std::int64_t row, const LaneBand &band) const
{
    return {xOf(row), yOf(band), xOf(row + 1) - xOf(row), band.height};
}

LanesGeometry::Range LanesGeometry::visibleRows() const
{
    const std::int64_t last = columns->rowAt(scroll_x + std::max(0.0, width - names_width));
    return {std::max<std::int64_t>(0, columns->rowAt(scroll_x)), std::min(last, columns->rows() - 1)};
}

LanesHit LanesGeometry::at(const QPointF &point) const
{
    if (point.x() < 0 || point.y() < 0 || point.x() >= width || point.y() >= height) {
        return {};
    }
    const std::int64_t row = columns->rowAt(point.x() - names_width + scroll_x);
    if (point.y() < ruler_height) {
        if (point.x() < names_width) {
            return {};
        }
        if (columns->rows() > 0 && std::abs(point.x() - liveX()) <= kHandleReach) {
            return {LanesPart::RewindHandle, {columns->rows() - 1, 0}};
        }
        return row >= 0 && row < columns->rows() ? LanesHit{LanesPart::Ruler, {row, 0}} : LanesHit{};
    }
    const double content = point.y() - ruler_height + scroll_y;
    const LaneBand *band = bandAt(point.y());
    if (band == nullptr || content >= band->top + band->height) {
        return {};
    }
    if (point.x() < names_width) {
        return {point.x() >= names_width - kFoldButtonWidth ? LanesPart::FoldButton : LanesPart::Name, {0, band->stream}};
    }
    if (row >= columns->rows()) {
        return {LanesPart::Waiting, {columns->rows(), band->stream}};
    }
    return row >= 0 ? LanesHit{LanesPart::Cell, {row, band->stream}} : LanesHit{};
}

std::int64_t LanesGeometry::lastRowKeptAt(double x) const
{
    const double content = x - names_width + scroll_x;
    const std::int64_t row = std::clamp<std::int64_t>(columns->rowAt(content), 0, columns->rows());
    // The nearer edge of the column under the pointer.
    const double middle = static_cast<double>(columns->left(row) + columns->right(row)) / 2;
    return row >= columns->rows() ? columns->rows() - 1 : content > middle ? row : row - 1;
}

int LanesGeometry::placeAt(double y) const
{
    const double content = y - ruler_height + scroll_y;
    int place = 0;
    for (const LaneBand &band : bands) {
        place += content > band.top + band.height / 2 ? 1 : 0;
    }
    return place;
}

std::int64_t rulerStep(double mean_column_px, double least_px)
{
    std::int64_t step = 1;
    static constexpr std::int64_t kSteps[] = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000};
    for (const std::int64_t candidate : kSteps) {
        step = candidate;
        if (mean_column_px * static_cast<double>(candidate) >= least_px) {
            break;
        }
    }
    return step;
}

}  // namespace braid::ui
