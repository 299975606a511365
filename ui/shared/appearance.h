// How everything looks just now: the theme, the size of captions, whether motion is welcome. One object, owned by whoever owns the
// window, lent to every widget that draws itself; changed() asks them to draw anew. GUI thread.
#pragma once

#include <QFont>
#include <QObject>

#include "ui/shared/theme.h"

namespace braid::ui {

enum class Motion : std::uint8_t { Full = 1, Reduced };

inline constexpr int kSmallestCaptionPx = 12;
inline constexpr int kLargestCaptionPx = 160;

class Appearance : public QObject {
    Q_OBJECT
  public:
    explicit Appearance(QObject *parent = nullptr)
        : QObject(parent)
    {
    }

    [[nodiscard]] const Theme &theme() const { return themeFor(m_kind); }
    [[nodiscard]] QColor colour(ColourToken token) const { return theme().colour(token); }
    [[nodiscard]] int captionPx() const noexcept { return m_caption_px; }
    [[nodiscard]] Motion motion() const noexcept { return m_motion; }
    [[nodiscard]] bool showsLowProbability() const noexcept { return m_low_probability; }

    [[nodiscard]] QFont captionFont() const;
    // The interface's own face at `pixels`; digits are of one width in every face of the list.
    [[nodiscard]] static QFont interfaceFont(int pixels);
    [[nodiscard]] static QFont tokenFont(int pixels);

    void setTheme(ThemeKind kind);
    void setCaptionPx(int pixels);
    void setMotion(Motion motion);
    void setShowsLowProbability(bool shows);

  Q_SIGNALS:
    void changed();

  private:
    ThemeKind m_kind = ThemeKind::Light;
    int m_caption_px = 22;
    Motion m_motion = Motion::Full;
    bool m_low_probability = false;
};

}  // namespace braid::ui
