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
#include <span>
#include <string>
#include <vector>

#include "core/captions/caption_policy.h"
#include "core/captions/recognizer.h"
#include "core/captions/sound_window.h"
#include "core/captions/utterance_book.h"
#include "core/captions/word_guards.h"

namespace braid::captions {

struct AlignAttOptions {
    Sample step_samples = samplesFromMs(500);
    // A token whose most attended frame lies within this of the end of the sound is held back (four frames of 20 ms in the paper).
    Sample frame_threshold_samples = samplesFromMs(80);
    // A token that attends further back than this behind the one before it has lost its place: decoding stops before it.
    Sample rewind_samples = samplesFromMs(4000);
    // Truncation: the last word of all is held back when it ends within this of the end of the sound, for it may be half spoken.
    Sample last_word_guard_samples = samplesFromMs(400);
    // Above the limit the oldest sound is dropped, with the tokens that are aligned to it, until about `window_keep_samples` are left. Never
    // more than three quarters of what the decoder takes.
    Sample window_limit_samples = samplesFromSeconds(20);
    Sample window_keep_samples = samplesFromSeconds(10);
    // When so much sound after the last committed word has given no word, decoding starts afresh behind that word.
    Sample stall_samples = samplesFromMs(4000);
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
    struct Decoded {
        text::Token token;
        Sample attended_sample = 0;  // where the most attended frame begins; never before that of the token in front
        bool is_held = false;        // attends too near the end of the sound, or stands behind one that does
    };

    // The tail of the book is then what was heard beyond the committed words. Returns how many of it may be committed.
    [[nodiscard]] std::size_t lookAt(Sample until, Ending ending, PolicyUpdate &update);
    [[nodiscard]] std::vector<Decoded> decode(Sample until, PolicyUpdate &update);
    [[nodiscard]] std::vector<text::Word> timedWords(std::span<const Decoded> tokens, Sample until) const;
    void commit(std::size_t count, Sample heard, PolicyUpdate &update);
    void catchUp(PolicyUpdate &update);
    void trim(Sample until, PolicyUpdate &update);
    void dropSoundBefore(Sample sample);
    [[nodiscard]] Sample settledUntil() const { return m_book.settledUntil(m_window.start()); }

    std::unique_ptr<StepDecoder> m_decoder;
    AlignAttOptions m_options;
    SoundWindow m_window;
    UtteranceBook m_book;
    std::vector<Settled> m_settled;  // committed tokens whose sound is still in the window: forced at the next look
    std::shared_ptr<const AttentionMap> m_attention;
    Sample m_looked_until = 0;
    Reliability m_reliability = Reliability::Sound;  // Doubtful: the newest look was cut short, there may be more speech behind it
};

}  // namespace braid::captions
