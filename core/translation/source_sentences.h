// The source of a translation, cut as it arrives: into lines (line feeds), sentences (core/translation/sentence_boundaries.h) and units
// (core/translation/reading_units.h). Knows no model. The cuts depend on the text and its pauses alone, not on the pieces it comes in.
// Thread: one, the engine worker's.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "core/translation/reading_units.h"
#include "core/translation/sentence_boundaries.h"
#include "core/translation/translation_events.h"

namespace braid::translation {

struct SourceSentence {
    std::int64_t number = 0;
    std::int64_t line = 0;
    std::vector<ArrivedUnit> units;  // at least one
    bool is_closed = false;          // no more units follow
    double closed_ms = 0;
};

// How a source is cut. Changes count where no sentence is open.
struct SourceCutting {
    ReadingUnit unit = ReadingUnit::Words;
    SentenceLimits limits;
};

class SourceSentences {
  public:
    // `tell` hears of SentenceBegan, UnitsArrived, SourceClosed and LineEnded.
    SourceSentences(const SourceCutting &cutting, std::function<void(TranslationSessionEvent)> tell);

    void adjust(const SourceCutting &cutting);
    // When what is given next arrived, since the run began.
    void arrivedAt(double ms) noexcept { m_arrived_ms = ms; }
    // Text that directly follows what was given before; may end inside a word or a character.
    void addText(std::string_view text);
    // A whole word with its time in the sound; closes what is left of text before it.
    void addSpokenWord(std::string_view word, bool starts_without_space, SoundSpan sound);
    void endLine();
    // A break in speech: ends the line where it has words; never makes a line without.
    void endSpokenLine();
    void endSentence();
    void endSource();

    // The oldest sentence that is not done; nullptr where there is none. Valid until the next call that is not const.
    [[nodiscard]] const SourceSentence *oldest() const noexcept { return m_sentences.empty() ? nullptr : &m_sentences.front(); }
    // It is translated; lines that are done with it are told.
    void dropOldest();
    [[nodiscard]] bool hasEnded() const noexcept { return m_has_ended; }
    [[nodiscard]] const std::string &growingUnit() const noexcept { return m_reader.growing(); }
    [[nodiscard]] bool hasOpenSentence() const noexcept { return !m_sentences.empty() && !m_sentences.back().is_closed; }
    // Of the next sentence that begins.
    [[nodiscard]] std::int64_t nextNumber() const noexcept { return m_next_number; }
    // Units of all sentences that are not done.
    [[nodiscard]] std::int64_t unitsKept() const noexcept { return m_units_kept; }

  private:
    void take(const std::vector<SourceUnit> &units);
    void takeUnit(const SourceUnit &unit, std::int64_t pause_before_ms, std::optional<SoundSpan> sound);
    void tellArrived();
    void close();
    void tellEndedLines();
    void takeNewCutting();

    SourceCutting m_cutting;
    std::optional<SourceCutting> m_new_cutting;
    std::function<void(TranslationSessionEvent)> m_tell;
    UnitReader m_reader;
    SentenceBoundaries m_boundaries;
    std::deque<SourceSentence> m_sentences;
    std::deque<std::int64_t> m_ended_lines;  // their line feed has come
    std::optional<Sample> m_spoken_until;
    double m_arrived_ms = 0;
    std::size_t m_untold = 0;  // of the newest sentence's units
    std::int64_t m_line = 0;
    bool m_line_has_text = false;
    std::int64_t m_next_number = 0;
    std::int64_t m_units_kept = 0;
    bool m_has_ended = false;
};

}  // namespace braid::translation
