// Which words of an update replace others that the tail showed in the same place: every change once, with its time.
// The policies' own bookkeeping (decoding/revision_tracker.h) says how often a place was revised and what it said last; this keeps the
// order of events. Thread: one, the engine worker's.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/base/sample_clock.h"
#include "core/text/transcript.h"

namespace braid::captions {

struct Revision {
    Sample heard_sample = 0;  // how much had been heard when it happened
    Sample start_sample = 0;  // the place, as the new word has it
    Sample end_sample = 0;
    std::string before;
    std::string after;
};

class RevisionLog {
  public:
    // `committed` and `tail`: all words of one step, in order. What is new among their revisions.
    [[nodiscard]] std::vector<Revision> update(std::span<const text::Word> committed, std::span<const text::Word> tail, Sample heard_sample);
    // The utterance is over: no place of it is met again.
    void clear() { m_told.clear(); }

  private:
    struct Told {
        Sample middle_sample = 0;
        int revision_count = 0;
        std::string before;
        bool seen = false;  // met in the present update
    };
    [[nodiscard]] Told *find(const text::Word &word);

    std::vector<Told> m_told;  // revisions of words that are not committed yet
};

}  // namespace braid::captions
