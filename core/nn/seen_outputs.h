// What is looked at of one row's outputs as they come, some at a time: the highest so far, which are the best, and the sum of their exponentials.
// Internal to core/nn; compiled for several processors (lanes.h).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "core/nn/best_outputs.h"
#include "core/nn/lanes.h"

namespace braid::nn {

inline constexpr float kNoScore = -std::numeric_limits<float>::infinity();
inline constexpr std::int64_t kLookedAtOnce = 96;  // outputs of which only the highest is compared, mostly

template <class Unit>
BRAID_INLINE Floats<Unit> highestOf(const Floats<Unit> &a, const Floats<Unit> &b)
{
    return a > b ? a : b;
}

BRAID_INLINE float highestIn(const AnyUnit::Floats &v)
{
    return std::max(std::max(v[0], v[1]), std::max(v[2], v[3]));
}
BRAID_INLINE float highestIn(const Avx2Unit::Floats &v)
{
    return highestIn(highestOf<AnyUnit>(__builtin_shufflevector(v, v, 0, 1, 2, 3), __builtin_shufflevector(v, v, 4, 5, 6, 7)));
}
BRAID_INLINE float highestIn(const Avx512Unit::Floats &v)
{
    return highestIn(highestOf<Avx2Unit>(__builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7), __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15)));
}

// What has been seen of one row's outputs, in order.
class SeenOutputs {
  public:
    explicit SeenOutputs(std::int64_t best)
        : m_wanted(static_cast<std::size_t>(std::max<std::int64_t>(0, best)))
    {
        m_best.reserve(m_wanted + 1);
    }

    [[nodiscard]] float highest() const { return m_highest; }
    // A score must be higher than this to be among the best so far; whatever it is while these are too few.
    [[nodiscard]] bool mayBeAmongBest(float score) const { return m_best.size() < m_wanted || (m_wanted > 0 && score > m_best.back().score); }

    void offer(std::int64_t index, float score)
    {
        if (!mayBeAmongBest(score)) {
            return;
        }
        const auto place = std::upper_bound(m_best.begin(), m_best.end(), score, [](float value, const OutputScore &other) { return value > other.score; });
        m_best.insert(place, {index, score});
        if (m_best.size() > m_wanted) {
            m_best.pop_back();
        }
    }
    // The sum is kept as a multiple of e to the highest, so that it neither overflows nor vanishes.
    void raise(float highest)
    {
        if (highest > m_highest) {
            m_sum *= m_highest == kNoScore ? 0.0 : std::exp(static_cast<double>(m_highest) - static_cast<double>(highest));
            m_highest = highest;
        }
    }
    void add(double sum) { m_sum += sum; }

    // `later`: of the outputs behind these.
    void join(const SeenOutputs &later)
    {
        if (later.m_highest != kNoScore) {
            raise(later.m_highest);
            m_sum += later.m_sum * std::exp(static_cast<double>(later.m_highest) - static_cast<double>(m_highest));
        }
        for (const OutputScore &other : later.m_best) {
            offer(other.index, other.score);
        }
    }

    [[nodiscard]] OutputSummary summary() &&
    {
        const float log_sum = std::isfinite(m_highest) ? static_cast<float>(static_cast<double>(m_highest) + std::log(m_sum)) : m_highest;
        return {log_sum, std::move(m_best), {}};
    }

  private:
    std::size_t m_wanted = 0;
    std::vector<OutputScore> m_best;
    float m_highest = kNoScore;
    double m_sum = 0;
};

// Looks at the outputs first .. first + count - 1.
struct LookAtOutputs {
    const float *scores = nullptr;
    std::int64_t count = 0;
    std::int64_t first = 0;
    SeenOutputs *seen = nullptr;

    template <class Unit>
    BRAID_INLINE void run() const
    {
        constexpr int kLanes = Unit::kLanes;
        float highest = kNoScore;
        for (std::int64_t begin = 0; begin < count; begin += kLookedAtOnce) {
            const std::int64_t end = std::min(count, begin + kLookedAtOnce);
            const float part = highestBetween<Unit>(begin, end);
            if (seen->mayBeAmongBest(part)) {
                for (std::int64_t i = begin; i < end; ++i) {
                    seen->offer(first + i, scores[i]);
                }
            }
            highest = std::max(highest, part);
        }
        seen->raise(highest);
        if (!std::isfinite(seen->highest())) {
            return;
        }
        const std::int64_t whole = count - count % kLanes;
        Floats<Unit> sums = {};
        for (std::int64_t i = 0; i < whole; i += kLanes) {
            sums += expOf<Unit>(loadLanes<Unit>(scores + i) - seen->highest());
        }
        double sum = static_cast<double>(sumOf(sums));
        for (std::int64_t i = whole; i < count; ++i) {
            sum += static_cast<double>(std::exp(scores[i] - seen->highest()));
        }
        seen->add(sum);
    }

    template <class Unit>
    BRAID_INLINE float highestBetween(std::int64_t begin, std::int64_t end) const
    {
        constexpr int kLanes = Unit::kLanes;
        Floats<Unit> lanes = Floats<Unit>{} + kNoScore;
        std::int64_t i = begin;
        for (; i + kLanes <= end; i += kLanes) {
            lanes = highestOf<Unit>(loadLanes<Unit>(scores + i), lanes);
        }
        float highest = highestIn(lanes);
        for (; i < end; ++i) {
            highest = scores[i] > highest ? scores[i] : highest;
        }
        return highest;
    }
};

}  // namespace braid::nn
