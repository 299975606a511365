// What the journal of a conversation gives back: what the window and braid-cli open.
// Errors: Error(Input) where it is no such journal; a damaged line costs itself and what cannot stand without it. Thread: any.
#pragma once

#include <filesystem>

#include "core/runtime/run_journal_reader.h"
#include "core/streams/conversation.h"

namespace braid::streams {

struct RecoveredConversation {
    runtime::RunJournalInfo info;
    runtime::JournalState state = runtime::JournalState::Interrupted;
    Conversation conversation;  // its rewinds and ends included
};

[[nodiscard]] RecoveredConversation readConversationJournal(const std::filesystem::path &folder);

}  // namespace braid::streams
