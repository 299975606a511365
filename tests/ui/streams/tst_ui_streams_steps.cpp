// The steps of a conversation on the Streams page: paused and taken one by one, gone back to for other words, looked at cell by cell, in lanes that
// fold, move and scroll.
#include <QDoubleSpinBox>
#include <QPushButton>
#include <QScrollBar>
#include <QtTest>

#include "tests/ui/streams/streams_room.h"
#include "ui/inspector/token_bars.h"
#include "ui/shared/notice_bar.h"
#include "ui/streams/lanes_view.h"
#include "ui/streams/share_bars.h"
#include "ui/streams/streams_choices_row.h"
#include "ui/streams/streams_inspector.h"
#include "ui/streams/streams_panel.h"

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

class UiStreamsStepsTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
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
        QCOMPARE(room.parallel->posts<streams::SetTempo>(), 1);
        auto *temperature = panel.findChildren<QDoubleSpinBox *>().front();
        temperature->setValue(0.7);
        QCOMPARE(room.parallel->posts<streams::Adjust>(), 4);  // all who speak
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
        const int looks = room.parallel->posts<streams::Look>();
        Q_EMIT inspector.lookChanged();
        QCOMPARE(room.parallel->posts<streams::Look>(), looks + 1);
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
        lanes.finder().find(QStringLiteral("twel"));
        QCOMPARE(lanes.finder().count(), 1);
        QCOMPARE(lanes.finder().current(), 0);
    }

    // --- lanes
    void lanesFoldAndMoveAndAreRemembered()
    {
        Room room;
        room.askTheSum();
        LanesView &lanes = room.page->lanes();
        const LanesGeometry &geometry = lanes.geometryNow();
        const auto middle = [&](int stream, double x) {
            return QPoint(static_cast<int>(x), static_cast<int>(geometry.yOf(*geometry.bandOf(stream)) + geometry.bandOf(stream)->height / 2));
        };
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
};

QTEST_MAIN(UiStreamsStepsTest)
#include "tst_ui_streams_steps.moc"
