// Which tokens may follow, and which hypothesis wins: Whisper's rules over plain numbers.
#include <QtTest>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/models/whisper/beam_search.h"
#include "core/models/whisper/compression_ratio.h"
#include "core/models/whisper/time_warping.h"
#include "core/models/whisper/token_rules.h"
#include "core/nn/best_outputs.h"

using namespace braid::models::whisper;

namespace {

// A vocabulary of 20: text 0..9, end of text 10, <|notimestamps|> 11, times 12..19.
constexpr std::int32_t kEnd = 10;
constexpr float kNever = -std::numeric_limits<float>::infinity();

TokenRules rulesWithTimes()
{
    TokenRules rules;
    rules.end_of_text = kEnd;
    rules.suppressed = {3};
    rules.suppressed_at_start = {0, kEnd};
    rules.timestamps = TimestampRules{12, 11, 2};
    return rules;
}

std::vector<int> allowed(const TokenRules &rules, const std::vector<std::int32_t> &sampled, std::vector<float> scores = std::vector<float>(20, 1.0f))
{
    rules.apply(scores, sampled);
    std::vector<int> ids;
    for (int id = 0; id < static_cast<int>(scores.size()); ++id) {
        if (scores[static_cast<std::size_t>(id)] != kNever) {
            ids.push_back(id);
        }
    }
    return ids;
}

// The search goes on by a row of the vocabulary's log-probabilities for each live hypothesis.
std::vector<std::int64_t> extend(BeamSearch &search, const std::vector<float> &log_probabilities)
{
    const std::size_t width = log_probabilities.size() / search.live().size();
    std::vector<std::vector<NextToken>> next(search.live().size());
    for (std::size_t row = 0; row < next.size(); ++row) {
        const auto most = static_cast<std::int64_t>(search.candidates());
        for (const braid::nn::OutputScore &token : braid::nn::summariseScores(std::span(log_probabilities).subspan(row * width, width), most).best) {
            next[row].push_back({static_cast<std::int32_t>(token.index), token.score});
        }
    }
    return search.advance(next);
}

// Text so probable that the rule "times together beat every text" stays out of the way.
std::vector<float> textWins()
{
    std::vector<float> scores(20, 1.0f);
    scores[5] = 20;
    return scores;
}

}  // namespace

class tst_whisper_choosing : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void firstTokenIsAnEarlyTime();
    void timesComeInPairsAndNeverGoBack();
    void timesTogetherBeatText();
    void withoutTimesOnlySuppressionCounts();
    void logProbabilities();
    void beamKeepsTheBest();
    void beamEndsWithPatience();
    void beamFillsUpWithLiveHypotheses();
    void lengthDecidesAmongHypotheses();
    void repetitionCompresses();
    void estimateIsNearZlib();
    void medianFilterReflects();
    void pathFollowsTheRidge();
    void pathOfOneRowOrColumn();
};

void tst_whisper_choosing::firstTokenIsAnEarlyTime()
{
    QCOMPARE(allowed(rulesWithTimes(), {}, textWins()), (std::vector<int>{12, 13, 14}));
}

void tst_whisper_choosing::timesComeInPairsAndNeverGoBack()
{
    const TokenRules rules = rulesWithTimes();
    // After an opening time: text only (10 ends the transcript), never the suppressed 3.
    QCOMPARE(allowed(rules, {13}, textWins()), (std::vector<int>{0, 1, 2, 4, 5, 6, 7, 8, 9, 10}));
    // After text: text, or a time later than the opening one.
    QCOMPARE(allowed(rules, {13, 5}, textWins()), (std::vector<int>{0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 14, 15, 16, 17, 18, 19}));
    // After a closing time: the end, or an opening time not before it.
    QCOMPARE(allowed(rules, {13, 5, 16}), (std::vector<int>{16, 17, 18, 19}));
    std::vector<float> end_wins(20, 1.0f);
    end_wins[kEnd] = 20;
    QCOMPARE(allowed(rules, {13, 5, 16}, end_wins), (std::vector<int>{10, 16, 17, 18, 19}));
    // After a pair: text again.
    QCOMPARE(allowed(rules, {13, 5, 16, 16}, textWins()), (std::vector<int>{0, 1, 2, 4, 5, 6, 7, 8, 9, 10}));
}

