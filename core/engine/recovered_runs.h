// What journals give back: the very objects that the window and braid-cli open. Thread: any.
// Errors: Error(Input) where it is no such journal; a damaged line costs itself and what cannot stand without it.
#pragma once

#include <filesystem>
#include <vector>

#include "core/engine/run_journal_reader.h"
#include "core/engine/translation_events.h"
#include "core/streams/conversation.h"
#include "core/text/transcript.h"

namespace braid::engine {

struct RecoveredCaptions {
    std::filesystem::path folder;
    RunJournalInfo info;  // `policy`: "a, then b" where it was changed while the run went on
    JournalState state = JournalState::Interrupted;
    text::Transcript transcript;
    Sample sound_samples = 0;
};

struct RecoveredConversation {
    RunJournalInfo info;
    JournalState state = JournalState::Interrupted;
    streams::Conversation conversation;  // its rewinds and ends included
};

struct RecoveredTranslation {
    RunJournalInfo info;  // `model`: what translated its first sentence
    JournalState state = JournalState::Interrupted;
    // TranslatorChanged and those of the session: numbered and in the order in which a session tells them.
    std::vector<TranslationEventBody> events;
};

[[nodiscard]] RecoveredCaptions readCaptionsJournal(const std::filesystem::path &folder);
[[nodiscard]] RecoveredConversation readConversationJournal(const std::filesystem::path &folder);
[[nodiscard]] RecoveredTranslation readTranslationJournal(const std::filesystem::path &folder);

}  // namespace braid::engine
