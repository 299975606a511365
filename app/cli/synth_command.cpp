// `braid-cli synth`: speech for a list of texts.
#include <cstdio>
#include <fstream>
#include <iostream>
#include <memory>

#include "app/cli/choices.h"
#include "app/cli/corpus_texts.h"
#include "app/cli/sub_commands.h"
#include "app/cli/terminal.h"
#include "core/base/error.h"
#include "lab/corpus/synth_corpus.h"

namespace braid::cli {
namespace {

struct SynthCommand {
    std::string texts;
    std::string without;
    std::vector<std::string> voices = {"*"};
    std::string out;
    std::size_t fewest_words = 1;
    std::size_t most_words = 40;
    corpus::SynthOptions options;
    CLI::Option *list = nullptr;
};

std::vector<std::string> linesOf(const std::string &path)
{
    std::ifstream file;
    if (path != "-") {
        file.open(path);
        if (!file) {
            throw Error(ErrorKind::Input, "cannot be opened", path, "Check the path of the texts");
        }
    }
    std::istream &in = path == "-" ? std::cin : file;
    std::vector<std::string> lines;
    std::size_t bytes = 0;
    for (std::string line; std::getline(in, line);) {
        bytes += line.size();
        if (bytes > (1U << 30U)) {
            throw Error(ErrorKind::Input, "has more than a gigabyte of text", path, "Use a part of it");
        }
        lines.push_back(std::move(line));
    }
    return lines;
}

int listVoices(const corpus::Synthesizers &synthesizers)
{
    for (const auto &synthesizer : synthesizers.found) {
        for (const auto &voice : synthesizer->voices()) {
            std::printf("%s/%s\n", synthesizer->name().c_str(), voice.c_str());
        }
    }
    for (const auto &sentence : synthesizers.missing) {
        std::fprintf(stderr, "%s\n", sentence.c_str());
    }
    return 0;
}

int runSynth(const SynthCommand &command)
{
    const auto synthesizers = corpus::findSynthesizers();
    if (command.list->count() > 0) {
        return listVoices(synthesizers);
    }
    if (command.texts.empty() || command.out.empty()) {
        throw Error(ErrorKind::Usage, "TEXTS and --out are needed", "synth", "braid-cli synth --help explains them");
    }
    for (const auto &sentence : synthesizers.missing) {
        std::fprintf(stderr, "%s\n", sentence.c_str());
    }
    const auto voices = corpus::chooseVoices(command.voices, synthesizers);
    const auto texts = corpus::speakableTexts(linesOf(command.texts), command.without.empty() ? std::vector<std::string>() : linesOf(command.without),
                                              command.fewest_words, command.most_words);
    Interrupts interrupts;  // from here on: reading texts, perhaps from a keyboard, is simply ended by Ctrl+C
    std::fprintf(stderr, "%zu texts, %zu voices\n", texts.size(), voices.size());
    const auto begin = std::chrono::steady_clock::now();
    const auto spoken = [&](const corpus::SynthProgress &progress) {
        if (!progress.problem.empty()) {
            std::fprintf(stderr, "%s\n", progress.problem.c_str());
        }
        if (progress.done % 200 == 0 || progress.done == progress.total) {
            const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
            std::fprintf(stderr, "%zu of %zu utterances, %zu failed, %zu without word times, %.2f h, %.0f times real time\n", progress.done, progress.total,
                         progress.failed, progress.untimed, progress.sound_seconds / 3600, progress.sound_seconds / seconds);
        }
    };
    const auto result = corpus::synthesiseCorpus(texts, voices, command.out, command.options, spoken, [&interrupts] { return interrupts.count() == 0; });
    std::printf("%zu of %zu utterances in %s/manifest.jsonl; %zu of this run failed\n", result.done, result.total, command.out.c_str(), result.failed);
    return 0;
}

}  // namespace

void addSynth(CLI::App &app, Run &chosen)
{
    const auto command = std::make_shared<SynthCommand>();
    auto &options = command->options;
    auto *synth = app.add_subcommand("synth", "Make speech for a list of texts with the synthesizers on this machine");
    synth->add_option("TEXTS", command->texts, "The texts, one a line; - reads standard input");
    synth->add_option("--out", command->out, "Folder for the sounds and manifest.jsonl; where it has a beginning already, work goes on after it");
    synth
        ->add_option("--voices", command->voices,
                     "Voices, such as flite/slt espeak/en-us* festival/*=3 -flite/rms: =3 draws a group three times as often, a leading - leaves voices out")
        ->delimiter(',');
    synth->add_option("--without", command->without, "File of texts that must not be spoken, one a line (those that are kept to measure on)");
    synth->add_option("--utterances", options.utterances, "How many to make; 0: until every text was spoken once")->capture_default_str();
    synth->add_option("--fewest-words", command->fewest_words, "Shorter texts are left out")->capture_default_str();
    synth->add_option("--most-words", command->most_words, "Longer texts are left out")->capture_default_str();
    synth->add_option("--several", options.several_chance, "Share of utterances of two or three sentences")->check(CLI::Range(0.0, 1.0))->capture_default_str();
    synth->add_option("--slowest", options.slowest, "Speeds from this ...")->check(CLI::Range(0.5, 2.0))->capture_default_str();
    synth->add_option("--fastest", options.fastest, "... to this, times the voice's own")->check(CLI::Range(0.5, 2.0))->capture_default_str();
    synth->add_option("--lowest", options.lowest, "Pitches from this ...")->check(CLI::Range(0.5, 2.0))->capture_default_str();
    synth->add_option("--highest", options.highest, "... to this, times the voice's own")->check(CLI::Range(0.5, 2.0))->capture_default_str();
    addChoice(*synth, "--text", options.text, kCorpusTexts, "Texts of the manifest: training (lower-case words alone) or written (capitals and marks stay)");
    synth->add_option("--seed", options.seed, "Everything random follows from it")->capture_default_str();
    synth->add_option("--workers", options.workers, "Threads")->check(CLI::Range(1, 64))->capture_default_str();
    command->list = addFlag(*synth, "--list-voices", "List the voices there are");
    synth->callback([command, &chosen] { chosen = [command] { return runSynth(*command); }; });
}

}  // namespace braid::cli
