// Everything one run owns, shared by its pump thread, its worker thread and the engine. Held by shared_ptr: a source that never
// answers may keep its pump thread for ever, and must then not keep anything else from ending.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "core/engine/caption_engine.h"
#include "core/engine/done_flag.h"
#include "core/engine/event_queue.h"
#include "core/engine/feed.h"
#include "core/engine/journal_thread.h"
#include "core/engine/outlet.h"
#include "core/engine/policy_changes.h"
#include "core/engine/sound_store.h"

namespace braid::engine {

inline constexpr Sample kSoundKeptSamples = samplesFromSeconds(600);

using CaptionEvents = EventQueue<CaptionEvent>;

struct Run {
    Run(std::uint64_t run_generation, CaptionRun run_config, std::shared_ptr<CaptionEvents> event_queue);

    const std::uint64_t generation;
    CaptionRun config;
    const std::shared_ptr<CaptionEvents> events;
    SnapshotBoard board;
    SoundStore store{kSoundKeptSamples};
    Feed feed;
    PolicyChanges policy_changes;

    std::atomic<bool> stop_requested = false;
    std::stop_source cancel;        // the whole run
    std::stop_source stop_loading;  // the model only: cancelled with the run, or because the source could not be opened
    DoneFlag pump_done;
    DoneFlag worker_done;
    std::unique_ptr<JournalThread> journal;  // null without journal

    void requestStop();
    void requestCancel();
    [[nodiscard]] bool cancelled() const { return cancel.stop_requested(); }
    // Notices that come before Started wait for it: Started is the first event of a run.
    void notice(std::string sentence);
    void publishStarted(Started started);
    // The present sound and, before it, the journal's; shorter where nothing is kept.
    [[nodiscard]] std::vector<float> sound(Sample start, Sample length) const;
    // Whether stop or cancel was asked for so long ago that the source must be given up.
    [[nodiscard]] bool sourceIsStuck() const;

  private:
    void releaseNotices();

    std::mutex m_notice_mutex;
    bool m_started = false;
    bool m_finished = false;
    std::vector<std::string> m_held_notices;
    std::atomic<std::int64_t> m_asked_to_end_ms = 0;  // steady clock; 0: not asked
    friend void giveFinished(Run &run, std::optional<RunFailure> failure, Statistics statistics);
};

// The threads' bodies. They throw nothing.
void runPump(Run &run);
void runWorker(Run &run);
// The end of a run: Failed, where there was a failure, then Finished.
void giveFinished(Run &run, std::optional<RunFailure> failure, Statistics statistics);

}  // namespace braid::engine
