#include "core/decoding/streaming_policy.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/decoding/loudness_track.h"
#include "core/decoding/sound_window.h"
#include "core/decoding/streaming_beam.h"
#include "core/decoding/streaming_greedy.h"
#include "core/decoding/streaming_times.h"
#include "core/decoding/utterance_book.h"
#include "core/decoding/word_guards.h"

namespace braid::decoding {

namespace {

// No more tokens than a fast speaker needs, spelled in small pieces; those left out are said with the next chunk.
constexpr double kTokensToSpare = 8;
constexpr double kMostTokensPerSecond = 15;
constexpr int kReleasedMostCalls = 28;
// Left free in a row that must begin anew: a chunk's worth of tokens.
constexpr std::int64_t kTokenReserve = 40;
// Rows of a beam that still disagree about what is so long ago are not heard any more.
constexpr Sample kLongestDispute = samplesFromSeconds(2);
// A pause after which a new window may begin without hearing anything again: whatever was said before it has been written by its end.
constexpr Sample kRestartPause = samplesFromMs(500);
// Where a window is cut without such a pause: within this of the wanted place, and not nearer to the present than this.
constexpr Sample kCutSearch = samplesFromMs(1500);
constexpr Sample kLeastOverlap = samplesFromMs(1000);
// Behind the machine: looks are at least so far apart.
constexpr Sample kCatchUpLook = samplesFromSeconds(1);
// A window in which nothing more is written though there is sound, or in which only nonsense is, is given up.
constexpr Sample kStalled = samplesFromSeconds(5);
constexpr Sample kLeastStalledWindow = samplesFromSeconds(8);
constexpr int kMostImplausibleLooks = 3;
constexpr int kMostLooksAtTheEnd = 4;
constexpr int kMostBeam = 20;
constexpr int kMostLookBack = 32;

Sample middle(const text::Word &word) { return (word.start_sample + word.end_sample) / 2; }

}  // namespace

struct StreamingPolicy::State {
    enum class Join : std::uint8_t { Closed = 1, Open };  // Open: the window may say again what is settled

    State(std::unique_ptr<StreamingRecognizer> owned, StreamingOptions wanted) : recognizer(std::move(owned)), options(wanted), book(wanted.prompt) { makeDecoder(); }

    std::unique_ptr<StreamingRecognizer> recognizer;
    StreamingOptions options;
    std::unique_ptr<StreamingDecoder> decoder;
    SoundWindow sound;  // of the window
    LoudnessTrack loudness;
    UtteranceBook book;
    WindowClock clock;
    Sample boundary = 0;                // of the blocks encoded so far, counted from the window's start; not rounded to frames
    Sample given_until = 0;             // sound the recogniser has
    Sample looked_until = 0;
    Sample stepped_until = 0;           // sound there was at the newest step, or where the utterance begins
    std::vector<std::int32_t> prompt;   // empty until the window's first look
    std::vector<std::int32_t> forced;
    std::size_t settled_tokens = 0;     // of the decoder's text
    std::size_t repeated_tokens = 0;    // behind them, said again at the join
    Join join = Join::Closed;
    ChunkEnd end = ChunkEnd::EndToken;  // of the newest look
    int implausible_looks = 0;          // running
    std::size_t longest_text = 0;
    Sample progress_sample = 0;         // when the text last grew
    std::shared_ptr<const AttentionMap> attention;
    int windows = 0;

    [[nodiscard]] Chunking chunking() const
    {
        Chunking chosen = recognizer->defaultChunking();
        chosen.frame_samples = recognizer->frameSamples();
        if (options.chunk_samples > 0)
            chosen.chunk_samples = options.chunk_samples;
        chosen.chunk_samples = std::max(chosen.chunk_samples, chosen.frame_samples);
        chosen.first_samples = options.first_chunk_samples > 0 ? std::max(options.first_chunk_samples, chosen.frame_samples) : std::max(chosen.first_samples, chosen.chunk_samples);
        return chosen;
    }
    [[nodiscard]] Sample nextBoundary() const { return recognizer->frames() == 0 ? chunking().first_samples : boundary + chunking().chunk_samples; }
    [[nodiscard]] Sample settledUntil() const { return book.settledUntil(clock.start_sample); }
    [[nodiscard]] Sample length() const { return looked_until - clock.start_sample; }
    [[nodiscard]] std::size_t tailBase() const { return settled_tokens + repeated_tokens; }
    [[nodiscard]] bool fits(Sample next_boundary) const { return next_boundary / recognizer->frameSamples() <= recognizer->maximumFrames(); }

