// Causal wav2vec 2 (shared/seeds/000, B.1: "Wav2vec2-Streaming"): the published feature extractor on raw sound, positions by a convolution that looks back
// only, and blocks that see themselves and what was before. The published form (positions centred, every frame sees all) computes too, as a whole. A frame
// reads fieldSamples() of sound (400) and stands every hopSamples() (320); sound at the end that fills no frame has none, as published.
//
// What streams: models with layer norm after every convolution ("large"). With group norm ("base") the first layer's channels are normalised over the whole
// sound, so that no frame is known before the end; the paper streams wav2vec2-large-960h-lv60-self, which has layer norm.
// Loudness: where the model wants its sound with mean zero and variance one, published over the whole sound, a block takes them of all sound up to its own
// end. The paper does not say what it does.
#pragma once

#include <memory>

#include "core/models/speech_encoders/speech_encoder.h"
#include "core/models/speech_encoders/wav2vec2_layers.h"
#include "core/nn/placement.h"
#include "core/weights/wav2vec2.h"

namespace braid::models::speech {

class Wav2Vec2Encoder final : public SpeechEncoder {
  public:
    // Over layers from anywhere: for training.
    Wav2Vec2Encoder(const weights::Wav2Vec2Config &config, const LayerSource &source, const nn::Placement &placement);

    [[nodiscard]] std::int64_t width() const noexcept override { return m_config.width; }
    [[nodiscard]] Sample frameSamples() const noexcept override { return m_config.hopSamples(); }
    [[nodiscard]] Sample lookAheadSamples() const noexcept override { return m_config.fieldSamples() - m_config.hopSamples(); }
    [[nodiscard]] std::int64_t maximumFrames() const noexcept override;
    [[nodiscard]] captions::Chunking defaultChunking() const override;
    [[nodiscard]] at::Tensor all(std::span<const float> sound) const override;
    [[nodiscard]] at::Tensor whole(std::span<const float> sound, const captions::Chunking &chunking) const override;
    [[nodiscard]] std::unique_ptr<SpeechStream> begin(const captions::Chunking &chunking) const override;

    [[nodiscard]] const weights::Wav2Vec2Config &config() const noexcept { return m_config; }

  private:
    class Stream;

    void requireCausal() const;
    [[nodiscard]] std::int64_t framesOf(Sample samples) const noexcept;

    weights::Wav2Vec2Config m_config;
    nn::Placement m_placement;
    Wav2Vec2Layers m_layers;
};

// The encoder of a folder, with its adapter where the folder has one. Every tensor of the files is used once. Throws Error(Model).
[[nodiscard]] std::shared_ptr<const SpeechEncoder> loadWav2Vec2(weights::Wav2Vec2Checkpoint checkpoint, const nn::Placement &placement);

}  // namespace braid::models::speech
