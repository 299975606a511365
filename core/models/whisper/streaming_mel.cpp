#include "core/models/whisper/streaming_mel.h"

#include <algorithm>
#include <string>

#include "core/base/error.h"

namespace braid::models::whisper {

namespace {

constexpr Sample kMelStep = 2 * features::kHopSamples;  // the smallest chunk that the streaming log-mel takes

const captions::Chunking &checked(const captions::Chunking &chunking, weights::ConvStrides strides)
{
    if (chunking.frame_samples != strides.melFrames() * features::kHopSamples || chunking.frame_samples % kMelStep != 0) {
        throw Error(ErrorKind::Internal, "an encoder frame of " + std::to_string(chunking.frame_samples) + " samples is none of Whisper's");
    }
    if (chunking.first_samples < chunking.frame_samples || chunking.chunk_samples < chunking.frame_samples) {
        throw Error(ErrorKind::Usage, "a chunk is shorter than one frame of the encoder (" + std::to_string(msFromSamples(chunking.frame_samples)) + " ms)", {},
                    "Choose a longer chunk");
    }
    return chunking;
}

}  // namespace

StreamingMel::StreamingMel(const features::LogMel &mel, const captions::Chunking &chunking, weights::ConvStrides strides)
    : m_strides(strides)
    , m_chunking(checked(chunking, strides))
    , m_look_ahead(lookAheadSamplesOf(strides))
    , m_mel(mel, kMelStep, m_look_ahead)
{
}

void StreamingMel::setChunk(Sample chunk_samples)
{
    captions::Chunking changed = m_chunking;
    changed.chunk_samples = chunk_samples;
    m_chunking = checked(changed, m_strides);
}

void StreamingMel::add(std::span<const float> sound)
{
    m_sound.insert(m_sound.end(), sound.begin(), sound.end());
    m_heard += static_cast<Sample>(sound.size());
}

std::int64_t StreamingMel::blocksReady() const
{
    const Sample rest = m_heard - m_look_ahead;
    const Sample next = boundaryAfter();
    if (rest < wholeFrames(next)) {
        return 0;
    }
    // The boundary that follows may be rounded down to a whole frame, so the sound may reach it a little earlier than the division says.
    std::int64_t blocks = std::max<std::int64_t>(1, 1 + (rest - next) / m_chunking.chunk_samples);
    while (rest >= wholeFrames(next + blocks * m_chunking.chunk_samples)) {
        ++blocks;
    }
    return blocks;
}

StreamingMel::Block StreamingMel::next()
{
    const Sample boundary = boundaryAfter();
    Block block;
    block.end_sample = wholeFrames(boundary);
    if (m_heard < block.end_sample + m_look_ahead) {
        throw Error(ErrorKind::Internal, "a block of sound was asked for before it was heard");
    }
    block.end_frame = block.end_sample / m_chunking.frame_samples;
    if (m_blocks == 0) {
        for (Sample end = m_chunking.chunk_samples; end < boundary; end += m_chunking.chunk_samples) {
            extendMel(block.mel, wholeFrames(end));
        }
    }
    extendMel(block.mel, block.end_sample);
    m_boundary = boundary;
    ++m_blocks;
    return block;
}

std::optional<StreamingMel::Block> StreamingMel::rest()
{
    if (m_heard <= m_mel_end) {
        return std::nullopt;
    }
    const Sample frame = m_chunking.frame_samples;
    Block block;
    block.end_sample = (m_heard + frame - 1) / frame * frame;
    block.end_frame = block.end_sample / frame;
    m_sound.resize(m_sound.size() + static_cast<std::size_t>(block.end_sample + m_look_ahead - m_heard), 0.0f);
    for (Sample end = wholeFrames(m_boundary + m_chunking.chunk_samples); end < block.end_sample; end = wholeFrames(end + m_chunking.chunk_samples)) {
        extendMel(block.mel, end);
    }
    extendMel(block.mel, block.end_sample);
    m_boundary = block.end_sample;
    ++m_blocks;
    return block;
}

void StreamingMel::extendMel(features::MelFrames &frames, Sample end)
{
    if (end <= m_mel_end) {
        return;
    }
    m_mel.setChunk(end - m_mel_end);
    // m_sound begins where the sound given to m_mel ends: at the mel's end and its look-ahead.
    const Sample given = m_mel_end == 0 ? 0 : m_mel_end + m_look_ahead;
    const auto count = static_cast<std::size_t>(end + m_look_ahead - given);
    const features::MelFrames made = m_mel.push(std::span<const float>(m_sound).first(count));
    m_sound.erase(m_sound.begin(), m_sound.begin() + static_cast<std::ptrdiff_t>(count));
    frames.bands = made.bands;
    frames.frames += made.frames;
    frames.values.insert(frames.values.end(), made.values.begin(), made.values.end());
    m_mel_end = end;
}

BlockedMel melOfWhole(const features::LogMel &mel, const captions::Chunking &chunking, weights::ConvStrides strides, std::span<const float> sound)
{
    StreamingMel stream(mel, chunking, strides);
    stream.add(sound);
    BlockedMel whole;
    whole.mel.bands = mel.bands();
    const auto take = [&whole](StreamingMel::Block block) {
        whole.mel.frames += block.mel.frames;
        whole.mel.values.insert(whole.mel.values.end(), block.mel.values.begin(), block.mel.values.end());
        whole.block_ends.push_back(block.end_frame);
    };
    for (std::int64_t ready = stream.blocksReady(); ready > 0; --ready) {
        take(stream.next());
    }
    if (std::optional<StreamingMel::Block> last = stream.rest()) {
        take(std::move(*last));
    }
    return whole;
}

std::vector<std::int64_t> blockEnds(const captions::Chunking &chunking, std::int64_t frames)
{
    std::vector<std::int64_t> ends;
    while (ends.empty() || ends.back() < frames) {
        ends.push_back(std::min(frames, chunking.blockEnd(static_cast<std::int64_t>(ends.size()))));
    }
    return ends;
}

}  // namespace braid::models::whisper
