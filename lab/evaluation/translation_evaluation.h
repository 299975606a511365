// How well a translation model translates sentences whose right translation is known, and how far behind it is while it does so.
//
// It measures the session that people run, each given source a line of its own without context. Lag in units: delays are source units read when a word was
// written, the end of the source not counted (SimulEval's convention). Computation-aware lag: the source arrives at a steady pace, each unit `unit_ms` after
// the one before it, and a word is written when what it had to see has arrived and what was computed since is done; computing is measured, arriving is counted.
// Thread: one.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/translation/translation_session.h"
#include "core/translation/wait_k.h"
#include "lab/metrics/bleu.h"
#include "lab/metrics/chrf.h"
#include "lab/metrics/translation_lag.h"

namespace braid::evaluation {

struct EvaluatedSentence {
    std::string hypothesis;
    std::vector<metrics::WrittenUnit> written;
    std::int64_t source_units = 0;
    std::int64_t target_tokens = 0;
    double compute_seconds = 0;
    translation::TranslationEnd end = translation::TranslationEnd::NotYet;
};

class TranslationEvaluator {
  public:
    // `seconds_clock`: measures computing. Throws Error(Usage) for settings that cannot be.
    TranslationEvaluator(std::unique_ptr<translation::TranslationModel> model, const translation::WaitKSettings &settings, double unit_ms,
                         std::function<double()> seconds_clock);

    // Translates one line, of one sentence or more, as fast as it goes; it leaves nothing behind for the next.
    [[nodiscard]] EvaluatedSentence evaluate(std::string_view source);
    [[nodiscard]] translation::TranslationCost cost() const { return m_session.statistics().cost; }  // of all lines

  private:
    // Of one event; `now_ms`: of a source that arrives as it is spoken.
    void take(const translation::TranslationSessionEvent &event, double now_ms, EvaluatedSentence &result);

    double m_unit_ms;
    std::function<double()> m_seconds_clock;
    std::vector<translation::TranslationSessionEvent> m_told;
    std::map<std::int64_t, std::int64_t> m_units;  // of the line's sentences
    std::int64_t m_units_before = 0;               // of its sentences that have ended
    translation::TranslationSession m_session;
};

class TranslationScores {
  public:
    TranslationScores(metrics::BleuTokenisation tokenisation, metrics::LagUnit target_unit, double unit_ms)
        : m_tokenisation(tokenisation)
        , m_target_unit(target_unit)
        , m_unit_ms(unit_ms)
    {
    }
    void add(const EvaluatedSentence &sentence, const std::string &reference);

    [[nodiscard]] std::int64_t sentences() const noexcept { return m_sentences; }
    [[nodiscard]] std::int64_t cutShort() const noexcept { return m_cut_short; }  // ended by a limit, not by the model
    [[nodiscard]] double bleu() const { return metrics::bleuScore(m_bleu).bleu; }
    [[nodiscard]] double chrf() const { return metrics::chrfScore(m_chrf); }
    [[nodiscard]] metrics::LagScores lag() const { return m_lag.mean(); }                                // in source units
    [[nodiscard]] metrics::LagScores computationAwareLag() const { return m_computation_aware.mean(); }  // in ms
    [[nodiscard]] double computeSeconds() const noexcept { return m_compute_seconds; }
    [[nodiscard]] double tokensPerSecond() const noexcept { return m_compute_seconds > 0 ? static_cast<double>(m_target_tokens) / m_compute_seconds : 0; }
    [[nodiscard]] std::int64_t targetTokens() const noexcept { return m_target_tokens; }
    // eta: the harmonic mean of decoder calls a word of the references and a word of the translations ("Faster Speech-LLaMA with multi-token prediction",
    // equation 13); 0 without words. Reads are no calls here: text is read in passes of its own, as many with heads as without.
    [[nodiscard]] double callsPerWord(std::int64_t decoder_calls) const noexcept;

  private:
    metrics::BleuTokenisation m_tokenisation;
    metrics::LagUnit m_target_unit;
    double m_unit_ms;
    std::int64_t m_sentences = 0;
    std::int64_t m_cut_short = 0;
    std::int64_t m_target_tokens = 0;
    std::int64_t m_words = 0;  // of references and translations
    double m_compute_seconds = 0;
    metrics::BleuStatistics m_bleu;
    metrics::ChrfStatistics m_chrf;
    metrics::LagMean m_lag;
    metrics::LagMean m_computation_aware;
};

}  // namespace braid::evaluation
