// Which theme the window takes by what a person chose and, where they follow it, by the desktop. Thread: GUI.
#pragma once

#include <QPalette>

#include "ui/shared/theme.h"
#include "ui/state/settings.h"

namespace braid::ui {

[[nodiscard]] ThemeKind themeKindFor(ThemeChoice choice, const QPalette &system_palette);

}  // namespace braid::ui
