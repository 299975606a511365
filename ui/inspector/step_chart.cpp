#include "ui/inspector/step_chart.h"

#include <algorithm>
#include <utility>

#include "core/captions/caption_events.h"
#include "ui/inspector/heat_ramp.h"
#include "ui/shared/tips.h"

namespace braid::ui {
namespace {

constexpr double kScaleWidth = 46;
constexpr double kBottom = 2;
// The line of what is bearable is drawn where it does not flatten the bars.
constexpr double kBearableWithin = 3;
constexpr double kLegendHeight = 20;

struct StepColours {
    QColor encoder;
    QColor decoder;
    QColor rest;
};

StepColours stepColours(const Theme &theme)
{
    const QColor accent = theme.colour(ColourToken::Accent);
    return {accent, QColor(HeatRamp(theme).colour(0.28)), theme.colour(ColourToken::InkSoft)};
}

double bearableMs(const runtime::StepTiming &step)
{
    return static_cast<double>(msFromSamples(step.chunk_samples));
}

}  // namespace

void paintStepChart(QPainter &painter, const StepChartGeometry &geometry, const std::vector<runtime::StepTiming> &steps, const Theme &theme)
{
    painter.fillRect(geometry.area, theme.colour(ColourToken::Paper));
    const auto count = static_cast<int>(steps.size());
    const double width = std::max(1.0, geometry.slotWidth() - (geometry.slotWidth() >= 3 ? 1 : 0));
    const StepColours colours = stepColours(theme);
    for (int index = std::max(0, count - geometry.slots); index < count; ++index) {
        const runtime::StepTiming &step = steps[static_cast<std::size_t>(index)];
        const double x = geometry.xOf(index, count);
        double from = 0;
        const auto bar = [&](double ms, const QColor &colour) {
            if (ms > 0) {
                const double top = geometry.yOf(std::min(from + ms, geometry.greatest_ms));
                painter.fillRect(QRectF(x, top, width, geometry.yOf(std::min(from, geometry.greatest_ms)) - top), colour);
                from += ms;
            }
        };
        bar(step.encode_ms, colours.encoder);
        bar(step.decode_ms, colours.decoder);
        bar(step.whole_ms - step.encode_ms - step.decode_ms, colours.rest);
    }
    if (!steps.empty() && bearableMs(steps.back()) <= geometry.greatest_ms) {
        painter.setPen(QPen(theme.colour(ColourToken::Warn), 1, Qt::DashLine));
        const double y = geometry.yOf(bearableMs(steps.back()));
        painter.drawLine(QPointF(geometry.area.left(), y), QPointF(geometry.area.right(), y));
    }
    painter.setPen(theme.colour(ColourToken::Line));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(geometry.area);
}

QString stepText(const runtime::StepTiming &step, Sample offset)
{
    QString text = QObject::tr("Step at %1 s: %2 ms for %3 ms of sound")
                       .arg(secondsFromSamples(offset + step.until_sample), 0, 'f', 2)
                       .arg(step.whole_ms, 0, 'f', 1)
                       .arg(msFromSamples(step.chunk_samples));
    if (step.encode_ms > 0 || step.decode_ms > 0) {
        text += QObject::tr("\nencoder %1 ms, decoder %2 ms").arg(step.encode_ms, 0, 'f', 1).arg(step.decode_ms, 0, 'f', 1);
    }
    return text + QLatin1Char('\n') + QObject::tr("%n pass(es) of the decoder", nullptr, step.decoder_steps);
}

StepChart::StepChart(Appearance &appearance, QWidget *parent)
    : QWidget(parent)
    , m_appearance(appearance)
{
    setObjectName(QStringLiteral("steps"));
    setAccessibleName(tr("Time of the newest steps"));
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&appearance, &Appearance::changed, this, [this] { update(); });
}

void StepChart::show(std::shared_ptr<const std::vector<runtime::StepTiming>> steps, Sample offset)
{
    if (steps != m_steps || offset != m_offset) {
        m_steps = std::move(steps);
        m_offset = offset;
        update();
    }
}

StepChartGeometry StepChart::chartGeometry() const
{
    double greatest = 1;
    for (const runtime::StepTiming &step : *m_steps) {
        greatest = std::max(greatest, step.whole_ms);
    }
    if (!m_steps->empty() && bearableMs(m_steps->back()) < greatest * kBearableWithin) {
        greatest = std::max(greatest, bearableMs(m_steps->back()) * 1.08);
    }
    return {QRectF(0.5, 0.5, width() - kScaleWidth, height() - kBottom - kLegendHeight), static_cast<int>(captions::kStepsShown), greatest};
}

void StepChart::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Theme &theme = m_appearance.theme();
    const StepChartGeometry geometry = chartGeometry();
    paintStepChart(painter, geometry, *m_steps, theme);
    painter.setFont(Appearance::interfaceFont(11));
    painter.setPen(theme.colour(ColourToken::InkSoft));
    const QRectF scale(geometry.area.right() + 6, geometry.area.top(), kScaleWidth - 6, geometry.area.height());
    painter.drawText(scale, Qt::AlignTop, tr("%1 ms").arg(geometry.greatest_ms, 0, 'f', geometry.greatest_ms < 10 ? 1 : 0));
    painter.drawText(scale, Qt::AlignBottom, QStringLiteral("0"));
    double left = geometry.area.left();
    const QFontMetricsF metrics(painter.font());
    const StepColours colours = stepColours(theme);
    for (const auto &[colour, name] :
         {std::pair(colours.encoder, tr("encoder")), std::pair(colours.decoder, tr("decoder")), std::pair(colours.rest, tr("rest"))}) {
        const double top = geometry.area.bottom() + 8;
        painter.fillRect(QRectF(left, top, 9, 9), colour);
        painter.drawText(QPointF(left + 14, top + 9), name);
        left += 14 + metrics.horizontalAdvance(name) + 16;
    }
}

QString StepChart::textAt(const QPointF &point) const
{
    const int step = chartGeometry().stepAt(point.x(), static_cast<int>(m_steps->size()));
    return step < 0 ? QString() : stepText((*m_steps)[static_cast<std::size_t>(step)], m_offset);
}

bool StepChart::event(QEvent *event)
{
    return showedTip(*this, event, [this](const QPointF &point) { return textAt(point); }) || QWidget::event(event);
}

}  // namespace braid::ui
