// What the caption policies need of a model, and nothing more: two small interfaces, implemented over Whisper in core/models and by
// scripted fakes in tests. No torch here.
//
// Thread: the engine worker's. Errors: braid::Error.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/sample_clock.h"
#include "core/captions/caption_policy.h"
#include "core/text/transcript.h"

namespace braid::captions {

// What the encoder hears behind a window's sound: what the model was trained with, or silence up to its full length (30 s) in any case,
// as LocalAgreement and AlignAtt are published over Whisper.
enum class WindowPadding : std::uint8_t { ModelsOwn = 1, FullWindow };

// --- for LocalAgreement: sound in, whole hypothesis out -------------------------------------------------------------------------
struct RecognitionRequest {
    std::span<const float> sound;  // 16 kHz mono, at most maximumSamples()
    Sample start_sample = 0;       // session time of sound[0]
    std::string previous_text;     // committed text before the sound, as prompt; may be empty
};

struct Hypothesis {
    std::vector<text::Word> words;     // with times on the session clock, ordered, inside the sound
    std::vector<Sample> segment_ends;  // session times where the model itself ended a segment; may be empty
    float average_log_probability = 0;
    float no_speech_probability = 0;
    float compression_ratio = 0;
    std::shared_ptr<const AttentionMap> attention;  // may be null
    int decoder_steps = 0;
};

class WindowRecognizer {
  public:
    virtual ~WindowRecognizer() = default;
    [[nodiscard]] virtual Hypothesis recognize(const RecognitionRequest &request) = 0;
    [[nodiscard]] virtual Sample maximumSamples() const = 0;  // the longest window the model takes
};

// --- for AlignAtt: one token at a time, with what it attended to -----------------------------------------------------------------
struct DecodedStep {
    text::Token token;
    bool is_end = false;           // the model says the transcript ends here
    std::vector<float> attention;  // over encoder frames of the sound: mean of the alignment heads; sums to about 1
};

class StepDecoder {
  public:
    virtual ~StepDecoder() = default;
    // Encodes the sound (16 kHz mono, at most maximumSamples()), forgetting the sound before it.
    virtual void setSound(std::span<const float> sound, Sample start_sample) = 0;
    // Starts decoding anew over the present sound: prompt made of `previous_text`, then `forced_tokens` already accepted for this sound.
    virtual void begin(std::string_view previous_text, std::span<const std::int32_t> forced_tokens) = 0;
    // The most probable next token after all accepted ones. Pure: calling it twice gives the same.
    [[nodiscard]] virtual DecodedStep next() = 0;
    virtual void accept(std::int32_t token_id) = 0;
    // Takes back the newest `count` accepted tokens (not the forced ones).
    virtual void retract(int count) = 0;

    [[nodiscard]] virtual int frames() const = 0;           // encoder frames of real sound (padding not counted)
    [[nodiscard]] virtual Sample frameSamples() const = 0;  // 320 for Whisper
    [[nodiscard]] virtual Sample maximumSamples() const = 0;
    // Groups accepted tokens into words; never inside a character. Times and first_seen are left to the policy.
    [[nodiscard]] virtual std::vector<text::Word> words(std::span<const text::Token> tokens) const = 0;
    [[nodiscard]] virtual std::string textOf(std::span<const std::int32_t> token_ids) const = 0;
};

}  // namespace braid::captions
