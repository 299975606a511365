// The keys and gestures of the window, for people to look up (F1).
#pragma once

class QWidget;

namespace braid::ui {

// Opens over `parent` and deletes itself when closed.
void showKeysDialog(QWidget *parent);

}  // namespace braid::ui
