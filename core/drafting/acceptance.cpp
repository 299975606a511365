#include "core/drafting/acceptance.h"

#include <algorithm>
#include <string>

#include "core/base/error.h"

namespace braid::drafting {

void requireUsable(const DraftSettings &settings, std::int64_t most_heads)
{
    if (settings.heads < 1) {
        throw Error(ErrorKind::Usage, "a step cannot predict " + std::to_string(settings.heads) + " tokens", {}, "The least is 1");
    }
    if (settings.heads > most_heads) {
        throw Error(ErrorKind::Usage, "the model cannot predict " + std::to_string(settings.heads) + " tokens a step", {},
                    most_heads == 1 ? "It has no further heads; leave --heads out, or train some (\"token_heads\" in a recipe)"
                                    : "It has " + std::to_string(most_heads) + " heads");
    }
    if (settings.top_m < 1) {
        throw Error(ErrorKind::Usage, "top-m cannot be " + std::to_string(settings.top_m), {}, "1 is the same as greedy verification; more accepts more");
    }
    if (!(settings.threshold > 0 && settings.threshold <= 1)) {
        throw Error(ErrorKind::Usage, "the threshold of proposals cannot be " + std::to_string(settings.threshold), {}, "It is above 0 and at most 1");
    }
}

bool standsByRank(std::span<const std::int32_t> ranked, std::int32_t token, int most) noexcept
{
    const auto highest = ranked.first(std::min(ranked.size(), static_cast<std::size_t>(most)));
    return std::find(highest.begin(), highest.end(), token) != highest.end();
}

std::size_t standByProbability(std::span<const double> probabilities, double threshold) noexcept
{
    const auto unsure = std::find_if_not(probabilities.begin(), probabilities.end(), [threshold](double probability) { return probability >= threshold; });
    const auto sure = static_cast<std::size_t>(unsure - probabilities.begin());
    return std::max<std::size_t>(sure, std::min<std::size_t>(probabilities.size(), 1));
}

}  // namespace braid::drafting
