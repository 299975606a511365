// When each word of a known text is spoken: CMU PocketSphinx with its American English model follows a grammar that allows nothing but
// the text's words in their order, each in any of its pronunciations, and silence or noise before, between and after them.
//
// The library and its model are Debian packages (libpocketsphinx-dev, pocketsphinx-en-us). A build without them throws Error(Usage)
// with that sentence. Thread: one object, one thread; several objects work side by side.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "lab/corpus/utterance.h"

namespace braid::corpus {

struct Alignment {
    std::vector<TimedWord> words;  // as many as the text has, or none
    std::string problem;           // why there are none
    // How well the sound fits the text: the path's mean score a 10 ms frame in the recogniser's own units. Measured on Common Voice and
    // LibriSpeech: -27 to -8 with the right text, -60 to -21 with another one of as many words.
    double score = 0;
};

// Below this score another text was said than the one that is given: it takes no right text of the sets measured, and 9 of 10 wrong ones.
inline constexpr double kLowestAlignmentScore = -30;

class ForcedAligner {
  public:
    // `model`: a folder with en-us/ and cmudict-en-us.dict; empty: the one the library came with. Throws Error(Usage or Model).
    explicit ForcedAligner(const std::filesystem::path &model = {});
    ~ForcedAligner();
    ForcedAligner(ForcedAligner &&) noexcept;
    ForcedAligner &operator=(ForcedAligner &&) noexcept;

    // `text`: lower-case words (training_text.h) parted by single spaces. Sound: 16 kHz. Times are exact to 10 ms frames. A path
    // below `lowest_score` is a problem: it gives no words.
    [[nodiscard]] Alignment align(std::span<const float> sound, const std::string &text, double lowest_score = kLowestAlignmentScore);
    // Words so far that the dictionary did not know.
    [[nodiscard]] std::size_t guessedWords() const noexcept;

  private:
    struct Engine;
    std::unique_ptr<Engine> m_engine;
};

// Whether this build can align, for --help and the tests.
[[nodiscard]] bool alignerBuiltIn() noexcept;

}  // namespace braid::corpus
