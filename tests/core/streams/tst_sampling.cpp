// Sampling: the filters in their published order, against a naive distribution; what a model must give for it; the penalty's ramp.
#include <QtTest>

#include <cmath>
#include <map>

#include "core/streams/sampling.h"

using namespace braid;
using namespace braid::streams;

static Prediction predictionOf(const std::vector<float> &logits)
{
    Prediction prediction;
    double sum = 0;
    for (std::size_t i = 0; i < logits.size(); ++i) {
        prediction.candidates.push_back({static_cast<std::int32_t>(i), logits[i]});
        sum += std::exp(logits[i]);
    }
    std::stable_sort(prediction.candidates.begin(), prediction.candidates.end(), [](const Candidate &a, const Candidate &b) { return a.logit > b.logit; });
    prediction.log_sum = std::log(sum);
    return prediction;
}

// The distribution that is drawn from, written down as the facts say it.
static std::map<std::int32_t, double> naive(std::vector<float> logits, const Sampling &sampling, double penalty, std::int32_t silence)
{
    if (silence >= 0) {
        logits[static_cast<std::size_t>(silence)] -= static_cast<float>(penalty);
    }
    std::vector<std::pair<double, std::int32_t>> scaled;
    for (std::size_t i = 0; i < logits.size(); ++i) {
        scaled.emplace_back(logits[i] / sampling.temperature, static_cast<std::int32_t>(i));
    }
    std::stable_sort(scaled.begin(), scaled.end(), [](const auto &a, const auto &b) { return a.first > b.first; });
    if (sampling.top_k > 0 && scaled.size() > static_cast<std::size_t>(sampling.top_k)) {
        scaled.resize(static_cast<std::size_t>(sampling.top_k));
    }
    double sum = 0;
    for (const auto &[logit, token] : scaled) {
        sum += std::exp(logit);
    }
    std::map<std::int32_t, double> kept;
    double cumulative = 0, total = 0;
    for (const auto &[logit, token] : scaled) {
        const double p = std::exp(logit) / sum;
        cumulative += p;
        if (!(cumulative - p > sampling.top_p)) {
            kept[token] = p;
            total += p;
        }
    }
    for (auto &[token, p] : kept) {
        p /= total;
    }
    return kept;
}

class TestSampling : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void drawsFollowTheFilters()
    {
        const std::vector<float> logits{1.0F, 3.0F, 2.5F, -1.0F, 0.5F, 2.0F};
        for (const Sampling &sampling : {Sampling{0.8, 20, 0.95}, Sampling{1, 3, 1}, Sampling{2, 0, 0.6}, Sampling{0.5, 4, 0.3}, Sampling{1, 0, 1}}) {
            for (const double penalty : {0.0, 1.5}) {
                const auto expected = naive(logits, sampling, penalty, 1);
                std::map<std::int32_t, int> counts;
                constexpr int kDraws = 8'000;
                const Prediction prediction = predictionOf(logits);
                for (int i = 0; i < kDraws; ++i) {
                    Random random(5, "draw", static_cast<std::uint64_t>(i));
                    ++counts[choose(prediction, sampling, penalty, 1, 2, random).token];
                }
                for (const auto &[token, count] : counts) {
                    QVERIFY(expected.contains(token));
                }
                for (const auto &[token, p] : expected) {
                    QVERIFY(std::abs(counts[token] / double(kDraws) - p) < 0.02);
                }
            }
        }
    }

    void greedyTakesTheMostProbableAndTheFirstOfEquals()
    {
        Random random(1, "x");
        QCOMPARE(choose(predictionOf({1, 3, 3, 2}), {}, 0, -1, 2, random).token, 1);
        QCOMPARE(choose(predictionOf({1, 3, 3, 2}), {}, 5, 1, 2, random).token, 2);   // silence was first, until the penalty
        QCOMPARE(choose(predictionOf({1, 3, 3, 2}), {}, -9, 0, 2, random).token, 0);  // or is favoured
    }

    void probabilitiesAreTheModelsOwn()
    {
        Random random(1, "x");
        const Choice choice = choose(predictionOf({0, std::log(2.0F), std::log(5.0F)}), {0.1, 1, 0.1}, 20, 2, 5, random);
        QCOMPARE(choice.token, 1);
        QVERIFY(std::abs(choice.probability - 0.25) < 1e-6);
        QCOMPARE(choice.rivals.size(), std::size_t(2));
        QCOMPARE(choice.rivals[0].token, 2);
        QVERIFY(std::abs(choice.rivals[0].probability - 0.625) < 1e-6);
        QVERIFY(std::abs(judged(predictionOf({0, 0}), 1, 1).probability - 0.5) < 1e-6);
    }

    void aShortListDecidesAsTheWholeVocabularyWould()
    {
        Random numbers(3, "logits");
        for (int round = 0; round < 500; ++round) {
            std::vector<float> logits;
            for (int i = 0; i < 60; ++i) {
                logits.push_back(static_cast<float>(numbers.unit() * 6));
            }
            const auto silence = static_cast<std::int32_t>(numbers.below(60));
            const Sampling sampling{numbers.chance(0.3) ? 0 : 0.9, numbers.whole(1, 9), 0.9};
            const Prediction whole = predictionOf(logits);
            Prediction cut = whole;
            const std::size_t needed = candidatesNeeded(sampling, 0);
            const auto place = std::find_if(whole.candidates.begin(), whole.candidates.end(), [&](const Candidate &c) { return c.token == silence; });
            const bool far = place - whole.candidates.begin() >= static_cast<std::ptrdiff_t>(needed);
            cut.candidates.resize(needed);
            if (far) {
                cut.candidates.push_back(*place);
            }
            Random a(9, "draw", static_cast<std::uint64_t>(round)), b(9, "draw", static_cast<std::uint64_t>(round));
            const double penalty = numbers.unit() * 10;
            QCOMPARE(choose(cut, sampling, penalty, silence, 0, a).token, choose(whole, sampling, penalty, silence, 0, b).token);
        }
        QCOMPARE(candidatesNeeded({0.8, 0, 1}, 5), std::size_t(0));
        QCOMPARE(candidatesNeeded({0, 0, 1}, 5), std::size_t(6));
    }

    void thePenaltyGrowsOverItsRamp()
    {
        const SilencePenalty penalty{10, PenaltyTime::AfterUser, 5};
        QCOMPARE(penaltyAt(penalty, 0), 0.0);
        QCOMPARE(penaltyAt(penalty, 1), 2.0);
        QCOMPARE(penaltyAt(penalty, 5), 10.0);
        QCOMPARE(penaltyAt(penalty, 500), 10.0);
        QCOMPARE(penaltyAt({3, PenaltyTime::Always, 0}, 0), 3.0);
    }
};

QTEST_GUILESS_MAIN(TestSampling)
#include "tst_sampling.moc"