    void makeDecoder()
    {
        const StreamingDecoderOptions chosen{options.look_back_tokens, options.beam_size, options.stability, options.rival_count, AttentionWanted::Yes};
        if (options.beam_size > 1)
            decoder = std::make_unique<StreamingBeam>(chosen);
        else
            decoder = std::make_unique<StreamingGreedy>(chosen);
    }

    void beginWindow(Sample start, std::vector<std::int32_t> forced_tokens, Join how);
    void hear(PolicyUpdate &update);
    void look(PolicyUpdate &update);
    [[nodiscard]] DecodeLimits limits() const;
    [[nodiscard]] text::Token plainToken(const RowToken &token) const;
    [[nodiscard]] std::vector<text::Word> wordsOf(std::span<const RowToken> tokens, Sample earliest) const;
    void takeTail();
    void publishAttention();
    void commitFirm(PolicyUpdate &update);
    void commit(std::size_t words, PolicyUpdate &update);
    void renewWindow(PolicyUpdate &update);
    void restartWithOverlap(PolicyUpdate &update);
    [[nodiscard]] Sample cutNear(Sample target, Sample latest) const;
    void finish(PolicyUpdate &update);
};

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

// Encodes all blocks there is sound for, looking at each; when several wait, at one in a while.
void StreamingPolicy::State::hear(PolicyUpdate &update)
{
    const auto give = [this] {
        recognizer->addSound(sound.until(sound.end()).subspan(static_cast<std::size_t>(given_until - sound.start())));
        given_until = sound.end();
    };
    give();
    while (recognizer->blocksReady() > 0) {
        if (!fits(nextBoundary())) {
            if (looked_until < clock.sampleOf(recognizer->frames()))
                look(update);
            restartWithOverlap(update);
            give();
            continue;
        }
        boundary = nextBoundary();
        recognizer->encodeBlock();
        if (recognizer->blocksReady() > 0 && clock.sampleOf(recognizer->frames()) - looked_until < kCatchUpLook)
            continue;
        look(update);
        commitFirm(update);
        renewWindow(update);
        give();
    }
}

DecodeLimits StreamingPolicy::State::limits() const
{
    DecodeLimits limits;
    const Sample unseen = clock.sampleOf(recognizer->frames()) - looked_until;
    const bool is_released = options.stability == StabilityRule::ReleasedV1 || options.stability == StabilityRule::ReleasedV2;
    limits.most_calls = is_released ? kReleasedMostCalls : std::max(kReleasedMostCalls, static_cast<int>(kTokensToSpare + kMostTokensPerSecond * secondsFromSamples(unseen)));
    const double affordable = kTokensToSpare + kMostTokensPerSecond * secondsFromSamples(recognizer->frames() * clock.frame_samples);
    limits.most_tokens = static_cast<std::size_t>(std::max<std::int64_t>(1, recognizer->maximumTokens()));
    if (!is_released)
        limits.most_tokens = std::min(limits.most_tokens, prompt.size() + forced.size() + static_cast<std::size_t>(affordable));
    limits.most_rounds = static_cast<std::size_t>(4 + 3 * secondsFromSamples(unseen));
    return limits;
}

void StreamingPolicy::State::look(PolicyUpdate &update)
{
    if (prompt.empty()) {
        prompt = recognizer->prompt(book.prompt().before(clock.start_sample));
        decoder->begin(prompt, forced);
    }
    if (clock.looks.empty() || clock.looks.back() < recognizer->frames())
        clock.looks.push_back(recognizer->frames());
    const int passes_before = recognizer->decoderPasses();
    end = decoder->decode(*recognizer, limits());
    update.decoder_steps += recognizer->decoderPasses() - passes_before;
    looked_until = std::min(clock.sampleOf(recognizer->frames()), sound.end());
    if (decoder->text().size() > longest_text || longest_text == 0) {
        longest_text = decoder->text().size();
        progress_sample = looked_until;
    }
    takeTail();
    if (options.attention == AttentionWanted::Yes)
        publishAttention();
}

text::Token StreamingPolicy::State::plainToken(const RowToken &token) const
{
    text::Token plain{token.id, recognizer->textOf(token.id), std::exp(token.log_probability), {}};
    if (token.look) {
        for (const TokenScore &rival : token.look->rivals)
            plain.rivals.push_back({rival.id, recognizer->textOf(rival.id), std::exp(rival.log_probability)});
    }
    return plain;
}

std::vector<text::Word> StreamingPolicy::State::wordsOf(std::span<const RowToken> tokens, Sample earliest) const
{
    std::vector<text::Token> plain;
    for (const RowToken &token : tokens)
        plain.push_back(plainToken(token));
    std::vector<text::Word> words = recognizer->words(plain);
    for (text::Word &word : words) {
        word.probability = 0;
        for (const text::Token &token : word.tokens)
            word.probability += token.probability / static_cast<float>(word.tokens.size());
    }
    setTimes(words, tokens, clock, loudness, earliest, looked_until);
    return words;
}

// The words behind the settled ones. At an open join, those that only say again what is settled are left out.
void StreamingPolicy::State::takeTail()
{
    const std::span<const RowToken> text = decoder->text();
    std::vector<text::Word> words;
    repeated_tokens = 0;
    if (join == Join::Open) {
        words = wordsOf(text.subspan(settled_tokens), clock.start_sample);
        const std::size_t repeated = repeatedCount(book.settled(), words, clock.start_sample);
        for (std::size_t i = 0; i < repeated; ++i)
            repeated_tokens += words[i].tokens.size();
        words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(repeated));
        for (text::Word &word : words) {  // in order, behind what is settled; none may go
            word.start_sample = std::clamp(word.start_sample, settledUntil(), std::max(settledUntil(), looked_until));
            word.end_sample = std::max(word.start_sample, word.end_sample);
        }
    } else {
        words = wordsOf(text.subspan(settled_tokens), settledUntil());
    }
    const std::size_t plausible = plausibleCount(book.settled(), words, settledUntil());
    implausible_looks = plausible < words.size() ? implausible_looks + 1 : 0;
    words.resize(plausible);
    book.setTail(std::move(words), looked_until);
}

