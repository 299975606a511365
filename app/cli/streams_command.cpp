// `braid-cli streams make, statistics`: the conversations that the parallel-stream model learns from, and what they are like. Tables of people's own:
// streams_tables_command.cpp.
#include <cstdio>
#include <memory>
#include <set>

#include "app/cli/choices.h"
#include "app/cli/streams_tables.h"
#include "app/cli/streams_tasks.h"
#include "app/cli/sub_commands.h"
#include "core/base/error.h"
#include "core/streams/collapse.h"
#include "core/streams/layout.h"
#include "lab/conversations/conversation_lines.h"
#include "lab/conversations/conversations.h"
#include "lab/conversations/statistics.h"
#include "lab/evaluation/evaluation.h"

namespace braid::cli {
namespace {

using namespace braid::conversations;
using namespace braid::evaluation;
using namespace braid::streams;

enum class Form : std::uint8_t { Markdown = 1, Json, Collapsed };

struct MakeOptions {
    std::uint64_t seed = 1;
    std::uint64_t first = 0;
    std::uint64_t count = 3;
    Form form = Form::Markdown;
    std::vector<std::string> tasks;
    ConversationRules rules;
};

std::shared_ptr<MakeOptions> addRules(CLI::App &command, std::uint64_t count)
{
    const auto options = std::make_shared<MakeOptions>();
    options->count = count;
    command.add_option("--seed", options->seed, "The same seed makes the same conversations")->capture_default_str();
    command.add_option("--first", options->first, "Number of the first conversation")->capture_default_str();
    command.add_option("--count", options->count, "How many")->capture_default_str();
    command.add_option("--turns", options->rules.most_turns, "At most so many questions in one conversation")->capture_default_str()->check(CLI::Range(1, 100));
    command.add_option("--tasks", options->tasks, "Only these tasks");
    addChoice<Split>(command, "--split", options->rules.split,
                     {{"train", Split::Train}, {"instances", Split::NewInstances}, {"templates", Split::NewTemplates}},
                     "What a model trains on, or what it has never seen: other numbers and names, or other wording");
    return options;
}

// The layout of made conversations, as far as collapsing needs it.
Layout lanesLayout()
{
    std::vector<std::string> names;
    for (int lane = 0; lane < kLanes; ++lane) {
        names.emplace_back(nameOf(static_cast<Lane>(lane)));
    }
    Layout layout = layoutOfNames(names);
    layout.name = "made conversations";
    return layout;
}

int runMake(MakeOptions &options)
{
    options.rules.tasks = knownTasks(options.tasks);
    const Layout layout = lanesLayout();
    for (std::uint64_t i = 0; i < options.count; ++i) {
        const MadeConversation made = makeConversation(options.seed, options.first + i, options.rules);
        if (options.form == Form::Json) {
            std::puts(conversationLine(made).c_str());
        } else {
            std::puts(markdownTable(options.form == Form::Markdown ? made.table : collapsedTable(layout, made.table, {"Working", "Answer", "Check", "Audit"}))
                          .c_str());
        }
    }
    return 0;
}

int runStatistics(MakeOptions &options)
{
    options.rules.tasks = knownTasks(options.tasks);
    const Layout layout = lanesLayout();
    TableStatistics statistics;
    Evaluation parallel, collapsed;
    for (std::uint64_t i = 0; i < options.count; ++i) {
        const MadeConversation made = makeConversation(options.seed, options.first + i, options.rules);
        statistics.add(made.turns.size() == 1 ? made.turns[0].task : "several", made.table);
        for (std::size_t turn = 0; turn < made.turns.size(); ++turn) {
            parallel.add(evaluateTurn(made.table, made.turns[turn], turn + 1 < made.turns.size() ? made.turns[turn + 1].first_row : made.table.rows.size()));
        }
        if (made.turns.size() == 1) {
            collapsed.add(evaluateCollapsed(layout, collapsedTable(layout, made.table, {"Working", "Answer", "Check", "Audit"}), made.turns[0]));
        }
    }
    std::printf("%s\n%s", statistics.text().c_str(), evaluationText("in parallel streams", parallel).c_str());
    if (collapsed.all.turns > 0) {
        std::printf("\n%s", evaluationText("collapsed into one", collapsed).c_str());
    }
    return 0;
}

}  // namespace

std::set<std::string> knownTasks(const std::vector<std::string> &names)
{
    std::string known;
    std::set<std::string> wanted(names.begin(), names.end());
    std::set<std::string> unknown = wanted;
    for (const auto &task : allTasks()) {
        known += (known.empty() ? "" : ", ") + std::string(task->name());
        unknown.erase(std::string(task->name()));
    }
    if (!unknown.empty()) {
        throw Error(ErrorKind::Usage, "there is no task \"" + *unknown.begin() + "\"", {}, "There are " + known);
    }
    return wanted;
}

void addStreams(CLI::App &app, Run &chosen, const models::ModelAccess &access)
{
    auto *streams =
        app.add_subcommand("streams", "Conversations in parallel streams: make them, measure them, check layouts and tables, and write them as tokens");
    streams->require_subcommand(1);

    auto *make = streams->add_subcommand("make", "Write conversations that a model of parallel streams learns from");
    const auto made = addRules(*make, 3);
    addChoice<Form>(*make, "--format", made->form, {{"markdown", Form::Markdown}, {"json", Form::Json}, {"collapsed", Form::Collapsed}},
                    "Tables to look at, one JSON object a line, or the single-stream baseline");
    make->callback([made, &chosen] { chosen = [made] { return runMake(*made); }; });

    auto *statistics = streams->add_subcommand("statistics", "Say what such conversations are like");
    const auto counted = addRules(*statistics, 2000);
    statistics->callback([counted, &chosen] { chosen = [counted] { return runStatistics(*counted); }; });

    addStreamsTables(*streams, chosen, access);
}

}  // namespace braid::cli
