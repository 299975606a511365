// Small things that StreamingGreedy and StreamingBeam share: what one position of a scored row says, and when a token was first seen.
// Thread: any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/captions/streaming_decoder.h"

namespace braid::captions {

// One position of a scored row.
struct PositionScores {
    const NextScores *next = nullptr;
    std::span<const float> attention;  // empty unless wanted
};
[[nodiscard]] PositionScores scoresAt(const RowScores &scores, std::size_t position, std::int64_t frames);

// `token` as the next of a row, seen for the first time now.
[[nodiscard]] RowToken newToken(const TokenScore &token, const PositionScores &at, std::int64_t frames, int rival_count);
// What the newest look says about a token that stays.
void refresh(RowToken &token, const PositionScores &at, int rival_count);

// A token that was taken back and said again in the same place, or one place beside it, has been there all the time.
void keepFirstSeen(std::span<const RowToken> before, std::span<RowToken> now, std::int64_t frames);

[[nodiscard]] std::vector<std::int32_t> idsOf(std::span<const RowToken> tokens);

// How many tokens from the front of `row` (its prompt not included) may stay: what was said over and over within this chunk (`first_new` on) is
// a loop and ends after its second round. `most_rounds`: as often a person might say it in the time.
[[nodiscard]] std::size_t withoutLoop(std::span<const RowToken> row, std::size_t first_new, std::size_t most_rounds);

}  // namespace braid::captions
