// A corpus of synthetic speech for a list of texts: many voices, speeds and pitches, one to three sentences an utterance with pauses,
// word times as the synthesizers have them.
//
// Everything follows from the seed, whatever the number of workers; stopping and calling again goes on where the manifest ended.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "lab/corpus/in_order.h"
#include "lab/corpus/read_corpus.h"
#include "lab/corpus/synthesizer.h"

namespace braid::corpus {

struct VoiceChoice {
    Synthesizer *synthesizer = nullptr;
    std::string voice;
    double weight = 1;
};

// `patterns`: "flite/slt", "espeak/en-us*", "festival/*", each with "=3" for how often its voices are drawn together (1 where it is left out);
// patterns that begin with "-" take voices out again. Throws Error(Usage) for one that fits no voice.
[[nodiscard]] std::vector<VoiceChoice> chooseVoices(const std::vector<std::string> &patterns, const Synthesizers &synthesizers);

struct SynthOptions {
    std::uint64_t seed = 1;
    std::size_t utterances = 0;    // 0: until every text was spoken once; more than that begins the texts anew in another order
    double several_chance = 0.25;  // of two or three sentences in one utterance
    double slowest = 0.8;
    double fastest = 1.25;
    double lowest = 0.85;  // pitch
    double highest = 1.18;
    int workers = 1;
    TextForm text = TextForm::Training;  // of the manifest: Training, or Written
};

struct SynthProgress {
    std::size_t done = 0;  // planned utterances that are behind us, those of earlier runs included
    std::size_t total = 0;
    std::size_t failed = 0;    // in this run; they are left out
    std::size_t untimed = 0;   // in this run: spoken, but the synthesizer counted the words otherwise
    double sound_seconds = 0;  // in this run
    std::string problem;       // of the utterance just done, or empty
};

// The texts that can be spoken, each once, in the order of first sight: those whose training text is not among `without` and has
// `fewest` to `most` words.
[[nodiscard]] std::vector<std::string> speakableTexts(const std::vector<std::string> &lines, const std::vector<std::string> &without, std::size_t fewest = 1,
                                                      std::size_t most = 40);

// Writes FOLDER/000/000000.flac ... and FOLDER/manifest.jsonl. Throws Error(Usage) where the folder was made in another way.
SynthProgress synthesiseCorpus(const std::vector<std::string> &texts, const std::vector<VoiceChoice> &voices, const std::filesystem::path &folder,
                               const SynthOptions &options, const std::function<void(const SynthProgress &)> &spoken, const GoOn &go_on);

}  // namespace braid::corpus
