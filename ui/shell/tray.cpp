#include "ui/shell/tray.h"

#include <QMenu>
#include <QPainter>
#include <QSystemTrayIcon>
#include <QWidget>

#include "ui/shared/icons.h"

namespace braid::ui {
namespace {

constexpr int kIconPx = 64;
const QColor kListening(0xD5, 0x5E, 0x00);  // seen on light trays and dark ones

}  // namespace

QIcon trayIcon(RunActivity activity)
{
    QPixmap picture(kIconPx, kIconPx);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    programIcon().paint(&painter, picture.rect());
    if (activity != RunActivity::Idle) {
        painter.setRenderHint(QPainter::Antialiasing);
        const QRectF dot(picture.width() * 0.55, picture.height() * 0.55, picture.width() * 0.43, picture.height() * 0.43);
        painter.setPen(QPen(Qt::white, picture.width() * 0.05));
        painter.setBrush(kListening);
        // A shape says it, too, not its colour alone.
        if (activity == RunActivity::Stopping) {
            painter.drawPie(dot, 90 * 16, 180 * 16);
        } else {
            painter.drawEllipse(dot);
        }
    }
    painter.end();
    return {picture};
}

QString trayText(RunActivity activity, const QString &source)
{
    switch (activity) {
    case RunActivity::Idle:
        break;
    case RunActivity::Running:
        return source.isEmpty() ? QObject::tr("Braid listens") : QObject::tr("Braid listens to %1").arg(source);
    case RunActivity::Stopping:
        return QObject::tr("Braid captions what was heard");
    }
    return QObject::tr("Braid does not listen");
}

Tray::Tray(SettingsStore &settings, QWidget &window)
    : m_settings(settings)
    , m_window(window)
    , m_menu(std::make_unique<QMenu>())
    , m_icon(std::make_unique<QSystemTrayIcon>())
    , m_start(m_menu->addAction(tr("Start")))
    , m_overlay(m_menu->addAction(tr("Overlay")))
{
    m_overlay->setCheckable(true);
    m_menu->addSeparator();
    connect(m_menu->addAction(tr("Show the window")), &QAction::triggered, this, &Tray::bringWindow);
    connect(m_menu->addAction(tr("Quit")), &QAction::triggered, &window, &QWidget::close);
    connect(m_start, &QAction::triggered, this, &Tray::startStopRequested);
    connect(m_overlay, &QAction::triggered, this, &Tray::overlayRequested);
    connect(m_icon.get(), &QSystemTrayIcon::activated, this, [this](QSystemTrayIcon::ActivationReason reason) {
        if (reason == QSystemTrayIcon::Trigger) {
            bringWindow();
        }
    });
    connect(&settings, &SettingsStore::changed, this, &Tray::apply);
    m_icon->setContextMenu(m_menu.get());
    setState(RunActivity::Idle, {});
    apply();
}

Tray::~Tray() = default;

void Tray::apply()
{
    m_icon->setVisible(m_settings.values().tray_icon && QSystemTrayIcon::isSystemTrayAvailable());
}

void Tray::setState(RunActivity activity, const QString &source)
{
    m_icon->setIcon(trayIcon(activity));
    m_icon->setToolTip(trayText(activity, source));
    m_start->setText(activity == RunActivity::Idle ? tr("Start") : tr("Stop"));
}

void Tray::setOverlayShown(bool shown)
{
    m_overlay->setChecked(shown);
}

QString Tray::text() const
{
    return m_icon->toolTip();
}

void Tray::bringWindow()
{
    m_window.setWindowState(m_window.windowState() & ~Qt::WindowMinimized);
    m_window.show();
    m_window.raise();
    m_window.activateWindow();
}

}  // namespace braid::ui
