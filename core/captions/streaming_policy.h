// The causal streaming Whisper as a caption policy (CarelessWhisper, sections IV-C and IV-D, appendix B): every chunk is encoded once, the
// words so far are verified against it and continued. Here is what the paper leaves open: what is settled and when, word times for
// every kind of decoding, and windows that follow one another for hours.
//
// Settled: a token the decoder can no longer take back, because it lies before the look-back window (beam: of every row, and is common to
// all rows). Words settle whole, when the word behind them has begun to settle.
// Guards against nonsense (word_guards.h, doubt_guard.h; inPlaceCount() of streaming_times.h) stand before our rule and the paper's; the released rules say
// what was published. Nothing waits for long: a word the model says stands in the tail with the same step (unless it doubts all it says since the utterance, or
// a window begun anew, began: doubt_guard.h), and settles at most two seconds and a few tokens later. A window whose text does not grow though there were two
// and a half seconds of loud sound, or that ends its text so long before the sound, gives way to a new one that begins behind its text.
// The longer a window, the more there is in it that sounds like the newest words; a decoder that attends to the former instead of the latter tells the same
// once more, a chunk's worth of tokens at a time. By where words attend that is seen; none of it is written, and a window of the newest seconds follows.
// Windows: a model's window ends (at 15 s, 30 s). From `restart_after_samples` on, a new window begins in a pause, and the fuller the window
// is, the shorter a pause will do: what was said before it settles, what was said behind it is said anew. Without any, shortly before the
// model's limit (sound or tokens), the newest few seconds are heard again: words settled in the overlap are forced, from the one at which the
// new window finds them most probable; what is said again nevertheless is recognised by text and time and left out.
//
// Thread: the engine worker's. Ownership: the policy owns its recogniser. Errors: braid::Error of the recogniser pass through.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/captions/caption_policy.h"
#include "core/captions/doubt_guard.h"
#include "core/captions/prompt_text.h"
#include "core/captions/streaming_recognizer.h"
#include "core/captions/streaming_times.h"

namespace braid::captions {

struct StreamingOptions {
    Sample chunk_samples = 0;                // 0: the model's own
    Sample first_chunk_samples = 0;          // 0: the model's own
    std::optional<Sample> reencode_samples;  // Chunking's; empty: the model's own with StabilityRule::Braid, else none
    int beam_size = 1;                       // b of Algorithm 2; 1: Algorithm 1
    int look_back_tokens = 2;                // n of both
    StabilityRule stability = StabilityRule::Braid;
    WordTimeRule word_times = WordTimeRule::Refined;
    int rival_count = 3;                               // rivals kept for each token
    AttentionWanted attention = AttentionWanted::Yes;  // for the map; word times look at it in any case
    // A new window begins at a pause once the present one is so long; it never grows beyond what the model takes. 0: half of that.
    Sample restart_after_samples = 0;
    // Where there is no pause: how much is heard again. 0: a fifth of what the model's window holds, at most three seconds.
    Sample overlap_samples = 0;
    PromptOptions prompt;
    DoubtOptions doubt;  // with StabilityRule::Braid alone
};

class StreamingPolicy final : public CaptionPolicy {
  public:
    explicit StreamingPolicy(std::unique_ptr<StreamingRecognizer> recognizer, StreamingOptions options = {});
    ~StreamingPolicy() override;

    [[nodiscard]] std::string name() const override { return "streaming"; }
    // From the newest step to the end of the next block and its look-ahead: a step then finds exactly one block to encode.
    [[nodiscard]] Sample stepSamples() const override;
    void adjust(const PolicySettings &settings) override;
    void beginUtterance(Sample start_sample) override;
    void addSound(std::span<const float> sound) override;
    [[nodiscard]] PolicyUpdate step() override;
    [[nodiscard]] PolicyUpdate endUtterance() override;

    // Sound held for a new window; bounded however long the utterance is.
    [[nodiscard]] Sample windowSamples() const noexcept;
    // Windows begun since the utterance began.
    [[nodiscard]] int windows() const noexcept;

  private:
    struct State;
    std::unique_ptr<State> m_state;
};

}  // namespace braid::captions
