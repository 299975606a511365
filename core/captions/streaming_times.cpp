#include "core/captions/streaming_times.h"

#include <algorithm>
#include <limits>

namespace braid::captions {

namespace {

constexpr Sample kExactChunk = samplesFromMs(100);  // the paper takes chunks up to this as they are
constexpr Sample kLeastWord = samplesFromMs(60);
constexpr Sample kLeastPause = samplesFromMs(60);  // shorter quiet may be the closure of a consonant
// Attention looks at the middle of a token's sound rather than at its ends.
constexpr Sample kReachBack = samplesFromMs(240);
constexpr Sample kReachOn = samplesFromMs(80);
// So long before what was told lies what is told again, and so many words tell that it is.
constexpr Sample kToldBefore = samplesFromSeconds(2);
constexpr std::size_t kWordsOutOfPlace = 5;
constexpr std::size_t kTellingTokens = 9;
constexpr Sample kVeryBeginning = samplesFromMs(500);  // of a window

// The frame most attended to before `end`; -1 where there is nothing to tell.
std::int64_t mostAttended(const RowToken &token, std::int64_t end)
{
    if (!token.look || token.look->attention.empty()) {
        return -1;
    }
    const auto &weights = token.look->attention;
    return std::max_element(weights.begin(), weights.begin() + std::min(end, static_cast<std::int64_t>(weights.size()))) - weights.begin();
}

// Where `token` attended most, unless it is where those look that find nothing.
std::optional<Sample> placeOf(const RowToken &token, const WindowClock &clock)
{
    const std::optional<Sample> attended = attendedAt(token, clock);
    return attended && *attended >= clock.start_sample + kVeryBeginning ? attended : std::nullopt;
}

// Those of `tokens` from `at` on that `word` consists of, as far as there are so many; `at` moves behind them.
std::span<const RowToken> takeTokens(std::span<const RowToken> tokens, const text::Word &word, std::size_t &at)
{
    const auto own = tokens.subspan(at, std::min(word.tokens.size(), tokens.size() - at));
    at += own.size();
    return own;
}

}  // namespace

TokenTime timeOf(const RowToken &token, const WindowClock &clock)
{
    const auto look = std::lower_bound(clock.looks.begin(), clock.looks.end(), token.seen_frames);
    const bool is_first = look == clock.looks.begin();
    const std::int64_t before = is_first ? 0 : *(look - 1);
    TokenTime time{clock.sampleOf(token.seen_frames), text::WordTimeMethod::ChunkArrival};
    if (!is_first && (token.seen_frames - before) * clock.frame_samples <= kExactChunk) {
        return time;
    }
    const std::int64_t frame = mostAttended(token, token.seen_frames);
    if (frame < 0) {
        return time;
    }
    return {std::clamp(clock.sampleOf(frame + 1) + kReachOn, clock.sampleOf(before), time.sample), text::WordTimeMethod::ChunkAndAttention};
}

std::optional<Sample> attendedAt(const RowToken &token, const WindowClock &clock)
{
    const std::int64_t frame = mostAttended(token, std::numeric_limits<std::int64_t>::max());
    if (frame < 0) {
        return {};
    }
    return clock.sampleOf(frame) + clock.frame_samples / 2;
}

Sample toldUntil(std::span<const RowToken> settled, const WindowClock &clock)
{
    std::vector<Sample> places;
    for (auto token = settled.rbegin(); token != settled.rend() && places.size() < kTellingTokens; ++token) {
        if (const std::optional<Sample> place = placeOf(*token, clock)) {
            places.push_back(*place);
        }
    }
    if (places.size() < kTellingTokens) {
        return clock.start_sample;
    }
    const auto middle = places.begin() + kTellingTokens / 2;
    std::nth_element(places.begin(), middle, places.end());
    return *middle;
}

std::size_t inPlaceCount(std::span<const text::Word> words, std::span<const RowToken> tokens, const WindowClock &clock, Sample told_until)
{
    std::size_t run_begin = 0;
    std::size_t run_words = 0;
    Sample newest = 0;  // attended by the run
    std::size_t at = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
        std::optional<Sample> place;
        for (const RowToken &token : takeTokens(tokens, words[i], at)) {
            if (const std::optional<Sample> own = placeOf(token, clock)) {
                place = std::max(place.value_or(*own), *own);
            }
        }
        if (!place) {
            continue;
        }
        const bool is_behind = *place < told_until - kToldBefore;
        if (is_behind && (run_words == 0 || *place < newest)) {
            run_begin = i;
            run_words = 0;
        }
        run_words = is_behind ? run_words + 1 : 0;
        newest = *place;
        if (run_words == kWordsOutOfPlace) {
            return run_begin;
        }
    }
    return words.size();
}

