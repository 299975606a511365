// A layout as the model is told it: who sees whom (core/paradigms/visibility.h) and where everything stands. Sources: "Multi-Stream LLMs"
// (arXiv 2605.12460), Method: stream-aware positions, cross-stream causal mask; both published forms (layout.h).
// Thread: any. No errors: indices are the caller's to keep in range.
#pragma once

#include <cstdint>
#include <vector>

#include "core/paradigms/visibility.h"
#include "core/streams/layout.h"

namespace braid::streams {

// A token as the model was fed it. Its step is its row; what was fed before the first (system text, openings) has steps below 0. Silence is of the
// kind Silent.
using paradigms::Entry;
using paradigms::EntryKind;

// Rows:   an entry sees what earlier rows brought, of the streams it may see, and itself.
// Blocks: own stream and others: what stands at an earlier position (others also at the same one, with SameStep::Visible), if it had come by then.
// Skipped silence is seen by itself alone.
[[nodiscard]] paradigms::Visibility visibilityOf(const Layout &layout);

// Hands out positions, stream by stream. Row: the row. OwnCounter: from 0; in blocks the system text from 0, the others from where it ends.
class Positions {
  public:
    explicit Positions(const Layout &layout);
    // The position of the next token of `stream` at `step`; counts it, unless it is silence that is skipped or absent by the layout's rule.
    double next(int stream, std::int64_t step, EntryKind kind);
    // Undoes everything after: positions are a pure function of what was fed.
    [[nodiscard]] std::vector<std::int64_t> mark() const { return m_counts; }
    void rewind(const std::vector<std::int64_t> &mark) { m_counts = mark; }

  private:
    PositionRule m_rule;
    SilenceRule m_silence;
    int m_system = -1;
    std::vector<std::int64_t> m_counts;
};

}  // namespace braid::streams
