// What the journal of a run of captions gives back: what the window and braid-cli open.
// Errors: Error(Input) where it is no such journal; a damaged line costs itself and what cannot stand without it. Thread: any.
#pragma once

#include <filesystem>
#include <vector>

#include "core/base/sample_clock.h"
#include "core/runtime/run_journal_reader.h"
#include "core/text/correction.h"
#include "core/text/transcript.h"

namespace braid::captions {

struct RecoveredCaptions {
    std::filesystem::path folder;
    runtime::RunJournalInfo info;  // `policy`: "a, then b" where it was changed while the run went on
    runtime::JournalState state = runtime::JournalState::Interrupted;
    text::Transcript transcript;
    Sample sound_samples = 0;
};

// With what a person corrected.
[[nodiscard]] RecoveredCaptions readCaptionsJournal(const std::filesystem::path &folder);
// Appends corrections to the journal of a run that is over, and marks it as dealt with. Throws Error(Storage); Error(Input) where its run still goes on or it
// is of an older Braid, whose journals are read and not written. Writes to the disk: not for the GUI thread.
void keepCorrections(const std::filesystem::path &folder, const std::vector<text::WordCorrection> &corrections);

}  // namespace braid::captions
