// A panel that a button of a row opens below itself. GUI thread.
#pragma once

class QWidget;

namespace braid::ui {

// Shows `panel`, a popup that has its size, below `button`, inside the screen; it takes the focus.
void openBelow(QWidget &panel, const QWidget &button);

}  // namespace braid::ui
