// A whole corpus through the forced aligner: a manifest in, the same with word times out.
//
// Texts may be training texts or written ones (written_text.h): what is spoken is aligned, and each word keeps the form it has in its text.
// Utterances that cannot be aligned are kept without times and reported. Stopping and calling again goes on where the output ended.
// Thread: calls back on the calling thread; works on `workers` threads.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "lab/corpus/forced_aligner.h"
#include "lab/corpus/in_order.h"
#include "lab/corpus/utterance.h"

namespace braid::corpus {

struct AlignOptions {
    std::filesystem::path model;  // empty: PocketSphinx's own
    int workers = 1;
    double lowest_score = kLowestAlignmentScore;
};

// How far found times lie from those the corpus already had, in seconds, absolute.
struct TimeDeviations {
    std::vector<double> starts;
    std::vector<double> ends;
};

struct AlignProgress {
    std::size_t done = 0;  // utterances in the output, those of earlier runs included
    std::size_t total = 0;
    std::size_t failed = 0;     // in this run
    double sound_seconds = 0;   // in this run
    TimeDeviations deviations;  // of utterances that came with as many word times as words
    std::string problem;        // of the utterance just done, or empty
    std::filesystem::path sound;
};

using OnAligned = std::function<void(const AlignProgress &)>;

// Throws Error(Usage) where `out` was made from other utterances.
AlignProgress alignCorpus(const std::vector<Utterance> &utterances, const std::filesystem::path &out, const AlignOptions &options, const OnAligned &aligned,
                          const GoOn &go_on);

}  // namespace braid::corpus
