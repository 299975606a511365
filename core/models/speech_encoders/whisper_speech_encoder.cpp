#include "core/models/speech_encoders/whisper_speech_encoder.h"

#include <string>
#include <utility>

#include "core/base/error.h"
#include "core/models/speech_encoders/block_stream.h"
#include "core/models/whisper/streaming_mel.h"

namespace braid::models::speech {

class WhisperSpeechEncoder::Stream final : public SpeechStream {
  public:
    Stream(const WhisperSpeechEncoder &encoder, const captions::Chunking &chunking)
        : m_encoder(encoder)
        , m_mel(*encoder.m_mel, chunking, encoder.m_strides)
        , m_cache(encoder.m_encoder->emptyCache(encoder.m_encoder->contextLength()))
    {
    }

    [[nodiscard]] at::Tensor add(std::span<const float> sound) override
    {
        requireOpen();
        m_mel.add(sound);
        return encodeReady();
    }
    [[nodiscard]] at::Tensor finish() override
    {
        requireOpen();
        at::Tensor rows = encodeReady();
        m_finished = true;
        const std::optional<whisper::StreamingMel::Block> rest = m_mel.rest();
        return rest ? joinedRows({rows, encode(*rest)}, m_encoder.width()) : rows;
    }
    [[nodiscard]] std::int64_t frames() const noexcept override { return m_cache.frames(); }
    [[nodiscard]] std::uint64_t cacheBytes() const override
    {
        const at::Tensor keys = m_cache.keys_values.keys(0, 0);
        const auto layer = static_cast<std::uint64_t>(2 * m_cache.keys_values.capacity() * m_encoder.width()) * keys.element_size();
        return layer * static_cast<std::uint64_t>(m_encoder.m_encoder->layers()) + (m_cache.mel.defined() ? m_cache.mel.nbytes() : 0);
    }

  private:
    void requireOpen() const
    {
        if (m_finished) {
            throw Error(ErrorKind::Usage, "a stream of speech was given sound after its end, or ended twice");
        }
    }
    [[nodiscard]] at::Tensor encodeReady()
    {
        std::vector<at::Tensor> parts;
        for (std::int64_t ready = m_mel.blocksReady(); ready > 0; --ready) {
            parts.push_back(encode(m_mel.next()));
        }
        return joinedRows(parts, m_encoder.width());
    }
    [[nodiscard]] at::Tensor encode(const whisper::StreamingMel::Block &block)
    {
        m_encoder.requireRoom(block.end_frame);
        const at::NoGradGuard no_gradient;
        return m_encoder.m_encoder->extend(m_cache, whisper::melTensor(block.mel), block.end_frame - m_cache.frames());
    }

    const WhisperSpeechEncoder &m_encoder;
    whisper::StreamingMel m_mel;
    whisper::EncoderCache m_cache;
    bool m_finished = false;
};

WhisperSpeechEncoder::WhisperSpeechEncoder(std::shared_ptr<const whisper::Encoder> encoder, std::shared_ptr<const features::LogMel> mel,
                                           weights::ConvStrides strides, const captions::Chunking &chunking)
    : m_encoder(std::move(encoder))
    , m_mel(std::move(mel))
    , m_strides(strides)
    , m_chunking(chunkingFor(chunking, features::kHopSamples * strides.melFrames()))
{
}

Sample WhisperSpeechEncoder::lookAheadSamples() const noexcept
{
    return whisper::lookAheadSamplesOf(m_strides);
}

void WhisperSpeechEncoder::requireRoom(std::int64_t frames) const
{
    if (frames > maximumFrames()) {
        throw Error(ErrorKind::Usage,
                    "this speech encoder holds " + std::to_string(msFromSamples(maximumFrames() * frameSamples()) / 1000) +
                        " seconds of sound at most, and the stream is longer",
                    {}, "Begin a new stream");
    }
}

at::Tensor WhisperSpeechEncoder::all(std::span<const float> sound) const
{
    const features::MelFrames mel = m_mel->compute(sound);
    if (mel.frames == 0) {
        return at::empty({0, width()});
    }
    requireRoom((mel.frames + m_strides.melFrames() - 1) / m_strides.melFrames());
    return (*m_encoder)(whisper::melTensor(mel));
}

at::Tensor WhisperSpeechEncoder::whole(std::span<const float> sound, const captions::Chunking &chunking) const
{
    const captions::Chunking ours = chunkingFor(chunking, frameSamples());
    if (sound.empty()) {
        return at::empty({0, width()});
    }
    const whisper::BlockedMel blocks = whisper::melOfWhole(*m_mel, ours, m_strides, sound);
    requireRoom(blocks.block_ends.back());
    return m_encoder->masked(whisper::melTensor(blocks.mel), blocks.block_ends);
}

std::unique_ptr<SpeechStream> WhisperSpeechEncoder::begin(const captions::Chunking &chunking) const
{
    return std::make_unique<Stream>(*this, chunkingFor(chunking, frameSamples()));
}

std::shared_ptr<const SpeechEncoder> speechEncoderOf(const std::shared_ptr<const whisper::Model> &model)
{
    if (!model->isCausal()) {
        throw Error(ErrorKind::Usage, "this Whisper's encoder looks at later sound, so it cannot be a streaming speech encoder", {},
                    "Use a causal model, for example captions-en");
    }
    return std::make_shared<WhisperSpeechEncoder>(std::shared_ptr<const whisper::Encoder>(model, &model->encoder()),
                                                  std::shared_ptr<const features::LogMel>(model, &model->logMel()), model->dims().strides(),
                                                  model->defaultChunking());
}

}  // namespace braid::models::speech
