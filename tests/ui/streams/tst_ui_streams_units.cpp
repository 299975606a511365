// The plain parts of the Streams page: where lanes and steps stand, words on their way, running text, figures.
#include <QtTest>

#include "tests/ui/streams/streams_fakes.h"
#include "ui/streams/answer_text.h"
#include "ui/streams/lanes_geometry.h"
#include "ui/streams/lanes_model.h"
#include "ui/streams/overview_strip.h"
#include "ui/streams/run_figures.h"
#include "ui/streams/streams_inspector.h"
#include "ui/streams/streams_status.h"
#include "ui/streams/typed_words.h"

using namespace braid;
using namespace braid::ui;
using namespace braid::ui::test;
using braid::streams::StreamsEvent;
using braid::streams::StreamsEventType;

namespace {

streams::Cell word(const std::string &text, streams::CellSource source = streams::CellSource::Sampled)
{
    streams::Cell cell;
    cell.token = 1;
    cell.text = text;
    cell.source = source;
    cell.probability = 0.8;
    return cell;
}

// Rows of the box layout from words by stream; "" is silence. Fed streams' words are fed.
std::vector<StreamsEvent> rowsOf(std::int64_t first_row, const std::vector<std::map<int, std::string>> &rows)
{
    const streams::Layout layout = boxLayout();
    std::vector<StreamsEvent> events;
    for (const auto &said : rows) {
        StreamsEvent event;
        event.row = first_row++;
        event.time_ms = event.row * 100;
        event.cells.resize(layout.size());
        for (const auto &[stream, text] : said) {
            event.cells[static_cast<std::size_t>(stream)] =
                word(text, layout.streams[static_cast<std::size_t>(stream)].isSampled() ? streams::CellSource::Sampled : streams::CellSource::Fed);
        }
        events.push_back(event);
    }
    return events;
}

StreamsEvent eventOf(StreamsEventType type, std::int64_t row, int stream = -1)
{
    StreamsEvent event;
    event.type = type;
    event.row = row;
    event.stream = stream;
    return event;
}

streams::Conversation emptyBox()
{
    streams::Conversation conversation;
    conversation.layout = boxLayout();
    return conversation;
}

}  // namespace

class UiStreamsUnitsTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    // --- order and folds
    void theUserIsOnTopAndWhatIsOnlyReadIsFolded()
    {
        const streams::Layout layout = boxLayout();
        LaneArrangement lanes = LaneArrangement::of(layout);
        QCOMPARE(lanes.order, (std::vector<int>{kUser, kAnswer, kWorking, kCheck, kAudit, kDocument, kSystem}));
        QVERIFY(lanes.isOpen(kUser) && lanes.isOpen(kAudit) && !lanes.isOpen(kDocument) && !lanes.isOpen(kSystem));
        lanes.move(kAudit, 0);
        lanes.setFold(kCheck, LaneFold::Folded);
        const LaneArrangement again = LaneArrangement::of(layout, lanes.names(layout));
        QVERIFY(again == lanes);
        // A layout that lost a stream, or a file somebody changed by hand: what is known keeps its place.
        QVERIFY(LaneArrangement::of(layout, {QStringLiteral("+Nobody"), QString(), QStringLiteral("Check"), QStringLiteral("-User")}).order.size() ==
                layout.size());
        QVERIFY(!LaneArrangement::of(layout, {QStringLiteral("-User")}).isOpen(kUser));
    }

    // --- columns and bands
    void aColumnIsAsWideAsItsWidestOpenWord()
    {
        StepColumns columns;
        columns.reset(2);
        columns.setShape({10, 5, 20, 8}, {true, true});
        columns.append(std::vector<int>{3, 5});
        columns.append(std::vector<int>{0, 0});
        columns.append(std::vector<int>{100, 0});
        QCOMPARE(columns.right(0), std::int64_t(60));  // five characters and both paddings
        QCOMPARE(columns.right(1), std::int64_t(80));  // silence
        QCOMPARE(columns.total(), std::int64_t(170));  // at most eight characters
        columns.setShape({10, 5, 20, 8}, {true, false});
        QCOMPARE(columns.right(0), std::int64_t(40));
        columns.truncate(1);
        QCOMPARE(columns.rows(), std::int64_t(1));
        QCOMPARE(columns.total(), std::int64_t(40));
        QCOMPARE(columns.rowAt(-1), std::int64_t(-1));
        QCOMPARE(columns.rowAt(39), std::int64_t(0));
        QCOMPARE(columns.rowAt(40), std::int64_t(1));
    }
    void charactersTakeTheRoomTheyNeed_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("columns");
        QTest::newRow("latin") << QStringLiteral("twelve") << 6;
        QTest::newRow("accent put on") << QString(QStringLiteral("e") + QChar(0x0301)) << 1;
        QTest::newRow("chinese") << QStringLiteral("十二") << 4;
        QTest::newRow("nothing") << QString() << 0;
        QTest::newRow("picture") << QString::fromUtf8("\xF0\x9F\x99\x82") << 2;
    }
    void charactersTakeTheRoomTheyNeed()
    {
        QFETCH(QString, text);
        QFETCH(int, columns);
        QCOMPARE(displayColumns(text), columns);
    }
    void anHourOfStepsIsFoundAtOnce()
    {
        StepColumns columns;
        columns.reset(7);
        const std::vector<int> row(7, 4);
        QElapsedTimer clock;
        clock.start();
        for (int step = 0; step < 72'000; ++step) {
            columns.append(row);
        }
        columns.setShape({8, 5, 20, 18}, std::vector<bool>(7, true));  // another size of type: every column anew
        QCOMPARE(columns.rowAt(static_cast<double>(columns.left(71'999)) + 1), std::int64_t(71'999));
        QVERIFY2(clock.elapsed() < 5000, "an hour of steps is laid out in seconds even on a busy machine");
    }
    void lanesShareTheRoomThatFoldedOnesLeave()
    {
        const LaneArrangement lanes = LaneArrangement::of(boxLayout());
        const auto bands = laneBands(lanes, 0, 340, 30, 64);
        QCOMPARE(bands.size(), std::size_t(7));
        QCOMPARE(bands[0].height, 60.0);  // (340 - 2 * 20) / 5
        QCOMPARE(bands[5].height, kFoldedLanePx);
        QCOMPARE(bands[6].top + bands[6].height, 340.0);
        QCOMPARE(laneBands(lanes, 0, 100, 30, 64)[0].height, 30.0);   // too little room: they scroll
        QCOMPARE(laneBands(lanes, 0, 5000, 30, 64)[0].height, 64.0);  // too much: they stay together
    }
    void aPointMeansALaneAndAStep()
    {
        StepColumns columns;
        columns.reset(7);
        columns.setShape({10, 5, 20, 8}, std::vector<bool>(7, true));
        for (int step = 0; step < 10; ++step) {
            columns.append(std::vector<int>(7, 3));  // 40 wide
        }
        LanesGeometry geometry;
        geometry.columns = &columns;
        geometry.bands = laneBands(LaneArrangement::of(boxLayout()), 0, 340, 30, 64);
        geometry.width = 600;
        geometry.height = 366;
        geometry.names_width = 100;
        geometry.scroll_x = 40;
        QCOMPARE(geometry.at({105, 30}), (LanesHit{LanesPart::Cell, {1, kUser}}));
        QCOMPARE(geometry.at({145, 26 + 61}), (LanesHit{LanesPart::Cell, {2, kAnswer}}));
        QCOMPARE(geometry.at({10, 26 + 61}), (LanesHit{LanesPart::Name, {0, kAnswer}}));
        QCOMPARE(geometry.at({95, 26 + 61}), (LanesHit{LanesPart::FoldButton, {0, kAnswer}}));
        QCOMPARE(geometry.at({105, 10}), (LanesHit{LanesPart::Ruler, {1, 0}}));
        QCOMPARE(geometry.at({460, 10}), (LanesHit{LanesPart::RewindHandle, {9, 0}}));  // 10 * 40 - 40 + 100
        QCOMPARE(geometry.at({500, 30}).part, LanesPart::Waiting);
        QCOMPARE(geometry.at({700, 30}).part, LanesPart::Nothing);
        QCOMPARE(geometry.visibleRows().first, std::int64_t(1));
        QCOMPARE(geometry.visibleRows().last, std::int64_t(9));
        // A rewind cuts at the nearer edge of the step under the pointer.
        QCOMPARE(geometry.lastRowKeptAt(460), std::int64_t(9));
        QCOMPARE(geometry.lastRowKeptAt(435), std::int64_t(8));
        QCOMPARE(geometry.lastRowKeptAt(395), std::int64_t(7));
        geometry.scroll_x = 0;
        QCOMPARE(geometry.lastRowKeptAt(90), std::int64_t(-1));
        // Lanes are dropped between others.
        QCOMPARE(geometry.placeAt(26 + 10), 0);
        QCOMPARE(geometry.placeAt(26 + 70), 1);
        QCOMPARE(geometry.placeAt(2000), 7);
        QCOMPARE(rulerStep(10, 92), std::int64_t(10));
        QCOMPARE(rulerStep(100, 92), std::int64_t(1));
    }

    // --- what the lanes hold
    void rowsAreKeptOnceAndARewindTakesThemBack()
    {
        LanesModel lanes;
        lanes.reset(emptyBox());
        lanes.take(rowsOf(0, {{{kUser, " what"}}, {{kUser, " is"}}, {{kAnswer, " It"}}}));
        lanes.take({eventOf(StreamsEventType::TurnEnded, 1, kUser), eventOf(StreamsEventType::StreamEnded, 2, kAnswer)});
        QCOMPARE(lanes.rows(), std::int64_t(3));
        QCOMPARE(lanes.wordsOf(kUser), std::int64_t(2));
        QCOMPARE(lanes.textOf(kUser, 0, 2), QStringLiteral("what is"));
        QCOMPARE(lanes.firstWord(kAnswer), std::int64_t(2));
        QVERIFY(lanes.endOf(kAnswer).has_value());
        QCOMPARE(lanes.turnEnds().size(), std::size_t(1));
        QSignalSpy rewound(&lanes, &LanesModel::rewound);
        lanes.take({eventOf(StreamsEventType::Rewound, 0)});
        QCOMPARE(rewound.size(), 1);
        QCOMPARE(lanes.rows(), std::int64_t(1));
        QCOMPARE(lanes.wordsOf(kUser), std::int64_t(1));
        QVERIFY(!lanes.endOf(kAnswer) && lanes.turnEnds().empty());
        // What was taken back stays in the conversation: it is replayed as it was.
        QCOMPARE(lanes.conversation().events.size(), std::size_t(6));
        // A row of another layout, or out of turn, belongs to no lane.
        StreamsEvent strange = rowsOf(1, {{}}).front();
        strange.cells.resize(3);
        lanes.take({strange});
        lanes.take(rowsOf(7, {{}}));
        QCOMPARE(lanes.rows(), std::int64_t(1));
    }
    void cellsAreShownAsTheyRead()
    {
        QCOMPARE(cellText(word(" cat")), QStringLiteral("cat"));
        QCOMPARE(cellText(word("\n")), QStringLiteral("\u21b5"));
        QCOMPARE(cellText(word("\xE5\x8D")), QStringLiteral("<e5 8d>"));
        QVERIFY(continuesWord(word("ting")) && !continuesWord(word(" ting")) && !continuesWord(word("<|im_end|>")));
    }

    // --- words on their way
    void wordsEnterOneByOne()
    {
        TypedWords typed;
        typed.add("what is");
        typed.add("seven");
        QCOMPARE(typed.wordsWaiting(), std::size_t(3));
        const auto piece = typed.give();
        QCOMPARE(piece.words, std::string("what is seven"));
        QVERIFY(typed.give().words.empty());
        typed.entered(" what");
        typed.entered(" i");
        QCOMPARE(typed.firstWords(9), (std::vector<std::string>{"s", "seven"}));
        QCOMPARE(typed.wordsWaiting(), std::size_t(2));
        typed.entered("s");
        typed.entered(" seven");
        QVERIFY(typed.isEmpty());
        QCOMPARE(typed.wordsWaiting(), std::size_t(0));
    }
    void aTokenizerMayWriteOtherwise()
    {
        TypedWords typed;
        typed.add("cafe\xCC\x81 now please");
        static_cast<void>(typed.give());
        typed.entered(" caf\xC3\xA9");  // put together: not found, passed over at the next word
        typed.entered(" now");
        QCOMPARE(typed.firstWords(9), (std::vector<std::string>{"please"}));
        typed.allEntered();
        QVERIFY(typed.isEmpty());
    }
    void aBookIsHandedOverAsItEnters()
    {
        TypedWords typed;
        std::string book;
        for (int count = 0; count < 100'000; ++count) {
            book += "word" + std::to_string(count) + " ";
        }
        QCOMPARE(typed.add(book), std::size_t(0));
        QCOMPARE(typed.wordsWaiting(), std::size_t(100'000));
        std::size_t given = 0;
        std::size_t entered = 0;
        for (int step = 0; step < 5000; ++step) {
            const auto piece = typed.give();
            QVERIFY(piece.words.size() <= kMostGivenBytes);
            given += static_cast<std::size_t>(std::count(piece.words.begin(), piece.words.end(), ' '));
            typed.entered(" word" + std::to_string(entered++));
        }
        QVERIFY(given >= 5000 && given < 5500);  // a little ahead, never all of it
        QCOMPARE(typed.wordsWaiting(), std::size_t(95'000));
        QCOMPARE(typed.firstWords(1), (std::vector<std::string>{"word5000"}));
        QVERIFY(typed.add(std::string(kMostTypedBytes, 'x')) > 0);  // there is an end, and it is said
        QVERIFY(typed.clear().find("word99999") != std::string::npos);
        QVERIFY(typed.isEmpty());
    }
    void aWordWithoutEndIsCutBetweenCharacters()
    {
        TypedWords typed;
        std::string endless;
        for (int count = 0; count < 2000; ++count) {
            endless += "\xE5\x8D\x81";
        }
        typed.add(endless);
        const auto piece = typed.give();
        QVERIFY(!piece.words.empty() && piece.words.size() % 3 == 0 && piece.words.size() < kMostGivenBytes);
    }
    void theTurnEndsBehindItsWords()
    {
        TypedWords typed;
        std::string many;
        for (int count = 0; count < 1000; ++count) {
            many += "seven ";
        }
        typed.add(many);
        typed.endTurn();
        typed.add("next turn");
        QVERIFY(typed.give().end == TurnEnd::No);
        int entered = 0;
        TypedWords::Piece piece;
        for (; piece.end == TurnEnd::No && entered < 1000; ++entered) {
            typed.entered(" seven");
            piece = typed.give();
            QVERIFY(piece.words.find("next") == std::string::npos);
        }
        QVERIFY(piece.end == TurnEnd::Yes);
        for (; entered < 1000; ++entered) {
            typed.entered(" seven");
        }
        QCOMPARE(typed.give().words, std::string("next turn"));
        TypedWords nothing;
        nothing.endTurn();
        QVERIFY(nothing.give().end == TurnEnd::Yes && nothing.give().end == TurnEnd::No);
    }

    // --- running text
    void cellsBecomeWordsAndTurnsBecomeLines()
    {
        LanesModel lanes;
        AnswerText answer(lanes);
        lanes.reset(emptyBox());
        QCOMPARE(answer.stream(), static_cast<int>(kAnswer));
        lanes.take(rowsOf(0, {{{kUser, " what"}}, {{kAnswer, " fif"}}, {{kAnswer, "teen"}}, {{kAnswer, " ."}}}));
        QCOMPARE(answer.transcript().wordCount(), 1);
        QCOMPARE(QString::fromStdString(answer.transcript().word(0).text), QStringLiteral("fifteen"));
        QCOMPARE(answer.transcript().tail().size(), std::size_t(1));  // it may still grow
        QCOMPARE(answer.rowOf(0), std::int64_t(1));
        answer.settle();
        QVERIFY(answer.transcript().tail().empty());
        lanes.take({eventOf(StreamsEventType::TurnEnded, 3, kUser)});
        lanes.take(rowsOf(4, {{{kUser, " and"}}, {{kAnswer, " twelve"}}}));
        QCOMPARE(answer.transcript().paragraphs().size(), std::size_t(1));  // the second line's word is still unsettled
        answer.settle();
        QCOMPARE(answer.transcript().paragraphs().size(), std::size_t(2));
        lanes.take({eventOf(StreamsEventType::Rewound, 2)});
        QCOMPARE(answer.transcript().wordCount(), 0);
        QCOMPARE(answer.transcript().tail().size(), std::size_t(1));
        answer.setStream(kUser);
        answer.settle();
        QCOMPARE(QString::fromStdString(answer.transcript().word(0).text), QStringLiteral("what"));
    }

    // --- figures
    void theAnswerMayBeginWhileItIsAsked()
    {
        LanesModel lanes;
        lanes.reset(emptyBox());
        QVERIFY(!figuresOf(lanes, kAnswer).has_turn);
        lanes.take(rowsOf(
            0, {{}, {{kUser, " what"}}, {{kUser, " is"}}, {{kUser, " it"}, {kAnswer, " It"}}, {{kUser, " ?"}}, {{kAnswer, " is"}}, {{kCheck, " right"}}, {}}));
        const RunFigures figures = figuresOf(lanes, kAnswer);
        QCOMPARE(figures.words_read, std::int64_t(2));
        QCOMPARE(figures.steps_to_answer, std::int64_t(2));
        QCOMPARE(figures.ms_to_answer, std::int64_t(200));
        QVERIFY(figures.began_before_end);
        QCOMPARE(figures.steps_to_end, std::int64_t(5));
        // The baseline of the same words answers later: the earlier figure is marked.
        LanesModel queue;
        queue.reset(emptyBox());
        queue.take(
            rowsOf(0, {{{kUser, " what"}}, {{kUser, " is"}}, {{kUser, " it"}}, {{kUser, " ?"}}, {{kWorking, " 7"}}, {{kAnswer, " It"}}, {{kAnswer, " is"}}}));
        const RunFigures late = figuresOf(queue, kAnswer);
        QCOMPARE(late.words_read, std::int64_t(4));
        QVERIFY(!late.began_before_end);
        const auto lines = figureLines(figures, late);
        QVERIFY(lines[0].better && lines[1].better && lines[2].better);
        QVERIFY(!figureLines(late, figures)[1].better);
        QVERIFY(!figureLines(figures, {})[1].better);  // who has said nothing has lost nothing
        // A second turn counts by itself.
        lanes.take({eventOf(StreamsEventType::TurnEnded, 7, kUser)});
        lanes.take(rowsOf(8, {{{kUser, " no"}}, {{kUser, " eight"}}}));
        QCOMPARE(figuresOf(lanes, kAnswer).steps_to_answer, std::int64_t(-1));
        QCOMPARE(figuresOf(lanes, kAnswer).words_read, std::int64_t(2));
    }
    void theOverviewCostsTheSameAfterAnHour()
    {
        LanesModel lanes;
        lanes.reset(emptyBox());
        WordDensity density;
        density.reset(7);
        for (std::int64_t row = 0; row < 5000; row += 100) {
            lanes.take(rowsOf(row, std::vector<std::map<int, std::string>>(100, {{kUser, " a"}})));
            density.add(lanes, row);
        }
        QVERIFY(density.buckets() <= WordDensity::kMostBuckets);
        QCOMPARE(density.rowsPerBucket(), std::int64_t(4));
        QCOMPARE(density.of(0, kUser), 1.0);
        QCOMPARE(density.of(density.buckets() - 1, kUser), 1.0);
        QCOMPARE(density.of(0, kAnswer), 0.0);
        lanes.take({eventOf(StreamsEventType::Rewound, 9)});
        density.recount(lanes);
        QCOMPARE(density.rows(), std::int64_t(10));
    }
    void attentionIsSharedOutByStream()
    {
        streams::LookAnswer look;
        look.cells = {
            {-1, kSystem, 1, " be", 0.2F}, {0, kUser, 1, " what", 0.5F}, {1, kUser, 1, " is", 0.1F}, {1, kAnswer, 1, " It", 0.2F}, {2, 99, 1, " ?", 9.0F}};
        const auto shares = sharesOf(look, 7);
        QVERIFY(std::abs(shares[kUser] - 0.6) < 1e-6 && std::abs(shares[kSystem] - 0.2) < 1e-6 && shares[kCheck] == 0);
        QCOMPARE(sharesOf({}, 7)[0], 0.0);
    }
    void theStatusLineSaysWhatIsTrue()
    {
        streams::StreamsSnapshot snapshot;
        snapshot.status.step_ms.median_ms = 38.24;
        snapshot.status.tokens_per_second = 61.4;
        snapshot.status.cache_entries = 412;
        snapshot.status.most_positions = 512;
        const auto text = streamsStatusText(StreamsActivity::Running, snapshot, 40);
        QCOMPARE(text.state, QStringLiteral("running"));
        QCOMPARE(text.time, QStringLiteral("38.2 ms a step"));
        QCOMPARE(text.speed, QStringLiteral("61 tokens/s"));
        QCOMPARE(text.cache, QStringLiteral("412 in the cache, room for 472 steps"));
        QCOMPARE(streamsStatusText(StreamsActivity::Waiting, snapshot, 40).state, QStringLiteral("waits for words"));
        snapshot.state = streams::StreamsRunState::Failed;
        QCOMPARE(streamsStatusText(StreamsActivity::Idle, snapshot, 0).state, QStringLiteral("stopped by an error"));
    }
};

QTEST_MAIN(UiStreamsUnitsTest)
#include "tst_ui_streams_units.moc"
