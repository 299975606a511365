#include "core/text/line_breaks.h"

#include "core/text/sentence_ends.h"

namespace braid::text {

bool LineBreaker::breaksBefore(const Word &next) const
{
    if (isEmpty()) {
        return false;
    }
    const Sample needed = m_characters >= m_rule.long_line_characters ? m_rule.pause_samples / 3 : m_rule.pause_samples;
    if (m_rule.breaksAtPauses() && next.start_sample > m_end && next.start_sample - m_end >= needed) {
        return true;
    }
    return m_characters >= m_rule.sentence_characters && endsWithSentence();
}

void LineBreaker::add(const Word &word)
{
    m_characters += word.text.size() + 1;
    m_last = word.text;
    m_end = word.end_sample;
}

void LineBreaker::newLine()
{
    m_characters = 0;
    m_last.clear();
}

bool LineBreaker::endsWithSentence() const
{
    return m_rule.breaksAtSentences() && !isEmpty() && endsSentence(m_last);
}

}  // namespace braid::text
