// Our causal Whisper encoder behind the interface of all speech encoders: its log-mel, its blocks and its caches are core/models/whisper's own.
// A stream is at most as long as the encoder's window. Sound at the end that fills no frame is filled up with silence, as live captions do.
#pragma once

#include <memory>

#include "core/features/log_mel.h"
#include "core/models/speech_encoders/speech_encoder.h"
#include "core/models/whisper/whisper_model.h"

namespace braid::models::speech {

class WhisperSpeechEncoder final : public SpeechEncoder {
  public:
    // Encoder and log-mel may be parts of a model (shared_ptr's aliasing constructor). `chunking`: what defaultChunking() says.
    WhisperSpeechEncoder(std::shared_ptr<const whisper::Encoder> encoder, std::shared_ptr<const features::LogMel> mel, weights::ConvStrides strides,
                         const captions::Chunking &chunking);

    [[nodiscard]] std::int64_t width() const noexcept override { return m_encoder->width(); }
    [[nodiscard]] Sample frameSamples() const noexcept override { return features::kHopSamples * m_strides.melFrames(); }
    [[nodiscard]] Sample lookAheadSamples() const noexcept override;
    [[nodiscard]] std::int64_t maximumFrames() const noexcept override { return m_encoder->contextLength(); }
    [[nodiscard]] captions::Chunking defaultChunking() const override { return m_chunking; }
    [[nodiscard]] at::Tensor all(std::span<const float> sound) const override;
    [[nodiscard]] at::Tensor whole(std::span<const float> sound, const captions::Chunking &chunking) const override;
    [[nodiscard]] std::unique_ptr<SpeechStream> begin(const captions::Chunking &chunking) const override;

  private:
    class Stream;

    // Throws where a sound of this many frames is longer than the window.
    void requireRoom(std::int64_t frames) const;

    std::shared_ptr<const whisper::Encoder> m_encoder;
    std::shared_ptr<const features::LogMel> m_mel;
    weights::ConvStrides m_strides;
    captions::Chunking m_chunking;
};

// The encoder of a model that is causal by itself. Throws Error(Usage) for any other: without its adapters, CarelessWhisper's base looks at later sound.
[[nodiscard]] std::shared_ptr<const SpeechEncoder> speechEncoderOf(const std::shared_ptr<const whisper::Model> &model);

}  // namespace braid::models::speech
