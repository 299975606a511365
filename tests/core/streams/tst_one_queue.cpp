// The single-stream baseline in the lanes: it listens, reads the whole turn, then writes lane after lane.
#include <QtTest>

#include "core/base/error.h"
#include "core/streams/collapse.h"
#include "core/streams/one_queue.h"
#include "core/streams/streams_run.h"
#include "tests/core/streams/hashed_streams_model.h"
#include "tests/core/streams/small_texts.h"
#include "tests/core/streams/streams_of.h"

using namespace braid;
using namespace braid::streams;

namespace {

const std::vector<std::string> kWords{" one", " two",       " three",   " rule",        " page",      " sum",        " is",
                                      " ok",  "<|System|>", "<|User|>", "<|Document|>", "<|Answer|>", "<|Working|>", "<|end|>"};

}  // namespace

class TestOneQueue : public QObject {
    Q_OBJECT

    std::shared_ptr<SmallTexts> m_texts = std::make_shared<SmallTexts>(kWords);
    std::shared_ptr<HashedStreamsModel> m_queue;
    std::shared_ptr<OneQueueModel> m_lanes;

    static Layout layout()
    {
        const std::vector<int> all{0, 1, 2, 3, 4};
        Layout layout;
        layout.name = "five";
        layout.silence = SilenceRule::Skipped;
        layout.silence_text = " -";
        layout.stop.silent_rows = 2;
        layout.streams = {streamOf("System", StreamRole::System, all), streamOf("User", StreamRole::User, all), streamOf("Document", StreamRole::Document, all),
                          streamOf("Answer", StreamRole::Assistant, all), streamOf("Working", StreamRole::Assistant, all)};
        return layout;
    }
    // Says `said`, token after token, behind every prompt, whatever its length.
    std::unique_ptr<StreamsRun> runSaying(const std::vector<std::string> &said, RunSettings settings = {})
    {
        m_queue = std::make_shared<HashedStreamsModel>(m_texts->size());
        m_queue->script = [this, said, asked = std::int64_t(-1)](int, std::int64_t place) mutable {
            const auto &call = m_queue->calls.back();
            if (call.front().entry.step == 0) {  // a new turn, or one that is read again after going back
                const auto lane = std::find_if(call.begin(), call.end(), [this](const StreamInput &input) {
                    return input.token == m_texts->id("<|Answer|>") || input.token == m_texts->id("<|Working|>");
                });
                asked = place - (call.end() - lane);
            }
            const auto index = static_cast<std::size_t>(place - asked);
            return m_texts->id(index < said.size() ? said[index] : "<|end|>");
        };
        m_lanes = std::make_shared<OneQueueModel>(layout(), m_queue, *m_texts);
        return std::make_unique<StreamsRun>(layout(), m_lanes, m_texts, settings);
    }
    static std::string lane(const StreamsRun &run, int stream)
    {
        std::string text;
        for (std::int64_t r = 0; r < run.rows(); ++r) {
            const std::string &cell = run.row(r)[static_cast<std::size_t>(stream)].text;
            text += cell.empty() ? "_" : cell;
        }
        return text;
    }
    std::vector<std::string> promptRead(std::size_t call) const
    {
        std::vector<std::string> texts;
        for (const StreamInput &input : m_queue->calls.at(call)) {
            texts.push_back(m_texts->text(input.token));
        }
        return texts;
    }

  private Q_SLOTS:
    void itListensUntilTheTurnIsOverAndWritesOneLaneAtATime()
    {
        const auto run = runSaying({"<|Working|>", " sum", "<|Answer|>", " is", " three"});
        run->setSystem("rule");
        run->say(1, "one two", TextEnd::Whole);
        run->say(2, "page", TextEnd::Whole);
        for (int i = 0; i < 3; ++i) {
            run->step();
        }
        QVERIFY(m_queue->calls.empty());  // nobody has finished: nothing is computed
        run->endTurn(1);
        for (int i = 0; i < 7; ++i) {
            run->step();
        }
        QCOMPARE(promptRead(0), (std::vector<std::string>{"<|System|>", " rule", "<|User|>", " one", " two", "<|Document|>", " page"}));
        QCOMPARE(lane(*run, 4), std::string("___ sum______"));
        QCOMPARE(lane(*run, 3), std::string("____ is three____"));
        QCOMPARE(run->row(4)[3].source, CellSource::Sampled);
        QVERIFY(run->row(4)[3].probability > 0.9);
        QVERIFY(run->isQuiet());
        // Nothing was read twice: the prompt in one pass, then token by token, marks with what follows them.
        for (std::size_t call = 1; call < m_queue->calls.size(); ++call) {
            QCOMPARE(m_queue->calls[call].size(), std::size_t(1));
        }
    }