void StreamingPolicy::State::publishAttention()
{
    auto map = std::make_shared<AttentionMap>();
    map->first_column_sample = clock.start_sample;
    map->column_samples = clock.frame_samples;
    map->columns = static_cast<int>(recognizer->frames());
    for (const RowToken &token : decoder->text().subspan(std::min(tailBase(), decoder->text().size()))) {
        if (!token.look || token.look->attention.empty())
            continue;
        std::vector<float> row = token.look->attention;
        row.resize(static_cast<std::size_t>(map->columns), 0.0f);
        map->row_labels.push_back(recognizer->textOf(token.id));
        map->weights.insert(map->weights.end(), row.begin(), row.end());
        ++map->rows;
    }
    if (map->rows > 0)
        attention = std::move(map);
}

// Settles the words that can no longer change: all their tokens are firm, and the token that shows where they end.
void StreamingPolicy::State::commitFirm(PolicyUpdate &update)
{
    std::size_t firm = decoder->firmTokens();
    if (options.beam_size > 1) {
        std::size_t token = tailBase();
        for (const text::Word &word : book.tail()) {
            if (word.end_sample > looked_until - kLongestDispute)
                break;
            token += word.tokens.size();
        }
        const std::size_t reach = static_cast<std::size_t>(options.look_back_tokens);
        firm = std::max(firm, std::min(token + 1, decoder->text().size() - std::min(decoder->text().size(), reach)));
    }
    std::size_t words = 0;
    std::size_t token = tailBase();
    while (words < book.tail().size() && token + book.tail()[words].tokens.size() < firm)
        token += book.tail()[words++].tokens.size();
    commit(words, update);
}

