#include "core/models/whisper/beam_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace braid::models::whisper {

BeamSearch::BeamSearch(int beam_size, float patience, std::int32_t end_of_text)
    : m_beam_size(static_cast<std::size_t>(std::max(1, beam_size)))
    , m_wanted(static_cast<std::size_t>(std::max(1.0f, std::nearbyint(static_cast<float>(m_beam_size) * patience))))
    , m_end_of_text(end_of_text)
    , m_live(1)
{
}

std::vector<std::int64_t> BeamSearch::advance(std::span<const std::vector<NextToken>> next)
{
    struct Candidate {
        std::size_t row;
        std::int32_t token;
        double log_probability;
    };
    std::vector<Candidate> candidates;
    for (std::size_t row = 0; row < m_live.size(); ++row) {
        for (const NextToken &token : next[row]) {
            candidates.push_back({row, token.id, m_live[row].log_probability + static_cast<double>(token.log_probability)});
        }
    }
    std::stable_sort(candidates.begin(), candidates.end(), [](const Candidate &a, const Candidate &b) { return a.log_probability > b.log_probability; });

    std::vector<ScoredTokens> live;
    std::vector<std::int64_t> sources;
    for (const Candidate &candidate : candidates) {
        if (candidate.token == m_end_of_text) {
            // No more than wanted: later ones are worse than those that finished before.
            if (m_finished.size() < m_wanted) {
                m_finished.push_back({m_live[candidate.row].tokens, candidate.log_probability});
            }
            continue;
        }
        live.push_back({m_live[candidate.row].tokens, candidate.log_probability});
        live.back().tokens.push_back(candidate.token);
        sources.push_back(static_cast<std::int64_t>(candidate.row));
        if (live.size() == m_beam_size) {
            break;
        }
    }
    m_live = std::move(live);
    return sources;
}

std::vector<ScoredTokens> BeamSearch::results() const
{
    std::vector<ScoredTokens> results = m_finished;
    std::vector<std::size_t> order(m_live.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) { return m_live[a].log_probability > m_live[b].log_probability; });
    for (std::size_t i = 0; i < order.size() && results.size() < m_beam_size; ++i) {
        results.push_back(m_live[order[i]]);
    }
    return results;
}

const ScoredTokens &bestOf(std::span<const ScoredTokens> candidates, std::optional<float> length_penalty, EndCounts end_counts)
{
    std::size_t best = 0;
    double best_score = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const double length = static_cast<double>(candidates[i].tokens.size()) + (end_counts == EndCounts::Yes ? 1 : 0);
        const double divisor = length_penalty ? std::pow((5 + length) / 6, *length_penalty) : std::max(1.0, length);
        const double score = candidates[i].log_probability / divisor;
        if (score > best_score) {
            best = i;
            best_score = score;
        }
    }
    return candidates[best];
}

}  // namespace braid::models::whisper
