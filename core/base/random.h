// Chance that is the same on every machine and compiler (the standard's distributions are not): whatever is drawn can be drawn again from its
// seed. SplitMix64 (Steele, Lea and Flood 2014). Thread: one object, one thread.
#pragma once

#include <cmath>
#include <cstdint>
#include <iterator>
#include <numbers>
#include <string_view>
#include <utility>
#include <vector>

namespace braid {

class SplitMix64 {
  public:
    explicit SplitMix64(std::uint64_t state) noexcept
        : m_state(state)
    {
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
    // Mean 0, standard deviation 1 (Box and Muller).
    double normal() noexcept
    {
        const double radius = std::sqrt(-2 * std::log(1 - unit()));
        return radius * std::cos(2 * std::numbers::pi * unit());
    }
    // For seeds of several parts: goes on from another state.
    void mixIn(std::uint64_t part) noexcept { m_state ^= part + 0x9E3779B97F4A7C15U + (m_state << 6U) + (m_state >> 2U); }
    void restart(std::uint64_t state) noexcept { m_state = state; }

  private:
    std::uint64_t m_state;
};

class Random {
  public:
    explicit Random(std::uint64_t seed) noexcept
        : m_bits(seed)
    {
    }
    // A seed of its own for the item `index` of what `name` stands for: items can be made in any order.
    Random(std::uint64_t seed, std::string_view name, std::uint64_t index = 0) noexcept
        : m_bits(seed)
    {
        for (const char c : name) {
            m_bits.restart(m_bits.next() ^ static_cast<unsigned char>(c));
        }
        m_bits.restart(m_bits.next() ^ index);
        m_bits.restart(m_bits.next());
    }

    std::uint64_t next() noexcept { return m_bits.next(); }
    // From 0 up to, but without, 1.
    double unit() noexcept { return m_bits.unit(); }
    double uniform(double low, double high) noexcept { return low + (high - low) * unit(); }
    // One of 0 .. count - 1; 0 where count is 0.
    std::size_t below(std::size_t count) noexcept { return static_cast<std::size_t>(unit() * static_cast<double>(count)); }
    int whole(int from, int to_inclusive) noexcept { return from + static_cast<int>(below(static_cast<std::size_t>(to_inclusive - from + 1))); }
    bool chance(double probability) noexcept { return unit() < probability; }
    double normal() noexcept { return m_bits.normal(); }
    template <typename List>
    const auto &pick(const List &list) noexcept
    {
        return list[below(std::size(list))];
    }
    template <typename Value>
    void shuffle(std::vector<Value> &values) noexcept
    {
        for (std::size_t i = values.size(); i > 1; --i) {
            std::swap(values[i - 1], values[below(i)]);
        }
    }

  private:
    SplitMix64 m_bits;
};

}  // namespace braid
