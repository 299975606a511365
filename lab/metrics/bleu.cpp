#include "lab/metrics/bleu.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <unordered_map>
#include <utility>

#include "core/base/error.h"
#include "core/metrics/normaliser_text.h"
#include "core/text/utf8.h"

namespace braid::metrics {
namespace {

bool isPoint(char32_t c)
{
    return c == '.' || c == ',';
}

// ASCII's symbols but for ' , - . which have rules of their own; the space is among them and harmless.
bool standsAlone(char32_t c)
{
    return (c >= '{' && c <= '~') || (c >= '[' && c <= '`') || (c >= ' ' && c <= '&') || (c >= '(' && c <= '+') || (c >= ':' && c <= '@') || c == '/';
}

void replaceAll(std::string &text, std::string_view from, std::string_view to)
{
    std::string out;
    std::size_t start = 0;
    for (auto at = text.find(from); at != std::string::npos; at = text.find(from, start)) {
        out.append(text, start, at - start);
        out += to;
        start = at + from.size();
    }
    text = start == 0 ? std::move(text) : out + text.substr(start);
}

// Where a substitution puts its spaces.
enum class Spaces : std::uint8_t { AroundSecond = 1, AroundFirst };

// A regular expression of two characters, substituted from left to right without overlap, as Python's re.sub does.
template <typename Fits>
std::u32string substituted(const std::u32string &line, Spaces spaces, const Fits &fits)
{
    std::u32string out;
    out.reserve(line.size() + line.size() / 4);
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (i + 1 == line.size() || !fits(line[i], line[i + 1])) {
            out += line[i];
            continue;
        }
        if (spaces == Spaces::AroundSecond) {
            out += {line[i], U' ', line[i + 1], U' '};
        } else {
            out += {U' ', line[i], U' ', line[i + 1]};
        }
        ++i;
    }
    return out;
}

std::u32string tokenised13a(std::string_view given)
{
    std::string line(given);
    replaceAll(line, "<skipped>", "");
    replaceAll(line, "-\n", "");
    std::replace(line.begin(), line.end(), '\n', ' ');
    replaceAll(line, "&quot;", "\"");
    replaceAll(line, "&amp;", "&");
    replaceAll(line, "&lt;", "<");
    replaceAll(line, "&gt;", ">");
    std::u32string spaced;
    for (const auto c : U" " + codePoints(line) + U" ") {
        if (standsAlone(c)) {
            spaced += {U' ', c, U' '};
        } else {
            spaced += c;
        }
    }
    spaced = substituted(spaced, Spaces::AroundSecond, [](char32_t first, char32_t second) { return !isAsciiDigit(first) && isPoint(second); });
    spaced = substituted(spaced, Spaces::AroundFirst, [](char32_t first, char32_t second) { return isPoint(first) && !isAsciiDigit(second); });
    return substituted(spaced, Spaces::AroundSecond, [](char32_t first, char32_t second) { return isAsciiDigit(first) && second == '-'; });
}

using Gram = std::array<std::int32_t, kBleuOrder>;  // unused places are -1
using GramCounts = std::map<Gram, std::int64_t>;

// Tokens as numbers, the same for hypothesis and references.
class TokenNumbers {
  public:
    std::vector<std::int32_t> of(const std::vector<std::string> &tokens)
    {
        std::vector<std::int32_t> numbers;
        numbers.reserve(tokens.size());
        for (const auto &token : tokens) {
            numbers.push_back(m_numbers.try_emplace(token, static_cast<std::int32_t>(m_numbers.size())).first->second);
        }
        return numbers;
    }

  private:
    std::unordered_map<std::string, std::int32_t> m_numbers;
};

GramCounts countGrams(const std::vector<std::int32_t> &tokens)
{
    GramCounts counts;
    for (std::size_t start = 0; start < tokens.size(); ++start) {
        Gram gram;
        gram.fill(-1);
        for (std::size_t n = 0; n < kBleuOrder && start + n < tokens.size(); ++n) {
            gram[n] = tokens[start + n];
            ++counts[gram];
        }
    }
    return counts;
}

std::size_t orderOf(const Gram &gram)
{
    return static_cast<std::size_t>(std::find(gram.begin(), gram.end(), -1) - gram.begin()) - 1;
}

}  // namespace

BleuStatistics &BleuStatistics::operator+=(const BleuStatistics &other) noexcept
{
    hypothesis_length += other.hypothesis_length;
    reference_length += other.reference_length;
    for (std::size_t n = 0; n < kBleuOrder; ++n) {
        matches[n] += other.matches[n];
        totals[n] += other.totals[n];
    }
    return *this;
}

