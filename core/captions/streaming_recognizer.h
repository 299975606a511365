// What the streaming decoders (Algorithms 1, 2 and 4 of CarelessWhisper) need of a causal model, and nothing more: sound goes in and
// is encoded block by block, once; rows of tokens are scored against all of it. Implemented over Whisper in core/models/whisper and
// by scripted fakes in tests. No torch here.
//
// Thread: the engine worker's. Errors: braid::Error.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/attention_wanted.h"
#include "core/base/sample_clock.h"
#include "core/captions/chunking.h"
#include "core/text/transcript.h"

namespace braid::captions {

struct TokenScore {
    std::int32_t id = 0;
    float logit = 0;            // after the filters
    float log_probability = 0;  // of the filtered distribution
};

// What the model says after position p of a row: which token comes at p + 1.
struct NextScores {
    std::vector<TokenScore> best;  // most probable first, ScoreRequest::best of them
    TokenScore actual;             // the row's own token at p + 1; id -1 at the last position
};

// The released decoders forbid a blank and the end token as long as nothing is said; the paper does not. ForbiddenWhileEmpty is asked only
// while every row is just the prompt, and then holds for every position of the request.
enum class BlankRule : std::uint8_t { Allowed = 1, ForbiddenWhileEmpty };

struct ScoreRequest {
    std::span<const std::vector<std::int32_t>> rows;  // whole rows, prompt included; lengths may differ; at least one token each
    std::vector<std::size_t> first_positions;         // for each row: scores are wanted for the positions from here to its end
    int best = 6;
    BlankRule blank = BlankRule::Allowed;
    AttentionWanted attention = AttentionWanted::No;
};

struct RowScores {
    std::size_t first_position = 0;
    std::vector<NextScores> next;  // one for each position from first_position to the row's end
    std::vector<float> attention;  // next.size() x frames(), row-major, mean of the alignment heads, each row sums to about 1; empty unless wanted
};

// Whether keys and values of tokens computed before the newest block stay in use (the paper's approximation, section V-B b) or are
// computed anew, which is exact.
enum class TokenCache : std::uint8_t { WithinChunk = 1, AcrossChunks };

// Which unstable tokens are taken back, and how beams are scored and end: the paper's own words (Algorithms 1 and 2, Definitions 1 and
// 3), the two released decoders where they differ from it (shared/reference/streaming-asr.md 1.7, 1.8), or ours, the best by measurement.
enum class StabilityRule : std::uint8_t { Paper = 1, ReleasedV1, ReleasedV2, Braid };
// The authors' programs: what was published is judged by what they say, whatever comes.
[[nodiscard]] constexpr bool isReleased(StabilityRule rule) noexcept
{
    return rule == StabilityRule::ReleasedV1 || rule == StabilityRule::ReleasedV2;
}

// What the encoder holds, for the window's cache panel.
struct EncoderState {
    Sample window_start_sample = 0;
    Sample frame_samples = 320;
    std::vector<std::int32_t> block_ends;  // frames; one for each block encoded so far
    std::int32_t encoder_layers = 0;
    std::int32_t maximum_frames = 0;
    std::uint64_t encoder_cache_bytes = 0;
    std::uint64_t sound_cache_bytes = 0;  // cross-attention keys and values
    std::uint64_t token_cache_bytes = 0;
    double encode_ms = 0;  // of the newest step
    double decode_ms = 0;
};

class StreamingRecognizer {
  public:
    virtual ~StreamingRecognizer() = default;

    // Forgets all sound and tokens; a new window begins at `start_sample` of the session clock.
    virtual void begin(const Chunking &chunking, Sample start_sample) = 0;
    // Later blocks are of this size; those already encoded stay what they are.
    virtual void setChunk(Sample chunk_samples) = 0;
    // 16 kHz mono that directly follows what was added before. Stores it and extends the log-mel.
    virtual void addSound(std::span<const float> sound) = 0;
    // Whole blocks that could be encoded now (their look-ahead has arrived too).
    [[nodiscard]] virtual int blocksReady() const = 0;
    // Encodes the next block. Only while blocksReady() > 0 and frames() < maximumFrames().
    virtual void encodeBlock() = 0;
    // No more sound follows: encodes what is left as one last block, padded with silence to a whole frame.
    virtual void encodeRest() = 0;

    [[nodiscard]] virtual std::int64_t frames() const = 0;         // encoded so far
    [[nodiscard]] virtual std::int64_t maximumFrames() const = 0;  // what a window can hold
    [[nodiscard]] virtual std::int64_t maximumTokens() const = 0;  // what a row can hold, prompt included
    [[nodiscard]] virtual Sample frameSamples() const = 0;
    [[nodiscard]] virtual Sample lookAheadSamples() const = 0;   // sound needed beyond a block's end (360 for Whisper)
    [[nodiscard]] virtual Chunking defaultChunking() const = 0;  // what the model was trained for
    [[nodiscard]] virtual EncoderState encoderState() const = 0;

    // Scores rows against all encoded sound. Pure as seen from outside: equal rows and sound give equal scores; what was computed for
    // the same or shorter rows since the newest block is reused (and, with TokenCache::AcrossChunks, since before it).
    [[nodiscard]] virtual std::vector<RowScores> score(const ScoreRequest &request) = 0;
    [[nodiscard]] virtual int decoderPasses() const = 0;  // since begin()

    // The tokens every row begins with; `previous_text` is committed text before the window, used where the model knows how.
    [[nodiscard]] virtual std::vector<std::int32_t> prompt(std::string_view previous_text) = 0;
    [[nodiscard]] virtual std::int32_t endToken() const = 0;
    // Groups tokens into words; never inside a character. Times and first_seen are left to the policy.
    [[nodiscard]] virtual std::vector<text::Word> words(std::span<const text::Token> tokens) const = 0;
    [[nodiscard]] virtual std::string textOf(std::int32_t token_id) const = 0;
};

}  // namespace braid::captions
