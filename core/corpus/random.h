// Chance that is the same on every machine and compiler (the standard's distributions are not): everything random about a corpus, a
// disturbance or a training batch follows from one seed. SplitMix64 (Steele, Lea and Flood 2014). Thread: one object, one thread.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <string_view>

namespace braid::corpus {

class Random {
  public:
    explicit Random(std::uint64_t seed) : m_state(seed) {}
    // A seed of its own for the item `index` of what `name` stands for: items can be made in any order.
    Random(std::uint64_t seed, std::string_view name, std::uint64_t index = 0) : m_state(seed)
    {
        for (const char c : name) {
            m_state = next() ^ static_cast<unsigned char>(c);
        }
        m_state = next() ^ index;
        m_state = next();
    }

    std::uint64_t next() noexcept
    {
        std::uint64_t z = (m_state += 0x9E3779B97F4A7C15U);
        z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
        z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
        return z ^ (z >> 31U);
    }
    // From 0 up to, but without, 1.
    double unit() noexcept { return static_cast<double>(next() >> 11U) * 0x1.0p-53; }
    double between(double low, double high) noexcept { return low + (high - low) * unit(); }
    // One of 0 .. count - 1; 0 where count is 0.
    std::uint64_t below(std::uint64_t count) noexcept { return count == 0 ? 0 : static_cast<std::uint64_t>(unit() * static_cast<double>(count)); }
    bool chance(double probability) noexcept { return unit() < probability; }
    // Mean 0, standard deviation 1 (Box and Muller).
    double normal() noexcept
    {
        const double radius = std::sqrt(-2 * std::log(1 - unit()));
        return radius * std::cos(2 * std::numbers::pi * unit());
    }

  private:
    std::uint64_t m_state;
};

}  // namespace braid::corpus
