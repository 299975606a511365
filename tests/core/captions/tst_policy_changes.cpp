// A policy is adjusted and replaced while its run goes on: at once, between two steps, without losing a sample or a word. Runs under
// the thread sanitizer.
#include <QTemporaryDir>
#include <QtTest>

#include "core/captions/caption_journal.h"
#include "tests/support/engine_runs.h"

using namespace braid;
using namespace braid::captions;
using namespace braid::runtime;
using namespace braid::testing;
namespace script = braid::audio::script;

namespace {

// Says "a0 a1 ..." for every half second, and knows how large each of its steps was.
class Adjustable final : public HalfSecondWords {
  public:
    explicit Adjustable(std::shared_ptr<PolicyLog> log)
        : HalfSecondWords(log)
        , m_log(std::move(log))
    {
    }
    [[nodiscard]] std::string name() const override { return "adjustable"; }
    [[nodiscard]] Sample stepSamples() const override { return m_step; }
    void adjust(const captions::PolicySettings &settings) override
    {
        m_step = settings.step_ms > 0 ? samplesFromMs(settings.step_ms) : m_step;
        m_look_back = settings.look_back_tokens >= 0 ? settings.look_back_tokens : m_look_back;
    }
    [[nodiscard]] captions::PolicyUpdate step() override
    {
        auto update = HalfSecondWords::step();
        auto encoder = std::make_shared<captions::EncoderState>();
        encoder->block_ends = {15, 30};
        encoder->encode_ms = static_cast<double>(m_look_back);
        update.encoder = encoder;
        return update;
    }

  private:
    std::shared_ptr<PolicyLog> m_log;
    Sample m_step = samplesFromMs(300);
    int m_look_back = 2;
};

PolicyFactory making(const std::shared_ptr<PolicyLog> &log)
{
    return [log](const auto &, std::stop_token) { return std::make_unique<Adjustable>(log); };
}

template <typename Condition>
bool eventually(Condition condition)
{
    return QTest::qWaitFor(condition, 15000);
}

// The policy has heard all that came before the hold: what still waits in the feed would be another policy's, which leaves a tail of its own.
bool hasHeardAll(const PolicyLog &log)
{
    return eventually([&] {
        const int steps = log.steps;
        QTest::qWait(300);
        return steps == log.steps;
    });
}

// A live run that holds in the middle of an utterance of `seconds` + `seconds`.
struct HeldRun {
    explicit HeldRun(double seconds)
    {
        auto made = std::make_unique<audio::ScriptedSource>(
            std::vector<audio::ScriptStep>{script::Sound{speech(seconds)}, script::Hold{}, script::Sound{speech(seconds, 2)}, script::Silence{32000}},
            audio::SourceDescription{"script", "", audio::Pace::Fast, 0});
        source = made.get();
        run = runOver({}, audio::Pace::Fast);
        run.open_source = [held = std::make_shared<std::unique_ptr<audio::Source>>(std::move(made))] { return std::move(*held); };
    }
    audio::ScriptedSource *source = nullptr;
    CaptionRun run;
};

std::vector<text::Word> wordsOf(const text::Transcript &items)
{
    std::vector<text::Word> words;
    for (const auto &item : items) {
        if (const auto *word = std::get_if<text::Word>(&item)) {
            words.push_back(*word);
        }
    }
    return words;
}

// Every half second from the first word's start on has exactly one word; nothing overlaps.
void verifyContiguous(const std::vector<text::Word> &words, Sample until)
{
    QVERIFY(!words.empty());
    for (std::size_t index = 1; index < words.size(); ++index) {
        QCOMPARE(words[index].start_sample, words[index - 1].end_sample);
    }
    QVERIFY(words.back().end_sample >= until);
}

}  // namespace

class PolicyChangesTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void settingsHoldFromTheNextStep()
    {
        HeldRun held(3);
        const auto log = std::make_shared<PolicyLog>();
        held.run.make_policy = making(log);
        CaptionEngine engine;
        engine.start(std::move(held.run));
        QVERIFY(eventually([&] { return log->steps >= 8; }));
        QCOMPARE(log->longest_step_samples.load(), samplesFromMs(300));
        engine.adjust({900, 0, -1});
        engine.adjust({0, 0, 0});  // adds to the wish before; a look-back of nothing is a choice
        held.source->release();
        QVERIFY(finishedRun(engine));
        QCOMPARE(log->longest_step_samples.load(), samplesFromMs(900));
        const auto snapshot = engine.snapshot();
        QVERIFY(snapshot->encoder != nullptr);
        QCOMPARE(snapshot->encoder->block_ends.size(), std::size_t(2));
        QCOMPARE(snapshot->encoder->encode_ms, 0.0);
        QCOMPARE(snapshot->steps->back().chunk_samples <= samplesFromMs(900), true);
        Sample sum = 0;
        for (const auto &step : *snapshot->steps) {
            sum += step.chunk_samples;
        }
        QCOMPARE(sum, log->heard_samples.load());
        QCOMPARE(static_cast<std::int64_t>(snapshot->steps->size()), snapshot->statistics.steps);
    }
    void anotherPolicyGoesOnWithTheNextSound()
    {
        const QTemporaryDir folder;
        HeldRun held(2.7);
        const auto before = std::make_shared<PolicyLog>();
        const auto after = std::make_shared<PolicyLog>();
        held.run.make_policy = [before](const auto &, std::stop_token) { return std::make_unique<HalfSecondWords>(before); };
        held.run.journal_folder = folder.path().toStdString();
        CaptionEngine engine;
        engine.start(std::move(held.run));
        QVERIFY(eventually([&] { return held.source->holding() && before->steps >= 7; }));
        QVERIFY(hasHeardAll(*before));
        QCOMPARE(engine.snapshot()->policy, std::string("half-second-words"));
        engine.changePolicy(making(after));
        // What the old one had heard is committed at once, its unsettled words too.
        QVERIFY(eventually([&] {
            const auto now = engine.snapshot();
            return now->policy == "adjustable" && now->tail.empty();
        }));
        const Sample heard_before = before->heard_samples;
        held.source->release();
        const auto result = finishedRun(engine);
        QVERIFY(result);
        QCOMPARE(before->heard_samples.load(), heard_before);
        // 5.4 s of speech, then what voice activity lets hang over.
        QVERIFY(before->heard_samples + after->heard_samples >= samplesFromSeconds(5.4));
        const auto words = wordsOf(result->items());
        verifyContiguous(words, samplesFromSeconds(5.4));
        QCOMPARE(words.front().start_sample, 0);
        // One line: the sentence goes on.
        QCOMPARE(result->text().find(" / w"), std::string::npos);
        QCOMPARE(result->all<Started>().size(), std::size_t(1));
        const auto journal = readCaptionsJournal(engine.journalFolder());
        QCOMPARE(wordsOf(journal.transcript).size(), words.size());
        QCOMPARE(journal.info.policy, std::string("half-second-words, then adjustable"));
        QCOMPARE(journal.sound_samples, engine.snapshot()->statistics.heard_samples);
    }
    void aPolicyThatCannotBeMadeChangesNothing()
    {
        HeldRun held(2.7);
        const auto log = std::make_shared<PolicyLog>();
        held.run.make_policy = making(log);
        CaptionEngine engine;
        engine.start(std::move(held.run));
        QVERIFY(eventually([&] { return held.source->holding() && log->steps >= 7; }));
        engine.changePolicy([](const auto &, std::stop_token) -> std::unique_ptr<captions::CaptionPolicy> {
            throw Error(ErrorKind::Model, "this model was not trained to stream");
        });
        RunResult seen;
        QVERIFY(eventually([&] {
            for (auto &event : engine.takeEvents()) {
                seen.events.push_back(std::move(event));
            }
            return !seen.all<Notice>().empty();
        }));
        QVERIFY(seen.all<Notice>().at(0).sentence.find("this model was not trained to stream") != std::string::npos);
        QCOMPARE(engine.snapshot()->state, RunState::Listening);
        held.source->release();
        const auto rest = finishedRun(engine);
        QVERIFY(rest);
        auto items = seen.items();
        const auto more = rest->items();
        items.insert(items.end(), more.begin(), more.end());
        verifyContiguous(wordsOf(items), samplesFromSeconds(5.4));
        QCOMPARE(log->utterances.load(), 1);
    }
    void wishesWaitForTheFirstPolicy()
    {
        HeldRun held(1.2);
        const auto first = std::make_shared<PolicyLog>();
        const auto second = std::make_shared<PolicyLog>();
        std::atomic<bool> load = false;
        held.run.make_policy = [&load, first](const auto &, std::stop_token) {
            while (!load) {
                std::this_thread::sleep_for(std::chrono::milliseconds(2));
            }
            return std::make_unique<Adjustable>(first);
        };
        CaptionEngine engine;
        engine.start(std::move(held.run));
        engine.adjust({700, 0, -1});  // for the first one, which never hears anything
        engine.changePolicy(making(second));
        engine.adjust({500, 0, -1});
        load = true;
        held.source->release();
        QVERIFY(finishedRun(engine));
        QCOMPARE(first->heard_samples.load(), 0);
        QCOMPARE(second->longest_step_samples.load(), samplesFromMs(500));
    }
    void nothingIsLostHoweverOftenItChanges()
    {
        const auto log = std::make_shared<PolicyLog>();
        std::atomic<bool> stop = false;
        std::atomic<Sample> given = 0;
        const auto sound = speech(40);
        auto run = runOver(
            [&] {
                return std::make_unique<FunctionSource>(
                    audio::SourceDescription{"function", "", audio::Pace::Live, 0},
                    [&](std::span<float> out, std::chrono::milliseconds) -> audio::ReadResult {
                        if (stop || given + 1600 > static_cast<Sample>(sound.size())) {
                            return {audio::ReadState::End, 0, 0, {}};
                        }
                        std::this_thread::sleep_for(std::chrono::milliseconds(2));
                        std::copy_n(sound.begin() + given, 1600, out.begin());
                        given += 1600;
                        return {audio::ReadState::Sound, 1600, 0, {}};
                    },
                    [&] { stop = true; });
            },
            [log] { return std::make_unique<Adjustable>(log); });
        CaptionEngine engine;
        engine.start(std::move(run));
        int changes = 0;
        while (!stop && given + 1600 <= static_cast<Sample>(sound.size())) {
            engine.adjust({100 + 100 * (changes % 7), 1 + changes % 10, changes % 9});
            if (++changes % 3 == 0) {
                engine.changePolicy(making(log));
            }
            static_cast<void>(engine.snapshot());
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        const auto result = finishedRun(engine);
        QVERIFY(result);
        QVERIFY(changes > 5);
        QCOMPARE(log->heard_samples.load(), given.load());
        verifyContiguous(wordsOf(result->items()), given.load() - samplesFromMs(1));
        QVERIFY(log->utterances > 1);
    }
    void withoutARunWishesAreIgnored()
    {
        CaptionEngine engine;
        engine.adjust({300, 5, 2});
        engine.changePolicy(making(std::make_shared<PolicyLog>()));
        QVERIFY(engine.snapshot()->encoder == nullptr);
        QVERIFY(engine.snapshot()->steps->empty());
    }
};

QTEST_GUILESS_MAIN(PolicyChangesTest)
#include "tst_policy_changes.moc"
