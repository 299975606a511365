// What a training run draws (core/base/random.h), so that it can be repeated and resumed exactly. Every part of the training draws from a
// generator of its own, seeded by what it is for (seed, epoch, batch, row); nothing has to be saved but those counts. Whole numbers are drawn
// by remainder, as the runs so far did. Thread: one object, one thread.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

#include "core/base/random.h"

namespace braid::train {

class Random {
  public:
    explicit Random(std::initializer_list<std::uint64_t> seed)
    {
        for (const std::uint64_t part : seed) {
            m_bits.mixIn(part);
            (void)next();
        }
    }

    [[nodiscard]] std::uint64_t next() { return m_bits.next(); }
    // [0, 1)
    [[nodiscard]] double uniform() { return m_bits.unit(); }
    [[nodiscard]] double uniform(double from, double to) { return from + (to - from) * uniform(); }
    // 0 .. count - 1; count > 0.
    [[nodiscard]] std::int64_t below(std::int64_t count) { return static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(count)); }
    [[nodiscard]] std::int64_t between(std::int64_t from, std::int64_t to_inclusive) { return from + below(to_inclusive - from + 1); }
    [[nodiscard]] bool chance(double probability) { return uniform() < probability; }
    // Mean 0, deviation 1 (Box and Muller).
    [[nodiscard]] double normal() { return m_bits.normal(); }
    // Draws an index by weight; the weights are not negative and not all zero.
    [[nodiscard]] std::size_t index(const std::vector<double> &weights)
    {
        double sum = 0;
        for (const double weight : weights) {
            sum += weight;
        }
        double at = uniform() * sum;
        for (std::size_t i = 0; i + 1 < weights.size(); ++i) {
            if ((at -= weights[i]) < 0) {
                return i;
            }
        }
        return weights.size() - 1;
    }
    template <typename T>
    void shuffle(std::vector<T> &things)
    {
        for (std::size_t i = things.size(); i > 1; --i) {
            std::swap(things[i - 1], things[static_cast<std::size_t>(below(static_cast<std::int64_t>(i)))]);
        }
    }

  private:
    SplitMix64 m_bits{0};
};

}  // namespace braid::train
