// A conversation as its owner leads it: pauses, tempo, waiting, rewinding, recordings that play and are gone on with, looks, the baseline.
#include <QtTest>

#include "core/base/error.h"
#include "core/streams/streams_session.h"
#include "tests/core/streams/hashed_streams_model.h"
#include "tests/core/streams/small_texts.h"
#include "tests/core/streams/streams_of.h"

using namespace braid;
using namespace braid::streams;
using streams::Cell;
using streams::CellSource;
using streams::StreamsEvent;
using streams::StreamsEventType;

namespace {

const std::vector<std::string> kWords{" one", " two", " three", " ok", " well", "<|User|>", "<|Answer|>", "<|Audit|>", "<|end|>"};

struct Clock {
    std::int64_t now_ms = 0;
};

}  // namespace

class TestStreamsSession : public QObject {
    Q_OBJECT

    std::shared_ptr<SmallTexts> m_texts = std::make_shared<SmallTexts>(kWords);
    std::shared_ptr<HashedStreamsModel> m_model;
    Clock m_clock;

    static streams::Layout layout()
    {
        streams::Layout layout;
        layout.name = "three";
        layout.silence_text = " -";
        layout.stop.silent_rows = 2;
        layout.streams = {streamOf("User", streams::StreamRole::User, {0, 1, 2}), streamOf("Answer", streams::StreamRole::Assistant, {0, 1, 2}),
                          streamOf("Audit", streams::StreamRole::Assistant, {0, 1, 2})};
        return layout;
    }
    // The answer repeats the user's word of the row before as "ok"; otherwise everybody is silent.
    std::unique_ptr<StreamsSession> session(StreamsSettings settings = {}, bool chatty = false)
    {
        m_clock.now_ms = 0;
        m_model = std::make_shared<HashedStreamsModel>(m_texts->size());
        m_model->script = [this, chatty](int stream, std::int64_t) {
            const auto &call = m_model->calls.back();
            const bool user_spoke = std::any_of(call.begin(), call.end(), [](const streams::StreamInput &input) { return input.entry.stream == 0; });
            return stream == 1 && (chatty || user_spoke) ? m_texts->id(" ok") : 0;
        };
        if (settings.layout.streams.empty()) {
            settings.layout = layout();
        }
        settings.clock_ms = [this] { return m_clock.now_ms; };
        return std::make_unique<StreamsSession>(std::move(settings), m_model, m_texts);
    }
    static int stepAll(StreamsSession &session, int most = 1000)
    {
        int rows = 0;
        while (rows < most && session.step()) {
            ++rows;
        }
        return rows;
    }
    // The rows that stand after these events, one string a lane.
    static std::vector<std::string> lanes(const std::vector<StreamsEvent> &events) { return lanesOf(streams::Conversation{layout(), "", "", 0, events}); }
    static std::vector<std::string> lanesOf(const streams::Conversation &conversation)
    {
        const streams::TextTable table = conversation.table();
        std::vector<std::string> texts;
        for (std::size_t stream = 0; stream < table.streams.size(); ++stream) {
            texts.push_back(table.textOf(stream));
        }
        return texts;
    }
    streams::Conversation recorded()
    {
        const auto made = session();
        made->obey(Say{0, "one two three"});
        streams::Conversation conversation = made->beginning("hash");
        for (int i = 0; i < 8; ++i) {
            m_clock.now_ms += 100;
            made->step();
        }
        conversation.events = made->takeEvents();
        return conversation;
    }
    static std::vector<std::string> notices(const std::vector<StreamsEvent> &events)
    {
        std::vector<std::string> texts;
        for (const StreamsEvent &event : events) {
            if (event.type == StreamsEventType::Notice) {
                texts.push_back(event.text);
            }
        }
        return texts;
    }

