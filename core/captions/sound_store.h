// The newest stretch of a run's sound, on the session clock, for the worker, for playing a word and for drawing the waveform.
// Bounded: when full, the oldest second goes. Thread: any; one mutex, held for copies of at most a second.
#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <span>

#include "core/base/sample_clock.h"

namespace braid::captions {

class SoundStore {
  public:
    explicit SoundStore(Sample capacity_samples);

    void append(std::span<const float> sound);
    // A gap: session time that holds silence.
    void appendSilence(Sample length_samples);

    [[nodiscard]] Sample earliest() const;  // the oldest sample still kept
    [[nodiscard]] Sample end() const;       // session time of the next sample
    // Copies sound from `start` on; returns how many samples were there: fewer at the end, none before earliest().
    [[nodiscard]] std::size_t read(Sample start, std::span<float> out) const;

  private:
    using Block = std::array<float, kSampleRateHz>;
    void appendPiece(const float *sound, std::size_t count);

    const std::size_t m_capacity_blocks;
    mutable std::mutex m_mutex;
    std::deque<std::unique_ptr<Block>> m_blocks;
    Sample m_first_sample = 0;  // session time of m_blocks.front()[0]
    Sample m_end = 0;
};

}  // namespace braid::captions
