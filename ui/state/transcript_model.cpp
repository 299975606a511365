#include "ui/state/transcript_model.h"

#include <algorithm>

#include "ui/shared/core_words.h"

namespace braid::ui {
namespace {

bool sameShape(const text::Word &a, const text::Word &b)
{
    return a.text == b.text && a.start_sample == b.start_sample && a.end_sample == b.end_sample && a.revision_count == b.revision_count &&
           a.probability == b.probability && a.starts_without_space == b.starts_without_space;
}

void moveWord(text::Word &word, Sample offset)
{
    word.start_sample += offset;
    word.end_sample += offset;
    word.first_seen_sample += offset;
    if (word.committed_sample != 0) {
        word.committed_sample += offset;
    }
}

}  // namespace

QString gapText(const text::Gap &gap)
{
    const QString length = QString::number(secondsFromSamples(gap.length_samples), 'f', 1);
    const QString reason = coreWords(gap.reason);
    return reason.isEmpty() ? QObject::tr("%1 s of sound missing").arg(length) : QObject::tr("%1 s of sound missing: %2").arg(length, reason);
}

QString shownText(const text::Word &word)
{
    return word.text.empty() ? QStringLiteral("\u00d7") : QString::fromStdString(word.text);
}

void TranscriptModel::correct(int word, const std::optional<std::string> &text)
{
    text::correctWord(std::get<text::Word>(m_items[m_word_items[static_cast<std::size_t>(word)]]), text);
    Q_EMIT corrected(word);
}

const text::Word *TranscriptModel::find(WordRef ref) const
{
    if (ref.part == WordPart::Settled) {
        return ref.index >= 0 && ref.index < wordCount() ? &word(ref.index) : nullptr;
    }
    return ref.index >= 0 && ref.index < static_cast<int>(m_tail.size()) ? &m_tail[static_cast<std::size_t>(ref.index)] : nullptr;
}

void TranscriptModel::append(std::span<const text::TranscriptItem> items, Sample offset)
{
    if (items.empty()) {
        return;
    }
    for (text::TranscriptItem item : items) {
        if (auto *said = std::get_if<text::Word>(&item)) {
            moveWord(*said, offset);
            m_items.push_back(std::move(item));
            appendWord(m_items.size() - 1);
        } else if (auto *line_break = std::get_if<text::LineBreak>(&item)) {
            line_break->sample += offset;
            endParagraph();
            m_items.push_back(std::move(item));
        } else if (auto *gap = std::get_if<text::Gap>(&item)) {
            gap->start_sample += offset;
            endParagraph();
            m_paragraphs.push_back({ParagraphKind::Gap, gap->start_sample, wordCount(), 0, gapText(*gap), gap->length_samples});
            m_items.push_back(std::move(item));
        }
    }
    Q_EMIT appended();
}

void TranscriptModel::appendHeading(const QString &heading, Sample start)
{
    endParagraph();
    m_paragraphs.push_back({ParagraphKind::Heading, start, wordCount(), 0, heading, 0});
    Q_EMIT appended();
}

void TranscriptModel::appendWord(std::size_t item)
{
    if (m_paragraph_ended) {
        m_paragraphs.push_back({ParagraphKind::Words, std::get<text::Word>(m_items[item]).start_sample, wordCount(), 0, {}, 0});
        m_paragraph_ended = false;
    }
    m_word_items.push_back(item);
    ++m_paragraphs.back().word_count;
}

void TranscriptModel::endParagraph()
{
    if (m_paragraph_ended) {
        return;
    }
    m_paragraph_ended = true;
    const Paragraph &ended = m_paragraphs.back();
    Q_EMIT paragraphSettled(plainText(ended.first_word, ended.first_word + ended.word_count - 1));
}

void TranscriptModel::setTail(std::vector<text::Word> tail, Sample offset)
{
    for (text::Word &word : tail) {
        moveWord(word, offset);
    }
    const bool same = std::equal(tail.begin(), tail.end(), m_tail.begin(), m_tail.end(), sameShape);
    m_tail = std::move(tail);
    if (!same) {
        Q_EMIT tailChanged();
    }
}

void TranscriptModel::clear()
{
    m_items.clear();
    m_word_items.clear();
    m_paragraphs.clear();
    m_tail.clear();
    m_paragraph_ended = true;
    Q_EMIT cleared();
}

TranscriptModel::Contents TranscriptModel::takeContents()
{
    Contents taken{std::move(m_items), std::move(m_paragraphs)};
    clear();
    return taken;
}

void TranscriptModel::putContents(Contents contents)
{
    clear();
    m_items = std::move(contents.items);
    m_paragraphs = std::move(contents.paragraphs);
    for (std::size_t item = 0; item < m_items.size(); ++item) {
        if (std::holds_alternative<text::Word>(m_items[item])) {
            m_word_items.push_back(item);
        }
    }
    Q_EMIT appended();
}

QString TranscriptModel::plainText(int first, int last) const
{
    QString result;
    auto paragraph = std::upper_bound(m_paragraphs.begin(), m_paragraphs.end(), first, [](int index, const Paragraph &p) { return index < p.first_word; });
    if (paragraph != m_paragraphs.begin()) {
        --paragraph;
    }
    for (; paragraph != m_paragraphs.end() && paragraph->first_word <= last; ++paragraph) {
        if (paragraph->kind != ParagraphKind::Words) {
            if (paragraph->first_word > first) {
                result += (result.isEmpty() ? QString() : QStringLiteral("\n")) + QStringLiteral("[%1]").arg(paragraph->text);
            }
            continue;
        }
        const int begin = std::max(first, paragraph->first_word);
        const int end = std::min(last + 1, paragraph->first_word + paragraph->word_count);
        if (begin >= end) {
            continue;
        }
        if (!result.isEmpty()) {
            result += QLatin1Char('\n');
        }
        bool begins = true;
        for (int index = begin; index < end; ++index) {
            const text::Word &said = word(index);
            if (said.text.empty()) {
                continue;  // struck out
            }
            if (!begins && !said.starts_without_space) {
                result += QLatin1Char(' ');
            }
            begins = false;
            result += QString::fromStdString(said.text);
        }
    }
    return result;
}

int TranscriptModel::wordAt(Sample sample) const
{
    // Words are ordered by start within the whole transcript: runs follow one another on the clock.
    int low = 0;
    int high = wordCount();
    while (low < high) {
        const int middle = (low + high) / 2;
        if (word(middle).start_sample <= sample) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low > 0 && word(low - 1).end_sample > sample ? low - 1 : -1;
}

}  // namespace braid::ui
