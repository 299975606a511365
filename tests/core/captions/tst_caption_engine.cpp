// A run of the engine: order of events, nothing lost, stop drains, cancel does not, generations, back-pressure, faults of source
// and model. Runs under the thread sanitizer.
#include <QTemporaryDir>
#include <QtTest>

#include "core/captions/caption_journal.h"
#include "core/runtime/done_flag.h"
#include "tests/support/engine_runs.h"

using namespace braid;
using namespace braid::captions;
using namespace braid::runtime;
using namespace braid::testing;
namespace script = braid::audio::script;

namespace {

audio::SourceDescription described(audio::Pace pace)
{
    return {"function", "", pace, 0};
}

std::vector<audio::ScriptStep> twoUtterances()
{
    return {script::Silence{8000}, script::Sound{speech(2.2)}, script::Silence{48000}, script::Sound{speech(1.4, 2)}, script::Silence{16000}};
}

template <typename Condition>
bool eventually(Condition condition, int ms = 15000)
{
    return QTest::qWaitFor(condition, ms);
}

}  // namespace

class CaptionEngineTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void correctionsOfARunThatGoesOnAreKept()
    {
        const QTemporaryDir parent;
        CaptionEngine engine;
        CaptionRun run = runOver(twoUtterances());
        run.journal_folder = parent.path().toStdString();
        static_cast<void>(engine.start(std::move(run)));
        std::vector<text::WordCorrection> made;
        QVERIFY(eventually([&] {
            for (const CaptionEvent &event : engine.takeEvents()) {
                const auto *committed = std::get_if<Committed>(&event.body);
                const auto *said = committed == nullptr || committed->items.empty() ? nullptr : std::get_if<text::Word>(&committed->items.front());
                if (said != nullptr && made.empty()) {
                    made = {{0, said->text, "by hand"}};
                }
            }
            return !made.empty();
        }));
        const bool taken = engine.keepCorrections(made);
        QVERIFY(engine.waitUntilFinished(20));
        if (!taken) {
            keepCorrections(engine.journalFolder(), made);  // it was over before
        }
        const RecoveredCaptions kept = readCaptionsJournal(engine.journalFolder());
        const auto &word = std::get<text::Word>(kept.transcript.front());
        QVERIFY(word.text == "by hand" && word.heard == made.front().heard);
        QVERIFY(!engine.keepCorrections(made));  // its run is over
    }
    void aRunBeginsWithStartedAndEndsWithFinished()
    {
        CaptionEngine engine;
        QCOMPARE(engine.snapshot()->state, RunState::Idle);
        const auto generation = engine.start(runOver(twoUtterances()));
        const auto result = finishedRun(engine);
        QVERIFY(result);
        QVERIFY(result->kinds().starts_with("started committed"));
        QVERIFY(result->kinds().ends_with("committed finished"));
        for (const auto &event : result->events) {
            QCOMPARE(event.generation, generation);
        }
        const auto started = result->all<Started>().at(0);
        QCOMPARE(started.source, std::string("script"));
        QCOMPARE(started.model, std::string("fake"));
        QCOMPARE(started.policy, std::string("half-second-words"));
        const auto statistics = result->all<Finished>().at(0).statistics;
        QCOMPARE(statistics.heard_samples, samplesFromSeconds(0.5 + 2.2 + 3 + 1.4 + 1));
        QCOMPARE(statistics.decoded_samples, statistics.heard_samples);
        QVERIFY(statistics.steps > 5);
        QVERIFY(statistics.committed_words >= 9);
        QCOMPARE(engine.snapshot()->state, RunState::Finished);
        QVERIFY(engine.snapshot()->tail.empty());
    }

    void theSameSoundInOtherPiecesGivesTheSameEvents()
    {
        // Short enough that a real-time source that gives it all at once is not yet called too slow a machine.
        const std::vector<audio::ScriptStep> script = {script::Silence{8000}, script::Sound{speech(1.7)}, script::Silence{24000}, script::Sound{speech(0.9, 2)},
                                                       script::Silence{3000}};
        const auto play = [&script](std::size_t most_per_read, audio::Pace pace) {
            CaptionEngine engine;
            auto run = runOver(script, pace, most_per_read);
            run.tail_reporting = TailReporting::EveryChange;
            engine.start(std::move(run));
            const auto result = finishedRun(engine);
            std::string text;
            for (const auto &event : result ? result->events : std::vector<CaptionEvent>()) {
                if (const auto *committed = std::get_if<Committed>(&event.body)) {
                    text += RunResult::textOf(committed->items) + "\n";
                } else if (const auto *tail = std::get_if<Tail>(&event.body)) {
                    text += "~" + RunResult::textOf({tail->words.begin(), tail->words.end()}) + "\n";
                }
            }
            return text;
        };
        const auto whole = play(8000, audio::Pace::Fast);
        QVERIFY(whole.size() > 100);
        QVERIFY(whole.find('~') != std::string::npos);
        for (const std::size_t pieces : {160, 377, 1600, 7999}) {
            QCOMPARE(play(pieces, audio::Pace::Fast), whole);
        }
        QCOMPARE(play(1000, audio::Pace::Realtime), whole);
    }

    void longPausesBreakLinesAndSilenceGivesNoText()
    {
        CaptionEngine engine;
        engine.start(runOver(twoUtterances()));
        const auto result = finishedRun(engine);
        QVERIFY(result);
        QCOMPARE(result->text().find(" / "), result->text().rfind(" / "));
        QVERIFY(result->text().find(" / ") != std::string::npos);
        const auto log = std::make_shared<PolicyLog>();
        engine.start(runOver(
            [] {
                return std::make_unique<audio::ScriptedSource>(std::vector<audio::ScriptStep>{script::Silence{samplesFromSeconds(60)}},
                                                               described(audio::Pace::Fast));
            },
            [log] { return std::make_unique<HalfSecondWords>(log); }));
        const auto silent = finishedRun(engine);
        QVERIFY(silent);
        QCOMPARE(silent->kinds(), std::string("started finished"));
        QCOMPARE(log->heard_samples.load(), 0);
    }

    void nothingSaidWhileTheModelLoadsIsLost()
    {
        CaptionEngine engine;
        runtime::DoneFlag loaded;
        auto run = runOver(twoUtterances(), audio::Pace::Live);
        run.make_policy = [&](const auto &progress, std::stop_token) {
            progress(0.25, "weights");
            loaded.wait();
            return std::make_unique<HalfSecondWords>();
        };
        engine.start(std::move(run));
        QVERIFY(eventually([&] { return engine.snapshot()->statistics.heard_samples == samplesFromSeconds(8.1); }));
        QCOMPARE(engine.snapshot()->state, RunState::Loading);
        QCOMPARE(engine.snapshot()->activity, std::string("loading fake: weights (25 %)"));
        QCOMPARE(engine.snapshot()->loading_fraction, 0.25);
        QVERIFY(engine.takeEvents().empty());
        loaded.set();
        const auto result = finishedRun(engine);
        QVERIFY(result);
        engine.start(runOver(twoUtterances()));
        const auto reference = finishedRun(engine);
        QVERIFY(reference);
        QCOMPARE(result->text(), reference->text());
    }

    void stopDrainsWhatWasHeard()
    {
        CaptionEngine engine;
        runtime::DoneFlag go_on;
        std::atomic<bool> in_step = false;
        std::atomic<int> reads = 0;
        std::atomic<bool> stopped = false;
        auto sound = std::make_shared<std::vector<float>>(speech(60));
        engine.start(runOver(
            [&] {
                return std::make_unique<FunctionSource>(
                    described(audio::Pace::Live),
                    [&, sound](std::span<float> out, std::chrono::milliseconds) -> audio::ReadResult {
                        if (stopped || reads >= 40) {
                            std::this_thread::sleep_for(std::chrono::milliseconds(5));
                            return {stopped ? audio::ReadState::End : audio::ReadState::Nothing, 0, 0, {}};
                        }
                        std::copy_n(sound->begin() + 1600 * reads++, 1600, out.begin());
                        return {audio::ReadState::Sound, 1600, 0, {}};
                    },
                    [&] { stopped = true; });
            },
            [&] {
                return std::make_unique<DisturbedPolicy>(std::make_shared<PolicyLog>(), [&] {
                    in_step = true;
                    go_on.wait();
                });
            }));
        QVERIFY(eventually([&] { return in_step && reads == 40; }));
        engine.stop();  // does not wait: the model is in the middle of a step
        QVERIFY(eventually([&] { return stopped.load(); }));
        go_on.set();
        const auto result = finishedRun(engine);
        QVERIFY(result);
        QCOMPARE(result->all<Finished>().at(0).statistics.decoded_samples, samplesFromSeconds(4));
        QCOMPARE(result->all<Finished>().at(0).statistics.committed_words, 8);
    }

    void cancelEndsAtOnceAndKeepsWhatIsCommitted()
    {
        CaptionEngine engine;
        std::atomic<int> steps = 0;
        engine.start(runOver(
            [] { return std::make_unique<audio::ScriptedSource>(std::vector<audio::ScriptStep>{script::Sound{speech(120)}}, described(audio::Pace::Fast)); },
            [&] {
                return std::make_unique<DisturbedPolicy>(std::make_shared<PolicyLog>(), [&] {
                    if (++steps == 20) {
                        engine.cancel();
                    }
                });
            }));
        const auto result = finishedRun(engine);
        QVERIFY(result);
        QCOMPARE(steps.load(), 20);
        QCOMPARE(result->all<Finished>().at(0).statistics.committed_words, 11);
        QVERIFY(result->all<Failed>().empty());
    }

    void cancelEndsTheLoading()
    {
        CaptionEngine engine;
        auto run = runOver({script::Hold{}}, audio::Pace::Live);
        std::atomic<bool> loading = false;
        run.make_policy = [&](const auto &, std::stop_token stop) -> std::unique_ptr<captions::CaptionPolicy> {
            loading = true;
            while (!stop.stop_requested()) {
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
            throw Error(ErrorKind::Cancelled, "cancelled");
        };
        engine.start(std::move(run));
        QVERIFY(eventually([&] { return loading.load(); }));
        engine.cancel();
        const auto result = finishedRun(engine);
        QVERIFY(result);
        QCOMPARE(result->kinds(), std::string("finished"));
    }

    void aNewRunEndsTheOldOneAndWaitsForItsDevice()
    {
        CaptionEngine engine;
        std::atomic<int> open_sources = 0;
        std::atomic<int> most_open = 0;
        struct Counted final : audio::Source {
            Counted(std::atomic<int> &count, std::atomic<int> &most)
                : open(count)
            {
                most = std::max(most.load(), ++open);
            }
            ~Counted() override { --open; }
            void start() override {}
            audio::ReadResult read(std::span<float> out, std::chrono::milliseconds) override
            {
                std::this_thread::sleep_for(std::chrono::milliseconds(2));
                const auto sound = speech(0.1);
                std::copy(sound.begin(), sound.end(), out.begin());
                return {stopped ? audio::ReadState::End : audio::ReadState::Sound, sound.size(), 0, {}};
            }
            void stop() override { stopped = true; }
            audio::SourceDescription description() const override { return {"counted", "", audio::Pace::Live, 0}; }
            std::atomic<int> &open;
            std::atomic<bool> stopped = false;
        };
        std::uint64_t newest = 0;
        for (int i = 0; i < 5; ++i) {
            newest =
                engine.start(runOver([&] { return std::make_unique<Counted>(open_sources, most_open); }, [] { return std::make_unique<HalfSecondWords>(); }));
            QCOMPARE(newest, static_cast<std::uint64_t>(i + 1));
            if (i % 2 == 0) {
                QVERIFY(eventually([&] { return engine.snapshot()->statistics.committed_words > 0; }));
            }
        }
        QVERIFY(eventually([&] { return engine.snapshot()->statistics.committed_words > 0; }));
        QCOMPARE(engine.snapshot()->generation, newest);
        engine.stop();
        const auto result = finishedRun(engine);
        QVERIFY(result);
        QCOMPARE(most_open.load(), 1);
        // Every run has its end, and nothing of a run comes after it.
        std::uint64_t finished = 0;
        for (const auto &event : result->events) {
            QVERIFY(event.generation > finished);
            if (std::holds_alternative<Finished>(event.body)) {
                finished = event.generation;
            }
        }
        QCOMPARE(finished, newest);
    }

    void aFastSourceIsHeldBackByASlowModel()
    {
        CaptionEngine engine;
        std::atomic<Sample> read = 0;
        std::atomic<Sample> most_ahead = 0;
        const auto log = std::make_shared<PolicyLog>();
        auto run = runOver(
            [&] {
                return std::make_unique<FunctionSource>(described(audio::Pace::Fast),
                                                        [&](std::span<float> out, std::chrono::milliseconds) -> audio::ReadResult {
                                                            if (read >= samplesFromSeconds(40)) {
                                                                return {audio::ReadState::End, 0, 0, {}};
                                                            }
                                                            std::fill(out.begin(), out.end(), 0.5f);
                                                            read += static_cast<Sample>(out.size());
                                                            most_ahead = std::max(most_ahead.load(), read - log->heard_samples);
                                                            return {audio::ReadState::Sound, out.size(), 0, {}};
                                                        });
            },
            [log] { return std::make_unique<DisturbedPolicy>(log, [] { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }); });
        run.read_ahead_samples = samplesFromSeconds(2);
        engine.start(std::move(run));
        const auto result = finishedRun(engine);
        QVERIFY(result);
        QCOMPARE(log->heard_samples.load(), samplesFromSeconds(40));
        QVERIFY2(most_ahead <= samplesFromSeconds(4), qPrintable(QString::number(most_ahead.load())));
        QCOMPARE(log->longest_step_samples.load(), samplesFromMs(300));  // read ahead or not, a file is captioned step by step
    }

    void aLiveSourceIsNeverHeldBackAndTheModelCatchesUp()
    {
        CaptionEngine engine;
        const auto log = std::make_shared<PolicyLog>();
        runtime::DoneFlag all_heard;
        engine.start(runOver(
            [] { return std::make_unique<audio::ScriptedSource>(std::vector<audio::ScriptStep>{script::Sound{speech(60)}}, described(audio::Pace::Live)); },
            [&] { return std::make_unique<DisturbedPolicy>(log, [&] { all_heard.wait(); }); }));
        QVERIFY(eventually([&] { return engine.snapshot()->statistics.heard_samples == samplesFromSeconds(60) && log->steps == 1; }));
        QVERIFY(engine.snapshot()->statistics.compute_lag_ms > 50000);
        all_heard.set();
        const auto result = finishedRun(engine);
        QVERIFY(result);
        QCOMPARE(log->heard_samples.load(), samplesFromSeconds(60));
        QCOMPARE(result->all<Finished>().at(0).statistics.committed_words, 120);
        QVERIFY2(log->steps < 70, qPrintable(QString::number(log->steps.load())));  // 200 chunks of 0.3 s
    }

    void gapsAndNoticesReachTheTranscriptAndTheReader()
    {
        CaptionEngine engine;
        engine.start(runOver({script::Notice{"The microphone is slow."}, script::Sound{speech(1)}, script::Gap{16000, "The microphone was lost."},
                              script::Gap{16000, ""}, script::Notice{"The microphone is back."}, script::Sound{speech(1)}},
                             audio::Pace::Live));
        const auto result = finishedRun(engine);
        QVERIFY(result);
        QCOMPARE(result->all<Started>().size(), std::size_t{1});
        QCOMPARE(result->events.at(0).body.index(), CaptionEventBody(Started{}).index());
        std::vector<std::string> notices;
        for (const auto &notice : result->all<Notice>()) {
            notices.push_back(notice.sentence);
        }
        QCOMPARE(notices, (std::vector<std::string>{"The microphone is slow.", "The microphone was lost.", "The microphone is back."}));
        QVERIFY2(result->text().find("[The microphone was lost 2000]") != std::string::npos, result->text().c_str());
        QCOMPARE(result->all<Finished>().at(0).statistics.heard_samples, samplesFromSeconds(4));
        // The clock went on during the gap.
        const auto items = result->items();
        QVERIFY(std::get<text::Word>(items.back()).end_sample == samplesFromSeconds(4));
    }

    void troubleOfTheSourceComesAfterWhatWasHeardBeforeIt()
    {
        CaptionEngine engine;
        engine.start(runOver({script::Sound{speech(2)}, script::Fail{ErrorKind::Device, "the cable was cut"}}, audio::Pace::Live));
        const auto result = finishedRun(engine);
        QVERIFY(result);
        QVERIFY(result->kinds().ends_with("committed failed finished"));
        QCOMPARE(result->all<Finished>().at(0).statistics.committed_words, 4);
        QCOMPARE(result->all<Failed>().at(0).kind, ErrorKind::Device);
        QVERIFY2(result->all<Failed>().at(0).sentence.find("the cable was cut.") != std::string::npos, result->all<Failed>().at(0).sentence.c_str());
        QCOMPARE(engine.snapshot()->state, RunState::Failed);
    }

    void aSourceThatCannotBeOpenedEndsTheLoading()
    {
        CaptionEngine engine;
        auto run =
            runOver([]() -> std::unique_ptr<audio::Source> { throw Error(ErrorKind::Input, "there is no such file", "talk.mp4"); }, [] { return nullptr; });
        run.make_policy = [](const auto &, std::stop_token stop) -> std::unique_ptr<captions::CaptionPolicy> {
            while (!stop.stop_requested()) {
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
            throw Error(ErrorKind::Cancelled, "cancelled");
        };
        engine.start(std::move(run));
        const auto result = finishedRun(engine);
        QVERIFY(result);
        QCOMPARE(result->kinds(), std::string("failed finished"));
        QCOMPARE(result->all<Failed>().at(0).sentence, std::string("talk.mp4: there is no such file."));
    }

    void aModelThatCannotBeLoadedIsAFailedRun()
    {
        CaptionEngine engine;
        auto run = runOver({script::Hold{}}, audio::Pace::Live);
        run.make_policy = [](const auto &, std::stop_token) -> std::unique_ptr<captions::CaptionPolicy> {
            throw Error(ErrorKind::Model, "the header is cut short", "model.safetensors");
        };
        engine.start(std::move(run));
        const auto result = finishedRun(engine);
        QVERIFY(result);
        QCOMPARE(result->kinds(), std::string("failed finished"));
        QCOMPARE(result->all<Failed>().at(0).kind, ErrorKind::Model);
    }

    void aModelThatFailsInMidRunKeepsWhatIsCommitted()
    {
        CaptionEngine engine;
        std::atomic<int> steps = 0;
        engine.start(runOver(
            [] { return std::make_unique<audio::ScriptedSource>(std::vector<audio::ScriptStep>{script::Sound{speech(30)}}, described(audio::Pace::Fast)); },
            [&] {
                return std::make_unique<DisturbedPolicy>(std::make_shared<PolicyLog>(), [&] {
                    if (++steps == 20) {
                        throw std::runtime_error("shape mismatch");
                    }
                });
            }));
        const auto result = finishedRun(engine);
        QVERIFY(result);
        QCOMPARE(result->all<Failed>().at(0).kind, ErrorKind::Internal);
        QCOMPARE(result->all<Failed>().at(0).sentence, std::string("The model failed: shape mismatch"));
        QCOMPARE(result->items().size(), std::size_t{10});
        // The engine is not broken by it.
        engine.start(runOver(twoUtterances()));
        const auto next = finishedRun(engine);
        QVERIFY(next && next->all<Failed>().empty());
    }

    void aSourceThatNeverAnswersHoldsNobodyUp()
    {
        runtime::DoneFlag hanging;
        std::atomic<bool> returned = false;
        {
            CaptionEngine engine;
            auto run = runOver(
                [&] {
                    return std::make_unique<FunctionSource>(described(audio::Pace::Live),
                                                            [&, first = true](std::span<float> out, std::chrono::milliseconds) mutable -> audio::ReadResult {
                                                                if (std::exchange(first, false)) {
                                                                    std::fill(out.begin(), out.begin() + 1600, 0.5f);
                                                                    return {audio::ReadState::Sound, 1600, 0, {}};
                                                                }
                                                                hanging.wait();
                                                                returned = true;
                                                                return {audio::ReadState::End, 0, 0, {}};
                                                            });
                },
                [] { return std::make_unique<HalfSecondWords>(); });
            run.source_patience = std::chrono::milliseconds(200);
            engine.start(std::move(run));
            QVERIFY(eventually([&] { return engine.snapshot()->statistics.heard_samples == 1600; }));
            // "Is it even working?": no sound at all is said within a second or so.
            QVERIFY(eventually([&] { return engine.snapshot()->voice == VoiceState::NoSound; }));
            engine.stop();
            const auto result = finishedRun(engine, 10);
            QVERIFY(result);
            QCOMPARE(result->all<Notice>().size(), std::size_t{1});
            QVERIFY(!returned);
        }
        hanging.set();  // the thread left behind still ends in peace
        QVERIFY(eventually([&] { return returned.load(); }));
        QTest::qWait(50);
    }

    void snapshotsShowTheTailTheVoiceAndTheLevel()
    {
        CaptionEngine engine;
        auto source = std::make_unique<audio::ScriptedSource>(
            std::vector<audio::ScriptStep>{script::Sound{speech(2.2)}, script::Hold{}, script::Silence{32000}, script::Hold{}}, described(audio::Pace::Live));
        auto *script_control = source.get();
        auto holder = std::make_shared<std::unique_ptr<audio::ScriptedSource>>(std::move(source));
        engine.start(runOver([holder] { return std::move(*holder); }, [] { return std::make_unique<HalfSecondWords>(); }));
        QVERIFY(eventually([&] { return engine.snapshot()->statistics.decoded_samples >= samplesFromSeconds(1.9); }));
        const auto speaking = engine.snapshot();
        QCOMPARE(speaking->state, RunState::Listening);
        QVERIFY(!speaking->tail.empty());
        QVERIFY(speaking->level_peak > 0.5f && speaking->level_rms > 0.2f);
        QVERIFY(speaking->statistics.policy_lag_ms > 400);
        QVERIFY(speaking->statistics.compute_lag_ms < 1000);
        script_control->release();
        QVERIFY(eventually([&] { return engine.snapshot()->statistics.decoded_samples > samplesFromSeconds(3.5); }));
        const auto silent = engine.snapshot();
        QVERIFY(silent->tail.empty());
        QCOMPARE(silent->voice, VoiceState::NoSound);  // nothing but zeros
        QCOMPARE(silent->level_peak, 0.0f);
        QCOMPARE(silent->statistics.policy_lag_ms, 0.0);
        QCOMPARE(silent->statistics.compute_lag_ms, 0.0);
        engine.stop();
        QVERIFY(finishedRun(engine));
    }

    void noiseThatWaitsForAVoiceIsNoSignOfASlowMachine()
    {
        CaptionEngine engine;
        engine.start(runOver({script::Sound{std::vector<float>(samplesFromSeconds(3), 0.12f)}, script::Hold{}}, audio::Pace::Live));
        QVERIFY(eventually([&] {
            return engine.snapshot()->statistics.heard_samples >= samplesFromSeconds(3) &&
                   engine.snapshot()->statistics.decoded_samples >= samplesFromSeconds(1.5);
        }));
        const auto noisy = engine.snapshot();
        QCOMPARE(noisy->voice, VoiceState::NoSpeech);
        QVERIFY(noisy->statistics.decoded_samples < samplesFromSeconds(2));
        QCOMPARE(noisy->statistics.compute_lag_ms, 0.0);
        engine.stop();
        QVERIFY(finishedRun(engine));
    }

    void theSoundOfTheRunCanBeHeardAgain()
    {
        CaptionEngine engine;
        const auto spoken = speech(2);
        engine.start(runOver({script::Sound{spoken}, script::Gap{8000, ""}, script::Sound{spoken}}));
        QVERIFY(finishedRun(engine));
        const auto all = engine.sound(0, samplesFromSeconds(100));
        QCOMPARE(all, joined({spoken, silence(0.5), spoken}));
        QCOMPARE(engine.sound(samplesFromSeconds(4.4), 16000).size(), std::size_t{1600});
        QVERIFY(engine.sound(samplesFromSeconds(5), 16000).empty());
        QVERIFY(engine.sound(-5, 16000).empty());
    }

    void anEngineInFullRunCanBeDestroyed()
    {
        for (int i = 0; i < 10; ++i) {
            CaptionEngine engine;
            engine.start(runOver({script::Sound{speech(60)}}, i % 2 == 0 ? audio::Pace::Fast : audio::Pace::Live));
            QTest::qWait(i);
        }
    }

    void manyEyesMayWatchARun()
    {
        CaptionEngine engine;
        std::atomic<bool> over = false;
        std::vector<std::thread> eyes;
        for (int i = 0; i < 3; ++i) {
            eyes.emplace_back([&] {
                while (!over) {
                    static_cast<void>(engine.snapshot()->statistics.heard_samples);
                    static_cast<void>(engine.sound(1000, 32000));
                }
            });
        }
        std::size_t words = 0;
        for (int i = 0; i < 3; ++i) {
            engine.start(runOver({script::Sound{speech(30)}, script::Silence{32000}, script::Sound{speech(30)}}));
            while (!engine.waitUntilFinished(0.001)) {
                words += RunResult{engine.takeEvents()}.items().size();
            }
            words += RunResult{engine.takeEvents()}.items().size();
        }
        over = true;
        for (auto &eye : eyes) {
            eye.join();
        }
        // 60 + 60 words of speech, one or two of hang-over each, one line break.
        QVERIFY2(words >= 3 * 121 && words <= 3 * 127, qPrintable(QString::number(words)));
    }
};

QTEST_GUILESS_MAIN(CaptionEngineTest)
#include "tst_caption_engine.moc"
