// Where a long session is cut into sentences, and what of the sentence before goes with the next: so that hours cost the same every
// minute and a pronoun still finds its noun. The rules are plain and written down here; they decide word by word, and a decision stays.
//
// A sentence ends after a word that ends one (core/text/sentence_ends.h); before a word that comes after a line break or a long
// pause; from `soft_units` on also after a comma, semicolon or colon, or at a short pause; at `most_units` in any case.
// Thread: one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>

#include "core/translation/translation_model.h"

namespace braid::translation {

struct SentenceLimits {
    int soft_units = 30;
    int most_units = 60;
    int long_pause_ms = 2000;
    int short_pause_ms = 400;
};
// For captions: many recognisers write no punctuation, and then a speaker's breath is the best sign of a sentence's end.
inline constexpr SentenceLimits kSpeechLimits{.soft_units = 6, .most_units = 40, .long_pause_ms = 1200, .short_pause_ms = 250};

enum class SentenceCut : std::uint8_t {
    None = 1,
    BeforeWord,  // the word begins the next sentence
    AfterWord,
    BeforeAndAfterWord,  // the word is a sentence of its own
};

class SentenceBoundaries {
  public:
    explicit SentenceBoundaries(const SentenceLimits &limits);
    // The next word (reading unit) with its punctuation, and how long nothing was said before it.
    [[nodiscard]] SentenceCut add(std::string_view word, std::int64_t pause_before_ms);
    // A line break in the source: the next word begins a sentence.
    void breakLine() noexcept { m_after_line_break = true; }
    [[nodiscard]] int unitsInSentence() const noexcept { return m_units; }

  private:
    SentenceLimits m_limits;
    int m_units = 0;
    bool m_after_line_break = false;
};

// The finished sentences of a session that a new one goes on from: the newest whole pairs that together have no more than `most_units`
// words (characters where there are no spaces) on each side, and at most `most_sentences` of them.
class SentenceHistory {
  public:
    SentenceHistory(std::size_t most_sentences, std::int64_t most_units);
    void add(std::string source, std::string target);
    void limit(std::size_t most_sentences, std::int64_t most_units);
    void clear() noexcept { m_pairs.clear(); }
    [[nodiscard]] TranslationContext context() const;

  private:
    std::size_t m_most_sentences;
    std::int64_t m_most_units;
    std::deque<TranslationContext> m_pairs;  // oldest first, only those that may still be wanted
};

}  // namespace braid::translation
