// One live run of captions, seen from the worker: sound and voice activity in time order go in, committed items and the present
// tail come out. Knows no threads, files or clocks but the one that measures compute time.
//
// Guarantees, whatever the policy does: the model hears nothing outside utterances; items are only ever appended; word times are
// ordered and never lie in the future; with StepPacing::EveryStep the result depends on the sound alone, not on how it was cut up.
// Thread: one, the engine worker's. Errors: what the policy throws passes through; items given out before stay valid.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/audio/voice_activity.h"
#include "core/base/sample_clock.h"
#include "core/captions/caption_policy.h"
#include "core/captions/revision_log.h"
#include "core/runtime/step_times.h"
#include "core/text/line_breaks.h"
#include "core/text/transcript.h"

namespace braid::captions {

enum class StepPacing : std::uint8_t {
    EveryStep = 1,  // a step at every multiple of the policy's chunk, counted from the utterance's begin
    CatchUp,        // the machine is behind: several chunks in one step
};

struct SessionOptions {
    audio::VoiceGateOptions voice;                    // as the gate uses them: a pause contains hang-over and pre-roll
    text::LineRule lines;                             // where a new line begins
    Sample catch_up_samples = samplesFromSeconds(5);  // at most this much new sound in one catching-up step
    std::function<double()> seconds_clock;            // measures compute time; empty: the steady clock
};

// What one step (or a break between utterances) brought.
struct SessionUpdate {
    std::vector<text::TranscriptItem> committed;    // to append; may be empty
    std::vector<text::Word> tail;                   // the whole present tail
    std::shared_ptr<const AttentionMap> attention;  // of the newest step that had one; may be null
    std::shared_ptr<const EncoderState> encoder;    // of the newest step of a streaming model; may be null
    std::optional<runtime::StepTiming> step;        // where a step brought this
    std::vector<Revision> revisions;                // tail words that now say something else, and what they said
};

struct SessionStatistics {
    Sample decoded_samples = 0;    // session time dealt with: seen by the model, or passed over as silence
    Sample tail_start_sample = 0;  // start of the oldest tail word; decoded_samples where the tail is empty
    double compute_seconds = 0;
    double last_step_ms = 0;
    runtime::StepTimeSummary step_times;
    std::int64_t steps = 0;
    std::int64_t decoder_steps = 0;
    std::int64_t committed_words = 0;
    std::int64_t revised_words = 0;  // committed words that had stood differently in the tail before
    std::int64_t revisions = 0;      // how often any tail word was replaced
};

class CaptionSession {
  public:
    // `on_update` is called from within the calls below, after every step and for every item.
    CaptionSession(std::unique_ptr<CaptionPolicy> policy, SessionOptions options, std::function<void(SessionUpdate)> on_update);

    // The calls below come in time order; position() is the session time up to which everything has been given.
    void beginUtterance();
    // Sound of the open utterance. Returns early, between two steps, when `cancel` is requested: the session is then over.
    void hear(std::span<const float> sound, StepPacing pacing, std::stop_token cancel = {});
    void endUtterance();
    // Sound outside utterances: time passes, the model is not touched.
    void skip(Sample length_samples);
    // Lost sound: ends an open utterance. Gaps that touch become one item, given out when sound goes on or the run ends.
    void gap(Sample length_samples, const std::string &reason);
    // Takes effect with the next step.
    void adjust(const PolicySettings &settings);
    // An open utterance is ended and committed by the policy that heard it; `policy` goes on with the next sound, on the same line.
    void changePolicy(std::unique_ptr<CaptionPolicy> policy);
    // The run is over: ends an open utterance, gives out what waits.
    void finish();

    [[nodiscard]] bool inUtterance() const noexcept { return m_in_utterance; }
    [[nodiscard]] Sample position() const noexcept { return m_position; }
    // What the next step waits for, counted from the newest one.
    [[nodiscard]] Sample stepSamples() const noexcept { return m_step_samples; }
    // step_times: the newest steps while the run goes on, all of them after finish().
    [[nodiscard]] SessionStatistics statistics() const;

  private:
    enum class StepKind : std::uint8_t { Within = 1, Last };
    void takeStep(StepKind kind);
    void askForStep();
    void commitWords(std::vector<text::Word> words, std::vector<text::TranscriptItem> &items);
    void fitTimes(text::Word &word, Sample not_before) const;
    void give(text::TranscriptItem item);
    void giveUpdate(SessionUpdate update);
    void giveWaitingGap();

    std::unique_ptr<CaptionPolicy> m_policy;
    SessionOptions m_options;
    std::function<void(SessionUpdate)> m_on_update;
    text::LineBreaker m_line;

    Sample m_position = 0;
    Sample m_step_samples = 1;   // the policy's newest answer
    Sample m_stepped_until = 0;  // while in an utterance: what the newest step has seen
    bool m_in_utterance = false;
    bool m_finished = false;
    std::optional<text::Gap> m_waiting_gap;
    std::optional<Sample> m_waiting_break;  // an utterance ended here in mid-sentence; a long pause makes it a line break
    Sample m_last_word_end = 0;
    std::vector<text::Word> m_tail;
    std::shared_ptr<const AttentionMap> m_attention;
    std::shared_ptr<const EncoderState> m_encoder;
    RevisionLog m_revisions;

    runtime::StepTimes m_step_times;
    SessionStatistics m_statistics;
};

}  // namespace braid::captions
