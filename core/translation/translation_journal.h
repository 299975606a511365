// What the journal of a translation gives back: what the window and braid-cli open.
// Errors: Error(Input) where it is no such journal; a damaged line costs itself and what cannot stand without it. Thread: any.
#pragma once

#include <filesystem>
#include <vector>

#include "core/runtime/run_journal_reader.h"
#include "core/translation/translation_run_events.h"

namespace braid::translation {

struct RecoveredTranslation {
    runtime::RunJournalInfo info;  // `model`: what translated its first sentence
    runtime::JournalState state = runtime::JournalState::Interrupted;
    // TranslatorChanged and those of the session: numbered and in the order in which a session tells them.
    std::vector<TranslationEventBody> events;
};

[[nodiscard]] RecoveredTranslation readTranslationJournal(const std::filesystem::path &folder);

}  // namespace braid::translation
