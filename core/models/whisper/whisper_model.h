// A whole Whisper: encoder, decoder, tokenizer, and the facts about its windows. Built strictly from a checkpoint.
// Ownership: shared by everything that decodes with it. Thread: one at a time. Torch header.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/sample_clock.h"
#include "core/captions/chunking.h"
#include "core/features/log_mel.h"
#include "core/models/whisper/decoder.h"
#include "core/models/whisper/encoder.h"
#include "core/text/whisper_tokenizer.h"
#include "core/weights/whisper_checkpoint.h"

namespace braid::models::whisper {

class Model {
  public:
    // Uses every tensor of `checkpoint` exactly once. Throws Error(Model) with the file, what does not fit and what to do.
    // `watch` is told the bytes of every tensor while they are read, and may throw to stop.
    Model(weights::WhisperCheckpoint checkpoint, std::shared_ptr<const text::WhisperTokenizer> tokenizer, const nn::Placement &placement,
          const TakeWatch &watch = {});

    [[nodiscard]] const weights::WhisperDims &dims() const noexcept { return m_dims; }
    [[nodiscard]] const nn::Placement &placement() const noexcept { return m_placement; }
    [[nodiscard]] const text::WhisperTokenizer &tokenizer() const noexcept { return *m_tokenizer; }
    [[nodiscard]] const Encoder &encoder() const noexcept { return m_encoder; }
    [[nodiscard]] const Decoder &decoder() const noexcept { return m_decoder; }
    [[nodiscard]] std::int64_t parameterCount() const noexcept { return m_parameters; }
    [[nodiscard]] bool hasAdapters() const noexcept { return m_has_adapters; }
    // LoRA adapters on: the streaming model; off, as after loading: exactly the base. Whoever computes with them on does so within an AdapterScope,
    // so that everyone else finds the base.
    void switchAdapters(nn::AdapterState state);

    // What the model was trained for, where its encoder was trained to be block-causal.
    [[nodiscard]] const std::optional<weights::StreamingConfig> &streaming() const noexcept { return m_streaming; }
    // True where the base itself is block-causal: it is then never run without its mask.
    [[nodiscard]] bool isCausal() const noexcept { return m_streaming && !m_has_adapters; }
    // Its own blocks; CarelessWhisper's 600 and 300 ms where it has none.
    [[nodiscard]] captions::Chunking defaultChunking() const noexcept;

    [[nodiscard]] weights::WindowPadding padding() const noexcept { return m_padding; }
    [[nodiscard]] Sample frameSamples() const noexcept { return features::kHopSamples * m_dims.strides().melFrames(); }  // of one encoder frame
    [[nodiscard]] std::int64_t windowMelFrames() const noexcept { return m_dims.n_audio_ctx * m_dims.strides().melFrames(); }
    [[nodiscard]] Sample windowSamples() const noexcept { return m_dims.n_audio_ctx * frameSamples(); }
    [[nodiscard]] bool hasTimestamps() const noexcept;
    // True where the tokenizer is OpenAI's, whose rules (blank, non-speech tokens, previous text) apply.
    [[nodiscard]] bool hasPublishedRules() const noexcept;
    // The published alignment heads, or all heads of the upper half of the decoder where none are known.
    [[nodiscard]] const AlignmentHeads &alignmentHeads() const noexcept { return m_alignment_heads; }
    // Tokens that are never chosen: non-speech ones and special ones that are no transcript.
    [[nodiscard]] const std::vector<std::int32_t> &suppressedTokens() const noexcept { return m_suppressed; }
    // Language codes it can be asked for; one for a model of one language.
    [[nodiscard]] const std::vector<std::string> &languages() const noexcept { return m_languages; }
    // Throws Error(Usage) where the model does not know `language`; empty: its only language, or empty where there are several.
    [[nodiscard]] std::string resolveLanguage(std::string_view language) const;

    // Log-mel of a window of sound [n_mels, F], padded as the model wants it (or as `padding` says); of a causal model as its stream would bring it. At most
    // windowSamples() are used.
    [[nodiscard]] at::Tensor windowMel(std::span<const float> sound) const { return windowMel(sound, m_padding); }
    [[nodiscard]] at::Tensor windowMel(std::span<const float> sound, weights::WindowPadding padding) const;
    // Encodes a window of mel [n_mels, F] (padded already, or shorter where the model takes that); a causal model's through its mask, with its own blocks.
    [[nodiscard]] SoundCache listen(const at::Tensor &mel, const std::stop_token &stop = {}) const;
    // Encoder frames that `samples` of sound fill.
    [[nodiscard]] std::int64_t framesOf(Sample samples) const noexcept;
    [[nodiscard]] const features::LogMel &logMel() const noexcept { return m_log_mel; }

  private:
    weights::WhisperDims m_dims;
    weights::WindowPadding m_padding;
    nn::Placement m_placement;
    std::int64_t m_parameters = 0;
    bool m_has_adapters = false;
    std::optional<weights::StreamingConfig> m_streaming;
    std::shared_ptr<const text::WhisperTokenizer> m_tokenizer;
    Encoder m_encoder;
    Decoder m_decoder;
    features::LogMel m_log_mel;
    AlignmentHeads m_alignment_heads;
    std::vector<std::int32_t> m_suppressed;
    std::vector<std::string> m_languages;
};

// Adapters are on while it lives, and off again after it.
class AdapterScope {
  public:
    explicit AdapterScope(Model &model)
        : m_model(model)
    {
        m_model.switchAdapters(nn::AdapterState::On);
    }
    ~AdapterScope() { m_model.switchAdapters(nn::AdapterState::Off); }
    AdapterScope(const AdapterScope &) = delete;
    AdapterScope &operator=(const AdapterScope &) = delete;

  private:
    Model &m_model;
};

// features::MelFrames (frame after frame) -> [bands, frames] float32.
[[nodiscard]] at::Tensor melTensor(const features::MelFrames &frames);

}  // namespace braid::models::whisper
