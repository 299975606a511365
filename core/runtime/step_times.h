// How long the steps of a run took: the newest ones for the status line, all of them for the final statistics.
// Thread: one, the engine worker's.
#pragma once

#include <vector>

#include "core/base/sample_clock.h"

namespace braid::runtime {

// One policy step, as the window draws it.
struct StepTiming {
    Sample until_sample = 0;   // session time that the step has seen
    Sample chunk_samples = 0;  // new sound in it
    double whole_ms = 0;
    double encode_ms = 0;  // of a streaming model; else 0
    double decode_ms = 0;
    int decoder_steps = 0;
};

struct StepTimeSummary {
    double median_ms = 0;
    double p95_ms = 0;
};

class StepTimes {
  public:
    void add(double ms) { m_ms.push_back(static_cast<float>(ms)); }
    // Over the newest 256 steps: cheap, for every snapshot.
    [[nodiscard]] StepTimeSummary recent() const;
    // Over the whole run (four bytes a step: about a megabyte a day).
    [[nodiscard]] StepTimeSummary whole() const;

  private:
    std::vector<float> m_ms;
};

}  // namespace braid::runtime
