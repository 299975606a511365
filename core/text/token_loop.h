// Whether a model says one thing over and over: the newest tokens of a text as rounds of one phrase. Thread: any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace braid::text {

inline constexpr std::size_t kLongestLoopedPhrase = 12;  // tokens

struct TokenLoop {
    std::size_t phrase_tokens = 0;  // 0: no loop
    std::size_t run_tokens = 0;     // the newest tokens that belong to it; its last round may be unfinished
};

// The loop by the shortest phrase that was said more than `most_rounds` times at the end of `tokens`.
[[nodiscard]] TokenLoop loopAtEnd(std::span<const std::int32_t> tokens, std::size_t most_rounds) noexcept;

}  // namespace braid::text
