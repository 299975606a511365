// The engine of parallel streams: words go in at any time, rows come out in order, nobody waits for the model, and nothing said is lost.
#include <QtTest>

#include <QTemporaryDir>
#include <atomic>
#include <filesystem>
#include <set>
#include <unistd.h>

#include "core/base/error.h"
#include "core/runtime/done_flag.h"
#include "core/streams/streams_engine.h"
#include "core/streams/streams_journal.h"
#include "tests/core/streams/hashed_streams_model.h"
#include "tests/core/streams/small_texts.h"
#include "tests/core/streams/streams_of.h"
#include "tests/support/faults.h"
#include "tests/support/interrupted_run.h"

using namespace braid;
using namespace braid::captions;
using namespace braid::runtime;
using namespace braid::streams;
using namespace std::chrono_literals;
using streams::StreamsEvent;
using streams::StreamsEventType;

namespace {

streams::Layout layout()
{
    streams::Layout layout;
    layout.name = "three";
    layout.silence_text = " -";
    layout.stop.silent_rows = 3;
    layout.streams = {streamOf("User", streams::StreamRole::User, {0, 1, 2}), streamOf("Answer", streams::StreamRole::Assistant, {0, 1, 2}),
                      streamOf("Audit", streams::StreamRole::Assistant, {0, 1, 2})};
    return layout;
}

// Says " ok" in the row behind every word of the user; counts the threads that call it.
class Echo : public HashedStreamsModel {
  public:
    Echo(std::int32_t vocabulary, std::int32_t ok)
        : HashedStreamsModel(vocabulary)
    {
        script = [this, ok](int stream, std::int64_t) {
            const auto &call = calls.back();
            const bool user_spoke = std::any_of(call.begin(), call.end(), [](const streams::StreamInput &input) { return input.entry.stream == 0; });
            return stream == 1 && user_spoke ? ok : 0;
        };
    }
    std::vector<streams::Prediction> feed(std::span<const streams::StreamInput> inputs, const streams::PredictionRequest &request) override
    {
        if (before_feeding) {
            before_feeding();
        }
        return HashedStreamsModel::feed(inputs, request);
    }
    std::function<void()> before_feeding;
};

}  // namespace

class TestStreamsEngine : public QObject {
    Q_OBJECT

    std::shared_ptr<SmallTexts> m_texts = std::make_shared<SmallTexts>(std::vector<std::string>{" one", " two", " three", " ok"});
    std::shared_ptr<Echo> m_model;

    StreamsRunConfig config(std::function<void()> before_feeding = {})
    {
        m_model = std::make_shared<Echo>(m_texts->size(), m_texts->id(" ok"));
        m_model->before_feeding = std::move(before_feeding);
        StreamsRunConfig config;
        config.settings.layout = layout();
        config.model_name = "echo";
        config.load_model = [model = m_model, texts = m_texts](const auto &progress, std::stop_token) {
            progress(0.5, "half");
            return StreamsModelDoor{model, texts, "paper"};
        };
        return config;
    }
    // Waits until `until` is true of what was told so far.
    static std::vector<StreamsEngineEvent> toldUntil(StreamsEngine &engine, const std::function<bool(const std::vector<StreamsEngineEvent> &)> &until)
    {
        std::vector<StreamsEngineEvent> told;
        for (int i = 0; i < 3000; ++i) {
            for (StreamsEngineEvent &event : engine.takeEvents()) {
                told.push_back(std::move(event));
            }
            if (until(told)) {
                return told;
            }
            std::this_thread::sleep_for(5ms);
        }
        qFatal("it never came");
        return told;
    }
    static streams::Conversation conversationOf(const std::vector<StreamsEngineEvent> &told)
    {
        streams::Conversation conversation;
        for (const StreamsEngineEvent &event : told) {
            if (const auto *started = std::get_if<StreamsStarted>(&event.body)) {
                conversation = started->beginning;
            } else if (const auto *row = std::get_if<StreamsEvent>(&event.body)) {
                conversation.events.push_back(*row);
            }
        }
        return conversation;
    }
    static std::string lane(const std::vector<StreamsEngineEvent> &told, std::size_t stream)
    {
        const auto table = conversationOf(told).table();
        return table.streams.empty() ? std::string() : table.textOf(stream);
    }

