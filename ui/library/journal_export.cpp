#include "ui/library/journal_export.h"

#include "core/captions/caption_journal.h"
#include "core/streams/streams_journal.h"
#include "core/translation/translation_journal.h"
#include "ui/shared/export.h"
#include "ui/translation/translation_export.h"

namespace braid::ui {
namespace {

void exportCaptions(const captions::RecoveredCaptions &captions, const std::filesystem::path &file)
{
    exportTranscript(captions.transcript, file, {captions.info.source, captions.info.model, captions.info.policy, captions.info.started_at});
}

}  // namespace

QStringList journalFilters(runtime::RunKind kind)
{
    switch (kind) {
    case runtime::RunKind::Captions:
        return exportFilters();
    case runtime::RunKind::Conversation:
        return conversationFilters();
    case runtime::RunKind::Translation:
        break;
    }
    return translationFilters();
}

void exportJournal(const std::filesystem::path &folder, const std::filesystem::path &file)
{
    switch (runtime::RunJournalReader(folder).info().kind) {
    case runtime::RunKind::Captions:
        return exportCaptions(captions::readCaptionsJournal(folder), file);
    case runtime::RunKind::Conversation:
        return exportConversation(streams::readConversationJournal(folder).conversation, file);
    case runtime::RunKind::Translation:
        break;
    }
    BilingualText text;
    appendRecovered(text, translation::readTranslationJournal(folder));
    exportTranslation(text, file);
}

}  // namespace braid::ui
