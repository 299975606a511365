// What every speech encoder offers to a language model that listens: 16 kHz sound in, rows of numbers ("frames") out, one for every so many samples.
// Behind it: causal wav2vec 2 (wav2vec2_encoder.h), the VGG-conformer (conformer_encoder.h), our causal Whisper (whisper_speech_encoder.h), and each of them
// with an adapter to a language model's width (speech_adapter.h).
//
// Two forms give the same numbers (tests: to 1e-5): whole, through a mask, and as a stream, block after block, over caches. How sound is cut into blocks is
// captions::Chunking; its frame_samples are set by the encoder itself, reencode_samples are not looked at. A frame sees its own block and, of the blocks
// before, what the encoder's left context says; never later sound.
//
// Numbers: float32 on the processor is what is tested. Gradients flow through whole() and all() where the weights want them.
// Thread: const functions, and streams of one encoder, from one thread at a time. Errors: braid::Error; Usage where a chunk, a sound or a form does not fit.
// Torch header.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include <ATen/ATen.h>

#include "core/base/sample_clock.h"
#include "core/captions/chunking.h"

namespace braid::models::speech {

// One stream of sound on its way through an encoder. Owns its caches; the encoder must outlive it.
class SpeechStream {
  public:
    virtual ~SpeechStream() = default;

    // The next piece of sound, of any length, also none -> the frames of the blocks that it completes, [N, width], often N = 0.
    // Throws Error(Usage) beyond maximumFrames(), and after finish().
    [[nodiscard]] virtual at::Tensor add(std::span<const float> sound) = 0;
    // No more sound follows -> the frames that are left, [N, width]. Once.
    [[nodiscard]] virtual at::Tensor finish() = 0;
    // Frames given out so far.
    [[nodiscard]] virtual std::int64_t frames() const noexcept = 0;
    // Bytes in its caches, sound not yet encoded among them.
    [[nodiscard]] virtual std::uint64_t cacheBytes() const = 0;
};

class SpeechEncoder {
  public:
    virtual ~SpeechEncoder() = default;

    // Numbers a frame.
    [[nodiscard]] virtual std::int64_t width() const noexcept = 0;
    // Frame t stands for the sound from t x frameSamples() to (t + 1) x frameSamples().
    [[nodiscard]] virtual Sample frameSamples() const noexcept = 0;
    // How much sound beyond a block's end must be heard before the block can be encoded.
    [[nodiscard]] virtual Sample lookAheadSamples() const noexcept = 0;
    // Frames of the longest stream; the greatest int64 where the caches do not grow with the stream.
    [[nodiscard]] virtual std::int64_t maximumFrames() const noexcept = 0;
    // The blocks it was made for; any others that are at least a frame long may be asked for.
    [[nodiscard]] virtual captions::Chunking defaultChunking() const = 0;

    // Every frame sees all others -> [N, width]. For sound that is there as a whole, and for the first stage of training.
    [[nodiscard]] virtual at::Tensor all(std::span<const float> sound) const = 0;
    // What a stream with these blocks gives, computed at once -> [N, width].
    [[nodiscard]] virtual at::Tensor whole(std::span<const float> sound, const captions::Chunking &chunking) const = 0;
    // Throws Error(Usage) where this encoder cannot be streamed (it looks at later sound), or the chunks are shorter than a frame.
    [[nodiscard]] virtual std::unique_ptr<SpeechStream> begin(const captions::Chunking &chunking) const = 0;
};

}  // namespace braid::models::speech
