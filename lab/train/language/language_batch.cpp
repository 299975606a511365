#include "lab/train/language/language_batch.h"

#include <algorithm>

#include <c10/core/GradMode.h>

namespace braid::train {

namespace {

template <typename Number>
at::Tensor tensorOf(const std::vector<Number> &values, at::ScalarType type, const at::Device &device)
{
    at::Tensor tensor = at::empty({static_cast<std::int64_t>(values.size())}, type);
    std::copy(values.begin(), values.end(), tensor.data_ptr<Number>());
    return tensor.to(device);
}

struct HeadLoss {
    at::Tensor total;  // smoothed, with its graph
    double plain = 0;
};

// logits [R, vocabulary], labels [R], `share` of each row in the sum.
HeadLoss headLoss(const at::Tensor &logits, const at::Tensor &labels, const at::Tensor &share, double label_smoothing)
{
    const at::Tensor log_probabilities = at::log_softmax(logits, 1);
    const at::Tensor of_labels = -log_probabilities.gather(1, labels.unsqueeze(1)).squeeze(1);
    at::Tensor each = of_labels;
    if (label_smoothing > 0) {
        each = of_labels * (1 - label_smoothing) - log_probabilities.mean(1) * label_smoothing;
    }
    HeadLoss loss;
    loss.total = (each * share).sum();
    const c10::NoGradGuard no_gradients;
    loss.plain = (of_labels * share).sum().item<double>();
    return loss;
}

}  // namespace

LanguageBatch makeBatch(std::span<const Sequence> sequences, const at::Device &device)
{
    std::size_t longest = 0;
    for (const Sequence &sequence : sequences) {
        longest = std::max(longest, sequence.size());
    }
    const auto count = static_cast<std::int64_t>(sequences.size());
    const auto length = static_cast<std::int64_t>(longest);
    LanguageBatch batch;
    batch.tokens = at::zeros({count, length}, at::kLong);
    batch.positions = at::zeros({count, length}, at::kFloat);
    if (std::any_of(sequences.begin(), sequences.end(), [](const Sequence &sequence) { return !sequence.across.empty(); })) {
        batch.across = at::zeros({count, length}, at::kFloat);
    }
    batch.streams = at::zeros({count, length}, at::kLong);
    batch.seen = at::zeros({count, length, length}, at::kBool);
    std::vector<std::int64_t> rows;
    std::vector<std::int64_t> labels;
    std::vector<float> weights;
    std::vector<std::int64_t> later_labels;
    const std::size_t later = sequences.empty() ? 0 : sequences.front().later;
    for (std::size_t s = 0; s < sequences.size(); ++s) {
        const Sequence &sequence = sequences[s];
        const std::size_t first = s * longest;
        for (std::size_t row = 0; row < longest; ++row) {
            bool *seen = batch.seen.data_ptr<bool>() + (first + row) * longest;
            seen[row] = true;
            if (row >= sequence.size()) {
                continue;
            }
            batch.tokens.data_ptr<std::int64_t>()[first + row] = sequence.tokens[row];
            batch.positions.data_ptr<float>()[first + row] = static_cast<float>(sequence.positions[row]);
            if (batch.across.defined()) {
                batch.across.data_ptr<float>()[first + row] = static_cast<float>((sequence.across.empty() ? sequence.positions : sequence.across)[row]);
            }
            batch.streams.data_ptr<std::int64_t>()[first + row] = sequence.streams[row];
            for (std::size_t column = 0; column < sequence.size(); ++column) {
                seen[column] = sequence.seen[row * sequence.size() + column] != 0;
            }
            if (sequence.labels[row] != Sequence::kNoLabel && sequence.weights[row] > 0) {
                rows.push_back(static_cast<std::int64_t>(first + row));
                labels.push_back(sequence.labels[row]);
                weights.push_back(sequence.weights[row]);
                const auto first_later = sequence.later_labels.begin() + static_cast<std::ptrdiff_t>(row * later);
                later_labels.insert(later_labels.end(), first_later, first_later + static_cast<std::ptrdiff_t>(later));
            }
        }
        batch.token_count += static_cast<std::int64_t>(sequence.size());
    }
    batch.tokens = batch.tokens.to(device);
    batch.positions = batch.positions.to(device);
    batch.across = batch.across.defined() ? batch.across.to(device) : batch.across;
    batch.streams = batch.streams.to(device);
    batch.seen = batch.seen.to(device);
    batch.rows = tensorOf(rows, at::kLong, device);
    batch.labels = tensorOf(labels, at::kLong, device);
    batch.weights = tensorOf(weights, at::kFloat, device);
    batch.later_labels = tensorOf(later_labels, at::kLong, device).view({static_cast<std::int64_t>(rows.size()), static_cast<std::int64_t>(later)});
    return batch;
}

LanguageLoss computeLoss(const models::lm::DecoderLm &model, const LanguageBatch &batch, double label_smoothing, std::span<const double> shares)
{
    LanguageLoss loss;
    const double share = shares.empty() ? 1 : shares.front();
    at::Tensor hidden = batch.embedded.defined() ? model.runRowsWhole(batch.embedded, batch.positions, batch.streams, batch.seen, batch.across)
                                                 : model.runWhole(batch.tokens, batch.positions, batch.streams, batch.seen, batch.across);
    hidden = hidden.reshape({-1, hidden.size(2)}).index_select(0, batch.rows);
    const at::Tensor all_weights = batch.weights.sum();
    const at::Tensor weights = batch.weights / all_weights;
    {
        const at::Tensor logits = model.logits(hidden);  // gone before those of the next head are made
        const HeadLoss own = headLoss(logits, batch.labels, weights, label_smoothing);
        loss.total = own.total * share;
        loss.text = own.plain;
        loss.correct = logits.detach().argmax(1).eq(batch.labels).sum().item<double>();
    }
    loss.weighted = loss.text * share;
    for (std::size_t head = 1; head < shares.size(); ++head) {
        const at::Tensor labels = batch.later_labels.select(1, static_cast<std::int64_t>(head) - 1);
        const at::Tensor rows = labels.ne(Sequence::kNoLabel).nonzero().squeeze(1);
        if (rows.size(0) == 0) {
            loss.later.push_back(0);
            continue;
        }
        const auto number = static_cast<std::int64_t>(head) + 1;
        const HeadLoss later = headLoss(model.laterLogits(hidden.index_select(0, rows), number, number)[0], labels.index_select(0, rows),
                                        weights.index_select(0, rows), label_smoothing);
        loss.total = loss.total + later.total * shares[head];
        loss.later.push_back(later.plain);
        loss.weighted += later.plain * shares[head];
    }
    loss.weight = all_weights.item<double>();
    loss.tokens = static_cast<double>(batch.labels.size(0));
    return loss;
}

}  // namespace braid::train
