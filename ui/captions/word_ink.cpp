#include "ui/captions/word_ink.h"

#include <algorithm>

namespace braid::ui {

void drawWordText(QPainter &painter, const QFontMetricsF &metrics, const QString &text, const QRectF &place, const QColor &ink)
{
    const double baseline = place.top() + (place.height() - metrics.height()) / 2 + metrics.ascent();
    const double natural = metrics.horizontalAdvance(text);
    painter.setPen(ink);
    if (natural > place.width() + 0.5) {
        painter.save();
        painter.translate(place.left(), baseline);
        painter.scale(place.width() / natural, 1);
        painter.drawText(QPointF(0, 0), text);
        painter.restore();
        return;
    }
    painter.drawText(QPointF(place.left(), baseline), text);
}

void drawUnsettledDots(QPainter &painter, const QFontMetricsF &metrics, const QRectF &place, const QColor &colour)
{
    const double dot = std::max(2.0, place.height() / 14);
    const double y = belowBaseline(metrics, place);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    for (double x = place.left() + dot / 2; x + dot / 2 <= place.right() + 0.01; x += dot * 2.4) {
        painter.drawEllipse(QPointF(x, y), dot / 2, dot / 2);
    }
}

void drawCorrectedLine(QPainter &painter, const QFontMetricsF &metrics, const QRectF &place, const QColor &colour)
{
    const double thick = std::max(1.0, place.height() / 24);
    const double dash = thick * 5;
    const double y = belowBaseline(metrics, place);
    for (double x = place.left(); x < place.right(); x += dash * 1.6) {
        painter.fillRect(QRectF(x, y, std::min(dash, place.right() - x), thick), colour);
    }
}

void drawBehindWord(QPainter &painter, const QRectF &place, const QColor &colour)
{
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawRoundedRect(place.adjusted(-3, 1, 3, -1), 4, 4);
}

void drawRingAround(QPainter &painter, const QRectF &place, const QColor &colour, double width)
{
    painter.setPen(QPen(colour, width));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(place.adjusted(-2, 1.5, 2, -1.5), 4, 4);
}

double belowBaseline(const QFontMetricsF &metrics, const QRectF &place)
{
    return place.top() + (place.height() + metrics.height()) / 2 - metrics.descent() * 0.25;
}

}  // namespace braid::ui