  private Q_SLOTS:
    void itMakesRowsWhileSomebodySpeaksAndWaitsWhileNobodyDoes()
    {
        const auto made = session();
        QCOMPARE(stepAll(*made), 2);  // two silent rows, then nothing is worth a row
        QCOMPARE(made->status().state, StreamsState::Waiting);
        QVERIFY(!made->nextRowAtMs());
        made->obey(Say{0, "one tw", streams::TextEnd::Open});
        QCOMPARE(made->status().unfinished[0], std::string("tw"));
        QCOMPARE(made->status().waiting[0], std::size_t(1));
        QCOMPARE(stepAll(*made), 4);  // the word, its answer, two silent rows
        made->obey(Say{0, "o "});
        QCOMPARE(stepAll(*made), 4);
        QCOMPARE(lanes(made->takeEvents()), (std::vector<std::string>{" one two", " ok ok", ""}));
        QCOMPARE(made->status().tokens, std::int64_t(4));
        QCOMPARE(made->status().steps, made->status().rows);
    }

    void tempoIsKeptAndCanBeChanged()
    {
        StreamsSettings settings;
        settings.rows_per_second = 10;
        const auto made = session(settings, true);
        QVERIFY(made->step());
        QVERIFY(!made->step());
        QCOMPARE(*made->nextRowAtMs(), std::int64_t(100));
        m_clock.now_ms = 100;
        QVERIFY(made->step());
        made->obey(SetTempo{0});
        QVERIFY(made->step() && made->step());
    }

    void pausedOnlySingleStepsMakeRows()
    {
        StreamsSettings settings;
        settings.begins = Pace::Paused;
        const auto made = session(settings, true);
        made->obey(Say{0, "one two"});
        QCOMPARE(stepAll(*made), 0);
        QCOMPARE(made->status().state, StreamsState::Paused);
        made->obey(SingleStep{});
        QCOMPARE(made->status().rows, std::int64_t(1));
        made->obey(Resume{});
        QCOMPARE(stepAll(*made, 5), 5);
        made->obey(Pause{});
        QCOMPARE(stepAll(*made), 0);
    }

    void goingBackAndOnWithOtherWords()
    {
        const auto made = session();
        made->obey(Say{0, "one two three"});
        stepAll(*made);
        made->obey(Rewind{1});
        made->obey(Interrupt{0, "three"});
        stepAll(*made);
        QCOMPARE(lanes(made->takeEvents())[0], std::string(" one two three"));
        made->obey(Rewind{99});
        QVERIFY(notices(made->takeEvents()).at(0).find("no row 99") != std::string::npos);
        made->obey(Rewind{-1});
        made->obey(Say{0, "two"});
        stepAll(*made);
        QCOMPARE(made->status().rows, std::int64_t(4));
    }

    void whatCannotBeIsSaidAndNothingBreaks()
    {
        const auto made = session();
        made->obey(Say{1, "words for the answer"});
        made->obey(Say{7, "nobody"});
        made->obey(SetVoice{0, streams::Voice::SwitchedOff});
        made->obey(Adjust{1, {-1, 0, 1}, {}});
        made->obey(TakeOver{});
        QCOMPARE(notices(made->takeEvents()).size(), std::size_t(4));
        made->obey(Say{0, "one"});
        stepAll(*made);
        QCOMPARE(lanes(made->takeEvents())[1], std::string(" ok"));
    }

    void aBookIsTakenAsFarAsItFits()
    {
        const auto made = session();
        std::string book;
        while (book.size() <= kMostSaidBytes) {
            book += "one two three ";
        }
        made->obey(Say{0, book});
        const auto told = notices(made->takeEvents());
        QCOMPARE(told.size(), std::size_t(2));
        QVERIFY(told[0].find("4096 tokens can wait") != std::string::npos);
        QVERIFY(told[1].find("At most a megabyte") != std::string::npos);
        QCOMPARE(made->status().waiting[0], std::size_t(4096));
        made->obey(Interrupt{0, ""});
        QCOMPARE(made->status().waiting[0], std::size_t(0));
    }

