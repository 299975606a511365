// Follows words through the unsettled tail: which word of the new tail is which of the old one, since when it has been there, how
// often something else stood in its place. Used by every policy. Thread: the policy's.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/base/sample_clock.h"
#include "core/text/transcript.h"

namespace braid::captions {

class RevisionTracker {
  public:
    // A new utterance: nothing before it is the same place.
    void clear() { m_known.clear(); }
    // Sets first_seen_sample, revision_count and revised_from of `words`, the whole new tail in order. A word keeps its history when the old tail
    // had it in the same place (order and time); a change of case or punctuation alone is no revision. Words that the new tail does
    // not reach are remembered, in case they come back.
    void update(std::vector<text::Word> &words, Sample heard_sample);
    // The first `count` words of the newest tail were committed: they leave the tail.
    void commit(std::size_t count);

  private:
    struct Known {
        std::string text;
        std::string key;
        Sample middle_sample = 0;
        Sample first_seen_sample = 0;
        int revision_count = 0;
        std::string revised_from;
    };
    std::vector<Known> m_known;  // the newest tail, then what it did not reach
};

}  // namespace braid::captions
