#include "ui/streams/lanes_view.h"

#include <algorithm>
#include <cmath>

#include <QFontMetricsF>
#include <QPainter>
#include <QScrollBar>

#include "ui/streams/lane_name_edit.h"

namespace braid::ui {
namespace {

constexpr double kLeastLanePx = 30;
constexpr double kMostLanePx = 88;
constexpr int kNameEditLeft = 10;
constexpr int kLeastNameEdit = 200;  // wider than the names: what is typed is read whole

}  // namespace

LanesView::LanesView(const LanesModel &model, Appearance &appearance, QWidget *parent)
    : QAbstractScrollArea(parent)
    , m_model(model)
    , m_appearance(appearance)
    , m_ramp(appearance.theme())
    , m_name_edit(new LaneNameEdit(viewport()))
    , m_live(*this, *horizontalScrollBar(), {tr("Go to live"), tr("To the newest step (L)"), LiveScroll::ButtonPlace::BottomRight, {}, {}})
    , m_finder({[this](const QString &needle, std::int64_t first) { return search(needle, first); }, [] { return 0; },
                [this](int match) {
                    const CellRef found = m_matches[static_cast<std::size_t>(match)];
                    showRow(found.row);
                    announceText(this, describe(found));
                },
                [this] { viewport()->update(); }})
{
    setObjectName(QStringLiteral("lanes"));
    setFrameShape(QFrame::NoFrame);
    setAccessibleName(tr("Streams"));
    setAccessibleDescription(tr(
        "A row of cells a step, a lane a stream. Arrows move from cell to cell, Enter keeps one in the Inspector, brackets choose a step to go back to, F2 renames a lane, Shift+F10 opens its menu."));
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setMouseTracking(true);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    m_geometry.columns = &m_columns;
    connect(&m_live, &LiveScroll::liveRequested, this, &LanesView::followLive);
    connect(&m_live, &LiveScroll::followingChanged, this, &LanesView::followingChanged);
    connect(m_name_edit, &LaneNameEdit::named, this, &LanesView::nameChosen);
    connect(m_name_edit, &LaneNameEdit::ended, this, [this] { setFocus(); });
    connect(m_name_edit, &LaneNameEdit::neighbourRequested, this, &LanesView::editNeighbourOf);
    connect(&model, &LanesModel::looksChanged, viewport(), QOverload<>::of(&QWidget::update));
    connect(&model, &LanesModel::wasReset, this, &LanesView::onReset);
    connect(&model, &LanesModel::rowsAppended, this, &LanesView::onRowsAppended);
    connect(&model, &LanesModel::rewound, this, &LanesView::onRewound);
    connect(&model, &LanesModel::laneEnded, viewport(), QOverload<>::of(&QWidget::update));
    connect(&model, &LanesModel::turnEnded, viewport(), QOverload<>::of(&QWidget::update));
    connect(&appearance, &Appearance::changed, this, [this] {
        m_ramp = HeatRamp(m_appearance.theme());
        viewport()->update();
    });
    onReset();
}

// --- what is shown ---------------------------------------------------------------------------------------------------------------

void LanesView::onReset()
{
    m_name_edit->cancel();
    m_arrangement = LaneArrangement::of(m_model.layout());
    m_columns.reset(static_cast<std::size_t>(m_model.streams()));
    m_marks = {};
    m_matches.clear();
    m_finder.keepFirst(0);
    m_marks.matches = &m_matches;
    m_weights.clear();
    m_states.assign(static_cast<std::size_t>(m_model.streams()), {});
    m_live.setFollowing(Following::Live);
    reshape();
    Q_EMIT hoveredChanged();
    Q_EMIT pinnedChanged();
}

void LanesView::onRowsAppended(std::int64_t first_row)
{
    std::vector<int> characters(static_cast<std::size_t>(m_model.streams()));
    for (std::int64_t row = first_row; row < m_model.rows(); ++row) {
        for (int stream = 0; stream < m_model.streams(); ++stream) {
            characters[static_cast<std::size_t>(stream)] = displayColumns(cellText(m_model.cell({row, stream})));
        }
        m_columns.append(characters);
    }
    m_finder.searchFrom(first_row);
    reviseScrollRange();
    viewport()->update();
}

void LanesView::onRewound()
{
    m_columns.truncate(m_model.rows());
    const auto drop = [this](std::optional<CellRef> &ref) {
        if (ref && !m_model.contains(*ref)) {
            ref.reset();
        }
    };
    drop(m_marks.hovered);
    drop(m_marks.pinned);
    drop(m_marks.cursor);
    drop(m_marks.looked_from);
    m_marks.keep_until.reset();
    m_weights.clear();
    std::erase_if(m_matches, [this](const CellRef &match) { return !m_model.contains(match); });
    m_finder.keepFirst(static_cast<int>(m_matches.size()));
    m_live.setFollowing(Following::Live);
    reviseScrollRange();
    viewport()->update();
    Q_EMIT hoveredChanged();
    Q_EMIT pinnedChanged();
}

void LanesView::setArrangement(const LaneArrangement &arrangement)
{
    if (arrangement.folds.size() == static_cast<std::size_t>(m_model.streams()) && !(arrangement == m_arrangement)) {
        m_arrangement = arrangement;
        reshape();
    }
}

void LanesView::setLaneStates(std::vector<LaneState> states)
{
    m_states = std::move(states);
    viewport()->update();
}

void LanesView::setTokenPx(int pixels)
{
    pixels = std::clamp(pixels, kSmallestTokenPx, kLargestTokenPx);
    if (pixels != m_token_px) {
        m_token_px = pixels;
        reshape();
    }
}

void LanesView::setNamesWidth(int pixels)
{
    if (pixels != static_cast<int>(m_geometry.names_width)) {
        m_geometry.names_width = pixels;
        reviseScrollRange();
        placeNameEdit();
        viewport()->update();
    }
}

void LanesView::setAttention(std::optional<CellRef> from, CellWeights weights)
{
    if (from == m_marks.looked_from && weights == m_weights) {
        return;
    }
    m_marks.looked_from = from;
    m_weights = std::move(weights);
    m_marks.weights = &m_weights;
    viewport()->update();
}

void LanesView::reshape()
{
    // Steps are laid out anew; the one at the left edge stays there.
    const std::int64_t first = m_columns.rowAt(m_geometry.scroll_x);
    const double within = m_geometry.scroll_x - static_cast<double>(m_columns.left(first));
    const QFontMetricsF metrics(Appearance::tokenFont(m_token_px));
    ColumnShape shape;
    shape.advance = metrics.horizontalAdvance(QLatin1Char('0'));
    shape.padding = std::max(5, m_token_px / 2);
    shape.silent_width = std::max(14, m_token_px * 4 / 3);
    std::vector<bool> open;
    for (int stream = 0; stream < m_model.streams(); ++stream) {
        open.push_back(m_arrangement.isOpen(stream));
    }
    m_columns.setShape(shape, open);
    reviseBands();
    reviseScrollRange();
    if (following() == Following::Stopped) {
        m_live.moveTo(static_cast<int>(static_cast<double>(m_columns.left(first)) + within));
    }
    viewport()->update();
}

void LanesView::reviseBands()
{
    const double box = QFontMetricsF(Appearance::tokenFont(m_token_px)).height() + 8;
    const double least = std::max(kLeastLanePx, box + 4);
    m_geometry.bands = laneBands(m_arrangement, 0, viewport()->height() - m_geometry.ruler_height, least, std::max(least, kMostLanePx));
    placeNameEdit();
}

void LanesView::reviseScrollRange()
{
    m_geometry.width = viewport()->width();
    m_geometry.height = viewport()->height();
    const double page = std::max(1.0, m_geometry.width - m_geometry.names_width);
    // Room behind the newest step for words that wait to enter.
    const double behind = std::clamp(page * 0.3, 24.0, 260.0);
    horizontalScrollBar()->setSingleStep(24);
    m_live.setRange(static_cast<double>(m_columns.total()) + std::floor(behind), static_cast<int>(page));
    m_live.byItself([this] {
        verticalScrollBar()->setPageStep(static_cast<int>(m_geometry.height));
        verticalScrollBar()->setSingleStep(24);
        verticalScrollBar()->setRange(0, static_cast<int>(std::max(0.0, m_geometry.lanesHeight() - (m_geometry.height - m_geometry.ruler_height))));
        if (following() == Following::Live) {
            horizontalScrollBar()->setValue(horizontalScrollBar()->maximum());
        }
    });
    m_geometry.scroll_x = horizontalScrollBar()->value();
    m_geometry.scroll_y = verticalScrollBar()->value();
    m_live.reviseButton();
}

void LanesView::paintEvent(QPaintEvent *)
{
    m_marks.current_match = m_finder.current();
    QPainter painter(viewport());
    const Theme &theme = m_appearance.theme();
    painter.fillRect(viewport()->rect(), theme.colour(ColourToken::Paper));
    paintLanes(painter, m_model, m_geometry, m_states, m_marks, theme, m_ramp, Appearance::tokenFont(m_token_px));
    paintLaneNames(painter, m_model, m_geometry, m_states, m_marks, theme);
    paintRuler(painter, m_model, m_geometry, m_marks, theme);
    if (m_marks.keep_until) {
        const std::int64_t lost = m_model.rows() - 1 - *m_marks.keep_until;
        const QString label =
            lost == 0 ? tr("Drag left to go back") : tr("Go on from step %1: %n taken back", nullptr, static_cast<int>(lost)).arg(*m_marks.keep_until + 1);
        const QFont font = Appearance::interfaceFont(12);
        const QFontMetricsF metrics(font);
        const double width = metrics.horizontalAdvance(label) + 20;
        const double x = std::clamp(m_geometry.xOf(*m_marks.keep_until + 1) + 12, m_geometry.names_width + 4,
                                    std::max(m_geometry.names_width + 4, m_geometry.width - width - 4));
        const QRectF box(x, m_geometry.ruler_height + 6, width, metrics.height() + 10);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.colour(ColourToken::Accent));
        painter.drawRoundedRect(box, 6, 6);
        painter.setFont(font);
        painter.setPen(theme.colour(ColourToken::OnAccent));
        painter.drawText(box, Qt::AlignCenter, label);
    }
    if (hasFocus()) {
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setPen(QPen(theme.colour(ColourToken::Accent), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(viewport()->rect().adjusted(1, 1, -1, -1));
    }
}

void LanesView::resizeEvent(QResizeEvent *)
{
    reviseBands();
    reviseScrollRange();
}

void LanesView::scrollContentsBy(int, int)
{
    m_geometry.scroll_x = horizontalScrollBar()->value();
    m_geometry.scroll_y = verticalScrollBar()->value();
    placeNameEdit();
    m_live.scrolled(horizontalScrollBar()->value() >= horizontalScrollBar()->maximum());
    viewport()->update();
}

// --- naming ----------------------------------------------------------------------------------------------------------------------

void LanesView::editName(int stream)
{
    const LaneBand *band = stream >= 0 && stream < m_model.streams() ? m_geometry.bandOf(stream) : nullptr;
    if (band == nullptr) {
        return;
    }
    // What is typed must be seen.
    const int top = static_cast<int>(band->top);
    const int bottom = static_cast<int>(band->top + band->height + m_geometry.ruler_height - m_geometry.height);
    verticalScrollBar()->setValue(std::clamp(verticalScrollBar()->value(), bottom, std::max(top, bottom)));
    m_name_edit->open(stream, m_model.nameOf(stream), layoutNameOf(m_model.layout().streams[static_cast<std::size_t>(stream)]));
    placeNameEdit();
}

void LanesView::placeNameEdit()
{
    const LaneBand *band = m_name_edit->isOpen() ? m_geometry.bandOf(m_name_edit->stream()) : nullptr;
    if (band != nullptr) {
        const int height = m_name_edit->sizeHint().height();
        const double middle = m_geometry.yOf(*band) + band->height / 2;
        const int ruler = static_cast<int>(m_geometry.ruler_height);
        const int top = std::clamp(static_cast<int>(middle) - height / 2, ruler, std::max(ruler, viewport()->height() - height));
        m_name_edit->setGeometry(kNameEditLeft, top, std::max(kLeastNameEdit, static_cast<int>(m_geometry.names_width) - kNameEditLeft), height);
    }
}

void LanesView::editNeighbourOf(int stream, int step)
{
    const int place = m_arrangement.placeOf(stream) + step;
    if (place >= 0 && place < m_model.streams()) {
        editName(m_arrangement.order[static_cast<std::size_t>(place)]);
    } else {
        setFocus();
    }
}

// --- following -------------------------------------------------------------------------------------------------------------------

void LanesView::followLive()
{
    m_live.setFollowing(Following::Live);
    reviseScrollRange();
    viewport()->update();
}

void LanesView::showRow(std::int64_t row)
{
    if (row < 0 || row >= m_model.rows()) {
        return;
    }
    const double left = m_geometry.xOf(row);
    const double right = m_geometry.xOf(row + 1);
    if (left < m_geometry.names_width || right > m_geometry.width) {
        const double page = m_geometry.width - m_geometry.names_width;
        horizontalScrollBar()->setValue(static_cast<int>(static_cast<double>(m_columns.left(row)) - page / 2));
    }
}

// --- finding ---------------------------------------------------------------------------------------------------------------------

int LanesView::search(const QString &needle, std::int64_t first_row)
{
    std::erase_if(m_matches, [first_row](const CellRef &match) { return match.row >= first_row; });
    for (std::int64_t row = first_row; row < m_model.rows() && !needle.isEmpty(); ++row) {
        for (const int stream : m_arrangement.order) {
            const streams::Cell &cell = m_model.cell({row, stream});
            if (!cell.isSilent() && cellText(cell).contains(needle, Qt::CaseInsensitive)) {
                m_matches.push_back({row, stream});
            }
        }
    }
    return static_cast<int>(m_matches.size());
}

// --- what a cell is, in words ----------------------------------------------------------------------------------------------------

QString LanesView::describe(CellRef ref) const
{
    if (!m_model.contains(ref)) {
        return {};
    }
    const streams::Cell &cell = m_model.cell(ref);
    const QString place = tr("%1, step %2").arg(m_model.nameOf(ref.stream)).arg(ref.row + 1);
    if (cell.isSilent()) {
        return cell.source == streams::CellSource::Silenced ? tr("%1: not asked").arg(place) : tr("%1: silent").arg(place);
    }
    const QString word = tr("%1: %2").arg(place, cellText(cell));
    return cell.source == streams::CellSource::Sampled ? tr("%1, probability %2").arg(word).arg(cell.probability, 0, 'f', 2) : word;
}

QString LanesView::newestText() const
{
    if (m_marks.cursor) {
        return describe(*m_marks.cursor);
    }
    QStringList cells;
    const std::int64_t newest = m_model.rows() - 1;
    for (const int stream : m_arrangement.order) {
        if (newest >= 0 && !m_model.cell({newest, stream}).isSilent()) {
            cells << describe({newest, stream});
        }
    }
    return cells.join(QStringLiteral("; "));
}

}  // namespace braid::ui
