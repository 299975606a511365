// Word times while the words appear (CarelessWhisper, section IV-D, Algorithm 4): a model trained on words that have ended says a token in
// the chunk in which its word ends, so that chunk's end is the word's end, and the next word begins there. Beyond the paper
// (WordTimeRule::Refined): within a chunk longer than 100 ms, and within the first, the token's attention says where; and no word begins or
// ends in a pause. Plain functions. Thread: any.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/sample_clock.h"
#include "core/captions/loudness_track.h"
#include "core/captions/streaming_decoder.h"
#include "core/text/transcript.h"

namespace braid::captions {

enum class WordTimeRule : std::uint8_t {
    Refined = 1,  // Algorithm 4, then attention and pauses
    Paper,        // Algorithm 4 alone
};

// The looks a window has had, oldest first: how many frames had been encoded at each.
struct WindowClock {
    Sample start_sample = 0;
    Sample frame_samples = 320;
    std::vector<std::int64_t> looks;

    [[nodiscard]] Sample sampleOf(std::int64_t frame) const noexcept { return start_sample + frame * frame_samples; }
};

struct TokenTime {
    Sample sample = 0;
    text::WordTimeMethod method = text::WordTimeMethod::ChunkArrival;
};
// When `token` was said, by the chunk in which it was first seen and, where that is long, its attention.
[[nodiscard]] TokenTime timeOf(const RowToken &token, const WindowClock &clock);

// Where `token` attended most when it was last looked at; nothing for forced tokens.
[[nodiscard]] std::optional<Sample> attendedAt(const RowToken &token, const WindowClock &clock);

// Where the newest of `settled` tokens have their sound, by what most of them attend to: what a model says late has the time at which it came. The window's
// start while too few tell.
[[nodiscard]] Sample toldUntil(std::span<const RowToken> settled, const WindowClock &clock);
// How many words from the front keep their place. What a model says moves on with the sound; several words on end that attend, one behind the other, to sound
// of long before `told_until` tell once more what was told, however well that reads: what begins with the first of them has no sound of its own. A single
// word may attend anywhere, and one that attends to the very beginning of the window, where those look that find nothing, says nothing of its place.
// `words` consist of `tokens`, in order.
[[nodiscard]] std::size_t inPlaceCount(std::span<const text::Word> words, std::span<const RowToken> tokens, const WindowClock &clock, Sample told_until);

// Words at one instant share it: each of `words` gets its least time within [earliest, until], as near to where it was as the others leave room.
void makeRoom(std::span<text::Word> words, Sample earliest, Sample until);

// Both set the times of `words`, which consist of `tokens`, in order. None begins before `earliest` or ends after `until`; none is shorter than
// 60 ms unless they are too many for that. WordTimeRule::Refined:
void setTimes(std::span<text::Word> words, std::span<const RowToken> tokens, const WindowClock &clock, const LoudnessTrack &loudness, Sample earliest,
              Sample until);
// WordTimeRule::Paper: a word ends with the chunk in which its last token was first seen and begins where the word before it ends. Words of one chunk,
// which all end with it in the paper, share it, so that each can be shown.
void setArrivalTimes(std::span<text::Word> words, std::span<const RowToken> tokens, const WindowClock &clock, Sample earliest, Sample until);

}  // namespace braid::captions
