// What hands do on the lanes: pointing, pinning, folding, moving and naming lanes, rewinding, keys. What they show is in lanes_view.cpp.
#include <algorithm>
#include <cmath>

#include <QApplication>
#include <QMouseEvent>
#include <QScrollBar>

#include "ui/shared/tips.h"
#include "ui/streams/lanes_view.h"

namespace braid::ui {

// --- pointing --------------------------------------------------------------------------------------------------------------------

QString LanesView::tipAt(const QPointF &point) const
{
    const LanesHit hit = m_geometry.at(point);
    switch (hit.part) {
    case LanesPart::RewindHandle:
        return tr("Drag left to take steps back and go on from there with other words ([ and ] do the same, Enter confirms)");
    case LanesPart::Ruler:
        return tr("Step %1, made after %2").arg(hit.cell.row + 1).arg(stepClockText(m_model.timeOf(hit.cell.row)));
    case LanesPart::FoldButton:
        return m_arrangement.isOpen(hit.cell.stream) ? tr("Fold %1 (F)").arg(m_model.nameOf(hit.cell.stream))
                                                     : tr("Open %1 (F)").arg(m_model.nameOf(hit.cell.stream));
    case LanesPart::Name:
        return tr("%1. Drag to move the lane (Ctrl+Up, Ctrl+Down), double click to rename it (F2); right click for more").arg(m_model.nameOf(hit.cell.stream));
    case LanesPart::Cell: {
        const QString text = describe(hit.cell);
        const auto end = m_model.endOf(hit.cell.stream);
        return end && end->row == hit.cell.row ? tr("%1. The stream has ended: %2").arg(text, endReasonText(end->reason)) : text;
    }
    case LanesPart::Waiting:
    case LanesPart::Nothing:
        break;
    }
    return {};
}

bool LanesView::viewportEvent(QEvent *event)
{
    if (event->type() == QEvent::Leave) {
        setHovered({});
    }
    return showedTip(*viewport(), event, [this](const QPointF &point) { return tipAt(point); }) || QAbstractScrollArea::viewportEvent(event);
}

void LanesView::setHovered(std::optional<CellRef> ref)
{
    if (ref != m_marks.hovered) {
        m_marks.hovered = ref;
        viewport()->update();
        Q_EMIT hoveredChanged();
    }
}

void LanesView::pin(std::optional<CellRef> ref)
{
    if (ref != m_marks.pinned) {
        m_marks.pinned = ref;
        viewport()->update();
        Q_EMIT pinnedChanged();
    }
}

void LanesView::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton) {
        return;
    }
    m_press_position = event->pos();
    m_has_panned = false;
    const LanesHit hit = m_geometry.at(event->position());
    switch (hit.part) {
    case LanesPart::RewindHandle:
        m_drags_handle = true;
        beginRewind();
        viewport()->setCursor(Qt::SizeHorCursor);
        break;
    case LanesPart::FoldButton:
        toggleFold(hit.cell.stream);
        break;
    case LanesPart::Name:
        m_pressed_lane = hit.cell.stream;
        break;
    case LanesPart::Ruler:
    case LanesPart::Cell:
    case LanesPart::Waiting:
        m_pan_from = event->position().x();
        break;
    case LanesPart::Nothing:
        break;
    }
}

void LanesView::mouseMoveEvent(QMouseEvent *event)
{
    const QPointF point = event->position();
    const bool far = (event->pos() - m_press_position).manhattanLength() >= QApplication::startDragDistance();
    if (m_drags_handle) {
        m_marks.keep_until = m_geometry.lastRowKeptAt(point.x());
        if (point.x() < m_geometry.names_width) {  // further back than can be seen
            horizontalScrollBar()->setValue(horizontalScrollBar()->value() - 24);
        }
        viewport()->update();
    } else if (m_pressed_lane >= 0 && (far || m_marks.dragged_lane)) {
        m_marks.dragged_lane = m_pressed_lane;
        m_marks.drop_place = m_geometry.placeAt(point.y());
        viewport()->setCursor(Qt::ClosedHandCursor);
        viewport()->update();
    } else if (m_pan_from && (far || m_has_panned)) {
        m_has_panned = true;
        viewport()->setCursor(Qt::ClosedHandCursor);
        const int moved = static_cast<int>(std::lround(point.x() - *m_pan_from));
        horizontalScrollBar()->setValue(horizontalScrollBar()->value() - moved);
        m_pan_from = point.x();
    } else if (event->buttons() == Qt::NoButton) {
        const LanesHit hit = m_geometry.at(point);
        setHovered(hit.part == LanesPart::Cell ? std::optional(hit.cell) : std::nullopt);
        viewport()->setCursor(hit.part == LanesPart::RewindHandle                                ? Qt::SizeHorCursor
                              : hit.part == LanesPart::FoldButton || hit.part == LanesPart::Cell ? Qt::PointingHandCursor
                              : hit.part == LanesPart::Name                                      ? Qt::OpenHandCursor
                                                                                                 : Qt::ArrowCursor);
    }
}

