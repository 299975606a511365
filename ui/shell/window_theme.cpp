#include "ui/shell/window_theme.h"

namespace braid::ui {

ThemeKind themeKindFor(ThemeChoice choice, const QPalette &system_palette)
{
    switch (choice) {
    case ThemeChoice::System:
        return systemPrefersDark(system_palette) ? ThemeKind::Dark : ThemeKind::Light;
    case ThemeChoice::Dark:
        return ThemeKind::Dark;
    case ThemeChoice::HighContrastLight:
        return ThemeKind::HighContrastLight;
    case ThemeChoice::HighContrastDark:
        return ThemeKind::HighContrastDark;
    case ThemeChoice::Light:
        break;
    }
    return ThemeKind::Light;
}

}  // namespace braid::ui
