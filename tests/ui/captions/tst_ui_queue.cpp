// Recordings wait for their turn: each has a page, a clock and an export of its own; nothing that was said is lost for another.
#include <fstream>

#include <QAbstractButton>
#include <QDir>
#include <QDropEvent>
#include <QMimeData>
#include <QProgressBar>

#include "core/base/file.h"
#include "tests/ui/desk.h"
#include "ui/captions/queue_panel.h"
#include "ui/captions/queue_row.h"
#include "ui/shared/notice_bar.h"
#include "ui/state/recordings.h"

using namespace braid;
using namespace braid::ui;
using namespace braid::ui::test;

namespace {

void drop(MainWindow &window, const QList<QUrl> &urls)
{
    QMimeData data;
    data.setUrls(urls);
    QDragEnterEvent enter(QPoint(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent dropped(QPointF(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &dropped);
}

QUrl talk(const char *name)
{
    return QUrl::fromLocalFile(QStringLiteral("/talks/") + QLatin1String(name));
}

QStringList titles(const CaptionQueue &queue)
{
    QStringList all;
    for (const QueueEntry &entry : queue.entries()) {
        all << entry.title;
    }
    return all;
}

QToolButton *button(QueuePanel &panel, int row, const char *name)
{
    return panel.findChildren<QueueRow *>().at(row)->findChild<QToolButton *>(QLatin1String(name));
}

}  // namespace

class UiQueueTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void everyRecordingHasAPageOfItsOwn()
    {
        const QTemporaryDir folder;
        const auto said = words("one two three", 0.3);
        MainWindow window(speakingServices(said, folder.path().toStdString()));
        window.resize(1100, 700);
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.captions().choicesRow().listsArrived(), kPatienceMs);
        drop(window, {talk("first.wav"), talk("missing.wav"), talk("last.wav")});
        CaptionQueue &queue = window.captions().queue();
        QTRY_COMPARE_WITH_TIMEOUT(queue.entries().size(), std::size_t(3), kPatienceMs);
        QTRY_VERIFY_WITH_TIMEOUT(queue.waiting() == 0 && window.controller().activity() == RunActivity::Idle, kPatienceMs);
        // The last one's words alone are on the page, on a clock that begins with it, under its own heading.
        const TranscriptModel &model = window.controller().transcript();
        QCOMPARE(model.plainText(0, model.wordCount() - 1), QStringLiteral("one two three"));
        QCOMPARE(model.word(0).start_sample, said[0].start_sample);
        QCOMPARE(model.paragraphs().front().text, QStringLiteral("last.wav"));
        QVERIFY(!window.controller().sound(model.word(1).start_sample, 1000).empty());
        // Each row says what became of it; the one that failed says why.
        QueuePanel &panel = window.captions().queuePanel();
        QCOMPARE(panel.rowText(0), QStringLiteral("first.wav: done, 3 words"));
        QVERIFY2(panel.rowText(1).contains(QStringLiteral("the file does not exist. Check its name.")), qPrintable(panel.rowText(1)));
        QCOMPARE(panel.rowText(2), QStringLiteral("last.wav: done, 3 words"));
        // The first one's page comes back, and its sound with it.
        QTest::mouseClick(button(panel, 0, "show"), Qt::LeftButton);
        QCOMPARE(queue.shown(), queue.entries().front().id);
        QCOMPARE(model.paragraphs().front().text, QStringLiteral("first.wav"));
        QVERIFY(!window.controller().sound(model.word(1).start_sample, 1000).empty());
        QTRY_VERIFY_WITH_TIMEOUT(window.controller().peaks().samples() >= said.back().end_sample, kPatienceMs);
        // One export each, none over another.
        const std::filesystem::path out = folder.filePath(QStringLiteral("out")).toStdString();
        std::filesystem::create_directory(out);
        std::ofstream(out / "last.srt") << "mine";
        window.captions().saveAllTo(out, ".srt");
        QTRY_VERIFY_WITH_TIMEOUT(std::filesystem::exists(out / "last 2.srt"), kPatienceMs);
        QCOMPARE(readTextFile(out / "last.srt"), std::string("mine"));
        QCOMPARE(readTextFile(out / "first.srt"), readTextFile(out / "last 2.srt"));
        QVERIFY(readTextFile(out / "first.srt").starts_with("1\n00:00:00,"));
    }
    void aRecordingThatFailsLeavesNoEmptyHeading()
    {
        Desk desk;
        QVERIFY(desk.ready());
        drop(*desk.window, {talk("broken.wav")});
        QVERIFY(desk.until([&] { return desk.backend->starts == 1; }));
        desk.backend->say(runtime::Failed{ErrorKind::Input, "broken.wav: this is no recording."});
        desk.backend->finish();
        QVERIFY(desk.until([&] { return desk.window->controller().activity() == RunActivity::Idle; }));
        QVERIFY(desk.transcript().paragraphs().empty());
        QCOMPARE(desk.window->captions().queuePanel().rowText(0), QStringLiteral("broken.wav: broken.wav: this is no recording."));
    }
    void whatIsSaidIsKeptWhenARecordingIsOpened()
    {
        Desk desk;
        QVERIFY(desk.ready());
        desk.press(Qt::Key_Space);
        desk.backend->listen(2);
        desk.backend->say(captions::Started{"Desk Microphone", "captions-en", "streaming"});
        desk.backend->say(captions::Committed{transcriptOf(words("said before", 0.2))});
        QVERIFY(desk.until([&] { return desk.transcript().wordCount() == 2; }));
        drop(*desk.window, {talk("talk.wav")});
        CaptionQueue &queue = desk.window->captions().queue();
        QVERIFY(desk.until([&] { return queue.waiting() == 1; }));
        // It is seen to wait; listening goes on.
        QCOMPARE(desk.backend->stops, 0);
        QVERIFY(desk.window->captions().queuePanel().isVisible());
        QVERIFY(desk.window->captions().notices().sentences().first().contains(QStringLiteral("talk.wav waits until you stop listening")));
        desk.backend->say(captions::Committed{transcriptOf(words("and after", 1.2))});
        desk.press(Qt::Key_Space);
        QCOMPARE(desk.backend->stops, 1);
        QCOMPARE(queue.waiting(), std::size_t(1));
        desk.backend->finish();
        QVERIFY(desk.until([&] { return desk.backend->starts == 2; }));
        QCOMPARE(desk.window->controller().present().source_title, QStringLiteral("talk.wav"));
        QVERIFY(desk.transcript().isEmpty());
        QCOMPARE(titles(queue), (QStringList{QStringLiteral("Desk Microphone"), QStringLiteral("talk.wav")}));
        QCOMPARE(queue.transcript(queue.entries().front().id)->size(), std::size_t(4));
        desk.backend->finish();
        QVERIFY(desk.until([&] { return desk.window->controller().activity() == RunActivity::Idle; }));
        QTest::mouseClick(button(desk.window->captions().queuePanel(), 0, "show"), Qt::LeftButton);
        QCOMPARE(desk.transcript().plainText(0, 3), QStringLiteral("said before and after"));
    }
    void theOrderIsThePersons()
    {
        Desk desk;
        QVERIFY(desk.ready());
        drop(*desk.window, {talk("a.wav"), talk("b.wav"), talk("c.wav"), talk("d.wav")});
        CaptionQueue &queue = desk.window->captions().queue();
        QueuePanel &panel = desk.window->captions().queuePanel();
        QVERIFY(desk.until([&] { return queue.running() != nullptr; }));
        QVERIFY(!button(panel, 1, "up")->isEnabled());  // nothing goes before the one that runs
        QTest::mouseClick(button(panel, 3, "up"), Qt::LeftButton);
        QCOMPARE(titles(queue).join(QLatin1Char(' ')), QStringLiteral("a.wav b.wav d.wav c.wav"));
        QTest::keyClick(button(panel, 1, "down"), Qt::Key_Down, Qt::AltModifier);
        QCOMPARE(titles(queue).join(QLatin1Char(' ')), QStringLiteral("a.wav d.wav b.wav c.wav"));
        QTest::mouseClick(button(panel, 2, "cancel"), Qt::LeftButton);
        QCOMPARE(titles(queue).join(QLatin1Char(' ')), QStringLiteral("a.wav d.wav c.wav"));
        // Leaving the one that runs: what was heard of it stays, the next has its turn.
        desk.backend->listen(1);
        QVERIFY(desk.until([&] { return desk.window->controller().snapshot().state == runtime::RunState::Listening; }));
        QTest::mouseClick(button(panel, 0, "cancel"), Qt::LeftButton);
        QCOMPARE(desk.backend->stops, 1);
        desk.backend->say(captions::Committed{transcriptOf(words("half of it", 0))});
        desk.backend->finish();
        QVERIFY(desk.until([&] { return desk.backend->starts == 2; }));
        QCOMPARE(panel.rowText(0), QStringLiteral("a.wav: stopped, 3 words"));
        QCOMPARE(desk.window->controller().present().source_title, QStringLiteral("d.wav"));
        // Stop stops the queue as well: it goes on when it is asked to.
        desk.backend->listen(1);
        QVERIFY(desk.until([&] { return desk.window->controller().snapshot().state == runtime::RunState::Listening; }));
        desk.window->captions().startOrStop();
        desk.backend->finish();
        QVERIFY(desk.until([&] { return desk.window->controller().activity() == RunActivity::Idle; }));
        QVERIFY(queue.isPaused());
        QCOMPARE(queue.waiting(), std::size_t(1));
        for (QAbstractButton *each : panel.findChildren<QAbstractButton *>()) {
            if (each->text() == QStringLiteral("Go on")) {
                QTest::mouseClick(each, Qt::LeftButton);
            }
        }
        QCOMPARE(desk.window->controller().present().source_title, QStringLiteral("c.wav"));
    }
    void progressIsAShareAndATimeLeft()
    {
        Desk desk;
        QVERIFY(desk.ready());
        drop(*desk.window, {talk("talk.wav")});
        QVERIFY(desk.until([&] { return desk.backend->starts == 1; }));
        desk.backend->say(captions::Started{"talk.wav", "captions-en", "streaming", samplesFromSeconds(100)});
        desk.backend->listen(25.2);
        QueuePanel &panel = desk.window->captions().queuePanel();
        QVERIFY(desk.until([&] { return panel.rowText(0).startsWith(QStringLiteral("talk.wav: 25 %")); }));
        auto *bar = panel.findChild<QProgressBar *>();
        QVERIFY(bar->isVisible());
        QCOMPARE(bar->value(), 250);
        // How long yet is guessed once there is something to guess from.
        double heard = 25.2;
        QVERIFY(desk.until([&] {
            desk.backend->listen(heard += 0.001);
            return panel.rowText(0).contains(QStringLiteral("left"));
        }));
        QueueEntry entry;
        entry.state = QueueState::Running;
        QCOMPARE(stateText(entry), QStringLiteral("begins"));
        entry.done = 0.416;
        entry.seconds_to = 150;
        QCOMPARE(stateText(entry), QStringLiteral("41 %, about 2 min left"));
        entry.seconds_to = 3720;
        QCOMPARE(stateText(entry), QStringLiteral("41 %, about 1 h 2 min left"));
    }
    void foldersGiveTheirRecordings()
    {
        const QTemporaryDir folder;
        const std::filesystem::path root = folder.path().toStdString();
        std::filesystem::create_directories(root / "talks" / "deep");
        std::filesystem::create_directories(root / "empty");
        for (const char *name : {"talks/b.wav", "talks/a.MP3", "talks/deep/c.mkv", "talks/notes.txt", "empty/x.pdf"}) {
            std::ofstream(root / name) << "x";
        }
        std::filesystem::create_directory_symlink(root, root / "talks" / "around");  // would never end
        const FoundRecordings found = recordingsAmong({root / "talks", root / "loose.wav"});
        QCOMPARE(found.files, (std::vector<std::filesystem::path>{root / "talks/a.MP3", root / "talks/b.wav", root / "talks/deep/c.mkv", root / "loose.wav"}));
        QVERIFY(found.problem.isEmpty());
        const FoundRecordings none = recordingsAmong({root / "empty"});
        QVERIFY(none.files.empty());
        QVERIFY(none.problem.contains(QStringLiteral("there are no recordings in this folder")));
        Desk desk;
        QVERIFY(desk.ready());
        drop(*desk.window, {QUrl::fromLocalFile(QString::fromStdString((root / "talks").string()))});
        QVERIFY(desk.until([&] { return desk.window->captions().queue().entries().size() == 3; }));
        drop(*desk.window, {QUrl::fromLocalFile(QString::fromStdString((root / "empty").string()))});
        QVERIFY(desk.until([&] { return !desk.window->captions().notices().sentences().isEmpty(); }));
    }
    void anotherModelBeginsTheRecordingAnew()
    {
        Desk desk;
        QVERIFY(desk.ready());
        drop(*desk.window, {talk("a.wav"), talk("b.wav")});
        QVERIFY(desk.until([&] { return desk.backend->starts == 1; }));
        desk.backend->say(captions::Committed{transcriptOf(words("of the old model", 0))});
        QVERIFY(desk.until([&] { return desk.transcript().wordCount() == 4; }));
        desk.window->settings().update([](Settings &s) { s.preroll_ms = 800; });
        QCOMPARE(desk.backend->starts, 2);
        QCOMPARE(desk.window->controller().present().source_title, QStringLiteral("a.wav"));
        QCOMPARE(desk.transcript().wordCount(), 0);
        QCOMPARE(desk.window->captions().queue().waiting(), std::size_t(1));
    }
    void whatIsOverLeavesAndComesBack()
    {
        Desk desk;
        QVERIFY(desk.ready());
        drop(*desk.window, {talk("a.wav")});
        QVERIFY(desk.until([&] { return desk.backend->starts == 1; }));
        desk.backend->say(captions::Committed{transcriptOf(words("some words", 0))});
        desk.backend->finish();
        CaptionQueue &queue = desk.window->captions().queue();
        QVERIFY(desk.until([&] { return desk.window->controller().activity() == RunActivity::Idle; }));
        desk.window->captions().newPage();  // puts the words aside
        QVERIFY(desk.transcript().isEmpty());
        QCOMPARE(queue.transcript(queue.entries().front().id)->size(), std::size_t(2));
        queue.tidy();
        QVERIFY(!desk.window->captions().queuePanel().isVisible());
        queue.undoTidy();
        queue.show(queue.entries().front().id);
        QCOMPARE(desk.transcript().wordCount(), 2);
    }
    void pictures_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<int>("theme");
        QTest::newRow("queue-light-1280") << QSize(1280, 800) << static_cast<int>(ThemeChoice::Light);
        QTest::newRow("queue-dark-1280") << QSize(1280, 800) << static_cast<int>(ThemeChoice::Dark);
        QTest::newRow("queue-light-640") << QSize(640, 400) << static_cast<int>(ThemeChoice::Light);
    }
    // Looked at; every button of a row lies inside the window and over no other.
    void pictures()
    {
        QFETCH(QSize, size);
        QFETCH(int, theme);
        Desk desk;
        QVERIFY(desk.ready());
        desk.window->settings().update([theme](Settings &s) { s.theme = static_cast<ThemeChoice>(theme); });
        desk.window->resize(size);
        drop(*desk.window,
             {talk("broken.wav"), talk("A very long name of a lecture that somebody recorded in spring.mp4"), talk("c.wav"), talk("d.wav"), talk("e.wav")});
        QVERIFY(desk.until([&] { return desk.backend->starts == 1; }));
        desk.backend->say(runtime::Failed{ErrorKind::Input, "broken.wav: this is no recording. Choose another file."});
        desk.backend->finish();
        QVERIFY(desk.until([&] { return desk.backend->starts == 2; }));
        desk.backend->say(captions::Started{"A very long name", "captions-en", "streaming", samplesFromSeconds(600)});
        desk.backend->say(captions::Committed{transcriptOf(words("The birch canoe slid on the smooth planks.", 0.5))});
        double heard = 240;
        QueuePanel &panel = desk.window->captions().queuePanel();
        QVERIFY(desk.until([&] {
            desk.backend->listen(heard += 0.001);
            return panel.rowText(1).contains(QStringLiteral("left"));
        }));
        desk.window->captions().notices().clearProblem();
        const QImage image = desk.window->grab().toImage();
        QVERIFY(QDir().mkpath(QStringLiteral(BRAID_SCREENSHOTS)));
        QVERIFY(image.save(QStringLiteral(BRAID_SCREENSHOTS "/%1.png").arg(QLatin1String(QTest::currentDataTag()))));
        for (const QueueRow *row : panel.findChildren<QueueRow *>()) {
            QRect before;
            for (const QToolButton *each : row->findChildren<QToolButton *>()) {
                if (each->isVisible()) {
                    QVERIFY(row->rect().contains(each->geometry()));
                    QVERIFY(!each->geometry().intersects(before));
                    before = each->geometry();
                }
            }
        }
    }
};

QTEST_MAIN(UiQueueTest)
#include "tst_ui_queue.moc"
