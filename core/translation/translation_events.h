// What a running translation tells, as plain data: lossless, in order, and nothing told ever changes.
//
// A source is cut into lines (its line feeds) and lines into sentences; both are numbered from 0 in the order of the source. A sentence
// is made of units (words with their punctuation; characters where a language writes no spaces). Units are told as they arrive, then as the
// model reads them; the sentence's translation word by word as it is written. Sentences are translated one after the other.
// Thread: values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/base/sample_clock.h"
#include "core/translation/wait_k.h"

namespace braid::translation {

struct SoundSpan {
    Sample start_sample = 0;
    Sample end_sample = 0;
};

struct ArrivedUnit {
    std::string text;                   // valid UTF-8, nothing invisible in it
    bool starts_without_space = false;  // joins the unit before it
    double arrived_ms = 0;              // since the run began
    std::optional<SoundSpan> sound;     // where it was said, if it was
};

// The first unit of a sentence is about to be told.
struct SentenceBegan {
    std::int64_t sentence = 0;
    std::int64_t line = 0;
};
struct UnitsArrived {
    std::int64_t sentence = 0;
    std::vector<ArrivedUnit> units;  // behind those before them
};
// The sentence has all its units; the model may read its end.
struct SourceClosed {
    std::int64_t sentence = 0;
};
// The model has read so many units of the sentence, its end counted as one more. Only ever grows.
struct UnitsRead {
    std::int64_t sentence = 0;
    std::int64_t read_units = 0;  // in all
    double read_ms = 0;           // since the run began
};
struct WordWritten {
    std::int64_t sentence = 0;
    TranslatedWord word;    // its attention: over the units the model has before it, the end included
    double written_ms = 0;  // since the run began
    // How far it is behind the source unit of the same number (a translation word for word would write it when that arrives): units that
    // had been read more than words written, and time since that unit arrived.
    std::int64_t lag_units = 0;
    double lag_ms = 0;
    double compute_ms = 0;  // of it, since the newest unit that was read arrived: what the machine is to blame for
};
struct SentenceEnded {
    std::int64_t sentence = 0;
    TranslationEnd end = TranslationEnd::NotYet;
    std::string source;  // whole, as read
    std::string target;
};
// Every sentence of a source line has ended; also told of lines without words.
struct LineEnded {
    std::int64_t line = 0;
};
// A plain sentence for people: a limit was met, a unit was too long.
struct SessionNotice {
    std::string sentence;
};

using TranslationSessionEvent = std::variant<SentenceBegan, UnitsArrived, SourceClosed, UnitsRead, WordWritten, SentenceEnded, LineEnded, SessionNotice>;

// The state of the moment: for display, may be outdated by the next step.
struct TranslationProgress {
    std::int64_t sentence = 0;       // being translated, or to come
    std::string growing_unit;        // source that may still grow: not told yet
    std::string open_word;           // target that may still grow: not told yet
    std::int64_t units_read = 0;     // of this sentence
    std::int64_t units_waiting = 0;  // arrived and not read, of all sentences
    std::int64_t words_written = 0;  // of this sentence
};

struct TranslationStatistics {
    std::int64_t sentences = 0;     // ended
    std::int64_t source_units = 0;  // read, without the ends of sentences
    std::int64_t target_words = 0;
    std::int64_t target_tokens = 0;
    double compute_seconds = 0;    // inside the model
    double tokens_per_second = 0;  // target tokens over compute_seconds
    TranslationCost cost;          // of the whole run; the cache as it is now
    double lag_units_mean = 0;     // over all words
    double lag_ms_mean = 0;
    double lag_ms_newest = 0;
};

}  // namespace braid::translation
