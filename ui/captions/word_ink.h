// How a word is put on paper, wherever words are read: its letters, the dots of the unsettled, the marks behind, around and under it.
// Stateless.
#pragma once

#include <QColor>
#include <QFontMetricsF>
#include <QPainter>
#include <QRectF>
#include <QString>

namespace braid::ui {

// In the painter's font, whose metrics these are. A word wider than its place is drawn narrower, never cut off.
void drawWordText(QPainter &painter, const QFontMetricsF &metrics, const QString &text, const QRectF &place, const QColor &ink);
// Dots of the unsettled baseline, drawn as round points so that they read as dots at every size.
void drawUnsettledDots(QPainter &painter, const QFontMetricsF &metrics, const QRectF &place, const QColor &colour);
// Dashes under a word that a person corrected.
void drawCorrectedLine(QPainter &painter, const QFontMetricsF &metrics, const QRectF &place, const QColor &colour);
void drawBehindWord(QPainter &painter, const QRectF &place, const QColor &colour);
void drawRingAround(QPainter &painter, const QRectF &place, const QColor &colour, double width);
// Where lines under a word go.
[[nodiscard]] double belowBaseline(const QFontMetricsF &metrics, const QRectF &place);

}  // namespace braid::ui
