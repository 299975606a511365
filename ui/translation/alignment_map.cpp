#include "ui/translation/alignment_map.h"

#include <algorithm>

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include "ui/inspector/heat_ramp.h"
#include "ui/shared/tips.h"
#include "ui/translation/sentence_attention.h"

namespace braid::ui {
namespace {

constexpr double kLabelWidth = 88;
constexpr double kLabelHeight = 84;
constexpr int kRowPx = 20;
constexpr int kMostRows = 64;
constexpr double kReadableColumnPx = 11;  // narrower columns have no names of their own
constexpr double kWidestColumnPx = 26;

}  // namespace

AlignmentMap::AlignmentMap(Appearance &appearance, QWidget *parent)
    : QWidget(parent)
    , m_appearance(appearance)
{
    setObjectName(QStringLiteral("alignment"));
    setAccessibleName(tr("Attention over the source"));
    setAccessibleDescription(
        tr("Rows are words of the translation, columns units of the source; darker means looked at more. Up and Down go from word to word."));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(&appearance, &Appearance::changed, this, [this] {
        drawImage();
        update();
    });
}

QSize AlignmentMap::sizeHint() const
{
    const auto rows = static_cast<int>(std::clamp<std::int64_t>(m_table.rows, 2, kMostRows));
    return {260, isEmpty() ? 48 : rows * kRowPx + static_cast<int>(kLabelHeight) + 2};
}

void AlignmentMap::setView(const translation::AttentionView &view)
{
    m_view = view;
    drawImage();
    update();
}

void AlignmentMap::show(const BilingualText &text, std::optional<PieceRef> marked)
{
    const int sentence = marked && text.contains(*marked) ? text.sentenceOf(*marked) : -1;
    m_marked_row = m_marked_column = -1;
    if (sentence < 0 || !hasAttention(text, sentence)) {
        const bool was_empty = isEmpty();
        m_sentence = -1;
        m_table = m_readable = {};
        m_image = {};
        if (!was_empty) {
            updateGeometry();
        }
        update();
        return;
    }
    const SentencePair &pair = text.sentences()[static_cast<std::size_t>(sentence)];
    (marked->side == TextSide::Target ? m_marked_row : m_marked_column) =
        marked->index - (marked->side == TextSide::Target ? pair.first_word : pair.first_unit);
    const bool grew =
        sentence != m_sentence || m_table.rows != pair.word_count || m_read_units != pair.read_units || static_cast<int>(m_units.size()) < pair.unit_count;
    m_sentence = sentence;
    m_first_word = pair.first_word;
    m_read_units = pair.read_units;
    if (grew) {
        const auto rows_before = m_table.rows;
        m_table = attentionOf(text, sentence);
        m_units.clear();
        m_words.clear();
        for (int unit = 0; unit < pair.unit_count; ++unit) {
            m_units << text.textOf({TextSide::Source, pair.first_unit + unit});
        }
        if (m_table.columns > pair.unit_count) {
            m_units << tr("(end)");
        }
        for (int word = 0; word < pair.word_count; ++word) {
            m_words << text.textOf({TextSide::Target, pair.first_word + word});
        }
        drawImage();
        if (rows_before != m_table.rows) {
            updateGeometry();
        }
    }
    update();
}

void AlignmentMap::drawImage()
{
    m_image = {};
    if (isEmpty()) {
        return;
    }
    m_readable = translation::readable(m_table, m_view);
    const HeatRamp ramp(m_appearance.theme());
    const QRgb unread = m_appearance.colour(ColourToken::Paper).rgb();
    m_image = QImage(static_cast<int>(m_table.columns), static_cast<int>(m_table.rows), QImage::Format_RGB32);
    for (int row = 0; row < m_image.height(); ++row) {
        auto *line = reinterpret_cast<QRgb *>(m_image.scanLine(row));
        for (int column = 0; column < m_image.width(); ++column) {
            line[column] = column < m_table.read_units[static_cast<std::size_t>(row)] ? ramp.colour(static_cast<double>(m_readable.at(row, column))) : unread;
        }
    }
}

AttentionGeometry AlignmentMap::cellGeometry() const
{
    const auto columns = static_cast<int>(m_table.columns);
    const double room = std::max(10.0, width() - kLabelWidth - 2);
    const QRectF area(kLabelWidth, kLabelHeight, std::min(room, columns * kWidestColumnPx), std::max(10.0, height() - kLabelHeight - 2));
    return {area, static_cast<int>(m_table.rows), columns};
}

void AlignmentMap::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Theme &theme = m_appearance.theme();
    if (m_image.isNull()) {
        painter.setFont(Appearance::interfaceFont(13));
        painter.setPen(theme.colour(ColourToken::InkSoft));
        painter.drawText(rect(), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, tr("What each word looked at shows here as it is written."));
        return;
    }
    const AttentionGeometry cells = cellGeometry();
    painter.drawImage(cells.area, m_image);
    painter.setPen(theme.colour(ColourToken::Line));
    painter.drawRect(cells.area);
    drawStaircase(painter, cells);
    drawLabels(painter, cells);
    if (hasFocus()) {
        painter.setPen(QPen(theme.colour(ColourToken::Accent), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(cells.area.adjusted(-1, -1, 1, 1));
    }
}

// Where each word stood when it was written: what is right of the line had not been read.
void AlignmentMap::drawStaircase(QPainter &painter, const AttentionGeometry &cells) const
{
    QPolygonF path;
    for (int row = 0; row < cells.rows; ++row) {
        const double x = cells.xOfColumn(static_cast<double>(m_table.read_units[static_cast<std::size_t>(row)]));
        path << QPointF(x, cells.rowRect(row).top()) << QPointF(x, cells.rowRect(row).bottom());
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_appearance.colour(ColourToken::Warn), 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(path);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(m_appearance.colour(ColourToken::Accent), 1.5));
    if (m_marked_row >= 0 && m_marked_row < cells.rows) {
        painter.drawRect(cells.rowRect(m_marked_row).adjusted(0.5, 0.5, -0.5, -0.5));
    }
    if (m_marked_column >= 0 && m_marked_column < cells.columns) {
        const double left = cells.xOfColumn(m_marked_column);
        painter.drawRect(QRectF(left, cells.area.top(), cells.columnWidth(), cells.area.height()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

void AlignmentMap::drawLabels(QPainter &painter, const AttentionGeometry &cells) const
{
    const Theme &theme = m_appearance.theme();
    const QFont font = Appearance::interfaceFont(12);
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    for (int row = 0; row < cells.rows && row < static_cast<int>(m_words.size()); ++row) {
        const QRectF band = cells.rowRect(row);
        painter.setPen(theme.colour(row == m_marked_row ? ColourToken::Accent : ColourToken::Ink));
        painter.drawText(QRectF(0, band.center().y() - metrics.height() / 2, kLabelWidth - 8, metrics.height()), Qt::AlignRight | Qt::AlignVCenter,
                         metrics.elidedText(m_words[row], Qt::ElideRight, kLabelWidth - 10));
    }
    // The units that the marked word looked at most, where not all have room for a name.
    const bool all = cells.columnWidth() >= kReadableColumnPx;
    double free_from = -1e9;
    for (int column = 0; column < cells.columns && column < static_cast<int>(m_units.size()); ++column) {
        const bool looked_at = m_marked_row >= 0 && m_marked_row < m_readable.rows && m_readable.at(m_marked_row, column) > 0.5F;
        const double middle = cells.xOfColumn(column + 0.5);
        if ((!all && !looked_at && column != m_marked_column) || middle < free_from) {
            continue;
        }
        free_from = middle + kReadableColumnPx;
        painter.save();
        painter.translate(middle + metrics.ascent() / 2 - 1, kLabelHeight - 5);
        painter.rotate(-90);
        painter.setPen(theme.colour(looked_at || column == m_marked_column ? ColourToken::Accent : ColourToken::InkSoft));
        painter.drawText(QPointF(0, 0), metrics.elidedText(m_units[column], Qt::ElideRight, kLabelHeight - 8));
        painter.restore();
    }
}

QString AlignmentMap::textAt(const QPointF &point) const
{
    const auto cell = isEmpty() ? std::nullopt : cellGeometry().cellAt(point);
    if (!cell || cell->row >= static_cast<int>(m_words.size()) || cell->column >= static_cast<int>(m_units.size())) {
        return {};
    }
    const bool was_read = cell->column < m_table.read_units[static_cast<std::size_t>(cell->row)];
    return was_read ? tr("\u201c%1\u201d over \u201c%2\u201d: %3")
                          .arg(m_words[cell->row], m_units[cell->column])
                          .arg(static_cast<double>(m_table.at(cell->row, cell->column)), 0, 'f', 3)
                    : tr("\u201c%1\u201d was written before \u201c%2\u201d was read").arg(m_words[cell->row], m_units[cell->column]);
}

int AlignmentMap::wordAt(const QPointF &point) const
{
    const AttentionGeometry cells = cellGeometry();
    const bool in_rows = !isEmpty() && point.y() >= cells.area.top() && point.y() < cells.area.bottom() && point.x() < cells.area.right();
    return in_rows ? m_first_word + std::min(cells.rows - 1, static_cast<int>((point.y() - cells.area.top()) / cells.rowHeight())) : -1;
}

void AlignmentMap::mouseMoveEvent(QMouseEvent *event)
{
    const int word = wordAt(event->position());
    if (word != m_pointed_at) {
        m_pointed_at = word;
        Q_EMIT wordPointedAt(word);
    }
}

void AlignmentMap::leaveEvent(QEvent *)
{
    if (m_pointed_at >= 0) {
        m_pointed_at = -1;
        Q_EMIT wordPointedAt(-1);
    }
}

void AlignmentMap::mousePressEvent(QMouseEvent *event)
{
    const int word = wordAt(event->position());
    if (word >= 0 && event->button() == Qt::LeftButton) {
        Q_EMIT wordClicked(word);
    }
}

void AlignmentMap::keyPressEvent(QKeyEvent *event)
{
    const int step = event->key() == Qt::Key_Up ? -1 : event->key() == Qt::Key_Down ? 1 : 0;
    if (step == 0 || isEmpty()) {
        QWidget::keyPressEvent(event);
        return;
    }
    const int row = std::clamp(m_marked_row < 0 ? 0 : m_marked_row + step, 0, static_cast<int>(m_table.rows) - 1);
    Q_EMIT wordClicked(m_first_word + row);
}

bool AlignmentMap::event(QEvent *event)
{
    return showedTip(*this, event, [this](const QPointF &point) { return textAt(point); }) || QWidget::event(event);
}

}  // namespace braid::ui
