// `braid-cli recover`: interrupted sessions, captions, conversations and translations, listed or written out.
#include <cstdio>
#include <memory>
#include <utility>

#include "app/cli/choices.h"
#include "app/cli/harmless.h"
#include "app/cli/output.h"
#include "app/cli/output_files.h"
#include "app/cli/sub_commands.h"
#include "app/cli/translation_output.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/captions/caption_journal.h"
#include "core/model_access/model_files.h"
#include "core/runtime/journal_sound.h"
#include "core/streams/streams_journal.h"
#include "core/streams/table.h"
#include "core/translation/translation_journal.h"
#include "core/translation/translation_json.h"

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
    CLI::Option *overwrite = nullptr;
};

std::size_t wordCount(const text::Transcript &transcript)
{
    std::size_t words = 0;
    for (const auto &item : transcript) {
        words += std::holds_alternative<text::Word>(item) ? 1 : 0;
    }
    return words;
}

// What the list says of it behind its source, and on the line below.
std::pair<std::string, std::string> described(const runtime::InterruptedRun &run)
{
    switch (run.info.kind) {
    case runtime::RunKind::Captions:
        return {std::to_string(wordCount(captions::readCaptionsJournal(run.folder).transcript)) + " words, " + formatClock(run.sound_samples) + " of sound",
                runtime::journalSoundFile(run.folder).string()};
    case runtime::RunKind::Conversation:
        return {"a conversation in parallel streams", run.info.model};
    case runtime::RunKind::Translation:
        break;
    }
    return {"a translation", run.info.model};
}

void list(const fs::path &parent)
{
    const auto runs = runtime::findInterruptedRuns(parent);
    if (runs.empty()) {
        std::printf("No interrupted session in %s.\n", parent.c_str());
    }
    for (const auto &run : runs) {
        const auto [what, below] = described(run);
        std::printf("%s  %s  %s  %s\n    %s\n", harmless(run.folder.filename().string()).c_str(), harmless(run.info.started_at).c_str(),
                    harmless(run.info.source).c_str(), what.c_str(), harmless(below).c_str());
    }
}

fs::path chosenFolder(const RecoverOptions &options)
{
    if (!options.journal.empty()) {
        std::error_code problem;
        return fs::is_directory(options.journal, problem) ? fs::path(options.journal) : fs::path(options.parent) / options.journal;
    }
    const auto runs = runtime::findInterruptedRuns(options.parent);
    if (runs.empty()) {
        throw Error(ErrorKind::Input, "there is no interrupted session here", options.parent);
    }
    return runs.front().folder;
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

std::string conversationText(const streams::Conversation &conversation, OutputFormat format)
{
    return format == OutputFormat::Json ? streams::conversationJson(conversation) : streams::markdownTable(conversation.table());
}

std::string translationText(const translation::RecoveredTranslation &translation, OutputFormat format)
{
    std::string text;
    TranslatedLines lines;
    for (const translation::TranslationEventBody &event : translation.events) {
        text += format == OutputFormat::Json ? translation::eventToJsonLine(event) + "\n" : lines.take(event);
    }
    return format == OutputFormat::Json ? text : text + lines.take(translation::TranslationFinished{});
}

// What is written, and what people are told about it.
struct Recovered {
    std::string text;
    std::string done;
    runtime::JournalState state = runtime::JournalState::Finished;
};

Recovered recovered(const fs::path &folder, OutputFormat format)
{
    const runtime::RunKind kind = runtime::RunJournalReader(folder).info().kind;
    if (kind != runtime::RunKind::Captions && format != OutputFormat::Text && format != OutputFormat::Json) {
        throw Error(ErrorKind::Usage, "only captions can be written as subtitles", folder.string(), "Choose --format text or json.");
    }
    if (kind == runtime::RunKind::Captions) {
        const auto run = captions::readCaptionsJournal(folder);
        return {text::formatTranscript(run.transcript, exportFormat(format), {run.info.source, run.info.model, run.info.policy, run.info.started_at}),
                std::to_string(wordCount(run.transcript)) + " words of " + run.info.source + "; the sound is in " + runtime::journalSoundFile(folder).string(),
                run.state};
    }
    if (kind == runtime::RunKind::Conversation) {
        const auto run = streams::readConversationJournal(folder);
        return {conversationText(run.conversation, format),
                std::to_string(run.conversation.table().rows.size()) + " rows of a conversation with " + run.info.model, run.state};
    }
    const auto run = translation::readTranslationJournal(folder);
    return {translationText(run, format), "a translation of " + run.info.source + " by " + run.info.model, run.state};
}

int runRecover(RecoverOptions options)
{
    if (options.parent.empty()) {
        options.parent = models::journalsFolder().string();
    }
    if (options.list->count() > 0) {
        list(options.parent);
        return 0;
    }
    const fs::path folder = chosenFolder(options);
    OutputFiles outputs(existingFiles(*options.overwrite));
    outputs.reads(runtime::runJournalFile(folder));
    outputs.reads(runtime::journalSoundFile(folder));
    outputs.writes(options.out);
    if (options.keep->count() == 0) {
        runtime::requireEnded(folder);
    }
    const Recovered run = recovered(folder, options.format);
    write(options, run.text);
    if (options.keep->count() == 0 && run.state == runtime::JournalState::Interrupted) {
        runtime::settleRun(folder);
    }
    std::fprintf(stderr, "%s\n", harmless(run.done).c_str());
    return 0;
}

}  // namespace

void addRecover(CLI::App &app, Run &chosen)
{
    const auto options = std::make_shared<RecoverOptions>();
    auto *command = app.add_subcommand("recover", "Write out the newest interrupted session, or the one named");
    command->add_option("JOURNAL", options->journal, "A journal's folder, or its name below --journal");
    options->list = addFlag(*command, "--list", "Only list the interrupted sessions");
    command->add_option("--journal", options->parent, "Folder that holds the journals; without it the user's own");
    addChoice(*command, "-f,--format", options->format, kFormats,
              "json: captions as one document, a conversation as it is saved, a translation as its events; text: a conversation as a table");
    command->add_option("-o,--out", options->out, "File to write; without it standard output");
    options->overwrite = declareOverwrite(*command);
    options->keep = addFlag(*command, "--keep", "Go on offering this session as interrupted");
    command->callback([options, &chosen] { chosen = [options] { return runRecover(*options); }; });
}

}  // namespace braid::cli
