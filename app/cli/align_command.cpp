// `braid-cli align`: when each word of a corpus is spoken.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <memory>
#include <numeric>
#include <set>

#include "app/cli/choices.h"
#include "app/cli/corpus_texts.h"
#include "app/cli/output_files.h"
#include "app/cli/sub_commands.h"
#include "app/cli/terminal.h"
#include "core/base/error.h"
#include "lab/corpus/align_corpus.h"
#include "lab/corpus/manifest.h"
#include "lab/corpus/read_corpus.h"
#include "lab/corpus/training_text.h"

namespace braid::cli {
namespace {

struct AlignCommand {
    std::string corpus;
    std::string out;
    std::string model;
    std::string without;
    int workers = 1;
    corpus::TextForm text = corpus::TextForm::Training;
    double lowest_score = corpus::kLowestAlignmentScore;
    CLI::Option *convert_only = nullptr;
    CLI::Option *overwrite = nullptr;
};

// The corpus with texts in the form asked for, less the utterances whose text is kept to measure on.
std::vector<corpus::Utterance> utterancesOf(const AlignCommand &command)
{
    auto read = corpus::readCorpus(command.corpus, command.text);
    for (const auto &notice : read.notices) {
        std::fprintf(stderr, "%s\n", notice.c_str());
    }
    if (!command.without.empty()) {
        std::ifstream file(command.without);
        if (!file) {
            throw Error(ErrorKind::Input, "cannot be opened", command.without, "Check the path of the texts");
        }
        std::set<std::string> kept_out;
        for (std::string line; std::getline(file, line);) {
            if (auto text = corpus::trainingText(line)) {
                kept_out.insert(std::move(*text));
            }
        }
        const auto left_out =
            std::erase_if(read.utterances, [&kept_out](const auto &utterance) { return kept_out.contains(corpus::trainingText(utterance.text).value_or("")); });
        std::fprintf(stderr, "%zu utterances left out: their texts are kept to measure on\n", left_out);
    }
    return std::move(read.utterances);
}

void printDeviation(const char *what, std::vector<double> seconds)
{
    if (seconds.empty()) {
        return;
    }
    std::sort(seconds.begin(), seconds.end());
    const double mean = std::accumulate(seconds.begin(), seconds.end(), 0.0) / static_cast<double>(seconds.size());
    const auto at = [&seconds](double share) { return seconds[static_cast<std::size_t>(share * static_cast<double>(seconds.size() - 1))]; };
    std::printf("%s against the times it had: mean %.0f ms, median %.0f ms, 95 %% within %.0f ms (%zu words)\n", what, mean * 1000, at(0.5) * 1000,
                at(0.95) * 1000, seconds.size());
}

int runAlign(const AlignCommand &command)
{
    // Without --convert-only, work goes on after what an existing manifest has.
    OutputFiles outputs(command.convert_only->count() > 0 ? existingFiles(*command.overwrite) : Existing::Overwritten);
    outputs.reads(command.corpus);
    outputs.reads(command.without);
    outputs.writes(command.out);
    const auto utterances = utterancesOf(command);  // simply ended by Ctrl+C, as long as nothing is written
    Interrupts interrupts;
    if (command.convert_only->count() > 0) {
        corpus::ManifestWriter writer(command.out, corpus::ManifestOpening::Replace);
        for (const auto &utterance : utterances) {
            writer.append(utterance);
        }
        writer.sync();
        std::printf("%zu utterances in %s\n", utterances.size(), command.out.c_str());
        return 0;
    }
    const auto begin = std::chrono::steady_clock::now();
    const auto seconds = [&begin] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); };
    const auto aligned = [&](const corpus::AlignProgress &progress) {
        if (!progress.problem.empty()) {
            std::fprintf(stderr, "%s: %s\n", progress.sound.c_str(), progress.problem.c_str());
        }
        if (progress.done % 100 == 0 || progress.done == progress.total) {
            std::fprintf(stderr, "%zu of %zu utterances, %zu without times, %.0f times real time\n", progress.done, progress.total, progress.failed,
                         progress.sound_seconds / seconds());
        }
    };
    const auto result = corpus::alignCorpus(utterances, command.out, {command.model, command.workers, command.lowest_score}, aligned,
                                            [&interrupts] { return interrupts.count() == 0; });
    std::printf("%zu of %zu utterances in %s; %zu of this run without times\n", result.done, result.total, command.out.c_str(), result.failed);
    printDeviation("Starts", result.deviations.starts);
    printDeviation("Ends", result.deviations.ends);
    return 0;
}

}  // namespace

void addAlign(CLI::App &app, Run &chosen)
{
    const auto command = std::make_shared<AlignCommand>();
    auto *align = app.add_subcommand("align", "Find when each word of a corpus is spoken (PocketSphinx)");
    align->add_option("CORPUS", command->corpus, "A manifest, lines of PATH<TAB>TEXT, a TextGrid, a .wrd file, or a folder of these")->required();
    align->add_option("--out", command->out, "The manifest with word times to write; where it exists already, work goes on after its last line")->required();
    align->add_option("--acoustic-model", command->model, "Folder with PocketSphinx's American English model");
    align->add_option("--without", command->without, "File of texts; utterances that say one of them are left out (those that are kept to measure on)");
    addChoice(*align, "--text", command->text, kCorpusTexts, "Texts of the manifest: training (lower-case words alone) or written (capitals and marks stay)");
    command->convert_only = addFlag(*align, "--convert-only", "Write the corpus as a manifest with the times it has, without aligning");
    command->overwrite = declareOverwrite(*align);
    align->add_option("--lowest-score", command->lowest_score, "Utterances whose sound fits their text worse are kept without times")->capture_default_str();
    align->add_option("--workers", command->workers, "Threads")->check(CLI::Range(1, 64))->capture_default_str();
    align->callback([command, &chosen] { chosen = [command] { return runAlign(*command); }; });
}

}  // namespace braid::cli
