// AlignAtt (Simul-Whisper): decode word by word, and stop as soon as a token attends too near the end of the sound, because what is
// said there is not all heard yet. Source: Wang et al. 2024, "Simul-Whisper: Attention-Guided Streaming Whisper with Truncation
// Detection", section 3; Papi, Turchi and Negri 2023, "AlignAtt"; facts in shared/reference/streaming-asr.md, 3.
//
// What it has committed it never decodes again: the tokens are forced at the next step. What lies beyond the stop is decoded too, and
// shown as the tail.
//
// Thread: the engine worker's. Ownership: the policy owns its decoder. Errors: braid::Error of the decoder pass through.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/decoding/caption_policy.h"
#include "core/decoding/prompt_text.h"
#include "core/decoding/recognizer.h"
#include "core/decoding/revision_tracker.h"
#include "core/decoding/sound_window.h"

namespace braid::decoding {

struct AlignAttOptions {
    Sample step_samples = samplesFromMs(500);
    // A token whose most attended frame lies within this of the end of the sound is held back (four frames of 20 ms in the paper).
    Sample frame_threshold_samples = samplesFromMs(80);
    // A token that attends further back than this behind the one before it has lost its place: decoding stops before it.
    Sample rewind_samples = samplesFromMs(4000);
    // Truncation: the last word of all is held back when it ends within this of the end of the sound, for it may be half spoken.
    Sample last_word_guard_samples = samplesFromMs(400);
    // Above the limit the oldest sound is dropped, with the tokens that are aligned to it, until this much is left. Never more than the
    // decoder takes.
    Sample window_limit_samples = samplesFromSeconds(20);
    Sample window_keep_samples = samplesFromSeconds(10);
    PromptOptions prompt;
};

class AlignAttPolicy final : public CaptionPolicy {
  public:
    explicit AlignAttPolicy(std::unique_ptr<StepDecoder> decoder, AlignAttOptions options = {});

    [[nodiscard]] std::string name() const override { return "align-att"; }
    [[nodiscard]] Sample stepSamples() const override { return m_options.step_samples; }
    void beginUtterance(Sample start_sample) override;
    void addSound(std::span<const float> sound) override;
    [[nodiscard]] PolicyUpdate step() override;
    [[nodiscard]] PolicyUpdate endUtterance() override;

    // Sound held for the next step; bounded however long the utterance is.
    [[nodiscard]] Sample windowSamples() const noexcept { return m_window.length(); }

  private:
    enum class Ending { Open = 1, Final };
    struct Settled {
        std::int32_t token_id = 0;
        Sample end_sample = 0;  // of the word it belongs to
    };
    struct Look {
        std::vector<text::Word> words;  // beyond the committed ones
        std::size_t settled_words = 0;  // of these, how many may be committed
        bool stopped_by_guard = false;  // there may be more speech behind the last word
    };

    [[nodiscard]] Look lookAt(Sample until, Ending ending, PolicyUpdate &update);
    void commit(std::vector<text::Word> &words, std::size_t count, Sample heard, PolicyUpdate &update);
    void catchUp(PolicyUpdate &update);
    void trim(std::vector<text::Word> &tail, Sample until, PolicyUpdate &update);
    void dropSoundBefore(Sample sample);
    [[nodiscard]] Sample windowLimit() const;

    std::unique_ptr<StepDecoder> m_decoder;
    AlignAttOptions m_options;
    SoundWindow m_window;
    PromptText m_prompt;
    RevisionTracker m_tracker;
    std::vector<Settled> m_settled;          // committed tokens whose sound is still in the window
    std::vector<text::Word> m_recent;        // the newest committed words, for the guard against loops
    Sample m_settled_until = 0;              // end of the newest committed word
    std::vector<text::Word> m_unsettled;
    std::shared_ptr<const AttentionMap> m_attention;
    Sample m_looked_until = 0;
};

}  // namespace braid::decoding
