// Runs live captions: a pump thread that reads the source, a worker thread that owns the model, and two outlets.
//
// Ownership: the window or braid-cli owns one engine and may start runs on it one after the other. Threads: every public function
// may be called from the owner's thread and never waits for sound or model (the destructor does: it stops and joins).
// Errors: start() throws nothing that a run can report; troubles come as Failed events with a sentence.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/audio/source_spec.h"
#include "core/audio/voice_activity.h"
#include "core/captions/caption_events.h"
#include "core/captions/caption_policy.h"
#include "core/text/correction.h"
#include "core/text/line_breaks.h"

namespace braid::captions {

// Loads a model and makes the policy that runs on it; called on the worker thread. `progress(fraction, what)` may be called often.
using PolicyFactory = std::function<std::unique_ptr<CaptionPolicy>(const std::function<void(double, std::string)> &progress, std::stop_token stop)>;

// Whether every change of the tail is also an event (braid-cli's JSON), or only in the snapshot (the window).
enum class TailReporting : std::uint8_t { SnapshotOnly = 1, EveryChange };

struct CaptionRun {
    std::function<std::unique_ptr<audio::Source>()> open_source;  // called on the pump thread
    PolicyFactory make_policy;
    std::string model_name;                // for Started and the journal
    std::filesystem::path journal_folder;  // where this run's journal is made; empty: no journal
    audio::VoiceGateOptions voice;
    text::LineRule lines;
    // Sound of a Fast source may run ahead of the worker by at most this much; Live and Realtime never wait.
    Sample read_ahead_samples = samplesFromSeconds(60);
    TailReporting tail_reporting = TailReporting::SnapshotOnly;
    std::function<std::unique_ptr<audio::VoiceDetector>()> make_detector;  // empty: the best one of this build
    // How long a source may leave a stop() or cancel() unanswered before the run goes on without it.
    std::chrono::milliseconds source_patience{3000};
};

class CaptionEngine {
  public:
    CaptionEngine();
    ~CaptionEngine();
    CaptionEngine(const CaptionEngine &) = delete;
    CaptionEngine &operator=(const CaptionEngine &) = delete;

    // Starts a run; one still going is cancelled first. Returns its generation, which every event and snapshot of it carries.
    std::uint64_t start(CaptionRun run);
    // Stops listening and captions what was heard; ends with Finished.
    void stop();
    // Ends at once; what is committed stays committed.
    void cancel();

    // The settings of the policy that runs; it takes them before its next step. While the first policy loads: once it is there.
    void adjust(const PolicySettings &settings);
    // Another policy for the present run. It is made on the worker thread while sound goes on being kept; then the open utterance is
    // ended and committed by the old one, and the new one goes on with the next sound. No sound and nothing committed is lost; run,
    // clock and journal go on. Where it cannot be made, a Notice says so and the old policy stays. The newest wish counts.
    void changePolicy(PolicyFactory make_policy);

    // What a person corrected in words of the present run: kept in its journal. False where the run takes nothing any more; then they can be appended to
    // its journal once it is over (keepCorrections() of caption_journal.h).
    [[nodiscard]] bool keepCorrections(const std::vector<text::WordCorrection> &corrections);

    // Events since the last call, in order.
    [[nodiscard]] std::vector<CaptionEvent> takeEvents();
    // The newest state; never null.
    [[nodiscard]] std::shared_ptr<const CaptionSnapshot> snapshot() const;
    // The sound of the present run from `start`, for playing a word and drawing the waveform; silence in gaps; shorter at the end.
    // Thread: any. From memory for the newest ten minutes, from the journal before that.
    [[nodiscard]] std::vector<float> sound(Sample start, Sample length) const;
    // Where the present run's journal lies; empty without one.
    [[nodiscard]] std::filesystem::path journalFolder() const;
    // Blocks until the run is over or the time is up; true when over. For braid-cli and tests.
    [[nodiscard]] bool waitUntilFinished(std::optional<double> seconds = {});

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

}  // namespace braid::captions
