// What the streaming policy keeps while it runs. Private to its three files: streaming_policy.cpp, streaming_words.cpp, streaming_windows.cpp.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/captions/loudness_track.h"
#include "core/captions/sound_window.h"
#include "core/captions/streaming_decoder.h"
#include "core/captions/streaming_policy.h"
#include "core/captions/streaming_times.h"
#include "core/captions/utterance_book.h"

namespace braid::captions {

// A pause after which a new window may begin without hearing anything again: whatever was said before it has been written by its end.
inline constexpr Sample kRestartPause = samplesFromMs(500);

struct StreamingPolicy::State {
    // Closed: the window begins behind what is settled. Forced: the settled words of its sound are forced. Open: it may say them again.
    enum class Join : std::uint8_t { Closed = 1, Forced, Open };
    // A place in a pause, and the tail words before it.
    struct CleanCut {
        Sample sample = 0;
        std::size_t words = 0;
    };

    // Settled words as a new window may begin with them.
    struct Forcible {
        std::vector<std::int32_t> tokens;
        Sample start_sample = 0;  // of the first word
    };

    State(std::unique_ptr<StreamingRecognizer> owned, StreamingOptions wanted)
        : recognizer(std::move(owned))
        , options(wanted)
        , decoder(makeStreamingDecoder(decoderOptions()))
        , book(wanted.prompt)
    {
    }

    std::unique_ptr<StreamingRecognizer> recognizer;
    StreamingOptions options;
    std::unique_ptr<StreamingDecoder> decoder;
    SoundWindow sound;  // of the window
    LoudnessTrack loudness;
    UtteranceBook book;
    WindowClock clock;
    Sample boundary = 0;     // of the blocks encoded so far, counted from the window's start; not rounded to frames
    Sample given_until = 0;  // sound the recogniser has
    Sample looked_until = 0;
    Sample heard_again_until = 0;      // the window before had looked so far: the first look waits until this one has heard it
    Sample stepped_until = 0;          // sound there was at the newest step, or where the utterance begins
    std::vector<std::int32_t> prompt;  // empty until the window's first look
    std::vector<std::int32_t> forced;
    std::vector<Forcible> forcible;      // until the window's first look: what may be forced
    std::size_t likeliest_forcible = 0;  // by word times
    std::size_t settled_tokens = 0;      // of the decoder's text
    std::size_t repeated_tokens = 0;     // behind them, said again at the join
    Join join = Join::Closed;
    bool has_settled = false;           // anything of the utterance, or since it was begun anew
    ChunkEnd end = ChunkEnd::EndToken;  // of the newest look
    int implausible_looks = 0;          // running
    bool tells_again = false;           // the newest look found what had been told long ago (inPlaceCount())
    std::size_t longest_text = 0;
    Sample progress_sample = 0;  // when the text last grew
    std::shared_ptr<const AttentionMap> attention;
    int windows = 0;

    [[nodiscard]] Chunking chunking() const
    {
        Chunking chosen = recognizer->defaultChunking();
        chosen.frame_samples = recognizer->frameSamples();
        if (options.chunk_samples > 0) {
            chosen.chunk_samples = options.chunk_samples;
        }
        chosen.chunk_samples = std::max(chosen.chunk_samples, chosen.frame_samples);
        chosen.first_samples = options.first_chunk_samples > 0 ? std::max(options.first_chunk_samples, chosen.frame_samples)
                                                               : std::max(chosen.first_samples, chosen.chunk_samples);
        const Sample own = options.stability == StabilityRule::Braid ? chosen.reencode_samples : 0;
        chosen.reencode_samples = options.reencode_samples.value_or(own);
        return chosen;
    }
    [[nodiscard]] Sample nextBoundary() const { return recognizer->frames() == 0 ? chunking().first_samples : boundary + chunking().chunk_samples; }
    [[nodiscard]] Sample settledUntil() const { return book.settledUntil(clock.start_sample); }
    [[nodiscard]] Sample length() const { return looked_until - clock.start_sample; }
    // What has been heard, be it by the window before.
    [[nodiscard]] Sample heardUntil() const { return std::max(looked_until, heard_again_until); }
    [[nodiscard]] std::size_t tailBase() const { return settled_tokens + repeated_tokens; }
    [[nodiscard]] bool fits(Sample next_boundary) const { return next_boundary / recognizer->frameSamples() <= recognizer->maximumFrames(); }

    [[nodiscard]] StreamingDecoderOptions decoderOptions() const
    {
        return {options.look_back_tokens, options.beam_size, options.stability, options.rival_count, AttentionWanted::Yes};
    }

    // streaming_policy.cpp: sound in, looks at it.
    void hear(PolicyUpdate &update);
    void look(PolicyUpdate &update);
    [[nodiscard]] DecodeLimits limits() const;
    void finish(PolicyUpdate &update);

    // streaming_words.cpp: tokens become words, the tail, and what has settled.
    [[nodiscard]] text::Token plainToken(const RowToken &token) const;
    [[nodiscard]] std::vector<text::Word> wordsOf(std::span<const RowToken> tokens, Sample earliest) const;
    [[nodiscard]] float silenceProbability();
    void takeTail();
    void publishAttention();
    void commitFirm(PolicyUpdate &update);
    void commit(std::size_t words, PolicyUpdate &update);

    // streaming_windows.cpp: where a window begins, and when it gives way to the next.
    void beginWindow(Sample start, std::vector<Forcible> settled_words, Join how);
    void renewWindow(PolicyUpdate &update);
    void restartWithOverlap(PolicyUpdate &update);
    void beginAnewBehindText(PolicyUpdate &update, Sample earliest);
    [[nodiscard]] Sample loudSince(Sample sample) const;
    void beginText();
    [[nodiscard]] std::size_t mostProbableBeginning();
    [[nodiscard]] Sample mostWindow() const { return recognizer->maximumFrames() * recognizer->frameSamples(); }
    [[nodiscard]] Sample restartAfter() const { return options.restart_after_samples > 0 ? options.restart_after_samples : mostWindow() / 2; }
    [[nodiscard]] Sample overlap() const;
    [[nodiscard]] Sample neededPause() const;
    [[nodiscard]] std::optional<CleanCut> cleanCut() const;
    [[nodiscard]] std::optional<std::size_t> wordsBefore(const QuietStretch &pause) const;
    [[nodiscard]] Sample cutNear(Sample target, Sample latest) const;
};

}  // namespace braid::captions
