#include "core/captions/streaming_beam.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/captions/streaming_rows.h"

namespace braid::captions {

namespace {

bool sameIds(std::span<const RowToken> a, std::span<const RowToken> b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const RowToken &x, const RowToken &y) { return x.id == y.id; });
}

}  // namespace

void StreamingBeam::begin(std::span<const std::int32_t> prompt, std::span<const std::int32_t> forced)
{
    m_rows.assign(1, {});
    for (const auto tokens : {prompt, forced}) {
        for (const std::int32_t id : tokens) {
            m_rows.front().tokens.push_back({id, 0, 0, 0, nullptr});
        }
    }
    m_prompt_tokens = prompt.size();
    m_settled = forced.size();
    m_width = m_rows.front().tokens.size();
    m_text.assign(m_rows.front().tokens.begin() + static_cast<std::ptrdiff_t>(prompt.size()), m_rows.front().tokens.end());
    m_has_decoded = m_blank_was_forbidden = false;
}

void StreamingBeam::takeOver(std::span<const std::int32_t> prompt, std::span<const RowToken> text, std::size_t settled)
{
    begin(prompt, {});
    Row &row = m_rows.front();
    row.tokens.insert(row.tokens.end(), text.begin(), text.end());
    m_text.assign(text.begin(), text.end());
    m_width = row.tokens.size();
    m_settled = settled;
    m_has_decoded = true;
}

std::size_t StreamingBeam::firmTokens() const
{
    const auto n = static_cast<std::size_t>(m_options.look_back_tokens);
    const std::size_t reach = m_options.stability == StabilityRule::Braid ? n : 2 * n;  // as in StreamingGreedy
    std::size_t firm = m_text.size();
    for (const Row &row : m_rows) {
        const std::span spoken = std::span(row.tokens).subspan(m_prompt_tokens);
        const std::size_t before_window = spoken.size() > reach ? spoken.size() - reach : 0;
        std::size_t common = 0;
        while (common < std::min(before_window, firm) && spoken[common].id == m_text[common].id) {
            ++common;
        }
        firm = std::min(firm, common);
    }
    return std::max(m_settled, firm);
}

void StreamingBeam::settle(std::size_t count)
{
    count = std::min(count, m_text.size());
    if (count <= m_settled) {
        return;
    }
    m_settled = count;
    const auto disagrees = [this, count](const Row &row) {
        return row.tokens.size() < m_prompt_tokens + count || !sameIds(std::span(row.tokens).subspan(m_prompt_tokens, count), std::span(m_text).first(count));
    };
    std::erase_if(m_rows, disagrees);
}

void StreamingBeam::adjust(int look_back_tokens, int beam_size)
{
    m_options.look_back_tokens = look_back_tokens;
    m_options.beam_size = beam_size;
}

std::vector<std::vector<std::int32_t>> StreamingBeam::rows() const
{
    std::vector<std::vector<std::int32_t>> rows;
    for (const Row &row : m_rows) {
        rows.push_back(idsOf(row.tokens));
    }
    return rows;
}

// Of the table that the released programs keep, of the longest row otherwise.
bool StreamingBeam::hasRoom(std::size_t most_tokens) const
{
    if (isReleased(m_options.stability)) {
        return m_width < most_tokens;
    }
    return std::all_of(m_rows.begin(), m_rows.end(), [most_tokens](const Row &row) { return row.tokens.size() < most_tokens; });
}

std::vector<StreamingBeam::Row> StreamingBeam::takeEnded()
{
    std::vector<Row> ended;
    if (isBraid()) {
        std::copy_if(m_rows.begin(), m_rows.end(), std::back_inserter(ended), [](const Row &row) { return row.has_ended; });
        std::erase_if(m_rows, [](const Row &row) { return row.has_ended; });
    }
    return ended;
}

