// Speech into words by a language model that listens: sound through the encoder in segments, their rows read by a run over one cache, words written by wait-k
// with as many tokens a step as asked for. All of that is what translation has (lm::Translator, translation::WaitKTranslator); here a reading unit is a
// segment. Source: "LLM as Effective Streaming Processor", appendix B.1; "Faster Speech-LLaMA with multi-token prediction", section III. Torch header. Thread:
// one.
#pragma once

#include <memory>
#include <optional>

#include "core/captions/segment_transcriber.h"
#include "core/model_access/caption_model.h"
#include "core/models/decoder_lm/translator.h"
#include "core/models/speech_lm/speech_lm.h"
#include "core/translation/wait_k.h"

namespace braid::models::speech {

class SegmentWriter final : public captions::SegmentTranscriber {
  public:
    // Errors: Error(Usage) for options that cannot be: a paradigm that does not stream speech, heads the model lacks, a language it does not have.
    SegmentWriter(std::shared_ptr<const SpeechLm> model, const CaptionOptions &options);

    void begin() override;
    void addSound(std::span<const float> sound) override;
    [[nodiscard]] bool segmentReady() const override;
    [[nodiscard]] captions::SegmentStep readSegment() override;
    [[nodiscard]] captions::SegmentStep finish() override;
    [[nodiscard]] bool isFull() const override;

    [[nodiscard]] Sample segmentSamples() const override { return m_chunking.chunk_samples; }
    [[nodiscard]] Sample lookAheadSamples() const override { return m_model->encoder->lookAheadSamples(); }
    [[nodiscard]] std::int64_t segmentsAhead() const override { return m_wait_k.k; }

    // Since it was made: what the language model read and wrote.
    [[nodiscard]] translation::TranslationCost cost() const { return m_translator.cost(); }

  private:
    // The sound up to `until` of the window through the encoder; its rows become one unit.
    void read(Sample until);
    void addUnit(const at::Tensor &rows);
    [[nodiscard]] captions::SegmentStep write();

    std::shared_ptr<const SpeechLm> m_model;
    captions::Chunking m_chunking;
    translation::WaitKSettings m_wait_k;
    lm::Translator m_translator;
    translation::WaitKTranslator m_waiting;
    std::unique_ptr<SpeechStream> m_stream;
    std::vector<float> m_sound;  // not yet given to the stream
    Sample m_given = 0;          // to the stream, since begin()
    std::int64_t m_segments = 0;
};

}  // namespace braid::models::speech
