// What the configurations of speech encoders have in common: how an encoder streams, and the adapter that brings its frames to a language model's width.
// Plain values; no torch. Thread: any.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace braid::weights {

// The table "braid_streaming" of a config.json.
struct SpeechStreaming {
    // Frames before its own block that a frame sees ("left_context_frames"). Empty: all; the caches then grow with the stream.
    std::optional<std::int64_t> left_context_frames;
    // Frames of the longest stream where the caches grow ("maximum_frames").
    std::int64_t maximum_frames = 3000;
    // The blocks that it was trained for, or asks for.
    std::int64_t first_chunk_ms = 400;
    std::int64_t chunk_ms = 400;

    friend bool operator==(const SpeechStreaming &, const SpeechStreaming &) = default;
};

// The table "braid_adapter": `stack` frames become one, side by side; then linear layers, with GELU between them. One layer is the adapter of Speech-LLaMA,
// which stacks three frames (shared/seeds/004, "Implementation details"); two layers over single frames are the projector of streaming speech recognition
// (shared/seeds/000, B.1; its depth is not published). Tensors: "adapter.0.weight" [widths[0], stack x width], "adapter.0.bias" [widths[0]], ...
struct SpeechAdapterConfig {
    std::int64_t stack = 1;
    std::vector<std::int64_t> widths;  // of the layers' outputs; the last is the language model's width

    friend bool operator==(const SpeechAdapterConfig &, const SpeechAdapterConfig &) = default;
};

}  // namespace braid::weights
