// The session's logic over a model whose every prediction depends on exactly what was visible: words entering one a row, ends, pausing,
// going back and on with other words, replaying and saving.
#include <QtTest>

#include <QTemporaryDir>

#include "core/base/error.h"
#include "core/streams/conversation.h"
#include "core/streams/streams_run.h"
#include "core/streams/user_script.h"
#include "tests/core/streams/hashed_streams_model.h"
#include "tests/core/streams/small_texts.h"
#include "tests/core/streams/streams_of.h"

using namespace braid;
using namespace braid::streams;

static const std::vector<std::string> kWords{" one", " two", " three", " four", " five", " ok", " well", "<end>", "<u>", "<a>", "<b>", "one", " hm"};

class TestStreamsRun : public QObject {
    Q_OBJECT

    std::shared_ptr<SmallTexts> m_texts = std::make_shared<SmallTexts>(kWords);

    Layout rows(SilenceRule silence = SilenceRule::Skipped) const
    {
        Layout layout;
        layout.name = "rows";
        layout.silence = silence;
        layout.silence_text = " -";
        layout.streams = {streamOf("User", StreamRole::User, {0, 1, 2}), streamOf("Answer", StreamRole::Assistant, {0, 1, 2}),
                          streamOf("Audit", StreamRole::Assistant, {0, 1, 2})};
        layout.streams[1].warm_start = {" ok"};
        layout.streams[1].sampling = {0.9, 20, 0.95};
        return layout;
    }
    Layout blocks() const
    {
        Layout layout;
        layout.name = "blocks";
        layout.form = VisibilityForm::Blocks;
        layout.positions = PositionRule::OwnCounter;
        layout.silence = SilenceRule::Absent;
        layout.streams = {streamOf("System", StreamRole::System, {0}), streamOf("User", StreamRole::User, {0, 1, 2, 3}),
                          streamOf("Answer", StreamRole::Assistant, {0, 1, 2, 3}), streamOf("Audit", StreamRole::Assistant, {0, 1, 2, 3})};
        layout.streams[1].opening = "<u>";
        layout.streams[1].closing = "<end>";
        layout.streams[2].opening = "<a>";
        layout.streams[3].opening = "<b>";
        layout.streams[2].stop.tokens = {"<end>"};
        layout.streams[3].stop.tokens = {"<end>"};
        layout.stop.all_ended = {2, 3};
        return layout;
    }
    std::shared_ptr<HashedStreamsModel> model() const { return std::make_shared<HashedStreamsModel>(m_texts->size()); }
    std::string textOf(const StreamsRun &run, int stream) const
    {
        std::string text;
        for (std::int64_t r = 0; r < run.rows(); ++r) {
            text += run.row(r)[static_cast<std::size_t>(stream)].text;
        }
        return text;
    }
    static std::vector<std::vector<Cell>> allRows(const StreamsRun &run)
    {
        std::vector<std::vector<Cell>> all;
        for (std::int64_t r = 0; r < run.rows(); ++r) {
            all.push_back(run.row(r));
        }
        return all;
    }
    template <typename Type>
    static int count(const std::vector<StreamsEvent> &events, Type type)
    {
        return static_cast<int>(std::count_if(events.begin(), events.end(), [type](const StreamsEvent &event) { return event.type == type; }));
    }

  private Q_SLOTS:
    void wordsEnterOneARowWhileTheOthersSpeak()
    {
        auto hashed = model();
        hashed->script = [&](int stream, std::int64_t step) { return stream == 1 && step == 2 ? m_texts->id(" well") : 0; };
        StreamsRun run(rows(), hashed, m_texts, {});
        run.say(0, "one two thr", TextEnd::Open);
        run.step();
        run.step();
        QCOMPARE(textOf(run, 0), std::string(" one two"));
        QCOMPARE(textOf(run, 1), std::string(" ok"));
        run.step();
        QCOMPARE(run.row(2)[0].isSilent(), true);  // "thr" is still being typed
        QCOMPARE(run.row(2)[1].text, std::string(" well"));
        run.say(0, "ee ", TextEnd::Open);
        run.step();
        QCOMPARE(run.row(3)[0].text, std::string(" three"));
        QCOMPARE(run.row(3)[0].source, CellSource::Fed);
        QCOMPARE(run.row(2)[1].source, CellSource::Sampled);
        QVERIFY(run.row(2)[1].probability > 0.99);
        QCOMPARE(run.row(2)[1].rivals.size(), std::size_t(5));
    }

