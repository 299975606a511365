// AlignAtt over a scripted decoder: a token that attends too near the end of the sound is held back, committed tokens are forced and never decoded
// again, nothing said is lost, the window stays bounded.
#include <QtTest>

#include "core/captions/align_att.h"
#include "tests/core/captions/scripted_speech.h"

using namespace braid;
using namespace braid::captions;
using namespace braid::test;

namespace {

struct Policy {
    ScriptedStepDecoder *decoder = nullptr;
    std::unique_ptr<AlignAttPolicy> policy;

    explicit Policy(Script script, Hearing hearing = {}, AlignAttOptions options = {}, Sample maximum = samplesFromSeconds(30), unsigned seed = 1)
    {
        auto owned = std::make_unique<ScriptedStepDecoder>(std::move(script), hearing, maximum, seed);
        decoder = owned.get();
        policy = std::make_unique<AlignAttPolicy>(std::move(owned), options);
        policy->beginUtterance(0);
    }

    PolicyUpdate stepMs(std::int64_t ms) const
    {
        const std::vector<float> sound(static_cast<std::size_t>(samplesFromMs(ms)), 0.0f);
        policy->addSound(sound);
        return policy->step();
    }
};

QString said(const std::vector<text::Word> &words)
{
    return QString::fromStdString(Listener::joined(words));
}

Hearing unsureAtTheEdge()
{
    Hearing hearing;
    hearing.unsure_samples = samplesFromMs(60);  // what is nearer to the end than the threshold
    hearing.wrong_probability = 0.6;
    hearing.inserted_probability = 0.3;
    return hearing;
}

}  // namespace

