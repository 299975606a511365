#include "ui/translation/lag_chart.h"

#include <algorithm>

#include <QMouseEvent>
#include <QPainter>

#include "ui/inspector/heat_ramp.h"
#include "ui/shared/tips.h"

namespace braid::ui {
namespace {

constexpr double kScaleWidth = 46;
constexpr double kLegendHeight = 20;

QString secondsText(double ms)
{
    return QObject::tr("%1 s").arg(ms / 1000, 0, 'f', 2);
}

}  // namespace

QString lagText(const translation::WordWritten &word)
{
    const QString units = word.lag_units > 0 ? QObject::tr("%n unit(s) ahead had been read", nullptr, static_cast<int>(word.lag_units))
                                             : QObject::tr("no unit ahead had been read");
    return QObject::tr("%1 behind its source, of it %2 computing; %3")
        .arg(secondsText(word.lag_ms), secondsText(std::min(word.compute_ms, word.lag_ms)), units);
}

LagChart::LagChart(const BilingualText &text, Appearance &appearance, QWidget *parent)
    : QWidget(parent)
    , m_text(text)
    , m_appearance(appearance)
{
    setObjectName(QStringLiteral("lag"));
    setAccessibleName(tr("Lag of the newest words"));
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&appearance, &Appearance::changed, this, [this] { update(); });
}

void LagChart::mark(int word)
{
    m_marked = word;
    update();
}

LagChartGeometry LagChart::chartGeometry() const
{
    LagChartGeometry geometry;
    geometry.area = QRectF(0.5, 0.5, width() - kScaleWidth, height() - kLegendHeight - 2);
    for (int index = std::max(0, m_text.wordCount() - kLagBars); index < m_text.wordCount(); ++index) {
        geometry.greatest_ms = std::max(geometry.greatest_ms, m_text.word(index).lag_ms);
    }
    return geometry;
}

void LagChart::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Theme &theme = m_appearance.theme();
    const LagChartGeometry geometry = chartGeometry();
    const QColor computing = theme.colour(ColourToken::Accent);
    const QColor waiting(HeatRamp(theme).colour(0.28));
    painter.fillRect(geometry.area, theme.colour(ColourToken::Paper));
    const int count = m_text.wordCount();
    const double width = std::max(1.0, geometry.slotWidth() - 1);
    for (int index = std::max(0, count - kLagBars); index < count; ++index) {
        const translation::WordWritten &word = m_text.word(index);
        const double x = geometry.xOf(index, count);
        const double compute_top = geometry.yOf(std::min(word.compute_ms, word.lag_ms));
        const double top = geometry.yOf(word.lag_ms);
        painter.fillRect(QRectF(x, compute_top, width, geometry.area.bottom() - compute_top), computing);
        painter.fillRect(QRectF(x, top, width, compute_top - top), waiting);
        if (index == m_marked) {
            painter.setPen(QPen(theme.colour(ColourToken::Ink), 1));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(QRectF(x - 1, geometry.area.top(), width + 1, geometry.area.height()));
        }
    }
    painter.setPen(theme.colour(ColourToken::Line));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(geometry.area);
    painter.setFont(Appearance::interfaceFont(11));
    painter.setPen(theme.colour(ColourToken::InkSoft));
    const QRectF scale(geometry.area.right() + 6, geometry.area.top(), kScaleWidth - 6, geometry.area.height());
    painter.drawText(scale, Qt::AlignTop, secondsText(geometry.greatest_ms));
    painter.drawText(scale, Qt::AlignBottom, QStringLiteral("0"));
    double left = geometry.area.left();
    const QFontMetricsF metrics(painter.font());
    for (const auto &[colour, name] : {std::pair(computing, tr("computing")), std::pair(waiting, tr("waiting for source"))}) {
        const double top = geometry.area.bottom() + 8;
        painter.fillRect(QRectF(left, top, 9, 9), colour);
        painter.drawText(QPointF(left + 14, top + 9), name);
        left += 14 + metrics.horizontalAdvance(name) + 16;
    }
}

QString LagChart::textAt(const QPointF &point) const
{
    const int word = chartGeometry().wordAt(point.x(), m_text.wordCount());
    return word < 0 ? QString() : tr("\u201c%1\u201d: %2").arg(m_text.textOf({TextSide::Target, word}), lagText(m_text.word(word)));
}

void LagChart::mouseMoveEvent(QMouseEvent *event)
{
    const int word = chartGeometry().wordAt(event->position().x(), m_text.wordCount());
    if (word != m_pointed_at) {
        m_pointed_at = word;
        Q_EMIT wordPointedAt(word);
    }
}

void LagChart::leaveEvent(QEvent *)
{
    if (m_pointed_at >= 0) {
        m_pointed_at = -1;
        Q_EMIT wordPointedAt(-1);
    }
}

bool LagChart::event(QEvent *event)
{
    return showedTip(*this, event, [this](const QPointF &point) { return textAt(point); }) || QWidget::event(event);
}

}  // namespace braid::ui
