// Speech in memory with the words in it: what augmentation takes and gives. Plain data.
#pragma once

#include <string>
#include <vector>

#include "lab/corpus/utterance.h"

namespace braid::corpus {

struct Spoken {
    std::vector<float> sound;  // 16 kHz, -1..1
    std::string text;
    std::vector<TimedWord> words;  // empty: times unknown; else in order, as many as the text has
};

}  // namespace braid::corpus