    // The child of the kill test: tells every event through the pipe as soon as the engine has given it out.
    void talkUntilKilled(const std::filesystem::path &journals, int pipe)
    {
        StreamsEngine engine;
        StreamsRunConfig run = config();
        run.journal_folder = journals;
        engine.start(std::move(run));
        for (int turn = 0;; ++turn) {
            engine.post(turn % 9 == 8 ? streams::StreamsCommand(streams::Rewind{turn / 2}) : streams::StreamsCommand(streams::Say{0, "one two three"}));
            for (const StreamsEngineEvent &event : engine.takeEvents()) {
                if (const auto *told = std::get_if<StreamsEvent>(&event.body)) {
                    const std::string line = streams::eventLine(*told) + "\n";
                    if (::write(pipe, line.data(), line.size()) < 0) {
                        ::_exit(1);
                    }
                }
            }
            std::this_thread::sleep_for(1ms);
        }
    }

  private Q_SLOTS:
    void killedAtAnyMomentNothingToldIsLost()
    {
        std::set<std::string> models;
        testing::killAtAnyMoment([this](const auto &journals, int pipe) { talkUntilKilled(journals, pipe); },
                                 [&models](const std::filesystem::path &folder) {
                                     const streams::Conversation kept = readConversationJournal(folder).conversation;
                                     models.insert(kept.model);
                                     std::string lines;
                                     for (const StreamsEvent &event : kept.events) {
                                         lines += streams::eventLine(event) + "\n";
                                     }
                                     return lines;
                                 });
        QCOMPARE(models, std::set<std::string>{"echo"});
    }

    void aRunIsKeptAsItWas()
    {
        const QTemporaryDir parent;
        StreamsEngine engine;
        StreamsRunConfig run = config();
        run.journal_folder = parent.path().toStdString();
        engine.start(std::move(run));
        engine.post(streams::Say{0, "one two"});
        auto told = toldUntil(engine, [](const auto &events) { return lane(events, 1) == " ok ok"; });
        QVERIFY(findInterruptedRuns(parent.path().toStdString()).empty());  // it runs
        engine.post(streams::Rewind{0});
        engine.post(streams::Say{0, "three"});
        const auto more = toldUntil(engine, [&](const auto &events) {
            auto all = told;
            all.insert(all.end(), events.begin(), events.end());
            return lane(all, 0) == " one three";
        });
        told.insert(told.end(), more.begin(), more.end());
        engine.stop();
        QVERIFY(engine.waitUntilFinished(30));
        const auto last = engine.takeEvents();
        told.insert(told.end(), last.begin(), last.end());
        const auto kept = readConversationJournal(testing::onlyJournal(parent.path().toStdString()));
        QVERIFY(kept.conversation == conversationOf(told));
        QCOMPARE(kept.conversation.events.back().type, StreamsEventType::RunEnded);
        QCOMPARE(kept.state, JournalState::Finished);
    }

    void aFolderThatCannotBeMadeIsSaidOnceAndTheRunGoesOn()
    {
        StreamsEngine engine;
        StreamsRunConfig run = config();
        run.journal_folder = "/proc/no/such/place";
        engine.start(std::move(run));
        engine.post(streams::Say{0, "one two"});
        const auto told = toldUntil(engine, [](const auto &events) { return lane(events, 1) == " ok ok"; });
        QCOMPARE(std::count_if(told.begin(), told.end(), [](const auto &event) { return std::holds_alternative<Notice>(event.body); }), std::ptrdiff_t(1));
    }

