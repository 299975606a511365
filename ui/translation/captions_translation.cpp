#include "ui/translation/captions_translation.h"

#include <algorithm>

#include "ui/translation/translation_export.h"

namespace braid::ui {

CaptionsTranslation::CaptionsTranslation(Services &services, SettingsStore &settings, CaptionController &captions)
    : m_services(services)
    , m_settings(settings)
    , m_captions(captions)
    , m_feed(captions)
    , m_controller(std::make_unique<TranslationController>(services.make_translation_kit()))
{
    connect(&m_feed, &CaptionsFeed::arrived, this, &CaptionsTranslation::give);
    connect(&captions.transcript(), &TranscriptModel::cleared, this, [this] {
        m_has_failed = false;
        m_controller->clearPage();
    });
    connect(m_controller.get(), &TranslationController::failed, this, [this] { m_has_failed = true; });
    connect(&captions, &CaptionController::activityChanged, this, [this] {
        if (m_captions.activity() == RunActivity::Idle) {
            m_controller->endSentence();
        }
    });
    connect(&m_controller->text(), &BilingualText::changed, this, &CaptionsTranslation::onChanged);
    connect(&m_controller->text(), &BilingualText::sentenceSettled, this, &LineTranslations::sentenceSettled);
    connect(&m_controller->text(), &BilingualText::cleared, this, [this] {
        m_paragraphs.clear();
        Q_EMIT cleared();
    });
}

CaptionsTranslation::~CaptionsTranslation() = default;

void CaptionsTranslation::setTranslator(const std::optional<TranslatorChoices> &choices)
{
    const auto before = std::exchange(m_choices, choices);
    if (!choices) {
        m_controller->clearPage();
        return;
    }
    if (before && before->model == choices->model && before->tuning.language == choices->tuning.language && before->compute == choices->compute) {
        if (!(before->tuning == choices->tuning)) {
            m_controller->retune(*choices);
        }
        return;
    }
    m_has_failed = false;
    m_controller->clearPage();
    m_feed.again();
    give();
}

void CaptionsTranslation::give()
{
    const std::span<const text::TranscriptItem> fresh = m_choices && !m_has_failed ? m_feed.take() : std::span<const text::TranscriptItem>();
    if (fresh.empty()) {
        return;
    }
    if (m_controller->activity() != RunActivity::Running) {
        begin();
    }
    m_controller->addCaptions(fresh);
    if (!m_feed.isListening()) {
        m_controller->endSentence();  // a page that was opened: nothing follows
    }
}

void CaptionsTranslation::begin()
{
    TranslatorChoices choices = *m_choices;
    // What was opened has been kept with its words; it can be translated again.
    if (m_settings.values().keeps_journals && m_feed.isListening()) {
        choices.journal_folder = m_services.journal_folder;
    }
    m_controller->start(choices, tr("captions"), 0);
}

// The paragraph of words that begins at `start` or last before it.
int CaptionsTranslation::paragraphAt(Sample start) const
{
    const std::vector<Paragraph> &paragraphs = m_captions.transcript().paragraphs();
    auto after = std::upper_bound(paragraphs.begin(), paragraphs.end(), start, [](Sample at, const Paragraph &p) { return at < p.start_sample; });
    while (after != paragraphs.begin() && (after - 1)->kind != ParagraphKind::Words) {
        --after;
    }
    return static_cast<int>(after - paragraphs.begin()) - 1;
}

void CaptionsTranslation::onChanged(int first_sentence)
{
    const BilingualText &text = m_controller->text();
    const std::vector<SentencePair> &sentences = text.sentences();
    while (m_paragraphs.size() < sentences.size()) {
        const SentencePair &sentence = sentences[m_paragraphs.size()];
        if (sentence.unit_count == 0) {
            break;  // its units are still to come
        }
        const auto &sound = text.unit(sentence.first_unit).sound;
        const int before = m_paragraphs.empty() ? 0 : m_paragraphs.back();
        m_paragraphs.push_back(std::max(before, sound ? paragraphAt(sound->start_sample) : before));
    }
    if (first_sentence < static_cast<int>(m_paragraphs.size())) {
        Q_EMIT grew(m_paragraphs[static_cast<std::size_t>(first_sentence)]);
    }
}

std::vector<TranslatedPiece> CaptionsTranslation::pieces(int paragraph) const
{
    const BilingualText &text = m_controller->text();
    std::vector<TranslatedPiece> pieces;
    const auto [first, last] = std::equal_range(m_paragraphs.begin(), m_paragraphs.end(), paragraph);
    for (auto at = first; at != last; ++at) {
        const SentencePair &sentence = text.sentences()[static_cast<std::size_t>(at - m_paragraphs.begin())];
        for (int index = sentence.first_word; sentence.word_count > 0 && index < sentence.first_word + sentence.word_count; ++index) {
            const PieceRef ref{TextSide::Target, index};
            pieces.push_back({text.textOf(ref), text.isJoined(ref)});
        }
    }
    return pieces;
}

text::Transcript CaptionsTranslation::transcript() const
{
    return timedTranslation(m_controller->text());
}

}  // namespace braid::ui