void tst_whisper_choosing::timesTogetherBeatText()
{
    std::vector<float> scores(20, 0.0f);
    scores[5] = 1.5f;  // e^1.5 < 6 times, each e^0
    QCOMPARE(allowed(rulesWithTimes(), {13, 5}, scores), (std::vector<int>{14, 15, 16, 17, 18, 19}));
    scores[5] = 2.0f;  // e^2 > 6
    QVERIFY(allowed(rulesWithTimes(), {13, 5}, scores).size() > 6);
}

void tst_whisper_choosing::withoutTimesOnlySuppressionCounts()
{
    TokenRules rules = rulesWithTimes();
    rules.timestamps.reset();
    QCOMPARE(allowed(rules, {}).size(), 17u);
    QCOMPARE(allowed(rules, {5}).size(), 19u);
    rules.suppressed = {-1, 400};  // ids outside the vocabulary harm nobody
    QCOMPARE(allowed(rules, {5}).size(), 20u);
}

void tst_whisper_choosing::logProbabilities()
{
    std::vector<float> scores = {1000.0f, 1001.0f, kNever, 999.0f};
    logSoftmax(scores);
    double sum = 0;
    for (const float score : scores) {
        sum += std::exp(static_cast<double>(score));
    }
    QVERIFY(std::abs(sum - 1) < 1e-4);
    QCOMPARE(scores[2], kNever);
    QVERIFY(std::abs(scores[1] - scores[0] - 1) < 1e-4f);
}

void tst_whisper_choosing::beamKeepsTheBest()
{
    BeamSearch search(2, 1, 3);
    QCOMPARE(extend(search, std::vector<float>{-1.0f, -2.0f, -4.0f, -9.0f}), (std::vector<std::int64_t>{0, 0}));
    QCOMPARE(search.live()[0].tokens, (std::vector<std::int32_t>{0}));
    QCOMPARE(search.live()[1].tokens, (std::vector<std::int32_t>{1}));
    // The second hypothesis continues so well that both live ones come from it.
    QCOMPARE(extend(search, std::vector<float>{-5.0f, -6.0f, -7.0f, -9.0f, -0.1f, -9.0f, -0.2f, -9.0f}), (std::vector<std::int64_t>{1, 1}));
    QCOMPARE(search.live()[0].tokens, (std::vector<std::int32_t>{1, 0}));
    QCOMPARE(search.live()[1].tokens, (std::vector<std::int32_t>{1, 2}));
    QVERIFY(std::abs(search.live()[1].log_probability + 2.2) < 1e-6);
}

void tst_whisper_choosing::beamEndsWithPatience()
{
    for (const auto &[patience, wanted] : {std::pair(0.5f, 1), std::pair(1.0f, 2), std::pair(2.0f, 4)}) {
        BeamSearch search(2, patience, 3);
        int steps = 0;
        while (!search.done()) {
            QVERIFY(++steps < 10);
            std::vector<float> scores;
            for (std::size_t i = 0; i < search.live().size(); ++i) {
                scores.insert(scores.end(), {-1.0f, -2.0f, -4.0f, -0.5f});
            }
            static_cast<void>(extend(search, scores));
        }
        QCOMPARE(search.results().size(), static_cast<std::size_t>(std::max(wanted, 2)));
    }
}