void LanesView::mouseReleaseEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton) {
        return;
    }
    viewport()->unsetCursor();
    if (m_drags_handle) {
        m_drags_handle = false;
        confirmRewind();
    } else if (m_marks.dragged_lane) {
        // The place is counted with the lane itself; taking it out closes the gap.
        const int from = m_arrangement.placeOf(*m_marks.dragged_lane);
        m_arrangement.move(*m_marks.dragged_lane, m_marks.drop_place > from ? m_marks.drop_place - 1 : m_marks.drop_place);
        m_marks.dragged_lane.reset();
        m_marks.drop_place = -1;
        reshape();
        Q_EMIT arrangementChanged();
    } else if (m_pan_from && !m_has_panned) {
        const LanesHit hit = m_geometry.at(event->position());
        if (hit.part == LanesPart::Cell) {
            m_marks.cursor.reset();
            pin(m_marks.pinned == hit.cell ? std::nullopt : std::optional(hit.cell));
        } else {
            pin({});
        }
    }
    m_pressed_lane = -1;
    m_pan_from.reset();
}

void LanesView::mouseDoubleClickEvent(QMouseEvent *event)
{
    const LanesHit hit = m_geometry.at(event->position());
    if (event->button() == Qt::LeftButton && hit.part == LanesPart::Name) {
        m_pressed_lane = -1;
        editName(hit.cell.stream);
    } else {
        mousePressEvent(event);  // two quick clicks on a fold button or a word are two clicks
    }
}

void LanesView::contextMenuEvent(QContextMenuEvent *event)
{
    const bool by_key = event->reason() == QContextMenuEvent::Keyboard;
    const LanesHit hit = m_geometry.at(event->pos());
    if (by_key) {
        openLaneMenuByKey();
    } else if (hit.part == LanesPart::Name || hit.part == LanesPart::FoldButton || hit.part == LanesPart::Cell || hit.part == LanesPart::Waiting) {
        Q_EMIT laneMenuRequested(hit.cell.stream, event->globalPos());
    }
    event->accept();
}

// Below the name of the lane that the cursor is in.
void LanesView::openLaneMenuByKey()
{
    const int stream = cursorOrNewest().stream;
    if (const LaneBand *band = m_model.streams() > 0 ? m_geometry.bandOf(stream) : nullptr) {
        Q_EMIT laneMenuRequested(stream, viewport()->mapToGlobal(QPoint(20, static_cast<int>(m_geometry.yOf(*band) + band->height))));
    }
}

void LanesView::wheelEvent(QWheelEvent *event)
{
    const QPoint delta = event->angleDelta();
    if (const auto steps = sizeSteps(*event)) {
        if (*steps != 0) {
            Q_EMIT tokenSizeRequested(*steps);
        }
    } else if (event->modifiers().testFlag(Qt::ShiftModifier)) {
        verticalScrollBar()->setValue(verticalScrollBar()->value() - (delta.y() != 0 ? delta.y() : delta.x()));
    } else {
        // Time runs to the right: the wheel goes along it.
        horizontalScrollBar()->setValue(horizontalScrollBar()->value() - (std::abs(delta.x()) > std::abs(delta.y()) ? delta.x() : delta.y()));
    }
    event->accept();
}

// --- folding and rewinding -------------------------------------------------------------------------------------------------------

void LanesView::toggleFold(int stream)
{
    m_arrangement.setFold(stream, m_arrangement.isOpen(stream) ? LaneFold::Folded : LaneFold::Open);
    reshape();
    Q_EMIT arrangementChanged();
}

void LanesView::beginRewind()
{
    if (!m_marks.keep_until && m_model.rows() > 0) {
        m_marks.keep_until = m_model.rows() - 1;
        viewport()->update();
        Q_EMIT rewindChosen();
    }
}

void LanesView::moveRewindMark(int rows)
{
    beginRewind();
    if (m_marks.keep_until) {
        m_marks.keep_until = std::clamp<std::int64_t>(*m_marks.keep_until + rows, -1, m_model.rows() - 1);
        showRow(std::max<std::int64_t>(0, *m_marks.keep_until));
        announceText(this,
                     tr("Go on from step %1: %n taken back", nullptr, static_cast<int>(m_model.rows() - 1 - *m_marks.keep_until)).arg(*m_marks.keep_until + 1));
        viewport()->update();
    }
}

void LanesView::confirmRewind()
{
    const auto kept = m_marks.keep_until;
    m_marks.keep_until.reset();
    viewport()->update();
    if (kept && *kept < m_model.rows() - 1) {
        Q_EMIT rewindRequested(*kept);
    } else if (kept) {
        Q_EMIT rewindCancelled();
    }
}

