// BLEU and chrF are sacrebleu's numbers (tests/parity/translation_metrics.json, make_translation_metrics.py); the measures of lag are
// what their definitions give for cases small enough to work out by hand.
#include <QtTest>

#include <cmath>
#include <fstream>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "lab/metrics/bleu.h"
#include "lab/metrics/chrf.h"
#include "lab/metrics/translation_lag.h"
#include "tests/support/hex.h"

using namespace braid;
using braid::test::fromHex;
using namespace braid::metrics;
using nlohmann::json;

namespace {

const json &parity()
{
    static const json numbers = [] {
        std::ifstream file(BRAID_SOURCE_DIR "/tests/parity/translation_metrics.json");
        return json::parse(file);
    }();
    return numbers;
}

struct Pair {
    std::string hypothesis;
    std::vector<std::string> references;
};

std::vector<Pair> pairs()
{
    std::vector<Pair> all;
    for (const auto &entry : parity()["pairs"]) {
        Pair pair{fromHex(entry["hypothesis"]), {}};
        for (const auto &reference : entry["references"]) {
            pair.references.push_back(fromHex(reference));
        }
        all.push_back(std::move(pair));
    }
    return all;
}

void compare(double value, double expected, const std::string &what)
{
    const auto words = what + ": " + std::to_string(value) + " in place of " + std::to_string(expected);
    QVERIFY2(std::abs(value - expected) <= 1e-9 * std::max(1.0, std::abs(expected)), words.c_str());
}

std::vector<double> waitK(int k, int source, int target)
{
    std::vector<double> delays;
    for (int i = 0; i < target; ++i) {
        delays.push_back(std::min(k + i, source));
    }
    return delays;
}

}  // namespace

class TranslationMetricsTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void bleuIsSacrebleus_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("tokenisation");
        QTest::newRow("13a") << "13a" << static_cast<int>(BleuTokenisation::Mteval13a);
        QTest::newRow("char") << "char" << static_cast<int>(BleuTokenisation::Characters);
        QTest::newRow("none") << "none" << static_cast<int>(BleuTokenisation::None);
    }
    void bleuIsSacrebleus()
    {
        QFETCH(QString, name);
        QFETCH(int, tokenisation);
        const auto how = static_cast<BleuTokenisation>(tokenisation);
        const auto &expected = parity()["bleu"][name.toStdString()];
        BleuStatistics corpus;
        const auto all = pairs();
        for (std::size_t i = 0; i < all.size(); ++i) {
            const auto &pair = all[i];
            QCOMPARE(bleuTokens(pair.hypothesis, how), expected["tokens"][i].get<std::vector<std::string>>());
            const auto statistics = bleuStatistics(pair.hypothesis, pair.references, how);
            compare(bleuScore(statistics, BleuOrders::Effective).bleu, expected["sentences"][i], "sentence " + std::to_string(i));
            compare(bleuScore(statistics).bleu, expected["sentences_all_orders"][i], "sentence, all orders, " + std::to_string(i));
            corpus += bleuStatistics(pair.hypothesis, std::span(pair.references).first(1), how);
        }
        const auto score = bleuScore(corpus);
        compare(score.bleu, expected["corpus"], "corpus");
        compare(score.brevity_penalty, expected["brevity_penalty"], "brevity");
        QCOMPARE(corpus.hypothesis_length, expected["lengths"][0].get<std::int64_t>());
        QCOMPARE(corpus.reference_length, expected["lengths"][1].get<std::int64_t>());
        for (std::size_t n = 0; n < kBleuOrder; ++n) {
            compare(score.precisions[n], expected["precisions"][n], "precision");
        }
    }

    void chrfIsSacrebleus()
    {
        const auto all = pairs();
        ChrfStatistics corpus;
        for (std::size_t i = 0; i < all.size(); ++i) {
            compare(chrfScore(chrfStatistics(all[i].hypothesis, all[i].references)), parity()["chrf"]["sentences"][i], "sentence " + std::to_string(i));
            corpus += chrfStatistics(all[i].hypothesis, std::span(all[i].references).first(1));
        }
        compare(chrfScore(corpus), parity()["chrf"]["corpus"], "corpus");
    }

    void wholeCorporaAreScored()
    {
        const std::vector<std::string> texts = {"The first sentence is here.", "And the second one, too."};
        compare(corpusBleu(texts, texts).bleu, 100, "BLEU of itself");
        compare(corpusChrf(texts, texts), 100, "chrF of itself");
        compare(sentenceBleu(texts[0], texts[0]), 100, "BLEU of one sentence");
        compare(sentenceChrf("abc", "xyz"), 0, "nothing in common");
        QVERIFY_THROWS_EXCEPTION(Error, (void)corpusBleu(texts, std::span(texts).first(1)));
        QVERIFY_THROWS_EXCEPTION(Error, (void)corpusChrf(texts, std::span(texts).first(1)));
        QVERIFY_THROWS_EXCEPTION(Error, (void)bleuStatistics("a", {}));
        QVERIFY_THROWS_EXCEPTION(Error, (void)chrfStatistics("a", {}));
        compare(corpusBleu({}, {}).bleu, 0, "no sentences");
        QVERIFY(std::isfinite(sentenceBleu("\xff\xfe broken", "broken \xff")));
    }

    void waitKLagsByK()
    {
        // |X| = |Y|: d_i - (i-1) is k until the source is all read (Ma et al. 2019, section 4).
        for (const int k : {1, 3, 5}) {
            compare(*averageLagging(waitK(k, 10, 10), 10, 10), k, "AL");
        }
        compare(*averageLagging(waitK(10, 10, 10), 10, 10), 10, "all of it first: AL is |X|");
    }

    void lagsByHand()
    {
        // |X| = 4, |Y| = 2: wait-1 writes at 1 and 2; |X|/|Y| = 2: (1 - 0) and (2 - 2); no unit saw the whole source.
        compare(*averageLagging(std::vector<double>{1, 2}, 4, 2), 0.5, "AL");
        // By a reference of 4 the steps are 1: (1 + (2 - 1)) / 2.
        compare(*averageLagging(std::vector<double>{1, 2}, 4, 4), 1.0, "AL by the reference");
        compare(*lengthAdaptiveAverageLagging(std::vector<double>{1, 2}, 4, 4), 1.0, "LAAL takes the longer");
        // Too many words: |X| = 3, written at 1,2,3,3,3,3, reference 3. AL by the hypothesis: steps of 1/2, tau = 3: (1 + 1.5 + 2) / 3.
        const std::vector<double> talkative = {1, 2, 3, 3, 3, 3};
        compare(*averageLagging(talkative, 3, 6), 1.5, "AL by the hypothesis");
        compare(*averageLagging(talkative, 3, 3), 1.0, "AL by the reference");
        compare(*lengthAdaptiveAverageLagging(talkative, 3, 3), 1.5, "LAAL does not reward it");
        // DAL of the same: steps of 1/2: 1, 2, 3, 3.5, 4, 4.5 less 0, .5, 1, 1.5, 2, 2.5.
        compare(*differentiableAverageLagging(talkative, 3), (1 + 1.5 + 2 + 2 + 2 + 2) / 6.0, "DAL");
        compare(*averageProportion(talkative, 3), 15.0 / 18, "AP");
        // The first unit came after the source's end (its time, with computing).
        compare(*averageLagging(std::vector<double>{5000, 5100}, 4000, 2), 5000, "after the end");
    }

    void nothingHasNoLag()
    {
        QVERIFY(!averageLagging({}, 3, 3));
        QVERIFY(!averageLagging(std::vector<double>{1}, 0, 3));
        QVERIFY(!averageLagging(std::vector<double>{1}, 3, 0));
        QVERIFY(!differentiableAverageLagging({}, 3));
        QVERIFY(!averageProportion(std::vector<double>{1}, 0));
        QVERIFY(!lagScores({}, 3, 3));
        LagMean mean;
        mean.add(std::nullopt);
        QCOMPARE(mean.sentences(), 0);
        compare(mean.mean().length_adaptive, 0, "mean of nothing");
    }

    void aSentenceHasAllMeasuresInBothBases()
    {
        // Four words arriving a second apart; wait-2, three words written, each half a second after its read.
        const std::vector<WrittenUnit> written = {{2, 1500}, {3, 2500}, {4, 3500}};
        const auto words = *lagScores(written, 4, 5);
        compare(words.average_lagging_reference, (2 + (3 - 0.8) + (4 - 1.6)) / 3, "AL by the reference");
        compare(words.average_lagging_hypothesis, (2 + (3 - 4.0 / 3) + (4 - 8.0 / 3)) / 3, "AL by the hypothesis");
        compare(words.length_adaptive, words.average_lagging_reference, "LAAL");
        const auto times = *computationAwareLagScores(written, 4000, std::nullopt);
        compare(times.average_lagging_hypothesis, (1500 + (2500 - 4000.0 / 3) + (3500 - 8000.0 / 3)) / 3, "computation-aware AL");
        compare(times.average_lagging_reference, times.average_lagging_hypothesis, "without a reference");
        LagMean mean;
        mean.add(words);
        mean.add(std::nullopt);
        mean.add(words);
        QCOMPARE(mean.sentences(), 2);
        compare(mean.mean().differentiable, words.differentiable, "mean");
    }

    void unitsAreWordsOrCharacters()
    {
        QCOMPARE(unitCount(" Bonjour, le  monde.\n", LagUnit::Words), 3);
        QCOMPARE(unitCount("", LagUnit::Words), 0);
        QCOMPARE(unitCount("\u4f60\u597d \uff0c\u3000\u4e16\u754c", LagUnit::Characters), 5);
        QCOMPARE(unitCount("a\u3000b", LagUnit::Words), 2);
    }
};

QTEST_APPLESS_MAIN(TranslationMetricsTest)
#include "tst_translation_metrics.moc"