void tst_whisper_choosing::beamFillsUpWithLiveHypotheses()
{
    BeamSearch search(3, 1, 3);
    static_cast<void>(extend(search, std::vector<float>{-1.0f, -2.0f, -4.0f, -0.5f}));
    const std::vector<ScoredTokens> results = search.results();
    QCOMPARE(results.size(), 3u);
    QVERIFY(results[0].tokens.empty());
    QCOMPARE(results[1].tokens, (std::vector<std::int32_t>{0}));
    QCOMPARE(results[2].tokens, (std::vector<std::int32_t>{1}));
}

void tst_whisper_choosing::lengthDecidesAmongHypotheses()
{
    const std::vector<ScoredTokens> candidates = {{{1}, -1.0}, {{1, 2, 3, 4}, -3.0}, {{}, -0.9}};
    QCOMPARE(bestOf(candidates, {}, EndCounts::No).tokens.size(), 4u);    // -0.75 a token; the empty one counts as one
    QCOMPARE(bestOf(candidates, 0.0f, EndCounts::No).tokens.size(), 0u);  // the plain sum
    QCOMPARE(bestOf(std::span(candidates).first(2), 0.6f, EndCounts::No).tokens.size(), 1u);
    QCOMPARE(bestOf(candidates, {}, EndCounts::Yes).tokens.size(), 1u);  // -1/2 against -3/5 and -0.9
}

void tst_whisper_choosing::repetitionCompresses()
{
    QCOMPARE(compressionRatio(""), 0.0f);
    const std::string prose = "And so my fellow Americans, ask not what your country can do for you, ask what you can do for your country.";
    QVERIFY(compressionRatio(prose) < 2.0f);
    std::string loop;
    for (int i = 0; i < 30; ++i) {
        loop += "thank you very much ";
    }
    QVERIFY(compressionRatio(loop) > 2.4f);
}

void tst_whisper_choosing::estimateIsNearZlib()
{
    std::string loop;
    for (int i = 0; i < 6; ++i) {
        loop += "and then he said it once more to all of them ";
    }
    const std::string prose = "And so my fellow Americans, ask not what your country can do for you, ask what you can do for your country.";
    for (const std::string &text : {loop, prose}) {
        QVERIFY2(std::abs(estimatedCompressionRatio(text) / compressionRatio(text) - 1) < 0.35f, text.c_str());
    }
    QCOMPARE(estimatedCompressionRatio(""), 0.0f);
}

void tst_whisper_choosing::medianFilterReflects()
{
    std::vector<float> values = {9, 1, 2, 3, 4, 0, 0, 0, 0, 8};
    medianFilter(values, 5, 3);
    QCOMPARE(values, (std::vector<float>{1, 2, 2, 3, 3, 0, 0, 0, 0, 0}));
    std::vector<float> narrow = {5, 1};
    medianFilter(narrow, 2, 7);
    QCOMPARE(narrow, (std::vector<float>{5, 1}));
}

void tst_whisper_choosing::pathFollowsTheRidge()
{
    // Three rows whose cheap places lie at columns 0-1, 2-3 and 4-5.
    std::vector<float> costs(18, 1.0f);
    for (const std::size_t place : {0u, 1u, 6u + 2u, 6u + 3u, 12u + 4u, 12u + 5u}) {
        costs[place] = -1;
    }
    QCOMPARE(warpRows(costs, 3, 6), (std::vector<std::size_t>{0, 2, 4}));
}

void tst_whisper_choosing::pathOfOneRowOrColumn()
{
    QCOMPARE(warpRows(std::vector<float>(4, 1.0f), 1, 4), (std::vector<std::size_t>{0}));
    QCOMPARE(warpRows(std::vector<float>(4, 1.0f), 4, 1), (std::vector<std::size_t>{0, 0, 0, 0}));
    QVERIFY(warpRows({}, 0, 0).empty());
    QCOMPARE(warpRows(std::vector<float>(4, NAN), 2, 2).size(), 2u);  // no number, but no harm either
}

QTEST_GUILESS_MAIN(tst_whisper_choosing)
#include "tst_whisper_choosing.moc"
