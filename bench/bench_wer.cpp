// Word error rate of a model on real recordings, transcribed as wholes.
//
//   bench_wer MODEL MANIFEST [--beam N] [--threads N] [--limit N] [--every N] [--verbose]
//
// MANIFEST: lines "PATH TAB TEXT", paths relative to the manifest's folder. --every N takes every N-th line, --limit N at most N.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/audio/read_whole.h"
#include "core/base/cpu.h"
#include "core/base/error.h"
#include "core/metrics/text_normaliser.h"
#include "core/metrics/word_error_rate.h"
#include "core/models/caption_model.h"

namespace {

using namespace braid;

std::string textOf(const text::Transcript &transcript)
{
    std::string text;
    for (const text::TranscriptItem &item : transcript) {
        if (const auto *word = std::get_if<text::Word>(&item)) {
            text += (word->starts_without_space || text.empty() ? "" : " ") + word->text;
        }
    }
    return text;
}

struct Options {
    std::string model;
    std::filesystem::path manifest;
    int beam_size = 1;
    int threads = 0;
    long limit = 1L << 40;
    long every = 1;
    bool verbose = false;
};

Options parse(int argc, char **argv)
{
    Options options;
    std::vector<std::string> names;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        const auto number = [&] { return i + 1 < argc ? std::atol(argv[++i]) : 0; };
        if (argument == "--beam") {
            options.beam_size = static_cast<int>(number());
        } else if (argument == "--threads") {
            options.threads = static_cast<int>(number());
        } else if (argument == "--limit") {
            options.limit = number();
        } else if (argument == "--every") {
            options.every = std::max(1L, number());
        } else if (argument == "--verbose") {
            options.verbose = true;
        } else {
            names.push_back(argument);
        }
    }
    if (names.size() != 2) {
        throw Error(ErrorKind::Usage, "a model and a manifest are needed", "bench_wer");
    }
    options.model = names[0];
    options.manifest = names[1];
    return options;
}

void measure(const Options &options)
{
    const auto model = models::CaptionModel::load(options.model, {"cpu", models::NumberType::Float32, options.threads});
    models::OfflineOptions offline;
    offline.beam_size = options.beam_size;
    offline.temperatures = {0.0f};
    std::ifstream manifest(options.manifest);
    if (!manifest) {
        throw Error(ErrorKind::Input, "the manifest cannot be read", options.manifest.string());
    }
    metrics::WordErrors errors;
    double heard_s = 0;
    double spent_s = 0;
    long count = 0;
    long line_number = 0;
    for (std::string line; std::getline(manifest, line) && count < options.limit;) {
        const auto tab = line.find('\t');
        if (line_number++ % options.every != 0 || tab == std::string::npos) {
            continue;
        }
        const std::vector<float> sound = audio::readWhole(options.manifest.parent_path() / line.substr(0, tab));
        const auto begin = std::chrono::steady_clock::now();
        const std::string said = textOf(model->transcribe(sound, offline));
        spent_s += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        heard_s += secondsFromSamples(static_cast<Sample>(sound.size()));
        const metrics::WordErrors here = metrics::countWordErrors(metrics::normalisedWords(line.substr(tab + 1)), metrics::normalisedWords(said));
        errors += here;
        ++count;
        if (options.verbose) {
            std::printf("%s  %.1f %%\n  said:  %s\n  heard: %s\n", line.substr(0, tab).c_str(), 100 * here.rate(), line.substr(tab + 1).c_str(), said.c_str());
        }
    }
    std::printf("%ld recordings, %.1f min: word error rate %.2f %% (%lld words: %lld substituted, %lld inserted, %lld deleted); real-time factor %.3f\n", count, heard_s / 60,
                100 * errors.rate(), static_cast<long long>(errors.reference_words), static_cast<long long>(errors.substitutions), static_cast<long long>(errors.insertions),
                static_cast<long long>(errors.deletions), heard_s > 0 ? spent_s / heard_s : 0);
}

}  // namespace

int main(int argc, char **argv)
{
    restartWithTunedEnvironment(argv);
    try {
        measure(parse(argc, argv));
    } catch (const braid::Error &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return exitCodeFor(error.kind());
    }
    return 0;
}
