#include "ui/translation/bilingual_text.h"

#include <algorithm>

#include "ui/shared/overloaded.h"

namespace braid::ui {
namespace {

int firstPiece(const SentencePair &sentence, TextSide side)
{
    return side == TextSide::Source ? sentence.first_unit : sentence.first_word;
}

}  // namespace

QString BilingualText::textOf(PieceRef ref) const
{
    return QString::fromStdString(ref.side == TextSide::Source ? unit(ref.index).text : word(ref.index).word.text);
}

bool BilingualText::isJoined(PieceRef ref) const
{
    return ref.side == TextSide::Source ? unit(ref.index).starts_without_space : word(ref.index).word.starts_without_space;
}

int BilingualText::sentenceOf(PieceRef ref) const
{
    // The last one that begins at it or before; sentences without pieces of this side begin where the next one does.
    const auto after =
        std::partition_point(m_sentences.begin(), m_sentences.end(), [ref](const SentencePair &s) { return firstPiece(s, ref.side) <= ref.index; });
    return static_cast<int>(after - m_sentences.begin()) - 1;
}

bool BilingualText::isRead(int unit) const
{
    const SentencePair &sentence = m_sentences[static_cast<std::size_t>(sentenceOf({TextSide::Source, unit}))];
    return unit - sentence.first_unit < sentence.read_units;
}

QString BilingualText::plainText(TextSide side, int first, int last) const
{
    QString text;
    int line = -1;
    first = std::max(first, 0);
    last = std::min(last, count(side) - 1);
    for (int index = first; index <= last; ++index) {
        const PieceRef ref{side, index};
        const SentencePair &sentence = m_sentences[static_cast<std::size_t>(sentenceOf(ref))];
        if (index > first) {
            text += sentence.line != line ? QStringLiteral("\n") : isJoined(ref) ? QString() : QStringLiteral(" ");
        }
        line = sentence.line;
        text += textOf(ref);
    }
    return text;
}

void BilingualText::beginRun(const QString &translator)
{
    m_translator = translator;
    m_next_translator.clear();
    m_run_first_sentence = static_cast<int>(m_sentences.size());
    m_run_first_line = m_sentences.empty() ? 0 : m_sentences.back().line + 1;
}

void BilingualText::changeTranslator(const QString &translator, std::int64_t first_sentence)
{
    m_next_translator = translator;
    m_next_translator_from = first_sentence;
    for (std::size_t index = static_cast<std::size_t>(m_run_first_sentence + first_sentence); index < m_sentences.size(); ++index) {
        m_sentences[index].translator = translator;
    }
}

SentencePair *BilingualText::sentenceNumbered(std::int64_t number)
{
    const std::int64_t index = m_run_first_sentence + number;
    return number >= 0 && index < static_cast<std::int64_t>(m_sentences.size()) ? &m_sentences[static_cast<std::size_t>(index)] : nullptr;
}

void BilingualText::noteChange(const SentencePair &sentence)
{
    const auto index = static_cast<int>(&sentence - m_sentences.data());
    m_changed_from = m_changed_from ? std::min(*m_changed_from, index) : index;
}

void BilingualText::beginSentence(const translation::SentenceBegan &began)
{
    SentencePair sentence;
    sentence.line = m_run_first_line + static_cast<int>(began.line);
    sentence.first_unit = unitCount();
    sentence.first_word = kNoWordYet;
    if (!m_next_translator.isEmpty() && began.sentence >= m_next_translator_from) {
        m_translator = m_next_translator;
        m_next_translator.clear();
    }
    sentence.translator = m_translator;
    m_sentences.push_back(sentence);
    noteChange(m_sentences.back());
}

void BilingualText::beginWords(SentencePair &sentence) const
{
    if (sentence.first_word == kNoWordYet) {
        sentence.first_word = wordCount();
    }
}

void BilingualText::take(const translation::TranslationSessionEvent &event)
{
    const auto inSentence = [this](std::int64_t number, auto change) {
        if (SentencePair *sentence = sentenceNumbered(number)) {
            change(*sentence);
            noteChange(*sentence);
        }
    };
    std::visit(
        Overloaded{
            [this](const translation::SentenceBegan &began) { beginSentence(began); },
            [&](const translation::UnitsArrived &arrived) {
                inSentence(arrived.sentence, [&](SentencePair &sentence) {
                    m_units.insert(m_units.end(), arrived.units.begin(), arrived.units.end());
                    sentence.unit_count += static_cast<int>(arrived.units.size());
                });
            },
            [&](const translation::SourceClosed &closed) { inSentence(closed.sentence, [](SentencePair &sentence) { sentence.source_is_closed = true; }); },
            [&](const translation::UnitsRead &read) { inSentence(read.sentence, [&](SentencePair &sentence) { sentence.read_units = read.read_units; }); },
            [&](const translation::WordWritten &written) {
                inSentence(written.sentence, [&](SentencePair &sentence) {
                    beginWords(sentence);
                    m_words.push_back(written);
                    ++sentence.word_count;
                });
                setOpenWord({});
            },
            [&](const translation::SentenceEnded &ended) {
                inSentence(ended.sentence, [&](SentencePair &sentence) {
                    sentence.end = ended.end;
                    beginWords(sentence);
                    m_settled.push_back(QString::fromStdString(ended.target));
                    m_first_open = std::max(m_first_open, static_cast<int>(&sentence - m_sentences.data()) + 1);
                });
            },
            [](const translation::LineEnded &) {},
            [](const translation::SessionNotice &) {},
        },
        event);
}

void BilingualText::setProgress(const translation::TranslationProgress &progress)
{
    const SentencePair *sentence = sentenceNumbered(progress.sentence);
    // A snapshot may be newer than the events that were taken: then it speaks of another word.
    const bool fits = sentence != nullptr && !sentence->isOver() && progress.words_written == sentence->word_count;
    setOpenWord(fits ? QString::fromStdString(progress.open_word) : QString());
}

void BilingualText::setOpenWord(const QString &word)
{
    if (word != m_open_word) {
        m_open_word = word;
        Q_EMIT openWordChanged();
    }
}

void BilingualText::endRun()
{
    setOpenWord({});
    for (auto sentence = m_sentences.begin() + m_first_open; sentence != m_sentences.end(); ++sentence) {
        beginWords(*sentence);
    }
    m_first_open = static_cast<int>(m_sentences.size());
}

void BilingualText::announce()
{
    if (m_changed_from) {
        const int from = *m_changed_from;
        m_changed_from.reset();
        Q_EMIT changed(from);
    }
    const auto settled = std::move(m_settled);
    m_settled.clear();
    for (const QString &translation : settled) {
        Q_EMIT sentenceSettled(translation);
    }
}

void BilingualText::clear()
{
    m_sentences.clear();
    m_units.clear();
    m_words.clear();
    m_settled.clear();
    m_changed_from.reset();
    m_open_word.clear();
    m_next_translator.clear();
    m_run_first_sentence = m_run_first_line = m_first_open = 0;
    Q_EMIT cleared();
}

}  // namespace braid::ui
