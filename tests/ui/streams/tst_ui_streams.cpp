// The Streams page as a whole: its conversations saved, opened, replayed, taken back and found again after a crash; in the window, for an audience, for
// screen readers, small and large, after an hour.
#include <ctime>

#include <QAccessible>
#include <QPushButton>
#include <QTemporaryDir>
#include <QtTest>

#include "core/base/file.h"
#include "tests/support/interrupted_run.h"
#include "tests/ui/streams/streams_room.h"
#include "ui/captions/transcript_view.h"
#include "ui/shared/choice_box.h"
#include "ui/shared/notice_bar.h"
#include "ui/shell/main_window.h"
#include "ui/streams/answer_panel.h"
#include "ui/streams/lanes_view.h"
#include "ui/streams/streams_choices_row.h"
#include "ui/streams/streams_inspector.h"
#include "ui/streams/streams_status.h"

using namespace braid;
using namespace braid::ui;
using namespace braid::ui::test;

class UiStreamsTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    // --- files
    void aConversationIsSavedOpenedAndReplayed()
    {
        const QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("sum.json").toStdString();
        Room room;
        room.askTheSum();
        room.page->files().saveTo(file);
        QTRY_VERIFY_WITH_TIMEOUT(std::filesystem::exists(file), kPatienceMs);
        room.page->files().saveTo(folder.filePath("sum.md").toStdString());
        room.page->files().saveTo(folder.filePath("sum.txt").toStdString());
        QTRY_VERIFY_WITH_TIMEOUT(
            std::filesystem::exists(folder.filePath("sum.txt").toStdString()) && std::filesystem::exists(folder.filePath("sum.md").toStdString()), kPatienceMs);
        QVERIFY(readTextFile(folder.filePath("sum.txt").toStdString()).find("Answer:\nIt is twelve .") != std::string::npos);
        QTRY_VERIFY_WITH_TIMEOUT(room.page->notices().sentences().join(QLatin1Char(' ')).contains(QStringLiteral("Saved as")), kPatienceMs);

        Room other;
        other.page->openFiles({file});
        QTRY_COMPARE_WITH_TIMEOUT(other.page->controller().lanes().rows(), std::int64_t(14), kPatienceMs);
        QCOMPARE(other.lane(kAnswer), QStringLiteral("It is twelve ."));
        QVERIFY(other.parallel->started.back().playback == streams::Playback::AtOnce);
        // And gone on with: the model has read along.
        other.type(QStringLiteral("no "));
        QTest::qWait(40);
        other.page->startOrStop();
        other.advance(2);
        QVERIFY(other.lane(kUser).endsWith(QStringLiteral("no")));
        // Replayed: the same rows, one by one.
        other.page->run().replay();
        QVERIFY(other.parallel->started.back().playback == streams::Playback::AtRecordedTimes);
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
            const auto found = std::find_if(buttons.begin(), buttons.end(),
                                            [&](QPushButton *button) { return button->text() == title && button->isVisibleTo(&room.page->notices()); });
            QVERIFY(found != buttons.end());
            (*found)->click();
        };
        room.page->files().offerRecovery(runtime::findInterruptedRuns(journals));
        QVERIFY2(room.page->notices().sentences().join(QLatin1Char(' ')).startsWith(QStringLiteral("2 conversations were interrupted, the last of 2 Jan 2026")),
                 qPrintable(room.page->notices().sentences().join(QLatin1Char(' '))));
        press(QStringLiteral("Open it"));
        QTRY_COMPARE_WITH_TIMEOUT(room.page->controller().lanes().rows(), std::int64_t(14), kPatienceMs);
        QCOMPARE(room.lane(kAnswer), QStringLiteral("It is twelve ."));
        QCOMPARE(room.lane(kUser), QStringLiteral("what is seven plus five ?"));
        // The other one is offered after it, and can be left alone.
        QVERIFY(room.page->notices().sentences().join(QLatin1Char(' ')).contains(QStringLiteral("A conversation of 2 Jan 2026")));
        QTRY_COMPARE_WITH_TIMEOUT(runtime::findInterruptedRuns(journals).size(), std::size_t(1), kPatienceMs);
        press(QStringLiteral("Not now"));
        QVERIFY(runtime::findInterruptedRuns(journals).empty());
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
        room.page->files().saveTo("/no/such/folder/sum.json");
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
            if (widget->focusPolicy() == Qt::NoFocus || !widget->isVisible() || widget->inherits("QScrollBar") ||
                widget->parentWidget()->inherits("QAbstractSpinBox")) {
                continue;
            }
            QAccessibleInterface *interface = QAccessible::queryAccessibleInterface(widget);
            QVERIFY2(interface != nullptr && !interface->text(QAccessible::Name).isEmpty(),
                     qPrintable(QStringLiteral("%1 %2").arg(QString::fromLatin1(widget->metaObject()->className()), widget->objectName())));
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