    void aRowIsFedOnceWithItsStepsAndPositions()
    {
        auto hashed = model();
        hashed->script = [&](int stream, std::int64_t) { return stream == 1 ? m_texts->id(" hm") : 0; };
        StreamsRun run(rows(), hashed, m_texts, {});
        run.say(0, "one", TextEnd::Whole);
        for (int i = 0; i < 4; ++i) {
            run.step();
        }
        QCOMPARE(hashed->calls.size(), std::size_t(3));  // nothing stands before row 0; the newest row waits
        const StreamInput user{m_texts->id(" one"), {0, 0, 0}};
        const StreamInput warm{m_texts->id(" ok"), {1, 0, 0}};
        const StreamInput silent{0, {2, 0, 0, EntryKind::Silent}};
        QCOMPARE(hashed->calls[0], (std::vector<StreamInput>{user, warm, silent}));
        QCOMPARE(hashed->calls[1].size(), std::size_t(2));  // the user's silence leaves no trace and is not fed at all
        QCOMPARE(hashed->entries(), std::int64_t(4));
    }

    void aSilentStreamCostsNothingWhereItIsSkipped()
    {
        // The same conversation with a third stream that never speaks, and with that stream switched off.
        const auto answers = [&](SilenceRule silence, Voice voice) {
            auto hashed = model();
            hashed->script = [](int stream, std::int64_t) { return stream == 2 ? 0 : -1; };
            StreamsRun run(rows(silence), hashed, m_texts, {});
            run.setVoice(2, voice);
            run.say(0, "one two three four", TextEnd::Whole);
            for (int i = 0; i < 12; ++i) {
                run.step();
            }
            return std::pair(textOf(run, 1), hashed->entries());
        };
        QCOMPARE(answers(SilenceRule::Skipped, Voice::Heard), answers(SilenceRule::Skipped, Voice::SwitchedOff));
        QVERIFY(answers(SilenceRule::Stored, Voice::Heard).second > answers(SilenceRule::Skipped, Voice::Heard).second);
        QVERIFY(answers(SilenceRule::Stored, Voice::Heard).first != answers(SilenceRule::Skipped, Voice::Heard).first);
    }

    void blocksBeginWithTheirOpeningsInOnePass()
    {
        auto hashed = model();
        hashed->script = [&](int stream, std::int64_t step) { return step >= 2 + stream ? m_texts->id("<end>") : m_texts->id(" well"); };
        StreamsRun run(blocks(), hashed, m_texts, {});
        run.setSystem(" ok well");
        run.say(1, "one two", TextEnd::Whole);
        run.endTurn(1);
        while (run.step() == StepResult::Row) {
        }
        QCOMPARE(hashed->calls[0], (std::vector<StreamInput>{{m_texts->id(" ok"), {0, 0, -1}},
                                                             {m_texts->id(" well"), {0, 1, -1}},
                                                             {m_texts->id("<u>"), {1, 2, -1}},
                                                             {m_texts->id("<a>"), {2, 2, -1}},
                                                             {m_texts->id("<b>"), {3, 2, -1}}}));
        QCOMPARE(run.row(0)[2].text, std::string(" well"));  // the first token before any word of the user was read
        QCOMPARE(textOf(run, 1), std::string("one two<end>"));
        QCOMPARE(hashed->calls[1][0], (StreamInput{m_texts->id("one"), {1, 3, 0}}));
        QVERIFY(run.row(5)[2].isSilent() && run.row(5)[2].source == CellSource::Silenced);  // ended at row 4
        const auto events = run.takeEvents();
        QCOMPARE(count(events, StreamsEventType::StreamEnded), 2);
        QCOMPARE(count(events, StreamsEventType::TurnEnded), 1);
        QCOMPARE(events.back().type, StreamsEventType::RunEnded);
        QCOMPARE(events.back().reason, EndReason::AllEnded);
        run.say(1, "more", TextEnd::Whole);
        QVERIFY(run.takeEvents().at(0).text.find("has ended its turn") != std::string::npos);
    }

