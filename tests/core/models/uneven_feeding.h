// Sound for a streaming recogniser in pieces of uneven lengths, as devices bring it. Header only.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "core/models/whisper/whisper_streaming_recognizer.h"

namespace braid::test {

// Encodes every block as soon as it is ready.
inline void feed(models::whisper::WhisperStreamingRecognizer &recognizer, std::span<const float> sound)
{
    std::size_t begin = 0;
    for (std::size_t piece = 1; begin < sound.size(); piece = (piece * 7 + 13) % 2500 + 1) {
        const std::size_t size = std::min(piece, sound.size() - begin);
        recognizer.addSound(sound.subspan(begin, size));
        begin += size;
        while (recognizer.blocksReady() > 0 && recognizer.frames() < recognizer.maximumFrames()) {
            recognizer.encodeBlock();
        }
    }
}

}  // namespace braid::test
