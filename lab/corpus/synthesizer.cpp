#include "lab/corpus/synthesizer.h"

namespace braid::corpus {

Synthesizers findSynthesizers()
{
    Synthesizers all;
    const auto add = [&all](std::unique_ptr<Synthesizer> synthesizer, const char *sentence) {
        if (synthesizer) {
            all.found.push_back(std::move(synthesizer));
        } else {
            all.missing.emplace_back(sentence);
        }
    };
    add(findEspeak(), "eSpeak NG is not installed (package espeak-ng).");
    add(findFlite(), "Flite is not installed (package flite).");
    add(findFestival(), "Festival is not installed, or has no English voice (packages festival, festvox-kallpc16k, festvox-us-slt-hts).");
    return all;
}

}  // namespace braid::corpus
