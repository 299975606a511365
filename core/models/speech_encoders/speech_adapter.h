// From an encoder's frames to a language model's width: several frames become one, then linear layers with GELU between them
// (weights::SpeechAdapterConfig says which papers' that is). Frames at the end that fill no group are filled up with zeros, so that no sound is lost.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/models/speech_encoders/layer_source.h"
#include "core/models/speech_encoders/speech_encoder.h"
#include "core/weights/speech_encoder_config.h"

namespace braid::models::speech {

class SpeechAdapter {
  public:
    // "adapter.0.weight", "adapter.0.bias", ... `frame_width`: of the encoder.
    SpeechAdapter(const weights::SpeechAdapterConfig &config, std::int64_t frame_width, const LayerSource &source);

    // frames [L, frame width] -> [L / stack, width], L a multiple of stack.
    [[nodiscard]] at::Tensor operator()(const at::Tensor &frames) const;
    // The same where the last group may lack frames: they are zeros.
    [[nodiscard]] at::Tensor filledUp(const at::Tensor &frames) const;

    [[nodiscard]] std::int64_t stack() const noexcept { return m_stack; }
    [[nodiscard]] std::int64_t width() const { return m_layers.back().outputs(); }

  private:
    std::int64_t m_stack = 1;
    std::vector<nn::Linear> m_layers;
};

// An encoder with an adapter behind it. Blocks are the encoder's own; where they are no multiple of stack frames, a group waits for the next block.
class AdaptedEncoder final : public SpeechEncoder {
  public:
    AdaptedEncoder(std::shared_ptr<const SpeechEncoder> encoder, SpeechAdapter adapter);

    [[nodiscard]] std::int64_t width() const noexcept override { return m_width; }
    [[nodiscard]] Sample frameSamples() const noexcept override { return m_encoder->frameSamples() * m_adapter.stack(); }
    [[nodiscard]] Sample lookAheadSamples() const noexcept override { return m_encoder->lookAheadSamples(); }
    [[nodiscard]] std::int64_t maximumFrames() const noexcept override { return m_encoder->maximumFrames() / m_adapter.stack(); }
    [[nodiscard]] captions::Chunking defaultChunking() const override { return m_encoder->defaultChunking(); }
    [[nodiscard]] at::Tensor all(std::span<const float> sound) const override { return m_adapter.filledUp(m_encoder->all(sound)); }
    [[nodiscard]] at::Tensor whole(std::span<const float> sound, const captions::Chunking &chunking) const override
    {
        return m_adapter.filledUp(m_encoder->whole(sound, chunking));
    }
    [[nodiscard]] std::unique_ptr<SpeechStream> begin(const captions::Chunking &chunking) const override;

    [[nodiscard]] const SpeechEncoder &encoder() const noexcept { return *m_encoder; }

  private:
    class Stream;

    std::shared_ptr<const SpeechEncoder> m_encoder;
    SpeechAdapter m_adapter;
    std::int64_t m_width = 0;
};

// `encoder` itself where there is no adapter.
[[nodiscard]] std::shared_ptr<const SpeechEncoder> withAdapter(std::shared_ptr<const SpeechEncoder> encoder,
                                                               const std::optional<weights::SpeechAdapterConfig> &config, const LayerSource &source);

}  // namespace braid::models::speech
