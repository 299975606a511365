// `braid-cli recover`: interrupted sessions, listed or written out.
#include <cstdio>

#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/engine/journal.h"

namespace braid::cli {
namespace {

namespace fs = std::filesystem;

std::size_t wordCount(const text::Transcript &transcript)
{
    std::size_t words = 0;
    for (const auto &item : transcript) {
        words += std::holds_alternative<text::Word>(item) ? 1 : 0;
    }
    return words;
}

void list(const fs::path &parent)
{
    const auto journals = engine::findInterruptedJournals(parent);
    if (journals.empty()) {
        std::printf("No interrupted session in %s.\n", parent.c_str());
    }
    for (const auto &journal : journals) {
        std::printf("%s  %s  %s  %zu words, %s of sound\n    %s\n", journal.folder.filename().c_str(), journal.info.started_at.c_str(), journal.info.source.c_str(), wordCount(journal.transcript),
                    formatClock(journal.sound_samples).c_str(), (journal.folder / "sound.wav").c_str());
    }
}

engine::RecoveredJournal chosenJournal(const RecoverOptions &options)
{
    if (!options.journal.empty()) {
        std::error_code problem;
        return engine::readJournal(fs::is_directory(options.journal, problem) ? options.journal : options.parent / options.journal);
    }
    auto journals = engine::findInterruptedJournals(options.parent);
    if (journals.empty()) {
        throw Error(ErrorKind::Input, "there is no interrupted session here", options.parent.string());
    }
    return std::move(journals.front());
}

}  // namespace

int runRecover(const RecoverOptions &options)
{
    if (options.action == RecoverAction::List) {
        list(options.parent);
        return 0;
    }
    const auto journal = chosenJournal(options);
    const auto transcript = text::formatTranscript(journal.transcript, exportFormat(options.format), {journal.info.source, journal.info.model, journal.info.policy, journal.info.started_at});
    if (options.out.empty()) {
        Sink sink({});
        sink.write(transcript);
        sink.flush();
    } else {
        writeFileAtomically(options.out, transcript);
    }
    if (options.after == RecoverOptions::After::Settle && journal.state == engine::JournalState::Interrupted) {
        engine::settleJournal(journal.folder);
    }
    std::fprintf(stderr, "%zu words of %s; the sound is in %s\n", wordCount(journal.transcript), journal.info.source.c_str(), (journal.folder / "sound.wav").c_str());
    return 0;
}

}  // namespace braid::cli