    void specialTokensCannotBeTyped()
    {
        StreamsRun run(rows(), model(), m_texts, {});
        run.say(0, "<end>", TextEnd::Whole);
        QCOMPARE(run.waiting(0), std::size_t(6));  // a space and five letters
    }

    void aBookInTheTypingLineIsCutWithASentence()
    {
        RunSettings settings;
        settings.most_waiting = 100;
        StreamsRun run(rows(), model(), m_texts, settings);
        std::string book;
        for (int i = 0; i < 200'000; ++i) {
            book += "one ";
        }
        run.say(0, book, TextEnd::Whole);
        QCOMPARE(run.waiting(0), std::size_t(100));
        const auto events = run.takeEvents();
        QCOMPARE(events.size(), std::size_t(1));
        QVERIFY2(events[0].text.starts_with("At most 100 tokens can wait in \"User\"; the last 799600 bytes were left out."), events[0].text.c_str());
        run.say(0, std::string(5'000'000, 'x'), TextEnd::Open);  // one endless word
        QCOMPARE(run.waiting(0), std::size_t(100));
        run.interrupt(0, "two");
        QCOMPARE(run.waiting(0), std::size_t(1));
        QVERIFY(run.takeEvents().back().text.starts_with("100 waiting tokens were dropped"));
        run.step();
        QCOMPARE(textOf(run, 0), std::string(" two"));
    }

    void goingBackAndOnEqualsNeverHavingGoneThere_data()
    {
        QTest::addColumn<bool>("forgets");
        QTest::addColumn<bool>("in_blocks");
        QTest::newRow("rows, from the cache") << false << false;
        QTest::newRow("rows, fed again") << true << false;
        QTest::newRow("blocks, from the cache") << false << true;
        QTest::newRow("blocks, fed again") << true << true;
    }
    void goingBackAndOnEqualsNeverHavingGoneThere()
    {
        QFETCH(bool, forgets);
        QFETCH(bool, in_blocks);
        const int user = in_blocks ? 1 : 0;
        const auto start = [&](HashedStreamsModel &hashed) {
            hashed.forgets = forgets;
            auto run = std::make_unique<StreamsRun>(in_blocks ? blocks() : rows(), std::shared_ptr<HashedStreamsModel>(&hashed, [](auto *) {}), m_texts,
                                                    RunSettings{});
            if (in_blocks) {
                run->setSystem("well");
            }
            run->say(user, "one two", TextEnd::Whole);
            for (int i = 0; i < 4; ++i) {
                run->step();
            }
            return run;
        };
        const auto goOn = [&](StreamsRun &run) {
            run.say(user, "five", TextEnd::Whole);
            run.endTurn(user);
            for (int i = 0; i < 8; ++i) {
                run.step();
            }
            return allRows(run);
        };
        HashedStreamsModel straight(m_texts->size()), crooked(m_texts->size());
        auto first = start(straight);
        auto second = start(crooked);
        second->say(user, "three four three", TextEnd::Whole);
        for (int i = 0; i < 5; ++i) {
            second->step();
        }
        const auto other = allRows(*second);
        second->rewind(3);
        QCOMPARE(second->rows(), std::int64_t(4));
        QCOMPARE(second->waiting(user), std::size_t(0));
        QVERIFY(goOn(*first) == goOn(*second));
        QVERIFY(other != allRows(*second));
        second->rewind(-1);
        QCOMPARE(second->rows(), std::int64_t(0));
        second->say(user, "one two", TextEnd::Whole);
        for (int i = 0; i < 4; ++i) {
            second->step();
        }
        QVERIFY(goOn(*second) == allRows(*first));
        // What was told stays told: rows are taken back only by an event that says so.
        std::int64_t rows_told = 0;
        for (const StreamsEvent &event : second->takeEvents()) {
            if (event.type == StreamsEventType::Row) {
                QCOMPARE(event.row, rows_told++);
            } else if (event.type == StreamsEventType::Rewound) {
                rows_told = event.row + 1;
            }
        }
        QCOMPARE(rows_told, second->rows());
    }

