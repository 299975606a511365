#include "core/models/speech_encoders/wav2vec2_encoder.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "core/base/error.h"
#include "core/models/speech_encoders/block_stream.h"
#include "core/models/speech_encoders/speech_adapter.h"
#include "core/models/whisper/streaming_mel.h"

namespace braid::models::speech {

namespace {

constexpr double kLeastVariance = 1e-7;  // is added to it, as Hugging Face's feature extractor does

at::Tensor tensorOf(std::span<const float> sound)
{
    return at::from_blob(const_cast<float *>(sound.data()), {static_cast<std::int64_t>(sound.size())}, at::TensorOptions().dtype(at::kFloat));
}

// Mean and variance of the sound so far.
class SoundLevel {
  public:
    void add(std::span<const float> sound)
    {
        for (const float sample : sound) {
            m_sum += sample;
            m_squares += static_cast<double>(sample) * sample;
        }
        m_samples += static_cast<double>(sound.size());
    }
    [[nodiscard]] at::Tensor normalised(const at::Tensor &sound) const
    {
        const double mean = m_sum / std::max(1.0, m_samples);
        const double variance = std::max(0.0, m_squares / std::max(1.0, m_samples) - mean * mean);
        return (sound - mean) / std::sqrt(variance + kLeastVariance);
    }

  private:
    double m_sum = 0;
    double m_squares = 0;
    double m_samples = 0;
};

}  // namespace

class Wav2Vec2Encoder::Stream final : public BlockStream {
  public:
    Stream(const Wav2Vec2Encoder &encoder, const captions::Chunking &chunking)
        : BlockStream(encoder, chunking)
        , m_encoder(encoder)
        , m_positions(encoder.m_config.position_kernel - 1, 1)
        , m_seen(encoder.m_config.layers, encoder.m_config.heads, encoder.m_config.width / encoder.m_config.heads,
                 encoder.m_config.streaming.left_context_frames, encoder.m_placement)
    {
    }

    [[nodiscard]] std::uint64_t cacheBytes() const override { return m_sound.size() * sizeof(float) + m_positions.bytes() + m_seen.bytes(); }

  protected:
    void take(std::span<const float> sound) override { m_sound.insert(m_sound.end(), sound.begin(), sound.end()); }
    [[nodiscard]] std::int64_t framesOf(Sample samples) const override { return m_encoder.framesOf(samples); }
    void fillUp(std::int64_t) override {}  // a frame that is not whole does not count

    [[nodiscard]] at::Tensor encode(std::int64_t end_frame) override
    {
        const std::int64_t count = end_frame - frames();
        const Sample hop = m_encoder.m_config.hopSamples();
        const auto read = static_cast<std::size_t>((count - 1) * hop + m_encoder.m_config.fieldSamples());
        const std::span<const float> sound = std::span<const float>(m_sound).first(read);
        at::Tensor input = tensorOf(sound).to(m_encoder.m_placement.options());
        if (m_encoder.m_config.loudness == weights::Wav2Vec2Loudness::Normalised) {
            m_level.add(sound.subspan(m_levelled));
            input = m_level.normalised(input);
            m_levelled = read - static_cast<std::size_t>(count * hop);
        }
        const at::Tensor features = m_encoder.m_layers.features(input);
        // Only now, because the input may lie in m_sound itself.
        m_sound.erase(m_sound.begin(), m_sound.begin() + static_cast<std::ptrdiff_t>(count * hop));
        at::Tensor x = features + m_encoder.m_layers.positions(m_positions.before(features));

        m_seen.beginBlock(count);
        x = m_encoder.m_layers.run(std::move(x), [&](std::int64_t layer, const at::Tensor &query_key_value) {
            const at::Tensor queries = m_seen.write(layer, query_key_value);
            return nn::joinHeads(nn::attend(queries, m_seen.keys(layer), m_seen.values(layer), nn::Visibility::All), m_encoder.m_config.heads);
        });
        m_seen.endBlock();
        return x.squeeze(0);
    }

