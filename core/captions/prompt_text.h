// The committed text that stands before the sound in the window, as a prompt for the model. Kept across utterances, short, and
// forgotten after a long pause, because an old prompt invites a model to go on with it. Thread: the policy's.
#pragma once

#include <cstddef>
#include <deque>
#include <string>

#include "core/base/sample_clock.h"
#include "core/text/transcript.h"

namespace braid::captions {

struct PromptOptions {
    std::size_t characters = 200;                      // bytes of UTF-8, cut at a word; 0: no prompt
    Sample lifetime_samples = samplesFromSeconds(30);  // a pause longer than this ends it
};

class PromptText {
  public:
    explicit PromptText(PromptOptions options)
        : m_options(options)
    {
    }

    void append(const text::Word &word);
    // The newest committed words that end at or before `sample`, joined as they are read; at most `characters` long.
    [[nodiscard]] std::string before(Sample sample) const;

  private:
    struct Piece {
        std::string text;
        Sample end_sample = 0;
    };
    PromptOptions m_options;
    std::deque<Piece> m_pieces;
    std::size_t m_bytes = 0;
};

}  // namespace braid::captions
