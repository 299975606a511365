// The strip of captions over other windows: no frame, always on top, at the top or the bottom of a screen or where it was put; dragged with the
// pointer, made wider at its ends. Where it stood is remembered for each screen. GUI thread.
#pragma once

#include <QPointer>
#include <QWidget>

#include "ui/state/settings.h"

class QScreen;

namespace braid::ui {

class OverlayCanvas;
class OverlaySource;

// Where the strip goes on a screen whose free room is `room`, `height` high. Free places that lie outside are brought back in.
[[nodiscard]] QRect overlayRect(const QRect &room, const OverlayPlace &place, int height);

// What a screen's place is kept under; some systems give their screens no names.
[[nodiscard]] QString screenKey(const QScreen &screen);

class OverlayWindow : public QWidget {
    Q_OBJECT
  public:
    OverlayWindow(SettingsStore &settings, OverlaySource &captions, OverlaySource &translation);

    [[nodiscard]] OverlayCanvas &canvas() noexcept { return *m_canvas; }
    // On the screen where it stood last, else on that of `near`.
    void showNear(const QWidget &near);
    // The screens that the system lets programs choose a place on: not under Wayland.
    [[nodiscard]] static bool canChoosePlace();

  Q_SIGNALS:
    void optionsRequested();
    void shownChanged();

  protected:
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

  private:
    enum class Grip : std::uint8_t { Whole = 1, Left, Right };
    void apply();
    void place();
    void keepPlace();
    [[nodiscard]] Grip gripAt(const QPoint &point) const;
    [[nodiscard]] QScreen *chosenScreen() const;
    [[nodiscard]] QString chosenKey() const;

    SettingsStore &m_settings;
    OverlayCanvas *m_canvas;
    QPointer<QScreen> m_near;
    Grip m_grip = Grip::Whole;
    QPoint m_pressed_at;
    QRect m_pressed_geometry;
    bool m_is_moved = false;
};

}  // namespace braid::ui
