#include "ui/overlay/overlay_canvas.h"

#include <algorithm>
#include <cmath>

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <QResizeEvent>

#include "ui/shared/appearance.h"

namespace braid::ui {
namespace {

constexpr int kPadding = 12;
constexpr double kLineHeight = 1.3;    // of the letters' size
constexpr double kTailOpacity = 0.72;  // of words that may still change
constexpr double kCorner = 8;

}  // namespace

OverlayCanvas::OverlayCanvas(OverlaySource &captions, OverlaySource &translation, Backdrop backdrop, QWidget *parent)
    : QWidget(parent)
    , m_backdrop(backdrop)
{
    m_blocks[0].text = new OverlayText(OverlayPart::Captions, captions, this);
    m_blocks[1].text = new OverlayText(OverlayPart::Translation, translation, this);
    for (Block &block : m_blocks) {
        connect(block.text, &OverlayText::changed, this, [this, &block] { take(block); });
    }
    setAccessibleName(tr("Captions over other windows"));
    reshape();
}

QFont OverlayCanvas::fontOf(const OverlayOptions &options)
{
    QFont font = Appearance::interfaceFont(options.letter_px);
    if (!options.family.isEmpty()) {
        font.setFamilies({options.family});
    }
    font.setWeight(QFont::DemiBold);
    return font;
}

void OverlayCanvas::setOptions(const OverlayOptions &options)
{
    if (options == m_options) {
        return;
    }
    const bool same_shape = options.family == m_options.family && options.letter_px == m_options.letter_px && options.lines == m_options.lines;
    m_options = options;
    if (!same_shape) {
        reshape();
    }
    update();
}

double OverlayCanvas::lineHeight() const
{
    return std::ceil(m_options.letter_px * kLineHeight);
}

int OverlayCanvas::neededHeight() const
{
    const int texts = m_options.shows == OverlayShows::Both ? 2 : 1;
    return static_cast<int>(lineHeight()) * m_options.lines * texts + 2 * kPadding;
}

void OverlayCanvas::reshape()
{
    const QFontMetricsF metrics(fontOf(m_options));
    for (Block &block : m_blocks) {
        block.text->reshape(std::max(40, width() - 2 * kPadding), [metrics](const QString &text) { return metrics.horizontalAdvance(text); });
        take(block);
    }
}

void OverlayCanvas::take(Block &block)
{
    std::vector<OverlayLine> lines = block.text->newest(m_options.lines);
    if (lines != block.lines) {
        block.lines = std::move(lines);
        update();
    }
}

QStringList OverlayCanvas::lines() const
{
    QStringList all;
    for (const Block &block : m_blocks) {
        if (shows(block)) {
            for (const OverlayLine &line : block.lines) {
                all << line.text();
            }
        }
    }
    return all;
}

void OverlayCanvas::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (m_backdrop == Backdrop::Plain) {
        painter.fillRect(rect(), m_options.plain_back);
    } else {
        QColor back = m_options.back;
        back.setAlphaF(static_cast<float>(m_options.back_percent) / 100.0F);
        painter.setPen(Qt::NoPen);
        painter.setBrush(back);
        painter.drawRoundedRect(rect(), kCorner, kCorner);
    }
    painter.setFont(fontOf(m_options));
    double top = kPadding;
    for (const Block &block : m_blocks) {
        if (!shows(block)) {
            continue;
        }
        for (std::size_t line = 0; line < block.lines.size(); ++line) {
            paintLine(painter, block.lines[line], top + lineHeight() * static_cast<double>(line));
        }
        top += lineHeight() * m_options.lines;
    }
}

void OverlayCanvas::paintLine(QPainter &painter, const OverlayLine &line, double top) const
{
    const QFontMetricsF metrics(painter.font());
    const double baseline = top + (lineHeight() + metrics.capHeight()) / 2;
    const double settled_width = metrics.horizontalAdvance(line.settled);
    const bool right_to_left = line.text().isRightToLeft();
    const double right = width() - kPadding;
    QPainterPath settled;
    settled.addText(right_to_left ? right - settled_width : kPadding, baseline, painter.font(), line.settled);
    QPainterPath tail;
    const double tail_width = metrics.horizontalAdvance(line.tail);
    tail.addText(right_to_left ? right - settled_width - tail_width : kPadding + settled_width, baseline, painter.font(), line.tail);
    const auto draw = [&](const QPainterPath &path, double opacity) {
        painter.setOpacity(opacity);
        if (m_options.outline_px > 0) {
            painter.strokePath(path, QPen(m_options.outline, 2.0 * m_options.outline_px, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        }
        painter.fillPath(path, m_options.ink);
        painter.setOpacity(1);
    };
    draw(tail, m_backdrop == Backdrop::Plain ? 1 : kTailOpacity);  // half-clear letters would let the keyed colour through
    draw(settled, 1);
}

void OverlayCanvas::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    if (event->size().width() != event->oldSize().width()) {
        reshape();
    }
}

}  // namespace braid::ui
