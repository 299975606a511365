// What screen readers are told about a view of text that comes: settled lines, once each; the word under the keyboard cursor. Never the tail.
// (Qt 6.4 has no announcement event: a text insertion of the settled line is what readers speak.)
#pragma once

#include <QString>

class QWidget;

namespace braid::ui {

// A widget that shows settled text.
class SettledText {
  public:
    virtual ~SettledText() = default;
    // What a reader asked for the text reads: the newest of it.
    [[nodiscard]] virtual QString newestText() const = 0;
};

// Registers the interface for widgets that are SettledText; call once per process before a window is shown.
void installTranscriptAccessibility();
// A line, or the word under the cursor.
void announceText(QWidget *view, const QString &text);

}  // namespace braid::ui
