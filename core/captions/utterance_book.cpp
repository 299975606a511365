#include "core/captions/utterance_book.h"

#include <algorithm>
#include <utility>

namespace braid::captions {

namespace {
// The join with the next hypothesis and the guard against loops look at them though their sound is gone.
constexpr std::size_t kRememberedWords = 16;
}  // namespace

void UtteranceBook::begin()
{
    m_tracker.clear();
    m_settled.clear();
    m_tail.clear();
}

void UtteranceBook::setTail(std::vector<text::Word> words, Sample heard_sample)
{
    m_tail = std::move(words);
    m_tracker.update(m_tail, heard_sample);
}

void UtteranceBook::commit(std::size_t count, Sample heard_sample, PolicyUpdate &update)
{
    const auto end = m_tail.begin() + static_cast<std::ptrdiff_t>(std::min(count, m_tail.size()));
    for (auto word = m_tail.begin(); word != end; ++word) {
        word->committed_sample = heard_sample;
        m_prompt.append(*word);
        update.committed.push_back(*word);
        m_settled.push_back(std::move(*word));
    }
    m_tail.erase(m_tail.begin(), end);
    m_tracker.commit(count);
}

void UtteranceBook::forgetBefore(Sample sample)
{
    const auto needed =
        std::find_if(m_settled.begin(), m_settled.end(), [sample](const text::Word &word) { return word.end_sample > sample; }) - m_settled.begin();
    const auto dispensable = std::max<std::ptrdiff_t>(0, static_cast<std::ptrdiff_t>(m_settled.size()) - static_cast<std::ptrdiff_t>(kRememberedWords));
    m_settled.erase(m_settled.begin(), m_settled.begin() + std::min(needed, dispensable));
}

Sample UtteranceBook::settledUntil(Sample otherwise) const
{
    return m_settled.empty() ? otherwise : std::max(otherwise, m_settled.back().end_sample);
}

}  // namespace braid::captions
