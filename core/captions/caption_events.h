// What a running caption session tells the outside: a lossless list of events and one latest-wins snapshot (design: "Threads").
// Plain data, no torch, no Qt.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "core/base/sample_clock.h"
#include "core/captions/caption_policy.h"
#include "core/captions/revision_log.h"
#include "core/runtime/run_events.h"
#include "core/runtime/step_times.h"
#include "core/text/transcript.h"

namespace braid::captions {

struct Statistics {
    Sample heard_samples = 0;     // session time captured so far
    Sample decoded_samples = 0;   // session time the model has seen (silence counts as seen)
    double compute_lag_ms = 0;    // captured but not yet processed
    double policy_lag_ms = 0;     // processed but held back by the policy: age of the oldest tail word
    double real_time_factor = 0;  // compute seconds per second of sound decoded
    double step_ms_median = 0;    // compute per policy step
    double step_ms_p95 = 0;
    std::int64_t steps = 0;
    std::int64_t decoder_steps = 0;
    std::int64_t committed_words = 0;
    std::int64_t revised_words = 0;
    std::int64_t revisions = 0;  // how often any tail word was replaced
};

// --- lossless events, in order (and Notice, Failed: run_events.h) --------------------------------------------------------------
struct Started {
    std::string source;
    std::string model;
    std::string policy;
    Sample length_samples = 0;  // of the source; 0 where unknown or endless
};
struct Committed {
    std::vector<text::TranscriptItem> items;
};  // appended to the transcript, never changed later
struct Tail {
    std::vector<text::Word> words;
    Sample decoded_samples = 0;
};  // only in runs that ask for it (TailReporting::EveryChange)
struct Finished {
    Statistics statistics;
};  // always the last event of a run
using CaptionEventBody = std::variant<Started, Committed, runtime::Notice, runtime::Failed, Finished, Tail>;
struct CaptionEvent {
    std::uint64_t generation = 0;  // the run it belongs to; drop those of older runs
    CaptionEventBody body;
};

// --- latest-wins snapshot ------------------------------------------------------------------------------------------------------
enum class VoiceState : std::uint8_t {
    NoSound = 1,  // nothing arrives, or nothing but zeros: the source is muted or another one is meant
    Silence,
    NoSpeech,  // sound, but nobody speaks
    Speech,
};

inline constexpr std::size_t kStepsShown = 120;
inline constexpr std::size_t kRevisionsShown = 64;

struct CaptionSnapshot {
    std::uint64_t generation = 0;
    runtime::RunState state = runtime::RunState::Idle;
    std::string activity;  // "loading captions-en (40 %)", "listening", ...
    double loading_fraction = 0;
    VoiceState voice = VoiceState::NoSound;
    float level_peak = 0;  // of the newest 100 ms, linear 0..1
    float level_rms = 0;
    std::string policy;  // the name of the policy that runs; empty while the first one loads
    std::vector<text::Word> tail;
    std::shared_ptr<const AttentionMap> attention;
    std::shared_ptr<const EncoderState> encoder;  // of a streaming model; else null
    std::shared_ptr<const std::vector<runtime::StepTiming>> steps =
        std::make_shared<const std::vector<runtime::StepTiming>>();  // the newest kStepsShown, oldest first; never null
    std::shared_ptr<const std::vector<Revision>> revisions =
        std::make_shared<const std::vector<Revision>>();  // the newest kRevisionsShown of statistics.revisions; never null
    Statistics statistics;
};

}  // namespace braid::captions
