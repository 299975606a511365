// Wait-k: read k units of the source, then write a word for every unit read (Ma et al. 2019, STACL), over a language model that reads and
// writes in one run ("LLM as Effective Streaming Processor", B.3 and algorithm 1; reference/streaming-llm.md 1.2, 1.5). A state machine: source
// text arrives when it arrives, every step() does one thing, and nothing written is ever taken back.
//
// The rules, where papers and released code differ or are silent:
// - Target word i (the first is 1) is written having seen the prompt and k + i - 1 units. The end of the source is a unit of its own, the last.
// - Punctuation belongs to its word: a word ends only where the next token begins with white space (or, counted in characters, with another
//   character), or at the end. That next token is a prediction made too early; it is dropped and predicted anew after the read.
// - An end that the model predicts before the source has ended closes the word it stands after, and asks for one more unit.
// - Nothing runs away: limits on tokens a word, words ahead of the source, tokens a sentence. What a limit closes says so.
// - What it says over and over is not written: a token that would begin one more round of a phrase than kMostRounds, or than one more than the source
//   has of one, counts as an end. More of the source may lead the model out of it.
// - Catching up: where more units wait than `catch_up_units`, all of them are read in one pass, and words are written without reading in
//   between until the translation is k behind again: the same lag, fewer passes, no source left out.
//
// Thread: one; the model outlives it. Errors: Error(Usage) for settings that cannot be; what the model throws.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/translation/reading_units.h"
#include "core/translation/translation_model.h"

namespace braid::translation {

struct WaitKSettings {
    int k = 5;  // 1 to kMaxK
    ReadingUnit source_unit = ReadingUnit::Words;
    ReadingUnit target_unit = ReadingUnit::Words;  // Words or Characters
    int catch_up_units = 0;                        // 0: always unit by unit
    int max_tokens_per_word = 50;
    int max_words_ahead = 100;     // words written beyond units read
    int max_target_tokens = 1024;  // of one sentence
    AttentionWanted attention = AttentionWanted::No;
};
inline constexpr int kMaxK = 1000;
inline constexpr std::size_t kMostRounds = 3;  // of a phrase of at most text::kLongestLoopedPhrase tokens

// Throws Error(Usage) naming the setting and what it may be.
void requireUsable(const WaitKSettings &settings);

struct TranslatedWord {
    std::string text;  // valid UTF-8 without surrounding space
    bool starts_without_space = false;
    float probability = 0;  // mean over its tokens
    std::vector<text::Token> tokens;
    std::int64_t read_units = 0;   // how much of the source had been read: the delay of AL and LAAL; the source's end counts as a unit
    std::int64_t units = 1;        // what it counts for: one word, or its characters
    std::vector<float> attention;  // over the units read (the end included), mean over its tokens; empty unless wanted
    bool was_cut = false;          // by max_tokens_per_word
};

enum class TranslationAction : std::uint8_t {
    Waiting = 1,  // for more source
    Read,
    Wrote,  // a token; the word goes on
    ClosedWord,
    Finished,  // the sentence is over
};
enum class TranslationEnd : std::uint8_t {
    NotYet = 1,
    Said,           // the model ended it
    NoSource,       // there was nothing to translate
    TooManyTokens,  // a limit
    TooFarAhead,
    NoRoom,      // the model can hold no more
    Repetition,  // all was read, and the model only said again what it had said over and over
};

struct TranslationStep {
    TranslationAction action = TranslationAction::Waiting;
    std::int64_t units_read = 0;         // by this step
    std::optional<text::Token> token;    // written by this step
    std::optional<TranslatedWord> word;  // closed by this step
    TranslationEnd end = TranslationEnd::NotYet;
};

class WaitKTranslator {
  public:
    // Starts the first sentence, without context.
    WaitKTranslator(TranslationModel &model, const WaitKSettings &settings);

    // Takes effect with the next decision to read; units stay what they are within a sentence.
    void adjust(const WaitKSettings &settings);

    // Ends what is open, unfinished or not, and starts anew.
    void beginSentence(const TranslationContext &context);
    // Text that directly follows what was given before (Segments: each piece is a unit). Not after endSource().
    void addSource(std::string_view text);
    // A unit cut elsewhere, whatever source_unit says. Not mixed with addSource() in one sentence.
    void addUnit(const SourceUnit &unit);
    // A unit that is no text: what the model reads for it, in which a number below 0 is no token (a segment of speech). Mixed with neither.
    void addUnitTokens(std::vector<std::int32_t> tokens);
    void endSource();

    [[nodiscard]] TranslationStep step();

    [[nodiscard]] bool isFinished() const noexcept { return m_end != TranslationEnd::NotYet; }
    [[nodiscard]] std::int64_t unitsRead() const noexcept { return m_read; }
    [[nodiscard]] std::int64_t unitsWaiting() const noexcept { return static_cast<std::int64_t>(m_waiting.size()); }  // given, not yet read
    [[nodiscard]] std::int64_t wordsWritten() const noexcept { return m_written; }
    // What stands of the word being written, for display; it may only grow.
    [[nodiscard]] std::string openText() const;

  private:
    [[nodiscard]] bool readsAll() const noexcept { return m_source_ended && m_waiting.empty(); }
    [[nodiscard]] std::int64_t unitsWanted() const;
    [[nodiscard]] TranslationStep readUnits(std::int64_t count);
    [[nodiscard]] TranslationStep writeToken();
    [[nodiscard]] TranslationStep stopSaying(TranslationEnd end);
    [[nodiscard]] bool wouldRepeat(std::int32_t token) const;
    [[nodiscard]] TranslationStep closeWord(TranslationAction action);
    [[nodiscard]] TranslationStep finish(TranslationEnd end);
    void take(std::vector<SourceUnit> units);
    void noteAttention(const std::vector<float> &over_tokens);
    [[nodiscard]] std::string openBytes() const;

    TranslationModel &m_model;
    WaitKSettings m_settings;
    UnitReader m_reader;
    std::deque<std::vector<std::int32_t>> m_waiting;  // tokens of units not yet read
    std::vector<std::int64_t> m_unit_ends;            // columns of each unit read end here
    std::optional<PredictedToken> m_predicted;        // valid as long as nothing is read
    std::vector<text::Token> m_open;                  // tokens of the word being written
    std::vector<float> m_open_attention;              // summed over its tokens
    bool m_source_ended = false;
    bool m_has_text = false;    // some was given, perhaps not a whole unit yet
    bool m_has_source = false;  // a unit came out
    std::int64_t m_read = 0;
    std::int64_t m_written = 0;
    std::int64_t m_hold_until = 0;              // units to have read before writing again, after an end predicted too early
    std::vector<std::int32_t> m_source_tokens;  // read, of this sentence, speech left out
    std::vector<std::int32_t> m_target_tokens;  // written, of this sentence
    std::size_t m_most_rounds = kMostRounds;    // of a phrase; more where the source has more
    TranslationEnd m_end = TranslationEnd::NotYet;
};

// How many tokens each word of a finished translation has, cut as the translator closes words; `tokens`: the bytes of each. For training.
[[nodiscard]] std::vector<std::int64_t> wordLengths(ReadingUnit target_unit, std::span<const std::string> tokens);

}  // namespace braid::translation
