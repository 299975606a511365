#include "core/streams/sampling.h"

#include <algorithm>
#include <cmath>

namespace braid::streams {
namespace {

bool ranksHigher(const Candidate &a, const Candidate &b) noexcept
{
    return a.logit > b.logit || (a.logit == b.logit && a.token < b.token);
}

std::int32_t drawn(const std::vector<Candidate> &ranked, const Sampling &sampling, Random &random)
{
    std::size_t count = ranked.size();
    if (sampling.top_k > 0) {
        count = std::min(count, static_cast<std::size_t>(sampling.top_k));
    }
    std::vector<double> probabilities(count);
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
        probabilities[i] = std::exp((static_cast<double>(ranked[i].logit) - ranked[0].logit) / sampling.temperature);
        sum += probabilities[i];
    }
    double gathered = 0;
    std::size_t kept = 0;
    for (; kept < count && (kept == 0 || gathered / sum <= sampling.top_p); ++kept) {
        gathered += probabilities[kept];
    }
    double left = random.unit() * gathered;
    for (std::size_t i = 0; i + 1 < kept; ++i) {
        if ((left -= probabilities[i]) < 0) {
            return ranked[i].token;
        }
    }
    return ranked[kept - 1].token;
}

}  // namespace

std::size_t candidatesNeeded(const Sampling &sampling, std::size_t rivals) noexcept
{
    if (sampling.temperature > 0 && sampling.top_k == 0) {
        return 0;
    }
    // One more than are kept: silence may drop out among them.
    const std::size_t kept = sampling.temperature > 0 ? static_cast<std::size_t>(sampling.top_k) : 1;
    return std::max(kept, rivals) + 1;
}

Choice choose(const Prediction &prediction, const Sampling &sampling, double penalty, std::int32_t silence_token, std::size_t rivals, Random &random)
{
    std::vector<Candidate> ranked = prediction.candidates;
    for (Candidate &candidate : ranked) {
        if (candidate.token == silence_token) {
            candidate.logit -= static_cast<float>(penalty);
        }
    }
    std::sort(ranked.begin(), ranked.end(), ranksHigher);
    const std::int32_t token = sampling.temperature > 0 ? drawn(ranked, sampling, random) : ranked.front().token;
    return judged(prediction, token, rivals);
}

Choice judged(const Prediction &prediction, std::int32_t token, std::size_t rivals)
{
    Choice choice;
    choice.token = token;
    choice.entropy = prediction.entropy;
    for (const Candidate &candidate : prediction.candidates) {
        const double probability = std::exp(candidate.logit - prediction.log_sum);
        if (candidate.token == token) {
            choice.probability = probability;
        } else if (choice.rivals.size() < rivals) {
            choice.rivals.push_back({candidate.token, probability});
        }
    }
    std::stable_sort(choice.rivals.begin(), choice.rivals.end(), [](const Rival &a, const Rival &b) { return a.probability > b.probability; });
    return choice;
}

double penaltyAt(const SilencePenalty &penalty, std::int64_t rows_since_user) noexcept
{
    if (penalty.time == PenaltyTime::AfterUser) {
        if (rows_since_user <= 0) {
            return 0;
        }
        if (penalty.ramp_rows > 0) {
            return penalty.logits * std::min(1.0, static_cast<double>(rows_since_user) / penalty.ramp_rows);
        }
    }
    return penalty.logits;
}

}  // namespace braid::streams
