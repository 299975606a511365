#include "core/sessions/translation_evaluation.h"

#include <algorithm>

namespace braid::sessions {

using decoding::TranslationAction;

EvaluatedSentence evaluateSentence(decoding::TranslationModel &model, const decoding::WaitKSettings &settings, std::string_view source, double unit_ms,
                                   const std::function<double()> &seconds_clock)
{
    EvaluatedSentence result;
    decoding::WaitKTranslator translator(model, settings);
    translator.addSource(source);
    translator.endSource();
    result.source_units = std::max<std::int64_t>(0, translator.unitsWaiting() - 1);  // the end is none
    double now_ms = 0;  // of a source that arrives as it is spoken
    double finished_s = seconds_clock();
    for (;;) {
        decoding::TranslationStep step = translator.step();
        const double seconds = seconds_clock() - finished_s;
        finished_s += seconds;
        result.compute_seconds += seconds;
        const std::int64_t read = std::min(translator.unitsRead(), result.source_units);
        now_ms = std::max(now_ms, static_cast<double>(read) * unit_ms) + seconds * 1000;
        result.target_tokens += step.token ? 1 : 0;
        if (step.word) {
            const decoding::TranslatedWord &word = *step.word;
            result.hypothesis += (result.hypothesis.empty() || word.starts_without_space ? "" : " ") + word.text;
            const auto delay = static_cast<double>(std::min(word.read_units, result.source_units));
            result.written.insert(result.written.end(), static_cast<std::size_t>(word.units), {delay, now_ms});
        }
        if (step.action == TranslationAction::Finished || step.action == TranslationAction::Waiting) {
            result.end = step.end;
            return result;
        }
    }
}

void TranslationScores::add(const EvaluatedSentence &sentence, const std::string &reference)
{
    ++m_sentences;
    m_cut_short += sentence.end == decoding::TranslationEnd::Said || sentence.end == decoding::TranslationEnd::NoSource ? 0 : 1;
    m_target_tokens += sentence.target_tokens;
    m_compute_seconds += sentence.compute_seconds;
    const std::span references(&reference, 1);
    m_bleu += metrics::bleuStatistics(sentence.hypothesis, references, m_tokenisation);
    m_chrf += metrics::chrfStatistics(sentence.hypothesis, references);
    const std::int64_t reference_length = metrics::unitCount(reference, m_target_unit);
    m_lag.add(metrics::lagScores(sentence.written, sentence.source_units, reference_length));
    m_computation_aware.add(metrics::computationAwareLagScores(sentence.written, static_cast<double>(sentence.source_units) * m_unit_ms, reference_length));
}

}  // namespace braid::sessions
