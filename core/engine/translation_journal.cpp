#include "core/engine/translation_journal.h"

#include <string_view>

#include "core/engine/translation_reader.h"

namespace braid::engine {

RecoveredTranslation readTranslationJournal(const std::filesystem::path &folder)
{
    const RunJournalReader journal(folder, RunKind::Translation);
    TranslationReader reader;
    const JournalState state = journal.forEachEvent([&reader](std::string_view line) { reader.addEvent(line); });
    return {journal.info(), state, reader.take()};
}

}  // namespace braid::engine