void makeRoom(std::span<text::Word> words, Sample earliest, Sample until)
{
    if (words.empty()) {
        return;
    }
    const auto count = static_cast<Sample>(words.size());
    const Sample least = std::min(kLeastWord, (until - earliest) / count);
    Sample latest = until;
    for (Sample i = count - 1; i >= 0; --i) {
        text::Word &word = words[static_cast<std::size_t>(i)];
        word.end_sample = std::clamp(word.end_sample, earliest + (i + 1) * least, latest);
        latest = word.end_sample - least;
    }
    for (text::Word &word : words) {
        word.end_sample = std::max(word.end_sample, earliest + least);
        word.start_sample = std::clamp(word.start_sample, earliest, word.end_sample - least);
        earliest = word.end_sample;
    }
}

void setArrivalTimes(std::span<text::Word> words, std::span<const RowToken> tokens, const WindowClock &clock, Sample earliest, Sample until)
{
    const Sample begin = std::min(earliest, until);
    Sample start = begin;
    std::size_t at = 0;
    for (text::Word &word : words) {
        const auto own = takeTokens(tokens, word, at);
        word.start_sample = start;
        word.end_sample = own.empty() ? start : std::clamp(clock.sampleOf(own.back().seen_frames), start, std::max(start, until));
        word.time_method = text::WordTimeMethod::ChunkArrival;
        start = word.end_sample;
    }
    makeRoom(words, begin, until);
}

void setTimes(std::span<text::Word> words, std::span<const RowToken> tokens, const WindowClock &clock, const LoudnessTrack &loudness, Sample earliest,
              Sample until)
{
    const Sample begin = std::min(earliest, until);
    std::size_t at = 0;
    for (text::Word &word : words) {
        const auto own = takeTokens(tokens, word, at);
        word.start_sample = word.end_sample = std::min(earliest, until);
        if (own.empty()) {
            continue;
        }
        const TokenTime time = timeOf(own.back(), clock);
        word.time_method = time.method;
        word.end_sample = std::clamp(time.sample, std::min(earliest, until), until);
        // A pause at the end is behind the word, one before that is in front of it.
        std::vector<QuietStretch> pauses = loudness.quiet(earliest, word.end_sample);
        std::erase_if(pauses, [](const QuietStretch &pause) { return pause.length() < kLeastPause; });
        if (!pauses.empty() && pauses.back().end_sample == word.end_sample && pauses.back().start_sample > earliest + kLeastWord) {
            word.end_sample = pauses.back().start_sample;
            pauses.pop_back();
        }
        word.start_sample = earliest;
        for (const QuietStretch &pause : pauses) {
            if (pause.end_sample <= word.end_sample - kLeastWord) {
                word.start_sample = pause.end_sample;
            }
        }
        const std::int64_t frame = mostAttended(own.front(), own.front().seen_frames);
        if (frame >= 0) {
            word.start_sample = std::clamp(clock.sampleOf(frame) - kReachBack, word.start_sample, std::max(word.start_sample, word.end_sample - kLeastWord));
        }
        earliest = word.end_sample;
    }
    makeRoom(words, begin, until);
}

}  // namespace braid::captions