    void theSameWordsAtTheSameRowsGiveTheSameRun()
    {
        const auto run = [&](std::uint64_t seed) {
            RunSettings settings;
            settings.seed = seed;
            StreamsRun r(rows(), model(), m_texts, settings);
            r.sayAt(0, 0, "one two");
            r.sayAt(5, 0, "three");
            r.endTurnAt(5, 0);
            for (int i = 0; i < 20; ++i) {
                r.step();
            }
            return allRows(r);
        };
        QVERIFY(run(1) == run(1));
        QVERIFY(run(1) != run(2));
        QCOMPARE(run(1)[5][0].text, std::string(" three"));
    }

    void aRecordingPlaysAsItWasAndGoesOn()
    {
        auto layout = rows(SilenceRule::Stored);
        layout.streams[1].penalty = {2, PenaltyTime::AfterUser, 4};  // so that the turn's end matters to what follows
        const auto original = std::make_unique<StreamsRun>(layout, model(), m_texts, RunSettings{});
        original->say(0, "one two three", TextEnd::Whole);
        for (int i = 0; i < 6; ++i) {
            original->step();
        }
        original->rewind(2);
        original->say(0, "four", TextEnd::Whole);
        original->endTurn(0);
        for (int i = 0; i < 6; ++i) {
            original->step();
        }
        Conversation conversation{layout, "hash", "", 0, original->takeEvents()};

        // Saved and opened, it is the same.
        QTemporaryDir dir;
        const auto path = std::filesystem::path(dir.path().toStdString()) / "c.json";
        saveConversation(path, conversation);
        const Conversation opened = openConversation(path);
        QVERIFY(opened == conversation);
        QCOMPARE(opened.table().rows.size(), std::size_t(9));
        QCOMPARE(opened.table().textOf(0), std::string(" one two three four"));

        StreamsRun again(opened.layout, model(), m_texts, {});
        again.replay(opened.events);
        QVERIFY(again.takeEvents() == conversation.events);
        QVERIFY(allRows(again) == allRows(*original));
        for (int i = 0; i < 6; ++i) {
            original->step();
            again.step();
        }
        QVERIFY(allRows(again) == allRows(*original));
        again.rewind(4);
        original->rewind(4);
        again.say(0, "ok", TextEnd::Whole);
        original->say(0, "ok", TextEnd::Whole);
        for (int i = 0; i < 4; ++i) {
            original->step();
            again.step();
        }
        QVERIFY(allRows(again) == allRows(*original));
    }

    void conversationsFromStrangersAreChecked()
    {
        StreamsRun run(rows(), model(), m_texts, {});
        run.step();
        run.step();
        const std::string good = conversationJson({rows(), "m\xC3\xA9", "sys", 3, run.takeEvents()});
        QCOMPARE(conversationJson(parseConversation(good, "x")), good);
        const auto refusal = [&](const std::string &from, const std::string &to) {
            std::string bad = good;
            bad.replace(bad.find(from), from.size(), to);
            try {
                (void)parseConversation(bad, "c.json");
            } catch (const Error &error) {
                return std::string(error.what());
            }
            return std::string("accepted");
        };
        QVERIFY(refusal("\"row\":1", "\"row\":7").find("event 2: is not row 1") != std::string::npos);
        QVERIFY(refusal("\"sampled\"", "\"dreamt\"").find("\"from\"") != std::string::npos);
        QVERIFY(refusal("\"event\":\"row\"", "\"event\":\"rewound\"").find("goes back to row 0, but there are 0") != std::string::npos);
        QVERIFY(refusal("\"version\":1", "\"version\":2").find("version") != std::string::npos);
        QVERIFY(refusal("\"probability\":", "\"probability\":7").find("c.json") == 0);
        QVERIFY(refusal("\"role\":\"user\"", "\"role\":\"loser\"").find("layout") != std::string::npos);
    }

