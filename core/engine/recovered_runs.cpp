#include "core/engine/recovered_runs.h"

#include "core/base/error.h"
#include "core/engine/translation_reader.h"

namespace braid::engine {
namespace {

void requireKind(const RunJournalReader &journal, RunKind kind, const std::filesystem::path &folder)
{
    if (journal.info().kind != kind) {
        throw Error(ErrorKind::Input, kind == RunKind::Conversation ? "this is the journal of a translation" : "this is the journal of a conversation", folder.string());
    }
}

}  // namespace

RecoveredConversation readConversationJournal(const std::filesystem::path &folder)
{
    const RunJournalReader journal(folder);
    requireKind(journal, RunKind::Conversation, folder);
    streams::ConversationReader reader(journal.conversation(), folder.string());
    const JournalState state = journal.forEachEvent([&reader](std::string_view line) { reader.addEvent(line); });
    return {journal.info(), state, reader.take()};
}

RecoveredTranslation readTranslationJournal(const std::filesystem::path &folder)
{
    const RunJournalReader journal(folder);
    requireKind(journal, RunKind::Translation, folder);
    TranslationReader reader;
    const JournalState state = journal.forEachEvent([&reader](std::string_view line) { reader.addEvent(line); });
    return {journal.info(), state, reader.take()};
}

}  // namespace braid::engine