void StreamingPolicy::State::commit(std::size_t words, PolicyUpdate &update)
{
    if (words == 0)
        return;
    std::size_t token = tailBase();
    for (std::size_t i = 0; i < words; ++i)
        token += book.tail()[i].tokens.size();
    book.commit(words, looked_until, update);
    decoder->settle(token);
    settled_tokens = token;
    repeated_tokens = 0;
    join = Join::Closed;
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

void StreamingPolicy::State::finish(PolicyUpdate &update)
{
    hear(update);
    for (int round = 0; round < kMostLooksAtTheEnd; ++round) {
        const Sample rest_end = sound.end() - clock.start_sample + clock.frame_samples;
        if (!fits(rest_end)) {
            restartWithOverlap(update);
            hear(update);
        }
        recognizer->encodeRest();
        if (recognizer->frames() == 0)
            break;
        for (int looks = 0; looks < kMostLooksAtTheEnd; ++looks) {
            const std::size_t before = decoder->text().size();
            look(update);
            if (end == ChunkEnd::EndToken || (looks > 0 && decoder->text().size() == before))
                break;
        }
        const bool is_cut_short = implausible_looks > 0;
        commit(book.tail().size(), update);
        if (!is_cut_short)
            break;
        // Behind nonsense there may still be speech.
        const Sample start = std::max(settledUntil(), clock.start_sample + (sound.end() - clock.start_sample) / kMostLooksAtTheEnd);
        if (sound.end() - start < kRestartPause)
            break;
        beginWindow(start, {}, Join::Open);
        hear(update);
    }
}

StreamingPolicy::StreamingPolicy(std::unique_ptr<StreamingRecognizer> recognizer, StreamingOptions options)
    : m_state(std::make_unique<State>(std::move(recognizer), options))
{
    beginUtterance(0);
}

StreamingPolicy::~StreamingPolicy() = default;

Sample StreamingPolicy::stepSamples() const
{
    const State &state = *m_state;
    const Sample frame = state.recognizer->frameSamples();
    const Sample needed = state.clock.start_sample + state.nextBoundary() / frame * frame + state.recognizer->lookAheadSamples();
    return std::max(frame, needed - state.stepped_until);
}

void StreamingPolicy::adjust(const PolicySettings &settings)
{
    State &state = *m_state;
    if (settings.step_ms > 0) {
        state.options.chunk_samples = samplesFromMs(settings.step_ms);
        state.recognizer->setChunk(state.chunking().chunk_samples);
    }
    if (settings.look_back_tokens >= 0)
        state.options.look_back_tokens = std::min(settings.look_back_tokens, kMostLookBack);
    const bool was_beam = state.options.beam_size > 1;
    if (settings.beam_size > 0)
        state.options.beam_size = std::min(settings.beam_size, kMostBeam);
    if (was_beam == (state.options.beam_size > 1)) {
        state.decoder->adjust(state.options.look_back_tokens, state.options.beam_size);
        return;
    }
    // The other algorithm goes on behind what has settled.
    std::vector<std::int32_t> settled;
    for (const RowToken &token : state.decoder->text().first(std::min(state.tailBase(), state.decoder->text().size())))
        settled.push_back(token.id);
    state.makeDecoder();
    if (!state.prompt.empty()) {
        state.settled_tokens = settled.size();
        state.repeated_tokens = 0;
        state.decoder->begin(state.prompt, settled);
    }
}

void StreamingPolicy::beginUtterance(Sample start_sample)
{
    State &state = *m_state;
    state.book.begin();
    state.sound.restart(start_sample);
    state.loudness.restart(start_sample);
    state.attention.reset();
    state.windows = 0;
    state.stepped_until = start_sample;
    state.beginWindow(start_sample, {}, State::Join::Closed);
}

void StreamingPolicy::addSound(std::span<const float> sound)
{
    m_state->sound.append(sound);
    m_state->loudness.append(sound);
}

PolicyUpdate StreamingPolicy::step()
{
    State &state = *m_state;
    PolicyUpdate update;
    state.stepped_until = state.sound.end();
    state.hear(update);
    update.tail = state.book.tail();
    update.attention = state.attention;
    update.decoded_until_sample = state.looked_until;
    update.encoder = std::make_shared<EncoderState>(state.recognizer->encoderState());
    return update;
}

PolicyUpdate StreamingPolicy::endUtterance()
{
    State &state = *m_state;
    PolicyUpdate update;
    state.finish(update);
    update.attention = state.attention;
    update.encoder = std::make_shared<EncoderState>(state.recognizer->encoderState());
    const Sample until = state.sound.end();
    update.decoded_until_sample = until;
    beginUtterance(until);
    return update;
}

Sample StreamingPolicy::windowSamples() const noexcept
{
    return m_state->sound.length();
}

int StreamingPolicy::windows() const noexcept
{
    return m_state->windows;
}

}  // namespace braid::decoding