    void switchedOffAStreamIsSilent()
    {
        const auto made = session({}, true);
        made->obey(SetVoice{1, streams::Voice::SwitchedOff});
        stepAll(*made, 3);
        QCOMPARE(lanes(made->takeEvents())[1], std::string());
        made->obey(SetVoice{1, streams::Voice::Heard});
        made->obey(Say{0, "one"});
        stepAll(*made, 3);
        QVERIFY(lanesOf({layout(), "", "", 0, made->takeEvents()})[1].find(" ok") != std::string::npos);
    }

    void aRecordingPlaysAsItWas()
    {
        const streams::Conversation conversation = recorded();
        StreamsSettings settings;
        settings.recording = conversation;
        const auto played = session(settings);
        std::vector<StreamsEvent> told;
        std::vector<std::int64_t> at;
        while (m_clock.now_ms < 2000) {
            if (played->step()) {
                at.push_back(m_clock.now_ms);
                for (StreamsEvent &event : played->takeEvents()) {
                    told.push_back(std::move(event));
                }
            }
            m_clock.now_ms += 10;
        }
        QVERIFY(told == conversation.events);
        QCOMPARE(at.size(), std::size_t(6));  // the words, the answers behind them, two silent rows; then it waited
        for (std::size_t i = 1; i < at.size(); ++i) {
            QCOMPARE(at[i] - at[i - 1], std::int64_t(100));
        }
        QVERIFY(m_model->calls.size() <= 1);  // nothing was asked: the model only reads along at the end
    }

    void aRecordingCanBeGoneOnWithAnywhere()
    {
        const streams::Conversation conversation = recorded();
        StreamsSettings settings;
        settings.recording = conversation;
        settings.playback = Playback::AtOnce;
        const auto opened = session(settings);
        QVERIFY(opened->step());
        QCOMPARE(opened->status().state, StreamsState::Paused);
        QCOMPARE(opened->status().rows, std::int64_t(6));
        const std::int64_t last_ms = conversation.events.back().time_ms;
        opened->obey(Rewind{0});
        opened->obey(Say{0, "three"});
        opened->obey(Resume{});
        stepAll(*opened);
        const auto told = opened->takeEvents();
        QCOMPARE(lanes(told)[0], std::string(" one three"));
        QVERIFY(std::is_sorted(told.begin(), told.end(), [](const StreamsEvent &a, const StreamsEvent &b) { return a.time_ms < b.time_ms; }));
        QVERIFY(told.back().time_ms >= last_ms);

        // In the middle: what was played stays, the rest never was.
        settings.playback = Playback::AtTempo;
        settings.begins = Pace::Paused;
        const auto cut = session(settings);
        cut->obey(SingleStep{});
        cut->obey(SingleStep{});
        cut->obey(Say{0, "one"});
        cut->obey(Resume{});
        stepAll(*cut);
        QCOMPARE(lanes(cut->takeEvents())[0], std::string(" one two one"));
    }

    void withoutAModelARecordingOnlyPlays()
    {
        StreamsSettings settings;
        settings.recording = recorded();
        settings.playback = Playback::AtTempo;
        settings.clock_ms = [this] { return m_clock.now_ms; };
        StreamsSession played(settings, nullptr, nullptr);
        stepAll(played);
        QCOMPARE(played.status().rows, std::int64_t(6));
        static_cast<void>(played.takeEvents());
        played.obey(Say{0, "more"});
        played.obey(Look{1, 1, {}});
        played.answerLook();
        QVERIFY(notices(played.takeEvents()).at(0).find("only be played") != std::string::npos);
        QVERIFY(!played.status().look->problem.empty());
        StreamsSettings live;
        live.layout = layout();
        QVERIFY_EXCEPTION_THROWN(StreamsSession(live, nullptr, nullptr), Error);
    }

    void aRecordingOfAnotherModelPlaysButDoesNotGoOn()
    {
        StreamsSettings settings;
        settings.recording = recorded();
        settings.recording->events[0].cells[0].token = 9999;
        settings.playback = Playback::AtOnce;
        const auto opened = session(settings);
        stepAll(*opened);
        QVERIFY(notices(opened->takeEvents()).at(0).find("does not have") != std::string::npos);
        QCOMPARE(opened->status().rows, std::int64_t(6));
    }