    void wordsEnterWhileItRuns()
    {
        StreamsEngine engine;
        const auto generation = engine.start(config());
        engine.post(streams::Say{0, "one two"});  // before the model is there: it waits
        auto told = toldUntil(engine, [](const auto &events) { return lane(events, 1) == " ok ok"; });
        QVERIFY(std::holds_alternative<StreamsStarted>(told.front().body));
        const auto &started = std::get<StreamsStarted>(told.front().body);
        QCOMPARE(started.beginning.model, std::string("echo"));
        QCOMPARE(started.silence_token, 0);
        QCOMPARE(started.texts->text(m_texts->id(" ok")), std::string(" ok"));
        engine.post(streams::Say{0, "three"});
        const auto more = toldUntil(engine, [](const auto &events) {
            return std::any_of(events.begin(), events.end(), [](const auto &event) {
                const auto *row = std::get_if<StreamsEvent>(&event.body);
                return row != nullptr && row->type == StreamsEventType::Row && row->cells[0].text == " three";
            });
        });
        QTRY_COMPARE(engine.snapshot()->activity, std::string("waiting for words"));
        engine.stop();
        QVERIFY(engine.waitUntilFinished(30));
        const auto last = engine.takeEvents();
        QVERIFY(std::holds_alternative<StreamsFinished>(last.back().body));
        for (const StreamsEngineEvent &event : last) {
            QCOMPARE(event.generation, generation);
        }
        QCOMPARE(engine.snapshot()->state, StreamsRunState::Finished);
    }

    void theOwnerNeverWaitsForASlowModel()
    {
        DoneFlag feeds;
        DoneFlag goes_on;
        StreamsEngine engine;
        engine.start(config([&] {
            feeds.set();
            goes_on.wait();
        }));
        engine.post(streams::Say{0, "one "});
        QVERIFY(feeds.waitFor(30s));
        // The model stands still until the owner is through with all of it.
        for (int i = 0; i < 1000; ++i) {
            engine.post(streams::Say{0, "one "});
            static_cast<void>(engine.snapshot());
            static_cast<void>(engine.takeEvents());
        }
        engine.stop();
        QVERIFY(!engine.waitUntilFinished(0));
        goes_on.set();
        QVERIFY(engine.waitUntilFinished(30));
    }

    void theSnapshotSaysWhichCommandsItKnowsOf()
    {
        DoneFlag feeds;
        DoneFlag goes_on;
        StreamsEngine engine;
        QCOMPARE(engine.posted(), 0U);
        engine.start(config([&] {
            feeds.set();
            goes_on.wait();
        }));
        engine.post(streams::Say{0, "one "});
        QVERIFY(feeds.waitFor(30s));
        engine.post(streams::Say{0, "two "});
        engine.post(streams::Say{0, "three "});
        // The model stands still: the state that can be seen is from before the two.
        QCOMPARE(engine.posted(), 3U);
        QVERIFY(engine.snapshot()->commands_obeyed < 2);
        goes_on.set();
        QTRY_COMPARE(engine.snapshot()->commands_obeyed, 3U);
        engine.stop();
        QVERIFY(engine.waitUntilFinished(30));
        // The next run has commands of its own.
        engine.start(config());
        QCOMPARE(engine.posted(), 0U);
        engine.stop();
        QVERIFY(engine.waitUntilFinished(30));
    }

    void pauseStepAndRewindFromOutside()
    {
        StreamsEngine engine;
        StreamsRunConfig paused = config();
        paused.settings.begins = streams::Pace::Paused;
        engine.start(std::move(paused));
        engine.post(streams::Say{0, "one two three"});
        for (int i = 0; i < 3; ++i) {
            engine.post(streams::SingleStep{});
        }
        auto told = toldUntil(engine, [](const auto &events) { return lane(events, 0) == " one two three"; });
        QTRY_COMPARE(engine.snapshot()->activity, std::string("paused"));
        QTRY_COMPARE(engine.snapshot()->status.rows, std::int64_t(3));  // events may be told a moment before the picture of the state
        engine.post(streams::Rewind{0});
        engine.post(streams::Say{0, "three"});
        engine.post(streams::Resume{});
        const auto more = toldUntil(engine, [&](const auto &events) {
            auto all = told;
            all.insert(all.end(), events.begin(), events.end());
            return lane(all, 0) == " one three" && lane(all, 1) == " ok ok";
        });
        told.insert(told.end(), more.begin(), more.end());
        engine.post(streams::Look{1, 1, {}});
        QTRY_VERIFY(engine.snapshot()->status.look != nullptr);
        QVERIFY(engine.snapshot()->status.look->problem.empty());
    }

