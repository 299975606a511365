// What a person sees first: what Braid does, where sound and words stay and how not to keep them, what the model in the box is good for; and the one
// button. Above the sample that is captioned meanwhile. GUI thread.
#pragma once

#include <QFrame>

#include "ui/state/settings.h"

class QPushButton;

namespace braid::ui {

class WelcomeCard : public QFrame {
    Q_OBJECT
  public:
    // `kept_in`: the folder of the journals, as people write it; empty: nothing is kept.
    WelcomeCard(SettingsStore &settings, const QString &kept_in, QWidget *parent = nullptr);
    // Whether a page `height` high has room for the time axis, too: words come first.
    [[nodiscard]] static bool leavesRoomIn(int height) { return height >= 560; }
    // The three lines, for tests and screen readers.
    [[nodiscard]] QStringList lines() const { return m_lines; }

  Q_SIGNALS:
    void microphoneWanted();
    void betterModelWanted();
    void dismissed();

  private:
    QStringList m_lines;
};

// "~/.local/share" of "/home/ada/.local/share".
[[nodiscard]] QString homeAsTilde(const QString &path);

}  // namespace braid::ui
