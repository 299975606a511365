// chrF (Popović 2015), the same number as sacrebleu's (2.6) by its default signature nrefs:N|case:mixed|eff:yes|nc:6|nw:0|space:no:
// chrF2 over character n-grams of one to six, white space left out. Plain functions. Thread: any. Broken UTF-8 counts as U+FFFD.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace braid::metrics {

inline constexpr std::size_t kChrfOrder = 6;

// Sums over sentences; those of a corpus are the sums of its sentences'.
struct ChrfStatistics {
    std::array<std::int64_t, kChrfOrder> hypothesis{};  // n-grams; none of an order the reference does not have
    std::array<std::int64_t, kChrfOrder> reference{};
    std::array<std::int64_t, kChrfOrder> matches{};

    ChrfStatistics &operator+=(const ChrfStatistics &other) noexcept;
    bool operator==(const ChrfStatistics &) const = default;
};

// One sentence against the reference that suits it best; at least one reference, else Error(Usage).
[[nodiscard]] ChrfStatistics chrfStatistics(std::string_view hypothesis, std::span<const std::string> references);
// 0 to 100. `beta`: how much more recall counts than precision.
[[nodiscard]] double chrfScore(const ChrfStatistics &statistics, double beta = 2) noexcept;

// Sentence by sentence with one reference each; different numbers of them are Error(Usage).
[[nodiscard]] double corpusChrf(std::span<const std::string> hypotheses, std::span<const std::string> references);
[[nodiscard]] double sentenceChrf(std::string_view hypothesis, std::string_view reference);

}  // namespace braid::metrics
