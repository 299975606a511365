// Chance that is the same on every machine and compiler (the standard's distributions are not): a sampled run can be replayed and a
// generated conversation made again from its seed. SplitMix64 (Steele, Lea and Flood 2014). Thread: one object, one thread.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace braid::streams {

class Random {
  public:
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
    // One of 0 .. count - 1; count > 0.
    std::size_t below(std::size_t count) noexcept { return static_cast<std::size_t>(unit() * static_cast<double>(count)); }
    int between(int from, int to_inclusive) noexcept { return from + static_cast<int>(below(static_cast<std::size_t>(to_inclusive - from + 1))); }
    bool chance(double probability) noexcept { return unit() < probability; }
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
    std::uint64_t m_state;
};

}  // namespace braid::streams
