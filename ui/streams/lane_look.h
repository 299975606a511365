// What a person calls a lane and which colour they gave it, over what its layout says: plain values, kept in the settings by the streams'
// names. Files keep the layout's own names and colours: they say what ran, and are read by others. Thread: any.
#pragma once

#include <optional>
#include <vector>

#include <QString>
#include <QStringList>

#include "core/streams/layout.h"

namespace braid::ui {

inline constexpr int kMostLaneNameCharacters = 40;  // as people count them

struct LaneLook {
    QString name;                               // empty: as in the layout
    std::optional<streams::LaneColour> colour;  // none: as in the layout

    [[nodiscard]] bool isAsInLayout() const noexcept { return name.isEmpty() && !colour; }
    friend bool operator==(const LaneLook &, const LaneLook &) = default;
};

using LaneLooks = std::vector<LaneLook>;  // by stream

// "User": the label where the layout has one, else the name.
[[nodiscard]] QString layoutNameOf(const streams::Stream &stream);
// "Vermilion": a colour as people read it.
[[nodiscard]] QString colourTitle(streams::LaneColour colour);

// What was typed, fit to stand over a lane: one line, no space around it, cut to kMostLaneNameCharacters. Empty where nothing can be seen of it.
[[nodiscard]] QString laneNameFrom(const QString &typed);

// What looksText() said of this layout before; streams it does not name, and what is no name or colour, are as in the layout.
[[nodiscard]] LaneLooks laneLooks(const streams::Layout &layout, const QStringList &kept);
// One entry for each lane that is not as in the layout: the stream's name, the colour's word or nothing, the lane's name or nothing, between tabs.
[[nodiscard]] QStringList looksText(const streams::Layout &layout, const LaneLooks &looks);

}  // namespace braid::ui
