// Noise that is taken for speech is not written; speech is, however softly it begins.
#include <QtTest>

#include <functional>

#include "core/captions/streaming_policy.h"
#include "tests/core/captions/scripted_streaming.h"

using namespace braid;
using namespace braid::captions;
using namespace braid::test;

namespace {

constexpr float kSure = -0.1f, kBetween = -0.98f, kUnsure = -1.4f;  // log-probabilities: 90, 38 and 25 %

std::vector<RowToken> said(const std::vector<float> &log_probabilities)
{
    std::vector<RowToken> text;
    for (const float log_probability : log_probabilities) {
        text.push_back({7, 0, log_probability, 30, nullptr});
    }
    return text;
}

// Hears a talk chunk by chunk; `change` is called before every step.
struct Hearer {
    Script script;
    ScriptedStreamingRecognizer *model = nullptr;
    std::unique_ptr<StreamingPolicy> policy;
    Sample heard = 0;
    bool has_shown = false;  // any word, settled or not, or what one attended to

    explicit Hearer(Script words, StreamingHearing hearing, StreamingOptions options = {})
        : script(std::move(words))
    {
        auto owned = std::make_unique<ScriptedStreamingRecognizer>(script, hearing);
        model = owned.get();
        policy = std::make_unique<StreamingPolicy>(std::move(owned), options);
    }
    std::vector<text::Word> hearAll(const std::function<void(Sample)> &change = [](Sample) {})
    {
        std::vector<text::Word> committed;
        const auto take = [&](const PolicyUpdate &update) {
            committed.insert(committed.end(), update.committed.begin(), update.committed.end());
            has_shown = has_shown || !update.tail.empty() || !update.committed.empty() || update.attention != nullptr;
        };
        policy->beginUtterance(heard);
        for (const Sample until = script.back().end_sample + samplesFromMs(700); heard < until;) {
            const Sample step = std::min(policy->stepSamples(), until - heard);
            policy->addSound(soundOf(script, heard, heard + step));
            heard += step;
            change(heard);
            take(policy->step());
        }
        take(policy->endUtterance());
        return committed;
    }
};

StreamingHearing sureBy(float log_probability, float silence = -20)
{
    StreamingHearing hearing;
    hearing.log_probability = log_probability;
    hearing.silence_log_probability = silence;
    return hearing;
}

const std::string kTalk = "ask not what your country can do for you ask what you can do for your country";

}  // namespace

class TestDoubtGuard : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void doubtIsTheMeanOfAllThatIsSaid()
    {
        const DoubtOptions options;
        QVERIFY(!isDoubtful({}, 1, options));
        QVERIFY(!isDoubtful(said({kSure, kSure}), 0, options));
        QVERIFY(isDoubtful(said({kUnsure, kUnsure}), 0, options));
        QVERIFY(!isDoubtful(said({kUnsure, kSure}), 0, options));
        // Nearer to silence more is asked for.
        QVERIFY(!isDoubtful(said({kBetween}), 0.01f, options));
        QVERIFY(isDoubtful(said({kBetween}), 0.03f, options));
        QVERIFY(!isDoubtful(said({kSure}), 0.9f, options));
        // Forced tokens were never looked at.
        std::vector<RowToken> forced = said({kUnsure});
        forced.push_back({7, 0, 0, 0, nullptr});
        QVERIFY(isDoubtful(forced, 0, options));
        QVERIFY(!isDoubtful(said({-9}), 1, {.least_probability = 0}));
        // So many candidates that a token of that probability cannot be missed.
        QCOMPARE(candidatesForSilence(options), 50);
    }

    void noiseIsNeitherShownNorWritten_data()
    {
        QTest::addColumn<float>("log_probability");
        QTest::addColumn<float>("silence");
        QTest::newRow("sure of nothing") << kUnsure << -20.0f;
        QTest::newRow("hardly surer than of silence") << kBetween << -2.0f;
    }
    void noiseIsNeitherShownNorWritten()
    {
        QFETCH(float, log_probability);
        QFETCH(float, silence);
        Hearer hearer(spoken(kTalk), sureBy(log_probability, silence));
        QVERIFY(hearer.hearAll().empty());
        QVERIFY(!hearer.has_shown);
    }

    void hoursOfNoiseGoWindowAfterWindow()
    {
        Script script;
        for (Sample at = 0; at < samplesFromSeconds(120); at += samplesFromMs(400)) {
            script.push_back({"woof", at, at + samplesFromMs(300)});
        }
        Hearer hearer(script, sureBy(kUnsure));
        QVERIFY(hearer.hearAll().empty());
        QVERIFY(hearer.policy->windowSamples() < samplesFromSeconds(31));
    }

    void speechIsWhole_data()
    {
        QTest::addColumn<float>("at_first");
        QTest::addColumn<float>("later");
        QTest::addColumn<float>("silence");
        QTest::newRow("sure") << kSure << kSure << -20.0f;
        QTest::newRow("sure, though silence was probable") << kSure << kSure << -1.0f;
        QTest::newRow("sure only in the end") << kUnsure << kSure << -20.0f;
        QTest::newRow("sure only in the beginning") << kSure << -3.0f << -20.0f;
    }
    void speechIsWhole()
    {
        QFETCH(float, at_first);
        QFETCH(float, later);
        QFETCH(float, silence);
        Hearer hearer(spoken(kTalk), sureBy(at_first, silence));
        const auto committed = hearer.hearAll([&](Sample heard) { hearer.model->hearing.log_probability = heard < samplesFromMs(2500) ? at_first : later; });
        QCOMPARE(difference(hearer.script, committed), std::string());
    }

    void publishedRulesSayWhatWasPublished()
    {
        StreamingOptions options;
        options.stability = StabilityRule::Paper;
        Hearer hearer(spoken(kTalk), sureBy(kUnsure), options);
        QCOMPARE(difference(hearer.script, hearer.hearAll()), std::string());
    }
};

QTEST_APPLESS_MAIN(TestDoubtGuard)
#include "tst_doubt_guard.moc"
