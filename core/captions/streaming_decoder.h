// What StreamingGreedy and StreamingBeam are to the streaming policy: a transcript of the sound of one window that grows with every
// chunk and may take back its newest tokens. Thread: the policy's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "core/captions/streaming_recognizer.h"

namespace braid::captions {

struct StreamingDecoderOptions {
    int look_back_tokens = 2;  // n
    int beam_size = 1;         // b
    StabilityRule stability = StabilityRule::Braid;
    int rival_count = 3;
    AttentionWanted attention = AttentionWanted::No;
};

// What was said beside a token when it was last looked at.
struct TokenLook {
    std::vector<TokenScore> rivals;  // most probable first, the token itself not among them
    std::vector<float> attention;    // over the frames encoded then; empty unless wanted
};

// A token of a row with what the model said about it when it was last looked at. Cheap to copy.
struct RowToken {
    std::int32_t id = 0;
    float logit = 0;
    float log_probability = 0;
    std::int64_t seen_frames = 0;           // frames encoded when the token first stood here (Algorithm 4); 0: part of the prompt or forced
    std::shared_ptr<const TokenLook> look;  // null for prompt and forced tokens
};

struct DecodeLimits {
    int most_calls = 28;  // decoder calls, so tokens, that one chunk may take; a loop ends here. 28 is what was released.
    std::size_t most_tokens = std::numeric_limits<std::size_t>::max();  // a row's, prompt included
    std::size_t most_rounds = 4;                                        // as often may one phrase stand among the tokens of one chunk (StabilityRule::Braid)
};

enum class ChunkEnd : std::uint8_t {
    EndToken = 1,  // the model has no more to say
    Limit,         // it was stopped: by a limit, or because it had begun to repeat itself
};

class StreamingDecoder {
  public:
    virtual ~StreamingDecoder() = default;

    // A new window: rows begin with `prompt`, which stands for ever, and `forced`, text already settled.
    virtual void begin(std::span<const std::int32_t> prompt, std::span<const std::int32_t> forced) = 0;
    // The algorithm was changed live: goes on from what another decoder has made of this window, `text`, whose first `settled` tokens stand.
    virtual void takeOver(std::span<const std::int32_t> prompt, std::span<const RowToken> text, std::size_t settled) = 0;
    // Another chunk has been encoded: verifies the newest tokens, takes back what no longer holds, goes on.
    virtual ChunkEnd decode(StreamingRecognizer &recognizer, const DecodeLimits &limits) = 0;
    // The best transcript of the window: everything behind the prompt, forced tokens included.
    [[nodiscard]] virtual std::span<const RowToken> text() const = 0;
    // How many tokens of text() the next chunk cannot take back.
    [[nodiscard]] virtual std::size_t firmTokens() const = 0;
    // The first `count` tokens of text() have settled: they stand, and rows that say something else there are dropped.
    virtual void settle(std::size_t count) = 0;
    virtual void adjust(int look_back_tokens, int beam_size) = 0;
};

// Algorithm 2 for a beam of several rows, else Algorithm 1.
[[nodiscard]] std::unique_ptr<StreamingDecoder> makeStreamingDecoder(const StreamingDecoderOptions &options);

}  // namespace braid::captions
