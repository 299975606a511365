// The encoder's block mask as a picture: which frame lies where, which frames it sees. Plain numbers, tested by data rows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include <QPointF>
#include <QRectF>

#include "core/captions/streaming_recognizer.h"

namespace braid::ui {

// A frame (row) and a frame that it may look at (column).
struct CacheCell {
    int frame = 0;
    int seen_frame = 0;
    friend bool operator==(const CacheCell &, const CacheCell &) = default;
};

struct CacheGeometry {
    QRectF area;                           // of the cells; square frames by frames
    int shown_frames = 0;                  // on each side
    std::vector<std::int32_t> block_ends;  // of the blocks encoded so far

    [[nodiscard]] int frames() const noexcept { return block_ends.empty() ? 0 : block_ends.back(); }
    [[nodiscard]] double frameWidth() const noexcept { return shown_frames > 0 ? area.width() / shown_frames : 0; }
    [[nodiscard]] double frameHeight() const noexcept { return shown_frames > 0 ? area.height() / shown_frames : 0; }
    [[nodiscard]] int blockOf(int frame) const { return static_cast<int>(std::upper_bound(block_ends.begin(), block_ends.end(), frame) - block_ends.begin()); }
    [[nodiscard]] int blockBegin(int block) const { return block == 0 ? 0 : block_ends[static_cast<std::size_t>(block) - 1]; }
    // Frames [0, visibleEnd(frame)) are open to `frame`: its own block and those before it.
    [[nodiscard]] int visibleEnd(int frame) const
    {
        const int block = blockOf(frame);
        return block < static_cast<int>(block_ends.size()) ? block_ends[static_cast<std::size_t>(block)] : 0;
    }
    // All that the frames of `block` see.
    [[nodiscard]] QRectF blockRect(int block) const
    {
        const int begin = blockBegin(block);
        const int end = block_ends[static_cast<std::size_t>(block)];
        return {area.left(), area.top() + begin * frameHeight(), end * frameWidth(), (end - begin) * frameHeight()};
    }
    [[nodiscard]] std::optional<CacheCell> cellAt(const QPointF &point) const
    {
        if (shown_frames <= 0 || !area.contains(point)) {
            return {};
        }
        return CacheCell{std::min(shown_frames - 1, static_cast<int>((point.y() - area.top()) / frameHeight())),
                         std::min(shown_frames - 1, static_cast<int>((point.x() - area.left()) / frameWidth()))};
    }
};

// How many frames to show a side: all there are with some room to grow, in steps, so that the picture rarely changes its scale; never
// beyond what the window holds.
[[nodiscard]] inline int framesToShow(const captions::EncoderState &state)
{
    constexpr int kStep = 100;
    const int frames = state.block_ends.empty() ? 0 : state.block_ends.back();
    const int wanted = (frames * 5 / 4 + kStep) / kStep * kStep;
    return state.maximum_frames > 0 ? std::max(1, std::min(wanted, std::max<int>(state.maximum_frames, frames))) : wanted;
}

}  // namespace braid::ui
