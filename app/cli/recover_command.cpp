// `braid-cli recover`: interrupted sessions, listed or written out.
#include <cstdio>
#include <memory>

#include "app/cli/choices.h"
#include "app/cli/output.h"
#include "app/cli/places.h"
#include "app/cli/sub_commands.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/engine/journal.h"

namespace braid::cli {
namespace {

namespace fs = std::filesystem;

const Choices<OutputFormat> kFormats = {{"text", OutputFormat::Text}, {"json", OutputFormat::Json}, {"srt", OutputFormat::Srt}, {"vtt", OutputFormat::Vtt}};

struct RecoverOptions {
    std::string journal;  // a folder, or a name below `parent`; empty: the newest interrupted one
    std::string parent;
    OutputFormat format = OutputFormat::Text;
    std::string out;
    CLI::Option *list = nullptr;
    CLI::Option *keep = nullptr;
};

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
        return engine::readJournal(fs::is_directory(options.journal, problem) ? fs::path(options.journal) : fs::path(options.parent) / options.journal);
    }
    auto journals = engine::findInterruptedJournals(options.parent);
    if (journals.empty()) {
        throw Error(ErrorKind::Input, "there is no interrupted session here", options.parent);
    }
    return std::move(journals.front());
}

int runRecover(const RecoverOptions &options)
{
    if (options.list->count() > 0) {
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
    if (options.keep->count() == 0 && journal.state == engine::JournalState::Interrupted) {
        engine::settleJournal(journal.folder);
    }
    std::fprintf(stderr, "%zu words of %s; the sound is in %s\n", wordCount(journal.transcript), journal.info.source.c_str(), (journal.folder / "sound.wav").c_str());
    return 0;
}

}  // namespace

void addRecover(CLI::App &app, Run &chosen)
{
    const auto options = std::make_shared<RecoverOptions>();
    options->parent = journalFolder().string();
    auto *command = app.add_subcommand("recover", "Write out the newest interrupted session, or the one named");
    command->add_option("JOURNAL", options->journal, "A journal's folder, or its name below --journal");
    options->list = addFlag(*command, "--list", "Only list the interrupted sessions");
    command->add_option("--journal", options->parent, "Folder that holds the journals");
    addChoice(*command, "-f,--format", options->format, kFormats, "json: the transcript as one document");
    command->add_option("-o,--out", options->out, "File to write; without it standard output");
    options->keep = addFlag(*command, "--keep", "Go on offering this session as interrupted");
    command->callback([options, &chosen] { chosen = [options] { return runRecover(*options); }; });
}

}  // namespace braid::cli
