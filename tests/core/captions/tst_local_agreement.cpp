// LocalAgreement-2 over a scripted recogniser: what two consecutive hypotheses agree on settles, once and for ever; nothing said is lost;
// the window stays bounded.
#include <QtTest>

#include "core/captions/local_agreement.h"
#include "tests/core/captions/scripted_speech.h"

using namespace braid;
using namespace braid::captions;
using namespace braid::test;

namespace {

struct Policy {
    ScriptedWindowRecognizer *recognizer = nullptr;
    std::unique_ptr<LocalAgreementPolicy> policy;

    Policy(Script script, Hearing hearing = {}, LocalAgreementOptions options = {}, Sample maximum = samplesFromSeconds(30), unsigned seed = 1)
    {
        auto owned = std::make_unique<ScriptedWindowRecognizer>(std::move(script), hearing, maximum, seed);
        recognizer = owned.get();
        policy = std::make_unique<LocalAgreementPolicy>(std::move(owned), options);
    }
};

// Gives prepared hypotheses, one after the other, the last one again and again.
class CannedRecognizer final : public WindowRecognizer {
  public:
    explicit CannedRecognizer(std::vector<Hypothesis> hypotheses, Sample maximum = samplesFromSeconds(30))
        : m_hypotheses(std::move(hypotheses))
        , m_maximum(maximum)
    {
    }
    Hypothesis recognize(const RecognitionRequest &request) override
    {
        starts.push_back(request.start_sample);
        lengths.push_back(static_cast<Sample>(request.sound.size()));
        return m_hypotheses[std::min(starts.size() - 1, m_hypotheses.size() - 1)];
    }
    Sample maximumSamples() const override { return m_maximum; }
    std::vector<Sample> starts;
    std::vector<Sample> lengths;

  private:
    std::vector<Hypothesis> m_hypotheses;
    Sample m_maximum;
};

Hypothesis hypothesis(const std::string &text, Sample start = samplesFromMs(100), Sample length = samplesFromMs(200), Sample pause = samplesFromMs(50))
{
    Hypothesis out;
    for (const SpokenWord &word : text.empty() ? Script{} : spoken(text, start, length, pause)) {
        out.words.emplace_back();
        out.words.back().text = word.text;
        out.words.back().start_sample = word.start_sample;
        out.words.back().end_sample = word.end_sample;
    }
    return out;
}

struct Canned {
    CannedRecognizer *recognizer = nullptr;
    std::unique_ptr<LocalAgreementPolicy> policy;
    explicit Canned(std::vector<Hypothesis> hypotheses, LocalAgreementOptions options = {}, Sample maximum = samplesFromSeconds(30))
    {
        auto owned = std::make_unique<CannedRecognizer>(std::move(hypotheses), maximum);
        recognizer = owned.get();
        policy = std::make_unique<LocalAgreementPolicy>(std::move(owned), options);
        policy->beginUtterance(0);
    }
    PolicyUpdate step(double seconds) const
    {
        const std::vector<float> sound(static_cast<std::size_t>(samplesFromSeconds(seconds)), 0.0f);
        policy->addSound(sound);
        return policy->step();
    }
};

QString said(const std::vector<text::Word> &words)
{
    return QString::fromStdString(Listener::joined(words));
}

Hearing unsure()
{
    Hearing hearing;
    hearing.unsure_samples = samplesFromMs(900);
    hearing.wrong_probability = 0.4;
    hearing.inserted_probability = 0.2;
    hearing.changed_case_probability = 0.1;
    hearing.time_jitter_samples = samplesFromMs(60);
    return hearing;
}

}  // namespace

