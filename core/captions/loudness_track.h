// Where the sound of a window is quiet: the loudness of every 20 ms, and what of it is a pause beside the speech around it. No model,
// no training: pauses say where a window may be cut and where a word cannot be. Thread: the policy's.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/base/sample_clock.h"

namespace braid::captions {

struct QuietStretch {
    Sample start_sample = 0;
    Sample end_sample = 0;
    [[nodiscard]] Sample length() const noexcept { return end_sample - start_sample; }
};

class LoudnessTrack {
  public:
    void restart(Sample start_sample);
    void append(std::span<const float> sound);
    // Forgets what lies before `sample`.
    void dropBefore(Sample sample);

    // All quiet stretches inside [from, until), in order, cut to it. Quiet: digital silence, or at least a good deal nearer to the quietest
    // than to the loudest of the last half minute, where these differ enough to tell.
    [[nodiscard]] std::vector<QuietStretch> quiet(Sample from, Sample until) const;
    // How long it has been quiet at `sample`.
    [[nodiscard]] Sample quietBefore(Sample sample) const;

  private:
    [[nodiscard]] float threshold() const;

    std::vector<float> m_decibels;  // one for each 20 ms since m_start
    std::vector<float> m_rest;      // less than 20 ms
    Sample m_start = 0;
};

}  // namespace braid::captions
