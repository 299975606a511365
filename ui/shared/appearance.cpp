#include "ui/shared/appearance.h"

#include <algorithm>

namespace braid::ui {

QFont Appearance::interfaceFont(int pixels)
{
    QFont font;
    font.setFamilies({QStringLiteral("Inter"), QStringLiteral("Noto Sans"), QStringLiteral("Cantarell"), QStringLiteral("Segoe UI"),
                      QStringLiteral("DejaVu Sans"), QStringLiteral("sans-serif")});
    font.setPixelSize(pixels);
    return font;
}

QFont Appearance::tokenFont(int pixels)
{
    QFont font;
    font.setFamilies({QStringLiteral("JetBrains Mono"), QStringLiteral("Noto Sans Mono"), QStringLiteral("DejaVu Sans Mono"), QStringLiteral("monospace")});
    font.setStyleHint(QFont::Monospace);
    font.setPixelSize(pixels);
    return font;
}

QFont Appearance::captionFont() const
{
    QFont font = interfaceFont(m_caption_px);
    // Words are measured one by one: without hinting a word is as wide alone as in its line.
    font.setHintingPreference(QFont::PreferNoHinting);
    return font;
}

void Appearance::setTheme(ThemeKind kind)
{
    if (kind != m_kind) {
        m_kind = kind;
        Q_EMIT changed();
    }
}

void Appearance::setCaptionPx(int pixels)
{
    pixels = std::clamp(pixels, kSmallestCaptionPx, kLargestCaptionPx);
    if (pixels != m_caption_px) {
        m_caption_px = pixels;
        Q_EMIT changed();
    }
}

void Appearance::setMotion(Motion motion)
{
    if (motion != m_motion) {
        m_motion = motion;
        Q_EMIT changed();
    }
}

void Appearance::setShowsLowProbability(bool shows)
{
    if (shows != m_low_probability) {
        m_low_probability = shows;
        Q_EMIT changed();
    }
}

}  // namespace braid::ui
