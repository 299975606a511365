#include "core/translation/source_sentences.h"

#include <algorithm>
#include <utility>

namespace braid::translation {

SourceSentences::SourceSentences(const SourceCutting &cutting, std::function<void(TranslationSessionEvent)> tell)
    : m_cutting(cutting)
    , m_tell(std::move(tell))
    , m_reader(cutting.unit)
    , m_boundaries(cutting.limits)
{
}

void SourceSentences::adjust(const SourceCutting &cutting)
{
    m_new_cutting = cutting;
    takeNewCutting();
}

void SourceSentences::takeNewCutting()
{
    if (m_new_cutting && !hasOpenSentence() && m_reader.isEmpty()) {
        m_cutting = *std::exchange(m_new_cutting, std::nullopt);
        m_reader = UnitReader(m_cutting.unit);
        m_boundaries = SentenceBoundaries(m_cutting.limits);
    }
}

void SourceSentences::addText(std::string_view text)
{
    while (!text.empty() && !m_has_ended) {
        takeNewCutting();
        const auto line_feed = text.find('\n');
        const auto piece = text.substr(0, line_feed);
        if (!piece.empty()) {
            take(m_reader.add(piece));
            tellArrived();
        }
        if (line_feed == text.npos) {
            return;
        }
        endLine();
        text.remove_prefix(line_feed + 1);
    }
}

void SourceSentences::addSpokenWord(std::string_view word, bool starts_without_space, SoundSpan sound)
{
    if (m_has_ended) {
        return;
    }
    take(m_reader.finish());
    takeNewCutting();
    auto units = m_reader.add(word);
    const auto rest = m_reader.finish();
    units.insert(units.end(), rest.begin(), rest.end());
    const Sample pause = m_spoken_until ? std::max<Sample>(0, sound.start_sample - *m_spoken_until) : 0;
    for (std::size_t i = 0; i < units.size(); ++i) {
        if (i == 0) {
            units[i].starts_without_space = starts_without_space;
        }
        takeUnit(units[i], i == 0 ? pause * 1000 / kSampleRateHz : 0, sound);
    }
    m_spoken_until = sound.end_sample;
    tellArrived();
}

void SourceSentences::endLine()
{
    if (m_has_ended) {
        return;
    }
    endSentence();
    m_ended_lines.push_back(m_line++);
    m_line_has_text = false;
    tellEndedLines();
}

void SourceSentences::endSpokenLine()
{
    endSentence();
    if (m_line_has_text) {
        endLine();
    }
}

void SourceSentences::endSentence()
{
    if (m_has_ended) {
        return;
    }
    take(m_reader.finish());
    tellArrived();
    close();
    m_boundaries.breakLine();
    takeNewCutting();
}

void SourceSentences::endSource()
{
    if (m_has_ended) {
        return;
    }
    endSpokenLine();
    m_has_ended = true;
}

void SourceSentences::dropOldest()
{
    m_units_kept -= static_cast<std::int64_t>(m_sentences.front().units.size());
    m_sentences.pop_front();
    tellEndedLines();
}

void SourceSentences::take(const std::vector<SourceUnit> &units)
{
    for (const auto &unit : units) {
        takeUnit(unit, 0, {});
    }
}

void SourceSentences::takeUnit(const SourceUnit &unit, std::int64_t pause_before_ms, std::optional<SoundSpan> sound)
{
    const SentenceCut cut = m_boundaries.add(unit.text, pause_before_ms);
    if (cut == SentenceCut::BeforeWord || cut == SentenceCut::BeforeAndAfterWord) {
        close();
    }
    if (!hasOpenSentence()) {
        m_sentences.push_back({m_next_number++, m_line, {}, false, 0});
        m_untold = 0;
        m_tell(SentenceBegan{m_sentences.back().number, m_line});
    }
    m_sentences.back().units.push_back({unit.text, unit.starts_without_space, m_arrived_ms, sound});
    ++m_untold;
    ++m_units_kept;
    m_line_has_text = true;
    if (cut == SentenceCut::AfterWord || cut == SentenceCut::BeforeAndAfterWord) {
        close();
    }
}

void SourceSentences::tellArrived()
{
    if (m_untold > 0) {
        const auto &units = m_sentences.back().units;
        m_tell(UnitsArrived{m_sentences.back().number, {units.end() - static_cast<std::ptrdiff_t>(m_untold), units.end()}});
        m_untold = 0;
    }
}

void SourceSentences::close()
{
    if (hasOpenSentence()) {
        tellArrived();
        m_sentences.back().is_closed = true;
        m_sentences.back().closed_ms = m_arrived_ms;
        m_tell(SourceClosed{m_sentences.back().number});
    }
}

void SourceSentences::tellEndedLines()
{
    while (!m_ended_lines.empty() && (m_sentences.empty() || m_sentences.front().line > m_ended_lines.front())) {
        m_tell(LineEnded{m_ended_lines.front()});
        m_ended_lines.pop_front();
    }
}

}  // namespace braid::translation
