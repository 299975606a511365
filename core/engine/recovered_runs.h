// What the journals of conversations and translations give back: the very objects that the window and braid-cli open. Thread: any.
// Errors: Error(Input) where it is no such journal; a damaged line costs itself and what cannot stand without it.
#pragma once

#include <filesystem>
#include <vector>

#include "core/engine/run_journal.h"
#include "core/engine/translation_events.h"
#include "core/streams/conversation.h"

namespace braid::engine {

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

[[nodiscard]] RecoveredConversation readConversationJournal(const std::filesystem::path &folder);
[[nodiscard]] RecoveredTranslation readTranslationJournal(const std::filesystem::path &folder);

}  // namespace braid::engine
