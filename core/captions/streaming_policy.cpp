#include "core/captions/streaming_policy.h"

#include <algorithm>
#include <utility>

#include "core/captions/streaming_state.h"

namespace braid::captions {

namespace {

// No more tokens than a fast speaker needs, spelled in small pieces; those left out are said with the next chunk.
constexpr double kTokensToSpare = 8;
constexpr double kMostTokensPerSecond = 15;
constexpr int kReleasedMostCalls = 28;
// Behind the machine: looks are at least so far apart.
constexpr Sample kCatchUpLook = samplesFromSeconds(1);
constexpr int kMostLooksAtTheEnd = 4;
// So much loud sound without words at the end is heard once more.
constexpr Sample kLeastUnsaid = samplesFromMs(1500);
constexpr int kMostBeam = 20;
constexpr int kMostLookBack = 32;

}  // namespace

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
            if (looked_until < clock.sampleOf(recognizer->frames())) {
                look(update);
            }
            restartWithOverlap(update);
            give();
            continue;
        }
        boundary = nextBoundary();
        recognizer->encodeBlock();
        const Sample encoded_until = clock.sampleOf(recognizer->frames());
        if (recognizer->blocksReady() > 0 && (encoded_until < heard_again_until || encoded_until - looked_until < kCatchUpLook)) {
            continue;
        }
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
    limits.most_calls = isReleased(options.stability)
                            ? kReleasedMostCalls
                            : std::max(kReleasedMostCalls, static_cast<int>(kTokensToSpare + kMostTokensPerSecond * secondsFromSamples(unseen)));
    const double affordable = kTokensToSpare + kMostTokensPerSecond * secondsFromSamples(recognizer->frames() * clock.frame_samples);
    limits.most_tokens = static_cast<std::size_t>(std::max<std::int64_t>(1, recognizer->maximumTokens()));
    if (!isReleased(options.stability)) {
        limits.most_tokens = std::min(limits.most_tokens, prompt.size() + forced.size() + static_cast<std::size_t>(affordable));
    }
    limits.most_rounds = static_cast<std::size_t>(4 + 3 * secondsFromSamples(unseen));
    return limits;
}

void StreamingPolicy::State::look(PolicyUpdate &update)
{
    if (prompt.empty()) {
        beginText();
    }
    if (clock.looks.empty() || clock.looks.back() < recognizer->frames()) {
        clock.looks.push_back(recognizer->frames());
    }
    const int passes_before = recognizer->decoderPasses();
    end = decoder->decode(*recognizer, limits());
    update.decoder_steps += recognizer->decoderPasses() - passes_before;
    looked_until = std::min(clock.sampleOf(recognizer->frames()), sound.end());
    if (decoder->text().size() > longest_text || longest_text == 0) {
        longest_text = decoder->text().size();
        progress_sample = looked_until;
    }
    takeTail();
    if (options.attention == AttentionWanted::Yes) {
        publishAttention();
    }
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
        if (recognizer->frames() == 0) {
            break;
        }
        for (int looks = 0; looks < kMostLooksAtTheEnd; ++looks) {
            const std::size_t before = decoder->text().size();
            look(update);
            if (end == ChunkEnd::EndToken || (looks > 0 && decoder->text().size() == before)) {
                break;
            }
        }
        const bool is_cut_short = implausible_looks > 0;
        const bool says_something = !book.tail().empty();
        const Sample unsaid = loudSince(book.tail().empty() ? settledUntil() : book.tail().back().end_sample);
        commit(book.tail().size(), update);
        // Behind nonsense, and where a window ended its text too soon, there may still be speech.
        Sample start = settledUntil();
        if (is_cut_short) {
            start = std::max(start, clock.start_sample + (sound.end() - clock.start_sample) / kMostLooksAtTheEnd);
        } else if (unsaid < kLeastUnsaid || (round > 0 && !says_something)) {
            break;
        }
        if (sound.end() - start < kRestartPause) {
            break;
        }
        beginAnewBehindText(update, start);
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
    if (settings.look_back_tokens >= 0) {
        state.options.look_back_tokens = std::min(settings.look_back_tokens, kMostLookBack);
    }
    const bool was_beam = state.options.beam_size > 1;
    if (settings.beam_size > 0) {
        state.options.beam_size = std::min(settings.beam_size, kMostBeam);
    }
    if (was_beam == (state.options.beam_size > 1)) {
        state.decoder->adjust(state.options.look_back_tokens, state.options.beam_size);
        return;
    }
    // The other algorithm goes on with the same words: none vanishes, and each keeps the chunk in which it was first seen.
    const std::vector<RowToken> text(state.decoder->text().begin(), state.decoder->text().end());
    state.decoder = makeStreamingDecoder(state.decoderOptions());
    if (!state.prompt.empty()) {
        state.decoder->takeOver(state.prompt, text, state.settled_tokens);
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
    state.has_settled = false;
    state.stepped_until = state.looked_until = start_sample;
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

}  // namespace braid::captions
