// The speech a run learns from, ready to be cut into windows: decoded once into 16-bit samples kept on disk, its words as tokens with
// times, the teacher's features beside it. No torch. Errors: Error(Input), Error(Storage). Thread: after opening, const from any.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/sample_clock.h"
#include "core/text/whisper_tokenizer.h"
#include "lab/corpus/utterance.h"
#include "lab/train/keyed_store.h"
#include "lab/train/recipe.h"

namespace braid::train {

struct SpokenToken {
    std::int32_t id = 0;
    std::int32_t word = 0;  // counted from 0 within the utterance
    Sample start = 0;       // of the token within its word: by its share of the word's letters
    Sample end = 0;
};

struct Speech {
    std::uint64_t key = 0;
    std::span<const std::int16_t> sound;
    std::vector<SpokenToken> tokens;
    bool has_times = false;
    bool wants_features = false;
    double weight = 1;  // the chance that an epoch which passes through its corpus takes it
    std::string text;
    std::string source;
};

struct SpeechCorpus {
    double weight = 1;
    std::vector<Speech> speech;
};

// What is being prepared and how far it is, 0 to 1; may throw to stop.
using PreparationWatch = std::function<void(const std::string &what, double done)>;

class SpeechLibrary {
  public:
    // Opens and, where needed, makes the cache of `recipe`.
    SpeechLibrary(const Recipe &recipe, const text::WhisperTokenizer &tokenizer, const PreparationWatch &watch);

    [[nodiscard]] const std::vector<SpeechCorpus> &corpora() const noexcept { return m_corpora; }
    [[nodiscard]] const std::vector<Speech> &validation() const noexcept { return m_validation; }
    [[nodiscard]] const std::vector<std::span<const std::int16_t>> &noise() const noexcept { return m_noise; }
    [[nodiscard]] const std::vector<std::vector<float>> &rooms() const noexcept { return m_rooms; }
    // Utterances left out, and why: a sentence each.
    [[nodiscard]] const std::vector<std::string> &notices() const noexcept { return m_notices; }
    [[nodiscard]] double hours() const;

  private:
    [[nodiscard]] std::vector<corpus::Utterance> readUtterances(const std::filesystem::path &manifest) const;
    // Decodes what the cache lacks.
    void store(const std::vector<corpus::Utterance> &utterances, const std::string &name, const PreparationWatch &watch);
    [[nodiscard]] Speech speechOf(const corpus::Utterance &utterance, const text::WhisperTokenizer &tokenizer) const;
    [[nodiscard]] std::span<const std::int16_t> soundOf(const corpus::Utterance &utterance) const;

    std::unique_ptr<KeyedStore> m_sounds;
    std::vector<SpeechCorpus> m_corpora;
    std::vector<Speech> m_validation;
    std::vector<std::span<const std::int16_t>> m_noise;
    std::vector<std::vector<float>> m_rooms;
    std::vector<std::string> m_notices;
};

// The key of an utterance's sound in a cache.
[[nodiscard]] std::uint64_t soundKey(const corpus::Utterance &utterance);

// Tokens of the words (each with its leading space) and their times; a word's time is shared out by letters.
[[nodiscard]] std::vector<SpokenToken> spokenTokens(const corpus::Utterance &utterance, const text::WhisperTokenizer &tokenizer);

}  // namespace braid::train
