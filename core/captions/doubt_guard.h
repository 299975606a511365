// Noise that passes the voice gate (a dog, a sneeze) makes a speech model say something, but it is sure of nothing it says. Whisper drops such
// text where its mean log-probability is low and the silence token probable; here the same is asked of an utterance while it is heard, until the
// first of its words settles: what is doubtful is neither shown nor settled, and stays unsaid where nothing better comes. A model of ours has
// learnt to answer noise with the end token, so the probability of ending at once stands for the silence token.
// Plain functions. Thread: any.
#pragma once

#include <span>

#include "core/captions/streaming_decoder.h"

namespace braid::captions {

struct DoubtOptions {
    // Of all tokens said, the geometric mean: below this it is doubtful. 0: nothing ever is.
    float least_probability = 0.35f;
    // The same where silence is as probable as this, or more.
    float least_probability_near_silence = 0.40f;
    float silence_probability = 0.02f;
};

// Candidates for the first token that have to be looked at to find the end token where it matters: no more tokens can be as probable.
[[nodiscard]] int candidatesForSilence(const DoubtOptions &options);

// `text`: all that is said of the window; forced tokens do not count. `silence_probability`: of ending before the first token, all sound heard.
[[nodiscard]] bool isDoubtful(std::span<const RowToken> text, float silence_probability, const DoubtOptions &options);

}  // namespace braid::captions
