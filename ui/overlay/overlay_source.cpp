#include "ui/overlay/overlay_source.h"

#include <algorithm>

#include "ui/state/transcript_model.h"
#include "ui/translation/bilingual_text.h"

namespace braid::ui {

CaptionWords::CaptionWords(TranscriptModel &model, QObject *parent)
    : OverlaySource(parent)
    , m_model(model)
{
    connect(&model, &TranscriptModel::appended, this, &OverlaySource::changed);
    connect(&model, &TranscriptModel::tailChanged, this, &OverlaySource::changed);
    connect(&model, &TranscriptModel::cleared, this, &OverlaySource::cleared);
    connect(&model, &TranscriptModel::corrected, this, [this] {
        Q_EMIT cleared();  // its lines are set anew
        Q_EMIT changed();
    });
}

int CaptionWords::count() const
{
    return m_model.wordCount();
}

OverlayWord CaptionWords::word(int index) const
{
    const std::vector<Paragraph> &paragraphs = m_model.paragraphs();
    const auto after =
        std::upper_bound(paragraphs.begin(), paragraphs.end(), index, [](int word, const Paragraph &paragraph) { return word < paragraph.first_word; });
    const bool begins = after != paragraphs.begin() && (after - 1)->first_word == index;
    const text::Word &said = m_model.word(index);
    return {QString::fromStdString(said.text), said.starts_without_space, begins};
}

std::vector<OverlayWord> CaptionWords::tail() const
{
    std::vector<OverlayWord> words;
    for (const text::Word &said : m_model.tail()) {
        words.push_back({QString::fromStdString(said.text), said.starts_without_space, words.empty() && m_model.tailStartsParagraph()});
    }
    return words;
}

TranslatedWords::TranslatedWords(BilingualText &text, QObject *parent)
    : OverlaySource(parent)
    , m_text(nullptr)
{
    follow(text);
}

void TranslatedWords::follow(BilingualText &text)
{
    if (m_text == &text) {
        return;
    }
    if (m_text != nullptr) {
        disconnect(m_text, nullptr, this, nullptr);
    }
    m_text = &text;
    connect(&text, &BilingualText::changed, this, &OverlaySource::changed);
    connect(&text, &BilingualText::openWordChanged, this, &OverlaySource::changed);
    connect(&text, &BilingualText::cleared, this, &OverlaySource::cleared);
    Q_EMIT cleared();
    Q_EMIT changed();
}

int TranslatedWords::count() const
{
    return m_text->wordCount();
}

OverlayWord TranslatedWords::word(int index) const
{
    const PieceRef ref{TextSide::Target, index};
    const auto &sentences = m_text->sentences();
    const auto line = [&](int word) { return sentences[static_cast<std::size_t>(m_text->sentenceOf({TextSide::Target, word}))].line; };
    return {m_text->textOf(ref), m_text->isJoined(ref), index == 0 || line(index) != line(index - 1)};
}

std::vector<OverlayWord> TranslatedWords::tail() const
{
    return m_text->openWord().isEmpty() ? std::vector<OverlayWord>() : std::vector<OverlayWord>{{m_text->openWord(), false, false}};
}

}  // namespace braid::ui
