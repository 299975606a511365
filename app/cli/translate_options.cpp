// The options of `braid-cli translate`.
#include <memory>

#include <unistd.h>

#include "app/cli/choices.h"
#include "app/cli/journal_options.h"
#include "app/cli/sub_commands.h"
#include "app/cli/translate_command.h"
#include "core/base/error.h"

namespace braid::cli {
namespace {

const Choices<TranslationFormat> kFormats = {{"live", TranslationFormat::Live}, {"text", TranslationFormat::Text}, {"json", TranslationFormat::Json}};
const Choices<translation::ReadingUnit> kUnits = {{"words", translation::ReadingUnit::Words}, {"characters", translation::ReadingUnit::Characters}};
const Choices<translation::AttentionScale> kScales = {
    {"none", translation::AttentionScale::AsIs}, {"target", translation::AttentionScale::PerRow}, {"source", translation::AttentionScale::PerColumn}};

void requireOneSource(const TranslateOptions &options)
{
    const int sources = (options.files.empty() ? 0 : 1) + (options.standard_input ? 1 : 0) + (options.captions_of.empty() ? 0 : 1);
    if (sources != 1) {
        throw Error(ErrorKind::Usage, sources == 0 ? "there is nothing to translate" : "more than one kind of source was given", {},
                    "Name files, or --stdin, or --from-captions SOUND");
    }
}

void declareAttention(CLI::App &command, TranslateOptions &options)
{
    command
        .add_option_function<std::string>(
            "--attention", [&options](const std::string &file) { options.attention = file; }, "Write what each target word looked at into this file, as JSON")
        ->type_name("FILE");
    addChoice(command, "--scale", options.view.scale, kScales,
              "How the readable weights of --attention are scaled to 0..1: for each source unit (as in the paper), for each target word, or not");
    command.add_option("--gamma", options.view.gamma, "Brings small weights of --attention out where below 1")->capture_default_str();
    addFlag(command, "--remove-sink", "Leave out of the readable weights the first unit, where it draws most of them");
}

}  // namespace

void addTranslate(CLI::App &app, Run &chosen, const models::ModelAccess &access)
{
    const auto options = std::make_shared<TranslateOptions>();
    const auto journal = std::make_shared<JournalOptions>();
    auto *command = app.add_subcommand("translate", "Translate text while it is being read");
    command->add_option_function<std::vector<std::string>>(
        "FILE", [options](const std::vector<std::string> &files) { options->files.assign(files.begin(), files.end()); }, "Text files, one after the other");
    addFlag(*command, "--stdin", "Translate standard input as it comes");
    command
        ->add_option_function<std::string>(
            "--from-captions", [options](const std::string &sound) { options->captions_of = sound; },
            "Caption this recording and translate the captions as they are committed")
        ->type_name("SOUND");
    command->add_option("--caption-model", options->caption_model, "The model that captions")
        ->capture_default_str()
        ->type_name("NAME_OR_PATH")
        ->needs(command->get_option("--from-captions"));
    declareTranslator(*command, options->translator);
    declareWaitK(*command, options->settings);
    addChoice(*command, "--source-unit", options->settings.wait_k.source_unit, kUnits,
              "What is read at a time (default words; characters for Chinese and Japanese)");
    addChoice(*command, "--target-unit", options->settings.wait_k.target_unit, kUnits, "What is written at a time (default words)");
    command->add_option("--context", options->settings.context_sentences, "How many sentences before it a sentence goes on from")->capture_default_str();
    addChoice(*command, "--format", options->format, kFormats,
              "live: words as they are written (default); text: one line of translation for each line of source; json: every event as a line");
    command
        ->add_option_function<std::string>(
            "--out", [options](const std::string &file) { options->out = file; }, "Write into this file")
        ->type_name("FILE");
    CLI::Option *overwrite = declareOverwrite(*command);
    declareAttention(*command, *options);
    declareJournal(*command, *journal, "Folder for the journal of each run (for `braid-cli recover`); what is typed at a terminal has one without asking");
    addFlag(*command, "--quiet", "Nothing on standard error but troubles");
    command->callback([command, overwrite, options, journal, &chosen, &access] {
        options->existing = existingFiles(*overwrite);
        options->standard_input = command->count("--stdin") > 0;
        options->journal = journalFor(*journal, options->standard_input && ::isatty(STDIN_FILENO) == 1 ? Repeatable::No : Repeatable::Yes);
        options->loudness = command->count("--quiet") > 0 ? Loudness::Quiet : Loudness::Normal;
        options->view.sink = command->count("--remove-sink") > 0 ? translation::AttentionSink::Removed : translation::AttentionSink::Kept;
        chosen = [options, &access] {
            requireOneSource(*options);
            requireOffsetIsUsed(options->translator.options, {&options->translator.options.paradigm, 1});
            if (options->translator.options.paradigm == "offline") {
                options->settings.wait_k.k = translation::kMaxK;  // all is read, then written
            }
            if (!options->attention.empty()) {
                options->settings.wait_k.attention = AttentionWanted::Yes;
            }
            translation::requireUsable(options->settings);
            static_cast<void>(translation::readable({}, options->view));
            Interrupts interrupts;
            return runTranslate(*options, access, interrupts);
        };
    });
}

}  // namespace braid::cli
