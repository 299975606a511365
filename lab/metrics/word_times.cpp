#include "lab/metrics/word_times.h"

#include <cstdlib>
#include <vector>

#include "core/metrics/word_error_rate.h"

namespace braid::metrics {

namespace {

constexpr Sample kWide = samplesFromMs(240);
constexpr Sample kNarrow = samplesFromMs(80);

std::vector<std::string> textsOf(std::span<const TimedText> words)
{
    std::vector<std::string> texts;
    for (const TimedText &word : words) {
        texts.push_back(word.text);
    }
    return texts;
}

}  // namespace

WordTimeScore &WordTimeScore::operator+=(const WordTimeScore &other) noexcept
{
    given += other.given;
    paired += other.paired;
    missed += other.missed;
    within_240_ms += other.within_240_ms;
    within_80_ms += other.within_80_ms;
    start_deviation_ms += other.start_deviation_ms;
    end_deviation_ms += other.end_deviation_ms;
    return *this;
}

WordTimeScore scoreWordTimes(std::span<const TimedText> reference, std::span<const TimedText> hypothesis, Sample ignored)
{
    WordTimeScore score;
    for (const Edit &edit : alignWords(textsOf(reference), textsOf(hypothesis))) {
        const bool has_reference = edit.kind != EditKind::Insertion, has_hypothesis = edit.kind != EditKind::Deletion;
        // A pair is left out by its reference, a word on its own by itself.
        if ((has_reference ? reference[edit.reference_index].end_sample : hypothesis[edit.hypothesis_index].end_sample) <= ignored) {
            continue;
        }
        score.given += has_hypothesis ? 1 : 0;
        if (edit.kind != EditKind::Same) {
            score.missed += has_reference ? 1 : 0;
            continue;
        }
        const TimedText &said = reference[edit.reference_index], &found = hypothesis[edit.hypothesis_index];
        const Sample start = std::abs(said.start_sample - found.start_sample), end = std::abs(said.end_sample - found.end_sample);
        ++score.paired;
        score.within_240_ms += start <= kWide && end <= kWide ? 1 : 0;
        score.within_80_ms += start <= kNarrow && end <= kNarrow ? 1 : 0;
        score.start_deviation_ms += 1000 * secondsFromSamples(start);
        score.end_deviation_ms += 1000 * secondsFromSamples(end);
    }
    return score;
}

}  // namespace braid::metrics
