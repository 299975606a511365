// StreamingRecognizer over Whisper: the block-causal encoder with its caches, and the decoder over growing sound and rows that share their beginnings.
// A model's adapters are on while it computes, and only then. Torch header.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/captions/streaming_recognizer.h"
#include "core/model_access/caption_model.h"
#include "core/models/whisper/language_memory.h"
#include "core/models/whisper/streaming_mel.h"
#include "core/models/whisper/tree_decoder.h"
#include "core/models/whisper/whisper_model.h"

namespace braid::models::whisper {

class WhisperStreamingRecognizer final : public captions::StreamingRecognizer {
  public:
    // Throws Error(Usage) for a language or task the model does not have.
    WhisperStreamingRecognizer(std::shared_ptr<Model> model, const CaptionOptions &options);

    void begin(const captions::Chunking &chunking, Sample start_sample) override;
    void setChunk(Sample chunk_samples) override;
    void addSound(std::span<const float> sound) override;
    [[nodiscard]] int blocksReady() const override;
    void encodeBlock() override;
    void encodeRest() override;

    [[nodiscard]] std::int64_t frames() const override { return m_sound.frames; }
    [[nodiscard]] std::int64_t maximumFrames() const override { return m_model->dims().n_audio_ctx; }
    [[nodiscard]] std::int64_t maximumTokens() const override { return m_model->dims().n_text_ctx; }
    [[nodiscard]] Sample frameSamples() const override { return m_model->frameSamples(); }
    [[nodiscard]] Sample lookAheadSamples() const override { return lookAheadSamplesOf(m_model->dims().strides()); }
    [[nodiscard]] captions::Chunking defaultChunking() const override { return m_model->defaultChunking(); }
    [[nodiscard]] captions::EncoderState encoderState() const override;

    [[nodiscard]] std::vector<captions::RowScores> score(const captions::ScoreRequest &request) override;
    [[nodiscard]] int decoderPasses() const override { return m_tokens.passes(); }

    // Best asked for after the first block where the language is to be detected.
    [[nodiscard]] std::vector<std::int32_t> prompt(std::string_view previous_text) override;
    [[nodiscard]] std::int32_t endToken() const override { return m_model->tokenizer().endOfText(); }
    [[nodiscard]] std::vector<text::Word> words(std::span<const text::Token> tokens) const override;
    [[nodiscard]] std::string textOf(std::int32_t token_id) const override;

  private:
    void encode(const StreamingMel::Block &block);
    // Takes the frames back that the block up to `end_frame` encodes again.
    void takeBack(std::int64_t end_frame);
    [[nodiscard]] std::vector<captions::RowScores> scoreRows(const captions::ScoreRequest &request);

    std::shared_ptr<Model> m_model;
    CaptionOptions m_options;
    LanguageMemory m_memory;
    std::string m_language;                         // of the newest prompt
    std::vector<std::int64_t> m_never;              // tokens that are never said, ascending
    std::vector<std::int64_t> m_never_while_empty;  // and what is never said first beside them
    Sample m_start_sample = 0;
    std::int64_t m_reencoded_frames = 0;  // Chunking::reencode_samples
    std::optional<StreamingMel> m_mel;    // empty until begin()
    EncoderCache m_encoder_cache;
    SoundCache m_sound;
    TreeDecoder m_tokens;
    std::vector<std::int32_t> m_block_ends;
    bool m_decoded_since_block = false;
    double m_encode_ms = 0;
    double m_decode_ms = 0;
};

}  // namespace braid::models::whisper
