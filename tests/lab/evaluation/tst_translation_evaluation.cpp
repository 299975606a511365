// What `braid-cli eval translation` measures: quality by BLEU and chrF, lag in words and in milliseconds, on sentences translated by wait-k.
#include <QtTest>

#include <cmath>

#include "lab/evaluation/translation_evaluation.h"
#include "tests/core/translation/scripted_translator.h"

using namespace braid;
using namespace braid::evaluation;
using test::sayInCapitals;
using test::ScriptedTranslator;

namespace {

translation::WaitKSettings waiting(int k)
{
    translation::WaitKSettings settings;
    settings.k = k;
    return settings;
}

// A clock that moves on by so much whenever it is read.
std::function<double()> clockOf(double seconds_a_step)
{
    return [seconds_a_step, now = 0.0]() mutable { return now += seconds_a_step; };
}

EvaluatedSentence evaluated(int k, std::string_view source, double seconds_a_step = 0, double unit_ms = 100)
{
    return TranslationEvaluator(std::make_unique<ScriptedTranslator>(sayInCapitals), waiting(k), unit_ms, clockOf(seconds_a_step)).evaluate(source);
}

bool near(double a, double b)
{
    return std::abs(a - b) < 1e-9;
}

}  // namespace

class TstTranslationEvaluation : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void aSentenceIsTranslatedAndItsDelaysAreThoseOfWaitK();
    void theEndOfTheSourceIsNoUnit();
    void aLineOfTwoSentencesIsCutAsTheSessionCutsIt();
    void wordsWaitForWhatTheyHaveToSee();
    void computingMovesThemBack();
    void scoresAreThoseOfTheCorpus();
    void sentencesThatMetALimitAreCounted();
    void emptySourcesCountWithoutALag();
    void callsAreCountedByTheWordsOfBothSides();
};

void TstTranslationEvaluation::aSentenceIsTranslatedAndItsDelaysAreThoseOfWaitK()
{
    const auto sentence = evaluated(2, "aa bb cc dd ee");
    QCOMPARE(sentence.hypothesis, std::string("AA BB CC DD EE"));
    QCOMPARE(sentence.source_units, 5);
    QCOMPARE(sentence.end, translation::TranslationEnd::Said);
    std::vector<double> delays;
    for (const auto &unit : sentence.written) {
        delays.push_back(unit.read_units);
    }
    QCOMPARE(delays, (std::vector<double>{2, 3, 4, 5, 5}));
}

void TstTranslationEvaluation::theEndOfTheSourceIsNoUnit()
{
    const auto sentence = evaluated(1000, "aa bb cc");
    for (const auto &unit : sentence.written) {
        QCOMPARE(unit.read_units, 3.0);
    }
}

void TstTranslationEvaluation::aLineOfTwoSentencesIsCutAsTheSessionCutsIt()
{
    const auto line = evaluated(1000, "aa bb cc. dd ee.", 0, 100);
    QCOMPARE(line.hypothesis, std::string("AA BB CC. DD EE."));
    QCOMPARE(line.source_units, 5);
    QCOMPARE(line.end, translation::TranslationEnd::Said);
    std::vector<double> delays;
    std::vector<double> times;
    for (const auto &unit : line.written) {
        delays.push_back(unit.read_units);
        times.push_back(unit.elapsed_ms);
    }
    QCOMPARE(delays, (std::vector<double>{3, 3, 3, 5, 5}));
    QCOMPARE(times, (std::vector<double>{300, 300, 300, 500, 500}));
}

void TstTranslationEvaluation::wordsWaitForWhatTheyHaveToSee()
{
    // Nothing is computed: each word is written when the unit it waits for arrives.
    const auto sentence = evaluated(2, "aa bb cc dd", 0, 100);
    std::vector<double> times;
    for (const auto &unit : sentence.written) {
        times.push_back(unit.elapsed_ms);
    }
    QCOMPARE(times, (std::vector<double>{200, 300, 400, 400}));
}

