// A room of the window (Captions, Translation, Streams): what the window's keys, its menu and files dropped on it do, on whichever
// room shows. GUI thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include <QWidget>

namespace braid::ui {

enum class Presentation : std::uint8_t { Window = 1, Presenting };
enum class KeyUse : std::uint8_t { Taken = 1, NotMine };

class RoomPage : public QWidget {
    Q_OBJECT
  public:
    using QWidget::QWidget;

    virtual void startOrStop() = 0;  // Space
    virtual void goLive() = 0;       // L: to the newest
    virtual void find() = 0;         // "/"
    virtual void save() = 0;         // Ctrl+E
    virtual void openDialog() = 0;   // Ctrl+O
    virtual void openFiles(const std::vector<std::filesystem::path> &files) = 0;
    virtual void newPage() = 0;                                   // Ctrl+N
    virtual void setInspectorOpen(bool open) = 0;                 // I
    virtual void openInspectorTab(int tab) = 0;                   // Alt+1 and on; a tab the room does not have changes nothing
    virtual void setPresentation(Presentation presentation) = 0;  // F11
    virtual void compare() = 0;                                   // C
    virtual void openTuning() = 0;                                // D
    virtual void stepTuning(int direction) = 0;                   // [ and ]
    // The height of the screen in its letters' sizes while it presents: fewer are larger.
    [[nodiscard]] virtual int presentedLetters() const { return 11; }
    // Where keys go when the room is entered.
    virtual void takeFocus() = 0;
    // A plain key that means something in this room only.
    [[nodiscard]] virtual KeyUse takeKey(int) { return KeyUse::NotMine; }

  Q_SIGNALS:
    void captionSizeRequested(int steps);
};

}  // namespace braid::ui
