// `braid-cli eval streams`: what a model of parallel streams is worth on made conversations it has never seen, against the single-stream baseline on the
// same ones: how soon it answers, how long it takes, whether it is right, whether hidden orders are obeyed, whether the audit says what happened.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>

#include <nlohmann/json.hpp>

#include "app/cli/choices.h"
#include "app/cli/model_options.h"
#include "app/cli/streams_tasks.h"
#include "app/cli/sub_commands.h"
#include "app/cli/terminal.h"
#include "core/base/error.h"
#include "lab/evaluation/evaluation_run.h"

namespace braid::cli {
namespace {

using namespace braid::conversations;
using namespace braid::evaluation;
using namespace braid::streams;

enum class Format : std::uint8_t { Text = 1, Json };

struct EvalStreamsOptions {
    StreamsModelOptions model;
    std::string baseline;            // empty: the one in the box, if it is there; "none": no baseline
    std::uint64_t seed = 1'000'003;  // not that of any training
    std::uint64_t count = 300;
    std::uint64_t shown = 0;
    Format format = Format::Text;
    std::vector<std::string> tasks;
    ConversationRules rules;
};

struct Measured {
    std::string name;
    std::string device;
    Evaluation evaluation;
    double seconds = 0;  // sums over the turns
    double answer_seconds = 0;
    std::size_t rows = 0;
};

void showProgress(const std::string &name, std::uint64_t done, std::uint64_t all)
{
    if (isTerminal(Stream::Error)) {
        std::fprintf(stderr, "\r\x1b[K%s: %llu of %llu%s", name.c_str(), static_cast<unsigned long long>(done), static_cast<unsigned long long>(all),
                     done == all ? "\n" : "");
    }
}

Measured measure(const std::string &name, const streams::StreamsModelDoor &door, const Layout &layout, streams::StreamsForm form,
                 const EvalStreamsOptions &options)
{
    Measured measured{name, door.device, {}, 0, 0, 0};
    for (std::uint64_t i = 0; i < options.count; ++i) {
        const MadeConversation made = makeConversation(options.seed, i, options.rules);
        const MeasuredTurn turn = measureTurn(layout, door.model, door.texts, made, form);
        measured.evaluation.add(turn.outcome);
        measured.seconds += turn.seconds;
        measured.answer_seconds += turn.answer_seconds;
        measured.rows += turn.table.rows.size();
        if (i < options.shown) {
            std::printf("%s, %s: %s (expected: %s)\n%s\n", name.c_str(), turn.outcome.task.c_str(), turn.outcome.is_right ? "right" : "wrong",
                        made.turns.front().expected.c_str(), markdownTable(turn.table).c_str());
        }
        showProgress(name, i + 1, options.count);
    }
    return measured;
}

std::string textOf(const Measured &measured)
{
    const auto turns = static_cast<double>(std::max<std::size_t>(measured.evaluation.all.turns, 1));
    char line[256];
    std::snprintf(line, sizeof line, "%.3f s of computing a turn, %.3f s of it after the question's last word until the answer's; %.2f ms a row; %s\n",
                  measured.seconds / turns, measured.answer_seconds / turns,
                  1000 * measured.seconds / static_cast<double>(std::max<std::size_t>(measured.rows, 1)), measured.device.c_str());
    return evaluationText(measured.name, measured.evaluation) + line;
}

nlohmann::ordered_json jsonOf(const Measured &measured)
{
    const auto turns = static_cast<double>(std::max<std::size_t>(measured.evaluation.all.turns, 1));
    nlohmann::ordered_json object;
    object["model"] = measured.name;
    object["device"] = measured.device;
    object["seconds_to_finish"] = measured.seconds / turns;
    object["seconds_after_question"] = measured.answer_seconds / turns;
    object["ms_per_row"] = 1000 * measured.seconds / static_cast<double>(std::max<std::size_t>(measured.rows, 1));
    object.update(nlohmann::ordered_json::parse(evaluationJson(measured.evaluation)));
    return object;
}

int run(EvalStreamsOptions &options, const models::ModelAccess &access)
{
    options.rules.tasks = knownTasks(options.tasks);
    options.rules.most_turns = 1;
    const Layout layout = findLayout(options.model.layout);
    std::vector<Measured> all;
    all.push_back(
        measure("parallel streams: " + options.model.model, loadStreamsModel(access, options.model, layout), layout, streams::StreamsForm::Parallel, options));
    StreamsModelOptions single = options.model;
    single.model = options.baseline.empty() ? models::kSingleStreamModelInTheBox : options.baseline;
    const std::vector<std::filesystem::path> present = models::modelsIn(access.folders);
    const bool is_there = std::any_of(present.begin(), present.end(), [&single](const auto &path) { return models::modelName(path) == single.model; });
    if (options.baseline != "none" && (!options.baseline.empty() || is_there)) {
        all.push_back(measure("one stream: " + single.model, loadStreamsModel(access, single, layout), layout, streams::StreamsForm::OneQueue, options));
    }
    if (options.format == Format::Json) {
        nlohmann::ordered_json root;
        root["turns"] = options.count;
        root["seed"] = options.seed;
        root["runs"] = nlohmann::ordered_json::array();
        for (const Measured &measured : all) {
            root["runs"].push_back(jsonOf(measured));
        }
        std::puts(root.dump(2).c_str());
    } else {
        for (const Measured &measured : all) {
            std::puts(textOf(measured).c_str());
        }
    }
    return 0;
}

}  // namespace

void addEvalStreams(CLI::App &eval, Run &chosen, const models::ModelAccess &access)
{
    const auto options = std::make_shared<EvalStreamsOptions>();
    options->rules.split = Split::NewInstances;
    auto *command = eval.add_subcommand("streams", "Conversations in parallel streams that nobody was trained on, against a single stream");
    declareStreamsModel(*command, options->model);
    command
        ->add_option("--baseline", options->baseline,
                     "The single-stream model of the same data; none: no comparison (default: streams-en-single, where it is there)")
        ->type_name("NAME_OR_PATH");
    command->add_option("--seed", options->seed, "The same seed asks the same")->capture_default_str();
    command->add_option("--count", options->count, "How many conversations")->capture_default_str()->check(CLI::Range(1, 1'000'000));
    command->add_option("--show", options->shown, "Print the first so many as tables")->capture_default_str();
    command->add_option("--tasks", options->tasks, "Only these tasks");
    addChoice<Split>(*command, "--split", options->rules.split,
                     {{"instances", Split::NewInstances}, {"templates", Split::NewTemplates}, {"train", Split::Train}},
                     "Other numbers, names and texts than in training (default), other wording, or the material of the training");
    addChoice<Format>(*command, "--format", options->format, {{"text", Format::Text}, {"json", Format::Json}}, "For people, or for programs");
    command->callback([options, &chosen, &access] { chosen = [options, &access] { return run(*options, access); }; });
}

}  // namespace braid::cli
