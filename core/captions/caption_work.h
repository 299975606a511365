// Everything one run of captions owns, shared by its pump thread, its worker thread and the engine. Held by shared_ptr: a source that never
// answers may keep its pump thread for ever, and must then not keep anything else from ending.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <thread>
#include <vector>

#include "core/captions/caption_board.h"
#include "core/captions/caption_engine.h"
#include "core/captions/correction_inlet.h"
#include "core/captions/feed.h"
#include "core/captions/policy_changes.h"
#include "core/captions/sound_store.h"
#include "core/runtime/run.h"

namespace braid::captions {

inline constexpr Sample kSoundKeptSamples = samplesFromSeconds(600);

struct CaptionWork : runtime::Run<CaptionEvent, CaptionBoard> {
    CaptionWork(std::uint64_t run_generation, CaptionRun run_config, std::shared_ptr<runtime::EventQueue<CaptionEvent>> event_queue);

    CaptionRun config;
    SoundStore store{kSoundKeptSamples};
    Feed feed;
    PolicyChanges policy_changes;
    CorrectionInlet corrections;

    std::atomic<bool> stop_requested = false;
    std::stop_source stop_loading;  // the model only: cancelled with the run, or because the source could not be opened
    std::thread pump;               // joined, or left behind, by the worker
    runtime::DoneFlag pump_done;

    void requestStop();
    void requestCancel();
    [[nodiscard]] bool cancelled() const { return cancel.stop_requested(); }
    // The present sound and, before it, the journal's; shorter where nothing is kept.
    [[nodiscard]] std::vector<float> sound(Sample start, Sample length) const;
    // Whether stop or cancel was asked for so long ago that the source must be given up.
    [[nodiscard]] bool sourceIsStuck() const;

  private:
    std::atomic<std::int64_t> m_asked_to_end_ms = 0;  // steady clock; 0: not asked
};

// The threads' bodies. They throw nothing.
void runPump(CaptionWork &run);
void runCaptions(CaptionWork &run);

}  // namespace braid::captions
