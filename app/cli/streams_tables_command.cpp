// `braid-cli streams simulate, check, tokens`: tables of people's own. From questions and answers to conversations in two streams (wait-k, verified
// causally), what is wrong with tables and layouts, and tables as tokens of a model and back.
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>

#include "app/cli/choices.h"
#include "app/cli/model_options.h"
#include "app/cli/streams_tables.h"
#include "app/cli/text_lines.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/streams/silence.h"
#include "lab/conversations/quality.h"
#include "lab/conversations/wait_k_tables.h"

namespace braid::cli {
namespace {

using namespace braid::conversations;
using namespace braid::streams;

struct SimulateOptions {
    std::string pairs;
    int wait_k = 3;
    std::string bridge;
    CLI::Option *causal = nullptr;
    CLI::Option *delayed = nullptr;
};

struct CheckOptions {
    std::vector<std::string> files;
    std::string layout;
    CLI::Option *flaws = nullptr;
};

struct TokensOptions {
    std::string file;
    StreamsModelOptions model;
};

bool isBlank(const std::string &line)
{
    return line.find_first_not_of(" \t") == std::string::npos;
}

std::vector<QuestionAnswer> readPairs(const std::string &path)
{
    std::vector<QuestionAnswer> pairs;
    const std::vector<std::string> lines = linesOf(path);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (isBlank(lines[i])) {
            continue;
        }
        const std::size_t tab = lines[i].find('\t');
        if (tab == std::string::npos) {
            throw Error(ErrorKind::Input, "line " + std::to_string(i + 1) + " has no tab", path, "Each line is a question, a tab and its answer");
        }
        pairs.push_back({lines[i].substr(0, tab), lines[i].substr(tab + 1)});
    }
    return pairs;
}

int runSimulate(const SimulateOptions &options)
{
    for (const QuestionAnswer &pair : readPairs(options.pairs)) {
        const int k = options.causal->count() > 0 ? smallestCausalK(pair) : options.wait_k;
        std::puts(markdownTable(waitK(pair, k, options.delayed->count() > 0 ? Early::Delayed : Early::Kept, options.bridge)).c_str());
    }
    return 0;
}

// Whether nothing was found.
bool tellFlaws(const TextTable &table, const Layout &layout, const std::string &where)
{
    const std::vector<Finding> findings = findFlaws(layout, inOrderOf(layout, table, where), {});
    for (const Finding &finding : findings) {
        const std::string stream = finding.stream < layout.size() ? layout.streams[finding.stream].name + ": " : "";
        const std::string detail = finding.detail.empty() ? "" : ", \"" + finding.detail + "\"";
        std::printf("%s: %s%s%s (%.2f)\n", where.c_str(), stream.c_str(), std::string(nameOf(finding.flaw)).c_str(), detail.c_str(), finding.measured);
    }
    return findings.empty();
}

int runCheck(const CheckOptions &options)
{
    const std::optional<Layout> layout = options.layout.empty() ? std::nullopt : std::optional(findLayout(options.layout));
    for (const std::string &file : options.files) {
        if (std::filesystem::path(file).extension() != ".md") {
            const Layout read = readLayout(file);
            std::printf("%s: the layout \"%s\" of %zu streams, %zu of them sampled\n", file.c_str(), read.name.c_str(), read.size(), read.sampled().size());
            continue;
        }
        const std::vector<TextTable> tables = parseMarkdownTables(readTextFile(file, kMostTableBytes), file);
        std::size_t rows = 0;
        std::size_t good = 0;
        for (std::size_t i = 0; i < tables.size(); ++i) {
            rows += tables[i].rows.size();
            const std::string where = tables.size() > 1 ? file + ", table " + std::to_string(i + 1) : file;
            good += options.flaws->count() > 0 && tellFlaws(tables[i], layout ? *layout : layoutOfNames(tables[i].streams), where) ? 1 : 0;
        }
        if (tables.size() == 1) {
            std::printf("%s: a table of %zu streams and %zu rows\n", file.c_str(), tables[0].streams.size(), rows);
        } else {
            std::printf("%s: %zu tables, %zu rows\n", file.c_str(), tables.size(), rows);
        }
        if (options.flaws->count() > 0) {
            std::printf("%s: nothing is wrong with %zu of %zu\n", file.c_str(), good, tables.size());
        }
    }
    return 0;
}

int runTokens(const TokensOptions &options, const models::ModelAccess &access)
{
    const Layout layout = findLayout(options.model.layout);
    const streams::StreamsModelDoor door = loadStreamsModel(access, options.model, layout);
    const std::optional<std::int32_t> silence = silenceTokenOf(layout, *door.texts);
    if (!silence) {
        throw Error(ErrorKind::Input, "this layout has no silence to write a silent cell with", layout.name, "Choose one that has");
    }
    if (std::filesystem::path(options.file).extension() == ".md") {
        for (const TextTable &table : parseMarkdownTables(readTextFile(options.file, kMostTableBytes), options.file)) {
            std::puts(tokenTableJson(toTokens(inOrderOf(layout, table, options.file), *door.texts), *silence).c_str());
        }
        return 0;
    }
    const std::vector<std::string> lines = linesOf(options.file, kMostTableBytes);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (isBlank(lines[i])) {
            continue;
        }
        TokenTable tokens = parseTokenTable(lines[i], options.file + ", line " + std::to_string(i + 1), *silence, door.texts->size());
        if (tokens.streams.empty() && tokens.columns.size() == layout.size()) {
            for (const Stream &stream : layout.streams) {
                tokens.streams.push_back(stream.name);
            }
        }
        std::puts(markdownTable(toTexts(tokens, *door.texts)).c_str());
    }
    return 0;
}

}  // namespace

