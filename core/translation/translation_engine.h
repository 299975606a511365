// Runs live translations: a worker thread that owns model and session, an inlet that takes source text at any time, and two outlets.
//
// Ownership: the window or braid-cli owns one engine for each translation that runs at a time (two for two paradigms side by side, each
// given the same source). Threads: every public function may be called from the owner's thread and never waits for the model (the destructor
// does: it stops and joins). Errors: start() and adjust() throw Error(Usage) for settings that cannot be; all else comes as a Failed event with a sentence.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/transcript.h"
#include "core/translation/translation_model.h"
#include "core/translation/translation_run_events.h"
#include "core/translation/translation_session.h"

namespace braid::translation {

// Loads a language model, or takes one that is loaded, and makes the translation model that runs on it: which paradigm, phi, sampling and
// attention is decided there. Called on the worker thread. `progress(fraction, what)` may be called often.
using TranslatorFactory = std::function<std::unique_ptr<TranslationModel>(const std::function<void(double, std::string)> &progress, std::stop_token stop)>;

struct Translator {
    TranslatorFactory make;
    std::string name;  // for events: "translate-en-fr, group-streaming, phi 0"
};

struct TranslationRunConfig {
    Translator translator;
    TranslationSettings settings;
    std::string source_name;  // "typed text", "talk.txt", "captions"
    // A source that brings nothing for so long has its open sentence ended; 0: never. A word that may still grow keeps it from that.
    int idle_ends_sentence_ms = 0;
    std::filesystem::path journal_folder;  // where its journal is made (run_journal.h); empty: none
};

class TranslationEngine {
  public:
    TranslationEngine();
    ~TranslationEngine();
    TranslationEngine(const TranslationEngine &) = delete;
    TranslationEngine &operator=(const TranslationEngine &) = delete;

    // Starts a run; one still going is cancelled first. Returns its generation, which every event and snapshot of it carries.
    std::uint64_t start(TranslationRunConfig config);
    // Source of the present run, in order; kept until the model is there. What comes after endSource() is dropped.
    void addText(std::string_view text);
    // Committed captions: their words with their times; line breaks and gaps end lines.
    void addCaptions(std::span<const text::TranscriptItem> items);
    void endSentence();
    // No more source: what there is is translated, then the run ends with TranslationFinished.
    void endSource();
    // Ends at once; what was told stays.
    void cancel();

    // Live settings; each is taken before the next step (see TranslationSession on what counts from when).
    void adjust(const TranslationSettings &settings);
    // Another model, paradigm, phi, sampling or language, from the next sentence on. Made on the worker thread while source is
    // being kept; where it cannot be made, a Notice says so and the old one stays. The newest wish counts.
    void changeTranslator(Translator translator);

    // Events since the last call, in order.
    [[nodiscard]] std::vector<TranslationEvent> takeEvents();
    // The newest state; never null.
    [[nodiscard]] std::shared_ptr<const TranslationSnapshot> snapshot() const;
    // Blocks until the run is over or the time is up; true when over. For braid-cli and tests.
    [[nodiscard]] bool waitUntilFinished(std::optional<double> seconds = {});

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

}  // namespace braid::translation
