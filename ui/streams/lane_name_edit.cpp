#include "ui/streams/lane_name_edit.h"

#include <utility>

#include <QKeyEvent>

#include "ui/streams/lane_look.h"

namespace braid::ui {
namespace {

constexpr int kMostTyped = 400;  // a pasted book stops here; what of it can be a name is decided later

}  // namespace

LaneNameEdit::LaneNameEdit(QWidget *parent)
    : QLineEdit(parent)
{
    setObjectName(QStringLiteral("laneName"));
    setAccessibleName(tr("Name of the lane"));
    setAccessibleDescription(tr("Enter keeps the name, Escape leaves it as it was, Up and Down go to the neighbours' names."));
    setMaxLength(kMostTyped);
    hide();
}

void LaneNameEdit::open(int stream, const QString &name, const QString &layout_name)
{
    m_stream = stream;
    m_before = name;
    setAccessibleName(tr("Name of the lane %1").arg(name));
    setPlaceholderText(layout_name);
    setText(name);
    selectAll();
    show();
    setFocus(Qt::OtherFocusReason);
}

void LaneNameEdit::cancel()
{
    m_stream = -1;  // before it loses the keys, which would keep what was typed
    hide();
}

void LaneNameEdit::keep()
{
    const int stream = std::exchange(m_stream, -1);
    const QString name = laneNameFrom(text());
    if (stream >= 0 && !name.isEmpty() && name != m_before) {
        Q_EMIT named(stream, name);
    }
}

void LaneNameEdit::keyPressEvent(QKeyEvent *event)
{
    // Hidden only when another has taken the keys: hiding the focused widget would hand them to whoever is next.
    switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        keep();
        Q_EMIT ended();
        hide();
        break;
    case Qt::Key_Escape:
        m_stream = -1;
        Q_EMIT ended();
        hide();
        break;
    case Qt::Key_Up:
    case Qt::Key_Down: {
        const int stream = m_stream;
        keep();
        Q_EMIT neighbourRequested(stream, event->key() == Qt::Key_Up ? -1 : 1);
        setVisible(isOpen());
        break;
    }
    default:
        QLineEdit::keyPressEvent(event);
        break;
    }
    event->accept();  // the window's single keys are letters of a name here
}

void LaneNameEdit::focusOutEvent(QFocusEvent *event)
{
    QLineEdit::focusOutEvent(event);
    // Its own menu, or another program in front, does not end it.
    if (isOpen() && event->reason() != Qt::PopupFocusReason && event->reason() != Qt::ActiveWindowFocusReason) {
        keep();
        hide();
    }
}

}  // namespace braid::ui
