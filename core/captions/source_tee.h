// One source of sound for several runs: what is captured once is heard by all of them, sample for sample, from the first sample on.
//
// A thread of the tee reads the source and never waits for anybody: each branch has a queue of its own. A branch that is not read for
// kMostQueuedSamples loses its oldest sound; what is lost comes out of that branch as a Gap, so that its clock stays right.
// Ownership: branches share the tee; the source closes when the last branch is stopped or destroyed. Thread: branches may be used from
// different threads, each as a Source. Errors: what opening, starting or reading the source throws is thrown by every branch.
#pragma once

#include <functional>
#include <memory>

#include "core/audio/source.h"

namespace braid::captions {

class SourceTee : public std::enable_shared_from_this<SourceTee> {
  public:
    static constexpr Sample kMostQueuedSamples = samplesFromSeconds(60);

    // `open` is called when the first branch starts, on its thread. All `branches` must be taken; sound is kept for those that start later.
    [[nodiscard]] static std::shared_ptr<SourceTee> make(std::function<std::unique_ptr<audio::Source>()> open, int branches,
                                                         Sample most_queued_samples = kMostQueuedSamples);
    ~SourceTee();
    SourceTee(const SourceTee &) = delete;
    SourceTee &operator=(const SourceTee &) = delete;

    // Branch `index` as a source; each may be taken once. A branch that is stopped alone ends with what was captured until then.
    [[nodiscard]] std::unique_ptr<audio::Source> branch(int index);
    // Ends the capture; every branch hears it to its very end. Thread: any.
    void finish();

  private:
    class Branch;
    struct State;  // shared with the reading thread: a source that hangs keeps only that
    explicit SourceTee(std::shared_ptr<State> state);

    std::shared_ptr<State> m_state;
};

}  // namespace braid::captions
