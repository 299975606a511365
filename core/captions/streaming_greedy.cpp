#include "core/captions/streaming_greedy.h"

#include <algorithm>

#include "core/captions/streaming_rows.h"

namespace braid::captions {

void StreamingGreedy::begin(std::span<const std::int32_t> prompt, std::span<const std::int32_t> forced)
{
    m_row.clear();
    for (const auto tokens : {prompt, forced}) {
        for (const std::int32_t id : tokens) {
            m_row.push_back({id, 0, 0, 0, nullptr});
        }
    }
    m_prompt_tokens = prompt.size();
    m_settled = forced.size();
    m_has_decoded = false;
}

void StreamingGreedy::takeOver(std::span<const std::int32_t> prompt, std::span<const RowToken> text, std::size_t settled)
{
    begin(prompt, {});
    m_row.insert(m_row.end(), text.begin(), text.end());
    m_settled = settled;
    m_has_decoded = true;
}

// Tokens before this are never taken back. The released programs may take back the prompt's last ones.
std::size_t StreamingGreedy::floor() const
{
    return isReleased(m_options.stability) && m_settled == 0 ? 1 : m_prompt_tokens + m_settled;
}

std::span<const RowToken> StreamingGreedy::text() const
{
    return std::span(m_row).subspan(std::min(m_prompt_tokens, m_row.size()));
}

std::size_t StreamingGreedy::firmTokens() const
{
    // What other rules take back twice running (a token, and in the next chunk the one before it) stays possible.
    const auto n = static_cast<std::size_t>(m_options.look_back_tokens);
    const std::size_t reach = m_options.stability == StabilityRule::Braid ? n : 2 * n;
    const std::size_t spoken = text().size();
    return std::max(m_settled, spoken > reach ? spoken - reach : 0);
}

void StreamingGreedy::settle(std::size_t count)
{
    m_settled = std::max(m_settled, std::min(count, text().size()));
}

void StreamingGreedy::adjust(int look_back_tokens, int)
{
    m_options.look_back_tokens = look_back_tokens;
}

RowScores StreamingGreedy::score(StreamingRecognizer &recognizer, std::size_t first_position) const
{
    const std::vector<std::vector<std::int32_t>> rows = {idsOf(m_row)};
    ScoreRequest request;
    request.rows = rows;
    request.first_positions = {first_position};
    request.best = m_options.rival_count + 1;
    request.attention = m_options.attention;
    if (isReleased(m_options.stability) && m_row.size() == m_prompt_tokens) {
        request.blank = BlankRule::ForbiddenWhileEmpty;
    }
    return std::move(recognizer.score(request).at(0));
}

// Braid, greedy: as the paper's Definition 1. Probabilities, not logits: the logit of a token may rise while that of another rises more, so
// that the row keeps a word the model no longer believes. And what is taken back is decoded anew in the same chunk, so that no word
// vanishes for a chunk. Measured with the box model of 22 November, 36 kept-out recordings, 300 ms, n = 2: WER 50.2 % (paper 50.2, v1 and
// v2 50.8), words settle 760 ms after their end (1,063; 1,055), 14.8 % of them were revised (15.9; 16.7): the same words, sooner for good.
StreamingGreedy::Verdict StreamingGreedy::verdict(const RowToken &token, const NextScores &next) const
{
    const bool has_not_fallen = isReleased(m_options.stability) ? token.logit <= next.actual.logit : next.actual.log_probability >= token.log_probability;
    return has_not_fallen || next.best.front().id == token.id ? Verdict::Stable : Verdict::Unstable;
}

// Remembers what is said of the newest tokens now; takes back the first of the last n that does not hold, and all behind it.
void StreamingGreedy::look(const RowScores &scores, std::int64_t frames, Checking checking)
{
    const auto n = static_cast<std::size_t>(m_options.look_back_tokens);
    const std::size_t length = m_row.size();
    const std::size_t first_checked = std::max(floor(), length > n ? length - n : 0);
    for (std::size_t index = scores.first_position + 1; index < length; ++index) {
        const PositionScores at = scoresAt(scores, index - 1, frames);
        if (checking == Checking::Yes && index >= first_checked && verdict(m_row[index], *at.next) == Verdict::Unstable) {
            m_row.resize(index);
            return;
        }
        refresh(m_row[index], at, m_options.rival_count);
    }
}

ChunkEnd StreamingGreedy::decode(StreamingRecognizer &recognizer, const DecodeLimits &limits)
{
    const std::int64_t frames = recognizer.frames();
    const std::vector<RowToken> before(text().begin(), text().end());
    const bool verifies = !isReleased(m_options.stability) || m_has_decoded;
    m_has_decoded = true;
    ChunkEnd end = ChunkEnd::Limit;
    std::size_t length_at_last_call = m_row.size();
    // A full row is still verified (the released programs end before they look).
    for (int call = 0; call < limits.most_calls && (m_row.size() < limits.most_tokens || (call == 0 && !isReleased(m_options.stability))); ++call) {
        length_at_last_call = m_row.size();
        const std::size_t last = m_row.size() - 1;
        // Twice the window: tokens before it may come into it, and are then compared with what was said of them now.
        const auto reach = static_cast<std::size_t>(2 * m_options.look_back_tokens);
        const RowScores scores = score(recognizer, call > 0 ? last : last > reach ? last - reach : 0);
        if (call == 0) {
            look(scores, frames, verifies ? Checking::Yes : Checking::No);
        }
        const bool was_cropped = m_row.size() < length_at_last_call;
        if (isReleased(m_options.stability) && was_cropped) {
            if (scoresAt(scores, last, frames).next->best.front().id != recognizer.endToken()) {
                continue;
            }
            end = ChunkEnd::EndToken;
            break;
        }
        const PositionScores at = scoresAt(scores, m_row.size() - 1, frames);
        const TokenScore &next = at.next->best.front();
        if (next.id == recognizer.endToken()) {
            end = ChunkEnd::EndToken;
            break;
        }
        if (m_row.size() >= limits.most_tokens) {
            break;
        }
        m_row.push_back(newToken(next, at, frames, m_options.rival_count));
        if (m_options.stability == StabilityRule::Braid) {
            const std::size_t spoken = text().size();
            const std::size_t kept = std::max(m_settled, withoutLoop(text(), std::min(spoken, before.size()), limits.most_rounds));
            if (kept < spoken) {
                m_row.resize(m_prompt_tokens + kept);
                break;
            }
        }
    }
    if (m_options.stability == StabilityRule::ReleasedV1 && end == ChunkEnd::Limit) {
        m_row.resize(std::min(m_row.size(), std::max(floor(), length_at_last_call)));
    }
    if (m_row.size() > m_prompt_tokens) {
        keepFirstSeen(before, std::span(m_row).subspan(m_prompt_tokens), frames);
    }
    return end;
}

}  // namespace braid::captions
