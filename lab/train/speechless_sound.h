// The sound of a training window in which nobody speaks; the model learns to say nothing to it. Every choice comes from the window's own
// random generator. Pure functions; no torch. Thread: any.
#pragma once

#include <vector>

#include "core/base/sample_clock.h"
#include "lab/train/random.h"
#include "lab/train/recipe.h"
#include "lab/train/speech.h"

namespace braid::train {

// `length` samples: the recipe's share of windows hold single noises (below), of the others seven in ten a noise of the library over and
// over at any level, the rest the floor of a microphone or nothing at all.
[[nodiscard]] std::vector<float> speechlessSound(Sample length, const SpeechLibrary &library, const WindowRecipe &recipe, Random &random);

// The floor of a microphone with up to four noises on it as a voice gate would let them through: a bark, a sneeze, a slammed door, each
// between 0.15 and 3 s of a recording from shortly before one of its loud places, played at 0.65 to 1.5 times its speed and pitch, at a peak
// between -30 dB and full scale, the first soon after the beginning. A library without noise gives the floor alone.
[[nodiscard]] std::vector<float> singleNoises(Sample length, const SpeechLibrary &library, Random &random);

}  // namespace braid::train
