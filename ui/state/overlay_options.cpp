#include "ui/state/overlay_options.h"

namespace braid::ui {

QString placeText(const OverlayPlace &place)
{
    const QRect &free = place.free;
    return QStringLiteral("%1,%2,%3,%4,%5").arg(static_cast<int>(place.dock)).arg(free.x()).arg(free.y()).arg(free.width()).arg(free.height());
}

OverlayPlace placeFrom(const QString &text)
{
    OverlayPlace place;
    const QStringList parts = text.split(QLatin1Char(','));
    if (parts.size() != 5) {
        return place;
    }
    const int dock = parts[0].toInt();
    if (dock >= static_cast<int>(OverlayDock::Top) && dock <= static_cast<int>(OverlayDock::Free)) {
        place.dock = static_cast<OverlayDock>(dock);
    }
    const QRect free(parts[1].toInt(), parts[2].toInt(), parts[3].toInt(), parts[4].toInt());
    const QRect possible(-100'000, -100'000, 200'000, 200'000);
    place.free = free.width() > 0 && free.height() > 0 && possible.contains(free) ? free : QRect();
    return place;
}

}  // namespace braid::ui