    void aRecordingOfAnotherModelIsRefused()
    {
        StreamsEvent row;
        row.cells.resize(3);
        row.cells[1].token = m_texts->size();
        row.cells[1].text = "?";
        StreamsRun run(rows(), model(), m_texts, {});
        QVERIFY_EXCEPTION_THROWN(run.replay({row}), Error);
        row.cells.resize(2);
        QVERIFY_EXCEPTION_THROWN(run.replay({row}), Error);
    }

    void aModelThatFailsCanBeAskedAgain()
    {
        auto failing = model();
        StreamsRun run(rows(), failing, m_texts, {});
        StreamsRun calm(rows(), model(), m_texts, {});
        for (StreamsRun *r : {&run, &calm}) {
            r->say(0, "one two", TextEnd::Whole);
            r->step();
            r->step();
        }
        failing->fails_at_call = 2;
        QVERIFY_EXCEPTION_THROWN(run.step(), Error);
        QCOMPARE(run.rows(), std::int64_t(2));
        for (int i = 0; i < 5; ++i) {
            run.step();
            calm.step();
        }
        QVERIFY(allRows(run) == allRows(calm));
    }

    // The penalty grows from the row after the user's last word, not with the row in which it enters.
    void thePenaltyAfterTheUserBeginsOneRowLater()
    {
        auto layout = rows(SilenceRule::Stored);
        layout.streams[1].warm_start.clear();
        layout.streams[1].sampling = {};
        layout.streams[1].penalty = {-200, PenaltyTime::AfterUser, 1};  // so much for silence that nothing else is said
        auto hashed = model();
        hashed->script = [&](int stream, std::int64_t) { return stream == 1 ? m_texts->id(" hm") : 0; };
        StreamsRun run(layout, hashed, m_texts, {});
        run.sayAt(3, 0, "one");
        run.endTurnAt(3, 0);
        for (int i = 0; i < 6; ++i) {
            run.step();
        }
        QVERIFY(!run.row(3)[1].isSilent());
        QVERIFY(run.row(4)[1].isSilent() && run.row(5)[1].isSilent());
    }

    void endsOfStreamsAndOfTheWhole()
    {
        auto layout = rows();
        layout.streams[1].stop.silent_rows = 2;
        layout.streams[2].stop.most_tokens = 3;
        layout.stop.silent_rows = 2;
        layout.stop.most_rows = 50;
        auto hashed = model();
        hashed->script = [&](int stream, std::int64_t step) { return step < (stream == 1 ? 4 : 9) ? m_texts->id(" hm") : 0; };
        RunSettings settings;
        settings.at_silence = AtSilence::Ends;
        StreamsRun run(layout, hashed, m_texts, settings);
        while (run.step() == StepResult::Row) {
        }
        const auto events = run.takeEvents();
        std::vector<std::pair<int, EndReason>> ended;
        for (const StreamsEvent &event : events) {
            if (event.type == StreamsEventType::StreamEnded) {
                ended.emplace_back(event.stream, event.reason);
            }
        }
        QCOMPARE(ended, (std::vector<std::pair<int, EndReason>>{{2, EndReason::MostTokens}, {1, EndReason::Silence}}));
        QCOMPARE(events.back().reason, EndReason::Silence);
        QCOMPARE(run.rows(), std::int64_t(6));
        settings.at_silence = AtSilence::Waits;
        StreamsRun waiting(layout, hashed, m_texts, settings);
        while (waiting.step() == StepResult::Row) {
        }
        QCOMPARE(waiting.rows(), std::int64_t(50));
        QCOMPARE(waiting.takeEvents().back().reason, EndReason::MostRows);
    }

    void theModelsOwnLimitEndsTheRunWithASentence()
    {
        auto hashed = model();
        hashed->most_positions = 10;
        StreamsRun run(rows(), hashed, m_texts, {});
        while (run.step() == StepResult::Row) {
        }
        const auto events = run.takeEvents();
        QCOMPARE(events.back().reason, EndReason::ContextFull);
        QVERIFY(events[events.size() - 2].text.find("10 positions") != std::string::npos);
        for (const auto &call : hashed->calls) {
            for (const StreamInput &input : call) {
                QVERIFY(input.entry.position < 10);
            }
        }
    }

