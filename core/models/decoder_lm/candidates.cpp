#include "core/models/decoder_lm/candidates.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace braid::models::lm {

streams::Prediction predictionOf(const at::Tensor &logits, std::size_t most)
{
    const at::Tensor values = logits.to(at::kCPU, at::kFloat).contiguous();
    const float *const logit = values.data_ptr<float>();
    const auto count = static_cast<std::size_t>(values.numel());

    streams::Prediction prediction;
    const double highest = *std::max_element(logit, logit + count);
    double sum = 0;
    double weighted = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const double share = std::exp(logit[i] - highest);
        sum += share;
        weighted += share * (logit[i] - highest);
    }
    prediction.log_sum = highest + std::log(sum);
    prediction.entropy = std::log(sum) - weighted / sum;

    std::vector<std::int32_t> tokens(count);
    std::iota(tokens.begin(), tokens.end(), 0);
    const std::size_t kept = most == 0 ? count : std::min(most, count);
    std::partial_sort(tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(kept), tokens.end(),
                      [logit](std::int32_t a, std::int32_t b) { return logit[a] > logit[b] || (logit[a] == logit[b] && a < b); });
    for (std::size_t i = 0; i < kept; ++i) {
        prediction.candidates.push_back({tokens[i], logit[tokens[i]]});
    }
    return prediction;
}

}  // namespace braid::models::lm
