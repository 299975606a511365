#include "core/models/whisper/token_rules.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace braid::models::whisper {

namespace {

constexpr float kNever = -std::numeric_limits<float>::infinity();

void forbid(std::span<float> scores, std::span<const std::int32_t> ids)
{
    for (const std::int32_t id : ids) {
        if (id >= 0 && static_cast<std::size_t>(id) < scores.size()) {
            scores[static_cast<std::size_t>(id)] = kNever;
        }
    }
}

void forbidRange(std::span<float> scores, std::int32_t begin, std::int32_t end)
{
    const auto size = static_cast<std::int32_t>(scores.size());
    for (std::int32_t id = std::max(0, begin); id < std::min(end, size); ++id) {
        scores[static_cast<std::size_t>(id)] = kNever;
    }
}

// log of the sum of exponentials; minus infinity where all are.
double logSumExp(std::span<const float> scores)
{
    const float highest = scores.empty() ? kNever : *std::max_element(scores.begin(), scores.end());
    if (highest == kNever) {
        return kNever;
    }
    double sum = 0;
    for (const float score : scores) {
        sum += std::exp(score - highest);
    }
    return highest + std::log(sum);
}

// Timestamps come in pairs (except before end of text), never go back, and win where together they are likelier than any text.
void applyTimestampRules(std::span<float> scores, std::span<const std::int32_t> sampled, const TimestampRules &rules, std::int32_t end_of_text)
{
    const auto vocabulary = static_cast<std::int32_t>(scores.size());
    forbid(scores, std::span(&rules.no_timestamps, 1));
    const auto isTimestamp = [&rules](std::int32_t id) { return id >= rules.begin; };
    const bool last_was = !sampled.empty() && isTimestamp(sampled.back());
    const bool one_before_was = sampled.size() < 2 || isTimestamp(sampled[sampled.size() - 2]);
    if (last_was && one_before_was) {
        forbidRange(scores, rules.begin, vocabulary);
    } else if (last_was) {
        forbidRange(scores, 0, end_of_text);
    }
    const auto newest = std::find_if(sampled.rbegin(), sampled.rend(), isTimestamp);
    if (newest != sampled.rend()) {
        // A closed pair must be followed by a later time; an open one may close at the same time only as the opening of the next.
        forbidRange(scores, rules.begin, last_was && !one_before_was ? *newest : *newest + 1);
    }
    if (sampled.empty()) {
        forbidRange(scores, 0, rules.begin);
        forbidRange(scores, rules.begin + rules.max_initial + 1, vocabulary);
    }
    const auto text = scores.first(static_cast<std::size_t>(std::min(rules.begin, vocabulary)));
    const auto times = scores.subspan(text.size());
    if (!text.empty() && logSumExp(times) > *std::max_element(text.begin(), text.end())) {
        forbidRange(scores, 0, rules.begin);
    }
}

}  // namespace

void TokenRules::apply(std::span<float> scores, std::span<const std::int32_t> sampled) const
{
    if (sampled.empty()) {
        forbid(scores, suppressed_at_start);
    }
    forbid(scores, suppressed);
    if (timestamps) {
        applyTimestampRules(scores, sampled, *timestamps, end_of_text);
    }
}

void logSoftmax(std::span<float> scores)
{
    const auto total = static_cast<float>(logSumExp(scores));
    for (float &score : scores) {
        score -= total;
    }
}

}  // namespace braid::models::whisper
