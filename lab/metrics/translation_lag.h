// How far a translation runs behind its source. All measures take, for each unit of the translation in order, how much of the source had
// been read when it was written ("delay"), in the unit of `source_length`: words, characters or milliseconds. Given milliseconds
// of a clock that runs while the model computes, they are the computation-aware measures of the same names.
//
// |Y| decides what an ideal policy would do, and people use two lengths for it; every result therefore says which by its name.
// Sources: AL: Ma et al. 2019 (STACL), equations 8 and 9; LAAL: Papi et al. 2022 ("Over-generation cannot be rewarded"), equation 4;
// DAL: Cherry and Foster 2019, equations 4 to 6; AP: Cho and Esipova 2016, section 3.3. Where the formulas are silent (a first delay
// beyond the source) they follow the convention of SimulEval. Plain functions. Thread: any.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace braid::metrics {

enum class LagUnit : std::uint8_t {
    Words = 1,   // at white space; punctuation belongs to its word
    Characters,  // without white space: Chinese, Japanese
};
// How many units a text has.
[[nodiscard]] std::int64_t unitCount(std::string_view text, LagUnit unit);

// AL: 1/tau sum_{i=1..tau} (d_i - (i-1) |X|/|Y|), tau the first i with d_i >= |X|; where none reaches it, all count.
// nullopt where nothing was written or a length is not positive.
[[nodiscard]] std::optional<double> averageLagging(std::span<const double> delays, double source_length, double target_length);
// LAAL: AL with |Y| = max(number of units written, reference length), so that writing too much does not look fast.
[[nodiscard]] std::optional<double> lengthAdaptiveAverageLagging(std::span<const double> delays, double source_length, double reference_length);
// DAL: over all units, where each takes at least |X|/|Y| after the one before it; |Y| is the number of units written.
[[nodiscard]] std::optional<double> differentiableAverageLagging(std::span<const double> delays, double source_length);
// AP: the mean delay as a share of the source, 0 to 1.
[[nodiscard]] std::optional<double> averageProportion(std::span<const double> delays, double source_length);

// When each unit of a translation was written.
struct WrittenUnit {
    double read_units = 0;  // source units read
    double elapsed_ms = 0;  // since the first source unit could be read, computing included
};

struct LagScores {
    double average_lagging_reference = 0;   // AL by the reference's length; by the hypothesis's where there is no reference
    double average_lagging_hypothesis = 0;  // AL by the hypothesis's length
    double length_adaptive = 0;             // LAAL
    double differentiable = 0;              // DAL
    double proportion = 0;                  // AP
};

// One sentence, in source units. `reference_length`: nullopt where there is no reference.
[[nodiscard]] std::optional<LagScores> lagScores(std::span<const WrittenUnit> written, std::int64_t source_units, std::optional<std::int64_t> reference_length);
// The same in milliseconds with computing time; `source_ms`: how long the source took to arrive.
[[nodiscard]] std::optional<LagScores> computationAwareLagScores(std::span<const WrittenUnit> written, double source_ms,
                                                                 std::optional<std::int64_t> reference_length);

// Latency of a corpus is the mean over its sentences; those without a score do not count.
class LagMean {
  public:
    void add(const std::optional<LagScores> &sentence);
    [[nodiscard]] std::int64_t sentences() const noexcept { return m_sentences; }
    [[nodiscard]] LagScores mean() const;

  private:
    LagScores m_sum;
    std::int64_t m_sentences = 0;
};

}  // namespace braid::metrics
