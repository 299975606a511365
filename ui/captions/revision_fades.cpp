#include "ui/captions/revision_fades.h"

#include <algorithm>

namespace braid::ui {
namespace {

constexpr qint64 kFadeMs = 700;

float shareLeft(qint64 age_ms)
{
    return age_ms < kFadeMs ? 1 - static_cast<float>(age_ms) / kFadeMs : 0;
}

}  // namespace

// The words at the front of the tail have settled: those revised in the same moment show it once, and the tail's memory moves on.
void RevisionFades::onSettled(const TranscriptModel &model, qint64 now_ms, Motion motion)
{
    const auto fresh = static_cast<std::size_t>(std::max(0, model.wordCount() - m_settled_words));
    const std::size_t from_tail = std::min(fresh, m_tail.size());
    for (std::size_t index = 0; index < from_tail && motion == Motion::Full; ++index) {
        const int word = m_settled_words + static_cast<int>(index);
        const qint64 changed = model.word(word).revision_count > m_tail[index].revisions ? now_ms : m_tail[index].changed_ms;
        if (now_ms - changed < kFadeMs) {
            m_settled.push_back({word, changed});
            m_fading = true;
        }
    }
    m_tail.erase(m_tail.begin(), m_tail.begin() + static_cast<std::ptrdiff_t>(from_tail));
    m_settled_words = model.wordCount();
}

void RevisionFades::onTailChanged(const TranscriptModel &model, qint64 now_ms, Motion motion)
{
    const auto &tail = model.tail();
    m_tail.resize(tail.size(), {0, -kFadeMs});
    for (std::size_t index = 0; index < tail.size(); ++index) {
        if (tail[index].revision_count > m_tail[index].revisions && motion == Motion::Full) {
            m_tail[index].changed_ms = now_ms;
            m_fading = true;
        }
        m_tail[index].revisions = tail[index].revision_count;
    }
}

void RevisionFades::advance(qint64 now_ms)
{
    std::erase_if(m_settled, [now_ms](const SettledWord &word) { return now_ms - word.changed_ms >= kFadeMs; });
    m_fading = !m_settled.empty() || std::any_of(m_tail.begin(), m_tail.end(), [now_ms](const TailWord &word) { return now_ms - word.changed_ms < kFadeMs; });
}

std::vector<float> RevisionFades::tail(qint64 now_ms) const
{
    std::vector<float> fades;
    for (const TailWord &word : m_tail) {
        fades.push_back(shareLeft(now_ms - word.changed_ms));
    }
    return fades;
}

std::vector<std::pair<int, float>> RevisionFades::settled(qint64 now_ms) const
{
    std::vector<std::pair<int, float>> fades;
    for (const SettledWord &word : m_settled) {
        fades.emplace_back(word.word, shareLeft(now_ms - word.changed_ms));
    }
    return fades;
}

}  // namespace braid::ui