Layout layoutOfNames(const std::vector<std::string> &names)
{
    Layout layout;
    layout.name = "by the names of the columns";
    for (const std::string &name : names) {
        Stream stream;
        stream.name = name;
        stream.role = name == "System"     ? StreamRole::System
                      : name == "User"     ? StreamRole::User
                      : name == "Document" ? StreamRole::Document
                                           : StreamRole::Assistant;
        layout.streams.push_back(std::move(stream));
    }
    return layout;
}

void addStreamsTables(CLI::App &streams, Run &chosen, const models::ModelAccess &access)
{
    auto *simulate =
        streams.add_subcommand("simulate", "Make conversations in two streams from questions and answers: the answer begins after k words of the question");
    const auto asked = std::make_shared<SimulateOptions>();
    simulate->add_option("PAIRS", asked->pairs, "Lines of QUESTION<TAB>ANSWER")->required();
    auto *wait_k =
        simulate->add_option("--wait-k", asked->wait_k, "Words of the question before the answer begins")->capture_default_str()->check(CLI::Range(0, 100'000));
    asked->causal = addFlag(*simulate, "--causal", "For each pair the smallest k with which nothing is named before it was read")->excludes(wait_k);
    asked->delayed = addFlag(*simulate, "--delayed", "Each part of the answer waits, in silence, until its words have been read");
    simulate->add_option("--bridge", asked->bridge, "What is said in the meantime, like \"Let me see:\"")->type_name("TEXT");
    simulate->callback([asked, &chosen] { chosen = [asked] { return runSimulate(*asked); }; });

    auto *check = streams.add_subcommand("check", "Say whether stream layouts (.json) and tables (.md) can be used");
    const auto checked = std::make_shared<CheckOptions>();
    check->add_option("FILES", checked->files, "Layouts and tables")->required();
    checked->flaws =
        addFlag(*check, "--flaws", "Also what is wrong with the tables: loops, echoes, unfinished or empty streams, words named before they were read");
    check
        ->add_option("--layout", checked->layout,
                     "The layout of the tables, a name or a file; without it streams called System, User and Document are read, all others speak")
        ->type_name("NAME_OR_FILE");
    check->callback([checked, &chosen] { chosen = [checked] { return runCheck(*checked); }; });

    auto *tokens = streams.add_subcommand("tokens", "Write tables (.md) as a model's tokens, a JSON object a line, or such lines (.jsonl) as tables");
    const auto written = std::make_shared<TokensOptions>();
    tokens->add_option("FILE", written->file, "Tables, or lines of token_ids")->required();
    declareStreamsModel(*tokens, written->model);
    tokens->callback([written, &chosen, &access] { chosen = [written, &access] { return runTokens(*written, access); }; });
}

}  // namespace braid::cli
