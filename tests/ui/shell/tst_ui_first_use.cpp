// What a person meets before anything else is known: the first start, sources that are not there, the right button, About, the tray, times.
#include <atomic>
#include <cstdlib>

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QCheckBox>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QDir>
#include <QLabel>
#include <QMenu>

#include "tests/ui/desk.h"
#include "ui/captions/transcript_menu.h"
#include "ui/captions/transcript_view.h"
#include "ui/captions/welcome_card.h"
#include "ui/shared/choice_box.h"
#include "ui/shared/notice_bar.h"
#include "ui/shell/about_dialog.h"
#include "ui/shell/tray.h"

using namespace braid;
using namespace braid::ui;
using namespace braid::ui::test;

namespace {

QAbstractButton *buttonOf(QWidget &parent, const char *text)
{
    for (QAbstractButton *button : parent.findChildren<QAbstractButton *>()) {
        if (button->text() == QString::fromUtf8(text)) {
            return button;
        }
    }
    return nullptr;
}

QAction *actionOf(const QMenu &menu, const char *title)
{
    for (QAction *action : menu.actions()) {
        if (action->text().section(QLatin1Char('\t'), 0, 0) == QLatin1String(title)) {
            return action;
        }
    }
    return nullptr;
}

void withSample(Services &services)
{
    services.sample_file = "/samples/sample.flac";
}

}  // namespace

class UiFirstUseTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    // --- the first start -------------------------------------------------------------------------------------------------------------
    void threeLinesAndAButton()
    {
        Desk desk(withSample);
        desk.window->begin(FirstRun::ShowSample);
        QVERIFY(desk.until([&] { return desk.backend->starts == 1; }));
        WelcomeCard *card = desk.window->captions().welcomeCard();
        QVERIFY(card != nullptr && card->isVisible());
        QCOMPARE(card->lines().size(), 3);
        QVERIFY(card->lines()[1].contains(QStringLiteral("stays on this machine")));
        QVERIFY(
            card->lines()[1].contains(homeAsTilde(QString::fromStdString((std::filesystem::path(desk.folder.path().toStdString()) / "sessions").string()))));
        auto *keep = card->findChild<QCheckBox *>();
        keep->setChecked(false);
        QVERIFY(!desk.window->settings().values().keeps_journals);
        QTest::mouseClick(buttonOf(*card, "Get a better model\u2026"), Qt::LeftButton);
        QVERIFY(desk.window->page() == PageName::Models);
        desk.window->showPage(PageName::Captions);
        QTest::mouseClick(buttonOf(*card, "Use my microphone"), Qt::LeftButton);
        QCOMPARE(desk.backend->starts, 2);
        QCOMPARE(desk.window->controller().present().source_title, QStringLiteral("Desk Microphone"));
        QVERIFY(desk.window->captions().welcomeCard() == nullptr);
        QVERIFY(desk.window->settings().values().met_before);
    }
    void closedItDoesNotComeBack()
    {
        Desk desk(withSample);
        desk.window->begin(FirstRun::ShowSample);
        QVERIFY(desk.until([&] { return desk.backend->starts == 1; }));
        QTest::mouseClick(buttonOf(*desk.window->captions().welcomeCard(), "\u00d7"), Qt::LeftButton);
        QVERIFY(desk.window->captions().welcomeCard() == nullptr);
        QVERIFY(desk.window->settings().values().met_before);
        QCOMPARE(desk.backend->cancels, 0);  // the sample goes on
    }
    void homeIsWrittenAsPeopleDo()
    {
        QCOMPARE(homeAsTilde(QDir::homePath() + QStringLiteral("/kept")), QStringLiteral("~/kept"));
        QCOMPARE(homeAsTilde(QStringLiteral("/srv") + QDir::homePath()), QStringLiteral("/srv") + QDir::homePath());
    }

    // --- sources that are not there --------------------------------------------------------------------------------------------------
    void withoutAMicrophoneTheSampleStaysAndThereIsAWayOut()
    {
        std::atomic<bool> plugged_in{false};
        Desk desk([&plugged_in](Services &services) {
            withSample(services);
            services.list_devices = [&plugged_in] {
                auto devices = twoDevices();
                if (!plugged_in) {
                    devices.erase(devices.begin());
                }
                return devices;
            };
        });
        desk.window->begin(FirstRun::ShowSample);
        QVERIFY(desk.until([&] { return desk.backend->starts == 1; }));
        desk.backend->say(captions::Committed{transcriptOf(words("a sample", 0))});
        QVERIFY(desk.until([&] { return desk.transcript().wordCount() == 2; }));
        QTest::mouseClick(buttonOf(*desk.window->captions().welcomeCard(), "Use my microphone"), Qt::LeftButton);
        QCOMPARE(desk.backend->cancels, 0);
        QCOMPARE(desk.transcript().wordCount(), 2);
        QVERIFY(desk.window->captions().welcomeCard() != nullptr);
        NoticeStack &notices = desk.window->captions().notices();
        QVERIFY(notices.sentences().first().contains(QStringLiteral("No microphone was found")));
        QVERIFY(buttonOf(notices, "Open a recording\u2026") != nullptr);
        plugged_in = true;
        QTest::mouseClick(buttonOf(notices, "Look again"), Qt::LeftButton);
        QVERIFY(desk.until([&] { return desk.window->captions().choicesRow().hasMicrophone(); }));
        QTest::mouseClick(buttonOf(*desk.window->captions().welcomeCard(), "Use my microphone"), Qt::LeftButton);
        QCOMPARE(desk.window->controller().present().source_title, QStringLiteral("Desk Microphone"));
    }
    void whatTheComputerPlaysIsAWayOutToo()
    {
        Desk desk([](Services &services) {
            withSample(services);
            services.list_devices = [] { return std::vector<audio::DeviceInfo>{twoDevices()[1]}; };
        });
        desk.window->begin(FirstRun::ShowSample);
        QVERIFY(desk.until([&] { return desk.backend->starts == 1; }));
        QTest::mouseClick(buttonOf(*desk.window->captions().welcomeCard(), "Use my microphone"), Qt::LeftButton);
        QTest::mouseClick(buttonOf(desk.window->captions().notices(), "Caption what this computer plays"), Qt::LeftButton);
        QCOMPARE(desk.backend->starts, 2);
        QCOMPARE(desk.window->controller().present().source.kind, audio::SourceKind::SystemSound);
    }
    void aListThatIsOpenStaysAsItIs()
    {
        std::atomic<bool> plugged_in{false};
        Desk desk([&plugged_in](Services &services) {
            services.list_devices = [&plugged_in] {
                auto devices = twoDevices();
                if (plugged_in) {
                    devices.insert(devices.begin(), {audio::SourceKind::Microphone, "Headset", "PulseAudio", 1, 48000, false});
                }
                return devices;
            };
        });
        QVERIFY(desk.ready());
        auto *source = desk.window->captions().findChild<ChoiceBox *>(QStringLiteral("source"));
        const auto lines = [source] {
            QStringList all;
            for (int line = 0; line < source->count(); ++line) {
                all << source->itemText(line);
            }
            return all;
        };
        const QStringList before = lines();
        plugged_in = true;
        QSignalSpy arrived(&desk.window->captions().choicesRow(), &ChoicesFrame::listsChanged);
        QTest::keyClick(source, Qt::Key_Down, Qt::AltModifier);
        QVERIFY(source->isOpen());
        QVERIFY(desk.until([&] { return !arrived.isEmpty(); }));
        QCOMPARE(lines(), before);
        QTest::keyClick(source->view(), Qt::Key_Escape);
        QVERIFY(desk.until([&] { return lines().contains(QStringLiteral("Headset")); }));
        QCOMPARE(source->currentText(), QStringLiteral("Desk Microphone"));  // what was chosen stays chosen
    }

    // --- the right button ------------------------------------------------------------------------------------------------------------
    void theMenuOfAWord()
    {
        Desk desk;
        QVERIFY(desk.ready());
        desk.press(Qt::Key_Space);
        desk.backend->recording = soundOf(words("ask not what", 0), samplesFromSeconds(4));
        desk.backend->listen(4);
        desk.backend->say(captions::Committed{transcriptOf(words("ask not what", 0))});
        QVERIFY(desk.until([&] { return desk.transcript().wordCount() == 3; }));
        TranscriptView &view = desk.window->captions().transcriptView();
        const QPoint at = view.wordRectInViewport({WordPart::Settled, 1}).center().toPoint();
        QContextMenuEvent event(QContextMenuEvent::Mouse, at, view.viewport()->mapToGlobal(at));
        QApplication::sendEvent(view.viewport(), &event);
        auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
        QVERIFY(menu != nullptr);
        QVERIFY(!actionOf(*menu, "Copy")->isEnabled());  // nothing is selected
        actionOf(*menu, "Hear this word")->trigger();
        QCOMPARE(desk.player->at.value_or(-1), std::max<Sample>(0, desk.transcript().word(1).start_sample - samplesFromMs(60)));
        actionOf(*menu, "Copy all")->trigger();
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("ask not what"));
        actionOf(*menu, "Keep it in the Inspector")->trigger();
        QVERIFY(view.pinnedWord() == (WordRef{WordPart::Settled, 1}));
        menu->close();
        // From the keyboard it is about the word of the keyboard; on an empty page little is possible.
        const std::unique_ptr<QMenu> nowhere(makeTranscriptMenu(view, -1, {}, nullptr));
        QVERIFY(!actionOf(*nowhere, "Hear this word")->isEnabled());
        QVERIFY(actionOf(*nowhere, "Select all")->isEnabled());
    }

    // --- About -----------------------------------------------------------------------------------------------------------------------
    void aboutSaysWhatRunsAndCopiesNoCaptions()
    {
        Desk desk([](Services &services) {
            services.describe_program = [] {
                return ProgramFacts{{QStringLiteral("Processor"), QStringLiteral("Test 3000, 2 cores")},
                                    {QStringLiteral("Linear algebra"), QStringLiteral("OpenBLAS")}};
            };
        });
        QVERIFY(desk.ready());
        desk.press(Qt::Key_Space);
        desk.backend->say(captions::Committed{transcriptOf(words("secret words", 0))});
        QVERIFY(desk.until([&] { return desk.transcript().wordCount() == 2; }));
        desk.window->settings().update([](Settings &s) {
            s.model_name = QDir::homePath() + QStringLiteral("/private/my-model");
            s.overlay.text_file = QStringLiteral("/private/live.txt");
            s.source_device = QStringLiteral("Ada's headset");
        });
        desk.window->showAbout();
        auto *about = desk.window->findChild<AboutDialog *>();
        QVERIFY(about != nullptr);
        QVERIFY(desk.until([&] { return about->hasArrived(); }));
        QStringList shown;
        for (const QLabel *label : about->findChildren<QLabel *>()) {
            shown << label->text();
        }
        QVERIFY(shown.contains(QStringLiteral("Test 3000, 2 cores")));
        QTest::mouseClick(buttonOf(*about, "Copy diagnostics"), Qt::LeftButton);
        const QString copied = QApplication::clipboard()->text();
        QVERIFY(copied.contains(QStringLiteral("Processor: Test 3000, 2 cores\n")));
        QVERIFY(copied.contains(QStringLiteral("Model chosen: my-model\n")));
        QVERIFY(copied.contains(QStringLiteral("Qt: ")));
        for (const char *never : {"secret", "private", "Ada"}) {
            QVERIFY2(!copied.contains(QLatin1String(never)), never);
        }
        about->close();
    }
    void quitEnds()
    {
        Desk desk;
        QVERIFY(desk.ready());
        QTest::keyClick(desk.window.get(), Qt::Key_Q, Qt::ControlModifier);
        QVERIFY(!desk.window->isVisible());
    }

    // --- the tray --------------------------------------------------------------------------------------------------------------------
    void theTraySaysWhetherItListens()
    {
        Desk desk;
        QVERIFY(desk.ready());
        Tray &tray = desk.window->tray();
        QCOMPARE(tray.text(), QStringLiteral("Braid does not listen"));
        actionOf(tray.menu(), "Start")->trigger();
        QCOMPARE(desk.backend->starts, 1);
        QCOMPARE(tray.text(), QStringLiteral("Braid listens to Desk Microphone"));
        desk.backend->listen(1);
        QVERIFY(desk.until([&] { return desk.window->controller().snapshot().state == runtime::RunState::Listening; }));
        actionOf(tray.menu(), "Stop")->trigger();
        QCOMPARE(tray.text(), QStringLiteral("Braid captions what was heard"));
        const auto picture = [](RunActivity activity) { return trayIcon(activity).pixmap(64, 64).toImage(); };
        QVERIFY(picture(RunActivity::Idle) != picture(RunActivity::Running));
        QVERIFY(picture(RunActivity::Stopping) != picture(RunActivity::Running));
        actionOf(tray.menu(), "Overlay")->trigger();
        QVERIFY(actionOf(tray.menu(), "Overlay")->isChecked());
    }

    // --- times -----------------------------------------------------------------------------------------------------------------------
    void timesOfTheDay()
    {
        const QDateTime nine(QDate(2026, 11, 23), QTime(9, 0));
        const DayTimes times{{0, nine}, {samplesFromSeconds(60), QDateTime()}, {samplesFromSeconds(90), nine.addSecs(3600)}};
        QCOMPARE(dayTimeAt(times, samplesFromSeconds(2.5)), nine.addMSecs(2500));
        QVERIFY(!dayTimeAt(times, samplesFromSeconds(61)).isValid());  // a recording has no time of day
        QCOMPARE(dayTimeAt(times, samplesFromSeconds(100)), nine.addSecs(3610));
        QVERIFY(!dayTimeAt({}, 0).isValid());
        Desk desk;
        QVERIFY(desk.ready());
        desk.press(Qt::Key_Space);
        desk.backend->say(captions::Started{"Desk Microphone", "captions-en", "streaming"});
        desk.backend->say(captions::Committed{transcriptOf(words("good morning", 1))});
        QVERIFY(desk.until([&] { return desk.transcript().wordCount() == 2; }));
        QVERIFY(std::abs(desk.window->controller().dayTimes().front().began.secsTo(QDateTime::currentDateTime())) < 60);
        TranscriptView &view = desk.window->captions().transcriptView();
        const QImage of_recording = view.viewport()->grab().toImage();
        desk.window->settings().update([](Settings &s) { s.line_times = LineTimes::OfDay; });
        QVERIFY(view.viewport()->grab().toImage() != of_recording);
        desk.window->settings().update([](Settings &s) { s.line_times = LineTimes::OfRecording; });
        QCOMPARE(view.viewport()->grab().toImage(), of_recording);
    }

    void pictures_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<int>("theme");
        QTest::newRow("welcome-light-1280") << QSize(1280, 800) << static_cast<int>(ThemeChoice::Light);
        QTest::newRow("welcome-dark-1280") << QSize(1280, 800) << static_cast<int>(ThemeChoice::Dark);
        QTest::newRow("welcome-light-640") << QSize(640, 400) << static_cast<int>(ThemeChoice::Light);
    }
    // Looked at: every line and button of the card can be read, and words still have room below it.
    void pictures()
    {
        QFETCH(QSize, size);
        QFETCH(int, theme);
        Desk desk(withSample);
        desk.window->settings().update([theme](Settings &s) { s.theme = static_cast<ThemeChoice>(theme); });
        desk.window->resize(size);
        desk.window->begin(FirstRun::ShowSample);
        QVERIFY(desk.until([&] { return desk.backend->starts == 1; }));
        desk.backend->listen(3);
        desk.backend->say(captions::Committed{transcriptOf(words("The birch canoe slid on the smooth planks.", 0.5))});
        QVERIFY(desk.until([&] { return desk.transcript().wordCount() == 8; }));
        const WelcomeCard *card = desk.window->captions().welcomeCard();
        const QImage image = desk.window->grab().toImage();
        QVERIFY(QDir().mkpath(QStringLiteral(BRAID_SCREENSHOTS)));
        QVERIFY(image.save(QStringLiteral(BRAID_SCREENSHOTS "/%1.png").arg(QLatin1String(QTest::currentDataTag()))));
        for (const QWidget *part : card->findChildren<QWidget *>()) {
            QVERIFY2(card->rect().contains(part->geometry()), part->metaObject()->className());
        }
        QVERIFY(desk.window->captions().transcriptView().viewport()->height() >= 40);
    }
};

QTEST_MAIN(UiFirstUseTest)
#include "tst_ui_first_use.moc"
