// LocalAgreement-2 (Ufal-Whisper): the window of sound since the last settled words is recognised again at every step, and what two
// consecutive hypotheses agree on, from the front, is committed. Source: Machacek, Dabre and Bojar 2023, "Turning Whisper into
// Real-Time Transcription System", section 3; facts in shared/reference/streaming-asr.md, 3.
//
// Thread: the engine worker's. Ownership: the policy owns its recogniser. Errors: braid::Error of the recogniser pass through.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/captions/caption_policy.h"
#include "core/captions/recognizer.h"
#include "core/captions/sound_window.h"
#include "core/captions/utterance_book.h"
#include "core/captions/word_guards.h"

namespace braid::captions {

struct LocalAgreementOptions {
    Sample step_samples = samplesFromMs(700);
    // Above this the window is trimmed: at a settled sentence end, else at a segment end of the model, else at the last settled word.
    // Never more than three quarters of what the recogniser takes.
    Sample window_limit_samples = samplesFromSeconds(15);
    // A word that ends closer than this to the end of the sound is not committed while the utterance goes on: it may be half a word.
    Sample commit_guard_samples = samplesFromMs(200);
    PromptOptions prompt;
    // A hypothesis above this compression ratio commits nothing while the utterance goes on.
    float compression_ratio_limit = 2.4f;
    // A hypothesis that the model itself takes for silence (both hold) counts as empty.
    float no_speech_limit = 0.6f;
    float no_speech_log_probability = -1.0f;
};

class LocalAgreementPolicy final : public CaptionPolicy {
  public:
    explicit LocalAgreementPolicy(std::unique_ptr<WindowRecognizer> recognizer, LocalAgreementOptions options = {});

    [[nodiscard]] std::string name() const override { return "local-agreement"; }
    [[nodiscard]] Sample stepSamples() const override { return m_options.step_samples; }
    void beginUtterance(Sample start_sample) override;
    void addSound(std::span<const float> sound) override;
    [[nodiscard]] PolicyUpdate step() override;
    [[nodiscard]] PolicyUpdate endUtterance() override;

    // Sound held for the next recognition; bounded however long the utterance is.
    [[nodiscard]] Sample windowSamples() const noexcept { return m_window.length(); }

  private:
    // The tail of the book is then what was heard and is not yet committed. Returns where the model itself ended segments.
    [[nodiscard]] std::vector<Sample> lookAt(Sample until, PolicyUpdate &update);
    void catchUp(PolicyUpdate &update);
    void trim(std::span<const Sample> segment_ends, Sample until, PolicyUpdate &update);
    void dropSoundBefore(Sample sample);
    [[nodiscard]] Sample windowLimit() const;

    std::unique_ptr<WindowRecognizer> m_recognizer;
    LocalAgreementOptions m_options;
    SoundWindow m_window;
    UtteranceBook m_book;
    std::shared_ptr<const AttentionMap> m_attention;
    Sample m_looked_until = 0;                       // the newest hypothesis has seen the sound up to here
    Reliability m_reliability = Reliability::Sound;  // of the newest hypothesis
};

}  // namespace braid::captions