  private:
    const Wav2Vec2Encoder &m_encoder;
    std::vector<float> m_sound;  // from the next frame's first sample on
    SoundLevel m_level;
    std::size_t m_levelled = 0;  // of m_sound, the samples that m_level knows already
    Tail m_positions;
    SeenFrames m_seen;
};

Wav2Vec2Encoder::Wav2Vec2Encoder(const weights::Wav2Vec2Config &config, const LayerSource &source, const nn::Placement &placement)
    : m_config(config)
    , m_placement(placement)
    , m_layers(config, source)
{
}

std::int64_t Wav2Vec2Encoder::maximumFrames() const noexcept
{
    return m_config.streaming.left_context_frames ? std::numeric_limits<std::int64_t>::max() : m_config.streaming.maximum_frames;
}

captions::Chunking Wav2Vec2Encoder::defaultChunking() const
{
    return {.frame_samples = frameSamples(),
            .first_samples = std::max(frameSamples(), samplesFromMs(m_config.streaming.first_chunk_ms)),
            .chunk_samples = std::max(frameSamples(), samplesFromMs(m_config.streaming.chunk_ms))};
}

std::int64_t Wav2Vec2Encoder::framesOf(Sample samples) const noexcept
{
    return samples < m_config.fieldSamples() ? 0 : (samples - m_config.fieldSamples()) / m_config.hopSamples() + 1;
}

void Wav2Vec2Encoder::requireCausal() const
{
    const char *remedy = "Use a model of the large form with causal positions (docs/formats.md, \"braid_streaming\")";
    if (m_config.feature_norm == weights::Wav2Vec2FeatureNorm::GroupOnFirst) {
        throw Error(
            ErrorKind::Usage,
            "this wav2vec 2 cannot be streamed: its first convolution is normalised over the whole sound (\"feat_extract_norm\": \"group\"), so that none "
            "of its frames is known before the end",
            {}, remedy);
    }
    if (m_config.positions == weights::Wav2Vec2Positions::Centred) {
        throw Error(ErrorKind::Usage, "this wav2vec 2 cannot be streamed: its positional convolution looks at later sound", {}, remedy);
    }
}

at::Tensor Wav2Vec2Encoder::all(std::span<const float> sound) const
{
    const std::int64_t frames = framesOf(static_cast<Sample>(sound.size()));
    if (frames == 0) {
        return at::empty({0, width()}, m_placement.options());
    }
    at::Tensor input = tensorOf(sound).to(m_placement.options());
    if (m_config.loudness == weights::Wav2Vec2Loudness::Normalised) {
        SoundLevel level;
        level.add(sound);
        input = level.normalised(input);
    }
    const at::Tensor features = m_layers.features(input);
    // Centred: as many zeros on both sides, one fewer behind where the kernel is even.
    const std::int64_t around = m_config.position_kernel - 1;
    const std::int64_t before = m_config.positions == weights::Wav2Vec2Positions::Causal ? around : m_config.position_kernel / 2;
    const at::Tensor padded = at::constant_pad_nd(features, {0, 0, before, around - before});
    return m_layers
        .run(features + m_layers.positions(padded),
             [this](std::int64_t, const at::Tensor &query_key_value) {
                 const std::vector<at::Tensor> parts = query_key_value.chunk(3, 2);
                 return nn::joinHeads(nn::attend(nn::splitHeads(parts[0], m_config.heads), nn::splitHeads(parts[1], m_config.heads),
                                                 nn::splitHeads(parts[2], m_config.heads), nn::Visibility::All),
                                      m_config.heads);
             })
        .squeeze(0);
}

at::Tensor Wav2Vec2Encoder::whole(std::span<const float> sound, const captions::Chunking &chunking) const
{
    requireCausal();
    const captions::Chunking ours = chunkingFor(chunking, frameSamples());
    const std::int64_t frames = framesOf(static_cast<Sample>(sound.size()));
    if (frames == 0) {
        return at::empty({0, width()}, m_placement.options());
    }
    const std::vector<std::int64_t> ends = whisper::blockEnds(ours, frames);
    at::Tensor features;
    if (m_config.loudness == weights::Wav2Vec2Loudness::AsItIs) {
        features = m_layers.features(tensorOf(sound).to(m_placement.options()));
    } else {
        // Every block with the level of the sound that its stream has read by then.
        std::vector<at::Tensor> parts;
        SoundLevel level;
        Sample levelled = 0;
        std::int64_t begin = 0;
        for (const std::int64_t end : ends) {
            const Sample read = (end - 1) * frameSamples() + m_config.fieldSamples();
            level.add(sound.subspan(static_cast<std::size_t>(levelled), static_cast<std::size_t>(read - levelled)));
            levelled = read;
            const auto first = static_cast<std::size_t>(begin * frameSamples());
            const at::Tensor block = tensorOf(sound.subspan(first, static_cast<std::size_t>(read) - first)).to(m_placement.options());
            parts.push_back(m_layers.features(level.normalised(block)));
            begin = end;
        }
        features = at::cat(parts, 1);
    }
    const at::Tensor padded = at::constant_pad_nd(features, {0, 0, m_config.position_kernel - 1, 0});
    return m_layers
        .run(features + m_layers.positions(padded),
             [&](std::int64_t, const at::Tensor &query_key_value) {
                 const std::vector<at::Tensor> parts = query_key_value.chunk(3, 2);
                 const at::Tensor queries = nn::splitHeads(parts[0], m_config.heads);
                 const at::Tensor keys = nn::splitHeads(parts[1], m_config.heads);
                 const at::Tensor values = nn::splitHeads(parts[2], m_config.heads);
                 const auto attend = [&](std::int64_t begin, std::int64_t end, std::int64_t first_seen) {
                     return nn::attend(queries.narrow(1, begin, end - begin), keys.narrow(1, first_seen, end - first_seen),
                                       values.narrow(1, first_seen, end - first_seen), nn::Visibility::All);
                 };
                 return nn::joinHeads(overBlocks(ends, m_config.streaming.left_context_frames, attend), m_config.heads);
             })
        .squeeze(0);
}

std::unique_ptr<SpeechStream> Wav2Vec2Encoder::begin(const captions::Chunking &chunking) const
{
    requireCausal();
    return std::make_unique<Stream>(*this, chunkingFor(chunking, frameSamples()));
}

std::shared_ptr<const SpeechEncoder> loadWav2Vec2(weights::Wav2Vec2Checkpoint checkpoint, const nn::Placement &placement)
{
    const LayerSource source = takingFrom(checkpoint.tensors, placement);
    std::shared_ptr<const SpeechEncoder> encoder = std::make_shared<Wav2Vec2Encoder>(checkpoint.config, source, placement);
    encoder = withAdapter(std::move(encoder), checkpoint.config.adapter, source);
    checkpoint.tensors.requireAllTaken();
    return encoder;
}

}  // namespace braid::models::speech
