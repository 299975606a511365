#include "app/cli/model_options.h"

#include <algorithm>

#include "app/cli/choices.h"
#include "core/base/error.h"
#include "core/paradigms/paradigm.h"

namespace braid::cli {

namespace fs = std::filesystem;

models::ModelChoice TranslatorChoice::found(const models::ModelAccess &access) const
{
    const auto path =
        model.empty() ? models::findTranslator(access, options.source_language, options.target_language) : models::findLanguageModel(model, access.folders);
    return {path, device, {adapters.begin(), adapters.end()}};
}

void declareDevice(CLI::App &command, models::DeviceChoice &device)
{
    command.add_option("--device", device.device, "auto, cpu, cuda, cuda:1")->capture_default_str();
    addChoice(command, "--number-type", device.number_type, choicesOf(models::kNumberTypes), "Of weights and activations (default float32)");
    command.add_option("--threads", device.threads, "Threads of the model; 0: one less than there are")->capture_default_str()->check(CLI::Range(0, 1024));
}

namespace {

// "group: Source and target ...; batch-all: ..."
std::string describedParadigms()
{
    std::string text;
    for (const paradigms::ParadigmEntry &entry : paradigms::allParadigms()) {
        text += (text.empty() ? "" : "; ") + std::string(entry.name) + ": " + std::string(entry.description);
    }
    return text;
}

}  // namespace

DraftOptions declareDrafting(CLI::App &command, drafting::DraftSettings &drafting)
{
    DraftOptions options;
    options.heads =
        command.add_option("--heads", drafting.heads, "How many tokens a step may predict, where the model has heads for it; 1: the next one alone")
            ->capture_default_str();
    options.verify =
        addChoice(command, "--verify", drafting.verification, choicesOf(drafting::kVerifications),
                  "Which proposals of the heads stand: those the model would say anyway, so that the text is the same (greedy, the default); those among its "
                  "--top-m most probable; or, unasked, those the heads give at least --threshold");
    options.top_m = command.add_option("--top-m", drafting.top_m, "Of --verify top-m; 1 is greedy")->capture_default_str();
    options.threshold = command.add_option("--threshold", drafting.threshold, "Of --verify threshold: a probability")->capture_default_str();
    return options;
}

void declareTranslator(CLI::App &command, TranslatorChoice &choice)
{
    models::TranslatorOptions &options = choice.options;
    command.add_option("-m,--model", choice.model, "A language model: name or folder (default: one made for the languages of --from and --to)")
        ->type_name("NAME_OR_PATH");
    command.add_option("--adapter", choice.adapters, "A PEFT adapter of it; the last one counts")->type_name("FOLDER");
    command.add_option("--paradigm", options.paradigm, describedParadigms())->capture_default_str();
    command.add_option("--offset", options.phi, "phi: where the target's positions begin in group streaming; fractions too")->capture_default_str();
    command.add_option("--temperature", options.sampling.temperature, "Of sampling; 0: always the most probable")->capture_default_str();
    command.add_option("--top-k", options.sampling.top_k, "Sample among so many tokens; 0: all")->capture_default_str();
    command.add_option("--top-p", options.sampling.top_p, "Sample among the most probable tokens that together have this probability")->capture_default_str();
    command.add_option("--seed", options.seed, "Of sampling: the same seed gives the same text")->capture_default_str();
    command.add_option_function<std::int64_t>(
        "--layer", [&options](std::int64_t layer) { options.attention.layer = layer; }, "Look at the attention of this layer alone, from 0 (default: all)");
    command.add_option_function<std::int64_t>(
        "--head", [&options](std::int64_t head) { options.attention.head = head; }, "Look at the attention of this head alone, from 0 (default: all)");
    addChoice(command, "--pooling", options.attention.pooling, choicesOf(models::kAttentionPoolings), "How layers and heads are joined (default mean)");
    declareDrafting(command, options.drafting);
    command.add_option("--from", options.source_language, "Language of the source (en)")->type_name("CODE");
    command.add_option("--to", options.target_language, "Language of the translation (fr)")->type_name("CODE");
    declareDevice(command, choice.device);
}

void requireOffsetIsUsed(const models::TranslatorOptions &options, std::span<const std::string> paradigms)
{
    if (options.phi != 0 && std::find(paradigms.begin(), paradigms.end(), "group") == paradigms.end()) {
        throw Error(ErrorKind::Usage, "--offset moves the target's positions in the group paradigm alone", {}, "Choose --paradigm group, or leave it out");
    }
}

void declareWaitK(CLI::App &command, translation::TranslationSettings &settings)
{
    command
        .add_option("--wait-k", settings.wait_k.k, "How many words of the source are read before the first is written; 1000 waits for the end of each sentence")
        ->capture_default_str();
    command.add_option("--catch-up", settings.wait_k.catch_up_units, "Read all at once where more words than this wait; 0: always word by word")
        ->capture_default_str();
}

void declareStreamsModel(CLI::App &command, StreamsModelOptions &options)
{
    command.add_option("-m,--model", options.model, "A language model: name or folder")->capture_default_str()->type_name("NAME_OR_PATH");
    command.add_option("--layout", options.layout, "Which streams there are: a file (docs/formats.md), or box, ten_streams, system_user_assistants")
        ->capture_default_str();
    declareDevice(command, options.device);
}

streams::Layout findLayout(const std::string &name_or_path)
{
    std::error_code ignored;
    if (fs::is_regular_file(name_or_path, ignored)) {
        return streams::readLayout(name_or_path);
    }
    std::vector<std::string> known;
    for (const fs::path &folder : models::resourceFolders("layouts")) {
        const fs::path file = folder / (name_or_path + ".json");
        if (fs::is_regular_file(file, ignored)) {
            return streams::readLayout(file);
        }
        for (const auto &entry : fs::directory_iterator(folder, ignored)) {
            known.push_back(entry.path().stem().string());
        }
    }
    std::sort(known.begin(), known.end());
    std::string names;
    for (const std::string &name : known) {
        names += (names.empty() ? "" : ", ") + name;
    }
    throw Error(ErrorKind::Usage, "there is no layout of this name and no such file", name_or_path,
                names.empty() ? "Name a layout's file with its path" : "There are " + names);
}

streams::StreamsModelDoor loadStreamsModel(const models::ModelAccess &access, const StreamsModelOptions &options, const streams::Layout &layout,
                                           const models::Progress &progress, std::stop_token stop)
{
    const auto model = access.loader->loadLanguageModel({models::findLanguageModel(options.model, access.folders), options.device}, progress, std::move(stop));
    if (const std::string problem = streams::problemOf(layout, model->summary().streams); !problem.empty()) {
        throw Error(ErrorKind::Usage, problem, model->summary().name, "Choose another layout, or another model");
    }
    const models::StreamsParts parts = model->makeStreams();
    return {parts.model, parts.texts, access.loader->describe(options.device)};
}

}  // namespace braid::cli
