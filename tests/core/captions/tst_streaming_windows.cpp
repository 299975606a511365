// The streaming policy for hours, over window after window of a scripted causal model: no word is lost or said twice wherever a window ends, a chunk costs no
// more than at the beginning, and a model that loops or falls silent begins anew.
#include <QtTest>

#include "tests/core/captions/streaming_talk.h"

using namespace braid;
using namespace braid::captions;
using namespace braid::test;

class tst_streaming_windows : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void aNewWindowBeginsInAPause()
    {
        Script script = spoken("ask not what your country can do for you ", samplesFromMs(200), samplesFromMs(300), samplesFromMs(100));
        while (script.back().end_sample < samplesFromSeconds(70)) {
            const Script more = spoken("ask what you can do for your country ", script.back().end_sample + samplesFromMs(900));
            script.insert(script.end(), more.begin(), more.end());
        }
        Talk talk(script);
        talk.hearAll();
        QVERIFY2(lost(talk).isEmpty(), qPrintable(lost(talk)));
        QVERIFY(talk.model->windows >= 4);
        for (const Sample start : std::span(talk.model->starts).subspan(1, talk.model->starts.size() - 2)) {
            for (const SpokenWord &word : script) {
                QVERIFY2(start <= word.start_sample || start >= word.end_sample, qPrintable(QString::number(secondsFromSamples(start))));
            }
        }
        // Nothing was heard twice but the pauses themselves.
        QVERIFY(talk.model->encoded_frames * 320 < talk.heard + static_cast<Sample>(talk.model->windows) * samplesFromMs(600));
        QVERIFY(talk.model->prompts.at(1).ends_with("country"));
    }

    void hoursOfTalkLoseNothingAndCostNoMoreThanTheBeginning_data()
    {
        QTest::addColumn<bool>("restless");
        QTest::addColumn<int>("cut_word");
        QTest::addColumn<int>("beam");
        QTest::addColumn<int>("window_s");
        for (const int window_s : {15, 30}) {
            QTest::addRow("with pauses, %d s", window_s) << false << static_cast<int>(CutWord::SecondHalf) << 1 << window_s;
            QTest::addRow("without pauses, %d s", window_s) << true << static_cast<int>(CutWord::SecondHalf) << 1 << window_s;
            QTest::addRow("cut words unheard, %d s", window_s) << true << static_cast<int>(CutWord::Unheard) << 1 << window_s;
            QTest::addRow("cut words whole, %d s", window_s) << true << static_cast<int>(CutWord::Whole) << 1 << window_s;
            QTest::addRow("beam, %d s", window_s) << true << static_cast<int>(CutWord::SecondHalf) << 3 << window_s;
        }
    }
    void hoursOfTalkLoseNothingAndCostNoMoreThanTheBeginning()
    {
        QFETCH(bool, restless);
        QFETCH(int, cut_word);
        QFETCH(int, beam);
        QFETCH(int, window_s);
        std::mt19937 random(11);
        const Sample hours = samplesFromSeconds(beam > 1 || cut_word != static_cast<int>(CutWord::SecondHalf) ? 1500 : 2 * 3600);
        Script script =
            restless ? restlessTalk(random, hours) : randomTalk(random, static_cast<std::size_t>(hours / samplesFromMs(520)), samplesFromMs(200), 12);
        StreamingHearing hearing;
        hearing.cut_word = static_cast<CutWord>(cut_word);
        hearing.frame_samples = 640;
        hearing.maximum_samples = samplesFromSeconds(window_s);
        StreamingOptions options;
        options.beam_size = beam;
        Talk talk(std::move(script), hearing, options);
        talk.hearUntil(samplesFromSeconds(120));
        const int passes_at_first = talk.most_passes_in_a_step;
        talk.hearAll();
        QVERIFY2(lost(talk).isEmpty(), qPrintable(lost(talk).left(2000)));
        QVERIFY(talk.model->windows > static_cast<int>(hours / samplesFromSeconds(window_s)) - 2);
        QVERIFY2(talk.most_passes_in_a_step <= std::max(60, 2 * passes_at_first), qPrintable(QString::number(talk.most_passes_in_a_step)));
        QVERIFY2(talk.longest_window <= samplesFromSeconds(window_s + 1), qPrintable(QString::number(talk.longest_window)));
        // Overlaps cost at most a fifth of the encoder's work, of short windows a third.
        QVERIFY(talk.model->encoded_frames * 640 < talk.heard + talk.heard / (window_s < 30 ? 3 : 5));
        QVERIFY(talk.most_frames_in_a_step * 640 <= samplesFromSeconds(6));
    }

    void aWindowMayEndExactlyInTheMiddleOfAWord_data()
    {
        QTest::addColumn<int>("cut_word");
        QTest::addColumn<int>("shift_ms");
        for (const auto &[name, cut] : {std::pair{"unheard", CutWord::Unheard}, {"second half", CutWord::SecondHalf}, {"whole", CutWord::Whole}}) {
            for (int shift_ms = 0; shift_ms < 700; shift_ms += 70) {
                QTest::addRow("%s, %d ms", name, shift_ms) << static_cast<int>(cut) << shift_ms;
            }
        }
    }
    void aWindowMayEndExactlyInTheMiddleOfAWord()
    {
        // Words of 700 ms without any pause: wherever the window is cut, it is in or at a word; the shift moves the words through it.
        QFETCH(int, cut_word);
        QFETCH(int, shift_ms);
        Script script;
        const std::vector<std::string> known = {"mississippi", "constantinople", "mississippi", "americans", "americans"};
        for (std::size_t i = 0; i < 100; ++i) {
            const Sample start = samplesFromMs(shift_ms + 700 * static_cast<int>(i));
            script.push_back({known[i % known.size()] + std::string(i % 3 == 0 ? "" : "s"), start, start + samplesFromMs(700)});
        }
        StreamingHearing hearing;
        hearing.cut_word = static_cast<CutWord>(cut_word);
        hearing.maximum_samples = samplesFromSeconds(15);
        StreamingOptions options;
        options.restart_after_samples = samplesFromSeconds(10);
        Talk talk(std::move(script), hearing, options);
        talk.hearAll();
        QVERIFY(talk.model->windows >= 5);
        QVERIFY2(lost(talk).isEmpty(), qPrintable(lost(talk)));
    }

    void aRowThatIsFullBeginsANewWindow()
    {
        std::mt19937 random(5);
        StreamingHearing hearing;
        hearing.maximum_tokens = 64;
        Talk talk(restlessTalk(random, samplesFromSeconds(120)), hearing);
        talk.hearAll();
        QVERIFY(talk.model->windows > 6);
        QVERIFY2(lost(talk).isEmpty(), qPrintable(lost(talk)));
    }

    void aMachineThatFallsBehindHearsEverything()
    {
        std::mt19937 random(9);
        for (const double seconds : {1.0, 5.0, 45.0}) {
            Talk talk(restlessTalk(random, samplesFromSeconds(200)));
            talk.hearUntil(talk.script.back().end_sample, samplesFromSeconds(seconds));
            talk.end();
            QVERIFY2(lost(talk).isEmpty(), qPrintable(QString::number(seconds) + lost(talk)));
        }
    }

    void aLoopEndsAndWhatIsSaidLaterIsHeard()
    {
        std::mt19937 random(13);
        Talk talk(restlessTalk(random, samplesFromSeconds(60)));
        talk.hearUntil(samplesFromSeconds(12));
        const std::size_t before = talk.listener.committed.size();
        talk.model->loops = true;
        talk.hearUntil(samplesFromSeconds(20));
        talk.model->loops = false;
        talk.hearAll();
        QVERIFY(talk.listener.committed.size() > before);
        const std::string text = talk.listener.text();
        std::size_t loops = 0;
        for (std::size_t at = text.find(" uh"); at != std::string::npos; at = text.find(" uh", at + 1)) {
            ++loops;
        }
        QVERIFY2(loops <= 40, text.c_str());
        // The last half minute is whole.
        Script late;
        std::copy_if(talk.script.begin(), talk.script.end(), std::back_inserter(late),
                     [](const SpokenWord &word) { return word.start_sample > samplesFromSeconds(30); });
        QVERIFY2(("x " + text).ends_with(" " + joined(late)), text.c_str());
    }

    void whatAWindowLeavesUnsaidIsHeardAnewBeforeLong_data()
    {
        QTest::addColumn<int>("silent_from_s");
        QTest::addColumn<int>("until_s");
        QTest::newRow("in the midst") << 6 << 12;
        QTest::newRow("at the end") << 10 << 12;
    }
    void whatAWindowLeavesUnsaidIsHeardAnewBeforeLong()
    {
        QFETCH(int, silent_from_s);
        QFETCH(int, until_s);
        for (const int beam : {1, 5}) {
            std::mt19937 random(23);
            StreamingOptions options;
            options.beam_size = beam;
            StreamingHearing hearing;
            hearing.frame_samples = 640;
            hearing.maximum_samples = samplesFromSeconds(30);
            Talk talk(restlessTalk(random, samplesFromSeconds(until_s)), hearing, options);
            talk.model->numb_window = talk.model->windows;
            talk.model->numb_from = samplesFromSeconds(silent_from_s);
            Sample longest_wait = 0, newest = 0;
            while (talk.heard < talk.script.back().end_sample) {
                talk.hearUntil(talk.heard + talk.policy->stepSamples());
                const text::Word *last = !talk.listener.tail.empty()       ? &talk.listener.tail.back()
                                         : talk.listener.committed.empty() ? nullptr
                                                                           : &talk.listener.committed.back();
                newest = std::max(newest, last == nullptr ? 0 : last->end_sample);
                longest_wait = std::max(longest_wait, talk.heard - newest);
            }
            talk.hearAll();
            QVERIFY2(longest_wait < samplesFromMs(4000), qPrintable(QString::number(msFromSamples(longest_wait))));
            QVERIFY2(lost(talk).isEmpty(), qPrintable(lost(talk)));
        }
    }

    void whatIsToldOnceMoreIsNotWritten_data()
    {
        QTest::addColumn<int>("beam");
        QTest::addColumn<int>("from_ms");
        for (const int beam : {1, 5}) {
            for (const int from_ms : {10000, 12150, 14400, 28900}) {
                QTest::addRow("beam %d, from %d ms", beam, from_ms) << beam << from_ms;
            }
        }
    }
    void whatIsToldOnceMoreIsNotWritten()
    {
        // A model that has lost its place in the sound says again what it has said, and goes on with it from chunk to chunk.
        QFETCH(int, beam);
        QFETCH(int, from_ms);
        std::mt19937 random(29);
        StreamingOptions options;
        options.beam_size = beam;
        options.restart_after_samples = samplesFromSeconds(1000);
        StreamingHearing hearing;
        hearing.frame_samples = 640;
        Talk talk(restlessTalk(random, samplesFromSeconds(40)), hearing, options);
        talk.model->retelling_window = talk.model->windows;
        talk.model->retelling_from = samplesFromMs(from_ms);
        talk.hearAll();
        QVERIFY(talk.model->windows > talk.model->retelling_window);
        QVERIFY2(lost(talk).isEmpty(), qPrintable(lost(talk)));
    }

    void aModelThatHasFallenSilentBeginsAnew()
    {
        std::mt19937 random(17);
        Talk talk(restlessTalk(random, samplesFromSeconds(40)));
        talk.hearUntil(samplesFromSeconds(9));
        const int windows = talk.model->windows;
        talk.model->silent = true;
        talk.hearUntil(samplesFromSeconds(15));
        talk.model->silent = false;
        QVERIFY(talk.model->windows > windows);
        talk.hearAll();
        QVERIFY(talk.listener.broken_promise.empty());
    }
};

QTEST_APPLESS_MAIN(tst_streaming_windows)
#include "tst_streaming_windows.moc"
