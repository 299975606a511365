// The streaming policy: windows that follow one another for hours.
#include <algorithm>
#include <numeric>
#include <utility>

#include "core/captions/streaming_state.h"

namespace braid::captions {

namespace {

// Left free in a row that must begin anew: a chunk's worth of tokens.
constexpr std::int64_t kTokenReserve = 40;
// A pause in which to cut: so long while the window is half full, so short when it is full.
constexpr Sample kLongestNeededPause = samplesFromMs(500);
constexpr Sample kShortestNeededPause = samplesFromMs(100);
// What was said before a pause has been written so long after its beginning, if the model has anything to write.
constexpr Sample kWrittenBy = samplesFromMs(900);
// No pause further back is cut in, as all behind it is heard again.
constexpr Sample kMostHeardAgain = samplesFromSeconds(3);
// A window begins with so much of a long pause.
constexpr Sample kPauseBeforeWindow = samplesFromMs(300);
constexpr Sample kTimeSlack = samplesFromMs(60);
// Where a window is cut without a pause: within this of the wanted place, and not nearer to the present than this.
constexpr Sample kCutSearch = samplesFromMs(1500);
// Word times may be wrong by so many words at the cut.
constexpr std::ptrdiff_t kDoubtfulWords = 2;
// By so much more probable (a logarithm) must another beginning be than the one that is likeliest by time.
constexpr double kClearlyBetter = 1;
constexpr Sample kLeastOverlap = samplesFromMs(1000);
// A window in which nothing more is written though there is sound, or in which only nonsense is, is given up.
constexpr Sample kStalled = samplesFromSeconds(2.5);
constexpr Sample kLeastStalledWindow = samplesFromSeconds(4);
constexpr int kMostImplausibleLooks = 3;

Sample middle(const text::Word &word)
{
    return (word.start_sample + word.end_sample) / 2;
}

}  // namespace

void StreamingPolicy::State::beginWindow(Sample start, std::vector<Forcible> settled_words, Join how)
{
    sound.dropBefore(start);
    start = sound.start();
    loudness.dropBefore(start);
    book.forgetBefore(start);
    recognizer->begin(chunking(), start);
    clock = {start, recognizer->frameSamples(), {}};
    boundary = 0;
    heard_again_until = looked_until;
    given_until = looked_until = progress_sample = start;
    prompt.clear();
    forced.clear();
    forcible = std::move(settled_words);
    settled_tokens = repeated_tokens = 0;
    join = how;
    end = ChunkEnd::EndToken;
    implausible_looks = 0;
    tells_again = false;
    longest_text = 0;
    ++windows;
}

// Which of `forcible` the new window finds most probable; the likeliest by time unless another is clearly better.
std::size_t StreamingPolicy::State::mostProbableBeginning()
{
    std::vector<std::vector<std::int32_t>> rows;
    ScoreRequest request;
    for (const Forcible &words : forcible) {
        rows.push_back(prompt);
        rows.back().insert(rows.back().end(), words.tokens.begin(), words.tokens.end());
        request.first_positions.push_back(prompt.size() - 1);
    }
    request.rows = rows;
    request.best = 1;
    const std::vector<RowScores> scores = recognizer->score(request);
    std::size_t best = likeliest_forcible;
    double best_sum = 0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
        const std::vector<NextScores> &next = scores[i].next;
        double sum = i == likeliest_forcible ? kClearlyBetter : 0;
        for (const NextScores &at : std::span(next).first(next.size() - 1)) {
            sum += static_cast<double>(at.actual.log_probability);
        }
        if (i == 0 || sum > best_sum) {
            best = i;
            best_sum = sum;
        }
    }
    return best;
}

// Word times are not exact to the word, so of the settled words that may be the first of the window the model chooses, having heard them all.
void StreamingPolicy::State::beginText()
{
    prompt = recognizer->prompt(book.prompt().before(clock.start_sample));
    if (!forcible.empty()) {
        const std::size_t best = forcible.size() > 1 ? mostProbableBeginning() : 0;
        forced = forcible[best].tokens;
        prompt = recognizer->prompt(book.prompt().before(std::min(clock.start_sample, forcible[best].start_sample)));
        forcible.clear();
    }
    settled_tokens = forced.size();
    decoder->begin(prompt, forced);
}

Sample StreamingPolicy::State::overlap() const
{
    const Sample wanted = options.overlap_samples > 0 ? options.overlap_samples : std::min(samplesFromSeconds(3), mostWindow() / 5);
    return std::min(wanted, std::max(kLeastOverlap, length() / 4));
}

// The fuller the window, the shorter a pause will do.
Sample StreamingPolicy::State::neededPause() const
{
    const Sample room = std::max<Sample>(1, mostWindow() - restartAfter()), over = std::clamp<Sample>(length() - restartAfter(), 0, room);
    return kLongestNeededPause - (kLongestNeededPause - kShortestNeededPause) * over / room;
}

// How many words of the tail were said before `pause`; nothing where that is not certain: a word that would be on the wrong side is lost or said twice.
std::optional<std::size_t> StreamingPolicy::State::wordsBefore(const QuietStretch &pause) const
{
    if (settledUntil() > pause.start_sample + kTimeSlack) {
        return {};
    }
    std::size_t before = 0, token = tailBase();
    bool has_words_behind = false;
    for (const text::Word &word : book.tail()) {
        const std::span<const RowToken> tokens = decoder->text().subspan(token, word.tokens.size());
        token += tokens.size();
        const bool is_before = word.end_sample <= pause.start_sample + kTimeSlack;
        if (!is_before && word.start_sample < pause.end_sample - kTimeSlack) {
            return {};
        }
        const std::optional<Sample> attended = attendedAt(is_before ? tokens.back() : tokens.front(), clock);
        if ((is_before && has_words_behind) || (attended && (is_before ? *attended > pause.end_sample : *attended < pause.start_sample))) {
            return {};
        }
        before += is_before ? 1 : 0;
        has_words_behind = has_words_behind || !is_before;
    }
    const bool lasts = pause.end_sample >= looked_until;
    if (!has_words_behind && looked_until - pause.start_sample < (lasts ? kRestartPause : kWrittenBy)) {
        return {};
    }
    return before;
}

