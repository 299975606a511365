// Colours as named tokens in one table, for light, dark and high contrast; everything that is drawn takes its colours from here.
// Contrast is tested: text 4.5:1, captions 7:1 (shared look, "Colours").
#pragma once

#include <array>
#include <cstddef>

#include <QColor>
#include <QPalette>
#include <QString>

namespace braid::ui {

enum class ColourToken : std::uint8_t {
    Paper = 1,  // behind captions
    Surface,    // behind controls
    Ink,        // settled words, text
    InkSoft,    // unsettled words, secondary text
    Line,       // hairlines, borders
    Accent,     // what can be acted on, focus
    OnAccent,   // text on the accent
    Warn,
    Danger,
    Highlight,  // behind the word being played and what was found
    Selection,  // behind selected words
    Wave,       // the waveform
    Hover,      // behind what the pointer is on
};
inline constexpr std::size_t kColourTokens = 13;

enum class ThemeKind : std::uint8_t { Light = 1, Dark, HighContrastLight, HighContrastDark };

class Theme {
  public:
    Theme(ThemeKind kind, const std::array<QRgb, kColourTokens> &colours)
        : m_kind(kind)
        , m_colours(colours)
    {
    }
    [[nodiscard]] ThemeKind kind() const noexcept { return m_kind; }
    [[nodiscard]] bool isDark() const noexcept { return m_kind == ThemeKind::Dark || m_kind == ThemeKind::HighContrastDark; }
    [[nodiscard]] QColor colour(ColourToken token) const { return QColor(m_colours[static_cast<std::size_t>(token) - 1]); }

  private:
    ThemeKind m_kind;
    std::array<QRgb, kColourTokens> m_colours;
};

[[nodiscard]] const Theme &themeFor(ThemeKind kind);
// WCAG 2.1 contrast ratio, 1 to 21.
[[nodiscard]] double contrastRatio(const QColor &one, const QColor &other);
// `from` moved towards `to` by `share` (0..1), in linear light.
[[nodiscard]] QColor mixed(const QColor &from, const QColor &to, double share);
[[nodiscard]] QPalette paletteFor(const Theme &theme);
// The few rules Fusion needs to become calm: flat choices, rounded buttons, visible focus.
[[nodiscard]] QString styleSheetFor(const Theme &theme);

// Whether the desktop asks for a dark picture: its portal setting where it answers, else the system palette.
[[nodiscard]] bool systemPrefersDark(const QPalette &system_palette);

}  // namespace braid::ui
