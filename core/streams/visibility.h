// Who sees whom and where everything stands, as functions of (stream, step, position): what a cache, a training mask and a test need
// to agree on. Sources: "Multi-Stream LLMs" (arXiv 2605.12460), Method: stream-aware positions, cross-stream causal mask; both
// published forms (layout.h). Thread: any. No errors: indices are the caller's to keep in range.
#pragma once

#include <cstdint>
#include <vector>

#include "core/streams/layout.h"

namespace braid::streams {

// One token as the model was fed it.
struct Entry {
    int stream = 0;
    std::int64_t step = 0;  // row; what was fed before the first step (system text, openings) has steps below 0
    double position = 0;    // for the rotary positions
    bool operator==(const Entry &) const = default;
};

// A layout, reduced to what decides visibility: small enough to be copied into a model.
struct Visibility {
    VisibilityForm form = VisibilityForm::Rows;
    SameStep same_step = SameStep::Hidden;
    std::int64_t window_rows = 0;
    std::int64_t kept_rows = 0;
    std::vector<std::vector<bool>> may_read;  // [reader][read]

    [[nodiscard]] static Visibility of(const Layout &layout);

    // Whether the token `query` attends to the token `key`. Every token sees itself.
    // Rows:   key.step < query.step (and the reader may read that stream), or the same entry.
    // Blocks: same stream: key.position <= query.position; else key.position < query.position (<= with SameStep::Visible); and the
    //         key has been fed by then (key.step <= query.step), which a word that came late has not.
    // Window: key.step > query.step - window_rows, or key.step < kept_rows (negative steps are always kept).
    [[nodiscard]] bool sees(const Entry &query, const Entry &key) const noexcept;
    // Whether any later query can still see it: a cache may drop what cannot.
    [[nodiscard]] bool isGone(const Entry &key, std::int64_t next_step) const noexcept;
};

// Hands out positions, stream by stream. Row: the row. OwnCounter: from 0; in blocks the system text from 0, the others from where it ends.
class Positions {
  public:
    explicit Positions(const Layout &layout);
    // The position of the next token of `stream` at `step`; counts it, unless `silence` is skipped or absent by the layout's rule.
    enum class Kind : std::uint8_t { Word = 1, Silence };
    double next(int stream, std::int64_t step, Kind kind);
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
