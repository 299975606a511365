// Braid's icon in the desktop's tray: whether it listens, and what is wanted without the window. Where there is no tray, or it is not wanted, nothing
// is shown. GUI thread; what it is given outlives it.
#pragma once

#include <memory>

#include <QIcon>
#include <QObject>

#include "ui/shared/run_dot.h"
#include "ui/state/settings.h"

class QAction;
class QMenu;
class QSystemTrayIcon;
class QWidget;

namespace braid::ui {

// The program's icon, with a dot while it listens, half of one while it finishes.
[[nodiscard]] QIcon trayIcon(RunActivity activity);
// "Braid listens to Desk Microphone".
[[nodiscard]] QString trayText(RunActivity activity, const QString &source);

class Tray : public QObject {
    Q_OBJECT
  public:
    Tray(SettingsStore &settings, QWidget &window);
    ~Tray() override;
    void setState(RunActivity activity, const QString &source);
    void setOverlayShown(bool shown);
    [[nodiscard]] QMenu &menu() noexcept { return *m_menu; }
    [[nodiscard]] QString text() const;

  Q_SIGNALS:
    void startStopRequested();
    void overlayRequested();

  private:
    void apply();
    void bringWindow();

    SettingsStore &m_settings;
    QWidget &m_window;
    std::unique_ptr<QMenu> m_menu;
    std::unique_ptr<QSystemTrayIcon> m_icon;
    QAction *m_start;
    QAction *m_overlay;
};

}  // namespace braid::ui
