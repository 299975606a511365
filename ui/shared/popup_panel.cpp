#include "ui/shared/popup_panel.h"

#include <algorithm>

#include <QScreen>
#include <QWidget>

namespace braid::ui {

void openBelow(QWidget &panel, const QWidget &button)
{
    QPoint at = button.mapToGlobal(QPoint(0, button.height() + 4));
    if (const QScreen *screen = button.screen()) {
        const QRect room = screen->availableGeometry();
        at.setX(std::clamp(at.x(), room.left(), std::max(room.left(), room.right() - panel.width())));
    }
    panel.move(at);
    panel.show();
    panel.setFocus();
}

}  // namespace braid::ui