    void aModelThatCannotBeLoadedIsSaid()
    {
        StreamsEngine engine;
        StreamsRunConfig broken = config();
        broken.load_model = [](const auto &, std::stop_token) -> StreamsModelDoor { throw Error(ErrorKind::Model, "there is no such model"); };
        engine.start(std::move(broken));
        QVERIFY(engine.waitUntilFinished(30));
        const auto told = engine.takeEvents();
        QCOMPARE(told.size(), std::size_t(2));
        QCOMPARE(std::get<Failed>(told[0].body).kind, ErrorKind::Model);
        QVERIFY(std::holds_alternative<StreamsFinished>(told[1].body));
        QCOMPARE(engine.snapshot()->state, StreamsRunState::Failed);
    }

    void aModelThatFailsPausesAndNothingIsLost()
    {
        StreamsEngine engine;
        StreamsRunConfig failing = config();
        m_model->fails_at_call = 2;
        engine.start(std::move(failing));
        engine.post(streams::Say{0, "one two three"});
        auto told = toldUntil(engine, [](const auto &events) {
            return std::any_of(events.begin(), events.end(), [](const auto &event) { return std::holds_alternative<Notice>(event.body); });
        });
        QTRY_COMPARE(engine.snapshot()->activity, std::string("paused"));
        engine.post(streams::Resume{});
        const auto more = toldUntil(engine, [&](const auto &events) {
            auto all = told;
            all.insert(all.end(), events.begin(), events.end());
            return lane(all, 0) == " one two three" && lane(all, 1) == " ok ok ok";
        });
        QVERIFY(!more.empty());
    }

    void whereNobodyStaysTheEndIsTheEnd()
    {
        StreamsEngine engine;
        StreamsRunConfig once = config();
        once.when_ended = WhenEnded::Finishes;
        once.settings.at_silence = streams::AtSilence::Ends;
        once.settings.script = {{0, 0, "one"}, {0, 0, ""}};
        engine.start(std::move(once));
        QVERIFY(engine.waitUntilFinished(30));
        const auto told = engine.takeEvents();
        QCOMPARE(lane(told, 1), std::string(" ok"));
        QVERIFY(std::holds_alternative<StreamsFinished>(told.back().body));
    }

    void aNewRunEndsTheOneBefore()
    {
        StreamsEngine engine;
        const auto first = engine.start(config([] { std::this_thread::sleep_for(20ms); }));
        engine.post(streams::Say{0, "one one one one one one one"});
        const auto second = engine.start(config());
        QVERIFY(second > first);
        engine.post(streams::Say{0, "two"});
        const auto told = toldUntil(engine, [&](const auto &events) {
            std::vector<StreamsEngineEvent> newest;
            std::copy_if(events.begin(), events.end(), std::back_inserter(newest), [&](const auto &event) { return event.generation == second; });
            return lane(newest, 1) == " ok";
        });
        bool first_over = false;
        for (const StreamsEngineEvent &event : told) {  // one after the other, never mixed
            QVERIFY(event.generation == second || !first_over || event.generation == first);
            first_over = first_over || (event.generation == first && std::holds_alternative<StreamsFinished>(event.body));
            QVERIFY(event.generation == first || first_over);
        }
    }

    void stoppingInTheMiddleOfLoading()
    {
        StreamsEngine engine;
        StreamsRunConfig slow = config();
        slow.load_model = [](const auto &progress, std::stop_token stop) -> StreamsModelDoor {
            while (!stop.stop_requested()) {
                progress(0.1, "opening");
                std::this_thread::sleep_for(2ms);
            }
            throw Error(ErrorKind::Cancelled, "stopped");
        };
        engine.start(std::move(slow));
        QTRY_COMPARE(engine.snapshot()->activity, std::string("loading echo: opening (10 %)"));
        engine.stop();
        QVERIFY(engine.waitUntilFinished(30));
        const auto told = engine.takeEvents();
        QCOMPARE(told.size(), std::size_t(1));
    }
};

QTEST_GUILESS_MAIN(TestStreamsEngine)
#include "tst_streams_engine.moc"
