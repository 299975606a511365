// `braid-cli streams simulate, check, tokens`: tables of people's own. From questions and answers to conversations in two streams (wait-k, verified
// causally), what is wrong with tables and layouts, and tables as tokens of a model and back.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "app/cli/choices.h"
#include "app/cli/streams_door.h"
#include "app/cli/streams_tables.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/streams/data/quality.h"
#include "core/streams/data/wait_k.h"

namespace braid::cli {
namespace {

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

std::vector<QuestionAnswer> readPairs(const std::string &path)
{
    const std::string text = readTextFile(path);
    std::vector<QuestionAnswer> pairs;
    std::size_t number = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string line = text.substr(begin, end - begin);
        begin = end + 1;
        ++number;
        if (line.find_first_not_of(" \r\t") == std::string::npos) {
            continue;
        }
        const std::size_t tab = line.find('\t');
        if (tab == std::string::npos) {
            throw Error(ErrorKind::Input, "line " + std::to_string(number) + " has no tab", path, "Each line is a question, a tab and its answer");
        }
        pairs.push_back({line.substr(0, tab), line.substr(tab + 1)});
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

// Streams called System, User and Document are read; all others speak.
Layout layoutOfNames(const TextTable &table)
{
    Layout layout;
    layout.name = "by the names of the columns";
    for (const std::string &name : table.streams) {
        Stream stream;
        stream.name = name;
        stream.role = name == "System" ? StreamRole::System : name == "User" ? StreamRole::User : name == "Document" ? StreamRole::Document : StreamRole::Assistant;
        layout.streams.push_back(std::move(stream));
    }
    return layout;
}

// Whether nothing was found.
bool tellFlaws(const TextTable &table, const std::string &where, const CheckOptions &options)
{
    const Layout layout = options.layout.empty() ? layoutOfNames(table) : findLayout(options.layout);
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
    for (const std::string &file : options.files) {
        if (std::filesystem::path(file).extension() != ".md") {
            const Layout layout = readLayout(file);
            std::printf("%s: the layout \"%s\" of %zu streams, %zu of them sampled\n", file.c_str(), layout.name.c_str(), layout.size(), layout.sampled().size());
            continue;
        }
        const std::vector<TextTable> tables = parseMarkdownTables(readTextFile(file, kMostTableBytes), file);
        std::size_t rows = 0;
        std::size_t good = 0;
        for (std::size_t i = 0; i < tables.size(); ++i) {
            rows += tables[i].rows.size();
            good += options.flaws->count() > 0 && tellFlaws(tables[i], tables.size() > 1 ? file + ", table " + std::to_string(i + 1) : file, options) ? 1 : 0;
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

int runTokens(const TokensOptions &options)
{
    const Layout layout = findLayout(options.model.layout);
    const engine::StreamsModelDoor door = loadStreamsModel(options.model, layout, {}, {});
    const std::vector<std::int32_t> silence = door.texts->encode(layout.silence_text, TokenTexts::Specials::PlainText);
    if (silence.size() != 1) {
        throw Error(ErrorKind::Input, "silence, \"" + layout.silence_text + "\", is not one token of this model", options.model.model, "Choose a layout that is silent with a token of the model");
    }
    const std::string text = readTextFile(options.file, kMostTableBytes);
    if (std::filesystem::path(options.file).extension() == ".md") {
        for (const TextTable &table : parseMarkdownTables(text, options.file)) {
            TokenTable tokens = toTokens(inOrderOf(layout, table, options.file), *door.texts);
            std::puts(tokenTableJson(tokens, silence.front()).c_str());
        }
        return 0;
    }
    std::size_t number = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string line = text.substr(begin, end - begin);
        begin = end + 1;
        ++number;
        if (line.find_first_not_of(" \r\t") != std::string::npos) {
            TokenTable tokens = parseTokenTable(line, options.file + ", line " + std::to_string(number), silence.front(), door.texts->size());
            if (tokens.streams.empty() && tokens.columns.size() == layout.size()) {
                for (const Stream &stream : layout.streams) {
                    tokens.streams.push_back(stream.name);
                }
            }
            std::puts(markdownTable(toTexts(tokens, *door.texts)).c_str());
        }
    }
    return 0;
}

}  // namespace

void addStreamsTables(CLI::App &streams, Run &chosen)
{
    auto *simulate = streams.add_subcommand("simulate", "Make conversations in two streams from questions and answers: the answer begins after k words of the question");
    const auto asked = std::make_shared<SimulateOptions>();
    simulate->add_option("PAIRS", asked->pairs, "Lines of QUESTION<TAB>ANSWER")->required();
    auto *wait_k = simulate->add_option("--wait-k", asked->wait_k, "Words of the question before the answer begins")->capture_default_str()->check(CLI::Range(0, 100'000));
    asked->causal = addFlag(*simulate, "--causal", "For each pair the smallest k with which nothing is named before it was read")->excludes(wait_k);
    asked->delayed = addFlag(*simulate, "--delayed", "Each part of the answer waits, in silence, until its words have been read");
    simulate->add_option("--bridge", asked->bridge, "What is said in the meantime, like \"Let me see:\"")->type_name("TEXT");
    simulate->callback([asked, &chosen] { chosen = [asked] { return runSimulate(*asked); }; });

    auto *check = streams.add_subcommand("check", "Say whether stream layouts (.json) and tables (.md) can be used");
    const auto checked = std::make_shared<CheckOptions>();
    check->add_option("FILES", checked->files, "Layouts and tables")->required();
    checked->flaws = addFlag(*check, "--flaws", "Also what is wrong with the tables: loops, echoes, unfinished or empty streams, words named before they were read");
    check->add_option("--layout", checked->layout, "The layout of the tables, a name or a file; without it streams called System, User and Document are read, all others speak")->type_name("NAME_OR_FILE");
    check->callback([checked, &chosen] { chosen = [checked] { return runCheck(*checked); }; });

    auto *tokens = streams.add_subcommand("tokens", "Write tables (.md) as a model's tokens, a JSON object a line, or such lines (.jsonl) as tables");
    const auto written = std::make_shared<TokensOptions>();
    tokens->add_option("FILE", written->file, "Tables, or lines of token_ids")->required();
    declareStreamsModel(*tokens, written->model);
    tokens->callback([written, &chosen] { chosen = [written] { return runTokens(*written); }; });
}

}  // namespace braid::cli
