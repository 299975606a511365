// Offers runs that a crash cut off in a page's notices: open the newest, or have none of them offered again. GUI thread.
#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include <QString>

#include "core/runtime/run_journal_reader.h"
#include "ui/shared/notice_bar.h"

namespace braid::ui {

// `runs`: of one kind, the newest first; without any nothing is shown. `open` is called with the one to open, and what is left is offered after it.
// `notices` and what the functions hold outlive it.
void offerInterruptedRuns(NoticeStack &notices, const std::vector<runtime::InterruptedRun> &runs,
                          const std::function<void(const runtime::InterruptedRun &)> &open, const std::function<void(const QString &sentence)> &raise_problem);

// An opened journal: where its run was cut off it is not offered again; what keeps it from that is raised.
void settleIfInterrupted(const std::filesystem::path &folder, runtime::JournalState state, const std::function<void(const QString &sentence)> &raise_problem);

}  // namespace braid::ui
