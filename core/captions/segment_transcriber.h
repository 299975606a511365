// What the speech-llm policy needs of a language model that listens, and nothing more: sound goes in, is read in segments of one length, and words come out
// that stay. Implemented in core/models/speech_lm and by scripted fakes in tests. No torch here.
//
// Thread: the engine worker's. Errors: braid::Error; after a throw only begin() is allowed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/sample_clock.h"
#include "core/text/transcript.h"

namespace braid::captions {

struct WrittenWord {
    text::Word word;                 // text, probability, tokens, starts_without_space; times are the policy's
    std::int64_t segments_read = 0;  // when it was written, since begin()
};

struct SegmentStep {
    std::vector<WrittenWord> words;
    int decoder_passes = 0;
};

class SegmentTranscriber {
  public:
    virtual ~SegmentTranscriber() = default;

    // Forgets all; the sound that follows begins a window.
    virtual void begin() = 0;
    // 16 kHz mono that directly follows what was added before. Stores it.
    virtual void addSound(std::span<const float> sound) = 0;
    // Whether the next segment and what must be heard behind it are there.
    [[nodiscard]] virtual bool segmentReady() const = 0;
    // Reads the next segment and writes what may be written then. Only while segmentReady() and not isFull().
    [[nodiscard]] virtual SegmentStep readSegment() = 0;
    // No more sound follows: reads what is left and writes to the end. Then only begin() is allowed.
    [[nodiscard]] virtual SegmentStep finish() = 0;
    // The window holds no further segment.
    [[nodiscard]] virtual bool isFull() const = 0;

    [[nodiscard]] virtual Sample segmentSamples() const = 0;
    [[nodiscard]] virtual Sample lookAheadSamples() const = 0;  // heard behind a segment before it can be read
    // How many segments are read before the first word is written: k of wait-k.
    [[nodiscard]] virtual std::int64_t segmentsAhead() const = 0;
};

}  // namespace braid::captions