    void aLookIsOfThePassThatChose()
    {
        const auto made = session();
        made->obey(Say{0, "one two"});
        stepAll(*made);
        made->obey(Look{0, 0, {}});
        made->obey(Look{1, 1, {}});  // the newest wish counts
        made->answerLook();
        const auto look = made->status().look;
        QCOMPARE(look->wish, (Look{1, 1, {}}));
        QVERIFY2(look->problem.empty(), look->problem.c_str());
        float sum = 0;
        for (const Attended &cell : look->cells) {
            QVERIFY(cell.row <= 0);  // it was chosen from row 0, which sees itself and what was before
            sum += cell.weight;
        }
        QVERIFY(std::abs(sum - 1) < 1e-5F);
        made->obey(Look{99, 0, {}});
        made->answerLook();
        QVERIFY(!made->status().look->problem.empty());
    }

    void aModelThatFailsPausesAndCanBeAskedAgain()
    {
        const auto made = session({}, true);
        stepAll(*made, 2);
        m_model->fails_at_call = static_cast<int>(m_model->calls.size()) + 1;
        QVERIFY_EXCEPTION_THROWN(made->step(), Error);
        QCOMPARE(made->status().state, StreamsState::Paused);
        QCOMPARE(made->status().rows, std::int64_t(2));
        made->obey(Resume{});
        QCOMPARE(stepAll(*made, 3), 3);
    }

    void stoppingEndsIt()
    {
        const auto made = session({}, true);
        stepAll(*made, 2);
        made->stop();
        QVERIFY(made->hasEnded() && !made->step());
        QCOMPARE(made->takeEvents().back().type, StreamsEventType::RunEnded);
    }

    void theBaselineAnswersInTheSameLanes()
    {
        StreamsSettings settings;
        settings.form = StreamsForm::OneQueue;
        const auto made = session(settings);
        m_model->script = [this](int, std::int64_t place) {
            const std::vector<std::string> said{"<|Answer|>", " ok", " well", "<|end|>"};
            return m_texts->id(said[std::min<std::size_t>(static_cast<std::size_t>(std::max<std::int64_t>(0, place - 3)), 3)]);
        };
        made->obey(Say{0, "one two"});
        made->obey(EndTurn{0});
        stepAll(*made);
        QCOMPARE(lanes(made->takeEvents()), (std::vector<std::string>{" one two", " ok well", ""}));
        QCOMPARE(made->status().state, StreamsState::Waiting);
    }

    // An hour of steps at ten a second. With a window the model holds no more at the end than at the beginning.
    void anHourOfStepsIsFlatWithAWindow()
    {
        StreamsSettings settings;
        settings.layout = layout();
        settings.layout.window_rows = 50;
        const auto made = session(settings, true);
        m_model->most_positions = 100;
        m_model->forgets_gone = true;
        std::int64_t most_entries = 0;
        for (int i = 0; i < 36'000; ++i) {
            QVERIFY(made->step());
            most_entries = std::max(most_entries, made->status().cache_entries);
            static_cast<void>(made->takeEvents());
            m_model->calls.erase(m_model->calls.begin(),
                                 m_model->calls.end() - std::min<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(m_model->calls.size()), 1));
        }
        QCOMPARE(made->status().rows, std::int64_t(36'000));
        QVERIFY(most_entries <= 2 * 50);
    }

    void withoutAWindowTheLimitIsAClearEnd()
    {
        const auto made = session({}, true);
        m_model->most_positions = 100;
        QCOMPARE(stepAll(*made), 100);
        const auto told = made->takeEvents();
        QVERIFY(notices(told).at(0).find("100 positions") != std::string::npos);
        QCOMPARE(told.back().reason, streams::EndReason::ContextFull);
        QCOMPARE(made->status().state, StreamsState::Ended);
        made->obey(Rewind{10});
        QVERIFY(made->step());
    }
};

QTEST_GUILESS_MAIN(TestStreamsSession)
#include "tst_streams_session.moc"
