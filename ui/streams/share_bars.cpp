#include "ui/streams/share_bars.h"

#include <algorithm>

#include <QFontMetricsF>
#include <QPainter>

namespace braid::ui {
namespace {

constexpr int kBarPx = 20;
constexpr double kLabelWidth = 96;
constexpr double kNumberWidth = 40;

}  // namespace

ShareBars::ShareBars(Appearance &appearance, QWidget *parent)
    : QWidget(parent)
    , m_appearance(appearance)
{
    setObjectName(QStringLiteral("shareBars"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&appearance, &Appearance::changed, this, [this] { update(); });
}

void ShareBars::show(std::vector<ShareBar> bars)
{
    if (bars == m_bars) {
        return;
    }
    const bool resizes = bars.size() != m_bars.size();
    m_bars = std::move(bars);
    QStringList said;
    for (const ShareBar &bar : m_bars) {
        said << tr("%1 %2 %").arg(bar.label).arg(bar.share * 100, 0, 'f', 0);
    }
    setAccessibleDescription(said.join(QStringLiteral(", ")));
    if (resizes) {
        updateGeometry();
    }
    update();
}

QSize ShareBars::sizeHint() const
{
    return {220, static_cast<int>(m_bars.size()) * kBarPx};
}

void ShareBars::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QFont font = Appearance::interfaceFont(12);
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    const double room = std::max(20.0, width() - kLabelWidth - kNumberWidth - 8);
    double top = 0;
    for (const ShareBar &bar : m_bars) {
        painter.fillRect(QRectF(0, top + 4, 3, kBarPx - 8), bar.colour);
        painter.setPen(m_appearance.colour(ColourToken::Ink));
        painter.drawText(QRectF(9, top, kLabelWidth - 14, kBarPx), Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(bar.label, Qt::ElideRight, kLabelWidth - 16));
        painter.drawText(QRectF(width() - kNumberWidth, top, kNumberWidth, kBarPx), Qt::AlignRight | Qt::AlignVCenter,
                         tr("%1 %").arg(bar.share * 100, 0, 'f', 0));
        const QRectF trough(kLabelWidth, top + (kBarPx - 6) / 2.0, room, 6);
        painter.setPen(Qt::NoPen);
        painter.setBrush(m_appearance.colour(ColourToken::Line));
        painter.drawRoundedRect(trough, 3, 3);
        const double filled = std::clamp(bar.share, 0.0, 1.0) * room;
        if (filled > 0.5) {
            painter.setBrush(bar.colour);
            painter.drawRoundedRect(QRectF(trough.topLeft(), QSizeF(std::max(filled, 6.0), 6)), 3, 3);
        }
        top += kBarPx;
    }
}

}  // namespace braid::ui
