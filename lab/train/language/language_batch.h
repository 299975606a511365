// Sequences as one padded batch, and what the training minimises over it: the weighted mean of the cross-entropy of the rows that have a
// label; logits are computed for those rows alone. Torch header; thread: one.
#pragma once

#include <span>
#include <vector>

#include <ATen/ATen.h>

#include "core/models/decoder_lm/decoder_lm.h"
#include "lab/train/language/sequence.h"

namespace braid::train {

// B sequences of at most L tokens.
struct LanguageBatch {
    at::Tensor tokens;             // int64 [B, L]
    at::Tensor embedded;           // [B, L, width]: what stands in their place, as DecoderLm::runRowsWhole() takes it; undefined: the tokens' own
    at::Tensor positions;          // float [B, L]
    at::Tensor across;             // float [B, L], or undefined where no sequence has any
    at::Tensor streams;            // int64 [B, L]
    at::Tensor seen;               // bool [B, L, L]; padding sees itself
    at::Tensor rows;               // int64 [R]: those with a label, of the B x L
    at::Tensor labels;             // int64 [R]
    at::Tensor weights;            // float [R]
    at::Tensor later_labels;       // int64 [R, heads - 1]; Sequence::kNoLabel: none
    std::int64_t token_count = 0;  // without padding
};

[[nodiscard]] LanguageBatch makeBatch(std::span<const Sequence> sequences, const at::Device &device);

struct LanguageLoss {
    at::Tensor total;           // with its graph
    double text = 0;            // weighted mean without smoothing
    std::vector<double> later;  // the same of heads 2, 3, ..., over the weight of the first head's labels
    double weighted = 0;        // text and later by their shares
    double weight = 0;          // of all labels
    double tokens = 0;          // labels
    double correct = 0;         // of these, most probable and right
};

// `shares`: of the heads, the model's own first: alpha of equation 11 of "Faster Speech-LLaMA with multi-token prediction" (the sum over heads of alpha times
// the cross-entropy, every head's divided by the weight of the first head's labels); empty: the model's own alone, with 1.
[[nodiscard]] LanguageLoss computeLoss(const models::lm::DecoderLm &model, const LanguageBatch &batch, double label_smoothing,
                                       std::span<const double> shares = {});

}  // namespace braid::train
