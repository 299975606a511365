#include "core/captions/word_guards.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "core/metrics/text_normaliser.h"

namespace braid::captions {

namespace {

// People speak at 2 to 4 words a second, the fastest of them at 7 or 8 for a moment.
constexpr double kMostWordsPerSecond = 9;
constexpr double kWordsToSpare = 4;
// Repetition that is said aloud keeps a speaking pace; what a model repeats in a loop has little sound to stand on.
constexpr double kSpokenRepetitionPerSecond = 6;
constexpr std::size_t kLongestPhrase = 8;

constexpr std::size_t kComparedWords = 5;

Sample middle(const text::Word &word)
{
    return (word.start_sample + word.end_sample) / 2;
}

struct LoopRule {
    std::size_t suspicious_rounds;  // a loop if faster than people repeat themselves
    std::size_t certain_rounds;     // a loop at any speed
    std::size_t kept_rounds;
};
constexpr LoopRule kSingleWordRule = {5, 12, 4};
constexpr LoopRule kPhraseRule = {3, 8, 2};

bool isLoop(std::size_t rounds, std::size_t words, Sample length, const LoopRule &rule)
{
    const double words_per_second = static_cast<double>(words) / std::max(0.02, secondsFromSamples(length));
    return rounds >= rule.certain_rounds || (rounds >= rule.suspicious_rounds && words_per_second > kSpokenRepetitionPerSecond);
}

// The first place in `words` where a loop of `phrase` words is past its kept rounds; words.size() where there is none.
std::size_t loopEnd(std::span<const text::Word *const> words, std::span<const std::string> keys, std::size_t phrase)
{
    const LoopRule &rule = phrase == 1 ? kSingleWordRule : kPhraseRule;
    std::size_t begin = 0;
    while (begin + phrase < words.size()) {
        std::size_t end = begin + phrase;
        while (end < words.size() && keys[end] == keys[end - phrase]) {
            ++end;
        }
        const std::size_t rounds = (end - begin) / phrase;
        if (isLoop(rounds, end - begin, words[end - 1]->end_sample - words[begin]->start_sample, rule)) {
            return begin + rule.kept_rounds * phrase;
        }
        begin = std::max(begin + 1, end - phrase + 1);
    }
    return words.size();
}

// A word in which the same one to three tokens come again and again: no language spells like that, a model that has lost its place does.
bool stutters(const text::Word &word)
{
    for (const auto &[period, rounds] : {std::pair<std::size_t, std::size_t>{1, 6}, {2, 4}, {3, 4}}) {
        std::size_t run = period;
        for (std::size_t i = period; i < word.tokens.size(); ++i) {
            run = word.tokens[i].id == word.tokens[i - period].id ? run + 1 : period;
            if (run >= period * rounds) {
                return true;
            }
        }
    }
    return false;
}

}  // namespace

std::string wordKey(const text::Word &word)
{
    std::string key = metrics::normalised(word.text);
    return key.empty() ? word.text : key;
}

bool sameWord(const text::Word &a, const text::Word &b)
{
    return a.text == b.text || wordKey(a) == wordKey(b);
}

void putInOrder(std::vector<text::Word> &words, Sample earliest, Sample until)
{
    std::erase_if(words, [until](const text::Word &word) { return word.start_sample >= until; });
    for (text::Word &word : words) {
        word.start_sample = std::clamp(word.start_sample, earliest, std::max(earliest, until));
        word.end_sample = std::clamp(word.end_sample, word.start_sample, std::max(word.start_sample, until));
        earliest = word.end_sample;
    }
}

std::size_t plausibleCount(std::span<const text::Word> before, std::span<const text::Word> words, Sample start)
{
    auto count = static_cast<std::size_t>(std::find_if(words.begin(), words.end(), stutters) - words.begin());
    for (std::size_t i = 0; i < count; ++i) {
        const double seconds = std::max(0.0, secondsFromSamples(words[i].end_sample - start));
        if (static_cast<double>(i + 1) > kWordsToSpare + kMostWordsPerSecond * seconds) {
            count = i;
        }
    }
    before = before.last(std::min(before.size(), 2 * kLongestPhrase));
    std::vector<const text::Word *> all;
    std::vector<std::string> keys;
    const auto add = [&](const text::Word &word) {
        all.push_back(&word);
        keys.push_back(wordKey(word));
    };
    std::for_each(before.begin(), before.end(), add);
    std::for_each(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(count), add);
    std::size_t end = all.size();
    for (std::size_t phrase = 1; phrase <= kLongestPhrase; ++phrase) {
        end = std::min(end, loopEnd(std::span(all).first(end), std::span(keys).first(end), phrase));
    }
    return end > before.size() ? end - before.size() : 0;
}

std::size_t repeatedCount(std::span<const text::Word> committed, std::span<const text::Word> hypothesis, Sample window_start)
{
    // Costs in words: another word, a word too many, a word missing.
    constexpr double kOther = 1, kExtra = 1, kMissing = 1;
    constexpr double kMissingBeforeWindow = 0.25;  // its sound is gone, so it is not likely to be said again
    constexpr double kPerSecondAway = 2;
    constexpr double kSameWordPerSecondAway = 0.8;  // the same word further off is the less likely to be the same one

    committed = committed.last(std::min(committed.size(), kComparedWords));
    if (committed.empty() || hypothesis.empty()) {
        return 0;
    }
    const Sample settled_until = committed.back().end_sample;
    std::vector<std::string> keys;
    keys.reserve(hypothesis.size());
    for (const text::Word &word : hypothesis) {
        keys.push_back(wordKey(word));
    }

    // cost[b]: the cheapest way to read the committed words so far as ending at b words of the hypothesis, beginning anywhere.
    std::vector<double> cost(hypothesis.size() + 1, 0.0);
    for (const text::Word &word : committed) {
        const std::string key = wordKey(word);
        const double missing = middle(word) < window_start ? kMissingBeforeWindow : kMissing;
        double diagonal = cost[0];
        cost[0] += missing;
        for (std::size_t b = 1; b < cost.size(); ++b) {
            const double away = std::abs(secondsFromSamples(middle(word) - middle(hypothesis[b - 1])));
            const double pair = key == keys[b - 1] ? std::min(kOther, kSameWordPerSecondAway * away) : kOther;
            const double best = std::min({diagonal + pair, cost[b] + missing, cost[b - 1] + kExtra});
            diagonal = cost[b];
            cost[b] = best;
        }
    }
    std::size_t best = 0;
    double least = 0;
    for (std::size_t b = 0; b < cost.size(); ++b) {
        double seconds_away = 0;
        if (b > 0) {  // counts a word as repeated that lies after the committed ones
            seconds_away += std::max(0.0, secondsFromSamples(middle(hypothesis[b - 1]) - settled_until));
        }
        if (b < hypothesis.size()) {  // counts a word as new that lies before their end
            seconds_away += std::max(0.0, secondsFromSamples(settled_until - middle(hypothesis[b])));
        }
        const double total = cost[b] + kPerSecondAway * seconds_away;
        if (b == 0 || total < least) {
            least = total;
            best = b;
        }
    }
    return best;
}

std::size_t saidAgainCount(std::span<const text::Word> committed, std::span<const text::Word> hypothesis)
{
    std::size_t again = 0;
    if (committed.empty()) {
        return again;
    }
    // Where a word begins is not known well behind words without times, but where it ends.
    const text::Word &last = committed.back();
    const Sample latest_end = last.end_sample + std::clamp<Sample>((last.end_sample - last.start_sample) / 2, samplesFromMs(40), samplesFromMs(150));
    for (std::size_t count = 1; count <= std::min({committed.size(), hypothesis.size(), 2 * kComparedWords}); ++count) {
        const std::span<const text::Word> newest = committed.last(count);
        if (hypothesis[count - 1].end_sample < latest_end && std::equal(newest.begin(), newest.end(), hypothesis.begin(), sameWord)) {
            again = count;
        }
    }
    return again;
}

Cut planCut(std::span<const text::Word> words, Sample window_start, Sample target)
{
    const auto first_later = std::find_if(words.begin(), words.end(), [target](const text::Word &word) { return middle(word) >= target; });
    Cut cut{static_cast<std::size_t>(first_later - words.begin()), target};
    if (first_later != words.end()) {
        cut.sample = std::min(cut.sample, first_later->start_sample);
    }
    if (cut.words > 0) {
        cut.sample = std::max(cut.sample, words[cut.words - 1].end_sample);
    }
    if (cut.sample <= window_start) {  // one word from the very start to beyond the target
        cut.words += 1;
        cut.sample = std::max(target, words[cut.words - 1].end_sample);
    }
    return cut;
}

}  // namespace braid::captions
