#include "lab/metrics/translation_lag.h"

#include <algorithm>
#include <numeric>

#include "core/metrics/normaliser_text.h"
#include "core/text/utf8.h"

namespace braid::metrics {
namespace {

std::optional<LagScores> scores(const std::vector<double> &delays, double source_length, std::optional<std::int64_t> reference_length)
{
    const auto written = static_cast<double>(delays.size());
    const auto reference = reference_length && *reference_length > 0 ? static_cast<double>(*reference_length) : written;
    const auto by_hypothesis = averageLagging(delays, source_length, written);
    if (!by_hypothesis) {
        return std::nullopt;
    }
    LagScores lag;
    lag.average_lagging_hypothesis = *by_hypothesis;
    lag.average_lagging_reference = *averageLagging(delays, source_length, reference);
    lag.length_adaptive = *lengthAdaptiveAverageLagging(delays, source_length, reference);
    lag.differentiable = *differentiableAverageLagging(delays, source_length);
    lag.proportion = *averageProportion(delays, source_length);
    return lag;
}

}  // namespace

std::int64_t unitCount(std::string_view line, LagUnit unit)
{
    const auto points = codePoints(text::toValidUtf8(line));
    if (unit == LagUnit::Words) {
        return static_cast<std::int64_t>(split(points).size());
    }
    return std::count_if(points.begin(), points.end(), [](char32_t point) { return !isSpace(point); });
}

std::optional<double> averageLagging(std::span<const double> delays, double source_length, double target_length)
{
    if (delays.empty() || !(source_length > 0) || !(target_length > 0)) {
        return std::nullopt;
    }
    if (delays.front() > source_length) {
        return delays.front();
    }
    const auto step = source_length / target_length;
    double sum = 0;
    std::size_t counted = 0;
    for (const auto delay : delays) {
        sum += delay - static_cast<double>(counted) * step;
        ++counted;
        if (delay >= source_length) {
            break;
        }
    }
    return sum / static_cast<double>(counted);
}

std::optional<double> lengthAdaptiveAverageLagging(std::span<const double> delays, double source_length, double reference_length)
{
    return averageLagging(delays, source_length, std::max(static_cast<double>(delays.size()), reference_length));
}

std::optional<double> differentiableAverageLagging(std::span<const double> delays, double source_length)
{
    if (delays.empty() || !(source_length > 0)) {
        return std::nullopt;
    }
    const auto step = source_length / static_cast<double>(delays.size());
    double sum = 0;
    double last = 0;
    for (std::size_t i = 0; i < delays.size(); ++i) {
        last = i == 0 ? delays[0] : std::max(delays[i], last + step);
        sum += last - static_cast<double>(i) * step;
    }
    return sum / static_cast<double>(delays.size());
}

std::optional<double> averageProportion(std::span<const double> delays, double source_length)
{
    if (delays.empty() || !(source_length > 0)) {
        return std::nullopt;
    }
    return std::accumulate(delays.begin(), delays.end(), 0.0) / (source_length * static_cast<double>(delays.size()));
}

std::optional<LagScores> lagScores(std::span<const WrittenUnit> written, std::int64_t source_units, std::optional<std::int64_t> reference_length)
{
    std::vector<double> delays;
    std::transform(written.begin(), written.end(), std::back_inserter(delays), [](const WrittenUnit &unit) { return unit.read_units; });
    return scores(delays, static_cast<double>(source_units), reference_length);
}

std::optional<LagScores> computationAwareLagScores(std::span<const WrittenUnit> written, double source_ms, std::optional<std::int64_t> reference_length)
{
    std::vector<double> delays;
    std::transform(written.begin(), written.end(), std::back_inserter(delays), [](const WrittenUnit &unit) { return unit.elapsed_ms; });
    return scores(delays, source_ms, reference_length);
}

void LagMean::add(const std::optional<LagScores> &sentence)
{
    if (!sentence) {
        return;
    }
    m_sum.average_lagging_reference += sentence->average_lagging_reference;
    m_sum.average_lagging_hypothesis += sentence->average_lagging_hypothesis;
    m_sum.length_adaptive += sentence->length_adaptive;
    m_sum.differentiable += sentence->differentiable;
    m_sum.proportion += sentence->proportion;
    ++m_sentences;
}

LagScores LagMean::mean() const
{
    if (m_sentences == 0) {
        return {};
    }
    const auto count = static_cast<double>(m_sentences);
    return {m_sum.average_lagging_reference / count, m_sum.average_lagging_hypothesis / count, m_sum.length_adaptive / count, m_sum.differentiable / count,
            m_sum.proportion / count};
}

}  // namespace braid::metrics
