// How long the steps of a run took: the newest ones for the status line, all of them for the final statistics.
// Thread: one, the engine worker's.
#pragma once

#include <vector>

namespace braid::sessions {

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

}  // namespace braid::sessions
