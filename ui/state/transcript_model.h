// The transcript as the window holds it: settled words, append-only, in paragraphs; and the unsettled tail, replaced as a whole.
// GUI thread. Settled items are never removed but by clear(), and changed by a person alone.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <QObject>
#include <QString>

#include "core/text/correction.h"

namespace braid::ui {

enum class WordPart : std::uint8_t { Settled = 1, Tail };

// A word by its place: the n-th settled word or the n-th word of the tail.
struct WordRef {
    WordPart part = WordPart::Settled;
    int index = 0;
    friend bool operator==(const WordRef &, const WordRef &) = default;
};

enum class ParagraphKind : std::uint8_t { Words = 1, Gap, Heading };

struct Paragraph {
    ParagraphKind kind = ParagraphKind::Words;
    Sample start_sample = 0;
    int first_word = 0;
    int word_count = 0;
    QString text;               // of a gap or heading, ready to show
    Sample length_samples = 0;  // of a gap
};

class TranscriptModel : public QObject {
    Q_OBJECT
  public:
    explicit TranscriptModel(QObject *parent = nullptr)
        : QObject(parent)
    {
    }

    [[nodiscard]] int wordCount() const noexcept { return static_cast<int>(m_word_items.size()); }
    [[nodiscard]] const text::Word &word(int index) const { return std::get<text::Word>(m_items[m_word_items[static_cast<std::size_t>(index)]]); }
    [[nodiscard]] const std::vector<text::Word> &tail() const noexcept { return m_tail; }
    // Null where the reference points at nothing (any more).
    [[nodiscard]] const text::Word *find(WordRef ref) const;
    [[nodiscard]] const std::vector<Paragraph> &paragraphs() const noexcept { return m_paragraphs; }
    // Whether the tail begins a paragraph of its own.
    [[nodiscard]] bool tailStartsParagraph() const noexcept { return m_paragraph_ended; }
    // All settled items, for export.
    [[nodiscard]] const text::Transcript &items() const noexcept { return m_items; }
    [[nodiscard]] bool isEmpty() const noexcept { return m_items.empty() && m_tail.empty(); }
    // Settled words `first`..`last`, as a person would copy them: paragraphs are lines, gaps and headings stand in brackets.
    [[nodiscard]] QString plainText(int first, int last) const;
    // The settled word being said at `sample`, or -1.
    [[nodiscard]] int wordAt(Sample sample) const;

    // Appends settled items, moved by `offset` on the clock.
    void append(std::span<const text::TranscriptItem> items, Sample offset = 0);
    // Begins a part: "talk.mp4". Only what is seen, not part of items().
    void appendHeading(const QString &heading, Sample start);
    void setTail(std::vector<text::Word> tail, Sample offset = 0);
    // A person's words in the place of a settled one's (text::WordCorrection::text).
    void correct(int word, const std::optional<std::string> &text);
    void clear();
    // All that is settled, to be put back later; the page is empty then.
    struct Contents {
        text::Transcript items;
        std::vector<Paragraph> paragraphs;
    };
    [[nodiscard]] Contents takeContents();
    void putContents(Contents contents);

  Q_SIGNALS:
    void appended();  // words, gaps or headings came in at the end
    void tailChanged();
    void corrected(int word);
    void paragraphSettled(const QString &line);  // a whole paragraph, once: what screen readers are told
    void cleared();

  private:
    void appendWord(std::size_t item);
    void endParagraph();

    text::Transcript m_items;
    std::vector<std::size_t> m_word_items;  // item of each settled word
    std::vector<Paragraph> m_paragraphs;
    std::vector<text::Word> m_tail;
    bool m_paragraph_ended = true;
};

// What stands on the page for a word: a cross where a person struck it out, so that it can be found again.
[[nodiscard]] QString shownText(const text::Word &word);
// "2.4 s of sound lost: the microphone was unplugged".
[[nodiscard]] QString gapText(const text::Gap &gap);

}  // namespace braid::ui