class TestLocalAgreement : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void whatTwoHypothesesAgreeOnSettles()
    {
        Canned canned({hypothesis("and so my"), hypothesis("and so why fellow"), hypothesis("and so my fellow americans")});
        PolicyUpdate update = canned.step(2);
        QCOMPARE(said(update.committed), "");
        QCOMPARE(said(update.tail), "and so my");
        update = canned.step(1);
        QCOMPARE(said(update.committed), "and so");
        QCOMPARE(said(update.tail), "why fellow");
        update = canned.step(1);
        QCOMPARE(said(update.committed), "");  // "my" has been said once only
        QCOMPARE(said(update.tail), "my fellow americans");
        QCOMPARE(update.tail[0].revision_count, 2);
        QCOMPARE(QString::fromStdString(update.tail[0].revised_from), "why");
        update = canned.policy->endUtterance();
        QCOMPARE(said(update.committed), "my fellow americans");
        QVERIFY(update.tail.empty());
    }

    void caseAndPunctuationDoNotKeepWordsApartAndTheNewestSpellingCounts()
    {
        Canned canned({hypothesis("and so, My friends"), hypothesis("And so my friends, ask")});
        (void)canned.step(2);
        const PolicyUpdate update = canned.step(1);
        QCOMPARE(said(update.committed), "And so my friends,");
        for (const text::Word &word : update.committed) {
            QCOMPARE(word.first_seen_sample, samplesFromSeconds(2));
            QCOMPARE(word.committed_sample, samplesFromSeconds(3));
            QCOMPARE(word.revision_count, 0);
        }
    }

    void aWordAtTheVeryEndOfTheSoundWaits()
    {
        Canned canned({hypothesis("ask what"), hypothesis("ask what")});  // "what" ends at 550 ms
        (void)canned.step(0.56);
        PolicyUpdate update = canned.step(0.1);
        QCOMPARE(said(update.committed), "ask");
        QCOMPARE(said(update.tail), "what");
        update = canned.step(0.2);
        QCOMPARE(said(update.committed), "what");
    }

    void aWordSaidTwiceIsTwoWords()
    {
        for (const char *speech : {"I know that that is so", "no no no", "I know that  that is so, it is so it is so"}) {
            const Script script = spoken(speech);
            Policy test(script);
            const Listener listener = hearAll(*test.policy, 0, script.back().end_sample + samplesFromSeconds(1));
            QCOMPARE(listener.text(), joined(script));
        }
    }

    void aTrimmedWindowNeitherRepeatsNorSwallowsARepeatedWord()
    {
        // The limit is so small that the window is cut all the time, often between the two.
        LocalAgreementOptions options;
        options.window_limit_samples = samplesFromSeconds(2);
        const Script script = spoken("that that is is what what you you can can do do for for that that that country country. and and so so");
        for (const int step_ms : {300, 500, 700, 1000}) {
            Policy test(script, {}, options);
            const Listener listener = hearAll(*test.policy, 0, script.back().end_sample + samplesFromSeconds(1), samplesFromMs(step_ms));
            QCOMPARE(listener.text(), joined(script));
        }
    }

    void noWordsNoText()
    {
        Canned canned({hypothesis("")});
        for (int i = 0; i < 60; ++i) {
            const PolicyUpdate update = canned.step(1);
            QVERIFY(update.committed.empty() && update.tail.empty());
            QVERIFY(canned.policy->windowSamples() <= samplesFromSeconds(21));
        }
        QVERIFY(canned.policy->endUtterance().committed.empty());
    }

    void whatTheModelTakesForSilenceIsSilence()
    {
        Hypothesis silence = hypothesis("thank you for watching");
        silence.no_speech_probability = 0.9f;
        silence.average_log_probability = -1.5f;
        Canned canned({silence});
        (void)canned.step(2);
        QVERIFY(canned.step(1).committed.empty());
        QVERIFY(canned.policy->endUtterance().committed.empty());
        // Sure of its words, or of the speech: it is speech.
        silence.average_log_probability = -0.3f;
        Canned sure({silence});
        (void)sure.step(2);
        QCOMPARE(said(sure.policy->endUtterance().committed), "thank you for watching");
    }

    void aHypothesisWithoutWordsCommitsNothingAndForgetsNothing()
    {
        Canned canned({hypothesis("and so"), hypothesis(""), hypothesis("and so"), hypothesis("and so my")});
        (void)canned.step(2);
        QVERIFY(canned.step(1).tail.empty());
        QCOMPARE(canned.step(1).tail.at(0).first_seen_sample, samplesFromSeconds(2));  // it came back
        QCOMPARE(said(canned.step(1).committed), "and so");
    }

    void aLoopCommitsNothingWhileItMayBeOne()
    {
        std::string loop = "so we go";
        for (int i = 0; i < 30; ++i) {
            loop += " on and on";
        }
        Canned canned({hypothesis(loop, samplesFromMs(100), samplesFromMs(60), samplesFromMs(10))});
        for (int i = 0; i < 4; ++i) {
            const PolicyUpdate update = canned.step(2);
            QVERIFY(update.committed.empty());
            QVERIFY(update.tail.size() <= 9);
        }
        // The end must commit what can be believed, and looks again at the sound behind it rather than dropping it.
        const std::size_t looks = canned.recognizer->starts.size();
        const PolicyUpdate last = canned.policy->endUtterance();
        QVERIFY(said(last.committed).startsWith("so we go on and on on and on"));
        QVERIFY(last.committed.size() <= 40);
        QVERIFY(canned.recognizer->starts.size() > looks);
    }

    void repetitionAtASpeakingPaceIsSpeech()
    {
        std::string chant;
        for (int i = 0; i < 6; ++i) {
            chant += std::string(i ? " " : "") + "test one two";
        }
        const Script script = spoken(chant);
        Policy test(script);
        QCOMPARE(hearAll(*test.policy, 0, script.back().end_sample + samplesFromSeconds(1)).text(), chant);
    }

    void aHighCompressionRatioWaits()
    {
        Hypothesis dense = hypothesis("and so my fellow");
        dense.compression_ratio = 3;
        Canned canned({dense});
        (void)canned.step(2);
        QVERIFY(canned.step(1).committed.empty());
        QVERIFY(canned.step(1).committed.empty());
    }

    void wordsBeyondTheSoundAreNotBelieved()
    {
        Canned canned({hypothesis("and so my fellow americans")});  // 100, 350, 600, 850, 1100 ms
        const PolicyUpdate update = canned.step(0.7);
        QCOMPARE(said(update.tail), "and so my");
        QCOMPARE(update.tail.back().end_sample, samplesFromMs(700));
    }

    void aLongWindowIsCutAtASettledSentenceEnd()
    {
        LocalAgreementOptions options;
        options.window_limit_samples = samplesFromSeconds(6);
        options.step_samples = samplesFromMs(500);
        const Script script = spoken("one two three four. five six seven eight. nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen");
        Policy test(script, {}, options);
        const Listener listener = hearAll(*test.policy, 0, script.back().end_sample + samplesFromSeconds(1));
        QCOMPARE(listener.text(), joined(script));
        // The first cut is right after "eight.", and the words before it are the prompt.
        const auto cut =
            std::find_if(test.recognizer->requests.begin(), test.recognizer->requests.end(), [](const auto &request) { return request.start_sample > 0; });
        QVERIFY(cut != test.recognizer->requests.end());
        QCOMPARE(cut->start_sample, script[7].end_sample);
        QCOMPARE(QString::fromStdString(cut->previous_text), "one two three four. five six seven eight.");
    }

    void withoutSentencesItIsCutWhereTheModelEndedASegment()
    {
        LocalAgreementOptions options;
        options.window_limit_samples = samplesFromSeconds(4);
        Hypothesis heard = hypothesis("one two three four five six seven eight");
        heard.segment_ends = {heard.words[2].end_sample + 100, heard.words[5].end_sample + 100, samplesFromSeconds(4)};
        Canned canned({heard}, options);
        (void)canned.step(2.3);
        (void)canned.step(1);
        (void)canned.step(1);
        QCOMPARE(canned.policy->windowSamples(), samplesFromSeconds(4.3) - heard.segment_ends[1]);
    }

    void withoutEitherItIsCutAfterTheLastSettledWord()
    {
        LocalAgreementOptions options;
        options.window_limit_samples = samplesFromSeconds(4);
        const Hypothesis heard = hypothesis("one two three four five six seven eight");
        Canned canned({heard}, options);
        (void)canned.step(2.5);
        (void)canned.step(1);
        (void)canned.step(1);
        QCOMPARE(canned.policy->windowSamples(), samplesFromSeconds(4.5) - heard.words.back().end_sample);
    }

    void whenNothingEverAgreesTheOldestPartSettlesAsItStands()
    {
        Hearing hearing;
        hearing.unsure_samples = samplesFromSeconds(100);
        hearing.wrong_probability = 1;  // another word every time
        std::mt19937 random(5);
        const Script script = randomTalk(random, 200, 0);
        LocalAgreementOptions options;
        options.window_limit_samples = samplesFromSeconds(6);
        Policy test(script, hearing, options);
        Listener listener;
        test.policy->beginUtterance(0);
        const std::vector<float> second(kSampleRateHz, 0.0f);
        for (Sample heard = kSampleRateHz; heard < script.back().end_sample + kSampleRateHz; heard += kSampleRateHz) {
            test.policy->addSound(second);
            listener.take(test.policy->step(), 0, heard);
            QVERIFY(test.policy->windowSamples() <= samplesFromSeconds(9));
        }
        listener.take(test.policy->endUtterance(), 0, script.back().end_sample + kSampleRateHz);
        QVERIFY2(listener.broken_promise.empty(), listener.broken_promise.c_str());
        QCOMPARE(listener.committed.size(), script.size());  // each word said came out as some word, once
    }

    void aMachineFarBehindTakesFullWindowsAndLosesNothing()
    {
        std::mt19937 random(8);
        for (unsigned round = 0; round < 20; ++round) {
            const Script script = randomTalk(random, 300, samplesFromMs(100));
            Policy test(script, {}, {}, samplesFromSeconds(10), round);
            const Sample until = script.back().end_sample + samplesFromSeconds(1);
            const Listener listener = hearAll(*test.policy, 0, until, samplesFromSeconds(60));
            QVERIFY2(listener.broken_promise.empty(), listener.broken_promise.c_str());
            QVERIFY2(difference(script, listener.committed).empty(), difference(script, listener.committed).c_str());
            for (const auto &request : test.recognizer->requests) {
                QVERIFY(request.length <= samplesFromSeconds(10));
            }
        }
    }

    void everythingSaidIsCommittedOnceAndNeverChanged()
    {
        std::mt19937 random(42);
        for (unsigned round = 0; round < 200; ++round) {
            LocalAgreementOptions options;
            options.window_limit_samples = samplesFromSeconds(3 + random() % 14);
            options.step_samples = samplesFromMs(200 + random() % 1500);
            const Sample start = samplesFromSeconds(static_cast<double>(random() % 10000));
            const Script script = randomTalk(random, 1 + random() % 120, start + samplesFromMs(300), 12);
            Policy test(script, unsure(), options, samplesFromSeconds(30), round);
            const Listener listener = hearAll(*test.policy, start, script.back().end_sample + samplesFromMs(1000));
            QVERIFY2(listener.broken_promise.empty(), listener.broken_promise.c_str());
            QVERIFY2(difference(script, listener.committed).empty(), difference(script, listener.committed).c_str());
        }
    }

    void theSameSoundInOtherPiecesGivesTheSame()
    {
        std::mt19937 random(3);
        const Script script = randomTalk(random, 60, 0);
        const Sample until = script.back().end_sample + samplesFromSeconds(1);
        Policy whole(script, unsure()), pieces(script, unsure());
        Listener first, second;
        whole.policy->beginUtterance(0);
        pieces.policy->beginUtterance(0);
        const std::vector<float> silence(static_cast<std::size_t>(until), 0.0f);
        for (Sample at = 0; at < until;) {
            const Sample step = std::min<Sample>(whole.policy->stepSamples(), until - at);
            whole.policy->addSound(std::span(silence).first(static_cast<std::size_t>(step)));
            for (Sample given = 0; given < step;) {
                const Sample piece = std::min<Sample>(1 + random() % 5000, step - given);
                pieces.policy->addSound(std::span(silence).first(static_cast<std::size_t>(piece)));
                given += piece;
            }
            at += step;
            first.take(whole.policy->step(), 0, at);
            second.take(pieces.policy->step(), 0, at);
            QCOMPARE(first.tailText(), second.tailText());
        }
        QCOMPARE(first.text(), second.text());
    }

    void theWindowStaysBoundedForHours()
    {
        std::mt19937 random(9);
        const Script script = randomTalk(random, 2 * 3600 * 2, 0, 12);  // about two hours without a single end of utterance
        Policy test(script, unsure());
        test.policy->beginUtterance(0);
        Listener listener;
        const Sample step = samplesFromMs(1400);
        const std::vector<float> silence(static_cast<std::size_t>(step), 0.0f);
        Sample longest = 0;
        Sample heard = 0;
        while (heard < script.back().end_sample + samplesFromSeconds(1)) {
            test.policy->addSound(silence);
            heard += step;
            listener.take(test.policy->step(), 0, heard);
            longest = std::max(longest, test.policy->windowSamples());
        }
        listener.take(test.policy->endUtterance(), 0, heard);
        QVERIFY(longest <= samplesFromSeconds(20));
        QVERIFY2(listener.broken_promise.empty(), listener.broken_promise.c_str());
        QVERIFY2(difference(script, listener.committed).empty(), difference(script, listener.committed).c_str());
        for (const auto &request : test.recognizer->requests) {
            QVERIFY(request.length <= samplesFromSeconds(22));
            QVERIFY(request.previous_text.size() <= 200);
        }
    }

    void aStepWithoutNewSoundCostsNothing()
    {
        Canned canned({hypothesis("and so"), hypothesis("and so my")});
        (void)canned.step(2);
        const PolicyUpdate update = canned.policy->step();
        QCOMPARE(said(update.tail), "and so");
        QCOMPARE(canned.recognizer->starts.size(), std::size_t{1});
        QCOMPARE(said(canned.policy->endUtterance().committed), "and so");  // nothing new either
        QCOMPARE(canned.recognizer->starts.size(), std::size_t{1});
    }

    void thePromptOutlivesTheUtteranceButNotALongPause()
    {
        const Script first = spoken("and so my fellow"), near = spoken("ask not", samplesFromSeconds(10)), far = spoken("what", samplesFromSeconds(60));
        Script all = first;
        all.insert(all.end(), near.begin(), near.end());
        all.insert(all.end(), far.begin(), far.end());
        Policy test(all);
        (void)hearAll(*test.policy, 0, samplesFromSeconds(3));
        (void)hearAll(*test.policy, samplesFromSeconds(9), samplesFromSeconds(12));
        QCOMPARE(QString::fromStdString(test.recognizer->requests.back().previous_text), "and so my fellow");
        (void)hearAll(*test.policy, samplesFromSeconds(59), samplesFromSeconds(62));
        QCOMPARE(QString::fromStdString(test.recognizer->requests.back().previous_text), "");
    }
};

QTEST_GUILESS_MAIN(TestLocalAgreement)
#include "tst_local_agreement.moc"
