// What the words of a page were before: every change of a tail word, in order, and the chain of what stood in a word's place. Plain
// values; GUI thread.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

#include "core/captions/revision_log.h"
#include "core/text/transcript.h"

namespace braid::ui {

// One thing a place has said, and since when.
struct SaidBefore {
    std::string text;
    Sample since_sample = 0;  // how much had been heard then
    friend bool operator==(const SaidBefore &, const SaidBefore &) = default;
};

class RevisionHistory {
  public:
    static constexpr std::size_t kMostKept = 20000;

    // Takes what `newest` has more than at the last call: `total` counts all revisions of the run. Times are moved by `offset`.
    void take(std::span<const captions::Revision> newest, std::int64_t total, Sample offset);
    // Another run begins on the page: its count starts anew.
    void beginRun() { m_taken_of_run = 0; }
    void clear();

    [[nodiscard]] const std::deque<captions::Revision> &all() const noexcept { return m_revisions; }
    // What stood in the place of `word`, oldest first, the word itself last; one entry where it never changed.
    [[nodiscard]] std::vector<SaidBefore> chainOf(const text::Word &word) const;

  private:
    std::deque<captions::Revision> m_revisions;  // oldest first
    std::int64_t m_taken_of_run = 0;
};

}  // namespace braid::ui
