// How a causal encoder cuts sound into blocks: a first block, then blocks of one chunk each (CarelessWhisper, eq. 11). A frame sees
// every frame of its own block and of the blocks before it, and nothing later. Both sizes may be any number of samples: a block ends
// at the last whole encoder frame; where the sizes are whole frames and the first is a multiple of the chunk, this is eq. 11.
// Plain value; no torch.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/base/sample_clock.h"

namespace braid::captions {

struct Chunking {
    Sample frame_samples = 320;   // one encoder frame
    Sample first_samples = 9600;  // the first block; at least one frame
    Sample chunk_samples = 4800;  // every later block; at least one frame
    // Beyond the paper: how much of the newest sound is encoded as one block with every chunk, so that its frames see what followed them. Up to
    // chunk_samples: the chunk alone, once.
    Sample reencode_samples = 0;

    // The frame after the last one of block `block` (0: the first block).
    [[nodiscard]] std::int64_t blockEnd(std::int64_t block) const noexcept { return (first_samples + block * chunk_samples) / frame_samples; }
    // The block that `frame` lies in.
    [[nodiscard]] std::int64_t blockOf(std::int64_t frame) const noexcept
    {
        const Sample after_first = (frame + 1) * frame_samples - first_samples;
        return after_first <= 0 ? 0 : (after_first + chunk_samples - 1) / chunk_samples;
    }
    // Row `frame` of the mask is open for the columns [0, visibleEnd(frame)).
    [[nodiscard]] std::int64_t visibleEnd(std::int64_t frame) const noexcept { return blockEnd(blockOf(frame)); }

    friend bool operator==(const Chunking &, const Chunking &) = default;
};

}  // namespace braid::captions
