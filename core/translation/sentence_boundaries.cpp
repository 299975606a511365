#include "core/translation/sentence_boundaries.h"

#include <utility>

#include "core/text/sentence_ends.h"
#include "core/translation/reading_units.h"

namespace braid::translation {
namespace {

std::int64_t unitsOf(std::string_view sentence)
{
    UnitReader reader(ReadingUnit::Characters);
    const auto units = reader.add(sentence).size();
    return static_cast<std::int64_t>(units + reader.finish().size());
}

}  // namespace

SentenceBoundaries::SentenceBoundaries(const SentenceLimits &limits)
    : m_limits(limits)
{
}

SentenceCut SentenceBoundaries::add(std::string_view word, std::int64_t pause_before_ms)
{
    const bool is_long = m_units >= m_limits.soft_units;
    const bool is_after_pause = pause_before_ms >= m_limits.long_pause_ms || (is_long && pause_before_ms >= m_limits.short_pause_ms);
    const bool begins = m_units > 0 && (m_after_line_break || is_after_pause);
    m_after_line_break = false;
    if (begins) {
        m_units = 0;
    }
    ++m_units;
    const bool ends = text::endsSentence(word) || m_units >= m_limits.most_units || (m_units >= m_limits.soft_units && text::endsClause(word));
    if (ends) {
        m_units = 0;
        return begins ? SentenceCut::BeforeAndAfterWord : SentenceCut::AfterWord;
    }
    return begins ? SentenceCut::BeforeWord : SentenceCut::None;
}

SentenceHistory::SentenceHistory(std::size_t most_sentences, std::int64_t most_units)
    : m_most_sentences(most_sentences)
    , m_most_units(most_units)
{
}

void SentenceHistory::limit(std::size_t most_sentences, std::int64_t most_units)
{
    m_most_sentences = most_sentences;
    m_most_units = most_units;
    while (m_pairs.size() > m_most_sentences) {
        m_pairs.pop_front();
    }
}

void SentenceHistory::add(std::string source, std::string target)
{
    m_pairs.push_back({std::move(source), std::move(target)});
    limit(m_most_sentences, m_most_units);
}

TranslationContext SentenceHistory::context() const
{
    auto first = m_pairs.end();
    std::int64_t source_units = 0;
    std::int64_t target_units = 0;
    while (first != m_pairs.begin()) {
        const auto &pair = *std::prev(first);
        source_units += unitsOf(pair.source);
        target_units += unitsOf(pair.target);
        if (source_units > m_most_units || target_units > m_most_units) {
            break;
        }
        --first;
    }
    TranslationContext context;
    for (auto pair = first; pair != m_pairs.end(); ++pair) {
        context.source += (context.source.empty() ? "" : " ") + pair->source;
        context.target += (context.target.empty() ? "" : " ") + pair->target;
    }
    return context;
}

}  // namespace braid::translation
