// Random numbers that depend on nothing but their seed: equal on every machine and in every standard library, so that a run can be
// repeated and resumed exactly. Every part of the training draws from a generator of its own, seeded by what it is for (seed, epoch,
// batch, row); nothing has to be saved but those counts. Source: SplitMix64 (Steele, Lea, Flood 2014). Thread: one object, one thread.
#pragma once

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <numbers>
#include <utility>
#include <vector>

namespace braid::train {

class Random {
  public:
    explicit Random(std::initializer_list<std::uint64_t> seed)
    {
        for (const std::uint64_t part : seed) {
            m_state ^= part + 0x9e3779b97f4a7c15ULL + (m_state << 6) + (m_state >> 2);
            (void)next();
        }
    }

    [[nodiscard]] std::uint64_t next()
    {
        std::uint64_t z = (m_state += 0x9e3779b97f4a7c15ULL);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31);
    }
    // [0, 1)
    [[nodiscard]] double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }
    [[nodiscard]] double uniform(double from, double to) { return from + (to - from) * uniform(); }
    // 0 .. count - 1; count > 0.
    [[nodiscard]] std::int64_t below(std::int64_t count) { return static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(count)); }
    [[nodiscard]] std::int64_t between(std::int64_t from, std::int64_t to_inclusive) { return from + below(to_inclusive - from + 1); }
    [[nodiscard]] bool chance(double probability) { return uniform() < probability; }
    // Mean 0, deviation 1 (Box and Muller).
    [[nodiscard]] double normal()
    {
        const double radius = std::sqrt(-2 * std::log(1 - uniform()));
        return radius * std::cos(2 * std::numbers::pi * uniform());
    }
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
    std::uint64_t m_state = 0;
};

}  // namespace braid::train