std::optional<StreamingPolicy::State::CleanCut> StreamingPolicy::State::cleanCut() const
{
    if (length() < restartAfter() || end != ChunkEnd::EndToken || implausible_looks > 0) {
        return {};
    }
    Sample longest = neededPause() - 1;
    std::optional<CleanCut> cut;
    for (const QuietStretch &pause : loudness.quiet(std::max(clock.start_sample + length() / 2, looked_until - kMostHeardAgain), looked_until)) {
        if (pause.length() <= longest) {
            continue;
        }
        if (const std::optional<std::size_t> words = wordsBefore(pause)) {
            longest = pause.length();
            cut = CleanCut{pause.end_sample - std::min(pause.length() / 2, kPauseBeforeWindow), *words};
        }
    }
    return cut;
}

Sample StreamingPolicy::State::loudSince(Sample sample) const
{
    Sample loud = std::max<Sample>(0, looked_until - sample);
    for (const QuietStretch &quiet : loudness.quiet(sample, looked_until)) {
        loud -= quiet.length();
    }
    return loud;
}

// The window leads nowhere: what it says settles, and what follows is heard anew, but not from before `earliest`. Whether it is speech is as
// doubtful as at the utterance's beginning.
void StreamingPolicy::State::beginAnewBehindText(PolicyUpdate &update, Sample earliest)
{
    commit(book.tail().size(), update);
    beginWindow(std::max(settledUntil(), earliest), {}, Join::Open);
    has_settled = false;
}

// A new window where this one is long and there is a pause, where it has lost its place in the sound, or where it leads nowhere any more.
void StreamingPolicy::State::renewWindow(PolicyUpdate &update)
{
    if (const std::optional<CleanCut> cut = cleanCut()) {
        commit(cut->words, update);
        beginWindow(cut->sample, {}, Join::Closed);
        return;
    }
    if (tells_again) {  // in a window of the newest seconds there is nothing to tell again
        restartWithOverlap(update);
        return;
    }
    if (implausible_looks >= kMostImplausibleLooks || (loudSince(progress_sample) >= kStalled && length() >= kLeastStalledWindow)) {
        beginAnewBehindText(update, looked_until - length() / 2);
        return;
    }
    const auto row = static_cast<std::int64_t>(prompt.size() + decoder->text().size());
    const std::int64_t reserve = std::min(kTokenReserve, recognizer->maximumTokens() / 4);
    if (!fits(nextBoundary()) || row + reserve > recognizer->maximumTokens()) {
        restartWithOverlap(update);
    }
}

// Where to cut near `target`, before `latest`: in the middle of the longest quiet stretch there is; else between two words.
Sample StreamingPolicy::State::cutNear(Sample target, Sample latest) const
{
    Sample quiet_samples = 0;
    Sample cut = std::min(target, latest);
    for (const QuietStretch &quiet : loudness.quiet(target - kCutSearch, latest)) {
        if (quiet.length() >= std::max(quiet_samples, samplesFromMs(60))) {
            quiet_samples = quiet.length();
            cut = quiet.start_sample + quiet.length() / 2;
        }
    }
    if (quiet_samples > 0) {
        return cut;
    }
    for (const auto *words : {&book.settled(), &book.tail()}) {
        for (const text::Word &word : *words) {
            if (word.start_sample < cut && cut < word.end_sample && cut - word.start_sample < kCutSearch) {
                cut = word.start_sample;
            }
        }
    }
    return cut;
}

// The newest few seconds are heard again in a new window: what has settled of them is forced, the rest said anew.
void StreamingPolicy::State::restartWithOverlap(PolicyUpdate &update)
{
    const Sample again = overlap();
    Sample cut = cutNear(looked_until - again, looked_until - std::min(kLeastOverlap, again));
    cut = std::clamp(cut, looked_until - length() / 2, looked_until);
    const auto &tail = book.tail();
    commit(static_cast<std::size_t>(std::find_if(tail.begin(), tail.end(), [cut](const text::Word &word) { return middle(word) >= cut; }) - tail.begin()),
           update);

    const std::vector<text::Word> &settled = book.settled();
    const auto first_inside =
        std::find_if(settled.rbegin(), settled.rend(), [cut](const text::Word &word) { return middle(word) < cut; }).base() - settled.begin();
    std::vector<Forcible> words;
    for (auto first = std::max<std::ptrdiff_t>(0, first_inside - kDoubtfulWords);
         first <= first_inside + kDoubtfulWords && first < std::ssize(settled) && first_inside < std::ssize(settled); ++first) {
        Forcible forcible_words{{}, settled[static_cast<std::size_t>(first)].start_sample};
        for (const text::Word &word : std::span(settled).subspan(static_cast<std::size_t>(first))) {
            for (const text::Token &token : word.tokens) {
                forcible_words.tokens.push_back(token.id);
            }
        }
        if (first == first_inside) {
            likeliest_forcible = words.size();
        }
        words.push_back(std::move(forcible_words));
    }
    const Join how = words.empty() ? Join::Open : Join::Forced;
    beginWindow(cut, std::move(words), how);
}

}  // namespace braid::captions
