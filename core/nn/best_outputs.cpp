#include "core/nn/best_outputs.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include <ATen/Parallel.h>

#include "core/nn/few_rows.h"
#include "core/nn/lanes.h"
#include "core/nn/row_product.h"
#include "core/nn/seen_outputs.h"

namespace braid::nn {

namespace {

constexpr std::int64_t kOutputsAtOnce = 40 * kPanelStep;  // of so many outputs the scores of all rows stay in the nearest caches

// The outputs begin .. end - 1 of a few rows, some at a time.
template <class Weight>
class Pass {
  public:
    // scales: of whole numbers, else null.
    Pass(const at::Tensor &x, const at::Tensor &weight, const float *scales, const float *bias, const OutputWishes &wishes)
        : m_x(x.data_ptr<float>())
        , m_weight(weight.data_ptr<Weight>())
        , m_scales(scales)
        , m_bias(bias)
        , m_wishes(wishes)
        , m_rows(x.numel() / weight.size(1))
        , m_in(weight.size(1))
    {
    }

    // Sets what was asked for of these outputs in `asked`, which has room for it.
    std::vector<SeenOutputs> run(std::int64_t begin, std::int64_t end, std::vector<std::vector<float>> &asked) const
    {
        std::vector<SeenOutputs> seen(static_cast<std::size_t>(m_rows), SeenOutputs(m_wishes.best));
        std::vector<float> scores(static_cast<std::size_t>(m_rows * std::min(kOutputsAtOnce, end - begin)));
        for (std::int64_t first = begin; first < end; first += kOutputsAtOnce) {
            const std::int64_t count = std::min(kOutputsAtOnce, end - first);
            runOnProcessor(Product<Weight>{m_x, m_weight + first * m_in, m_bias == nullptr ? nullptr : m_bias + first, scores.data(), m_rows, m_in, count, 0,
                                           count, m_scales == nullptr ? nullptr : m_scales + first * (m_in / kScaledWeights)});
            for (std::int64_t row = 0; row < m_rows; ++row) {
                float *own = scores.data() + row * count;
                forbid(own, first, count);
                runOnProcessor(LookAtOutputs{own, count, first, &seen[static_cast<std::size_t>(row)]});
                if (!m_wishes.asked.empty()) {
                    answer(own, first, count, static_cast<std::size_t>(row), asked);
                }
            }
        }
        return seen;
    }

  private:
    void forbid(float *scores, std::int64_t first, std::int64_t count) const
    {
        const auto &never = m_wishes.never;
        for (auto id = std::lower_bound(never.begin(), never.end(), first); id != never.end() && *id < first + count; ++id) {
            scores[*id - first] = kNoScore;
        }
    }
    void answer(const float *scores, std::int64_t first, std::int64_t count, std::size_t row, std::vector<std::vector<float>> &asked) const
    {
        const std::vector<std::int64_t> &wanted = m_wishes.asked[row];
        for (auto id = std::lower_bound(wanted.begin(), wanted.end(), first); id != wanted.end() && *id < first + count; ++id) {
            asked[row][static_cast<std::size_t>(id - wanted.begin())] = scores[*id - first];
        }
    }

    const float *m_x = nullptr;
    const Weight *m_weight = nullptr;
    const float *m_scales = nullptr;
    const float *m_bias = nullptr;
    const OutputWishes &m_wishes;
    std::int64_t m_rows = 0;
    std::int64_t m_in = 0;
};

template <class Weight>
std::vector<OutputSummary> summariseBy(const Pass<Weight> &pass, std::int64_t rows, const at::Tensor &weight, const OutputWishes &wishes)
{
    std::vector<std::vector<float>> asked(static_cast<std::size_t>(rows));
    for (std::size_t row = 0; row < wishes.asked.size(); ++row) {
        asked[row].resize(wishes.asked[row].size());
    }
    std::vector<std::pair<std::int64_t, std::vector<SeenOutputs>>> parts;
    std::mutex mutex;
    const std::int64_t grain = std::max<std::int64_t>(1, kGrainBytes / (weight.size(1) * static_cast<std::int64_t>(sizeof(Weight))));
    at::parallel_for(0, weight.size(0), grain, [&](std::int64_t begin, std::int64_t end) {
        std::vector<SeenOutputs> seen = pass.run(begin, end, asked);
        const std::lock_guard lock(mutex);
        parts.emplace_back(begin, std::move(seen));
    });
    std::sort(parts.begin(), parts.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
    std::vector<OutputSummary> summaries;
    for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row) {
        SeenOutputs all(wishes.best);
        for (const auto &part : parts) {
            all.join(part.second[row]);
        }
        summaries.push_back(std::move(all).summary());
        summaries.back().asked = std::move(asked[row]);
    }
    return summaries;
}

// Every output first.
std::vector<OutputSummary> summariseWhole(const at::Tensor &outputs, const OutputWishes &wishes)
{
    const std::int64_t width = outputs.size(-1);
    std::vector<OutputSummary> summaries;
    for (std::int64_t row = 0; row < outputs.numel() / width; ++row) {
        const std::span<float> scores(outputs.data_ptr<float>() + row * width, static_cast<std::size_t>(width));
        for (const std::int64_t id : wishes.never) {
            scores[static_cast<std::size_t>(id)] = kNoScore;
        }
        summaries.push_back(summariseScores(scores, wishes.best));
        if (!wishes.asked.empty()) {
            for (const std::int64_t id : wishes.asked[static_cast<std::size_t>(row)]) {
                summaries.back().asked.push_back(scores[static_cast<std::size_t>(id)]);
            }
        }
    }
    return summaries;
}

}  // namespace

OutputSummary summariseScores(std::span<const float> scores, std::int64_t best)
{
    SeenOutputs seen(best);
    const auto count = static_cast<std::int64_t>(scores.size());
    for (std::int64_t first = 0; first < count; first += kOutputsAtOnce) {
        runOnProcessor(LookAtOutputs{scores.data() + first, std::min(kOutputsAtOnce, count - first), first, &seen});
    }
    return std::move(seen).summary();
}

std::vector<OutputSummary> summariseOutputs(const Linear &layer, const at::Tensor &x, const OutputWishes &wishes)
{
    const at::Tensor bias = layer.bias().defined() ? layer.bias().to(at::kFloat).contiguous() : layer.bias();
    const float *bias_data = bias.defined() && bias.device().is_cpu() ? bias.data_ptr<float>() : nullptr;
    const at::Tensor inputs = x.contiguous();
    const std::int64_t rows = x.numel() / x.size(-1);
    const bool plain = !layer.hasAdapter() && !layer.productType() && inputs.scalar_type() == at::kFloat && rows > 0;
    if (const Int8Weight &weight = layer.int8Weight(); plain && weight.defined()) {
        if (rows <= mostRows()) {
            return summariseBy(Pass<std::int8_t>(inputs, weight.numbers, weight.scales.data_ptr<float>(), bias_data, wishes), rows, weight.numbers, wishes);
        }
    } else if (plain && fewRowsApply(inputs, layer.weight())) {
        const at::Tensor floats = layer.weight();
        if (floats.scalar_type() == at::kHalf) {
            return summariseBy(Pass<c10::Half>(inputs, floats, nullptr, bias_data, wishes), rows, floats, wishes);
        }
        return summariseBy(Pass<float>(inputs, floats, nullptr, bias_data, wishes), rows, floats, wishes);
    }
    at::Tensor outputs = layer(inputs).to(at::kFloat).cpu().contiguous();
    return summariseWhole(outputs, wishes);
}

}  // namespace braid::nn