// From where on each row is scored: far enough back to verify it, then at its end only. A whole row once more after a blank was forbidden,
// which made all its scores others.
std::vector<std::size_t> StreamingBeam::firstPositions(Call call) const
{
    const auto reach = static_cast<std::size_t>(2 * m_options.look_back_tokens);
    const bool looks_at_all = call == Call::First ? !isBraid() : m_blank_was_forbidden;
    std::vector<std::size_t> positions;
    for (const Row &row : m_rows) {
        const std::size_t last = row.tokens.size() - 1;
        const std::size_t window = std::max(m_prompt_tokens - 1, last > reach ? last - reach : 0);
        positions.push_back(looks_at_all ? m_prompt_tokens - 1 : call == Call::First ? window : last);
    }
    return positions;
}

std::vector<RowScores> StreamingBeam::score(StreamingRecognizer &recognizer, Call call)
{
    const auto ids = rows();
    ScoreRequest request;
    request.rows = ids;
    request.first_positions = firstPositions(call);
    request.best = std::max(m_options.beam_size, m_options.rival_count) + 1;
    request.blank = isReleased(m_options.stability) && m_width == m_prompt_tokens ? BlankRule::ForbiddenWhileEmpty : BlankRule::Allowed;
    request.attention = m_options.attention;
    std::vector<RowScores> scores = recognizer.score(request);
    m_blank_was_forbidden = request.blank == BlankRule::ForbiddenWhileEmpty;
    return scores;
}

bool StreamingBeam::holds(const RowToken &token, const NextScores &next) const
{
    const auto end = next.best.begin() + std::min<std::ptrdiff_t>(m_options.beam_size, static_cast<std::ptrdiff_t>(next.best.size()));
    const bool is_among_best = std::any_of(next.best.begin(), end, [&token](const TokenScore &other) { return other.id == token.id; });
    return is_among_best && !(m_options.stability == StabilityRule::ReleasedV2 && token.logit > next.actual.logit);
}

PositionScores StreamingBeam::look(Row &row, const RowScores &scores, std::int64_t frames, bool verifies)
{
    const auto n = static_cast<std::size_t>(m_options.look_back_tokens);
    const std::size_t length = row.tokens.size();
    const std::size_t first_checked = verifies ? std::max(floor(), length > n ? length - n : 0) : length;
    for (std::size_t index = scores.first_position + 1; index < length; ++index) {
        const PositionScores at = scoresAt(scores, index - 1, frames);
        if (index >= first_checked && !holds(row.tokens[index], *at.next)) {
            row.tokens.resize(index);
            return at;
        }
        refresh(row.tokens[index], at, m_options.rival_count);
    }
    return scoresAt(scores, length - 1, frames);
}

// Would `id` behind the first `length` tokens of row `r` only retrace what a row has gone already?
bool StreamingBeam::leadsToAnother(std::size_t r, std::size_t length, std::int32_t id) const
{
    const std::span row = std::span(m_rows[r].tokens).first(length);
    return std::any_of(m_rows.begin(), m_rows.end(), [&](const Row &other) {
        return other.tokens.size() > length && other.tokens[length].id == id && sameIds(std::span(other.tokens).first(length), row);
    });
}

// Where the newest sound speaks for another token than the row has in its look-back window, the row with that token joins the beam too.
void StreamingBeam::addForks(std::vector<Extension> &extensions, std::size_t r, const RowScores &scores, std::int64_t frames) const
{
    const std::vector<RowToken> &tokens = m_rows[r].tokens;
    const auto n = static_cast<std::size_t>(m_options.look_back_tokens);
    const std::size_t length = scores.first_position + scores.next.size();  // before any token was taken back: the window does not move with it
    for (std::size_t index = std::max({floor(), scores.first_position + 1, length > n ? length - n : 0}); index < tokens.size(); ++index) {
        const PositionScores at = scoresAt(scores, index - 1, frames);
        const double sum = scoreBefore(m_rows[r], index);
        for (const TokenScore &other : at.next->best) {
            if (other.id == tokens[index].id || !std::isfinite(other.log_probability)) {
                break;  // what follows is less probable
            }
            if (!leadsToAnother(r, index, other.id)) {
                extensions.push_back({r, index, newToken(other, at, frames, m_options.rival_count), sum + static_cast<double>(other.log_probability)});
            }
        }
    }
}

