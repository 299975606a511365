// Speech with its text and, where known, the time of every word (a weakly aligned corpus; CarelessWhisper, section VI).
// Plain data; no torch, no Qt.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/sample_clock.h"

namespace braid::corpus {

struct TimedWord {
    std::string text;
    Sample start_sample = 0;  // from the utterance's beginning, 16 kHz
    Sample end_sample = 0;
};

struct Utterance {
    std::filesystem::path sound;   // any media file
    Sample offset = 0;             // where in the file it begins
    Sample length = 0;             // 0: to the file's end
    std::string text;              // normalised as the model's texts are
    std::vector<TimedWord> words;  // empty: times unknown
    std::string source;            // which collection and voice: "librispeech/1272", "flite/slt"
    double weight = 1;             // how often it is drawn
};

// The manifest is JSON Lines, one utterance a line, paths relative to the manifest:
// {"sound": "a.flac", "offset_s": 0, "length_s": 2.5, "text": "two words", "words": [["two", 0.1, 0.4], ["words", 0.5, 0.9]], "source": "x", "weight": 1}

}  // namespace braid::corpus
