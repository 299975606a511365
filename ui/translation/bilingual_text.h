// A translation as the window holds it: source units and target words, both append-only, in sentences that share a row. Nothing taken in is
// changed or removed but by clear(). Runs follow one another on one page. GUI thread.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <QObject>
#include <QString>

#include "core/translation/translation_events.h"

namespace braid::ui {

enum class TextSide : std::uint8_t { Source = 1, Target };

// The n-th source unit, or the n-th target word, of the page.
struct PieceRef {
    TextSide side = TextSide::Target;
    int index = 0;
    friend bool operator==(const PieceRef &, const PieceRef &) = default;
};

inline constexpr int kNoWordYet = std::numeric_limits<int>::max();

struct SentencePair {
    int line = 0;  // of the page: sentences of one line of the source belong together
    int first_unit = 0;
    int unit_count = 0;
    int first_word = kNoWordYet;  // as long as it waits for its turn
    int word_count = 0;
    std::int64_t read_units = 0;  // the end counted as one more
    bool source_is_closed = false;
    translation::TranslationEnd end = translation::TranslationEnd::NotYet;
    QString translator;  // what translated it: "translate-en-fr, group-streaming, phi 0"
    [[nodiscard]] bool isOver() const noexcept { return end != translation::TranslationEnd::NotYet; }
};

class BilingualText : public QObject {
    Q_OBJECT
  public:
    explicit BilingualText(QObject *parent = nullptr)
        : QObject(parent)
    {
    }

    [[nodiscard]] const std::vector<SentencePair> &sentences() const noexcept { return m_sentences; }
    [[nodiscard]] int unitCount() const noexcept { return static_cast<int>(m_units.size()); }
    [[nodiscard]] int wordCount() const noexcept { return static_cast<int>(m_words.size()); }
    [[nodiscard]] int count(TextSide side) const noexcept { return side == TextSide::Source ? unitCount() : wordCount(); }
    [[nodiscard]] const translation::ArrivedUnit &unit(int index) const { return m_units[static_cast<std::size_t>(index)]; }
    [[nodiscard]] const translation::WordWritten &word(int index) const { return m_words[static_cast<std::size_t>(index)]; }
    [[nodiscard]] bool contains(PieceRef ref) const noexcept { return ref.index >= 0 && ref.index < count(ref.side); }
    [[nodiscard]] QString textOf(PieceRef ref) const;
    [[nodiscard]] bool isJoined(PieceRef ref) const;  // no space before it
    // The sentence of a piece that is there.
    [[nodiscard]] int sentenceOf(PieceRef ref) const;
    // The first sentence that is not over; sentences().size() where all are.
    [[nodiscard]] int firstOpen() const noexcept { return m_first_open; }
    // Whether the model has read this unit.
    [[nodiscard]] bool isRead(int unit) const;
    // What stands of the word being written, behind all written ones; it may still grow. Empty where none does.
    [[nodiscard]] const QString &openWord() const noexcept { return m_open_word; }
    [[nodiscard]] bool isEmpty() const noexcept { return m_units.empty(); }
    // Pieces `first`..`last` as a person would copy them: lines of the source are lines.
    [[nodiscard]] QString plainText(TextSide side, int first, int last) const;

    // Events of a new run follow, numbered from 0 again.
    void beginRun(const QString &translator);
    void changeTranslator(const QString &translator, std::int64_t first_sentence);
    void take(const translation::TranslationSessionEvent &event);
    // The newest state; to be given after the events that came before it.
    void setProgress(const translation::TranslationProgress &progress);
    // The run is over: nothing grows any more.
    void endRun();
    // Tells what was taken in since the last call: one signal for a frame's worth of events.
    void announce();
    void clear();

  Q_SIGNALS:
    void changed(int first_sentence);  // it and those after it
    void openWordChanged();
    void sentenceSettled(const QString &translation);  // whole, once: what screen readers are told
    void cleared();

  private:
    [[nodiscard]] SentencePair *sentenceNumbered(std::int64_t number);
    void beginSentence(const translation::SentenceBegan &began);
    void beginWords(SentencePair &sentence) const;
    void noteChange(const SentencePair &sentence);
    void setOpenWord(const QString &word);

    std::vector<SentencePair> m_sentences;
    std::vector<translation::ArrivedUnit> m_units;
    std::vector<translation::WordWritten> m_words;
    std::vector<QString> m_settled;  // translations to tell
    std::optional<int> m_changed_from;
    QString m_open_word;
    QString m_translator;
    QString m_next_translator;  // from a sentence of the run on
    std::int64_t m_next_translator_from = 0;
    int m_run_first_sentence = 0;
    int m_run_first_line = 0;
    int m_first_open = 0;
};

}  // namespace braid::ui
