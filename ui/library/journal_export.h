// Saving what a journal holds, as the page of its kind saves it. Errors: braid::Error; Error(Input) where it is no journal.
#pragma once

#include <filesystem>

#include <QStringList>

#include "core/runtime/run_journal_reader.h"

namespace braid::ui {

[[nodiscard]] QStringList journalFilters(runtime::RunKind kind);
void exportJournal(const std::filesystem::path &folder, const std::filesystem::path &file);

}  // namespace braid::ui
