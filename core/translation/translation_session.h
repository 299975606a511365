// One live run of a translation, seen from the worker: source text in whatever pieces it comes goes in, words of the translation come
// out. Knows no threads and no files.
//
// Guarantees: nothing told changes; every unit of the source is translated, in order, exactly once (where a limit ends a sentence
// early, what it left unread is translated by itself); the result depends on the text and its pauses, not on the pieces it came in. Cost and memory
// do not grow with the length of the session: every sentence starts an empty cache.
//
// Context: a sentence begins with the sentences before it, source and target, as translation::SentenceHistory gives them: the newest whole
// pairs, at most `context_sentences` of them and `context_units` words a side. What was said before a line without words, before a sentence
// that met a limit, or by another model, is forgotten. A context that leaves the model no room is left out.
// Limits: where one ends the translation of a sentence early, its rest (units for which there is no word yet) is translated with an empty cache and
// without context, under the same number; where the model had no room, in parts half as long as what it could read.
// Changes: k, catching up and limits count at once; units, context and another model from the next sentence on.
//
// Thread: one, the engine worker's. Errors: what the model throws passes through; Error(Usage) for settings that cannot be.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/translation/reading_units.h"
#include "core/translation/sentence_boundaries.h"
#include "core/translation/translation_events.h"
#include "core/translation/wait_k.h"

namespace braid::translation {

struct TranslationSettings {
    WaitKSettings wait_k;  // source_unit: of the session; a k of kMaxK waits for the whole sentence
    SentenceLimits sentences;
    std::size_t context_sentences = 1;  // 0: every sentence stands alone
    std::int64_t context_units = 40;
};
void requireUsable(const TranslationSettings &settings);

class TranslationSession {
  public:
    using Tell = std::function<void(TranslationSessionEvent)>;

    // `ms_clock`: time since the run began. `tell` is called from within the calls below.
    TranslationSession(std::unique_ptr<TranslationModel> model, const TranslationSettings &settings, std::function<double()> ms_clock, Tell tell);
    ~TranslationSession();

    void adjust(const TranslationSettings &settings);
    void changeModel(std::unique_ptr<TranslationModel> model);

    // When the source given by the calls that follow arrived, since the run began.
    void arrivedAt(double ms);
    // Text that directly follows what was given before; may end inside a word or a character. Line feeds end lines.
    void addText(std::string_view text);
    // A whole word that was said; what is left of text before it is closed first.
    void addSpokenWord(std::string_view word, bool starts_without_space, SoundSpan sound);
    void endLine();
    // A break in speech: as endLine(), but never makes a line without words.
    void endSpokenLine();
    // Ends the sentence that is open, as if its last word had a full stop: for "translate now" and for sources that fell silent.
    void endSentence();
    // Nothing more follows.
    void endSource();

    enum class Step : std::uint8_t {
        Worked = 1,  // one read, or one token
        Idle,        // needs more source
        Over,        // the source has ended and all of it is translated
    };
    [[nodiscard]] Step step();

    // A model given to changeModel() waits for the sentence before to end.
    [[nodiscard]] bool modelWaits() const noexcept;
    [[nodiscard]] TranslationProgress progress() const;
    [[nodiscard]] TranslationStatistics statistics() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

}  // namespace braid::translation