    void theNextTurnIsASequenceOfItsOwnUnderTheSameRules()
    {
        const auto run = runSaying({"<|Answer|>", " ok"});
        run->setSystem("rule");
        run->say(1, "one", TextEnd::Whole);
        run->endTurn(1);
        for (int i = 0; i < 6; ++i) {
            run->step();
        }
        const std::size_t calls = m_queue->calls.size();
        run->say(1, "two", TextEnd::Whole);
        run->endTurn(1);
        for (int i = 0; i < 5; ++i) {
            run->step();
        }
        QCOMPARE(promptRead(calls), (std::vector<std::string>{"<|System|>", " rule", "<|User|>", " two"}));
        QCOMPARE(lane(*run, 3), std::string("_ ok_____ ok___"));
    }

    void whatIsSaidMeanwhileWaitsForTheNextTurn()
    {
        const auto run = runSaying({"<|Answer|>", " is", " ok", " ok"});
        run->say(1, "one", TextEnd::Whole);
        run->endTurn(1);
        run->step();
        run->step();
        run->say(1, "two", TextEnd::Whole);
        run->endTurn(1);
        for (int i = 0; i < 4; ++i) {
            run->step();
        }
        const std::size_t calls = m_queue->calls.size();
        run->step();
        QVERIFY(m_queue->calls.size() > calls - 1);
        bool heard_two = false;
        for (std::size_t call = 0; call < m_queue->calls.size(); ++call) {
            heard_two = heard_two || promptRead(call) == std::vector<std::string>{"<|User|>", " two"};
        }
        QVERIFY(heard_two);
        QVERIFY(lane(*run, 3).starts_with("_ is ok ok"));
    }

    void goingBackAndOnIsAsIfItHadNotGoneThere()
    {
        const std::vector<std::string> said{"<|Working|>", " sum", " one", "<|Answer|>", " is", " three"};
        const auto straight = runSaying(said);
        const auto straight_queue = m_queue;
        straight->say(1, "one two", TextEnd::Whole);
        straight->endTurn(1);
        for (int i = 0; i < 9; ++i) {
            straight->step();
        }
        const auto crooked = runSaying(said);
        crooked->say(1, "one two", TextEnd::Whole);
        crooked->endTurn(1);
        for (int i = 0; i < 7; ++i) {
            crooked->step();
        }
        crooked->rewind(4);  // in the middle of the answer
        for (int i = 0; i < 4; ++i) {
            crooked->step();
        }
        for (std::int64_t row = 0; row < 9; ++row) {
            QCOMPARE(crooked->row(row), straight->row(row));
        }
    }

    void aLookShowsTheLanesInPlaceOfTheQueue()
    {
        const auto run = runSaying({"<|Answer|>", " is", " ok"});
        run->say(1, "one two", TextEnd::Whole);
        run->endTurn(1);
        for (int i = 0; i < 5; ++i) {
            run->step();
        }
        const auto query = run->explains(3, 3);  // " ok", which " is" predicted
        QVERIFY(query.has_value());
        std::vector<std::pair<std::string, std::int64_t>> attended;
        for (const AttendedEntry &entry : m_lanes->look(*query, {})) {
            attended.emplace_back(m_texts->text(entry.token), entry.entry.step);
        }
        QCOMPARE(attended, (std::vector<std::pair<std::string, std::int64_t>>{{"<|User|>", -1}, {" one", 0}, {" two", 1}, {"<|Answer|>", 2}, {" is", 2}}));
    }

    void modelsAndLayoutsThatDoNotFitAreRefused()
    {
        const auto queue = std::make_shared<HashedStreamsModel>(300);
        const SmallTexts without_marks({" one"});
        QVERIFY_EXCEPTION_THROWN(OneQueueModel(layout(), queue, without_marks), Error);
        auto absent = layout();
        absent.silence = SilenceRule::Absent;
        QVERIFY_EXCEPTION_THROWN(OneQueueModel(absent, queue, *m_texts), Error);
    }

    void aTurnLongerThanTheModelIsSaidAndNotAnswered()
    {
        const auto run = runSaying({"<|Answer|>", " ok"});
        m_queue->most_positions = 4;
        run->say(1, "one two three one two", TextEnd::Whole);
        run->endTurn(1);
        int failures = 0;
        for (int i = 0; i < 9; ++i) {
            try {
                run->step();
            } catch (const Error &error) {
                ++failures;
                QVERIFY(std::string(error.what()).find("6 tokens") != std::string::npos);
            }
        }
        QVERIFY(failures >= 1);
    }
};

QTEST_GUILESS_MAIN(TestOneQueue)
#include "tst_one_queue.moc"
