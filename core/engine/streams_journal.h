// What the journal of a conversation gives back: what the window and braid-cli open.
// Errors: Error(Input) where it is no such journal; a damaged line costs itself and what cannot stand without it. Thread: any.
#pragma once

#include <filesystem>

#include "core/engine/run_journal_reader.h"
#include "core/streams/conversation.h"

namespace braid::engine {

struct RecoveredConversation {
    RunJournalInfo info;
    JournalState state = JournalState::Interrupted;
    streams::Conversation conversation;  // its rewinds and ends included
};

[[nodiscard]] RecoveredConversation readConversationJournal(const std::filesystem::path &folder);

}  // namespace braid::engine
