// Gives the words of a window to its segments and smooths their times, as openai/whisper's add_word_timestamps does. No torch.
#pragma once

#include <span>

#include "core/models/whisper/transcribe.h"

namespace braid::models::whisper {

// `segments`: those of one window, in order. `alignment`: of all their text tokens together, punctuation merged already.
// `last_speech_s`: where the text before ended; updated. Segment times follow their words.
void giveWordsToSegments(std::span<Segment> segments, const Alignment &alignment, std::int32_t end_of_text, double &last_speech_s);

}  // namespace braid::models::whisper
