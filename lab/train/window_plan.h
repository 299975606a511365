// Which pieces of which utterances an epoch learns from, joined into windows and these into batches of like length. A pure function of
// recipe, speech, seed and epoch: a resumed run plans the same. Thread: any.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/sample_clock.h"
#include "lab/train/recipe.h"
#include "lab/train/speech.h"

namespace braid::train {

struct Segment {
    const Speech *speech = nullptr;
    Sample from = 0;  // `from` lies on a whole encoder frame, so that the teacher's frames can be cut with the sound
    Sample to = 0;
};

struct PlannedWindow {
    std::vector<Segment> segments;  // empty: sound without speech ...
    Sample silence_samples = 0;     // ... of this length
};

using PlannedBatch = std::vector<PlannedWindow>;

// `step`: the samples of an encoder frame; cuts lie on multiples of it.
[[nodiscard]] std::vector<PlannedBatch> planEpoch(const SpeechLibrary &library, const Recipe &recipe, Sample step, std::uint64_t epoch);

}  // namespace braid::train
