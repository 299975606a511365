// The measures of streaming captions against their definitions, counted by hand.
#include <QtTest>

#include "lab/metrics/live_clock.h"
#include "lab/metrics/streaming_errors.h"
#include "lab/metrics/word_times.h"

using namespace braid;
using namespace braid::metrics;

namespace {

std::vector<std::string> words(const QString &text)
{
    std::vector<std::string> list;
    for (const QString &word : text.split(' ', Qt::SkipEmptyParts)) {
        list.push_back(word.toStdString());
    }
    return list;
}

constexpr Sample kMs = samplesFromMs(1);

}  // namespace

class TestStreamingMetrics : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void relativeAndAlignedErrorsAreSummedOverChunks()
    {
        // Said by 300, 600, 900, 1200 ms.
        StreamingErrors errors(words("ask not what you"), {300 * kMs, 600 * kMs, 900 * kMs, 1200 * kMs});
        errors.add(words(""), 300 * kMs);          // relative: 0 of 0; aligned: "ask" is missing
        errors.add(words("ask"), 600 * kMs);       // 0 of 1; "not" is missing
        errors.add(words("ask knot"), 900 * kMs);  // 1 of 2; "not" is wrong, "what" is missing
        errors.add(words("ask not what you"), 1200 * kMs);
        QCOMPARE(errors.relative(), (WordErrors{1, 0, 0, 7}));
        QCOMPARE(errors.aligned(), (WordErrors{1, 0, 3, 1 + 2 + 3 + 4}));
        // A word said before its time is an insertion to the aligned rate alone.
        StreamingErrors early(words("ask not"), {300 * kMs, 600 * kMs});
        early.add(words("ask not"), 300 * kMs);
        QCOMPARE(early.relative(), (WordErrors{0, 0, 0, 2}));
        QCOMPARE(early.aligned(), (WordErrors{0, 1, 0, 1}));
    }

    void withoutWordTimesThereIsNoAlignedRate()
    {
        StreamingErrors errors(words("ask not"), {});
        QVERIFY(errors.counts());
        errors.add(words("ask"), 100);
        QCOMPARE(errors.aligned(), WordErrors{});
        QCOMPARE(errors.relative().reference_words, 1);
    }

    void veryLongTextsAreLeftOut()
    {
        StreamingErrors errors(std::vector<std::string>(kMostStreamedWords + 1, "a"), {});
        QVERIFY(!errors.counts());
        errors.add(words("a a"), 100);
        QCOMPARE(errors.relative(), WordErrors{});
    }

    void wordTimesAreScoredByTheirWords()
    {
        const std::vector<TimedText> reference = {{"she", 0, 600 * kMs},
                                                  {"had", 600 * kMs, 900 * kMs},
                                                  {"your", 900 * kMs, 1200 * kMs},
                                                  {"dark", 1200 * kMs, 1600 * kMs},
                                                  {"suit", 1600 * kMs, 2000 * kMs}};
        const std::vector<TimedText> found = {{"she", 0, 500 * kMs},             // ends in the first chunk: not counted
                                              {"had", 650 * kMs, 940 * kMs},     // within 80 ms
                                              {"your", 1000 * kMs, 1300 * kMs},  // within 240 ms
                                              {"bark", 1200 * kMs, 1600 * kMs},  // another word
                                              {"suit", 2000 * kMs, 2300 * kMs},  // too late
                                              {"now", 2300 * kMs, 2500 * kMs}};  // nobody said it
        const WordTimeScore score = scoreWordTimes(reference, found, 600 * kMs);
        QCOMPARE(score.given, 5);
        QCOMPARE(score.paired, 3);
        QCOMPARE(score.missed, 1);  // "dark"
        QCOMPARE(score.within_240_ms, 2);
        QCOMPARE(score.within_80_ms, 1);
        QCOMPARE(score.precision(score.within_240_ms), 2.0 / 5);
        QCOMPARE(score.recall(score.within_240_ms), 2.0 / 3);
        QCOMPARE(score.recall(score.within_80_ms), 1.0 / 2);
        QCOMPARE(score.meanStartDeviation_ms(), (50 + 100 + 400) / 3.0);
        QCOMPARE(score.meanEndDeviation_ms(), (40 + 100 + 300) / 3.0);
        WordTimeScore twice = score;
        twice += score;
        QCOMPARE(twice.given, 10);
        QCOMPARE(twice.meanEndDeviation_ms(), score.meanEndDeviation_ms());
        QCOMPARE(scoreWordTimes({}, {}).precision(0), 0.0);
    }

    void whatIsSaidStandsThereWhenItsStepIsDone()
    {
        LiveClock clock;
        QCOMPARE(clock.shownAt_ms(300 * kMs), 0.0);
        clock.addStep(300 * kMs, 20);   // done at 320
        clock.addStep(600 * kMs, 400);  // done at 1000: after the next chunk has been heard, which waits for it
        clock.addStep(900 * kMs, 50);   // done at 1050
        clock.addStep(1200 * kMs, 30);  // has caught up: done at 1230
        clock.addStep(1200 * kMs, 10);  // the utterance ends with a whole chunk: done at 1240
        clock.addStep(3000 * kMs, 5);   // after a pause: done at 3005
        QCOMPARE(clock.shownAt_ms(300 * kMs), 320.0);
        QCOMPARE(clock.shownAt_ms(600 * kMs), 1000.0);
        QCOMPARE(clock.shownAt_ms(900 * kMs), 1050.0);
        QCOMPARE(clock.shownAt_ms(1200 * kMs), 1240.0);
        QCOMPARE(clock.shownAt_ms(2000 * kMs), 3005.0);  // no step had heard just so much
        QCOMPARE(clock.shownAt_ms(4000 * kMs), 0.0);
    }

    void theDefinitionFitsThePublishedTables()
    {
        // CarelessWhisper small, 40 ms: precision and recall at 240 ms fix the share of missed words; with the precision at 80 ms
        // they give the published recall at 80 ms.
        WordTimeScore score;
        score.given = 1000;
        score.within_240_ms = 886;
        score.within_80_ms = 644;
        score.missed = static_cast<std::int64_t>(886 / 0.828) - 886;
        QVERIFY(std::abs(score.recall(score.within_80_ms) - 0.778) < 0.002);
    }
};

QTEST_APPLESS_MAIN(TestStreamingMetrics)
#include "tst_streaming_metrics.moc"
