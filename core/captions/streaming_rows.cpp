#include "core/captions/streaming_rows.h"

#include <algorithm>
#include <cmath>

#include "core/text/token_loop.h"

namespace braid::captions {

namespace {

constexpr std::size_t kKeptRounds = 2;

std::shared_ptr<const TokenLook> lookOf(std::int32_t id, const PositionScores &at, int rival_count)
{
    auto look = std::make_shared<TokenLook>();
    for (const TokenScore &other : at.next->best) {
        if (other.id != id && look->rivals.size() < static_cast<std::size_t>(std::max(0, rival_count)) && std::isfinite(other.log_probability)) {
            look->rivals.push_back(other);
        }
    }
    look->attention.assign(at.attention.begin(), at.attention.end());
    return look;
}

}  // namespace

PositionScores scoresAt(const RowScores &scores, std::size_t position, std::int64_t frames)
{
    const std::size_t index = position - scores.first_position;
    PositionScores at{&scores.next.at(index), {}};
    const auto columns = static_cast<std::size_t>(frames);
    if (scores.attention.size() >= (index + 1) * columns) {
        at.attention = std::span(scores.attention).subspan(index * columns, columns);
    }
    return at;
}

RowToken newToken(const TokenScore &token, const PositionScores &at, std::int64_t frames, int rival_count)
{
    return {token.id, token.logit, token.log_probability, frames, lookOf(token.id, at, rival_count)};
}

void refresh(RowToken &token, const PositionScores &at, int rival_count)
{
    token.logit = at.next->actual.logit;
    token.log_probability = at.next->actual.log_probability;
    token.look = lookOf(token.id, at, rival_count);
}

void keepFirstSeen(std::span<const RowToken> before, std::span<RowToken> now, std::int64_t frames)
{
    std::size_t not_before = 0;  // the order of the old tokens is kept
    for (std::size_t i = 0; i < now.size(); ++i) {
        if (now[i].seen_frames != frames) {
            // It has stood here all along: another like it behind it is another.
            if (i < before.size() && before[i].id == now[i].id) {
                not_before = std::max(not_before, i + 1);
            }
            continue;
        }
        for (const std::size_t place : {i, i + 1, i == 0 ? before.size() : i - 1}) {
            if (place < before.size() && place >= not_before && before[place].id == now[i].id) {
                now[i].seen_frames = before[place].seen_frames;
                not_before = place + 1;
                break;
            }
        }
    }
}

std::vector<std::int32_t> idsOf(std::span<const RowToken> tokens)
{
    std::vector<std::int32_t> ids;
    ids.reserve(tokens.size());
    for (const RowToken &token : tokens) {
        ids.push_back(token.id);
    }
    return ids;
}

std::size_t withoutLoop(std::span<const RowToken> row, std::size_t first_new, std::size_t most_rounds)
{
    const text::TokenLoop loop = text::loopAtEnd(idsOf(row.subspan(first_new)), most_rounds);
    return row.size() - loop.run_tokens + std::min(loop.run_tokens, kKeptRounds * loop.phrase_tokens);
}

}  // namespace braid::captions
