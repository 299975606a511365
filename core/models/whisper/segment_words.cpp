#include "core/models/whisper/segment_words.h"

#include <algorithm>
#include <cmath>

namespace braid::models::whisper {

namespace {

double toHundredths(double seconds)
{
    return std::round(seconds * 100) / 100;
}

}  // namespace

void giveWordsToSegments(std::span<Segment> segments, const Alignment &alignment, std::int32_t end_of_text, double &last_speech_s)
{
    const double median_s = alignment.median_duration_s;
    const double longest_s = 2 * median_s;
    std::size_t next = 0;
    std::size_t next_token = 0;
    for (Segment &segment : segments) {
        const auto text_tokens =
            static_cast<std::size_t>(std::count_if(segment.tokens.begin(), segment.tokens.end(), [&](std::int32_t id) { return id < end_of_text; }));
        std::size_t given = 0;
        while (next < alignment.words.size() && given < text_tokens) {
            const TimedWord &word = alignment.words[next++];
            given += word.ids.size();
            if (!word.text.empty()) {
                segment.words.push_back(word);
                segment.words.back().start_s = toHundredths(segment.window_start_s + word.start_s);
                segment.words.back().end_s = toHundredths(segment.window_start_s + word.end_s);
            }
        }
        const std::size_t until = std::min(next_token + given, alignment.tokens.size());
        segment.word_tokens.assign(alignment.tokens.begin() + static_cast<std::ptrdiff_t>(next_token),
                                   alignment.tokens.begin() + static_cast<std::ptrdiff_t>(until));
        next_token = until;
        if (segment.words.empty()) {
            continue;
        }
        std::vector<TimedWord> &words = segment.words;
        TimedWord &first = words.front();
        // After a pause, a first word that long is mostly the pause.
        if (first.end_s - last_speech_s > 4 * median_s &&
            (first.end_s - first.start_s > longest_s || (words.size() > 1 && words[1].end_s - first.start_s > 2 * longest_s))) {
            if (words.size() > 1 && words[1].end_s - words[1].start_s > longest_s) {
                const double border_s = std::max(words[1].end_s / 2, words[1].end_s - longest_s);
                first.end_s = border_s;
                words[1].start_s = border_s;
            }
            first.start_s = std::max(0.0, first.end_s - longest_s);
        }
        // Where words and the segment's own times differ much, the segment's own are nearer.
        if (segment.start_s < first.end_s && segment.start_s - 0.5 > first.start_s) {
            first.start_s = std::max(0.0, std::min(first.end_s - median_s, segment.start_s));
        } else {
            segment.start_s = first.start_s;
        }
        TimedWord &last = words.back();
        if (segment.end_s > last.start_s && segment.end_s + 0.5 < last.end_s) {
            last.end_s = std::max(last.start_s + median_s, segment.end_s);
        } else {
            segment.end_s = last.end_s;
        }
        last_speech_s = segment.end_s;
    }
}

}  // namespace braid::models::whisper
