// A caption policy turns one utterance of growing sound into words: some committed for ever, some still in the tail.
// LocalAgreement, AlignAtt and (next) the causal streaming Whisper are policies; the session and the engine know only this.
//
// Thread: the engine worker alone calls it. Errors: throws braid::Error; after a throw only reset by beginUtterance is allowed.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/sample_clock.h"
#include "core/captions/streaming_recognizer.h"
#include "core/text/transcript.h"

namespace braid::captions {

// What the newest decoded tokens attended to: rows are tokens, columns are encoder frames. Immutable once published.
struct AttentionMap {
    std::vector<std::string> row_labels;  // one per token
    std::vector<Sample> row_starts;       // of the word each row's token belongs to; neighbouring rows of one word have the same
    Sample first_column_sample = 0;       // where column 0 begins on the session clock
    Sample column_samples = 0;            // width of a column in samples (320 for Whisper)
    int rows = 0;
    int columns = 0;
    std::vector<float> weights;  // rows x columns, row-major; each row sums to about 1
};

struct PolicyUpdate {
    std::vector<text::Word> committed;              // newly committed by this call, in order
    std::vector<text::Word> tail;                   // the whole present tail; replaces the one before
    std::shared_ptr<const AttentionMap> attention;  // may be null
    int decoder_steps = 0;                          // decoder forward passes in this call
    Sample decoded_until_sample = 0;                // sound up to here has been seen by the model
    std::shared_ptr<const EncoderState> encoder;    // of a streaming model; else null
};

// Rows a streaming policy keeps side by side unless told otherwise: with the model in the box five err least for what they cost (its card
// has the figures).
inline constexpr int kDefaultStreamingBeam = 5;

// What can be changed while a policy runs.
struct PolicySettings {
    int step_ms = 0;            // 0: leave as it is
    int beam_size = 0;          // 0: leave as it is
    int look_back_tokens = -1;  // negative: leave as it is; 0 is a choice
};

class CaptionPolicy {
  public:
    virtual ~CaptionPolicy() = default;

    // "local-agreement", "align-att", "streaming"
    [[nodiscard]] virtual std::string name() const = 0;
    // The amount of new sound the next step waits for, in samples: the policy's chunk. Counted from the newest step (or the utterance's
    // begin): adding sound does not change it, a step and adjust() may.
    [[nodiscard]] virtual Sample stepSamples() const = 0;

    // Takes effect with the next step. A policy ignores what it does not have.
    virtual void adjust(const PolicySettings &settings) { (void)settings; }

    // Forgets the utterance before (not the committed text it uses as prompt) and starts a new one at `start_sample` of the session clock.
    virtual void beginUtterance(Sample start_sample) = 0;
    // Adds 16 kHz mono sound in [-1, 1] that directly follows what was added before. Cheap: only stores it.
    virtual void addSound(std::span<const float> sound) = 0;
    // Looks at all sound added so far. Called when at least stepSamples() of it are new; more when the machine is behind.
    [[nodiscard]] virtual PolicyUpdate step() = 0;
    // The utterance is over: looks at the rest and commits everything; the returned tail is empty.
    [[nodiscard]] virtual PolicyUpdate endUtterance() = 0;
};

}  // namespace braid::captions
