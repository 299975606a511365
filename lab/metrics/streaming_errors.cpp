#include "lab/metrics/streaming_errors.h"

#include <algorithm>
#include <utility>

namespace braid::metrics {

StreamingErrors::StreamingErrors(std::vector<std::string> reference, std::vector<Sample> ends)
    : m_reference(std::move(reference))
    , m_ends(std::move(ends))
{
    if (m_ends.size() != m_reference.size()) {
        m_ends.clear();
    }
}

void StreamingErrors::add(std::span<const std::string> hypothesis, Sample heard)
{
    if (!counts() || hypothesis.size() > 2 * kMostStreamedWords) {
        return;
    }
    const std::span reference(m_reference);
    m_relative += countWordErrors(reference.first(std::min(reference.size(), hypothesis.size())), hypothesis);
    if (!m_ends.empty()) {
        const auto said = static_cast<std::size_t>(std::upper_bound(m_ends.begin(), m_ends.end(), heard) - m_ends.begin());
        m_aligned += countWordErrors(reference.first(said), hypothesis);
    }
}

}  // namespace braid::metrics
