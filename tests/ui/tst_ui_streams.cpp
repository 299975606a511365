// The Streams page over the real session and a scripted model: typing, pausing, stepping, going back, looking, folding, files, the baseline.
#include <ctime>

#include <QAccessible>
#include <QClipboard>
#include <QDoubleSpinBox>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include "core/base/file.h"
#include "tests/support/interrupted_run.h"
#include "tests/ui/streams_room.h"
#include "ui/inspector/token_bars.h"
#include "ui/main_window.h"
#include "ui/streams/answer_panel.h"
#include "ui/streams/lanes_view.h"
#include "ui/streams/share_bars.h"
#include "ui/streams/streams_choices_row.h"
#include "ui/streams/streams_inspector.h"
#include "ui/streams/streams_panel.h"
#include "ui/streams/streams_status.h"
#include "ui/transcript/transcript_view.h"
#include "ui/widgets/choice_box.h"
#include "ui/widgets/notice_bar.h"

using namespace braid;
using namespace braid::ui;
using namespace braid::ui::test;

namespace {

void drag(QWidget *widget, QPoint from, QPoint to)
{
    QTest::mousePress(widget, Qt::LeftButton, {}, from);
    for (int step = 1; step <= 4; ++step) {
        const QPoint at = from + (to - from) * step / 4;
        QMouseEvent move(QEvent::MouseMove, at, widget->mapToGlobal(at), Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(widget, &move);
    }
    QTest::mouseRelease(widget, Qt::LeftButton, {}, to);
}

}  // namespace

class UiStreamsTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    // --- typing
    void wordsEnterWhileTheOthersSpeak()
    {
        Room room;
        QVERIFY(room.ready);
        QVERIFY(!room.page->controller().isGoing());
        room.type(QStringLiteral("what is sev"));
        QVERIFY(room.page->controller().isGoing());  // the first word starts the run
        QCOMPARE(room.page->typing().unfinished(), QStringLiteral("sev"));
        QCOMPARE(room.parallel->said(kUser), QStringLiteral("what is"));
        room.advance(2);
        QCOMPARE(room.lane(kUser), QStringLiteral("what is"));
        room.type(QStringLiteral("en plus five ? "));
        room.advance(12);
        QCOMPARE(room.lane(kUser), QStringLiteral("what is seven plus five ?"));
        QCOMPARE(room.lane(kWorking), QStringLiteral("7 + 5 = 12"));
        QCOMPARE(room.lane(kAnswer), QStringLiteral("It is twelve ."));
        // Worked out while it was asked: the working's first word stands beside the question's.
        QVERIFY(room.page->controller().lanes().firstWord(kWorking) <= 5);
        QCOMPARE(QString::fromStdString(room.page->answer().answer().transcript().word(0).text), QStringLiteral("It"));
        QVERIFY(room.page->status().text().contains(QStringLiteral("step 14")));
        QVERIFY(room.page->typing().unfinished().isEmpty());
    }
    void enterEndsTheTurnAndControlEnterCutsIn()
    {
        Room room;
        room.type(QStringLiteral("what is"));
        QTest::keyClick(&room.page->typing().field(), Qt::Key_Return);
        QCOMPARE(room.parallel->said(kUser), QStringLiteral("what is"));
        QCOMPARE(room.parallel->posts<sessions::EndTurn>(), 1);
        room.advance(4);
        QCOMPARE(room.page->controller().lanes().turnEnds().size(), std::size_t(1));
        room.type(QStringLiteral("no no no no wait"));
        QTest::keyClick(&room.page->typing().field(), Qt::Key_Return, Qt::ControlModifier);
        QCOMPARE(room.parallel->posts<sessions::Interrupt>(), 1);
        room.advance(6);
        QCOMPARE(room.lane(kUser), QStringLiteral("what is wait"));
    }
    void theWholeLineMayWaitForEnter()
    {
        Room room;
        room.page->typing().setMode(TypingMode::WithEnter);
        room.type(QStringLiteral("what is seven"));
        QVERIFY(!room.page->controller().isGoing());
        QTest::keyClick(&room.page->typing().field(), Qt::Key_Return);
        room.advance(4);
        QCOMPARE(room.lane(kUser), QStringLiteral("what is seven"));
    }
    void aPastedBookWaitsAndNothingFreezes()
    {
        Room room;
        QString book;
        for (int count = 0; count < 200'000; ++count) {
            book += QStringLiteral("the book ");
        }
        QElapsedTimer clock;
        clock.start();
        QApplication::clipboard()->setText(book);
        room.page->typing().field().paste();
        QApplication::processEvents();
        QVERIFY2(clock.elapsed() < 3000, qPrintable(QStringLiteral("%1 ms").arg(clock.elapsed())));
        QVERIFY(room.page->typing().field().toPlainText().isEmpty());
        QCOMPARE(room.page->controller().typed(kUser).wordsWaiting(), std::size_t(400'000));
        QVERIFY(room.parallel->said(kUser).size() <= static_cast<qsizetype>(2 * kMostGivenBytes));  // the run's queue is never asked for more than it holds
        clock.restart();
        room.advance(50);
        QVERIFY2(clock.elapsed() < 5000, qPrintable(QStringLiteral("%1 ms").arg(clock.elapsed())));
        QCOMPARE(room.page->controller().lanes().wordsOf(kUser), std::int64_t(50));
        QCOMPARE(room.page->controller().typed(kUser).wordsWaiting(), std::size_t(399'950));
        QVERIFY(room.page->controller().lanes().conversation().events.size() < 60);  // no notice of words left out
        // What waits can be dropped, and taken up again.
        Q_EMIT room.page->typing().dropRequested(kUser);
        QCOMPARE(room.page->controller().typed(kUser).wordsWaiting(), std::size_t(0));
        QVERIFY(room.page->notices().sentences().join(QLatin1Char(' ')).contains(QStringLiteral("dropped")));
    }
    void whatIsSaidAloudEntersAsItSettles()
    {
        Room room;
        room.captions.transcript().append(transcriptOf(words(QStringLiteral("earlier words"), 0)));
        auto buttons = room.page->typing().findChildren<QPushButton *>();
        const auto voice = std::find_if(buttons.begin(), buttons.end(), [](QPushButton *button) { return button->isCheckable(); });
        QVERIFY(voice != buttons.end());
        (*voice)->click();
        QVERIFY(room.page->notices().sentences().join(QLatin1Char(' ')).contains(QStringLiteral("captions are not running")));
        text::Transcript items = transcriptOf(words(QStringLiteral("what is seven"), 1));
        items.emplace_back(text::LineBreak{samplesFromSeconds(3)});
        room.captions.transcript().append(items);
        room.advance(4);
        QCOMPARE(room.lane(kUser), QStringLiteral("what is seven"));
        QCOMPARE(room.parallel->posts<sessions::EndTurn>(), 1);
    }
    void aTextFileEntersWordByWord()
    {
        const QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("question.txt").toStdString();
        writeFileAtomically(file, "what is\nseven plus five ?\n");
        Room room;
        room.page->openFiles({file});
        QTRY_VERIFY_WITH_TIMEOUT(room.page->controller().isGoing(), kPatienceMs);
        room.advance(8);
        QCOMPARE(room.lane(kUser), QStringLiteral("what is seven plus five ?"));
        writeFileAtomically(file, std::string("\xFF\xFE\x00", 3));
        room.page->openFiles({file});
        QTRY_VERIFY_WITH_TIMEOUT(room.page->notices().sentences().join(QLatin1Char(' ')).contains(QStringLiteral("no text in UTF-8")), kPatienceMs);
    }
    void withoutAModelASentenceSaysSo()
    {
        Room room;
        room.services.list_models = []() -> std::vector<StreamsModelEntry> { return {}; };
        room.page->choicesRow().refresh();
        QTRY_VERIFY_WITH_TIMEOUT(room.page->choicesRow().models().empty(), kPatienceMs);
        room.type(QStringLiteral("what "));
        QVERIFY(!room.page->controller().isGoing());
        QVERIFY(room.page->notices().sentences().join(QLatin1Char(' ')).contains(QStringLiteral("No model for parallel streams")));
    }
    void aRunThatFailsSaysWhatHappenedAndKeepsTheLanes()
    {
        Room room;
        room.askTheSum();
        room.parallel->fail("streams-en: the weights are missing. Fetch the folder again.");
        QTRY_VERIFY_WITH_TIMEOUT(!room.page->controller().isGoing(), kPatienceMs);
        QVERIFY(room.page->notices().sentences().join(QLatin1Char(' ')).contains(QStringLiteral("weights are missing")));
        QCOMPARE(room.page->controller().lanes().rows(), std::int64_t(14));
    }
    void whatAnOlderRunStillSaysIsDropped()
    {
        Room room;
        room.type(QStringLiteral("what "));
        room.advance(3);
        room.page->newPage();
        room.type(QStringLiteral("is "));
        room.parallel->sayLate(1);
        room.advance(1);
        QCOMPARE(room.lane(kUser), QStringLiteral("is"));
        QCOMPARE(room.page->controller().lanes().rows(), std::int64_t(1));
    }

    // --- time
    void spacePausesAndAStopStepsOnce()
    {
        Room room;
        room.askTheSum();
        QTest::keyClick(&room.page->lanes(), Qt::Key_Right);  // the lanes have the keys
        room.page->startOrStop();
        QTRY_COMPARE_WITH_TIMEOUT(room.page->controller().activity(), StreamsActivity::Paused, kPatienceMs);
        room.advance(5);
        QCOMPARE(room.page->controller().lanes().rows(), std::int64_t(14));
        QVERIFY(room.page->takeKey(Qt::Key_Period) == ui::KeyUse::Taken);
        room.settle();
        QCOMPARE(room.page->controller().lanes().rows(), std::int64_t(15));
        room.page->startOrStop();
        room.type(QStringLiteral("no "));
        room.advance(1);
        QCOMPARE(room.page->controller().lanes().rows(), std::int64_t(16));
    }
    void tempoAndSamplingHoldFromTheNextStep()
    {
        Room room;
        room.type(QStringLiteral("what "));
        QVERIFY(std::abs(room.parallel->started.back().rows_per_second - 8) < 1e-9);
        StreamsPanel &panel = room.page->choicesRow().panel();
        Q_EMIT panel.tempoChanged(20);
        QCOMPARE(room.parallel->posts<sessions::SetTempo>(), 1);
        auto *temperature = panel.findChildren<QDoubleSpinBox *>().front();
        temperature->setValue(0.7);
        QCOMPARE(room.parallel->posts<sessions::Adjust>(), 4);  // all who speak
        QVERIFY(std::abs(panel.tuningOf(kAnswer).sampling.temperature - 0.7) < 1e-9);
        // The next run begins with it.
        QVERIFY(std::abs(room.page->choicesRow().layout()->streams[kAnswer].sampling.temperature - 0.7) < 1e-9);
    }

    // --- going back
    void theHandleIsDraggedBackAndOtherWordsGoOn()
    {
        Room room;
        room.askTheSum();
        const QString working_before = room.lane(kWorking);
        const LanesGeometry &geometry = room.page->lanes().geometryNow();
        const QPoint to(static_cast<int>(geometry.xOf(4)) + 1, 10);  // in front of step 5
        drag(room.page->lanes().viewport(), room.handlePoint(), to);
        room.settle();
        QCOMPARE(room.page->controller().lanes().rows(), std::int64_t(4));
        QCOMPARE(room.lane(kUser), QStringLiteral("what is seven plus"));
        QVERIFY(room.page->notices().sentences().join(QLatin1Char(' ')).contains(QStringLiteral("Back at step 4")));
        QTRY_COMPARE_WITH_TIMEOUT(room.page->controller().activity(), StreamsActivity::Paused, kPatienceMs);
        room.advance(3);
        QCOMPARE(room.page->controller().lanes().rows(), std::int64_t(4));  // it waits for other words
        room.parallel->script[{kAnswer, 6}] = " It";
        room.parallel->script[{kAnswer, 8}] = " fifteen";
        room.type(QStringLiteral("eight "));
        room.advance(8);
        QCOMPARE(room.lane(kUser), QStringLiteral("what is seven plus eight"));
        QCOMPARE(room.lane(kAnswer), QStringLiteral("It is fifteen ."));
        QVERIFY(!working_before.isEmpty());
    }
    void aRewindIsUndone()
    {
        Room room;
        room.askTheSum();
        const QString answer = room.lane(kAnswer);
        room.page->stepTuning(-1);
        QCOMPARE(*room.page->lanes().rewindMark(), std::int64_t(12));
        QTest::keyClick(&room.page->lanes(), Qt::Key_BraceLeft);
        QCOMPARE(*room.page->lanes().rewindMark(), std::int64_t(2));
        QCOMPARE(room.page->controller().lanes().rows(), std::int64_t(14));  // only marked so far
        QTest::keyClick(&room.page->lanes(), Qt::Key_Return);
        room.settle();
        QCOMPARE(room.page->controller().lanes().rows(), std::int64_t(3));
        auto *undo = [&]() -> QPushButton * {
            for (auto *button : room.page->notices().findChildren<QPushButton *>()) {
                if (button->text() == QStringLiteral("Undo")) {
                    return button;
                }
            }
            return nullptr;
        }();
        QVERIFY(undo != nullptr);
        undo->click();
        QTRY_COMPARE_WITH_TIMEOUT(room.page->controller().lanes().rows(), std::int64_t(14), kPatienceMs);
        QCOMPARE(room.lane(kAnswer), answer);
    }
    void escapeLeavesEverythingWhereItWas()
    {
        Room room;
        room.askTheSum();
        room.page->stepTuning(-1);
        QTRY_COMPARE_WITH_TIMEOUT(room.page->controller().activity(), StreamsActivity::Paused, kPatienceMs);
        QTest::keyClick(&room.page->lanes(), Qt::Key_Escape);
        QVERIFY(!room.page->lanes().rewindMark());
        QTRY_VERIFY_WITH_TIMEOUT(room.page->controller().isMoving(), kPatienceMs);
        QCOMPARE(room.page->controller().lanes().rows(), std::int64_t(14));
    }

    // --- looking
    void theCellUnderThePointerShowsWhatItAttendedTo()
    {
        Room room;
        room.askTheSum();
        QTest::mouseMove(room.page->lanes().viewport(), room.cellPoint(8, kAnswer));
        QTRY_VERIFY_WITH_TIMEOUT(room.page->lanes().hoveredCell() == (CellRef{8, kAnswer}), kPatienceMs);
        StreamsInspector &inspector = room.page->inspector();
        QCOMPARE(inspector.wordText(), QStringLiteral("twelve"));
        QVERIFY(inspector.tokens().bars().size() >= 3);  // the token and its rivals, by name
        QVERIFY(!inspector.tokens().bars()[1].label.startsWith(QLatin1Char('#')));
        QTRY_VERIFY_WITH_TIMEOUT(!inspector.shares().bars().empty(), kPatienceMs);
        QCOMPARE(inspector.shares().bars().front().label, QStringLiteral("User"));
        QVERIFY(inspector.lookText().contains(QStringLiteral("step")));
        // Another summary asks again.
        const int looks = room.parallel->posts<sessions::Look>();
        Q_EMIT inspector.lookChanged();
        QCOMPARE(room.parallel->posts<sessions::Look>(), looks + 1);
        // Pinned, it stays while the pointer is elsewhere.
        QTest::mouseClick(room.page->lanes().viewport(), Qt::LeftButton, {}, room.cellPoint(8, kAnswer));
        QVERIFY(room.page->lanes().pinnedCell() == (CellRef{8, kAnswer}));
        QTest::mouseMove(room.page->lanes().viewport(), QPoint(5, 5));
        QTRY_VERIFY_WITH_TIMEOUT(!room.page->lanes().hoveredCell(), kPatienceMs);
        QCOMPARE(inspector.cell()->row, std::int64_t(8));
    }
    void theKeyboardGoesFromCellToCell()
    {
        Room room;
        room.askTheSum();
        LanesView &lanes = room.page->lanes();
        lanes.setFocus();
        QTest::keyClick(&lanes, Qt::Key_Right);
        QVERIFY(lanes.cursorCell() == (CellRef{13, kUser}));
        QTest::keyClick(&lanes, Qt::Key_Home);
        QTest::keyClick(&lanes, Qt::Key_Down);
        QVERIFY(lanes.cursorCell() == (CellRef{0, kAnswer}));
        QTest::keyClick(&lanes, Qt::Key_Right, Qt::ControlModifier);  // to the next word of the lane
        QVERIFY(lanes.cursorCell() == (CellRef{6, kAnswer}));
        QVERIFY(lanes.describe(*lanes.cursorCell()).startsWith(QStringLiteral("Answer, step 7: It, probability")));
        QCOMPARE(lanes.newestText(), lanes.describe(*lanes.cursorCell()));
        QTest::keyClick(&lanes, Qt::Key_Return);
        QVERIFY(lanes.pinnedCell() == lanes.cursorCell());
        QTest::keyClick(&lanes, Qt::Key_Escape);
        QVERIFY(!lanes.cursorCell() && !lanes.pinnedCell());
        QVERIFY(lanes.describe({2, kAnswer}).endsWith(QStringLiteral("silent")));
        QVERIFY(lanes.describe({0, kAnswer}).endsWith(QStringLiteral("not asked")));  // nothing had been read yet
        lanes.find(QStringLiteral("twel"));
        QCOMPARE(lanes.matchCount(), 1);
        QCOMPARE(lanes.currentMatch(), 0);
    }

    // --- lanes
    void lanesFoldAndMoveAndAreRemembered()
    {
        Room room;
        room.askTheSum();
        LanesView &lanes = room.page->lanes();
        const LanesGeometry &geometry = lanes.geometryNow();
        const auto middle = [&](int stream, double x) { return QPoint(static_cast<int>(x), static_cast<int>(geometry.yOf(*geometry.bandOf(stream)) + geometry.bandOf(stream)->height / 2)); };
        QTest::mouseClick(lanes.viewport(), Qt::LeftButton, {}, middle(kCheck, geometry.names_width - 8));
        QVERIFY(!lanes.arrangement().isOpen(kCheck));
        drag(lanes.viewport(), middle(kAudit, 30), middle(kUser, 30) - QPoint(0, 8));
        QCOMPARE(lanes.arrangement().order.front(), static_cast<int>(kAudit));
        const QStringList kept = room.settings.values().streams.lanes.value(QString::fromStdString(boxLayout().name));
        QCOMPARE(kept.front(), QStringLiteral("+Audit"));
        QVERIFY(kept.contains(QStringLiteral("-Check")));
        QVERIFY(room.page->baselineLanes().arrangement() == lanes.arrangement());
        // A new conversation keeps them.
        room.page->newPage();
        QVERIFY(!lanes.arrangement().isOpen(kCheck));
        // By keys: fold, and the lane itself up and down.
        lanes.setFocus();
        room.askTheSum();
        QTest::keyClick(&lanes, Qt::Key_Right);
        QTest::keyClick(&lanes, Qt::Key_Down, Qt::ControlModifier);
        QCOMPARE(lanes.arrangement().placeOf(kAudit), 1);
        QTest::keyClick(&lanes, Qt::Key_F);
        QVERIFY(!lanes.arrangement().isOpen(kAudit));
    }
    void scrollingBackStopsFollowingAndLiveBringsItBack()
    {
        Room room({700, 500});
        room.type(QStringLiteral("what is seven plus five ? what is seven plus five ? what is seven plus five ? what is seven plus five ? "));
        room.advance(30);
        LanesView &lanes = room.page->lanes();
        QVERIFY(lanes.horizontalScrollBar()->maximum() > 0);
        QCOMPARE(lanes.following(), Following::Live);
        lanes.horizontalScrollBar()->setValue(0);
        QCOMPARE(lanes.following(), Following::Stopped);
        const double left = lanes.geometryNow().xOf(3);
        room.type(QStringLiteral("no "));
        room.advance(1);
        QVERIFY(room.lane(kUser).endsWith(QStringLiteral("no")));
        QCOMPARE(lanes.geometryNow().xOf(3), left);  // nothing moved under the reader
        room.page->goLive();
        QCOMPARE(lanes.following(), Following::Live);
        QCOMPARE(lanes.horizontalScrollBar()->value(), lanes.horizontalScrollBar()->maximum());
    }
    void aStreamThatIsSwitchedOffSaysNothing()
    {
        Room room;
        room.type(QStringLiteral("what is seven plus five ? "));
        room.page->controller().setVoice(kWorking, streams::Voice::SwitchedOff);
        room.advance(14);
        QVERIFY(room.lane(kWorking).isEmpty());
        QCOMPARE(room.lane(kAnswer), QStringLiteral("It is twelve ."));
    }

    // --- files
    void aConversationIsSavedOpenedAndReplayed()
    {
        const QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("sum.json").toStdString();
        Room room;
        room.askTheSum();
        room.page->saveTo(file);
        QTRY_VERIFY_WITH_TIMEOUT(std::filesystem::exists(file), kPatienceMs);
        room.page->saveTo(folder.filePath("sum.md").toStdString());
        room.page->saveTo(folder.filePath("sum.txt").toStdString());
        QTRY_VERIFY_WITH_TIMEOUT(std::filesystem::exists(folder.filePath("sum.txt").toStdString()) && std::filesystem::exists(folder.filePath("sum.md").toStdString()), kPatienceMs);
        QVERIFY(readTextFile(folder.filePath("sum.txt").toStdString()).find("Answer:\nIt is twelve .") != std::string::npos);
        QTRY_VERIFY_WITH_TIMEOUT(room.page->notices().sentences().join(QLatin1Char(' ')).contains(QStringLiteral("Saved as")), kPatienceMs);

        Room other;
        other.page->openFiles({file});
        QTRY_COMPARE_WITH_TIMEOUT(other.page->controller().lanes().rows(), std::int64_t(14), kPatienceMs);
        QCOMPARE(other.lane(kAnswer), QStringLiteral("It is twelve ."));
        QVERIFY(other.parallel->started.back().playback == sessions::Playback::AtOnce);
        // And gone on with: the model has read along.
        other.type(QStringLiteral("no "));
        QTest::qWait(40);
        other.page->startOrStop();
        other.advance(2);
        QVERIFY(other.lane(kUser).endsWith(QStringLiteral("no")));
        // Replayed: the same rows, one by one.
        other.page->replay();
        QVERIFY(other.parallel->started.back().playback == sessions::Playback::AtRecordedTimes);
        QVERIFY(other.page->controller().lanes().rows() < 14);
        other.advance(60);
        QVERIFY(other.lane(kUser).endsWith(QStringLiteral("no")));
    }
    void conversationsThatACrashCutOffAreOffered()
    {
        const QTemporaryDir folder;
        const std::filesystem::path journals = folder.path().toStdString();
        {
            Room room;
            room.askTheSum();
            const streams::Conversation said = room.page->controller().lanes().conversation();
            braid::testing::leaveInterrupted(journals, said);
            streams::Conversation older = said;
            older.events.resize(5);
            braid::testing::leaveInterrupted(journals, older, "20260101-030405-001");
        }
        Room room;
        const auto press = [&room](const QString &title) {
            const auto buttons = room.page->notices().findChildren<QPushButton *>();
            const auto found = std::find_if(buttons.begin(), buttons.end(), [&](QPushButton *button) { return button->text() == title && button->isVisibleTo(&room.page->notices()); });
            QVERIFY(found != buttons.end());
            (*found)->click();
        };
        room.page->offerRecovery(engine::findInterruptedRuns(journals));
        QVERIFY2(room.page->notices().sentences().join(QLatin1Char(' ')).startsWith(QStringLiteral("2 conversations were interrupted, the last of 2 Jan 2026")), qPrintable(room.page->notices().sentences().join(QLatin1Char(' '))));
        press(QStringLiteral("Open it"));
        QTRY_COMPARE_WITH_TIMEOUT(room.page->controller().lanes().rows(), std::int64_t(14), kPatienceMs);
        QCOMPARE(room.lane(kAnswer), QStringLiteral("It is twelve ."));
        QCOMPARE(room.lane(kUser), QStringLiteral("what is seven plus five ?"));
        // The other one is offered after it, and can be left alone.
        QVERIFY(room.page->notices().sentences().join(QLatin1Char(' ')).contains(QStringLiteral("A conversation of 2 Jan 2026")));
        QTRY_COMPARE_WITH_TIMEOUT(engine::findInterruptedRuns(journals).size(), std::size_t(1), kPatienceMs);
        press(QStringLiteral("Not now"));
        QVERIFY(engine::findInterruptedRuns(journals).empty());
        QCOMPARE(room.page->controller().lanes().rows(), std::int64_t(14));
    }
    void aConversationIsKeptWhereTheSettingsSaySo()
    {
        Room room;
        room.services.journal_folder = "/journals";
        room.askTheSum();
        QCOMPARE(room.parallel->journal_folders.back(), std::filesystem::path("/journals"));
        room.page->compare();  // the baseline hears the same words: nothing to keep
        QVERIFY(room.baseline->journal_folders.empty() || room.baseline->journal_folders.back().empty());
        room.page->newPage();
        room.settings.update([](Settings &s) { s.keeps_journals = false; });
        room.askTheSum();
        QVERIFY(room.parallel->journal_folders.back().empty());
    }
    void aFileThatIsNoneIsRefusedWithASentence()
    {
        const QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("talk.json").toStdString();
        writeFileAtomically(file, "{\"format\": \"something else\"}");
        Room room;
        room.askTheSum();
        room.page->openFiles({file});
        QTRY_VERIFY_WITH_TIMEOUT(room.page->notices().sentences().join(QLatin1Char(' ')).contains(QStringLiteral("talk.json")), kPatienceMs);
        QCOMPARE(room.page->controller().lanes().rows(), std::int64_t(14));  // what was there stays
        room.page->saveTo("/no/such/folder/sum.json");
        QTRY_VERIFY_WITH_TIMEOUT(room.page->notices().sentences().join(QLatin1Char(' ')).contains(QStringLiteral("/no/such/folder")), kPatienceMs);
    }
    void aNewConversationCanBeTakenBack()
    {
        Room room;
        room.askTheSum();
        room.page->newPage();
        QCOMPARE(room.page->controller().lanes().rows(), std::int64_t(0));
        QVERIFY(!room.page->controller().isGoing());
        auto buttons = room.page->notices().findChildren<QPushButton *>();
        const auto back = std::find_if(buttons.begin(), buttons.end(), [](QPushButton *button) { return button->text().startsWith(QStringLiteral("Bring")); });
        QVERIFY(back != buttons.end());
        (*back)->click();
        QTRY_COMPARE_WITH_TIMEOUT(room.page->controller().lanes().rows(), std::int64_t(14), kPatienceMs);
    }
    void anotherLayoutHoldsFromTheNextConversation()
    {
        Room room;
        auto *layout = room.page->findChild<ChoiceBox *>(QStringLiteral("streamsLayout"));
        QCOMPARE(layout->currentText(), QStringLiteral("Answer, working, check, audit"));
        QVERIFY(layout->choose(QStringLiteral("Ten streams")));
        Q_EMIT layout->activated(layout->currentIndex());
        QCOMPARE(room.page->controller().lanes().streams(), 10);  // nothing was said yet: at once
        QVERIFY(layout->choose(QStringLiteral("Answer, working, check, audit")));
        Q_EMIT layout->activated(layout->currentIndex());
        room.askTheSum();
        QVERIFY(layout->choose(QStringLiteral("Ten streams")));
        Q_EMIT layout->activated(layout->currentIndex());
        QCOMPARE(room.page->controller().lanes().streams(), 7);
        QVERIFY(room.page->notices().sentences().join(QLatin1Char(' ')).contains(QStringLiteral("holds from the next one")));
        room.page->newPage();
        QCOMPARE(room.page->controller().lanes().streams(), 10);
    }

    // --- the baseline
    void theBaselineHearsTheSameWords()
    {
        Room room({1280, 800}, [](Settings &s) { s.streams.shows_baseline = true; });
        room.baseline->script.clear();
        says(room.baseline->script, kAnswer, 9, {" It", " is", " twelve", " ."});
        // Stands in for the queue: the engine's own is tested with the engine.
        const auto make_run = room.services.baseline.make_run;
        room.services.baseline.make_run = [make_run](const StreamsChoices &choices) {
            auto run = make_run(choices);
            if (choices.form != sessions::StreamsForm::OneQueue || choices.model_name != QStringLiteral("streams-en-single")) {
                throw Error(ErrorKind::Usage, "the baseline is one queue of messages");
            }
            run.settings.form = sessions::StreamsForm::Parallel;
            return run;
        };
        room.type(QStringLiteral("what is seven plus five ?"));
        QTest::keyClick(&room.page->typing().field(), Qt::Key_Return);
        room.advance(14);
        QCOMPARE(room.page->baseline().lanes().textOf(kUser, 0, 13), QStringLiteral("what is seven plus five ?"));
        QCOMPARE(room.page->baseline().lanes().textOf(kAnswer, 0, 13), QStringLiteral("It is twelve ."));
        QCOMPARE(room.baseline->posts<sessions::EndTurn>(), 1);
        QVERIFY(room.page->baselineLanes().isVisible());
        // Going back begins the queue anew with the words that stay.
        room.page->lanes().moveRewindMark(-11);
        room.page->lanes().confirmRewind();
        room.settle();
        QCOMPARE(room.baseline->posts<sessions::Rewind>(), 1);
        room.page->compare();
        QVERIFY(!room.page->baselineLanes().isVisible());
    }

    // --- for everybody
    void theAnswerStandsAloneForAnAudience()
    {
        Room room;
        room.askTheSum();
        room.page->setPresentation(Presentation::Presenting);
        QVERIFY(!room.page->lanes().isVisible() && !room.page->inspector().isVisible() && !room.page->status().isVisible());
        QVERIFY(room.page->answer().view().isVisible() && room.page->typing().isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(room.page->answer().width() > 1200, kPatienceMs);
        room.page->setPresentation(Presentation::Window);
        QVERIFY(room.page->lanes().isVisible() && room.page->inspector().isVisible());
        // A word of it leads to its step.
        Q_EMIT room.page->answer().view().wordActivated(2);
        QVERIFY(room.page->lanes().pinnedCell() == (CellRef{8, kAnswer}));
    }
    void theWindowLeadsThereAndItsKeysHold()
    {
        const QTemporaryDir folder;
        ScriptedBackend *backend = nullptr;
        RememberingPlayer *player = nullptr;
        SteppedStreams *parallel = nullptr;
        SteppedStreams *baseline = nullptr;
        Services services = fakeServices(backend, player, folder.path().toStdString());
        services.streams = steppedStreams(parallel, baseline);
        MainWindow window(std::move(services));
        window.resize(1280, 800);
        window.show();
        window.showPage(PageName::Streams);
        QVERIFY(window.page() == PageName::Streams);
        StreamsPage &page = window.streams();
        QTRY_VERIFY_WITH_TIMEOUT(page.choicesRow().listsArrived() && page.controller().lanes().streams() == 7, kPatienceMs);
        QTest::keyClicks(&page.typing().field(), QStringLiteral("what is seven "));
        parallel->advance(5);
        QTRY_COMPARE_WITH_TIMEOUT(page.controller().lanes().rows(), std::int64_t(5), kPatienceMs);
        QTest::keyClick(&page.lanes(), Qt::Key_Space);
        QTRY_COMPARE_WITH_TIMEOUT(page.controller().activity(), StreamsActivity::Paused, kPatienceMs);
        QTest::keyClick(&page.lanes(), Qt::Key_Period);
        QTRY_COMPARE_WITH_TIMEOUT(page.controller().lanes().rows(), std::int64_t(6), kPatienceMs);
        const bool was_open = !page.inspector().isHidden();
        QTest::keyClick(&page.lanes(), Qt::Key_I);
        QVERIFY(page.inspector().isHidden() == was_open);
        window.present(Presentation::Presenting);
        QVERIFY(!page.lanes().isVisible() && page.answer().view().isVisible());
        QTest::keyClick(&page.typing().field(), Qt::Key_Escape);
        QVERIFY(!window.isPresenting());
        QVERIFY(page.lanes().isVisible());
    }
    void whatWasChosenIsRemembered()
    {
        const QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("braid.ini").toStdString();
        {
            SettingsStore store(file);
            store.update([](Settings &s) {
                s.streams.layout = QStringLiteral("Ten streams");
                s.streams.tempo = 20;
                s.streams.typing = TypingMode::WithEnter;
                s.streams.lanes[QStringLiteral("a/b % c")] = QStringList{QStringLiteral("+User"), QStringLiteral("-System")};
            });
        }
        SettingsStore again(file);
        QCOMPARE(again.values().streams.layout, QStringLiteral("Ten streams"));
        QCOMPARE(again.values().streams.tempo, 20.0);
        QVERIFY(again.values().streams.typing == TypingMode::WithEnter);
        QCOMPARE(again.values().streams.lanes.value(QStringLiteral("a/b % c")), (QStringList{QStringLiteral("+User"), QStringLiteral("-System")}));
    }
    void everyControlHasAName()
    {
        Room room;
        room.askTheSum();
        for (QWidget *widget : room.page->findChildren<QWidget *>()) {
            if (widget->focusPolicy() == Qt::NoFocus || !widget->isVisible() || widget->inherits("QScrollBar") || widget->parentWidget()->inherits("QAbstractSpinBox")) {
                continue;
            }
            QAccessibleInterface *interface = QAccessible::queryAccessibleInterface(widget);
            QVERIFY2(interface != nullptr && !interface->text(QAccessible::Name).isEmpty(), qPrintable(QStringLiteral("%1 %2").arg(QString::fromLatin1(widget->metaObject()->className()), widget->objectName())));
        }
    }
    void aSmallWindowKeepsWhatMatters_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("small") << QSize(724, 500);
        QTest::newRow("tiny") << QSize(560, 400);
        QTest::newRow("large") << QSize(3700, 2160);
    }
    void aSmallWindowKeepsWhatMatters()
    {
        QFETCH(QSize, size);
        Room room(size);
        room.askTheSum();
        QVERIFY(room.page->lanes().isVisible() && room.page->typing().isVisible() && room.page->status().isVisible());
        QVERIFY2(room.page->minimumSizeHint().width() <= size.width() && room.page->minimumSizeHint().height() <= size.height(),
                 qPrintable(QStringLiteral("%1x%2").arg(room.page->minimumSizeHint().width()).arg(room.page->minimumSizeHint().height())));
        QVERIFY(room.page->lanes().viewport()->height() >= 120);
        QVERIFY(room.page->typing().field().width() >= 120);
    }
    void anHourOfStepsIsDrawnLikeAMinute()
    {
        Room room;
        const auto draw = [&] {
            room.page->lanes().viewport()->grab();
            const std::clock_t began = std::clock();  // of this process: other work on the machine does not count
            for (int frame = 0; frame < 5; ++frame) {
                room.page->lanes().viewport()->grab();
            }
            return static_cast<double>(std::clock() - began) * 1000 / CLOCKS_PER_SEC / 5;
        };
        const auto rows = [&](std::int64_t first, int count) {
            std::vector<streams::StreamsEvent> events;
            for (int index = 0; index < count; ++index) {
                streams::StreamsEvent event;
                event.row = first + index;
                event.time_ms = event.row * 50;
                event.cells.resize(7);
                for (std::size_t stream = 1; stream < 7; stream += 2) {
                    event.cells[stream].token = 3;
                    event.cells[stream].text = " twelve";
                    event.cells[stream].source = streams::CellSource::Sampled;
                }
                events.push_back(event);
            }
            room.page->controller().lanes().take(std::move(events));
        };
        rows(0, 200);
        const auto minute = draw();
        rows(200, 71'800);  // an hour at twenty steps a second
        const auto hour = draw();
        QVERIFY2(hour < 3 * minute + 3, qPrintable(QStringLiteral("%1 ms a frame against %2").arg(hour).arg(minute)));
        qInfo("a frame after 200 steps: %.2f ms; after 72000 steps: %.2f ms", minute, hour);
    }
};

QTEST_MAIN(UiStreamsTest)
#include "tst_ui_streams.moc"
