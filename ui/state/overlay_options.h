// How the overlay looks and where it stands: plain values, kept with the settings. Sizes in logical pixels.
#pragma once

#include <cstdint>

#include <QColor>
#include <QMap>
#include <QRect>
#include <QString>
#include <QStringList>

namespace braid::ui {

enum class OverlayDock : std::uint8_t { Top = 1, Bottom, Free };
enum class OverlayShows : std::uint8_t { Original = 1, Translation, Both };
enum class OverlayClicks : std::uint8_t { Taken = 1, PassThrough };

inline constexpr int kMostOverlayLines = 4;
inline constexpr int kSmallestOverlayPx = 14;
inline constexpr int kLargestOverlayPx = 120;
inline constexpr int kMostOutlinePx = 12;

struct OverlayPlace {  // on one screen
    OverlayDock dock = OverlayDock::Bottom;
    QRect free;  // within the screen, from its corner; empty: never moved there
    friend bool operator==(const OverlayPlace &, const OverlayPlace &) = default;
};

struct OverlayOptions {
    int lines = 2;  // of each text that is shown
    OverlayShows shows = OverlayShows::Original;
    OverlayClicks clicks = OverlayClicks::Taken;
    QString family;  // empty: that of the captions
    int letter_px = 34;
    int outline_px = 3;
    QColor ink = Qt::white;
    QColor outline = Qt::black;
    QColor back = Qt::black;
    int back_percent = 35;                   // how opaque what lies behind the letters is
    QColor plain_back = QColor(0, 177, 64);  // of the plain window: the green that cameras' software keys out
    QMap<QString, OverlayPlace> places;      // by the screen's name
    QString screen;                          // where it stood last
    QString text_file;                       // the lines are written there as they stand; empty: nowhere
    friend bool operator==(const OverlayOptions &, const OverlayOptions &) = default;
};

// "2,100,900,1200,140" of a place, and back; nonsense reads as the default.
[[nodiscard]] QString placeText(const OverlayPlace &place);
[[nodiscard]] OverlayPlace placeFrom(const QString &text);

}  // namespace braid::ui
