// What the journal of a run of captions gives back: what the window and braid-cli open.
// Errors: Error(Input) where it is no such journal; a damaged line costs itself and what cannot stand without it. Thread: any.
#pragma once

#include <filesystem>

#include "core/base/sample_clock.h"
#include "core/runtime/run_journal_reader.h"
#include "core/text/transcript.h"

namespace braid::captions {

struct RecoveredCaptions {
    std::filesystem::path folder;
    runtime::RunJournalInfo info;  // `policy`: "a, then b" where it was changed while the run went on
    runtime::JournalState state = runtime::JournalState::Interrupted;
    text::Transcript transcript;
    Sample sound_samples = 0;
};

[[nodiscard]] RecoveredCaptions readCaptionsJournal(const std::filesystem::path &folder);

}  // namespace braid::captions
