#include "core/models/speech_encoders/block_stream.h"

#include <algorithm>
#include <string>

#include "core/base/error.h"

namespace braid::models::speech {

captions::Chunking chunkingFor(const captions::Chunking &chunking, Sample frame_samples)
{
    captions::Chunking ours = chunking;
    ours.frame_samples = frame_samples;
    ours.reencode_samples = 0;
    if (ours.first_samples < frame_samples || ours.chunk_samples < frame_samples) {
        throw Error(ErrorKind::Usage, "a chunk is shorter than one frame of the encoder (" + std::to_string(msFromSamples(frame_samples)) + " ms)", {},
                    "Choose a longer chunk");
    }
    return ours;
}

at::Tensor overBlocks(std::span<const std::int64_t> block_ends, const LeftContext &left_context,
                      const std::function<at::Tensor(std::int64_t begin, std::int64_t end, std::int64_t first_seen)> &attend)
{
    std::vector<at::Tensor> parts;
    std::int64_t begin = 0;
    for (const std::int64_t end : block_ends) {
        if (end > begin) {
            parts.push_back(attend(begin, end, left_context ? std::max<std::int64_t>(0, begin - *left_context) : 0));
        }
        begin = end;
    }
    return at::cat(parts, 1);
}

at::Tensor Tail::before(const at::Tensor &x)
{
    if (m_length == 0) {
        return x;
    }
    if (!m_kept.defined()) {
        std::vector<std::int64_t> shape = x.sizes().vec();
        shape[static_cast<std::size_t>(m_dimension)] = m_length;
        m_kept = at::zeros(shape, x.options());
    }
    at::Tensor joined = at::cat({m_kept, x}, m_dimension);
    // A copy, so that the block's own memory is given back.
    m_kept = joined.narrow(m_dimension, joined.size(m_dimension) - m_length, m_length).clone();
    return joined;
}

SeenFrames::SeenFrames(std::int64_t layers, std::int64_t heads, std::int64_t head_width, const LeftContext &left_context, const nn::Placement &placement)
    : m_layers(layers)
    , m_heads(heads)
    , m_head_width(head_width)
    , m_left_context(left_context)
    , m_bytes_per_number(c10::elementSize(placement.type))
    , m_cache(layers, heads, left_context ? 2 * *left_context + 1 : 256, head_width, placement)
{
}

void SeenFrames::beginBlock(std::int64_t frames)
{
    const std::int64_t known = m_cache.length();
    const std::int64_t wanted = m_left_context ? std::min(known, *m_left_context) : known;
    if (wanted < known && known + frames > m_cache.capacity()) {
        if (wanted > 0) {
            m_cache.keepOnly(at::arange(known - wanted, known, m_cache.values(0, known).options().dtype(at::kLong)));
        }
        m_cache.truncate(wanted);
    }
    m_cache.reserve(m_cache.length() + frames);
    m_block = frames;
    m_first_seen = m_cache.length() - wanted;
}

at::Tensor SeenFrames::write(std::int64_t layer, const at::Tensor &query_key_value)
{
    const at::Tensor parts = query_key_value.view({m_block, 3, m_heads, m_head_width});
    m_cache.write(layer, parts.narrow(1, 1, 2));
    return parts.select(1, 0).transpose(0, 1);
}

void SeenFrames::endBlock()
{
    m_cache.advance(m_block);
    m_block = 0;
}

std::uint64_t SeenFrames::bytes() const
{
    return static_cast<std::uint64_t>(2 * m_layers * m_heads * m_head_width * m_cache.capacity()) * m_bytes_per_number;
}

BlockStream::BlockStream(const SpeechEncoder &encoder, const captions::Chunking &chunking)
    : m_encoder(encoder)
    , m_chunking(chunking)
{
}

at::Tensor BlockStream::add(std::span<const float> sound)
{
    if (m_finished) {
        throw Error(ErrorKind::Usage, "a stream of speech was given sound after its end");
    }
    take(sound);
    m_heard += static_cast<Sample>(sound.size());
    std::vector<at::Tensor> parts;
    for (;;) {
        const std::int64_t end = m_chunking.blockEnd(m_blocks);
        if (m_heard < end * m_chunking.frame_samples + m_encoder.lookAheadSamples()) {
            return joinedRows(parts, m_encoder.width());
        }
        parts.push_back(encodeTo(end));
    }
}

at::Tensor BlockStream::finish()
{
    if (m_finished) {
        throw Error(ErrorKind::Usage, "a stream of speech was ended twice");
    }
    m_finished = true;
    const std::int64_t all = framesOf(m_heard);
    if (all > m_frames) {
        fillUp(all);
    }
    std::vector<at::Tensor> parts;
    while (m_frames < all) {
        parts.push_back(encodeTo(std::min(all, m_chunking.blockEnd(m_blocks))));
    }
    return joinedRows(parts, m_encoder.width());
}

at::Tensor BlockStream::encodeTo(std::int64_t end_frame)
{
    if (end_frame > m_encoder.maximumFrames()) {
        throw Error(ErrorKind::Usage,
                    "this speech encoder holds " + std::to_string(msFromSamples(m_encoder.maximumFrames() * m_chunking.frame_samples) / 1000) +
                        " seconds of sound at most, and the stream is longer",
                    {}, "Begin a new stream, or use an encoder with a left context");
    }
    const at::NoGradGuard no_gradient;  // caches are written in place
    at::Tensor encoded = encode(end_frame);
    m_frames = end_frame;
    ++m_blocks;
    return encoded;
}

at::Tensor joinedRows(const std::vector<at::Tensor> &parts, std::int64_t width)
{
    return parts.empty() ? at::empty({0, width}) : parts.size() == 1 ? parts.front() : at::cat(parts);
}

}  // namespace braid::models::speech