// The sum over the first `length` tokens, the prompt not counted.
double StreamingBeam::scoreBefore(const Row &row, std::size_t length) const
{
    const std::size_t end = length - (isReleased(m_options.stability) ? 1 : 0);  // the released programs leave the last one out
    double sum = 0;
    for (std::size_t index = m_prompt_tokens; index < end; ++index) {
        sum += static_cast<double>(row.tokens[index].log_probability);
    }
    return sum;
}

std::vector<StreamingBeam::Extension> StreamingBeam::extend(const std::vector<RowScores> &scores, const std::vector<PositionScores> &ends, std::int64_t frames,
                                                            Call call) const
{
    std::vector<Extension> extensions;
    const auto count = static_cast<std::size_t>(m_options.beam_size + (isReleased(m_options.stability) ? 1 : 0));
    for (std::size_t r = 0; r < m_rows.size(); ++r) {
        const std::size_t length = m_rows[r].tokens.size();
        if (isBraid() && call == Call::First) {
            addForks(extensions, r, scores.at(r), frames);
        }
        const double sum = scoreBefore(m_rows[r], length);
        for (std::size_t i = 0; i < std::min(count, ends[r].next->best.size()); ++i) {
            const TokenScore &token = ends[r].next->best[i];
            if (std::isfinite(token.log_probability) && !(isBraid() && leadsToAnother(r, length, token.id))) {
                extensions.push_back({r, length, newToken(token, ends[r], frames, m_options.rival_count), sum + static_cast<double>(token.log_probability)});
            }
        }
    }
    return extensions;
}

// The paper: once any of the b best rows has ended. Braid: the best of all.
bool StreamingBeam::isComplete() const
{
    return isBraid() ? m_rows.front().has_ended : std::any_of(m_rows.begin(), m_rows.end(), [](const Row &row) { return row.has_ended; });
}

// Braid, beam. A token holds as in the paper, but where another has become more probable than it, the row with that one competes from now on:
// by the paper alone a misheard token stays as long as it is among the b most probable, and with it whatever followed.
// A row that has ended stays in the beam with its score, the end token's probability included, while others go on; the
// chunk is over when the best row of all has ended. As scores only fall from token to token, no row still open could overtake it, so this is
// the most probable transcript the beam can find, where the paper stops at the first row that ends, however improbable, and compares it
// with rows that have not. Tokens before the look-back window keep the probability they were verified with: rows share nearly all
// of them, and looking at each again would cost a vocabulary projection for every token of every row with every chunk.
// Measured with the box model of 22 November, b = 5, n = 2, 300 ms: WER 46.1 % on 109 kept-out recordings (paper 45.8, v2 46.6); on 36 of
// them 14.5 % of the words were revised (paper 28.7, v1 38.4, v2 41.9). It errs as the paper's does: that words jump half as often is why
// it is the default.
ChunkEnd StreamingBeam::decode(StreamingRecognizer &recognizer, const DecodeLimits &limits)
{
    const std::int64_t frames = recognizer.frames();
    const std::vector<RowToken> before = m_text;
    const bool verifies = !isReleased(m_options.stability) || m_has_decoded;
    m_has_decoded = true;
    for (Row &row : m_rows) {
        row.has_ended = false;
    }

    bool completed = false;
    std::size_t width_at_last_call = m_width;
    for (int calls = 0; calls < limits.most_calls && !completed; ++calls) {
        const Call call = calls == 0 ? Call::First : Call::Later;
        const bool looks_anyway =
            call == Call::First && !isReleased(m_options.stability);  // full rows are verified too; the released programs end before they look
        if (!looks_anyway && !hasRoom(limits.most_tokens)) {
            break;
        }
        std::vector<Row> ended = takeEnded();
        const std::vector<RowScores> scores = score(recognizer, call);
        std::vector<PositionScores> ends;
        for (std::size_t r = 0; r < m_rows.size(); ++r) {
            ends.push_back(look(m_rows[r], scores.at(r), frames, call == Call::First && verifies));
        }
        std::vector<Extension> extensions = extend(scores, ends, frames, call);
        if (extensions.empty() || !hasRoom(limits.most_tokens)) {
            std::move(ended.begin(), ended.end(), std::back_inserter(m_rows));
            break;
        }
        keepBest(std::move(extensions), std::move(ended), recognizer.endToken());
        width_at_last_call = m_width;
        for (const Row &row : m_rows) {
            m_width = std::max(m_width, row.tokens.size() + (row.has_ended ? 1 : 0));
        }
        completed = isComplete();
    }
    if (m_options.stability == StabilityRule::ReleasedV1) {
        dropNewest(width_at_last_call);
    }
    if (isBraid()) {
        cropLoops(before.size(), limits.most_rounds);
    }
    for (Row &row : m_rows) {
        keepFirstSeen(before, std::span(row.tokens).subspan(m_prompt_tokens), frames);
    }
    choose();
    return completed ? ChunkEnd::EndToken : ChunkEnd::Limit;
}

