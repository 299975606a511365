#include "core/models/speech_encoders/conformer_encoder.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "core/models/speech_encoders/speech_adapter.h"
#include "core/models/whisper/streaming_mel.h"

namespace braid::models::speech {

namespace {

constexpr Sample kMelStep = 2 * features::kHopSamples;
constexpr Sample kMelLookAhead = 40;  // what the last frame of a step reads beyond it

// The log-mel of a stream, step by step.
class GrowingMel {
  public:
    explicit GrowingMel(const features::LogMel &mel)
        : m_bands(mel.bands())
        , m_stream(mel, kMelStep, kMelLookAhead)
    {
    }
    void add(std::span<const float> sound)
    {
        const features::MelFrames made = m_stream.push(sound);
        m_values.insert(m_values.end(), made.values.begin(), made.values.end());
    }
    // Adds silence until `frames` frames are there that were not taken yet.
    void fillUp(std::int64_t frames)
    {
        const std::array<float, static_cast<std::size_t>(kMelStep)> silence{};
        while (this->frames() < frames) {
            add(silence);
        }
    }
    // The next `count` frames, [count, bands]; a copy.
    [[nodiscard]] at::Tensor take(std::int64_t count)
    {
        at::Tensor mel = at::from_blob(m_values.data(), {count, m_bands}, at::TensorOptions().dtype(at::kFloat)).clone();
        m_values.erase(m_values.begin(), m_values.begin() + static_cast<std::ptrdiff_t>(count * m_bands));
        return mel;
    }
    [[nodiscard]] std::int64_t frames() const noexcept { return static_cast<std::int64_t>(m_values.size()) / m_bands; }
    // A step's sound, which the log-mel keeps, is of constant length.
    [[nodiscard]] std::uint64_t bytes() const noexcept { return m_values.size() * sizeof(float); }

  private:
    std::int64_t m_bands;
    features::StreamingLogMel m_stream;
    std::vector<float> m_values;
};

}  // namespace

class ConformerEncoder::Stream final : public BlockStream {
  public:
    Stream(const ConformerEncoder &encoder, const captions::Chunking &chunking)
        : BlockStream(encoder, chunking)
        , m_encoder(encoder)
        , m_mel(encoder.m_log_mel)
        , m_past(encoder.m_layers.noPast())
        , m_seen(encoder.m_config.layers, encoder.m_config.heads, encoder.m_config.width / encoder.m_config.heads,
                 encoder.m_config.streaming.left_context_frames, encoder.m_placement)
    {
    }

    [[nodiscard]] std::uint64_t cacheBytes() const override
    {
        std::uint64_t bytes = m_mel.bytes() + m_past.bytes() + m_seen.bytes();
        for (const at::Tensor &rows : m_distances) {
            bytes += rows.nbytes();
        }
        return bytes;
    }

  protected:
    void take(std::span<const float> sound) override { m_mel.add(sound); }
    [[nodiscard]] std::int64_t framesOf(Sample samples) const override { return m_encoder.framesOf(samples); }
    void fillUp(std::int64_t all) override { m_mel.fillUp((all - frames()) * m_encoder.m_config.melFrames()); }

    [[nodiscard]] at::Tensor encode(std::int64_t end_frame) override
    {
        const std::int64_t count = end_frame - frames();
        const at::Tensor mel = m_mel.take(count * m_encoder.m_config.melFrames()).to(m_encoder.m_placement.options());
        const at::Tensor x = m_encoder.m_layers.front(mel, m_past);
        m_seen.beginBlock(count);
        reachDistances(count, m_seen.seen());
        const at::Tensor encoded = m_encoder.m_layers.run(x, m_past, [&](std::int64_t layer, const at::Tensor &query_key_value) {
            const at::Tensor queries = m_seen.write(layer, query_key_value);
            // Rows stand farthest first.
            const at::Tensor rows = m_distances[static_cast<std::size_t>(layer)].narrow(0, m_farthest - (m_seen.seen() - 1), count + m_seen.seen() - 1);
            return nn::joinHeads(m_encoder.m_layers.attend(layer, queries, m_seen.keys(layer), m_seen.values(layer), rows), m_encoder.m_config.heads);
        });
        m_seen.endBlock();
        return encoded.squeeze(0);
    }

  private:
    // What a distance becomes in a layer does not change, and costs as much as a projection of the frames at all distances: kept, and made anew for twice as
    // many where more are needed.
    void reachDistances(std::int64_t block, std::int64_t seen)
    {
        if (block <= m_longest_block && seen - 1 <= m_farthest) {
            return;
        }
        m_longest_block = std::max(m_longest_block, block);
        m_farthest = std::max(m_farthest, 2 * seen);
        m_distances.clear();
        for (std::int64_t layer = 0; layer < m_encoder.m_config.layers; ++layer) {
            m_distances.push_back(m_encoder.m_layers.distanceRows(layer, 1 - m_longest_block, m_farthest));
        }
    }