std::vector<std::string> bleuTokens(std::string_view line, BleuTokenisation tokenisation)
{
    const auto valid = text::toValidUtf8(line);
    auto points = codePoints(valid);
    while (!points.empty() && isSpace(points.back())) {
        points.pop_back();
    }
    if (tokenisation == BleuTokenisation::Mteval13a) {
        points = tokenised13a(utf8Of(points));
    } else if (tokenisation == BleuTokenisation::Characters) {
        std::u32string apart;
        for (const auto c : points) {
            apart += {c, U' '};
        }
        points = apart;
    }
    std::vector<std::string> tokens;
    for (const auto &token : split(points)) {
        tokens.push_back(utf8Of(token));
    }
    return tokens;
}

BleuStatistics bleuStatistics(std::string_view hypothesis, std::span<const std::string> references, BleuTokenisation tokenisation)
{
    if (references.empty()) {
        throw Error(ErrorKind::Usage, "there is no reference to compare a translation with");
    }
    TokenNumbers numbers;
    const auto tokens = numbers.of(bleuTokens(hypothesis, tokenisation));
    GramCounts most;  // of each n-gram in any one reference
    BleuStatistics statistics;
    statistics.hypothesis_length = static_cast<std::int64_t>(tokens.size());
    bool is_first = true;
    for (const auto &reference : references) {
        const auto reference_tokens = numbers.of(bleuTokens(reference, tokenisation));
        const auto length = static_cast<std::int64_t>(reference_tokens.size());
        const auto distance = std::abs(length - statistics.hypothesis_length);
        const auto best = std::abs(statistics.reference_length - statistics.hypothesis_length);
        if (is_first || distance < best || (distance == best && length < statistics.reference_length)) {
            statistics.reference_length = length;
        }
        is_first = false;
        for (const auto &[gram, count] : countGrams(reference_tokens)) {
            auto &kept = most[gram];
            kept = std::max(kept, count);
        }
    }
    for (const auto &[gram, count] : countGrams(tokens)) {
        const auto order = orderOf(gram);
        statistics.totals[order] += count;
        if (const auto known = most.find(gram); known != most.end()) {
            statistics.matches[order] += std::min(count, known->second);
        }
    }
    return statistics;
}

BleuScore bleuScore(const BleuStatistics &statistics, BleuOrders orders) noexcept
{
    BleuScore score;
    if (statistics.hypothesis_length < statistics.reference_length) {
        const auto ratio = static_cast<double>(statistics.reference_length) / static_cast<double>(statistics.hypothesis_length);
        score.brevity_penalty = statistics.hypothesis_length > 0 ? std::exp(1 - ratio) : 0;
    }
    if (std::all_of(statistics.matches.begin(), statistics.matches.end(), [](std::int64_t count) { return count == 0; })) {
        return score;
    }
    double smoothing = 1;  // halved for each order without a match (mteval-v13a's "exp")
    std::size_t effective = kBleuOrder;
    for (std::size_t n = 0; n < kBleuOrder && statistics.totals[n] > 0; ++n) {
        const auto total = static_cast<double>(statistics.totals[n]);
        if (orders == BleuOrders::Effective) {
            effective = n + 1;
        }
        if (statistics.matches[n] == 0) {
            smoothing *= 2;
            score.precisions[n] = 100.0 / (smoothing * total);
        } else {
            score.precisions[n] = 100.0 * static_cast<double>(statistics.matches[n]) / total;
        }
    }
    double sum = 0;
    for (std::size_t n = 0; n < effective; ++n) {
        if (score.precisions[n] <= 0) {
            return score;  // the logarithm of nothing: no score
        }
        sum += std::log(score.precisions[n]);
    }
    score.bleu = score.brevity_penalty * std::exp(sum / static_cast<double>(effective));
    return score;
}

BleuScore corpusBleu(std::span<const std::string> hypotheses, std::span<const std::string> references, BleuTokenisation tokenisation)
{
    if (hypotheses.size() != references.size()) {
        throw Error(ErrorKind::Usage,
                    "there are " + std::to_string(hypotheses.size()) + " translations and " + std::to_string(references.size()) + " references");
    }
    BleuStatistics statistics;
    for (std::size_t i = 0; i < hypotheses.size(); ++i) {
        statistics += bleuStatistics(hypotheses[i], references.subspan(i, 1), tokenisation);
    }
    return bleuScore(statistics);
}

double sentenceBleu(std::string_view hypothesis, std::string_view reference, BleuTokenisation tokenisation)
{
    const std::string only(reference);
    return bleuScore(bleuStatistics(hypothesis, std::span(&only, 1), tokenisation), BleuOrders::Effective).bleu;
}

}  // namespace braid::metrics
