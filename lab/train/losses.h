// What the training minimises over one batch:
//  - text: cross-entropy of the words that ended by each sampled time point, and of the end after them (CarelessWhisper, Algorithm 3);
//  - frames: cross-entropy of the token being spoken at every encoder frame, by a linear head that is dropped at export;
//  - attention: chosen cross-attention heads should look at the middle of the token they are about to write (a bell of
//    `attention_width_frames` around it);
//  - features: a linear head predicts a teacher encoder's output, in units of its standard deviation.
// Torch header; thread: one.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <ATen/ATen.h>

#include "lab/train/batch.h"
#include "lab/train/network.h"
#include "lab/train/random.h"

namespace braid::train {

struct LossSettings {
    double text = 1;
    double frames = 0;
    double attention = 0;
    double features = 0;
    double label_smoothing = 0;    // of text and frames
    double token_replacement = 0;  // the share of input tokens replaced by random ones, so that the decoder listens
    double silence_weight = 0.4;   // of frames in which nothing is said, against the others
    double attention_width_frames = 2;
    std::vector<std::pair<int, int>> attention_heads;  // (layer, head)
    Dropout dropout;
};

struct LossParts {
    at::Tensor total;  // the weighted sum, with its graph
    double text = 0;   // the parts unweighted
    double frames = 0;
    double attention = 0;
    double features = 0;
    double tokens = 0;          // how many the text loss is the mean of
    double correct_tokens = 0;  // of these, most probable and right
};

// Token ids the losses need beside the batch.
struct TextFrame {
    std::vector<std::int32_t> prompt;
    std::int32_t end = 0;  // also the class "nothing is said" of the frame head
};

// `random` decides the replaced tokens. Throws Error(Internal) where a loss is asked for whose head the network lacks.
[[nodiscard]] LossParts computeLosses(const Network &network, const Batch &batch, const TextFrame &text, const LossSettings &settings, Random &random);

}  // namespace braid::train
