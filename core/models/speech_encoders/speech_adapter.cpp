#include "core/models/speech_encoders/speech_adapter.h"

#include <string>
#include <utility>

#include "core/base/error.h"
#include "core/models/speech_encoders/block_stream.h"

namespace braid::models::speech {

SpeechAdapter::SpeechAdapter(const weights::SpeechAdapterConfig &config, std::int64_t frame_width, const LayerSource &source)
    : m_stack(config.stack)
{
    if (config.stack < 1 || config.widths.empty()) {
        throw Error(ErrorKind::Internal, "a speech adapter has no layer");
    }
    std::int64_t in = frame_width * config.stack;
    for (const std::int64_t out : config.widths) {
        m_layers.push_back(source.linear("adapter." + std::to_string(m_layers.size()), in, out));
        in = out;
    }
}

at::Tensor SpeechAdapter::operator()(const at::Tensor &frames) const
{
    at::Tensor x = frames.reshape({frames.size(0) / m_stack, m_stack * frames.size(1)});
    for (std::size_t layer = 0; layer < m_layers.size(); ++layer) {
        x = m_layers[layer](layer == 0 ? x : at::gelu(x));
    }
    return x;
}

at::Tensor SpeechAdapter::filledUp(const at::Tensor &frames) const
{
    const std::int64_t missing = (m_stack - frames.size(0) % m_stack) % m_stack;
    return (*this)(missing == 0 ? frames : at::constant_pad_nd(frames, {0, 0, 0, missing}));
}

class AdaptedEncoder::Stream final : public SpeechStream {
  public:
    Stream(const AdaptedEncoder &encoder, const captions::Chunking &chunking)
        : m_encoder(encoder)
        , m_inner(encoder.m_encoder->begin(chunking))
    {
    }

    [[nodiscard]] at::Tensor add(std::span<const float> sound) override
    {
        const at::NoGradGuard no_gradient;
        const at::Tensor waiting = withWaiting(m_inner->add(sound));
        const std::int64_t stack = m_encoder.m_adapter.stack();
        const std::int64_t whole = waiting.size(0) / stack * stack;
        m_waiting = waiting.narrow(0, whole, waiting.size(0) - whole).clone();
        return given(m_encoder.m_adapter(waiting.narrow(0, 0, whole)));
    }
    [[nodiscard]] at::Tensor finish() override
    {
        const at::NoGradGuard no_gradient;
        const at::Tensor rest = withWaiting(m_inner->finish());
        m_waiting = at::Tensor();
        return given(m_encoder.m_adapter.filledUp(rest));
    }
    [[nodiscard]] std::int64_t frames() const noexcept override { return m_frames; }
    [[nodiscard]] std::uint64_t cacheBytes() const override { return m_inner->cacheBytes() + (m_waiting.defined() ? m_waiting.nbytes() : 0); }

  private:
    [[nodiscard]] at::Tensor withWaiting(const at::Tensor &fresh) const { return m_waiting.defined() ? at::cat({m_waiting, fresh}) : fresh; }
    [[nodiscard]] at::Tensor given(at::Tensor rows)
    {
        m_frames += rows.size(0);
        return rows;
    }

    const AdaptedEncoder &m_encoder;
    std::unique_ptr<SpeechStream> m_inner;
    at::Tensor m_waiting;  // frames that fill no group yet
    std::int64_t m_frames = 0;
};

AdaptedEncoder::AdaptedEncoder(std::shared_ptr<const SpeechEncoder> encoder, SpeechAdapter adapter)
    : m_encoder(std::move(encoder))
    , m_adapter(std::move(adapter))
    , m_width(m_adapter.width())
{
}

std::unique_ptr<SpeechStream> AdaptedEncoder::begin(const captions::Chunking &chunking) const
{
    return std::make_unique<Stream>(*this, chunking);
}

std::shared_ptr<const SpeechEncoder> withAdapter(std::shared_ptr<const SpeechEncoder> encoder, const std::optional<weights::SpeechAdapterConfig> &config,
                                                 const LayerSource &source)
{
    if (!config) {
        return encoder;
    }
    SpeechAdapter adapter(*config, encoder->width(), source);
    return std::make_shared<AdaptedEncoder>(std::move(encoder), std::move(adapter));
}

}  // namespace braid::models::speech
