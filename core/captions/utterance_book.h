// What every caption policy keeps of an utterance: the words settled so far, the tail behind them, their histories, the prompt made of
// them. Words move one way only, from the tail to the settled ones. Thread: the policy's.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/base/sample_clock.h"
#include "core/captions/caption_policy.h"
#include "core/captions/prompt_text.h"
#include "core/captions/revision_tracker.h"
#include "core/text/transcript.h"

namespace braid::captions {

class UtteranceBook {
  public:
    explicit UtteranceBook(PromptOptions prompt)
        : m_prompt(prompt)
    {
    }

    // A new utterance. The prompt is kept.
    void begin();
    // The whole new tail, in order, after `heard_sample` of sound: gets the histories of the tail before.
    void setTail(std::vector<text::Word> words, Sample heard_sample);
    // The first `count` words of the tail settle: appended to update.committed.
    void commit(std::size_t count, Sample heard_sample, PolicyUpdate &update);
    // Settled words whose sound is over before `sample` are no longer needed, but for the newest few.
    void forgetBefore(Sample sample);

    [[nodiscard]] const std::vector<text::Word> &tail() const noexcept { return m_tail; }
    // Settled words of this utterance, the newest last: all not forgotten, at least the newest sixteen.
    [[nodiscard]] const std::vector<text::Word> &settled() const noexcept { return m_settled; }
    // Where the settled words end; `otherwise` where that is later, or nothing has settled.
    [[nodiscard]] Sample settledUntil(Sample otherwise) const;
    [[nodiscard]] const PromptText &prompt() const noexcept { return m_prompt; }

  private:
    PromptText m_prompt;
    RevisionTracker m_tracker;
    std::vector<text::Word> m_settled;
    std::vector<text::Word> m_tail;
};

}  // namespace braid::captions
