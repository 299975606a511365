// The eSpeak NG speech library, looked up while the program runs: Braid neither links nor ships it, and says so where it is missing.
//
// The library is one state for the whole process: every call here takes its lock. Thread: any.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/sample_clock.h"

namespace braid::corpus {

struct EspeakEvent {
    enum class Kind { Word = 1, Phoneme, Pause, End } kind = Kind::Word;
    std::size_t text_byte = 0;  // Word: where it begins in the text
    std::size_t length = 0;     // Word: how many characters of the text it spans
    double seconds = 0;         // from the beginning of the sound
};

struct EspeakSpeech {
    int rate_hz = 0;
    std::vector<float> sound;
    std::vector<EspeakEvent> events;
};

struct EspeakManner {
    std::string voice = "en-us";  // an accent, with "+variant" where wanted: "en+f2"
    int words_per_minute = 175;   // 80 .. 450
    int pitch = 50;               // 0 .. 99
    int pitch_range = 50;         // 0 .. 99
};

class EspeakLibrary {
  public:
    // The one instance; nullptr where the library (libespeak-ng.so.1) or its data is not installed.
    [[nodiscard]] static std::shared_ptr<EspeakLibrary> find();
    ~EspeakLibrary();
    EspeakLibrary(const EspeakLibrary &) = delete;
    EspeakLibrary &operator=(const EspeakLibrary &) = delete;

    // The word as American English phonemes in the International Phonetic Alphabet, UTF-8. Empty where it has none.
    [[nodiscard]] std::string ipa(const std::string &word);
    // Plain text only: markup in it is read out or left out, never obeyed. Throws Error(Usage) for a voice that does not exist.
    [[nodiscard]] EspeakSpeech speak(const std::string &text, const EspeakManner &manner);
    [[nodiscard]] bool hasVoice(const std::string &voice);
    // The data folder, where voices/!v lists the variants.
    [[nodiscard]] std::filesystem::path dataFolder() const;

  private:
    struct Functions;
    explicit EspeakLibrary(std::unique_ptr<Functions> functions);
    std::unique_ptr<Functions> m_functions;
};

}  // namespace braid::corpus
