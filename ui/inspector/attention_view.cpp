#include "ui/inspector/attention_view.h"

#include <QFontMetricsF>
#include <QPainter>

#include "ui/inspector/heat_ramp.h"
#include "ui/shared/tips.h"
#include "ui/state/word_facts.h"

namespace braid::ui {
namespace {

constexpr double kLabelWidth = 76;
constexpr double kScaleWidth = 52;
constexpr double kAxisHeight = 18;
constexpr int kRowPx = 16;
constexpr int kMostRows = 40;
constexpr float kSeen = 0.01F;

}  // namespace

ColumnRange usedColumns(const captions::AttentionMap &map)
{
    int first = map.columns;
    int last = -1;
    for (int row = 0; row < map.rows; ++row) {
        for (int column = 0; column < map.columns; ++column) {
            if (map.weights[static_cast<std::size_t>(row) * static_cast<std::size_t>(map.columns) + static_cast<std::size_t>(column)] >= kSeen) {
                first = std::min(first, column);
                last = std::max(last, column);
            }
        }
    }
    if (last < first) {
        return {0, map.columns};
    }
    const int margin = std::max(2, (last - first + 1) / 20);
    first = std::max(0, first - margin);
    last = std::min(map.columns - 1, last + margin);
    return {first, last - first + 1};
}

AttentionView::AttentionView(Appearance &appearance, QWidget *parent)
    : QWidget(parent)
    , m_appearance(appearance)
{
    setObjectName(QStringLiteral("attention"));
    setAccessibleName(tr("Attention"));
    setAccessibleDescription(tr("Rows are tokens, columns are moments of the sound; darker means looked at more."));
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(&appearance, &Appearance::changed, this, [this] {
        drawImage();
        update();
    });
}

QSize AttentionView::sizeHint() const
{
    const int rows = m_record.map ? std::clamp(m_record.map->rows, 4, kMostRows) : 4;
    return {240, rows * kRowPx + static_cast<int>(kAxisHeight) + 4};
}

void AttentionView::show(const AttentionRecord &record, const text::Word *word)
{
    const bool same_map = record.map == m_record.map;
    m_record = record;
    m_word_rows.clear();
    m_word_start = m_word_end = 0;
    if (m_record.map && word != nullptr) {
        m_word_start = word->start_sample;
        m_word_end = word->end_sample;
        m_word_rows = rowsOfWord(*m_record.map, *word, m_record.offset);
    }
    if (!same_map) {
        drawImage();
        updateGeometry();
    }
    update();
}

void AttentionView::drawImage()
{
    m_image = QImage();
    if (!m_record.map || m_record.map->rows <= 0 || m_record.map->columns <= 0) {
        return;
    }
    const captions::AttentionMap &map = *m_record.map;
    m_range = usedColumns(map);
    const auto columns = static_cast<std::size_t>(map.columns);
    m_greatest = 1e-6F;
    for (const float weight : map.weights) {
        m_greatest = std::max(m_greatest, weight);
    }
    const HeatRamp ramp(m_appearance.theme());
    m_image = QImage(m_range.count, map.rows, QImage::Format_RGB32);
    for (int row = 0; row < map.rows; ++row) {
        auto *line = reinterpret_cast<QRgb *>(m_image.scanLine(row));
        for (int column = 0; column < m_range.count; ++column) {
            line[column] =
                ramp.colour(std::sqrt(map.weights[static_cast<std::size_t>(row) * columns + static_cast<std::size_t>(m_range.first + column)] / m_greatest));
        }
    }
}

AttentionGeometry AttentionView::cellGeometry() const
{
    const QRectF area(kLabelWidth, 0, std::max(10.0, width() - kLabelWidth - kScaleWidth), std::max(10.0, height() - kAxisHeight));
    return {area, m_record.map ? m_record.map->rows : 0, m_range.count};
}

void AttentionView::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Theme &theme = m_appearance.theme();
    const QFont font = Appearance::tokenFont(11);
    painter.setFont(font);
    if (m_image.isNull()) {
        painter.setFont(Appearance::interfaceFont(13));
        painter.setPen(theme.colour(ColourToken::InkSoft));
        painter.drawText(rect(), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, tr("No attention is kept for this word."));
        return;
    }
    const AttentionGeometry cells = cellGeometry();
    const captions::AttentionMap &map = *m_record.map;
    painter.drawImage(cells.area, m_image);
    painter.setPen(theme.colour(ColourToken::Line));
    painter.drawRect(cells.area);
    const QFontMetricsF metrics(font);
    const int every = std::max(1, static_cast<int>(std::ceil(metrics.height() / std::max(1.0, cells.rowHeight()))));
    for (int row = 0; row < map.rows && row < static_cast<int>(map.row_labels.size()); ++row) {
        const bool marked = std::find(m_word_rows.begin(), m_word_rows.end(), row) != m_word_rows.end();
        if (row % every != 0 && !marked) {
            continue;
        }
        const QRectF band = cells.rowRect(row);
        painter.setPen(theme.colour(marked ? ColourToken::Accent : ColourToken::InkSoft));
        const QString label = metrics.elidedText(tokenText(map.row_labels[static_cast<std::size_t>(row)]), Qt::ElideRight, kLabelWidth - 14);
        painter.drawText(QRectF(0, band.center().y() - metrics.height() / 2, kLabelWidth - 8, metrics.height()), Qt::AlignRight | Qt::AlignVCenter, label);
        if (marked) {
            painter.setPen(QPen(theme.colour(ColourToken::Accent), 1.5));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(band.adjusted(0.5, 0.5, -0.5, -0.5));
        }
    }
    // The word's own time, as a bracket under the columns, and the ends of the axis.
    const auto columnOf = [&](Sample sample) {
        return static_cast<double>(sample - m_record.offset - map.first_column_sample) / static_cast<double>(std::max<Sample>(1, map.column_samples)) -
               m_range.first;
    };
    if (m_word_end > m_word_start) {
        const double left = std::clamp(cells.xOfColumn(columnOf(m_word_start)), cells.area.left(), cells.area.right());
        const double right = std::clamp(cells.xOfColumn(columnOf(m_word_end)), cells.area.left(), cells.area.right());
        painter.fillRect(QRectF(left, cells.area.bottom() + 1, std::max(2.0, right - left), 3), theme.colour(ColourToken::Accent));
    }
    painter.setPen(theme.colour(ColourToken::InkSoft));
    const Sample first = m_record.offset + map.first_column_sample + m_range.first * map.column_samples;
    const auto time = [](Sample sample) { return QStringLiteral("%1 s").arg(secondsFromSamples(sample), 0, 'f', 1); };
    const QRectF axis(cells.area.left(), cells.area.bottom() + 4, cells.area.width(), kAxisHeight - 4);
    painter.drawText(axis, Qt::AlignLeft, time(first));
    painter.drawText(axis, Qt::AlignRight, time(first + m_range.count * map.column_samples));
    drawScale(painter, cells.area);
}

