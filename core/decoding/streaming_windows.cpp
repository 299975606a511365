// The streaming policy: windows that follow one another for hours.
#include <algorithm>
#include <utility>

#include "core/decoding/streaming_state.h"

namespace braid::decoding {

namespace {

// Left free in a row that must begin anew: a chunk's worth of tokens.
constexpr std::int64_t kTokenReserve = 40;
// Where a window is cut without a pause: within this of the wanted place, and not nearer to the present than this.
constexpr Sample kCutSearch = samplesFromMs(1500);
constexpr Sample kLeastOverlap = samplesFromMs(1000);
// A window in which nothing more is written though there is sound, or in which only nonsense is, is given up.
constexpr Sample kStalled = samplesFromSeconds(5);
constexpr Sample kLeastStalledWindow = samplesFromSeconds(8);
constexpr int kMostImplausibleLooks = 3;

Sample middle(const text::Word &word) { return (word.start_sample + word.end_sample) / 2; }

}  // namespace

void StreamingPolicy::State::beginWindow(Sample start, std::vector<std::int32_t> forced_tokens, Join how)
{
    sound.dropBefore(start);
    start = sound.start();
    loudness.dropBefore(start);
    book.forgetBefore(start);
    recognizer->begin(chunking(), start);
    clock = {start, recognizer->frameSamples(), {}};
    boundary = 0;
    given_until = looked_until = progress_sample = start;
    prompt.clear();
    forced = std::move(forced_tokens);
    settled_tokens = forced.size();
    repeated_tokens = 0;
    join = how;
    end = ChunkEnd::EndToken;
    implausible_looks = 0;
    longest_text = 0;
    ++windows;
}

// A new window where this one is long and there is a pause, or where it leads nowhere any more.
void StreamingPolicy::State::renewWindow(PolicyUpdate &update)
{
    const Sample pause = loudness.quietBefore(looked_until);
    if (length() >= options.restart_after_samples && pause >= kRestartPause && end == ChunkEnd::EndToken && implausible_looks == 0) {
        commit(book.tail().size(), update);
        beginWindow(looked_until - std::min(pause / 2, kRestartPause), {}, Join::Closed);
        return;
    }
    Sample loud = looked_until - progress_sample;
    if (loud >= kStalled) {
        for (const QuietStretch &quiet : loudness.quiet(progress_sample, looked_until))
            loud -= quiet.length();
    }
    if (implausible_looks >= kMostImplausibleLooks || (loud >= kStalled && length() >= kLeastStalledWindow)) {
        commit(book.tail().size(), update);
        beginWindow(std::max(settledUntil(), looked_until - length() / 2), {}, Join::Open);
        return;
    }
    const auto row = static_cast<std::int64_t>(prompt.size() + decoder->text().size());
    const std::int64_t reserve = std::min(kTokenReserve, recognizer->maximumTokens() / 4);
    if (!fits(nextBoundary()) || row + reserve > recognizer->maximumTokens())
        restartWithOverlap(update);
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
    if (quiet_samples > 0)
        return cut;
    for (const auto *words : {&book.settled(), &book.tail()}) {
        for (const text::Word &word : *words) {
            if (word.start_sample < cut && cut < word.end_sample && cut - word.start_sample < kCutSearch)
                cut = word.start_sample;
        }
    }
    return cut;
}

// The newest few seconds are heard again in a new window: what has settled of them is forced, the rest said anew.
void StreamingPolicy::State::restartWithOverlap(PolicyUpdate &update)
{
    const Sample overlap = std::min(options.overlap_samples, std::max(kLeastOverlap, length() / 4));
    Sample cut = cutNear(looked_until - overlap, looked_until - std::min(kLeastOverlap, overlap));
    cut = std::clamp(cut, looked_until - length() / 2, looked_until);
    const auto &tail = book.tail();
    commit(static_cast<std::size_t>(std::find_if(tail.begin(), tail.end(), [cut](const text::Word &word) { return middle(word) >= cut; }) - tail.begin()), update);
    std::vector<std::int32_t> again;
    for (const text::Word &word : book.settled()) {
        if (middle(word) < cut) {
            again.clear();
            continue;
        }
        for (const text::Token &token : word.tokens)
            again.push_back(token.id);
    }
    const Join how = again.empty() ? Join::Open : Join::Closed;
    beginWindow(cut, std::move(again), how);
}

}  // namespace braid::decoding
