// What the journal of a translation gives back: what the window and braid-cli open.
// Errors: Error(Input) where it is no such journal; a damaged line costs itself and what cannot stand without it. Thread: any.
#pragma once

#include <filesystem>
#include <vector>

#include "core/engine/run_journal_reader.h"
#include "core/engine/translation_events.h"

namespace braid::engine {

struct RecoveredTranslation {
    RunJournalInfo info;  // `model`: what translated its first sentence
    JournalState state = JournalState::Interrupted;
    // TranslatorChanged and those of the session: numbered and in the order in which a session tells them.
    std::vector<TranslationEventBody> events;
};

[[nodiscard]] RecoveredTranslation readTranslationJournal(const std::filesystem::path &folder);

}  // namespace braid::engine
