// Where a model computes, in which numbers and with how many threads, as a person chose it. Values; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace braid::models {

// Of weights and activations. Int8: weights rounded to eight bits, the rest in float32; on the CPU.
enum class NumberType : std::uint8_t { Float32 = 1, BFloat16, Float16, Int8 };
// As command line and settings call them.
inline constexpr std::array<std::pair<std::string_view, NumberType>, 4> kNumberTypes = {
    {{"float32", NumberType::Float32}, {"bfloat16", NumberType::BFloat16}, {"float16", NumberType::Float16}, {"int8", NumberType::Int8}}};
[[nodiscard]] std::string_view nameOf(NumberType type);
// Float32 where there is no such type.
[[nodiscard]] NumberType numberTypeNamed(std::string_view name);

struct DeviceChoice {
    std::string device = "auto";  // "auto", "cpu", "cuda", "cuda:1"
    NumberType number_type = NumberType::Float32;
    int threads = 0;  // 0: as resolveThreads() says
    friend bool operator==(const DeviceChoice &, const DeviceChoice &) = default;
};

// `threads`, or for 0 one less than the cores this process may use (the window and the sound need one), at least one.
[[nodiscard]] int resolveThreads(int threads);

}  // namespace braid::models
