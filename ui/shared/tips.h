// Tool tips that depend on the point within a widget.
#pragma once

#include <functional>

#include <QHelpEvent>
#include <QToolTip>
#include <QWidget>

namespace braid::ui {

// Shows or hides the tip for `event`; false where it is not about tips.
inline bool showedTip(QWidget &widget, QEvent *event, const std::function<QString(const QPointF &)> &text_at)
{
    if (event->type() != QEvent::ToolTip) {
        return false;
    }
    const auto *help = static_cast<QHelpEvent *>(event);
    const QString text = text_at(help->pos());
    if (text.isEmpty()) {
        QToolTip::hideText();
    } else {
        QToolTip::showText(help->globalPos(), text, &widget, QRect(help->pos() - QPoint(2, 2), QSize(4, 4)));
    }
    return true;
}

}  // namespace braid::ui
