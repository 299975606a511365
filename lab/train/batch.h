// What one optimizer step is computed from: windows of sound as log-mel, and the texts that stand at chosen time points in them.
// Plain numbers, made by the loader's thread, turned into tensors by the trainer. No torch here.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/captions/chunking.h"

namespace braid::train {

// One sampled time point of one window (CarelessWhisper, Algorithm 3): the decoder sees the first `visible_frames` encoder frames and
// must say exactly the words that ended by then, and the end.
struct TextRow {
    std::int64_t window = 0;                 // row of the batch
    std::int64_t visible_frames = 0;         // at least 1
    std::vector<std::int32_t> tokens;        // the text alone, without prompt and end
    std::vector<std::int32_t> token_frames;  // the middle of each token; -1 where its time is unknown
};

struct Batch {
    std::int64_t windows = 0;     // B
    std::int64_t mel_frames = 0;  // F: those of T encoder frames and the look-ahead of the last (models/whisper/streaming_mel.h)
    std::int64_t bands = 0;
    std::vector<float> mel;                      // [B, F, bands], zeros after a window's end
    std::int64_t frames = 0;                     // T, encoder frames of the longest window
    std::vector<std::int64_t> window_frames;     // [B], encoder frames of each
    std::optional<captions::Chunking> chunking;  // empty: every frame sees the whole window
    std::vector<TextRow> rows;
    std::vector<std::int32_t> frame_labels;  // [B, T]: the token spoken at a frame; -1: unknown or beyond the end
    std::int64_t feature_width = 0;          // 0: no teacher
    std::vector<float> features;             // [B, T, feature_width] of the teacher, zeros where unknown
    std::vector<float> feature_known;        // [B, T], 1 or 0
    std::int64_t encoded_width = 0;          // 0: the encoder's output is computed from `mel` ...
    std::vector<float> encoded;              // ... else it was computed before: [B, T, encoded_width], and `mel` is empty
    double seconds = 0;                      // sound in it, without padding
};

}  // namespace braid::train
