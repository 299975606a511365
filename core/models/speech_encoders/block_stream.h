// What streams of every speech encoder share: how sound is cut into blocks, and the small caches between one block and the next.
// Thread: the owner's. Torch header.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include <ATen/ATen.h>

#include "core/models/speech_encoders/speech_encoder.h"
#include "core/nn/attention.h"
#include "core/nn/placement.h"

namespace braid::models::speech {

// `chunking` with the encoder's frame. Throws Error(Usage) where a chunk is shorter than that.
[[nodiscard]] captions::Chunking chunkingFor(const captions::Chunking &chunking, Sample frame_samples);

// Before its own block a frame sees the newest `left_context` frames; empty: all.
using LeftContext = std::optional<std::int64_t>;

// Frames [0, block_ends.back()) as blocks; calls `attend(begin, end, first_seen)` for each that is not empty, and puts the results, [H, end - begin, D], side
// by side along the frames.
[[nodiscard]] at::Tensor overBlocks(std::span<const std::int64_t> block_ends, const LeftContext &left_context,
                                    const std::function<at::Tensor(std::int64_t begin, std::int64_t end, std::int64_t first_seen)> &attend);

// The end of what a convolution has read, which its next outputs read again. Before the stream's first input there are zeros.
class Tail {
  public:
    Tail() = default;
    // The newest `length` inputs along `dimension`.
    Tail(std::int64_t length, std::int64_t dimension)
        : m_length(length)
        , m_dimension(dimension)
    {
    }
    // x behind what was kept; then keeps the end of that.
    [[nodiscard]] at::Tensor before(const at::Tensor &x);
    [[nodiscard]] std::uint64_t bytes() const { return m_kept.defined() ? m_kept.nbytes() : 0; }

  private:
    std::int64_t m_length = 0;
    std::int64_t m_dimension = 0;
    at::Tensor m_kept;
};

// Keys and values of every layer that a block sees. With a left context their number does not grow with the stream.
class SeenFrames {
  public:
    SeenFrames(std::int64_t layers, std::int64_t heads, std::int64_t head_width, const LeftContext &left_context, const nn::Placement &placement);

    // Before a block of `frames`: forgets what it does not see, and takes memory where it is needed.
    void beginBlock(std::int64_t frames);
    // The block's queries, keys and values, [1, frames, 3 x heads x head_width] -> the queries [H, frames, D]; keys and values are kept.
    [[nodiscard]] at::Tensor write(std::int64_t layer, const at::Tensor &query_key_value);
    // What the block sees, itself last: [H, seen, D].
    [[nodiscard]] at::Tensor keys(std::int64_t layer) const { return m_cache.keys(layer, m_cache.length() + m_block).narrow(1, m_first_seen, seen()); }
    [[nodiscard]] at::Tensor values(std::int64_t layer) const { return m_cache.values(layer, m_cache.length() + m_block).narrow(1, m_first_seen, seen()); }
    [[nodiscard]] std::int64_t seen() const noexcept { return m_cache.length() + m_block - m_first_seen; }
    // After every layer has written.
    void endBlock();
    [[nodiscard]] std::uint64_t bytes() const;

  private:
    std::int64_t m_layers;
    std::int64_t m_heads;
    std::int64_t m_head_width;
    LeftContext m_left_context;
    std::uint64_t m_bytes_per_number;
    nn::GrowingCache m_cache;
    std::int64_t m_block = 0;
    std::int64_t m_first_seen = 0;
};

// Counts the sound and says when a block is complete; what a block is encoded from, the encoder keeps.
class BlockStream : public SpeechStream {
  public:
    [[nodiscard]] at::Tensor add(std::span<const float> sound) final;
    [[nodiscard]] at::Tensor finish() final;
    [[nodiscard]] std::int64_t frames() const noexcept final { return m_frames; }

  protected:
    // `chunking`: from chunkingFor().
    BlockStream(const SpeechEncoder &encoder, const captions::Chunking &chunking);

    virtual void take(std::span<const float> sound) = 0;
    // Frames that a sound of this length has when nothing follows it.
    [[nodiscard]] virtual std::int64_t framesOf(Sample samples) const = 0;
    // Nothing follows: makes sure that what `frames` frames need is there.
    virtual void fillUp(std::int64_t frames) = 0;
    // The frames from frames() to `end_frame`, [N, width].
    [[nodiscard]] virtual at::Tensor encode(std::int64_t end_frame) = 0;

  private:
    [[nodiscard]] at::Tensor encodeTo(std::int64_t end_frame);

    const SpeechEncoder &m_encoder;
    captions::Chunking m_chunking;
    Sample m_heard = 0;
    std::int64_t m_blocks = 0;
    std::int64_t m_frames = 0;
    bool m_finished = false;
};

// Rows one after the other; none: [0, width].
[[nodiscard]] at::Tensor joinedRows(const std::vector<at::Tensor> &parts, std::int64_t width);

}  // namespace braid::models::speech
