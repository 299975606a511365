#include "ui/overlay/overlay_window.h"

#include <algorithm>

#include <QActionGroup>
#include <QApplication>
#include <QContextMenuEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QScreen>
#include <QVBoxLayout>
#include <QWindow>

#include "ui/overlay/overlay_canvas.h"

namespace braid::ui {
namespace {

constexpr int kLeastWidth = 240;
constexpr int kEdge = 14;  // how near to an end the pointer takes hold of it
constexpr int kMargin = 24;
constexpr double kDockedShare = 0.8;  // of the screen's width

}  // namespace

QRect overlayRect(const QRect &room, const OverlayPlace &place, int height)
{
    const int most = room.width();
    if (place.dock == OverlayDock::Free && !place.free.isEmpty()) {
        QRect wanted(room.topLeft() + place.free.topLeft(), QSize(std::clamp(place.free.width(), std::min(kLeastWidth, most), most), height));
        wanted.moveLeft(std::clamp(wanted.left(), room.left(), std::max(room.left(), room.right() + 1 - wanted.width())));
        wanted.moveTop(std::clamp(wanted.top(), room.top(), std::max(room.top(), room.bottom() + 1 - height)));
        return wanted;
    }
    const int width = std::clamp(static_cast<int>(most * kDockedShare), std::min(kLeastWidth, most), most);
    const int left = room.left() + (most - width) / 2;
    const int top = place.dock == OverlayDock::Top ? room.top() + kMargin : room.bottom() + 1 - kMargin - height;
    return {left, std::max(room.top(), top), width, height};
}

QString screenKey(const QScreen &screen)
{
    return screen.name().isEmpty() ? QStringLiteral("screen") : screen.name();
}

OverlayWindow::OverlayWindow(SettingsStore &settings, OverlaySource &captions, OverlaySource &translation)
    : QWidget(nullptr, Qt::Tool | Qt::FramelessWindowHint | Qt::WindowStaysOnTopHint | Qt::WindowDoesNotAcceptFocus | Qt::NoDropShadowWindowHint)
    , m_settings(settings)
    , m_canvas(new OverlayCanvas(captions, translation, Backdrop::Translucent, this))
{
    setAttribute(Qt::WA_TranslucentBackground);
    setAttribute(Qt::WA_ShowWithoutActivating);
    setAttribute(Qt::WA_QuitOnClose, false);
    setWindowTitle(tr("Braid captions"));
    setAccessibleName(tr("Captions over other windows"));
    setToolTip(tr("Drag to move, drag an end to make it wider; the right button for more"));
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_canvas);
    m_canvas->setAttribute(Qt::WA_TransparentForMouseEvents);
    setMouseTracking(true);
    connect(&settings, &SettingsStore::changed, this, [this](const Settings &before) {
        if (!(before.overlay == m_settings.values().overlay)) {
            apply();
        }
    });
    const auto place_anew = [this] {
        if (isVisible()) {
            place();
        }
    };
    connect(qApp, &QGuiApplication::screenAdded, this, place_anew);
    connect(qApp, &QGuiApplication::screenRemoved, this, place_anew);
    m_canvas->setOptions(settings.values().overlay);
}

bool OverlayWindow::canChoosePlace()
{
    return !QGuiApplication::platformName().startsWith(QLatin1String("wayland"));
}

QScreen *OverlayWindow::chosenScreen() const
{
    const QString wanted = m_settings.values().overlay.screen;
    for (QScreen *each : QGuiApplication::screens()) {
        if (screenKey(*each) == wanted) {
            return each;
        }
    }
    return m_near != nullptr ? m_near.data() : QGuiApplication::primaryScreen();
}

QString OverlayWindow::chosenKey() const
{
    const QScreen *on = chosenScreen();
    return on == nullptr ? QString() : screenKey(*on);
}

void OverlayWindow::showNear(const QWidget &near)
{
    m_near = near.screen();
    apply();
    show();
    raise();
}

void OverlayWindow::apply()
{
    const OverlayOptions &options = m_settings.values().overlay;
    m_canvas->setOptions(options);
    const bool passes = options.clicks == OverlayClicks::PassThrough;
    if (windowFlags().testFlag(Qt::WindowTransparentForInput) != passes) {
        const bool was_visible = isVisible();
        setWindowFlag(Qt::WindowTransparentForInput, passes);  // hides it
        setVisible(was_visible);
    }
    if (!m_is_moved) {
        place();
    }
}

