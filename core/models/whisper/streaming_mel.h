// The log-mel of a block-causal encoder: sound in, the mel frames of one block after another out. Every block brings exactly the frames
// that its convolutions need (its look-ahead among them), so no edge of a block ever sees padding; only the stream's start does. Used by live decoding, by
// whole windows of a causal model and by its training, so that all three hear the same. CarelessWhisper's front end
// (shared/reference/streaming-asr.md 1.3, 1.4). No torch. Thread: the owner's. Errors: Error(Usage), Error(Internal).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/captions/chunking.h"
#include "core/features/log_mel.h"
#include "core/weights/whisper_checkpoint.h"

namespace braid::models::whisper {

// Sound needed beyond the end of a block, by the strides of the convolutions.
// {1, 2}: encoder frame t needs mel 2t-2 .. 2t+2, so a block of frames up to e needs mel 2e, which reads to 320e + 200; the authors' front end, and
//         with it every published checkpoint, waits for one mel frame more: 360 samples, 22.5 ms.
// {2, 2}: frame t needs mel 4t-3 .. 4t+3, so the block needs mel 4e-1, which reads to 640e + 40: 40 samples, 2.5 ms.
// {1, 4}: frame t needs mel 4t-2 .. 4t+2, so the block needs mel 4e-2, which reads to 640e - 120: nothing.
[[nodiscard]] constexpr Sample lookAheadSamplesOf(weights::ConvStrides strides) noexcept
{
    return strides.melFrames() == 2 ? 360 : strides.first == 2 ? 40 : 0;
}
// Mel frames that a stream of `frames` encoder frames brings.
[[nodiscard]] constexpr std::int64_t melFramesOf(std::int64_t frames, weights::ConvStrides strides) noexcept
{
    return strides.melFrames() * frames + (strides.melFrames() == 2 ? 2 : strides.first == 2 ? 0 : -1);
}

class StreamingMel {
  public:
    struct Block {
        features::MelFrames mel;     // the frames that follow those of the block before
        std::int64_t end_frame = 0;  // encoder frames from the stream's start to this block's end
        Sample end_sample = 0;       // end_frame as sound; of the last block of a stream it may lie beyond the sound
    };

    // chunking.frame_samples: the sound of strides.melFrames(), 320 or 640. Chunks shorter than a frame are refused with Error(Usage).
    // Mel is made chunk by chunk, inside a longer first block too, as the authors do: the running maximum moves at chunk ends.
    StreamingMel(const features::LogMel &mel, const captions::Chunking &chunking, weights::ConvStrides strides);

    // Later blocks are of this size.
    void setChunk(Sample chunk_samples);
    void add(std::span<const float> sound);
    [[nodiscard]] std::int64_t blocksReady() const;
    // The next block. Only while blocksReady() > 0.
    [[nodiscard]] Block next();
    // No more sound follows: what is left, filled up with silence to a whole frame and the look-ahead; empty where nothing is left. May still hold
    // several blocks' worth when next() was not called for them. Only the constructor's like may follow.
    [[nodiscard]] std::optional<Block> rest();

    [[nodiscard]] Sample heardSamples() const noexcept { return m_heard; }
    [[nodiscard]] Sample lookAheadSamples() const noexcept { return m_look_ahead; }

  private:
    [[nodiscard]] Sample boundaryAfter() const noexcept { return m_blocks == 0 ? m_chunking.first_samples : m_boundary + m_chunking.chunk_samples; }
    [[nodiscard]] Sample wholeFrames(Sample samples) const noexcept { return samples - samples % m_chunking.frame_samples; }
    // Makes the mel of the sound up to `end`, which was heard together with its look-ahead or is filled up.
    void extendMel(features::MelFrames &frames, Sample end);

    weights::ConvStrides m_strides;
    captions::Chunking m_chunking;
    Sample m_look_ahead = 360;
    features::StreamingLogMel m_mel;
    std::vector<float> m_sound;  // not yet given to m_mel
    Sample m_heard = 0;
    Sample m_boundary = 0;  // where the newest block ends before rounding to frames
    Sample m_mel_end = 0;   // m_mel gave the frames of the sound up to here
    std::int64_t m_blocks = 0;
};

// All mel frames of a whole sound, as blocks of `chunking` would have brought them, and where those blocks end (encoder frames; the last is the sound's
// end, rounded up to a frame).
struct BlockedMel {
    features::MelFrames mel;
    std::vector<std::int64_t> block_ends;
};
[[nodiscard]] BlockedMel melOfWhole(const features::LogMel &mel, const captions::Chunking &chunking, weights::ConvStrides strides,
                                    std::span<const float> sound);

// Where the blocks of a stream of `frames` encoder frames end; the last block may be a short one.
[[nodiscard]] std::vector<std::int64_t> blockEnds(const captions::Chunking &chunking, std::int64_t frames);

}  // namespace braid::models::whisper
