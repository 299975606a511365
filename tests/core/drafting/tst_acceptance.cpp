// Which of several proposed tokens stand, by the equations as they are printed.
#include <QtTest>

#include <cmath>
#include <limits>
#include <random>

#include "core/base/error.h"
#include "core/drafting/acceptance.h"

using namespace braid;
using namespace braid::drafting;

namespace {

bool isRefused(const DraftSettings &settings, std::int64_t most_heads)
{
    try {
        requireUsable(settings, most_heads);
    } catch (const Error &error) {
        return error.kind() == ErrorKind::Usage && !error.sentence().empty();
    }
    return false;
}

// Equation 10 word by word: max { k : P_r >= threshold for all r <= k }.
std::size_t longestSure(const std::vector<double> &probabilities, double threshold)
{
    std::size_t longest = 0;
    for (std::size_t k = 1; k <= probabilities.size(); ++k) {
        bool all = true;
        for (std::size_t r = 1; r <= k; ++r) {
            all = all && probabilities[r - 1] >= threshold;
        }
        longest = all ? k : longest;
    }
    return longest;
}

}  // namespace

class tst_acceptance : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void theFirstMStand()
    {
        const std::vector<std::int32_t> ranked = {7, 3, 9, 1};
        for (int most = 1; most <= 6; ++most) {
            for (std::size_t rank = 0; rank < ranked.size(); ++rank) {
                QCOMPARE(standsByRank(ranked, ranked[rank], most), rank < static_cast<std::size_t>(most));
            }
            QVERIFY(!standsByRank(ranked, 8, most));
        }
        QVERIFY(!standsByRank({}, 7, 3));
    }

    void theLongestSureBeginningStands()
    {
        std::mt19937 random(1);
        std::uniform_real_distribution<double> unit(0, 1);
        for (int trial = 0; trial < 3000; ++trial) {
            std::vector<double> probabilities(1 + random() % 6);
            for (double &probability : probabilities) {
                probability = unit(random) < 0.1 ? 0.5 : unit(random);
            }
            const double threshold = trial % 3 == 0 ? 0.5 : std::max(unit(random), 1e-9);
            QCOMPARE(standByProbability(probabilities, threshold), std::max<std::size_t>(longestSure(probabilities, threshold), 1));
        }
    }

    void theNextTokenAlwaysStands()
    {
        QCOMPARE(standByProbability(std::vector<double>{0.1, 0.9, 0.9}, 0.8), std::size_t{1});
        QCOMPARE(standByProbability(std::vector<double>{0.8, 0.8, 0.1}, 0.8), std::size_t{2});  // at least as sure is sure
        QCOMPARE(standByProbability(std::vector<double>{0.9, std::nan(""), 0.9}, 0.5), std::size_t{1});
        QCOMPARE(standByProbability({}, 0.5), std::size_t{0});
    }

    void settingsThatCannotBeAreRefused()
    {
        QVERIFY(!isRefused({}, 1));
        QVERIFY(!isRefused({4, Verification::Threshold, 1, 1.0}, 4));
        QVERIFY(isRefused({0, Verification::Greedy}, 4));
        QVERIFY(isRefused({5, Verification::Greedy}, 4));
        QVERIFY(isRefused({2, Verification::Greedy}, 1));
        QVERIFY(isRefused({2, Verification::TopM, 0}, 4));
        for (const double threshold : {0.0, -0.1, 1.1, std::nan(""), std::numeric_limits<double>::infinity()}) {
            QVERIFY(isRefused({2, Verification::Threshold, 2, threshold}, 4));
        }
    }
};

QTEST_GUILESS_MAIN(tst_acceptance)
#include "tst_acceptance.moc"