void AttentionView::drawScale(QPainter &painter, const QRectF &area)
{
    const HeatRamp ramp(m_appearance.theme());
    const double left = area.right() + 8;
    const auto height = static_cast<int>(area.height());
    for (int y = 0; y < height; ++y) {
        painter.fillRect(QRectF(left, area.top() + y, 8, 1), QColor(ramp.colour(std::sqrt(1 - static_cast<double>(y) / std::max(1, height - 1)))));
    }
    painter.setPen(m_appearance.colour(ColourToken::Line));
    painter.drawRect(QRectF(left, area.top(), 8, area.height()));
    painter.setPen(m_appearance.colour(ColourToken::InkSoft));
    const QFontMetricsF metrics(painter.font());
    painter.drawText(QPointF(left + 11, area.top() + metrics.ascent()), QString::number(static_cast<double>(m_greatest), 'f', 2));
    painter.drawText(QPointF(left + 11, area.bottom()), QStringLiteral("0"));
}

QString AttentionView::textAt(const QPointF &point) const
{
    const auto cell = m_record.map ? cellGeometry().cellAt(point) : std::nullopt;
    if (!cell) {
        return {};
    }
    const captions::AttentionMap &map = *m_record.map;
    const int column = m_range.first + cell->column;
    const double weight = map.weights[static_cast<std::size_t>(cell->row) * static_cast<std::size_t>(map.columns) + static_cast<std::size_t>(column)];
    const QString label = cell->row < static_cast<int>(map.row_labels.size()) ? tokenText(map.row_labels[static_cast<std::size_t>(cell->row)]) : QString();
    const Sample at = m_record.offset + map.first_column_sample + column * map.column_samples;
    return tr("%1 at %2 s: %3").arg(label).arg(secondsFromSamples(at), 0, 'f', 2).arg(weight, 0, 'f', 3);
}

bool AttentionView::event(QEvent *event)
{
    return showedTip(*this, event, [this](const QPointF &point) { return textAt(point); }) || QWidget::event(event);
}

}  // namespace braid::ui
