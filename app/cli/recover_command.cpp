// `braid-cli recover`: interrupted sessions, captions, conversations and translations, listed or written out.
#include <algorithm>
#include <cstdio>
#include <memory>

#include "app/cli/choices.h"
#include "app/cli/output.h"
#include "app/cli/sub_commands.h"
#include "app/cli/translation_output.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/engine/journal.h"
#include "core/model_access/model_files.h"
#include "core/engine/recovered_runs.h"
#include "core/engine/translation_json.h"
#include "core/streams/table.h"

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
    const auto runs = engine::findInterruptedRuns(parent);
    if (journals.empty() && runs.empty()) {
        std::printf("No interrupted session in %s.\n", parent.c_str());
    }
    for (const auto &journal : journals) {
        std::printf("%s  %s  %s  %zu words, %s of sound\n    %s\n", journal.folder.filename().c_str(), journal.info.started_at.c_str(), journal.info.source.c_str(), wordCount(journal.transcript),
                    formatClock(journal.sound_samples).c_str(), (journal.folder / "sound.wav").c_str());
    }
    for (const auto &run : runs) {
        const char *kind = run.info.kind == engine::RunKind::Conversation ? "a conversation in parallel streams" : "a translation";
        std::printf("%s  %s  %s  %s\n    %s\n", run.folder.filename().c_str(), run.info.started_at.c_str(), run.info.source.c_str(), kind, run.info.model.c_str());
    }
}

fs::path chosenFolder(const RecoverOptions &options)
{
    if (!options.journal.empty()) {
        std::error_code problem;
        return fs::is_directory(options.journal, problem) ? fs::path(options.journal) : fs::path(options.parent) / options.journal;
    }
    std::vector<fs::path> folders;
    for (const auto &journal : engine::findInterruptedJournals(options.parent)) {
        folders.push_back(journal.folder);
    }
    for (const auto &run : engine::findInterruptedRuns(options.parent)) {
        folders.push_back(run.folder);
    }
    if (folders.empty()) {
        throw Error(ErrorKind::Input, "there is no interrupted session here", options.parent);
    }
    return *std::max_element(folders.begin(), folders.end(), [](const fs::path &a, const fs::path &b) { return a.filename() < b.filename(); });
}

void write(const RecoverOptions &options, const std::string &text)
{
    if (options.out.empty()) {
        Sink sink({});
        sink.write(text);
        sink.flush();
    } else {
        writeFileAtomically(options.out, text);
    }
}

void recoverCaptions(const RecoverOptions &options, const fs::path &folder)
{
    const auto journal = engine::readJournal(folder);
    write(options, text::formatTranscript(journal.transcript, exportFormat(options.format), {journal.info.source, journal.info.model, journal.info.policy, journal.info.started_at}));
    if (options.keep->count() == 0 && journal.state == engine::JournalState::Interrupted) {
        engine::settleJournal(journal.folder);
    }
    std::fprintf(stderr, "%zu words of %s; the sound is in %s\n", wordCount(journal.transcript), journal.info.source.c_str(), (journal.folder / "sound.wav").c_str());
}

std::string conversationText(const streams::Conversation &conversation, OutputFormat format)
{
    return format == OutputFormat::Json ? streams::conversationJson(conversation) : streams::markdownTable(conversation.table());
}

std::string translationText(const engine::RecoveredTranslation &translation, OutputFormat format)
{
    std::string text;
    TranslatedLines lines;
    for (const engine::TranslationEventBody &event : translation.events) {
        text += format == OutputFormat::Json ? engine::eventToJsonLine(event) + "\n" : lines.take(event);
    }
    return format == OutputFormat::Json ? text : text + lines.take(engine::TranslationFinished{});
}

void recoverRun(const RecoverOptions &options, const fs::path &folder)
{
    if (options.format != OutputFormat::Text && options.format != OutputFormat::Json) {
        throw Error(ErrorKind::Usage, "only captions can be written as subtitles", folder.string(), "Choose --format text or json.");
    }
    engine::JournalState state = engine::JournalState::Finished;
    std::string done;
    if (engine::RunJournalReader(folder).info().kind == engine::RunKind::Conversation) {
        const auto recovered = engine::readConversationJournal(folder);
        write(options, conversationText(recovered.conversation, options.format));
        state = recovered.state;
        done = std::to_string(recovered.conversation.table().rows.size()) + " rows of a conversation with " + recovered.info.model;
    } else {
        const auto recovered = engine::readTranslationJournal(folder);
        write(options, translationText(recovered, options.format));
        state = recovered.state;
        done = "a translation of " + recovered.info.source + " by " + recovered.info.model;
    }
    if (options.keep->count() == 0 && state == engine::JournalState::Interrupted) {
        engine::settleRun(folder);
    }
    std::fprintf(stderr, "%s\n", done.c_str());
}

int runRecover(const RecoverOptions &options)
{
    if (options.list->count() > 0) {
        list(options.parent);
        return 0;
    }
    const fs::path folder = chosenFolder(options);
    if (engine::isRunJournal(folder)) {
        recoverRun(options, folder);
    } else {
        recoverCaptions(options, folder);
    }
    return 0;
}

}  // namespace

void addRecover(CLI::App &app, Run &chosen)
{
    const auto options = std::make_shared<RecoverOptions>();
    options->parent = (models::userDataFolder() / "sessions").string();
    auto *command = app.add_subcommand("recover", "Write out the newest interrupted session, or the one named");
    command->add_option("JOURNAL", options->journal, "A journal's folder, or its name below --journal");
    options->list = addFlag(*command, "--list", "Only list the interrupted sessions");
    command->add_option("--journal", options->parent, "Folder that holds the journals");
    addChoice(*command, "-f,--format", options->format, kFormats, "json: captions as one document, a conversation as it is saved, a translation as its events; text: a conversation as a table");
    command->add_option("-o,--out", options->out, "File to write; without it standard output");
    options->keep = addFlag(*command, "--keep", "Go on offering this session as interrupted");
    command->callback([options, &chosen] { chosen = [options] { return runRecover(*options); }; });
}

}  // namespace braid::cli
