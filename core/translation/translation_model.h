// What streaming translation (wait-k and its kin) needs of a language model, and nothing more: source tokens are read, target tokens
// predicted and written, and the newest ones taken back. Implemented over a StreamCache and one of its paradigms in core/models and by
// scripted fakes in tests. No torch here.
//
// The one rule that every implementation keeps ("LLM as Effective Streaming Processor", B.3; reference/streaming-llm.md 1.4, 1.5): what
// predict() says has seen everything that was read. So the last written token, which predicts the next one, is fed again
// after a read: its cache entry is removed and made anew. Nothing else that was written is computed again, unless the paradigm is one that
// re-encodes. Feeding may be lazy: several reads in a row cost one prediction.
//
// Thread: the engine worker's. Errors: braid::Error; Error(Usage) where the model can hold no more (see room()).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/attention_wanted.h"
#include "core/text/transcript.h"

namespace braid::translation {

// What was said before, for a sentence that goes on from it: whole sentences, source and target of the same ones.
struct TranslationContext {
    std::string source;
    std::string target;
};

struct PredictedToken {
    text::Token token;             // chosen by the model's sampling; with probability and rivals
    bool is_end = false;           // the model says the translation ends here
    std::vector<float> attention;  // over all source tokens read since begin(), prompt included; empty unless wanted
};

// What a translation cost since the model was made, and what it holds: the price of re-encoding is in `tokens_fed`.
struct TranslationCost {
    std::int64_t tokens_fed = 0;  // through the network, again counted again
    std::int64_t passes = 0;
    std::int64_t target_passes = 0;  // of these, those that fed the target: decoder calls
    std::int64_t cache_entries = 0;  // now
    std::uint64_t cache_bytes = 0;   // now
};

class TranslationModel {
  public:
    virtual ~TranslationModel() = default;

    // Forgets everything; reads the instruction (and the context's source) and writes what stands before a translation (and the context's
    // target). These count as no unit and no word. Deterministic from here on: equal calls give equal tokens, sampling included.
    virtual void begin(const TranslationContext &context) = 0;

    // Tokens of the source in order, one group for each reading unit. `text` is the unit with the space before it, if there is one.
    [[nodiscard]] virtual std::vector<std::int32_t> sourceTokens(std::string_view text) const = 0;
    // What closes a source: the end of the turn. Read like a unit; may be empty.
    [[nodiscard]] virtual std::vector<std::int32_t> endOfSource() const = 0;
    virtual void read(std::span<const std::int32_t> tokens) = 0;

    // The next token after all written ones, having seen all read ones. Pure: until something is read, written or taken back, the same again.
    [[nodiscard]] virtual PredictedToken predict(AttentionWanted attention) = 0;
    virtual void write(std::int32_t token_id) = 0;
    // Takes back the newest `count` tokens written since begin().
    virtual void unwrite(int count) = 0;

    // Tokens that can still be read or written since begin().
    [[nodiscard]] virtual std::int64_t room() const = 0;
    // How many source tokens begin() read: where the first unit's columns begin in an attention.
    [[nodiscard]] virtual std::int64_t promptTokens() const = 0;
    [[nodiscard]] virtual TranslationCost cost() const = 0;
};

}  // namespace braid::translation
