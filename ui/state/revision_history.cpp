#include "ui/state/revision_history.h"

#include <algorithm>
#include <cstdlib>

namespace braid::ui {
namespace {

// Places are timed anew while their word is unsettled; beyond this it is another place.
constexpr Sample kSamePlaceSamples = samplesFromSeconds(2);

Sample middleOf(Sample start, Sample end)
{
    return (start + end) / 2;
}

}  // namespace

void RevisionHistory::take(std::span<const captions::Revision> newest, std::int64_t total, Sample offset)
{
    const auto fresh = static_cast<std::size_t>(std::clamp<std::int64_t>(total - m_taken_of_run, 0, static_cast<std::int64_t>(newest.size())));
    m_taken_of_run = std::max(total, m_taken_of_run);
    for (captions::Revision revision : newest.last(fresh)) {
        revision.heard_sample += offset;
        revision.start_sample += offset;
        revision.end_sample += offset;
        m_revisions.push_back(std::move(revision));
    }
    while (m_revisions.size() > kMostKept) {
        m_revisions.pop_front();
    }
}

void RevisionHistory::clear()
{
    m_revisions.clear();
    m_taken_of_run = 0;
}

std::vector<SaidBefore> RevisionHistory::chainOf(const text::Word &word) const
{
    // Backwards from the word: the newest change that led to it, then the newest before that one that led to what was there.
    std::vector<SaidBefore> chain;
    std::string wanted = word.text;
    Sample middle = middleOf(word.start_sample, word.end_sample);
    int left = word.revision_count;
    for (auto revision = m_revisions.rbegin(); revision != m_revisions.rend() && left > 0; ++revision) {
        if (revision->end_sample + 10 * kSamePlaceSamples < word.start_sample) {
            break;
        }
        const Sample there = middleOf(revision->start_sample, revision->end_sample);
        // A change of case or of a full stop is no revision: the word may since look a little different.
        const bool leads_here = revision->after == wanted || (left == word.revision_count && revision->before == word.revised_from);
        if (leads_here && std::abs(there - middle) <= kSamePlaceSamples) {
            chain.push_back({left == word.revision_count ? word.text : revision->after, revision->heard_sample});
            wanted = revision->before;
            middle = there;
            --left;
        }
    }
    const std::string first = chain.empty() && word.revision_count > 0 ? word.revised_from : wanted;
    if (word.revision_count > 0 && chain.empty()) {
        chain.push_back({word.text, 0});  // the change itself is no longer kept
    }
    chain.push_back({first, 0});
    std::reverse(chain.begin(), chain.end());
    return chain;
}

}  // namespace braid::ui
