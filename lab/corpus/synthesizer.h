// Speech synthesizers that are installed on this machine, with the time of every word as the synthesizer itself has it.
//
// eSpeak NG and Flite are libraries looked up while the program runs; Festival is a program that is spoken to through pipes. None is
// needed to build or run Braid. What they are given is speakable text only (training_text.h): letters, apostrophes, spaces and six marks.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lab/corpus/spoken.h"
#include "lab/corpus/training_text.h"

namespace braid::corpus {

struct Manner {
    double speed = 1;  // 0.5 .. 2 times the voice's own
    double pitch = 1;  // 0.5 .. 2 times the voice's own, where the voice can
};

// Thread: any; each takes its own locks.
class Synthesizer {
  public:
    virtual ~Synthesizer() = default;
    [[nodiscard]] virtual std::string name() const = 0;                 // "flite"
    [[nodiscard]] virtual std::vector<std::string> voices() const = 0;  // without the synthesizer's name; sorted
    // Word times are as many as words, or none where the synthesizer counted the words otherwise. Throws Error(Input) for what cannot be
    // spoken and Error(Usage) for an unknown voice.
    [[nodiscard]] virtual Spoken speak(const std::vector<SpeakableWord> &words, const std::string &voice, const Manner &manner) = 0;
};

struct Synthesizers {
    std::vector<std::unique_ptr<Synthesizer>> found;
    std::vector<std::string> missing;  // a sentence each, with the package to install
};
[[nodiscard]] Synthesizers findSynthesizers();

// Each is nullptr where it is not installed.
[[nodiscard]] std::unique_ptr<Synthesizer> findEspeak();
[[nodiscard]] std::unique_ptr<Synthesizer> findFlite();
[[nodiscard]] std::unique_ptr<Synthesizer> findFestival();

// A text as a string of the Scheme language, quotation marks included: nothing in it can end the string.
[[nodiscard]] std::string schemeString(std::string_view text);

}  // namespace braid::corpus
