#include "core/captions/revision_log.h"

#include <algorithm>
#include <cstdlib>

namespace braid::captions {
namespace {

// A place may be timed anew by so much between two steps.
constexpr Sample kSamePlaceSamples = samplesFromSeconds(3);
constexpr std::size_t kMostTold = 256;

Sample middleOf(const text::Word &word)
{
    return (word.start_sample + word.end_sample) / 2;
}

}  // namespace

RevisionLog::Told *RevisionLog::find(const text::Word &word)
{
    Told *nearest = nullptr;
    const auto away = [&word](const Told &told) { return std::abs(told.middle_sample - middleOf(word)); };
    for (Told &told : m_told) {
        if (!told.seen && told.revision_count == word.revision_count && told.before == word.revised_from && away(told) <= kSamePlaceSamples &&
            (nearest == nullptr || away(told) < away(*nearest))) {
            nearest = &told;
        }
    }
    return nearest;
}

std::vector<Revision> RevisionLog::update(std::span<const text::Word> committed, std::span<const text::Word> tail, Sample heard_sample)
{
    for (Told &told : m_told) {
        told.seen = false;
    }
    std::vector<Revision> fresh;
    std::vector<Told> next;
    const auto look = [&](const text::Word &word, bool stays) {
        if (word.revision_count <= 0) {
            return;
        }
        if (Told *told = find(word)) {
            told->seen = true;
        } else {
            fresh.push_back({heard_sample, word.start_sample, word.end_sample, word.revised_from, word.text});
        }
        if (stays) {
            next.push_back({middleOf(word), word.revision_count, word.revised_from, false});
        }
    };
    for (const text::Word &word : committed) {
        look(word, false);
    }
    for (const text::Word &word : tail) {
        look(word, true);
    }
    // A word that the tail does not reach just now may come back as it was.
    for (Told &told : m_told) {
        if (!told.seen && next.size() < kMostTold) {
            next.push_back(std::move(told));
        }
    }
    m_told = std::move(next);
    return fresh;
}

}  // namespace braid::captions