class TestAlignAtt : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void aTokenThatAttendsTooNearTheEndIsHeldBack()
    {
        // Words at 0-400, 400-800, 800-1200 ms, of four letters: two tokens each, attended at a quarter and three quarters.
        const Script script = spoken("some more word", 0, samplesFromMs(400), 0);
        AlignAttOptions options;
        options.last_word_guard_samples = 0;
        for (const auto &[heard_ms, expected] :
             std::vector<std::pair<int, QString>>{{300, ""}, {380, ""}, {381, "some"}, {760, "some"}, {781, "some more"}, {1300, "some more word"}}) {
            Policy test(script, {}, options);
            const PolicyUpdate update = test.stepMs(heard_ms);
            QCOMPARE(said(update.committed), expected);
            const QString all = (said(update.committed) + " " + said(update.tail)).trimmed();
            QVERIFY2(QString("some more word").startsWith(all) && !all.isEmpty(), qPrintable(all));  // the held ones are the tail
        }
    }

    void aWiderThresholdHoldsMoreBack()
    {
        const Script script = spoken("some more word", 0, samplesFromMs(400), 0);
        AlignAttOptions options;
        options.frame_threshold_samples = samplesFromMs(600);
        Policy test(script, {}, options);
        const PolicyUpdate update = test.stepMs(1200);
        QCOMPARE(said(update.committed), "some");
        QCOMPARE(said(update.tail), "more word");
    }

    void theLastWordWaitsBecauseItMayBeHalfSpoken()
    {
        const Script script = spoken("ask what you", 0, samplesFromMs(300), samplesFromMs(20));
        Policy test(script);
        PolicyUpdate update = test.stepMs(1150);  // 210 ms after the last word
        QCOMPARE(said(update.committed), "ask what");
        QCOMPARE(said(update.tail), "you");
        update = test.stepMs(600);  // a pause shows that it was whole
        QCOMPARE(said(update.committed), "you");
    }

    void atTheEndOfTheUtteranceNothingIsHeldBack()
    {
        const Script script = spoken("ask what you can do");
        const Sample until = script.back().end_sample;
        Policy test(script);
        const Listener listener = hearAll(*test.policy, 0, until);
        QCOMPARE(QString::fromStdString(listener.text()), "ask what you can do");
        QVERIFY(listener.tail.empty());
    }

    void committedTokensAreForcedAndNotDecodedAgain()
    {
        const Script script = spoken("ask what you can do for your country and for the rest of it");
        Policy test(script);
        Listener listener;
        Sample heard = 0;
        int steps = 0;
        while (heard < script.back().end_sample + samplesFromSeconds(1)) {
            const PolicyUpdate update = test.stepMs(500);
            heard += samplesFromMs(500);
            steps += update.decoder_steps;
            QVERIFY(update.decoder_steps <= 10);  // a step's worth of new tokens, however long the window
            listener.take(update, 0, heard);
        }
        QVERIFY(steps > 20);
        listener.take(test.policy->endUtterance(), 0, heard);
        QCOMPARE(QString::fromStdString(listener.text()), QString::fromStdString(joined(script)));
    }

    void wordsStandWhereTheirTokensAttend()
    {
        const Script script = spoken("ask  what   you can do");
        Policy test(script);
        const Listener listener = hearAll(*test.policy, 0, script.back().end_sample + samplesFromSeconds(1));
        QCOMPARE(listener.committed.size(), script.size());
        for (std::size_t i = 0; i < script.size(); ++i) {
            const text::Word &word = listener.committed[i];
            QVERIFY(word.start_sample >= script[i].start_sample && word.start_sample <= script[i].start_sample + samplesFromMs(160));
            QVERIFY(word.end_sample > word.start_sample && word.end_sample <= script[i].end_sample + samplesFromMs(200));
            QCOMPARE(word.time_method, text::WordTimeMethod::CrossAttention);
            QCOMPARE(word.probability, 0.5f);
            QVERIFY(!word.tokens.empty());
        }
    }

    void attentionThatJumpsFarBackStopsDecoding()
    {
        // The second half of the talk claims to be heard at its beginning.
        class LostDecoder final : public StepDecoder {
          public:
            void setSound(std::span<const float> sound, Sample) override { m_frames = static_cast<int>(sound.size() / 320); }
            void begin(std::string_view, std::span<const std::int32_t> forced) override { m_at = static_cast<int>(forced.size()); }
            DecodedStep next() override
            {
                DecodedStep step;
                step.attention.assign(static_cast<std::size_t>(m_frames), 0.0f);
                step.attention[m_at < 5 ? static_cast<std::size_t>(100 + 50 * m_at) : std::size_t{5}] = 1;
                step.token = {m_at, " word" + std::to_string(m_at), 0.5f, {}};
                step.is_end = m_at == 12;
                return step;
            }
            void accept(std::int32_t) override { ++m_at; }
            void retract(int count) override { m_at -= count; }
            int frames() const override { return m_frames; }
            Sample frameSamples() const override { return 320; }
            Sample maximumSamples() const override { return samplesFromSeconds(30); }
            std::vector<text::Word> words(std::span<const text::Token> tokens) const override
            {
                std::vector<text::Word> words;
                for (const text::Token &token : tokens) {
                    words.emplace_back();
                    words.back().text = token.text.substr(1);
                    words.back().tokens = {token};
                }
                return words;
            }
            std::string textOf(std::span<const std::int32_t>) const override { return {}; }

          private:
            int m_at = 0;
            int m_frames = 0;
        };
        AlignAttPolicy policy(std::make_unique<LostDecoder>());
        policy.beginUtterance(0);
        policy.addSound(std::vector<float>(static_cast<std::size_t>(samplesFromSeconds(10)), 0.0f));
        const PolicyUpdate update = policy.step();
        QCOMPARE(said(update.committed), "word0 word1 word2 word3 word4");
        QVERIFY(update.tail.empty());
    }

    void attentionStuckAtTheEndOrAtTheStartLosesNothing()
    {
        const Script script = spoken("ask what you can do for your country");
        for (const bool at_the_start : {true, false}) {
            Policy test(script);
            test.decoder->attended_override = at_the_start ? 0 : samplesFromSeconds(100);
            const Listener listener = hearAll(*test.policy, 0, script.back().end_sample + samplesFromMs(300));
            QVERIFY2(listener.broken_promise.empty(), listener.broken_promise.c_str());
            QCOMPARE(QString::fromStdString(listener.text()), QString::fromStdString(joined(script)));
        }
    }

    void silenceGivesNoTextAndNoGrowth()
    {
        Policy test(Script{});
        for (int i = 0; i < 100; ++i) {
            const PolicyUpdate update = test.stepMs(1000);
            QVERIFY(update.committed.empty() && update.tail.empty());
            QVERIFY(test.policy->windowSamples() <= samplesFromSeconds(21));
        }
        QVERIFY(test.policy->endUtterance().committed.empty());
    }

    void theOldestSoundGoesWithItsTokensAndItsTextBecomesThePrompt()
    {
        std::mt19937 random(4);
        const Script script = randomTalk(random, 100, samplesFromMs(300));
        AlignAttOptions options;
        options.window_limit_samples = samplesFromSeconds(8);
        options.window_keep_samples = samplesFromSeconds(4);
        Policy test(script, {}, options);
        const Listener listener = hearAll(*test.policy, 0, script.back().end_sample + samplesFromSeconds(1));
        QVERIFY2(difference(script, listener.committed).empty(), difference(script, listener.committed).c_str());
        QVERIFY(test.decoder->longest_sound <= samplesFromSeconds(8.5));
        const std::string &prompt = test.decoder->prompts.back();
        QVERIFY(!prompt.empty() && prompt.size() <= 200);
        QVERIFY(joined(script).find(prompt) != std::string::npos);
    }

    void whenNothingSettlesTheOldestPartSettlesAsItStands()
    {
        std::mt19937 random(6);
        const Script script = randomTalk(random, 150, samplesFromMs(300));
        AlignAttOptions options;
        options.frame_threshold_samples = samplesFromSeconds(1000);  // everything is too near the end
        options.window_limit_samples = samplesFromSeconds(8);
        options.window_keep_samples = samplesFromSeconds(4);
        Policy test(script, {}, options);
        const Listener listener = hearAll(*test.policy, 0, script.back().end_sample + samplesFromSeconds(1));
        QVERIFY2(listener.broken_promise.empty(), listener.broken_promise.c_str());
        QVERIFY2(difference(script, listener.committed).empty(), difference(script, listener.committed).c_str());
        QVERIFY(test.decoder->longest_sound <= samplesFromSeconds(9));
    }

    void aMachineFarBehindTakesFullWindowsAndLosesNothing()
    {
        std::mt19937 random(8);
        for (unsigned round = 0; round < 20; ++round) {
            const Script script = randomTalk(random, 200, samplesFromMs(100));
            Policy test(script, {}, {}, samplesFromSeconds(10), round);
            const Listener listener = hearAll(*test.policy, 0, script.back().end_sample + samplesFromSeconds(1), samplesFromSeconds(45));
            QVERIFY2(listener.broken_promise.empty(), listener.broken_promise.c_str());
            QVERIFY2(difference(script, listener.committed).empty(), difference(script, listener.committed).c_str());
            QVERIFY(test.decoder->longest_sound <= samplesFromSeconds(10));
        }
    }

    void everythingSaidIsCommittedOnceAndNeverChanged()
    {
        std::mt19937 random(17);
        for (unsigned round = 0; round < 200; ++round) {
            AlignAttOptions options;
            options.window_limit_samples = samplesFromSeconds(5 + random() % 14);
            options.window_keep_samples = samplesFromSeconds(3 + random() % 4);
            options.step_samples = samplesFromMs(200 + random() % 1500);
            const Sample start = samplesFromSeconds(static_cast<double>(random() % 10000));
            const Script script = randomTalk(random, 1 + random() % 120, start + samplesFromMs(300), 12);
            Policy test(script, unsureAtTheEdge(), options, samplesFromSeconds(30), round);
            const Listener listener = hearAll(*test.policy, start, script.back().end_sample + samplesFromMs(1000));
            QVERIFY2(listener.broken_promise.empty(), listener.broken_promise.c_str());
            QVERIFY2(difference(script, listener.committed).empty(), difference(script, listener.committed).c_str());
        }
    }

    void theWindowStaysBoundedForHours()
    {
        std::mt19937 random(10);
        const Script script = randomTalk(random, 2 * 3600 * 2, 0, 12);
        AlignAttOptions options;
        options.step_samples = samplesFromMs(1300);
        Policy test(script, unsureAtTheEdge(), options);
        const Listener listener = hearAll(*test.policy, 0, script.back().end_sample + samplesFromSeconds(1));
        QVERIFY(test.decoder->longest_sound <= samplesFromSeconds(22));
        QVERIFY2(listener.broken_promise.empty(), listener.broken_promise.c_str());
        QVERIFY2(difference(script, listener.committed).empty(), difference(script, listener.committed).c_str());
    }

    void theAttentionShownBelongsToTheWordsShown()
    {
        Policy test(spoken("ask what"));
        const PolicyUpdate update = test.stepMs(1500);
        QVERIFY(update.attention != nullptr);
        QCOMPARE(update.attention->rows, 4);  // " as" "k", " wh" "at"
        QCOMPARE(update.attention->row_labels.size(), std::size_t{4});
        QCOMPARE(update.attention->columns, 75);
        QCOMPARE(update.attention->weights.size(), std::size_t{4 * 75});
        QCOMPARE(update.attention->column_samples, Sample{320});
    }

    void aStepWithoutNewSoundCostsNothing()
    {
        Policy test(spoken("ask what you"));
        const PolicyUpdate first = test.stepMs(1400);
        const int encodings = test.decoder->encodings;
        const PolicyUpdate second = test.policy->step();
        QVERIFY(second.committed.empty());
        QCOMPARE(said(second.tail), said(first.tail));
        QCOMPARE(test.decoder->encodings, encodings);
    }
};

QTEST_GUILESS_MAIN(TestAlignAtt)
#include "tst_align_att.moc"