void StreamingBeam::keepBest(std::vector<Extension> extensions, std::vector<Row> ended, std::int32_t end_token)
{
    struct Candidate {
        double score = 0;
        const Extension *extension = nullptr;  // null: `row` as it is
        std::size_t row = 0;
    };
    std::vector<Candidate> candidates;
    for (std::size_t i = 0; i < ended.size(); ++i) {
        candidates.push_back({ended[i].score, nullptr, i});
    }
    for (const Extension &extension : extensions) {
        candidates.push_back({extension.score, &extension, extension.row});
    }
    std::stable_sort(candidates.begin(), candidates.end(), [](const Candidate &a, const Candidate &b) { return a.score > b.score; });

    std::vector<Row> kept;
    for (const Candidate &candidate : candidates) {
        if (kept.size() >= static_cast<std::size_t>(m_options.beam_size)) {
            break;
        }
        Row row = candidate.extension == nullptr ? ended[candidate.row] : m_rows[candidate.row];
        if (candidate.extension != nullptr) {
            row.score = candidate.score;
            row.has_ended = candidate.extension->token.id == end_token;
            row.tokens.resize(candidate.extension->length);
            if (!row.has_ended) {
                row.tokens.push_back(candidate.extension->token);
            }
        }
        const bool is_known =
            std::any_of(kept.begin(), kept.end(), [&row](const Row &other) { return other.has_ended == row.has_ended && sameIds(other.tokens, row.tokens); });
        if (!is_known) {
            kept.push_back(std::move(row));
        }
    }
    m_rows = std::move(kept);
}

// ReleasedV1: the table of rows goes back to the `width` it had before its last call.
void StreamingBeam::dropNewest(std::size_t width)
{
    m_width = std::max(width, floor());
    for (Row &row : m_rows) {
        row.tokens.resize(std::min(row.tokens.size(), m_width));
    }
}

// A phrase said over and over within one chunk ends after its second round, in every row.
void StreamingBeam::cropLoops(std::size_t spoken_before, std::size_t most_rounds)
{
    for (Row &row : m_rows) {
        const std::span spoken = std::span(row.tokens).subspan(m_prompt_tokens);
        row.tokens.resize(m_prompt_tokens + std::max(m_settled, withoutLoop(spoken, std::min(spoken.size(), spoken_before), most_rounds)));
    }
}

// The transcript: the best row. Then rows that differ only in having ended become one.
void StreamingBeam::choose()
{
    const Row *chosen = &m_rows.front();
    if (isReleased(m_options.stability)) {
        const auto mean = [this](const Row &row) { return row.score / static_cast<double>(std::max<std::size_t>(1, row.tokens.size() - m_prompt_tokens)); };
        for (const Row &row : m_rows) {
            if (mean(row) > mean(*chosen)) {
                chosen = &row;
            }
        }
    }
    m_text.assign(chosen->tokens.begin() + static_cast<std::ptrdiff_t>(m_prompt_tokens), chosen->tokens.end());
    std::vector<Row> different;
    for (Row &row : m_rows) {
        if (std::none_of(different.begin(), different.end(), [&row](const Row &other) { return sameIds(other.tokens, row.tokens); })) {
            different.push_back(std::move(row));
        }
    }
    m_rows = std::move(different);
}

}  // namespace braid::captions