void OverlayWindow::place()
{
    if (const QScreen *on = chosenScreen()) {
        setGeometry(overlayRect(on->availableGeometry(), m_settings.values().overlay.places.value(screenKey(*on)), m_canvas->neededHeight()));
    }
}

// Where a person put it, on the screen that holds most of it.
void OverlayWindow::keepPlace()
{
    QScreen *on = QGuiApplication::screenAt(geometry().center());
    if (on == nullptr) {
        on = chosenScreen();
    }
    if (on == nullptr) {
        return;
    }
    const QRect kept(geometry().topLeft() - on->availableGeometry().topLeft(), size());
    m_settings.update([&](Settings &s) {
        s.overlay.screen = screenKey(*on);
        s.overlay.places[screenKey(*on)] = {OverlayDock::Free, kept};
    });
}

OverlayWindow::Grip OverlayWindow::gripAt(const QPoint &point) const
{
    return point.x() < kEdge ? Grip::Left : point.x() >= width() - kEdge ? Grip::Right : Grip::Whole;
}

void OverlayWindow::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton) {
        return;
    }
    m_grip = gripAt(event->pos());
    if (!canChoosePlace() && windowHandle() != nullptr) {
        if (m_grip == Grip::Whole) {
            windowHandle()->startSystemMove();
        } else {
            windowHandle()->startSystemResize(m_grip == Grip::Left ? Qt::LeftEdge : Qt::RightEdge);
        }
        return;
    }
    m_is_moved = true;
    m_pressed_at = event->globalPosition().toPoint();
    m_pressed_geometry = geometry();
}

void OverlayWindow::mouseMoveEvent(QMouseEvent *event)
{
    if (!m_is_moved) {
        setCursor(gripAt(event->pos()) == Grip::Whole ? Qt::SizeAllCursor : Qt::SizeHorCursor);
        return;
    }
    const QPoint by = event->globalPosition().toPoint() - m_pressed_at;
    QRect wanted = m_pressed_geometry;
    if (m_grip == Grip::Whole) {
        wanted.translate(by);
    } else if (m_grip == Grip::Left) {
        wanted.setLeft(std::min(wanted.left() + by.x(), wanted.right() - kLeastWidth));
    } else {
        wanted.setRight(std::max(wanted.right() + by.x(), wanted.left() + kLeastWidth));
    }
    setGeometry(wanted);
}

void OverlayWindow::mouseReleaseEvent(QMouseEvent *)
{
    if (m_is_moved && geometry() != m_pressed_geometry) {
        keepPlace();
    }
    m_is_moved = false;
}

void OverlayWindow::contextMenuEvent(QContextMenuEvent *event)
{
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const OverlayOptions &now = m_settings.values().overlay;
    const auto choices = [&](const std::vector<std::pair<QString, int>> &titles, int chosen, const std::function<void(OverlayOptions &, int)> &set) {
        auto *group = new QActionGroup(menu);
        for (const auto &[title, value] : titles) {
            QAction *action = group->addAction(menu->addAction(title));
            action->setCheckable(true);
            action->setChecked(value == chosen);
            connect(action, &QAction::triggered, this, [this, set, value = value] { m_settings.update([&](Settings &s) { set(s.overlay, value); }); });
        }
        menu->addSeparator();
    };
    if (canChoosePlace()) {
        choices({{tr("At the top"), static_cast<int>(OverlayDock::Top)},
                 {tr("At the bottom"), static_cast<int>(OverlayDock::Bottom)},
                 {tr("Where I put it"), static_cast<int>(OverlayDock::Free)}},
                static_cast<int>(now.places.value(chosenKey()).dock),
                [name = chosenKey()](OverlayOptions &options, int dock) { options.places[name].dock = static_cast<OverlayDock>(dock); });
    }
    choices({{tr("Original"), static_cast<int>(OverlayShows::Original)},
             {tr("Translation"), static_cast<int>(OverlayShows::Translation)},
             {tr("Both"), static_cast<int>(OverlayShows::Both)}},
            static_cast<int>(now.shows), [](OverlayOptions &options, int shows) { options.shows = static_cast<OverlayShows>(shows); });
    connect(menu->addAction(tr("Font, colours and more\u2026")), &QAction::triggered, this, &OverlayWindow::optionsRequested);
    connect(menu->addAction(tr("Close the overlay")), &QAction::triggered, this, &QWidget::hide);
    menu->popup(event->globalPos());
}

void OverlayWindow::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    Q_EMIT shownChanged();
}

void OverlayWindow::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    Q_EMIT shownChanged();
}

}  // namespace braid::ui
