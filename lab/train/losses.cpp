#include "lab/train/losses.h"

#include <algorithm>
#include <limits>

namespace braid::train {

namespace {

constexpr std::int64_t kIgnored = -100;
constexpr double kLeastLog = -30;  // a closed frame's minus infinity would make 0 x infinity of the bell's tail

template <typename T>
at::Tensor tensorOf(const std::vector<T> &values, at::IntArrayRef shape, at::ScalarType stored, const NetworkTypes &types, at::ScalarType wanted)
{
    return at::from_blob(const_cast<T *>(values.data()), shape, stored).clone().to(types.device, wanted);
}

struct PaddedRows {
    at::Tensor inputs;   // [R, U] prompt and tokens
    at::Tensor targets;  // [R, U] what should come next; kIgnored within the prompt and after the end
    at::Tensor middles;  // [R, U] frame of the token that should come next; -1 where unknown
    std::vector<std::int64_t> window_of;
    std::vector<std::int64_t> visible_frames;
};

PaddedRows padRows(const Batch &batch, const TextFrame &text, const LossSettings &settings, std::int64_t vocabulary, const at::Device &device, Random &random)
{
    const auto prompt = static_cast<std::int64_t>(text.prompt.size());
    std::size_t longest = 0;
    for (const TextRow &row : batch.rows) {
        longest = std::max(longest, row.tokens.size());
    }
    const auto rows = static_cast<std::int64_t>(batch.rows.size());
    const std::int64_t length = prompt + static_cast<std::int64_t>(longest);
    std::vector<std::int64_t> inputs(static_cast<std::size_t>(rows * length), text.end);
    std::vector<std::int64_t> targets(inputs.size(), kIgnored);
    std::vector<std::int64_t> middles(inputs.size(), -1);
    PaddedRows out;
    for (std::int64_t r = 0; r < rows; ++r) {
        const TextRow &row = batch.rows[static_cast<std::size_t>(r)];
        auto *in = inputs.data() + r * length;
        auto *target = targets.data() + r * length;
        auto *middle = middles.data() + r * length;
        std::copy(text.prompt.begin(), text.prompt.end(), in);
        for (std::size_t i = 0; i < row.tokens.size(); ++i) {
            const auto at = prompt + static_cast<std::int64_t>(i);
            const bool is_replaced = settings.token_replacement > 0 && random.chance(settings.token_replacement);
            in[at] = is_replaced ? random.below(std::min<std::int64_t>(vocabulary, text.end)) : row.tokens[i];
            target[at - 1] = row.tokens[i];
            middle[at - 1] = row.token_frames[i] < row.visible_frames ? row.token_frames[i] : -1;
        }
        target[prompt - 1 + static_cast<std::int64_t>(row.tokens.size())] = text.end;
        out.window_of.push_back(row.window);
        out.visible_frames.push_back(row.visible_frames);
    }
    const auto tensor = [&](const std::vector<std::int64_t> &values) { return at::tensor(values, at::kLong).view({rows, length}).to(device); };
    out.inputs = tensor(inputs);
    out.targets = tensor(targets);
    out.middles = tensor(middles);
    return out;
}

// Mean over the chosen heads of the cross-entropy between the bell around a token's middle and the head's attention.
at::Tensor attentionLoss(const std::vector<at::Tensor> &log_attention, const PaddedRows &rows, const LossSettings &settings)
{
    const at::Tensor &middles = rows.middles;
    const at::Tensor known = at::nonzero((middles >= 0).reshape({-1})).squeeze(1);
    if (known.numel() == 0) {
        return at::zeros({}, log_attention.front().options());  // nobody speaks in this batch
    }
    const std::int64_t frames = log_attention.front().size(3);
    const at::Tensor centre = middles.reshape({-1}).index_select(0, known).to(log_attention.front().scalar_type()).unsqueeze(1);
    const at::Tensor distance = (at::arange(frames, centre.options()).unsqueeze(0) - centre) / settings.attention_width_frames;
    // The bell stands in what the row can see.
    const at::Tensor visible = at::tensor(rows.visible_frames, at::kLong).to(middles.device()).unsqueeze(1);
    const at::Tensor limits = visible.expand_as(middles).reshape({-1}).index_select(0, known).unsqueeze(1);
    const at::Tensor beyond = at::arange(frames, limits.options()).unsqueeze(0) >= limits;
    const at::Tensor bell = at::softmax((at::square(distance) * -0.5).masked_fill(beyond, -std::numeric_limits<double>::infinity()), -1);
    at::Tensor loss;
    for (const auto &[layer, head] : settings.attention_heads) {
        const at::Tensor log = log_attention[static_cast<std::size_t>(layer)].select(1, head).reshape({-1, frames}).index_select(0, known);
        const at::Tensor term = -(bell * at::clamp_min(log, kLeastLog)).sum(-1).mean();
        loss = loss.defined() ? loss + term : term;
    }
    return loss / static_cast<double>(settings.attention_heads.size());
}

at::Tensor frameLoss(const Network &network, const at::Tensor &encoded, const Batch &batch, const TextFrame &text, const LossSettings &settings)
{
    const NetworkTypes &types = network.types();
    const at::Tensor labels = tensorOf(batch.frame_labels, {batch.windows * batch.frames}, at::kInt, types, at::kLong);
    const at::Tensor known = at::nonzero(labels >= 0).squeeze(1);
    if (known.numel() == 0) {
        return encoded.sum() * 0;
    }
    const at::Tensor logits = network.head("frames", encoded.reshape({-1, encoded.size(2)}).index_select(0, known));
    at::Tensor weights = at::ones({logits.size(1)}, logits.options().requires_grad(false));
    weights.narrow(0, text.end, 1).fill_(settings.silence_weight);
    return at::cross_entropy_loss(logits, labels.index_select(0, known), weights, at::Reduction::Mean, kIgnored, settings.label_smoothing);
}

at::Tensor featureLoss(const Network &network, const at::Tensor &encoded, const Batch &batch)
{
    const NetworkTypes &types = network.types();
    const at::Tensor goal = tensorOf(batch.features, {batch.windows, batch.frames, batch.feature_width}, at::kFloat, types, types.parameters);
    const at::Tensor known = tensorOf(batch.feature_known, {batch.windows, batch.frames}, at::kFloat, types, types.parameters);
    const at::Tensor error = at::square(network.head("features", encoded) - goal).mean(-1);
    return (error * known).sum() / at::clamp_min(known.sum(), 1);
}

}  // namespace

LossParts computeLosses(const Network &network, const Batch &batch, const TextFrame &text, const LossSettings &settings, Random &random)
{
    const NetworkTypes &types = network.types();
    at::Tensor encoded;
    if (batch.encoded.empty()) {
        const at::Tensor mel = tensorOf(batch.mel, {batch.windows, batch.mel_frames, batch.bands}, at::kFloat, types, types.parameters);
        encoded = network.encode(mel, batch.window_frames, batch.chunking, settings.dropout);
    } else {
        encoded = tensorOf(batch.encoded, {batch.windows, batch.frames, batch.encoded_width}, at::kFloat, types, types.parameters);
    }
    LossParts parts;
    const auto count = [&](const at::Tensor &loss, double weight, double &shown) {
        shown = loss.item<double>();
        const at::Tensor weighted = loss * weight;
        parts.total = parts.total.defined() ? parts.total + weighted : weighted;
    };
    if (settings.text > 0 && !batch.rows.empty()) {
        const PaddedRows rows = padRows(batch, text, settings, network.dims().n_vocab, types.device, random);
        const bool is_guided = settings.attention > 0 && !settings.attention_heads.empty();
        const AttentionLog log = is_guided ? AttentionLog::Yes : AttentionLog::No;
        const DecodedRows decoded = network.decode(encoded, rows.inputs, rows.window_of, rows.visible_frames, log, settings.dropout);
        const at::Tensor flat_targets = rows.targets.reshape({-1});
        const at::Tensor known = at::nonzero(flat_targets != kIgnored).squeeze(1);
        const at::Tensor targets = flat_targets.index_select(0, known);
        const at::Tensor logits = network.logits(decoded.hidden.reshape({-1, decoded.hidden.size(2)}).index_select(0, known));
        count(at::cross_entropy_loss(logits, targets, {}, at::Reduction::Mean, kIgnored, settings.label_smoothing), settings.text, parts.text);
        parts.tokens = static_cast<double>(targets.numel());
        parts.correct_tokens = at::eq(logits.detach().argmax(-1), targets).sum().item<double>();
        if (is_guided) {
            count(attentionLoss(decoded.log_attention, rows, settings), settings.attention, parts.attention);
        }
    }
    if (settings.frames > 0) {
        count(frameLoss(network, encoded, batch, text, settings), settings.frames, parts.frames);
    }
    if (settings.features > 0 && batch.feature_width > 0) {
        count(featureLoss(network, encoded, batch), settings.features, parts.features);
    }
    return parts;
}

}  // namespace braid::train
