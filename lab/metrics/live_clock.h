// When a person at the screen would have seen what a run came to that was heard as fast as the machine could: a step begins when its sound
// has been heard and the step before is done, and what it says stands there when it is done. (A live run that falls behind takes
// several chunks in one step and catches up sooner: there this is an upper bound.) Times are milliseconds of the session's clock.
// Plain object. Thread: one.
#pragma once

#include <vector>

#include "core/base/sample_clock.h"

namespace braid::metrics {

class LiveClock {
  public:
    // In order; `heard` never falls.
    void addStep(Sample heard, double compute_ms);
    // When what was first said at `heard` stood there: the end of the newest step that had heard just so much (two have where an
    // utterance ends with a whole chunk). Where there is no such step, of the first that had heard more; 0 where there is none.
    [[nodiscard]] double shownAt_ms(Sample heard) const;

  private:
    struct Step {
        Sample heard = 0;
        double done_ms = 0;
    };
    std::vector<Step> m_steps;
};

}  // namespace braid::metrics
