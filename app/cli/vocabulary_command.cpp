// `braid-cli vocabulary`: the part of GPT-2's tokens that a caption model's texts need, as a tokenizer.json.
#include <cstdio>
#include <fstream>

#include <CLI/CLI.hpp>

#include "app/cli/output_files.h"
#include "app/cli/sub_commands.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/text/restricted_vocabulary.h"
#include "lab/corpus/manifest.h"

namespace braid::cli {
namespace {

struct VocabularyCommand {
    std::vector<std::string> texts;
    std::string from;
    std::string out = "tokenizer.json";
    std::int64_t least = 12;
    CLI::Option *overwrite = nullptr;
};

void addFile(text::RestrictedVocabulary &vocabulary, const std::filesystem::path &path)
{
    if (path.extension() == ".jsonl") {
        corpus::ManifestReader reader(path);
        for (corpus::Utterance utterance; reader.next(utterance);) {
            vocabulary.add(utterance.text);
        }
        return;
    }
    std::ifstream file(path);
    if (!file) {
        throw Error(ErrorKind::Input, "cannot be opened", path.string(), "Check the path of the texts");
    }
    for (std::string line; std::getline(file, line);) {
        if (!line.empty()) {
            vocabulary.add(line);
        }
    }
}

int runVocabulary(const VocabularyCommand &command)
{
    OutputFiles outputs(existingFiles(*command.overwrite));
    outputs.reads(command.from);
    for (const std::string &path : command.texts) {
        outputs.reads(path);
    }
    outputs.writes(command.out);
    text::RestrictedVocabulary vocabulary(command.from);
    for (const std::string &path : command.texts) {
        addFile(vocabulary, path);
    }
    const auto choice = vocabulary.choose(command.least, {"<|endoftext|>", "<|startoftranscript|>", "<|nospeech|>", "<|notimestamps|>"});
    writeFileAtomically(command.out, choice.tokenizer_json);
    std::printf("%lld tokens in %s, of %lld in the texts; %lld of them are met less often than %lld times and kept as parts of others\n",
                static_cast<long long>(choice.tokens), command.out.c_str(), static_cast<long long>(vocabulary.counted()), static_cast<long long>(choice.seldom),
                static_cast<long long>(command.least));
    return 0;
}

}  // namespace

void addVocabulary(CLI::App &app, Run &chosen)
{
    const auto options = std::make_shared<VocabularyCommand>();
    auto *command = app.add_subcommand("vocabulary", "Choose the part of a vocabulary that texts need, for a caption model of one's own");
    command->add_option("TEXTS", options->texts, "Manifests (*.jsonl) or files with a sentence a line")->required();
    command->add_option("--from", options->from, "The whole vocabulary: gpt2.tiktoken")->required();
    command->add_option("--least", options->least, "How often a token must be met")
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000}))
        ->capture_default_str();
    command->add_option("--out", options->out, "The tokenizer.json to write")->capture_default_str();
    options->overwrite = declareOverwrite(*command);
    command->callback([options, &chosen] { chosen = [options] { return runVocabulary(*options); }; });
}

}  // namespace braid::cli
