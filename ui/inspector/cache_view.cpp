#include "ui/inspector/cache_view.h"

#include <cmath>

#include <QFontMetricsF>
#include <QMouseEvent>

#include "ui/inspector/heat_ramp.h"
#include "ui/shared/tips.h"

namespace braid::ui {
namespace {

constexpr double kAxisWidth = 44;
constexpr double kAxisHeight = 18;
constexpr double kGap = 12;
constexpr int kMostMaskPx = 300;
constexpr int kLayerPx = 7;
constexpr int kMostLayers = 32;

QString bytesText(std::uint64_t bytes)
{
    const auto value = static_cast<double>(bytes);
    return value < 1e4   ? QObject::tr("%1 bytes").arg(bytes)
           : value < 1e6 ? QObject::tr("%1 kB").arg(value / 1e3, 0, 'f', 0)
                         : QObject::tr("%1 MB").arg(value / 1e6, 0, 'f', 1);
}

QString secondsText(Sample samples)
{
    return QObject::tr("%1 s").arg(secondsFromSamples(samples), 0, 'f', 2);
}

}  // namespace

void paintBlockMask(QPainter &painter, const CacheGeometry &geometry, std::optional<CacheCell> hovered, const Theme &theme)
{
    painter.fillRect(geometry.area, theme.colour(ColourToken::Paper));
    const QColor accent = theme.colour(ColourToken::Accent);
    const HeatRamp ramp(theme);
    const QColor before(ramp.colour(0.26));
    const QColor before_other(ramp.colour(0.20));
    const QColor own(ramp.colour(0.44));
    const auto blocks = static_cast<int>(geometry.block_ends.size());
    for (int block = 0; block < blocks; ++block) {
        const QRectF seen = geometry.blockRect(block);
        if (seen.height() <= 0) {
            continue;
        }
        painter.fillRect(seen, block % 2 == 0 ? before : before_other);
        // What a block has computed itself in its own step; everything left of it came out of the cache.
        const double left = geometry.area.left() + geometry.blockBegin(block) * geometry.frameWidth();
        painter.fillRect(QRectF(left, seen.top(), seen.right() - left, seen.height()), block + 1 == blocks ? accent : own);
    }
    painter.setBrush(Qt::NoBrush);
    if (blocks > 0 && geometry.blockRect(0).height() >= 6) {
        painter.setPen(QPen(theme.colour(ColourToken::Ink), 1));
        painter.drawRect(geometry.blockRect(0).adjusted(0.5, 0.5, -0.5, -0.5));
    }
    if (hovered && hovered->frame < geometry.frames()) {
        const QRectF row = geometry.blockRect(geometry.blockOf(hovered->frame));
        painter.setPen(QPen(theme.colour(ColourToken::Ink), 1.5));
        painter.drawRect(row);
        const double y = geometry.area.top() + (hovered->frame + 0.5) * geometry.frameHeight();
        painter.setPen(QPen(theme.colour(ColourToken::Ink), 1, Qt::DotLine));
        painter.drawLine(QPointF(geometry.area.left(), y), QPointF(row.right(), y));
    }
    painter.setPen(theme.colour(ColourToken::Line));
    painter.drawRect(geometry.area);
}

void paintLayerBars(QPainter &painter, const QRectF &area, const captions::EncoderState &state, const Theme &theme, const QFont &font)
{
    const int layers = std::clamp<int>(state.encoder_layers, 0, kMostLayers);
    const int frames = state.block_ends.empty() ? 0 : state.block_ends.back();
    const double share = state.maximum_frames > 0 ? std::clamp(static_cast<double>(frames) / state.maximum_frames, 0.0, 1.0) : 0;
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    for (int layer = 0; layer < layers; ++layer) {
        const QRectF trough(area.left(), area.top() + layer * kLayerPx, area.width(), kLayerPx - 3);
        painter.fillRect(trough, theme.colour(ColourToken::Line));
        painter.fillRect(QRectF(trough.topLeft(), QSizeF(trough.width() * share, trough.height())), theme.colour(ColourToken::Accent));
        if (layer == 0 || layer + 1 == layers) {
            const double baseline = layer == 0 ? trough.top() + metrics.ascent() * 0.72 : trough.bottom() + 1;
            painter.setPen(theme.colour(ColourToken::InkSoft));
            painter.drawText(QPointF(area.left() - 8 - metrics.horizontalAdvance(QString::number(layer + 1)), baseline), QString::number(layer + 1));
        }
    }
}

QStringList cacheFacts(const captions::EncoderState &state, Sample offset)
{
    const int frames = state.block_ends.empty() ? 0 : state.block_ends.back();
    const auto blocks = static_cast<int>(state.block_ends.size());
    QStringList facts;
    facts << QObject::tr("%1 of %2 frames in %3 blocks").arg(frames).arg(state.maximum_frames).arg(blocks);
    if (blocks > 0) {
        const Sample first = state.block_ends.front() * state.frame_samples;
        QString sizes = QObject::tr("first block %1").arg(secondsText(first));
        if (blocks > 1) {
            sizes += QObject::tr(", newest %1")
                         .arg(secondsText((state.block_ends.back() - state.block_ends[static_cast<std::size_t>(blocks) - 2]) * state.frame_samples));
        }
        facts << sizes;
    }
    facts << QObject::tr("window from %1, holds %2")
                 .arg(secondsText(offset + state.window_start_sample), secondsText(state.maximum_frames * state.frame_samples));
    const QString each = state.encoder_layers > 0 ? QObject::tr(" (%1 in each of %2 layers)")
                                                        .arg(bytesText(state.encoder_cache_bytes / static_cast<std::uint64_t>(state.encoder_layers)))
                                                        .arg(state.encoder_layers)
                                                  : QString();
    facts << QObject::tr("encoder keys and values: %1").arg(bytesText(state.encoder_cache_bytes)) + each;
    facts << QObject::tr("sound for the decoder: %1").arg(bytesText(state.sound_cache_bytes));
    facts << QObject::tr("tokens: %1").arg(bytesText(state.token_cache_bytes));
    facts << QObject::tr("newest step: encoder %1 ms, decoder %2 ms").arg(state.encode_ms, 0, 'f', 1).arg(state.decode_ms, 0, 'f', 1);
    return facts;
}

QString cacheCellText(const captions::EncoderState &state, const CacheGeometry &geometry, CacheCell cell, Sample offset)
{
    const auto at = [&](int frame) { return secondsText(offset + state.window_start_sample + frame * state.frame_samples); };
    if (cell.frame >= geometry.frames()) {
        return QObject::tr("Frame %1 (%2) has not been encoded yet.").arg(cell.frame).arg(at(cell.frame));
    }
    const int end = geometry.visibleEnd(cell.frame);
    const int block = geometry.blockOf(cell.frame);
    const QString sees =
        QObject::tr("Frame %1 (%2), block %3, sees frames 0 to %4 (up to %5).").arg(cell.frame).arg(at(cell.frame)).arg(block + 1).arg(end - 1).arg(at(end));
    const QString here = cell.seen_frame >= end                          ? QObject::tr("Frame %1 came later: it is masked.")
                         : cell.seen_frame >= geometry.blockBegin(block) ? QObject::tr("Frame %1 was computed in the same step.")
                                                                         : QObject::tr("Frame %1 came out of the cache.");
    return sees + QLatin1Char('\n') + here.arg(cell.seen_frame);
}

CacheView::CacheView(Appearance &appearance, QWidget *parent)
    : QWidget(parent)
    , m_appearance(appearance)
{
    setObjectName(QStringLiteral("cache"));
    setAccessibleName(tr("Encoder mask and cache"));
    setMouseTracking(true);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    connect(&appearance, &Appearance::changed, this, [this] { update(); });
}

QSize CacheView::sizeHint() const
{
    return {280, heightForWidth(280)};
}

int CacheView::heightForWidth(int width) const
{
    const double side = std::min<double>(width - kAxisWidth, kMostMaskPx);
    return static_cast<int>(side + kAxisHeight + kGap) + layersHeight() + 4;
}

int CacheView::layersHeight() const
{
    return m_state ? std::clamp<int>(m_state->encoder_layers, 1, kMostLayers) * kLayerPx : kLayerPx;
}

QRectF CacheView::maskArea() const
{
    const double side =
        std::max(20.0, std::min<double>({width() - kAxisWidth - 1.0, static_cast<double>(kMostMaskPx), height() - kAxisHeight - kGap - layersHeight() - 4.0}));
    return {kAxisWidth, 1, side, side};
}

CacheGeometry CacheView::maskGeometry() const
{
    return m_state ? CacheGeometry{maskArea(), framesToShow(*m_state), m_state->block_ends} : CacheGeometry{maskArea(), 0, {}};
}

void CacheView::show(std::shared_ptr<const captions::EncoderState> state, Sample offset)
{
    if (state == m_state && offset == m_offset) {
        return;
    }
    const bool other_layers = (state ? state->encoder_layers : 0) != (m_state ? m_state->encoder_layers : 0);
    m_state = std::move(state);
    m_offset = offset;
    setAccessibleDescription(m_state ? cacheFacts(*m_state, m_offset).join(QStringLiteral("; ")) : QString());
    if (other_layers) {
        updateGeometry();
    }
    update();
}

void CacheView::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Theme &theme = m_appearance.theme();
    if (!m_state) {
        return;
    }
    const CacheGeometry geometry = maskGeometry();
    paintBlockMask(painter, geometry, m_hovered, theme);
    const QFont font = Appearance::interfaceFont(11);
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    painter.setPen(theme.colour(ColourToken::InkSoft));
    const QString end = QStringLiteral("%1 s").arg(secondsFromSamples(geometry.shown_frames * m_state->frame_samples), 0, 'f', 0);
    const QRectF &area = geometry.area;
    painter.drawText(QRectF(0, area.top() - 2, kAxisWidth - 6, metrics.height()), Qt::AlignRight, QStringLiteral("0 s"));
    painter.drawText(QRectF(0, area.bottom() - metrics.height() + 2, kAxisWidth - 6, metrics.height()), Qt::AlignRight, end);
    painter.drawText(QRectF(area.left(), area.bottom() + 3, area.width(), metrics.height()), Qt::AlignHCenter, tr("sees \u2192"));
    painter.drawText(QRectF(area.left(), area.bottom() + 3, area.width(), metrics.height()), Qt::AlignRight, end);
    painter.save();
    painter.translate(kAxisWidth - 10, area.center().y());
    painter.rotate(-90);
    painter.drawText(QRectF(-60, -metrics.height(), 120, metrics.height()), Qt::AlignHCenter, tr("\u2190 frame"));
    painter.restore();
    paintLayerBars(painter, QRectF(area.left(), area.bottom() + kAxisHeight + kGap, area.width(), layersHeight()), *m_state, theme, font);
}

QString CacheView::textAt(const QPointF &point) const
{
    const CacheGeometry geometry = maskGeometry();
    const auto cell = geometry.cellAt(point);
    return m_state && cell ? cacheCellText(*m_state, geometry, *cell, m_offset) : QString();
}

void CacheView::mouseMoveEvent(QMouseEvent *event)
{
    const auto cell = maskGeometry().cellAt(event->position());
    if (cell != m_hovered) {
        m_hovered = cell;
        update();
    }
}

void CacheView::leaveEvent(QEvent *)
{
    m_hovered.reset();
    update();
}

bool CacheView::event(QEvent *event)
{
    return showedTip(*this, event, [this](const QPointF &point) { return textAt(point); }) || QWidget::event(event);
}

}  // namespace braid::ui
