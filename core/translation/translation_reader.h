// Events of a translation read back from their lines (translation_json.h), as journals hold them. Files may come from strangers: bounded and checked, so
// that what was read is numbered and ordered as a session tells it. Thread: one. Errors: Error(Input).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "core/translation/translation_run_events.h"

namespace braid::translation {

class TranslationReader {
  public:
    // An event of the session, or TranslatorChanged. What does not fit behind those before is refused and leaves what was read as it was.
    void addEvent(std::string_view line);
    [[nodiscard]] std::vector<TranslationEventBody> take() { return std::exchange(m_events, {}); }

  private:
    struct Sentence {
        std::int64_t units = 0;
        std::int64_t read_units = 0;
        bool is_closed = false;
    };
    void check(const SentenceBegan &event);
    void check(const UnitsArrived &event);
    void check(const SourceClosed &event);
    void check(const UnitsRead &event);
    void check(const WordWritten &event);
    void check(const SentenceEnded &event);
    void check(const LineEnded &) {}
    void check(const SessionNotice &) {}
    [[nodiscard]] Sentence &newest(std::int64_t sentence);
    [[nodiscard]] Sentence &translated(std::int64_t sentence);
    void count(std::size_t pieces);

    std::vector<Sentence> m_sentences;
    std::int64_t m_line = 0;        // of the newest sentence
    std::int64_t m_translated = 0;  // nothing more is told of the sentences before it
    std::size_t m_pieces = 0;       // sentences, units, words, tokens
    std::vector<TranslationEventBody> m_events;
};

}  // namespace braid::translation
