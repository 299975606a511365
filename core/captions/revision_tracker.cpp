#include "core/captions/revision_tracker.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/captions/word_guards.h"

namespace braid::captions {

namespace {

// Costs of the alignment of the old tail with the new one. Replacing a word is cheaper than losing one and gaining another.
constexpr double kSkip = 0.7;
constexpr double kReplace = 1.0;
constexpr double kPerSecondApart = 0.1;
// Further apart it is not the same place.
constexpr double kSameWordSeconds = 3.0;
constexpr double kSamePlaceSeconds = 1.0;
// Words remembered beyond the tail.
constexpr std::size_t kMostRemembered = 64;

Sample middle(const text::Word &word)
{
    return (word.start_sample + word.end_sample) / 2;
}

enum class Move : std::uint8_t { Pair = 1, SkipOld, SkipNew };

}  // namespace

void RevisionTracker::update(std::vector<text::Word> &words, Sample heard_sample)
{
    std::vector<Known> next;
    next.reserve(words.size() + m_known.size());
    for (const text::Word &word : words) {
        next.push_back({word.text, wordKey(word), middle(word), heard_sample, 0, {}});
    }

    const std::size_t width = next.size() + 1;
    std::vector<double> cost((m_known.size() + 1) * width, 0.0);
    std::vector<Move> move(cost.size(), Move::SkipNew);
    for (std::size_t o = 0; o <= m_known.size(); ++o) {
        for (std::size_t n = 0; n <= next.size(); ++n) {
            if (o == 0 && n == 0) {
                continue;
            }
            double best = std::numeric_limits<double>::infinity();
            const auto consider = [&](double candidate, Move kind) {
                if (candidate < best) {
                    best = candidate;
                    move[o * width + n] = kind;
                }
            };
            if (o > 0 && n > 0) {
                const bool same = m_known[o - 1].key == next[n - 1].key;
                const double seconds = std::abs(secondsFromSamples(m_known[o - 1].middle_sample - next[n - 1].middle_sample));
                if (seconds <= (same ? kSameWordSeconds : kSamePlaceSeconds)) {
                    consider(cost[(o - 1) * width + n - 1] + (same ? 0 : kReplace) + kPerSecondApart * seconds, Move::Pair);
                }
            }
            if (o > 0) {
                consider(cost[(o - 1) * width + n] + kSkip, Move::SkipOld);
            }
            if (n > 0) {
                consider(cost[o * width + n - 1] + kSkip, Move::SkipNew);
            }
            cost[o * width + n] = best;
        }
    }

    std::size_t last_paired = 0;  // old words before this one are paired or passed over
    for (std::size_t o = m_known.size(), n = next.size(); o > 0 && n > 0;) {
        const Move kind = move[o * width + n];
        if (kind == Move::Pair) {
            const Known &old = m_known[o - 1];
            Known &now = next[n - 1];
            last_paired = std::max(last_paired, o);
            if (old.key == now.key) {
                now.first_seen_sample = old.first_seen_sample;
                now.revision_count = old.revision_count;
                now.revised_from = old.revised_from;
            } else {
                now.revision_count = old.revision_count + 1;
                now.revised_from = old.text;
            }
        }
        o -= kind == Move::SkipNew ? 0 : 1;
        n -= kind == Move::SkipOld ? 0 : 1;
    }
    for (std::size_t i = 0; i < words.size(); ++i) {
        words[i].first_seen_sample = next[i].first_seen_sample;
        words[i].revision_count = next[i].revision_count;
        words[i].revised_from = next[i].revised_from;
    }
    const Sample reached = next.empty() ? std::numeric_limits<Sample>::min() : next.back().middle_sample;
    for (std::size_t o = last_paired; o < m_known.size() && next.size() < words.size() + kMostRemembered; ++o) {
        if (m_known[o].middle_sample > reached) {
            next.push_back(std::move(m_known[o]));
        }
    }
    m_known = std::move(next);
}

void RevisionTracker::commit(std::size_t count)
{
    m_known.erase(m_known.begin(), m_known.begin() + static_cast<std::ptrdiff_t>(std::min(count, m_known.size())));
}

}  // namespace braid::captions
