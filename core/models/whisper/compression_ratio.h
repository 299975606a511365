// How well a text compresses: a model caught in a loop writes text that compresses far too well (openai/whisper's measure).
#pragma once

#include <string_view>

namespace braid::models::whisper {

// Bytes of the text over bytes of its zlib stream; estimatedCompressionRatio() in builds without zlib. 0 for an empty text.
[[nodiscard]] float compressionRatio(std::string_view text);
// The same, estimated by counting repeated stretches; within about a third of zlib's on text that repeats itself.
[[nodiscard]] float estimatedCompressionRatio(std::string_view text);

}  // namespace braid::models::whisper
