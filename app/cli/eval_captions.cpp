// `braid-cli eval captions`: its options.
#include <memory>

#include "app/cli/choices.h"
#include "app/cli/eval_captions.h"
#include "app/cli/model_options.h"
#include "app/cli/output.h"
#include "app/cli/output_files.h"
#include "app/cli/sub_commands.h"
#include "app/cli/terminal.h"
#include "core/base/error.h"
#include "core/base/file.h"

namespace braid::cli {
namespace {

enum class ReportFormat : std::uint8_t { Text = 1, Json };

const Choices<Normaliser> kNormalisers = {{"english", Normaliser::English}, {"basic", Normaliser::Basic}};
const Choices<ReportFormat> kReportFormats = {{"text", ReportFormat::Text}, {"json", ReportFormat::Json}};

struct EvalCommand {
    EvalOptions options;
    ReportFormat format = ReportFormat::Text;
    std::string out;
    CLI::Option *overwrite = nullptr;
    CLI::Option *gate = nullptr;
    CLI::Option *quiet = nullptr;
    CLI::Option *verbose = nullptr;
};

int runEvalCaptions(EvalCommand &command, const models::ModelAccess &access)
{
    command.options.utterances = command.gate->count() > 0 ? Utterances::Voice : Utterances::Whole;
    command.options.reporting = command.verbose->count() > 0 ? Reporting::Texts : command.quiet->count() > 0 ? Reporting::Nothing : Reporting::Progress;
    OutputFiles outputs(existingFiles(*command.overwrite));
    outputs.reads(command.options.manifest);
    outputs.writes(command.out);
    Interrupts interrupts;
    const Evaluation evaluation = evaluateCaptions(command.options, access, interrupts);
    const std::string text = command.format == ReportFormat::Json ? evalJson(evaluation) : evalTable(evaluation);
    if (command.out.empty()) {
        Sink sink({});
        sink.write(text);
        sink.flush();
    } else {
        writeFileAtomically(command.out, text);
    }
    return evaluation.unreadable == 0 ? 0 : exitCodeFor(ErrorKind::Input);
}

}  // namespace

void addEvalCaptions(CLI::App &eval, Run &chosen, const models::ModelAccess &access)
{
    const auto asked = std::make_shared<EvalCommand>();
    EvalOptions &options = asked->options;
    options.common.captions.capture_attention = false;  // nobody looks at it here
    auto *command = eval.add_subcommand(
        "captions", "Compare caption policies on the same recordings: errors, lag, computing, word times; of recordings without text, false words");
    command->add_option("MANIFEST", options.manifest, "Recordings with their text: JSON Lines, PATH<TAB>TEXT lines, or a folder (see docs/formats.md)")
        ->required();
    command
        ->add_option(
            "--policies", options.policies,
            "One after the other or with commas, each with settings, like streaming:beam=5,chunk=300; without them all that run on the model. " +
                access.policies.names(
                    [](const models::CaptionPolicyEntry &entry) { return entry.short_name.empty() ? "" : entry.short_name + " takes " + settingsText(entry); },
                    ". ", ". "))
        ->type_name("POLICY");
    command->add_option("-m,--model", options.common.model, "A model's folder, file or name (see `braid-cli models`)");
    command->add_option("--chunk-ms", options.common.captions.step_ms, "How much new sound a step waits for, where a policy does not say")
        ->type_name("MS")
        ->check(CLI::Range(20, 10000));
    command->add_option("-l,--language", options.common.captions.language, "Spoken language, like en; without it the model decides");
    command->add_option("--limit", options.limit, "At most so many recordings")->type_name("N");
    command->add_option("--every", options.every, "Only every N-th recording")->type_name("N")->check(CLI::Range(1, 1000000));
    addChoice(*command, "--normaliser", options.normaliser, kNormalisers,
              "How texts are made comparable: as Whisper does for English, or lower case without punctuation");
    asked->gate = addFlag(*command, "--gate",
                          "As a live run hears them: cut into utterances by the voice gate, which keeps from the model what is no speech (not for offline)");
    declareDevice(*command, options.common.device);
    addChoice(*command, "-f,--format", asked->format, kReportFormats, "A table, or one JSON document");
    command->add_option("-o,--out", asked->out, "File to write; without it standard output");
    asked->overwrite = declareOverwrite(*command);
    asked->quiet = addFlag(*command, "-q,--quiet", "No progress");
    asked->verbose = addFlag(*command, "--verbose", "What was heard, recording by recording, on standard error");
    command->callback([asked, &chosen, &access] { chosen = [asked, &access] { return runEvalCaptions(*asked, access); }; });
}

}  // namespace braid::cli