void TstTranslationEvaluation::computingMovesThemBack()
{
    const auto fast = evaluated(2, "aa bb cc dd", 0, 100);
    const auto slow = evaluated(2, "aa bb cc dd", 0.05, 100);
    QVERIFY(slow.compute_seconds > 0.5);
    for (std::size_t i = 0; i < slow.written.size(); ++i) {
        QCOMPARE(slow.written[i].read_units, fast.written[i].read_units);
        QVERIFY(slow.written[i].elapsed_ms > fast.written[i].elapsed_ms);
    }
    // Slower than speech: the delay gathers.
    QVERIFY(slow.written.back().elapsed_ms >= 1000 * slow.compute_seconds * 0.8);
}

void TstTranslationEvaluation::scoresAreThoseOfTheCorpus()
{
    TranslationScores scores(metrics::BleuTokenisation::Mteval13a, metrics::LagUnit::Words, 100);
    const std::vector<std::string> sources = {"aa bb cc dd ee", "ff gg hh ii"};
    const std::vector<std::string> references = {"AA BB CC DD EE", "FF GG XX II JJ"};
    std::vector<std::string> hypotheses;
    double laal = 0;
    for (std::size_t i = 0; i < sources.size(); ++i) {
        const auto sentence = evaluated(2, sources[i], 0.001);
        hypotheses.push_back(sentence.hypothesis);
        std::vector<double> delays;
        for (const auto &unit : sentence.written) {
            delays.push_back(unit.read_units);
        }
        laal += *metrics::lengthAdaptiveAverageLagging(delays, static_cast<double>(sentence.source_units), 5) / 2;
        scores.add(sentence, references[i]);
    }
    QVERIFY(near(scores.bleu(), metrics::corpusBleu(hypotheses, references).bleu));
    QVERIFY(near(scores.chrf(), metrics::corpusChrf(hypotheses, references)));
    QVERIFY(near(scores.lag().length_adaptive, laal));
    QCOMPARE(scores.sentences(), 2);
    QCOMPARE(scores.cutShort(), 0);
    QVERIFY(scores.tokensPerSecond() > 0);
    // In ms at 100 ms a word and with little computing it is about a hundred times as much.
    QVERIFY(scores.computationAwareLag().length_adaptive > 100 * laal);
    QVERIFY(scores.computationAwareLag().length_adaptive < 100 * laal + 100);
}

void TstTranslationEvaluation::sentencesThatMetALimitAreCounted()
{
    auto model = std::make_unique<ScriptedTranslator>([](const ScriptedTranslator::State &state) { return " bla" + std::to_string(state.target.size()); });
    auto settings = waiting(2);
    settings.max_target_tokens = 9;
    TranslationScores scores(metrics::BleuTokenisation::Mteval13a, metrics::LagUnit::Words, 100);
    scores.add(TranslationEvaluator(std::move(model), settings, 100, clockOf(0)).evaluate("aa bb"), "AA BB");
    QCOMPARE(scores.cutShort(), 1);
    QCOMPARE(scores.targetTokens(), 9);
}

void TstTranslationEvaluation::emptySourcesCountWithoutALag()
{
    TranslationScores scores(metrics::BleuTokenisation::Mteval13a, metrics::LagUnit::Words, 100);
    scores.add(evaluated(3, ""), "AA");
    scores.add(evaluated(3, " \t"), "AA");
    QCOMPARE(scores.sentences(), 2);
    QCOMPARE(scores.cutShort(), 0);
    QCOMPARE(scores.bleu(), 0.0);
    QCOMPARE(scores.lag().length_adaptive, 0.0);
}

// Equation 13: the harmonic mean of calls a word of the reference (4 of 2 words: 2) and of the translation (4 of 3: 4/3).
void TstTranslationEvaluation::callsAreCountedByTheWordsOfBothSides()
{
    TranslationScores scores(metrics::BleuTokenisation::Mteval13a, metrics::LagUnit::Words, 100);
    QCOMPARE(scores.callsPerWord(4), 0.0);
    scores.add(evaluated(1, "aa bb cc"), "AA BB");
    const double of_reference = 4.0 / 2;
    const double of_hypothesis = 4.0 / 3;
    QVERIFY(near(scores.callsPerWord(4), 2 / (1 / of_reference + 1 / of_hypothesis)));
}

QTEST_APPLESS_MAIN(TstTranslationEvaluation)
#include "tst_translation_evaluation.moc"
