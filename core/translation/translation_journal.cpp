#include "core/translation/translation_journal.h"

#include <string_view>

#include "core/translation/translation_reader.h"

namespace braid::translation {

RecoveredTranslation readTranslationJournal(const std::filesystem::path &folder)
{
    const runtime::RunJournalReader journal(folder, runtime::RunKind::Translation);
    TranslationReader reader;
    const runtime::JournalState state = journal.forEachEvent([&reader](std::string_view line) { reader.addEvent(line); });
    return {journal.info(), state, reader.take()};
}

}  // namespace braid::translation
