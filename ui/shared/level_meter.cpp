#include "ui/shared/level_meter.h"

#include <QPainter>

namespace braid::ui {
namespace {

constexpr double kTooLoudDb = -1;

int pixelOf(double level_db, int width)
{
    return static_cast<int>((level_db - kMeterFloorDb) / -kMeterFloorDb * width);
}

}  // namespace

LevelMeter::LevelMeter(Appearance &appearance, QWidget *parent)
    : QWidget(parent)
    , m_appearance(appearance)
{
    setObjectName(QStringLiteral("levelMeter"));
    setAccessibleName(tr("Sound level"));
    setFixedHeight(14);
    setMinimumWidth(60);
    m_clock.start();
    connect(&appearance, &Appearance::changed, this, [this] { update(); });
}

void LevelMeter::setLevel(double rms, double peak)
{
    m_ballistics.update(rms, peak, m_clock.elapsed());
    const int level = pixelOf(m_ballistics.levelDb(), width());
    const int peak_pixel = pixelOf(m_ballistics.peakDb(), width());
    if (level != m_shown_level || peak_pixel != m_shown_peak) {
        m_shown_level = level;
        m_shown_peak = peak_pixel;
        setToolTip(tr("Sound level %1 dB, peak %2 dB").arg(m_ballistics.levelDb(), 0, 'f', 0).arg(m_ballistics.peakDb(), 0, 'f', 0));
        update();
    }
}

void LevelMeter::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    const QRectF trough(0, height() / 2.0 - 4, width(), 8);
    painter.setBrush(m_appearance.colour(ColourToken::Line));
    painter.drawRoundedRect(trough, 4, 4);
    const bool too_loud = m_ballistics.peakDb() > kTooLoudDb;
    const QColor colour = m_appearance.colour(too_loud ? ColourToken::Warn : ColourToken::Accent);
    const int level = pixelOf(m_ballistics.levelDb(), width());
    if (level > 2) {
        painter.setBrush(colour);
        painter.drawRoundedRect(QRectF(0, trough.top(), level, trough.height()), 4, 4);
    }
    const int peak = pixelOf(m_ballistics.peakDb(), width());
    if (peak > 4) {
        painter.setBrush(m_appearance.colour(too_loud ? ColourToken::Warn : ColourToken::Ink));
        painter.drawRect(QRectF(peak - 2, trough.top() - 2, 2, trough.height() + 4));
    }
}

}  // namespace braid::ui