    const ConformerEncoder &m_encoder;
    GrowingMel m_mel;
    ConformerLayers::Past m_past;
    SeenFrames m_seen;
    std::vector<at::Tensor> m_distances;  // of each layer: m_farthest down to 1 - m_longest_block
    std::int64_t m_longest_block = 0;
    std::int64_t m_farthest = 0;
};

ConformerEncoder::ConformerEncoder(const weights::ConformerConfig &config, const LayerSource &source, const nn::Placement &placement)
    : m_config(config)
    , m_placement(placement)
    , m_log_mel(static_cast<int>(config.mel_bands))
    , m_layers(config, source)
{
}

Sample ConformerEncoder::lookAheadSamples() const noexcept
{
    // Log-mel comes in steps of two frames; a frame of an odd number of them waits for the other half of its last step.
    return kMelLookAhead + (m_config.melFrames() % 2 == 0 ? 0 : features::kHopSamples);
}

std::int64_t ConformerEncoder::maximumFrames() const noexcept
{
    return m_config.streaming.left_context_frames ? std::numeric_limits<std::int64_t>::max() : m_config.streaming.maximum_frames;
}

captions::Chunking ConformerEncoder::defaultChunking() const
{
    return {.frame_samples = frameSamples(),
            .first_samples = std::max(frameSamples(), samplesFromMs(m_config.streaming.first_chunk_ms)),
            .chunk_samples = std::max(frameSamples(), samplesFromMs(m_config.streaming.chunk_ms))};
}

at::Tensor ConformerEncoder::melOf(std::span<const float> sound) const
{
    const std::int64_t frames = framesOf(static_cast<Sample>(sound.size())) * m_config.melFrames();
    GrowingMel mel(m_log_mel);
    mel.add(sound);
    mel.fillUp(frames);
    return mel.take(frames);
}

at::Tensor ConformerEncoder::encodeMel(const at::Tensor &mel, std::span<const std::int64_t> block_ends) const
{
    ConformerLayers::Past past = m_layers.noPast();
    const at::Tensor x = m_layers.front(mel.to(m_placement.options()), past);
    const LeftContext &left_context = m_config.streaming.left_context_frames;
    return m_layers
        .run(x, past,
             [&](std::int64_t layer, const at::Tensor &query_key_value) {
                 const std::vector<at::Tensor> parts = query_key_value.chunk(3, 2);
                 const at::Tensor queries = nn::splitHeads(parts[0], m_config.heads);
                 const at::Tensor keys = nn::splitHeads(parts[1], m_config.heads);
                 const at::Tensor values = nn::splitHeads(parts[2], m_config.heads);
                 const auto attend = [&](std::int64_t begin, std::int64_t end, std::int64_t first_seen) {
                     const at::Tensor distances = m_layers.distanceRows(layer, begin - end + 1, end - first_seen - 1);
                     return m_layers.attend(layer, queries.narrow(1, begin, end - begin), keys.narrow(1, first_seen, end - first_seen),
                                            values.narrow(1, first_seen, end - first_seen), distances);
                 };
                 return nn::joinHeads(overBlocks(block_ends, left_context, attend), m_config.heads);
             })
        .squeeze(0);
}

at::Tensor ConformerEncoder::all(std::span<const float> sound) const
{
    if (sound.empty()) {
        return at::empty({0, width()}, m_placement.options());
    }
    const std::array<std::int64_t, 1> one_block = {framesOf(static_cast<Sample>(sound.size()))};
    return encodeMel(melOf(sound), one_block);
}

at::Tensor ConformerEncoder::whole(std::span<const float> sound, const captions::Chunking &chunking) const
{
    const captions::Chunking ours = chunkingFor(chunking, frameSamples());
    if (sound.empty()) {
        return at::empty({0, width()}, m_placement.options());
    }
    return encodeMel(melOf(sound), whisper::blockEnds(ours, framesOf(static_cast<Sample>(sound.size()))));
}

std::unique_ptr<SpeechStream> ConformerEncoder::begin(const captions::Chunking &chunking) const
{
    return std::make_unique<Stream>(*this, chunkingFor(chunking, frameSamples()));
}

std::shared_ptr<const SpeechEncoder> loadConformer(weights::ConformerCheckpoint checkpoint, const nn::Placement &placement)
{
    const LayerSource source = takingFrom(checkpoint.tensors, placement);
    std::shared_ptr<const SpeechEncoder> encoder = std::make_shared<ConformerEncoder>(checkpoint.config, source, placement);
    encoder = withAdapter(std::move(encoder), checkpoint.config.adapter, source);
    checkpoint.tensors.requireAllTaken();
    return encoder;
}

}  // namespace braid::models::speech
