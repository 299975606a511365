#include "ui/streams/overview_strip.h"

#include <algorithm>
#include <cmath>

#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>

#include "ui/shared/tips.h"
#include "ui/streams/lanes_view.h"

namespace braid::ui {
namespace {

constexpr double kMargin = 8;

}  // namespace

void WordDensity::reset(std::size_t streams)
{
    m_streams = streams;
    m_rows = 0;
    m_rows_per_bucket = 1;
    m_words.clear();
}

void WordDensity::halve()
{
    const std::size_t pairs = (m_words.size() / m_streams + 1) / 2;
    std::vector<std::uint32_t> merged(pairs * m_streams);
    for (std::size_t at = 0; at < m_words.size(); ++at) {
        merged[at / m_streams / 2 * m_streams + at % m_streams] += m_words[at];
    }
    m_words = std::move(merged);
    m_rows_per_bucket *= 2;
}

void WordDensity::add(const LanesModel &lanes, std::int64_t first_row)
{
    for (std::int64_t row = first_row; row < lanes.rows() && m_streams > 0; ++row) {
        if (row / m_rows_per_bucket >= kMostBuckets) {
            halve();
        }
        const auto bucket = static_cast<std::size_t>(row / m_rows_per_bucket);
        m_words.resize(std::max(m_words.size(), (bucket + 1) * m_streams));
        for (std::size_t stream = 0; stream < m_streams; ++stream) {
            m_words[bucket * m_streams + stream] += lanes.cell({row, static_cast<int>(stream)}).isSilent() ? 0 : 1;
        }
    }
    m_rows = lanes.rows();
}

void WordDensity::recount(const LanesModel &lanes)
{
    reset(static_cast<std::size_t>(lanes.streams()));
    add(lanes, 0);
}

double WordDensity::of(std::int64_t bucket, int stream) const
{
    const std::int64_t rows = std::min(m_rows_per_bucket, m_rows - bucket * m_rows_per_bucket);
    return rows <= 0
               ? 0
               : static_cast<double>(m_words[static_cast<std::size_t>(bucket) * m_streams + static_cast<std::size_t>(stream)]) / static_cast<double>(rows);
}

OverviewStrip::OverviewStrip(const LanesModel &lanes, LanesView &view, Appearance &appearance, QWidget *parent)
    : QWidget(parent)
    , m_lanes(lanes)
    , m_view(view)
    , m_appearance(appearance)
{
    setObjectName(QStringLiteral("overview"));
    setAccessibleName(tr("The whole run"));
    setAccessibleDescription(tr("Where in the run the lanes stand; in the lanes, Home and End go to its ends."));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setCursor(Qt::PointingHandCursor);
    connect(&lanes, &LanesModel::wasReset, this, [this] {
        m_density.reset(static_cast<std::size_t>(m_lanes.streams()));
        update();
    });
    connect(&lanes, &LanesModel::rowsAppended, this, [this](qint64 first_row) {
        m_density.add(m_lanes, first_row);
        update();
    });
    connect(&lanes, &LanesModel::rewound, this, [this] {
        m_density.recount(m_lanes);
        update();
    });
    connect(&lanes, &LanesModel::looksChanged, this, [this] { update(); });
    connect(view.horizontalScrollBar(), &QScrollBar::valueChanged, this, [this] { update(); });
    connect(&view, &LanesView::arrangementChanged, this, [this] { update(); });
    connect(&appearance, &Appearance::changed, this, [this] { update(); });
    m_density.recount(lanes);
}

// The strip is filled from half of its width on: buckets double only now and then, so that it rarely changes its scale.
double OverviewStrip::xOf(double row) const
{
    const double room = width() - 2 * kMargin;
    double rows = 64;
    while (rows < static_cast<double>(m_density.rows())) {
        rows *= 2;
    }
    return kMargin + row / rows * room;
}

std::int64_t OverviewStrip::rowAt(double x) const
{
    const double per_row = xOf(1) - xOf(0);
    return std::clamp<std::int64_t>(static_cast<std::int64_t>(std::floor((x - kMargin) / per_row)), 0, std::max<std::int64_t>(0, m_lanes.rows() - 1));
}

void OverviewStrip::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Theme &theme = m_appearance.theme();
    painter.fillRect(rect(), theme.colour(ColourToken::Paper));
    painter.fillRect(QRectF(0, 0, width(), 1), theme.colour(ColourToken::Line));
    const auto &order = m_view.arrangement().order;
    if (order.empty() || m_density.rows() == 0) {
        return;
    }
    const auto shown = m_view.geometryNow().visibleRows();
    if (shown.last >= shown.first) {
        painter.fillRect(
            QRectF(xOf(static_cast<double>(shown.first)), 2, xOf(static_cast<double>(shown.last + 1)) - xOf(static_cast<double>(shown.first)), height() - 3),
            theme.colour(ColourToken::Selection));
    }
    const double pitch = (height() - 8.0) / static_cast<double>(order.size());
    const double bar = std::clamp(std::floor(pitch) - 1, 1.0, 4.0);
    for (std::size_t place = 0; place < order.size(); ++place) {
        const int stream = order[place];
        QColor colour = laneColour(m_lanes.colourOf(stream), theme);
        const double top = 4 + static_cast<double>(place) * pitch;
        for (std::int64_t bucket = 0; bucket < m_density.buckets(); ++bucket) {
            const double density = m_density.of(bucket, stream);
            if (density > 0) {
                colour.setAlphaF(static_cast<float>(0.25 + 0.75 * std::min(1.0, density)));
                const double left = xOf(static_cast<double>(bucket * m_density.rowsPerBucket()));
                const double right = xOf(static_cast<double>((bucket + 1) * m_density.rowsPerBucket()));
                painter.fillRect(QRectF(left, top, std::max(1.0, right - left - (right - left > 3 ? 1 : 0)), bar), colour);
            }
        }
    }
}

void OverviewStrip::goTo(double x)
{
    if (m_lanes.rows() > 0) {
        const LanesGeometry &geometry = m_view.geometryNow();
        const double page = geometry.width - geometry.names_width;
        m_view.horizontalScrollBar()->setValue(static_cast<int>(static_cast<double>(geometry.columns->left(rowAt(x))) - page / 2));
    }
}

void OverviewStrip::mousePressEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton) {
        goTo(event->position().x());
    }
}

void OverviewStrip::mouseMoveEvent(QMouseEvent *event)
{
    if (event->buttons() & Qt::LeftButton) {
        goTo(event->position().x());
    }
}

bool OverviewStrip::event(QEvent *event)
{
    const auto tip = [this](const QPointF &point) {
        const std::int64_t row = rowAt(point.x());
        return m_lanes.rows() == 0 ? QString() : tr("Step %1, %2").arg(row + 1).arg(stepClockText(m_lanes.timeOf(row)));
    };
    return showedTip(*this, event, tip) || QWidget::event(event);
}

}  // namespace braid::ui
