#include "core/streams/streams_journal.h"

#include <string_view>

namespace braid::streams {

RecoveredConversation readConversationJournal(const std::filesystem::path &folder)
{
    const runtime::RunJournalReader journal(folder, runtime::RunKind::Conversation);
    ConversationReader reader(journal.conversation(), folder.string());
    const runtime::JournalState state = journal.forEachEvent([&reader](std::string_view line) { reader.addEvent(line); });
    return {journal.info(), state, reader.take()};
}

}  // namespace braid::streams
