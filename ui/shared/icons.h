// Icons from resources/icons, drawn in the theme's ink.
#pragma once

#include <QColor>
#include <QIcon>
#include <QString>

#include "ui/shared/theme.h"

namespace braid::ui {

// `name` without path and suffix: "captions". On for checked buttons, Off else.
[[nodiscard]] QIcon themedIcon(const QString &name, const Theme &theme);
[[nodiscard]] QIcon colouredIcon(const QString &name, const QColor &colour);
[[nodiscard]] QIcon programIcon();
// Makes the icons linked into this static library available; call once in main().
void loadIconResources();

}  // namespace braid::ui
