#include "lab/metrics/chrf.h"

#include <algorithm>
#include <unordered_map>

#include "core/base/error.h"
#include "core/metrics/normaliser_text.h"
#include "core/text/utf8.h"

namespace braid::metrics {
namespace {

using GramCounts = std::unordered_map<std::u32string_view, std::int64_t>;

std::u32string withoutSpace(std::string_view line)
{
    auto points = codePoints(text::toValidUtf8(line));
    std::erase_if(points, isSpace);
    return points;
}

// n-grams of one order; they look into `line`.
GramCounts countGrams(const std::u32string &line, std::size_t order)
{
    GramCounts counts;
    for (std::size_t start = 0; start + order <= line.size(); ++start) {
        ++counts[std::u32string_view(line).substr(start, order)];
    }
    return counts;
}

ChrfStatistics compare(const std::u32string &hypothesis, const std::u32string &reference)
{
    ChrfStatistics statistics;
    for (std::size_t n = 0; n < kChrfOrder; ++n) {
        const auto hypothesis_grams = countGrams(hypothesis, n + 1);
        const auto reference_grams = countGrams(reference, n + 1);
        for (const auto &[gram, count] : hypothesis_grams) {
            statistics.hypothesis[n] += reference_grams.empty() ? 0 : count;
            if (const auto known = reference_grams.find(gram); known != reference_grams.end()) {
                statistics.matches[n] += std::min(count, known->second);
            }
        }
        for (const auto &[gram, count] : reference_grams) {
            statistics.reference[n] += count;
        }
    }
    return statistics;
}

}  // namespace

ChrfStatistics &ChrfStatistics::operator+=(const ChrfStatistics &other) noexcept
{
    for (std::size_t n = 0; n < kChrfOrder; ++n) {
        hypothesis[n] += other.hypothesis[n];
        reference[n] += other.reference[n];
        matches[n] += other.matches[n];
    }
    return *this;
}

ChrfStatistics chrfStatistics(std::string_view hypothesis, std::span<const std::string> references)
{
    if (references.empty()) {
        throw Error(ErrorKind::Usage, "there is no reference to compare a translation with");
    }
    const auto line = withoutSpace(hypothesis);
    ChrfStatistics best;
    double best_score = -1;
    for (const auto &reference : references) {
        const auto statistics = compare(line, withoutSpace(reference));
        if (const auto score = chrfScore(statistics); score > best_score) {
            best_score = score;
            best = statistics;
        }
    }
    return best;
}

double chrfScore(const ChrfStatistics &statistics, double beta) noexcept
{
    double precision = 0;
    double recall = 0;
    int orders = 0;
    for (std::size_t n = 0; n < kChrfOrder; ++n) {
        if (statistics.hypothesis[n] > 0 && statistics.reference[n] > 0) {
            precision += static_cast<double>(statistics.matches[n]) / static_cast<double>(statistics.hypothesis[n]);
            recall += static_cast<double>(statistics.matches[n]) / static_cast<double>(statistics.reference[n]);
            ++orders;
        }
    }
    if (orders == 0 || precision + recall <= 0) {
        return 0;
    }
    precision /= orders;
    recall /= orders;
    const auto factor = beta * beta;
    return 100 * (1 + factor) * precision * recall / (factor * precision + recall);
}

double corpusChrf(std::span<const std::string> hypotheses, std::span<const std::string> references)
{
    if (hypotheses.size() != references.size()) {
        throw Error(ErrorKind::Usage,
                    "there are " + std::to_string(hypotheses.size()) + " translations and " + std::to_string(references.size()) + " references");
    }
    ChrfStatistics statistics;
    for (std::size_t i = 0; i < hypotheses.size(); ++i) {
        statistics += chrfStatistics(hypotheses[i], references.subspan(i, 1));
    }
    return chrfScore(statistics);
}

double sentenceChrf(std::string_view hypothesis, std::string_view reference)
{
    const std::string only(reference);
    return chrfScore(chrfStatistics(hypothesis, std::span(&only, 1)));
}

}  // namespace braid::metrics
