#include "lab/evaluation/translation_evaluation.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace braid::evaluation {

namespace {

translation::TranslationSettings withoutContext(const translation::WaitKSettings &wait_k)
{
    translation::TranslationSettings settings;
    settings.wait_k = wait_k;
    settings.context_sentences = 0;
    return settings;
}

}  // namespace

TranslationEvaluator::TranslationEvaluator(std::unique_ptr<translation::TranslationModel> model, const translation::WaitKSettings &settings, double unit_ms,
                                           std::function<double()> seconds_clock)
    : m_unit_ms(unit_ms)
    , m_seconds_clock(std::move(seconds_clock))
    , m_session(
          std::move(model), withoutContext(settings), [] { return 0.0; },
          [this](translation::TranslationSessionEvent event) { m_told.push_back(std::move(event)); })
{
}

EvaluatedSentence TranslationEvaluator::evaluate(std::string_view source)
{
    EvaluatedSentence result;
    result.end = translation::TranslationEnd::Said;
    m_told.clear();
    m_units.clear();
    m_units_before = 0;
    const std::int64_t tokens_before = m_session.statistics().target_tokens;
    m_session.addText(source);
    m_session.endLine();
    for (const translation::TranslationSessionEvent &event : m_told) {
        if (const auto *arrived = std::get_if<translation::UnitsArrived>(&event)) {
            m_units[arrived->sentence] += static_cast<std::int64_t>(arrived->units.size());
            result.source_units += static_cast<std::int64_t>(arrived->units.size());
        }
    }
    double now_ms = 0;
    double finished_s = m_seconds_clock();
    for (bool has_worked = true; has_worked;) {
        m_told.clear();
        has_worked = m_session.step() == translation::TranslationSession::Step::Worked;
        const double seconds = m_seconds_clock() - finished_s;
        finished_s += seconds;
        result.compute_seconds += seconds;
        for (const translation::TranslationSessionEvent &event : m_told) {
            if (const auto *read = std::get_if<translation::UnitsRead>(&event)) {
                now_ms = std::max(now_ms, static_cast<double>(m_units_before + std::min(read->read_units, m_units[read->sentence])) * m_unit_ms);
            }
        }
        now_ms += seconds * 1000;
        for (const translation::TranslationSessionEvent &event : m_told) {
            take(event, now_ms, result);
        }
    }
    result.target_tokens = m_session.statistics().target_tokens - tokens_before;
    return result;
}

void TranslationEvaluator::take(const translation::TranslationSessionEvent &event, double now_ms, EvaluatedSentence &result)
{
    if (const auto *written = std::get_if<translation::WordWritten>(&event)) {
        const translation::TranslatedWord &word = written->word;
        result.hypothesis += (result.hypothesis.empty() || word.starts_without_space ? "" : " ") + word.text;
        const auto delay = static_cast<double>(m_units_before + std::min(word.read_units, m_units[written->sentence]));
        result.written.insert(result.written.end(), static_cast<std::size_t>(word.units), {delay, now_ms});
    } else if (const auto *ended = std::get_if<translation::SentenceEnded>(&event)) {
        m_units_before += m_units[ended->sentence];
        result.end = ended->end == translation::TranslationEnd::Said ? result.end : ended->end;
    }
}

void TranslationScores::add(const EvaluatedSentence &sentence, const std::string &reference)
{
    ++m_sentences;
    m_cut_short += sentence.end == translation::TranslationEnd::Said ? 0 : 1;
    m_target_tokens += sentence.target_tokens;
    m_compute_seconds += sentence.compute_seconds;
    const std::int64_t reference_length = metrics::unitCount(reference, m_target_unit);
    m_words += reference_length + static_cast<std::int64_t>(sentence.written.size());
    const std::span references(&reference, 1);
    m_bleu += metrics::bleuStatistics(sentence.hypothesis, references, m_tokenisation);
    m_chrf += metrics::chrfStatistics(sentence.hypothesis, references);
    m_lag.add(metrics::lagScores(sentence.written, sentence.source_units, reference_length));
    m_computation_aware.add(metrics::computationAwareLagScores(sentence.written, static_cast<double>(sentence.source_units) * m_unit_ms, reference_length));
}

double TranslationScores::callsPerWord(std::int64_t decoder_calls) const noexcept
{
    return m_words > 0 ? 2 * static_cast<double>(decoder_calls) / static_cast<double>(m_words) : 0;
}

}  // namespace braid::evaluation