void LanesView::cancelRewind()
{
    m_drags_handle = false;
    if (m_marks.keep_until) {
        m_marks.keep_until.reset();
        viewport()->update();
        Q_EMIT rewindCancelled();
    }
}

// --- keys ------------------------------------------------------------------------------------------------------------------------

CellRef LanesView::cursorOrNewest() const
{
    if (m_marks.cursor) {
        return *m_marks.cursor;
    }
    const int first = m_arrangement.order.empty() ? 0 : m_arrangement.order.front();
    return m_marks.pinned.value_or(CellRef{std::max<std::int64_t>(0, m_model.rows() - 1), first});
}

void LanesView::moveCursor(CellRef to)
{
    if (m_model.rows() == 0) {
        return;
    }
    to.row = std::clamp<std::int64_t>(to.row, 0, m_model.rows() - 1);
    m_marks.cursor = to;
    showRow(to.row);
    viewport()->update();
    Q_EMIT hoveredChanged();  // the Inspector follows the cursor as it follows the pointer
    announceText(this, describe(to));
}

bool LanesView::handleArrow(int key, Qt::KeyboardModifiers modifiers)
{
    CellRef at = cursorOrNewest();
    const bool has_control = modifiers.testFlag(Qt::ControlModifier);
    const int place = m_arrangement.placeOf(at.stream);
    switch (key) {
    case Qt::Key_Left:
    case Qt::Key_Right: {
        const auto direction = key == Qt::Key_Left ? LanesModel::Direction::Back : LanesModel::Direction::On;
        if (!m_marks.cursor) {
            moveCursor(at);
        } else if (has_control) {
            const std::int64_t word = m_model.nextWord(at.stream, at.row + static_cast<int>(direction), direction);
            moveCursor({word >= 0 ? word : at.row, at.stream});
        } else {
            moveCursor({at.row + static_cast<int>(direction), at.stream});
        }
        return true;
    }
    case Qt::Key_Up:
    case Qt::Key_Down: {
        const int to = std::clamp(place + (key == Qt::Key_Up ? -1 : 1), 0, std::max(0, m_model.streams() - 1));
        if (has_control) {
            m_arrangement.move(at.stream, to);
            m_marks.cursor = at;
            reshape();
            Q_EMIT arrangementChanged();
        } else if (!m_arrangement.order.empty()) {
            moveCursor({at.row, m_arrangement.order[static_cast<std::size_t>(to)]});
        }
        return true;
    }
    case Qt::Key_Home:
        moveCursor({0, at.stream});
        return true;
    case Qt::Key_End:
        moveCursor({m_model.rows() - 1, at.stream});
        return true;
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
        horizontalScrollBar()->triggerAction(key == Qt::Key_PageUp ? QAbstractSlider::SliderPageStepSub : QAbstractSlider::SliderPageStepAdd);
        return true;
    default:
        return false;
    }
}

void LanesView::keyPressEvent(QKeyEvent *event)
{
    if (m_model.streams() > 0 && handleArrow(event->key(), event->modifiers())) {
        return;
    }
    switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_marks.keep_until) {
            confirmRewind();
        } else if (m_marks.cursor) {
            pin(m_marks.pinned == m_marks.cursor ? std::nullopt : m_marks.cursor);
        }
        return;
    case Qt::Key_Escape:
        if (m_marks.keep_until) {
            cancelRewind();
            return;
        }
        if (m_marks.cursor || m_marks.pinned) {
            m_marks.cursor.reset();
            pin({});
            viewport()->update();
            Q_EMIT hoveredChanged();
            return;
        }
        break;
    case Qt::Key_BracketLeft:
        moveRewindMark(-1);
        return;
    case Qt::Key_BracketRight:
        moveRewindMark(1);
        return;
    case Qt::Key_BraceLeft:
        moveRewindMark(-10);
        return;
    case Qt::Key_BraceRight:
        moveRewindMark(10);
        return;
    case Qt::Key_F2:
        editName(cursorOrNewest().stream);
        return;
    case Qt::Key_F10:
        if (event->modifiers() & Qt::ShiftModifier) {  // many keyboards have no menu key
            openLaneMenuByKey();
            return;
        }
        break;
    case Qt::Key_F:
        if (!(event->modifiers() & Qt::ControlModifier) && m_model.streams() > 0) {
            toggleFold(cursorOrNewest().stream);
            return;
        }
        break;
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

void LanesView::focusInEvent(QFocusEvent *event)
{
    QAbstractScrollArea::focusInEvent(event);
    viewport()->update();
}

void LanesView::focusOutEvent(QFocusEvent *event)
{
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

}  // namespace braid::ui
