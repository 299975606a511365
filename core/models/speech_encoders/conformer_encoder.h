// The VGG-conformer as a speech encoder (shared/seeds/004; weights::ConformerConfig). Log-mel is Braid's streaming one (core/features/log_mel.h), made in steps
// of 20 ms whatever the blocks are, so that it is the same for every way of cutting. Sound at the end that fills no frame is filled up with silence.
#pragma once

#include <memory>

#include "core/features/log_mel.h"
#include "core/models/speech_encoders/conformer_layers.h"
#include "core/models/speech_encoders/speech_encoder.h"
#include "core/nn/placement.h"
#include "core/weights/conformer.h"

namespace braid::models::speech {

class ConformerEncoder final : public SpeechEncoder {
  public:
    // Over layers from anywhere: for training.
    ConformerEncoder(const weights::ConformerConfig &config, const LayerSource &source, const nn::Placement &placement);

    [[nodiscard]] std::int64_t width() const noexcept override { return m_config.width; }
    [[nodiscard]] Sample frameSamples() const noexcept override { return features::kHopSamples * m_config.melFrames(); }
    [[nodiscard]] Sample lookAheadSamples() const noexcept override;
    [[nodiscard]] std::int64_t maximumFrames() const noexcept override;
    [[nodiscard]] captions::Chunking defaultChunking() const override;
    [[nodiscard]] at::Tensor all(std::span<const float> sound) const override;
    [[nodiscard]] at::Tensor whole(std::span<const float> sound, const captions::Chunking &chunking) const override;
    [[nodiscard]] std::unique_ptr<SpeechStream> begin(const captions::Chunking &chunking) const override;

    // The same from log-mel [F, bands], F a multiple of melFrames(); `block_ends` in frames, the last is all of them -> [F / melFrames(), width].
    [[nodiscard]] at::Tensor encodeMel(const at::Tensor &mel, std::span<const std::int64_t> block_ends) const;

    [[nodiscard]] const weights::ConformerConfig &config() const noexcept { return m_config; }

  private:
    class Stream;

    [[nodiscard]] std::int64_t framesOf(Sample samples) const noexcept { return (samples + frameSamples() - 1) / frameSamples(); }
    // Of the whole sound, filled up to whole frames: [F, bands].
    [[nodiscard]] at::Tensor melOf(std::span<const float> sound) const;

    weights::ConformerConfig m_config;
    nn::Placement m_placement;
    features::LogMel m_log_mel;
    ConformerLayers m_layers;
};

// The encoder of a folder, with its adapter where the folder has one. Every tensor of the files is used once. Throws Error(Model).
[[nodiscard]] std::shared_ptr<const SpeechEncoder> loadConformer(weights::ConformerCheckpoint checkpoint, const nn::Placement &placement);

}  // namespace braid::models::speech
