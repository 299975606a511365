// What the Streams page remembers from day to day. Plain values, kept with the other settings.
#pragma once

#include <cstdint>

#include <QMap>
#include <QString>
#include <QStringList>

#include "ui/shared/typing_field.h"

namespace braid::ui {

inline constexpr int kSmallestTokenPx = 9;
inline constexpr int kLargestTokenPx = 40;

struct StreamsMemory {
    QString layout;  // by title, or a file that a person opened
    QString model;
    QString baseline;
    QString system;
    double tempo = 8;  // steps a second; 0: as fast as it goes
    int seed = 0;
    bool shows_baseline = false;
    int token_px = 13;
    TypingMode typing = TypingMode::AsTyped;
    QMap<QString, QStringList> lanes;  // by layout: LaneArrangement::names()
    QMap<QString, QStringList> looks;  // by layout, where a lane is not as in it: looksText()
    friend bool operator==(const StreamsMemory &, const StreamsMemory &) = default;
};

}  // namespace braid::ui
