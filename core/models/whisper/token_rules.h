// Which tokens may come next: Whisper's rules over the raw scores (openai/whisper's decoding: suppress blank, suppress tokens,
// timestamp rules), and what makes probabilities of scores. Plain floats, no torch. Thread: const functions from any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace braid::models::whisper {

struct TimestampRules {
    std::int32_t begin = 0;          // <|0.00|>
    std::int32_t no_timestamps = 0;  // <|notimestamps|>
    int max_initial = 50;            // the first timestamp is at most this many steps after <|0.00|>
};

struct TokenRules {
    std::int32_t end_of_text = 0;
    std::vector<std::int32_t> suppressed;           // never
    std::vector<std::int32_t> suppressed_at_start;  // never as first token ("blank"); end of text among them where the rules say so
    std::optional<TimestampRules> timestamps;       // empty: decoding without timestamps

    // Sets what may not follow `sampled` (the tokens after the prompt) to minus infinity.
    void apply(std::span<float> scores, std::span<const std::int32_t> sampled) const;
};

// Scores become log-probabilities, in place.
void logSoftmax(std::span<float> scores);

}  // namespace braid::models::whisper
