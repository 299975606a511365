// In what order lanes stand and which are folded: plain values, kept in the settings by the streams' names. Thread: any.
#pragma once

#include <cstdint>
#include <vector>

#include <QStringList>

#include "core/streams/layout.h"

namespace braid::ui {

enum class LaneFold : std::uint8_t { Open = 1, Folded };

struct LaneArrangement {
    std::vector<int> order;       // streams, top to bottom
    std::vector<LaneFold> folds;  // by stream

    // The user on top, then who speaks, then documents and the system, folded: they are read, not watched.
    [[nodiscard]] static LaneArrangement of(const streams::Layout &layout);
    // What names() said of this layout before; streams it does not name keep their own place.
    [[nodiscard]] static LaneArrangement of(const streams::Layout &layout, const QStringList &names);
    // "+User", "-System": open and folded, top to bottom.
    [[nodiscard]] QStringList names(const streams::Layout &layout) const;

    [[nodiscard]] bool isOpen(int stream) const { return folds[static_cast<std::size_t>(stream)] == LaneFold::Open; }
    void setFold(int stream, LaneFold fold) { folds[static_cast<std::size_t>(stream)] = fold; }
    [[nodiscard]] int placeOf(int stream) const noexcept;
    // To place `place` (clamped); the others close up.
    void move(int stream, int place);
    friend bool operator==(const LaneArrangement &, const LaneArrangement &) = default;
};

}  // namespace braid::ui
