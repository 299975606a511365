#include "core/engine/streams_journal.h"

#include <string_view>

namespace braid::engine {

RecoveredConversation readConversationJournal(const std::filesystem::path &folder)
{
    const RunJournalReader journal(folder, RunKind::Conversation);
    streams::ConversationReader reader(journal.conversation(), folder.string());
    const JournalState state = journal.forEachEvent([&reader](std::string_view line) { reader.addEvent(line); });
    return {journal.info(), state, reader.take()};
}

}  // namespace braid::engine
