#include "ui/shared/icons.h"

#include <QFile>
#include <QPainter>
#include <QPixmap>
#include <QSvgRenderer>

static void initialiseResources()
{
    Q_INIT_RESOURCE(icons);
}

namespace braid::ui {
namespace {

constexpr int kPixels = 48;

QPixmap drawn(const QString &name, const QColor &colour)
{
    QFile file(QStringLiteral(":/braid/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly)) {
        return {};
    }
    QSvgRenderer renderer(file.readAll().replace("currentColor", colour.name().toUtf8()));
    QPixmap pixmap(kPixels, kPixels);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    renderer.render(&painter);
    return pixmap;
}

}  // namespace

void loadIconResources()
{
    initialiseResources();
}

QIcon colouredIcon(const QString &name, const QColor &colour)
{
    return QIcon(drawn(name, colour));
}

QIcon themedIcon(const QString &name, const Theme &theme)
{
    QIcon icon;
    icon.addPixmap(drawn(name, theme.colour(ColourToken::InkSoft)), QIcon::Normal, QIcon::Off);
    icon.addPixmap(drawn(name, theme.colour(ColourToken::Accent)), QIcon::Normal, QIcon::On);
    return icon;
}

QIcon programIcon()
{
    return QIcon(QStringLiteral(":/braid/icons/braid.svg"));
}

}  // namespace braid::ui