    void aScriptSaysWordsAtTheirRows()
    {
        auto layout = rows();
        layout.streams.push_back(streamOf("Page", StreamRole::Document, {0, 1, 2, 3}));
        const auto script = parseUserScript("# a demonstration\n2 one two\r\n\n+1@Page three\n+4\tfour\n+0\n", layout, "s.txt");
        QCOMPARE(script, (std::vector<ScriptLine>{{2, 0, "one two"}, {3, 3, "three"}, {7, 0, "four"}, {7, 0, ""}}));
        StreamsRun run(layout, model(), m_texts, {});
        schedule(script, run);
        for (int i = 0; i < 10; ++i) {
            run.step();
        }
        QCOMPARE(run.row(2)[0].text, std::string(" one"));
        QCOMPARE(run.row(3)[3].text, std::string(" three"));
        QCOMPARE(run.row(7)[0].text, std::string(" four"));
        const auto events = run.takeEvents();
        const auto ended = std::find_if(events.begin(), events.end(), [](const StreamsEvent &event) { return event.type == StreamsEventType::TurnEnded; });
        QVERIFY(ended != events.end());
        QCOMPARE(ended->row, std::int64_t(7));
        const auto refusal = [&](const char *text) {
            try {
                (void)parseUserScript(text, layout, "s.txt");
            } catch (const Error &error) {
                return std::string(error.what());
            }
            return std::string("accepted");
        };
        QVERIFY(refusal("0 a\nhello").starts_with("s.txt, line 2: does not begin with a row"));
        QVERIFY(refusal("5 a\n4 b").find("goes back from row 5 to row 4") != std::string::npos);
        QVERIFY(refusal("5@Answer a").find("\"Answer\" is no stream") != std::string::npos);
        QVERIFY(refusal("-1 a").find("begin with a row") != std::string::npos);
        QVERIFY(refusal("99999999999999999999 a").find("begin with a row") != std::string::npos);
        QVERIFY(refusal("1000000000 a\n+1000000000 b\n+9000000000000000000 c").find("line 2") != std::string::npos);
    }

    // What a person types is words; a table's cells stand as they are, marks without a space.
    void cellsOfATableEnterAsTheyStand()
    {
        StreamsRun run(rows(), model(), m_texts, {});
        run.sayCellAt(0, 0, " one");
        run.sayCellAt(1, 0, "x");
        run.sayAt(2, 0, "x");
        run.endTurnAt(3, 0);
        for (int i = 0; i < 4; ++i) {
            run.step();
        }
        QCOMPARE(textOf(run, 0), std::string(" onex x"));
        QCOMPARE(run.row(1)[0].text, std::string("x"));
        QVERIFY(run.isQuiet() || run.waiting(0) == 0);
    }

    void whatTheLayoutDoesNotHaveIsRefused()
    {
        StreamsRun run(rows(), model(), m_texts, {});
        QVERIFY_EXCEPTION_THROWN(run.say(1, "x", TextEnd::Whole), Error);  // a sampled stream speaks for itself
        QVERIFY_EXCEPTION_THROWN(run.say(9, "x", TextEnd::Whole), Error);
        QVERIFY_EXCEPTION_THROWN(run.setSystem("x"), Error);
        QVERIFY_EXCEPTION_THROWN(run.setVoice(0, Voice::SwitchedOff), Error);
        QVERIFY_EXCEPTION_THROWN(run.rewind(3), Error);
        auto layout = rows();
        layout.silence_text = "silence";  // several tokens
        QVERIFY_EXCEPTION_THROWN(StreamsRun(layout, model(), m_texts, {}), Error);
        auto mute = blocks();
        mute.streams[2].opening.clear();
        QVERIFY_EXCEPTION_THROWN(StreamsRun(mute, model(), m_texts, {}), Error);
    }
};

QTEST_GUILESS_MAIN(TestStreamsRun)
#include "tst_streams_run.moc"
