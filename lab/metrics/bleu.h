// BLEU (Papineni et al. 2002), the same number as sacrebleu's (2.6, Post 2018) by its default signature
// nrefs:N|case:mixed|eff:no|tok:13a|smooth:exp; with Tokenisation::Characters or ::None as its tok:char and tok:none.
// Plain functions. Thread: any. Broken UTF-8 counts as U+FFFD.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace braid::metrics {

inline constexpr std::size_t kBleuOrder = 4;

enum class BleuTokenisation : std::uint8_t {
    Mteval13a = 1,  // of mteval-v13a.pl: for languages with spaces
    Characters,     // each character a token: Chinese, Japanese
    None,           // at white space
};
// Whether orders longer than the hypothesis count against it: they do for a corpus; for single sentences sacrebleu leaves them out.
enum class BleuOrders : std::uint8_t { All = 1, Effective };

// Sums over sentences; those of a corpus are the sums of its sentences'.
struct BleuStatistics {
    std::int64_t hypothesis_length = 0;  // tokens
    std::int64_t reference_length = 0;   // of the closest reference of each sentence
    std::array<std::int64_t, kBleuOrder> matches{};
    std::array<std::int64_t, kBleuOrder> totals{};

    BleuStatistics &operator+=(const BleuStatistics &other) noexcept;
    bool operator==(const BleuStatistics &) const = default;
};

struct BleuScore {
    double bleu = 0;                              // 0 to 100
    std::array<double, kBleuOrder> precisions{};  // percent, smoothed
    double brevity_penalty = 1;
};

// The tokens of one line, as BLEU counts them.
[[nodiscard]] std::vector<std::string> bleuTokens(std::string_view line, BleuTokenisation tokenisation);

// One sentence against all its references; at least one, else Error(Usage).
[[nodiscard]] BleuStatistics bleuStatistics(std::string_view hypothesis, std::span<const std::string> references,
                                            BleuTokenisation tokenisation = BleuTokenisation::Mteval13a);
[[nodiscard]] BleuScore bleuScore(const BleuStatistics &statistics, BleuOrders orders = BleuOrders::All) noexcept;

// Sentence by sentence with one reference each; different numbers of them are Error(Usage).
[[nodiscard]] BleuScore corpusBleu(std::span<const std::string> hypotheses, std::span<const std::string> references,
                                   BleuTokenisation tokenisation = BleuTokenisation::Mteval13a);
[[nodiscard]] double sentenceBleu(std::string_view hypothesis, std::string_view reference, BleuTokenisation tokenisation = BleuTokenisation::Mteval13a);

}  // namespace braid::metrics
