#include "core/captions/doubt_guard.h"

#include <algorithm>
#include <cmath>

namespace braid::captions {

int candidatesForSilence(const DoubtOptions &options)
{
    return static_cast<int>(std::ceil(1 / std::max(0.001f, options.silence_probability)));
}

bool isDoubtful(std::span<const RowToken> text, float silence_probability, const DoubtOptions &options)
{
    double sum = 0;
    std::size_t count = 0;
    for (const RowToken &token : text) {
        sum += token.seen_frames > 0 ? static_cast<double>(token.log_probability) : 0;
        count += token.seen_frames > 0 ? 1 : 0;
    }
    if (count == 0 || options.least_probability <= 0) {
        return false;
    }
    const double probability = std::exp(sum / static_cast<double>(count));
    return probability <
           static_cast<double>(silence_probability >= options.silence_probability ? options.least_probability_near_silence : options.least_probability);
}

}  // namespace braid::captions
