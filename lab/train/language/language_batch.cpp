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
    batch.streams = at::zeros({count, length}, at::kLong);
    batch.seen = at::zeros({count, length, length}, at::kBool);
    std::vector<std::int64_t> rows;
    std::vector<std::int64_t> labels;
    std::vector<float> weights;
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
            batch.streams.data_ptr<std::int64_t>()[first + row] = sequence.streams[row];
            for (std::size_t column = 0; column < sequence.size(); ++column) {
                seen[column] = sequence.seen[row * sequence.size() + column] != 0;
            }
            if (sequence.labels[row] != Sequence::kNoLabel && sequence.weights[row] > 0) {
                rows.push_back(static_cast<std::int64_t>(first + row));
                labels.push_back(sequence.labels[row]);
                weights.push_back(sequence.weights[row]);
            }
        }
        batch.token_count += static_cast<std::int64_t>(sequence.size());
    }
    batch.tokens = batch.tokens.to(device);
    batch.positions = batch.positions.to(device);
    batch.streams = batch.streams.to(device);
    batch.seen = batch.seen.to(device);
    batch.rows = tensorOf(rows, at::kLong, device);
    batch.labels = tensorOf(labels, at::kLong, device);
    batch.weights = tensorOf(weights, at::kFloat, device);
    return batch;
}

LanguageLoss computeLoss(const models::lm::DecoderLm &model, const LanguageBatch &batch, double label_smoothing)
{
    LanguageLoss loss;
    const at::Tensor hidden = model.runWhole(batch.tokens, batch.positions, batch.streams, batch.seen);
    const at::Tensor logits = model.logits(hidden.reshape({-1, hidden.size(2)}).index_select(0, batch.rows));
    const at::Tensor log_probabilities = at::log_softmax(logits, 1);
    const at::Tensor of_labels = -log_probabilities.gather(1, batch.labels.unsqueeze(1)).squeeze(1);
    const at::Tensor share = batch.weights / batch.weights.sum();
    at::Tensor each = of_labels;
    if (label_smoothing > 0) {
        each = of_labels * (1 - label_smoothing) - log_probabilities.mean(1) * label_smoothing;
    }
    loss.total = (each * share).sum();
    const c10::NoGradGuard no_gradients;
    loss.text = (of_labels * share).sum().item<double>();
    loss.weight = batch.weights.sum().item<double>();
    loss.tokens = static_cast<double>(batch.labels.size(0));
    loss.correct = logits.argmax(1).eq(batch.labels).sum().item<double>();
    return loss;
}

}  // namespace braid::train
