// Numbers that C++ and Python make alike, so that parity tests need no large files: FNV-1a of a name seeds splitmix64.
// The Python side is tests/parity/make_whisper_parity.py.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace braid::test {

// `count` numbers in [-1, 1).
inline std::vector<float> hashedNumbers(std::string_view name, std::size_t count)
{
    std::uint64_t seed = 0xCBF29CE484222325u;
    for (const char c : name) {
        seed = (seed ^ static_cast<std::uint8_t>(c)) * 0x100000001B3u;
    }
    std::vector<float> numbers(count);
    for (float &number : numbers) {
        seed += 0x9E3779B97F4A7C15u;
        std::uint64_t z = seed;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        z ^= z >> 31;
        number = static_cast<float>(z >> 40) / static_cast<float>(1 << 23) - 1.0f;
    }
    return numbers;
}

// Noise whose loudness changes every 5000 samples.
inline std::vector<float> hashedSound(std::size_t samples)
{
    const std::vector<float> loudness = hashedNumbers("loudness", samples / 5000 + 1);
    std::vector<float> sound = hashedNumbers("sound", samples);
    for (std::size_t i = 0; i < samples; ++i) {
        sound[i] = sound[i] * std::abs(loudness[i / 5000]) * 0.5f;
    }
    return sound;
}

}  // namespace braid::test
