// The whole window, driven as a person would, with stand-ins outside: running, stopping, files, errors, recovery, keyboard, names for
// screen readers, settings that hold at once.
#include <QAbstractButton>
#include <QAccessible>
#include <QApplication>
#include <QDropEvent>
#include <QMimeData>
#include <QTemporaryDir>
#include <QtTest>

#include "core/base/file.h"
#include "tests/ui/desk.h"
#include "tests/ui/kept_runs.h"
#include "ui/captions/choices_row.h"
#include "ui/captions/timeline_view.h"
#include "ui/captions/transcript_view.h"
#include "ui/inspector/attention_view.h"
#include "ui/inspector/inspector_panel.h"
#include "ui/inspector/token_bars.h"
#include "ui/library/history_page.h"
#include "ui/models/models_page.h"
#include "ui/settings/settings_page.h"
#include "ui/shared/choice_box.h"
#include "ui/shared/find_bar.h"
#include "ui/shared/status_line.h"
#include "ui/shell/main_window.h"

using namespace braid;
using namespace braid::ui;
using namespace braid::ui::test;

class UiWindowTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    // The real engine, the real journal: press Space, read what was said, find it in History.
    void aSessionFromStartToHistory()
    {
        const QTemporaryDir folder;
        const auto said = words("and so my fellow americans ask not what your country can do for you", 0.3);
        MainWindow window(speakingServices(said, folder.path().toStdString()));
        window.resize(1000, 640);
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.captions().choicesRow().listsArrived(), kPatienceMs);
        QTest::keyClick(&window.captions().transcriptView(), Qt::Key_Space);
        QVERIFY(window.controller().activity() == RunActivity::Running);
        QTRY_VERIFY_WITH_TIMEOUT(window.controller().activity() == RunActivity::Idle, kPatienceMs);
        const TranscriptModel &model = window.controller().transcript();
        QCOMPARE(model.wordCount(), static_cast<int>(said.size()));
        QCOMPARE(model.plainText(0, model.wordCount() - 1).simplified(), QStringLiteral("and so my fellow americans ask not what your country can do for you"));
        QCOMPARE(window.captions().status().stateText(), QStringLiteral("finished"));
        QVERIFY(model.tail().empty());
        // All the sound arrived on the time axis.
        QVERIFY(window.controller().peaks().samples() >= said.back().end_sample);
        QVERIFY(window.controller().peaks().peak(said[4].start_sample, said[4].end_sample).high > 5);
        // Hearing a word after the end: from the journal.
        QVERIFY(!window.controller().sound(said[2].start_sample, 1000).empty());
        window.showPage(PageName::History);
        QTRY_COMPARE_WITH_TIMEOUT(window.historyPage().shownSessions(), 1, kPatienceMs);
        const std::filesystem::path out = folder.filePath("saved.srt").toStdString();
        QVERIFY(window.historyPage().saveSelectedTo(out));
        QVERIFY(readTextFile(out).find("americans") != std::string::npos);
        window.captions().newPage();
        QCOMPARE(model.wordCount(), 0);
        window.historyPage().openSelected();
        QTRY_COMPARE_WITH_TIMEOUT(model.wordCount(), static_cast<int>(said.size()), kPatienceMs);
        QVERIFY(window.page() == PageName::Captions);
        QVERIFY(!window.controller().sound(said[2].start_sample, 1000).empty());
    }
    void snapshotsReachThePage()
    {
        Desk desk;
        QVERIFY(desk.ready());
        desk.press(Qt::Key_Space);
        QCOMPARE(desk.backend->starts, 1);
        desk.backend->show([](captions::CaptionSnapshot &s) { s.activity = "loading captions-en (40 %)"; });
        QVERIFY(desk.until([&] { return desk.window->captions().status().stateText() == QStringLiteral("loading captions-en (40 %)"); }));
        desk.backend->recording = soundOf(words("ask not", 0), samplesFromSeconds(5));
        desk.backend->say(captions::Started{"Desk Microphone", "captions-en", "local-agreement"});
        desk.backend->say(captions::Committed{transcriptOf(words("ask not", 0))});
        desk.backend->listen(2);
        desk.backend->show([](captions::CaptionSnapshot &s) {
            s.tail = words("what your", 1.2);
            s.attention = attentionOver(s.tail);
        });
        QVERIFY(desk.until([&] { return desk.transcript().tail().size() == 2; }));
        QCOMPARE(desk.transcript().wordCount(), 2);
        QVERIFY(desk.window->windowTitle().contains(QStringLiteral("Desk Microphone")));
        QCOMPARE(desk.window->captions().status().lagText(), QStringLiteral("0.4 s behind"));
        QCOMPARE(desk.window->captions().inspector().wordText(), QStringLiteral("your"));
        desk.window->captions().openInspectorTab(static_cast<int>(InspectorTab::Attention));
        QVERIFY(!desk.window->captions().inspector().attention().isEmpty());
        QCOMPARE(desk.window->captions().inspector().tokens().bars().size(), std::size_t(3));
        QVERIFY(desk.window->captions().status().meter().levelDb() > -30);
        QVERIFY(desk.until([&] { return desk.window->controller().peaks().samples() == samplesFromSeconds(2); }));
        // Events of a run that was left behind are dropped.
        desk.backend->events.push_back({desk.backend->generation - 1, captions::Committed{transcriptOf(words("stale", 0))}});
        desk.backend->listen(3);
        QVERIFY(desk.until([&] { return desk.window->controller().heard() == samplesFromSeconds(3); }));
        QCOMPARE(desk.transcript().wordCount(), 2);
    }
    void stopDrainsCancelLoadsNoMore()
    {
        Desk desk;
        QVERIFY(desk.ready());
        desk.press(Qt::Key_Space);
        auto *start = desk.window->captions().choicesRow().findChild<QAbstractButton *>(QStringLiteral("primary"));
        desk.backend->show([](captions::CaptionSnapshot &s) { s.loading_fraction = 0.2; });
        QVERIFY(desk.until([&] { return start->text() == QStringLiteral("Cancel"); }));
        desk.press(Qt::Key_Space);
        QCOMPARE(desk.backend->cancels, 1);
        desk.backend->finish();
        QVERIFY(desk.until([&] { return desk.window->controller().activity() == RunActivity::Idle; }));
        desk.press(Qt::Key_Space);
        desk.backend->listen(1);
        QVERIFY(desk.until([&] { return start->text() == QStringLiteral("Stop"); }));
        desk.press(Qt::Key_Space);
        QCOMPARE(desk.backend->stops, 1);
        QCOMPARE(start->text(), QStringLiteral("Stop now"));
        desk.backend->say(captions::Committed{transcriptOf(words("the last words", 0))});
        desk.backend->finish();
        QVERIFY(desk.until([&] { return desk.window->controller().activity() == RunActivity::Idle; }));
        QCOMPARE(desk.transcript().wordCount(), 3);
        QCOMPARE(start->text(), QStringLiteral("Start"));
    }
    void anotherModelOrPolicyHoldsAtOnce()
    {
        Desk desk;
        QVERIFY(desk.ready());
        desk.press(Qt::Key_Space);
        desk.backend->listen(2);
        desk.backend->say(captions::Committed{transcriptOf(words("before the change", 0))});
        QVERIFY(desk.until([&] { return desk.transcript().wordCount() == 3; }));
        auto *policy = desk.window->captions().findChild<ChoiceBox *>(QStringLiteral("policy"));
        policy->setCurrentIndex(1);
        Q_EMIT policy->activated(1);
        QCOMPARE(desk.window->settings().values().tuning.policy, QStringLiteral("align-att"));
        // Another policy takes over the run that is going; only another model begins a new one.
        QCOMPARE(desk.backend->policy_changes, 1);
        QCOMPARE(desk.backend->stops, 0);
        desk.window->settings().update([](Settings &s) { s.model_name = QStringLiteral("captions-en"); });
        QCOMPARE(desk.backend->stops, 1);
        desk.backend->finish();
        QVERIFY(desk.until([&] { return desk.backend->starts == 2; }));
        desk.backend->listen(1);
        desk.backend->say(captions::Committed{transcriptOf(words("after it", 0))});
        QVERIFY(desk.until([&] { return desk.transcript().wordCount() == 5; }));
        // Nothing of before is lost, and time goes on.
        QCOMPARE(desk.transcript().word(3).start_sample, samplesFromSeconds(2));
    }

    void errorsStandInPlace()
    {
        Desk desk;
        QVERIFY(desk.ready());
        desk.press(Qt::Key_Space);
        desk.backend->say(runtime::Failed{ErrorKind::Device, "Desk Microphone: the device was lost. Plug it in again."});
        desk.backend->finish();
        QVERIFY(desk.until([&] { return !desk.window->captions().notices().sentences().isEmpty(); }));
        QCOMPARE(desk.window->captions().notices().sentences().first(), QStringLiteral("Desk Microphone: the device was lost. Plug it in again."));
        auto *bar = desk.window->findChild<NoticeBar *>();
        QVERIFY(bar != nullptr && !bar->detailsAreShown());
        for (QAbstractButton *button : bar->findChildren<QAbstractButton *>()) {
            if (button->text() == QStringLiteral("Details")) {
                QTest::mouseClick(button, Qt::LeftButton);
            }
        }
        QVERIFY(bar->detailsAreShown());
        // Starting again clears what no longer holds.
        desk.window->captions().transcriptView().setFocus();
        QVERIFY(desk.until([&] { return desk.window->controller().activity() == RunActivity::Idle; }));
        desk.press(Qt::Key_Space);
        QVERIFY(desk.window->captions().notices().sentences().isEmpty());
    }
    void noMicrophoneNoModelAreSentences()
    {
        Desk no_microphone([](Services &services) { services.list_devices = [] { return std::vector<audio::DeviceInfo>(); }; });
        QVERIFY(no_microphone.ready());
        no_microphone.press(Qt::Key_Space);
        QCOMPARE(no_microphone.backend->starts, 0);
        QVERIFY(no_microphone.window->captions().notices().sentences().first().contains(QStringLiteral("No microphone was found")));
        Desk no_model([](Services &services) { services.list_models = [] { return std::vector<ModelEntry>(); }; });
        QVERIFY(no_model.ready());
        no_model.press(Qt::Key_Space);
        QVERIFY(no_model.window->captions().notices().sentences().first().contains(QStringLiteral("No model was found")));
        Desk broken([](Services &services) {
            services.list_devices = []() -> std::vector<audio::DeviceInfo> { throw Error(ErrorKind::Device, "the sound system could not be started"); };
        });
        QVERIFY(broken.ready());
        broken.press(Qt::Key_Space);
        QVERIFY(broken.window->captions().notices().sentences().first().contains(QStringLiteral("sound system")));
    }
    void interruptedSessionsAreOffered()
    {
        Desk desk;
        const std::filesystem::path journals = std::filesystem::path(desk.folder.path().toStdString()) / "sessions";
        const auto said = words("words that were nearly lost", 0.2);
        braid::testing::leaveInterrupted(journals, braid::testing::ToldCaptions{transcriptOf(said), soundOf(said, samplesFromSeconds(125))});
        QVERIFY(desk.ready());
        desk.window->begin(FirstRun::Plain);
        QVERIFY(desk.until([&] { return !desk.window->captions().notices().sentences().isEmpty(); }));
        QVERIFY2(desk.window->captions().notices().sentences().first().contains(QStringLiteral("A session of 2 minutes was interrupted")),
                 qPrintable(desk.window->captions().notices().sentences().first()));
        for (QAbstractButton *button : desk.window->findChildren<QAbstractButton *>()) {
            if (button->text() == QStringLiteral("Open it")) {
                QTest::mouseClick(button, Qt::LeftButton);
                break;
            }
        }
        QVERIFY(desk.until([&] { return desk.transcript().wordCount() == 5; }));
        // Its words can be heard, and it is not offered again.
        QTest::mouseClick(desk.window->captions().transcriptView().viewport(), Qt::LeftButton, {},
                          desk.window->captions().transcriptView().wordRectInViewport({WordPart::Settled, 2}).center().toPoint());
        QVERIFY(!desk.player->played.empty());
        QVERIFY(runtime::findInterruptedRuns(journals).empty());
        QVERIFY(desk.until([&] { return desk.window->controller().peaks().samples() >= samplesFromSeconds(120); }));
    }
    void runsOfEveryKindAreInHistory()
    {
        Desk desk;
        const std::filesystem::path journals = std::filesystem::path(desk.folder.path().toStdString()) / "sessions";
        leaveOneOfEveryKind(journals);
        QVERIFY(desk.ready());
        HistoryPage &history = desk.window->historyPage();
        desk.window->showPage(PageName::History);
        QVERIFY(desk.until([&] { return history.shownSessions() == 3; }));
        const auto cell = [&history](int row, HistoryModel::Column column) { return history.table().model()->index(row, column).data().toString(); };
        const auto kinds = [&] { return QStringList{cell(0, HistoryModel::Kind), cell(1, HistoryModel::Kind), cell(2, HistoryModel::Kind)}; };
        QCOMPARE(kinds(), (QStringList{QStringLiteral("Captions"), QStringLiteral("Translation"), QStringLiteral("Conversation")}));
        QCOMPARE(cell(0, HistoryModel::Length), QStringLiteral("00:01:01"));
        QVERIFY(cell(0, HistoryModel::When).contains(QStringLiteral("interrupted")));
        QCOMPARE(cell(1, HistoryModel::Source), QStringLiteral("typed text"));
        QCOMPARE(cell(1, HistoryModel::Text), QStringLiteral("le chat"));
        QCOMPARE(cell(2, HistoryModel::Text), QStringLiteral("User: how are you Answer: fine"));
        // Each is found by its words, a translation by its source, too, saved in its own forms and opened on its own page.
        const auto find = [&history](const char *words) { history.findChild<QLineEdit *>()->setText(QString::fromLatin1(words)); };
        const auto chosen = [&](const char *words) {
            find(words);
            history.table().selectRow(0);
            return history.shownSessions();
        };
        const auto file = [&desk](const char *name) { return std::filesystem::path(desk.folder.filePath(QString::fromLatin1(name)).toStdString()); };
        QCOMPARE(chosen("the cat"), 1);
        QVERIFY(history.saveSelectedTo(file("saved.tsv")));
        QCOMPARE(readTextFile(file("saved.tsv")), std::string("the cat\tle chat\n"));
        history.openSelected();
        QVERIFY(desk.window->page() == PageName::Translation);
        QVERIFY(desk.until([&] { return runtime::findInterruptedRuns(journals).size() == 2; }));
        desk.window->showPage(PageName::History);
        QVERIFY(desk.until([&] {
            return cell(0, HistoryModel::When).contains(QStringLiteral("2026")) && !cell(0, HistoryModel::When).contains(QStringLiteral("interrupted"));
        }));
        QCOMPARE(chosen("how are you"), 1);
        QVERIFY(history.saveSelectedTo(file("saved.md")));
        QVERIFY(readTextFile(file("saved.md")).starts_with("| User | Answer |"));
        history.openSelected();
        QVERIFY(desk.window->page() == PageName::Streams);
        QCOMPARE(chosen("birch canoe"), 1);
        QVERIFY(cell(0, HistoryModel::Text).contains(QStringLiteral("birch canoe")));
        history.openSelected();
        QVERIFY(desk.window->page() == PageName::Captions);
        QVERIFY(desk.until([&] { return desk.transcript().wordCount() == 5; }));
        // It opens where the words stand.
        QVERIFY(desk.window->captions().findBar().isVisible());
        QCOMPARE(desk.window->captions().transcriptView().finder().count(), 1);
    }
    void aClickedWordIsHeardAndLit()
    {
        Desk desk;
        QVERIFY(desk.ready());
        desk.press(Qt::Key_Space);
        const auto said = words("ask not what", 0.5);
        desk.backend->recording = soundOf(said, samplesFromSeconds(3));
        desk.backend->listen(3);
        desk.backend->say(captions::Committed{transcriptOf(said)});
        QVERIFY(desk.until([&] { return desk.transcript().wordCount() == 3; }));
        TranscriptView &view = desk.window->captions().transcriptView();
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.wordRectInViewport({WordPart::Settled, 1}).center().toPoint());
        QCOMPARE(*desk.player->at, said[1].start_sample - samplesFromMs(60));
        QCOMPARE(static_cast<Sample>(desk.player->played.size()), said[1].end_sample - said[1].start_sample + samplesFromMs(180));
        desk.player->at = said[1].start_sample + 100;
        const QImage before = view.viewport()->grab().toImage();
        QVERIFY(desk.until([&] { return view.viewport()->grab().toImage() != before; }));
        desk.press(Qt::Key_Escape);  // the first gives back the pin, the next stops the sound
        desk.press(Qt::Key_Escape);
        QVERIFY(!desk.player->at);
        desk.player->broken = true;
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.wordRectInViewport({WordPart::Settled, 0}).center().toPoint());
        QVERIFY(desk.until([&] { return desk.window->captions().notices().sentences().join(QString()).contains(QStringLiteral("no loudspeaker")); }));
    }

    void keyboard()
    {
        Desk desk;
        QVERIFY(desk.ready());
        MainWindow &window = *desk.window;
        desk.press(Qt::Key_4, Qt::ControlModifier);
        QVERIFY(window.page() == PageName::Models);
        desk.press(Qt::Key_5, Qt::ControlModifier);
        QVERIFY(window.page() == PageName::History);
        desk.press(Qt::Key_6, Qt::ControlModifier);
        QVERIFY(window.page() == PageName::Settings);
        desk.press(Qt::Key_1, Qt::ControlModifier);
        QVERIFY(window.page() == PageName::Captions);
        QVERIFY(window.captions().inspector().isVisible());
        desk.press(Qt::Key_I);
        QVERIFY(!window.captions().inspector().isVisible());
        desk.press(Qt::Key_I);
        QVERIFY(window.captions().inspector().isVisible());
        const int size = window.appearance().captionPx();
        desk.press(Qt::Key_Plus);
        QVERIFY(window.appearance().captionPx() > size);
        desk.press(Qt::Key_Minus);
        QCOMPARE(window.appearance().captionPx(), size);
        desk.press(Qt::Key_Slash);
        QVERIFY(window.captions().findBar().isVisible());
        desk.press(Qt::Key_L);  // typed into the field, not a command
        QVERIFY(window.captions().findBar().isVisible());
        desk.press(Qt::Key_Escape);
        QVERIFY(!window.captions().findBar().isVisible());
        desk.press(Qt::Key_F11);
        QVERIFY(window.isPresenting());
        QVERIFY(window.appearance().captionPx() >= 40);
        QVERIFY(!window.captions().choicesRow().isVisible());
        QVERIFY(!window.captions().timeline().isVisible());
        desk.press(Qt::Key_Escape);
        QVERIFY(!window.isPresenting());
        QCOMPARE(window.appearance().captionPx(), size);
        QVERIFY(window.captions().choicesRow().isVisible());
        // Space on a button presses the button.
        auto *start = window.captions().choicesRow().findChild<QAbstractButton *>(QStringLiteral("primary"));
        start->setFocus();
        QTest::keyClick(start, Qt::Key_Space);
        QCOMPARE(desk.backend->starts, 1);
        QVERIFY(window.controller().activity() == RunActivity::Running);
    }
    void everyControlHasANameForReaders()
    {
        Desk desk([](Services &services) { services.sample_file = "/samples/sample.flac"; });
        QVERIFY(desk.ready());
        desk.window->captions().notices().add(
            {Severity::Danger, QStringLiteral("Something failed."), QStringLiteral("details"), {{QStringLiteral("Try again"), {}}}, {}});
        desk.window->captions().find();
        int checked = 0;
        for (const PageName page : {PageName::Captions, PageName::Models, PageName::History, PageName::Settings}) {
            desk.window->showPage(page);
            for (QWidget *widget : desk.window->findChildren<QWidget *>()) {
                if (!widget->isVisible() || !(widget->focusPolicy() & Qt::TabFocus) || widget->inherits("QScrollBar") ||
                    (widget->parentWidget() != nullptr &&
                     (widget->parentWidget()->inherits("QAbstractSpinBox") || widget->parentWidget()->inherits("QHeaderView")))) {
                    continue;
                }
                QAccessibleInterface *interface = QAccessible::queryAccessibleInterface(widget);
                QVERIFY2(interface != nullptr, widget->metaObject()->className());
                QVERIFY2(!interface->text(QAccessible::Name).isEmpty(),
                         qPrintable(QStringLiteral("%1 %2 has no name").arg(QString::fromLatin1(widget->metaObject()->className()), widget->objectName())));
                QVERIFY2(interface->role() != QAccessible::NoRole, widget->metaObject()->className());
                ++checked;
            }
        }
        QVERIFY2(checked > 25, qPrintable(QString::number(checked)));
    }
    void settingsHoldAtOnceAndCanBeUndone()
    {
        Desk desk;
        QVERIFY(desk.ready());
        MainWindow &window = *desk.window;
        SettingsPage &page = window.settingsPage();
        window.showPage(PageName::Settings);
        ChoiceBox *theme = nullptr;
        for (ChoiceBox *box : page.findChildren<ChoiceBox *>()) {
            if (box->accessibleName() == QStringLiteral("Theme")) {
                theme = box;
            }
        }
        QVERIFY(theme != nullptr);
        const ThemeKind before = window.appearance().theme().kind();
        theme->setCurrentIndex(4);
        Q_EMIT theme->activated(4);
        QVERIFY(window.appearance().theme().kind() == ThemeKind::HighContrastDark);
        QCOMPARE(QApplication::palette().color(QPalette::Window), themeFor(ThemeKind::HighContrastDark).colour(ColourToken::Surface));
        QVERIFY(page.canUndo());
        page.undo();
        QVERIFY(window.appearance().theme().kind() == before);
        QVERIFY(!page.canUndo());
        // A device that is not there is said at once.
        window.settings().update([](Settings &s) { s.compute.device = "cuda"; });
        QVERIFY(desk.until([&] { return window.captions().notices().sentences().join(QString()).contains(QStringLiteral("there is no GPU here")); }));
    }
    void settingItAllBackTouchesWhatThePageShowsAlone()
    {
        Desk desk;
        QVERIFY(desk.ready());
        MainWindow &window = *desk.window;
        const Settings first;
        window.settings().update([](Settings &s) {
            s.theme = ThemeChoice::Dark;
            s.line_pause_ms = 1200;
            s.keeps_journals = false;
            // Of other pages and windows:
            s.overlay.lines = 4;
            s.overlay.places[QStringLiteral("HDMI-1")] = {};
            s.streams.layout = QStringLiteral("three voices");
            s.translation_model = QStringLiteral("translate-en-fr");
            s.translation.k = 9;
            s.translation_source = TranslationSource::Captions;
            s.captions_translator = QStringLiteral("translate-en-fr");
            s.model_name = QStringLiteral("captions-en");
            s.tuning.beam_size = 3;
            s.inspector_open = false;
        });
        Settings expected = window.settings().values();
        expected.theme = first.theme;
        expected.line_pause_ms = first.line_pause_ms;
        expected.keeps_journals = first.keeps_journals;
        expected.motion = first.motion;  // the desk's
        const Settings before = window.settings().values();
        QPushButton *all = nullptr;
        for (QPushButton *button : window.settingsPage().findChildren<QPushButton *>()) {
            all = button->text() == QStringLiteral("Reset all") ? button : all;
        }
        QVERIFY(all != nullptr);
        all->click();
        QVERIFY(window.settings().values() == expected);
        // Taking it back leaves alone what was changed elsewhere meanwhile.
        window.settings().update([](Settings &s) { s.overlay.lines = 1; });
        window.settingsPage().undo();
        QVERIFY(window.settings().values().line_pause_ms == before.line_pause_ms && window.settings().values().theme == before.theme);
        QCOMPARE(window.settings().values().overlay.lines, 1);
    }
    // The list holds for a run that begins and for one that runs, stands in a file of its own, and says what is wrong with it.
    void wordsAreWrittenAsThePersonWants()
    {
        std::shared_ptr<captions::WordBook> book;
        Desk desk([&book](Services &services) {
            services.profanity = text::WordRules::parse("* darn", "box");
            book = services.words;
        });
        QVERIFY(desk.ready());
        desk.window->showPage(PageName::Settings);
        auto *field = desk.window->settingsPage().findChild<QPlainTextEdit *>(QStringLiteral("wordList"));
        auto *problem = desk.window->settingsPage().findChild<QLabel *>(QStringLiteral("wordListProblem"));
        QVERIFY(field != nullptr && problem != nullptr);
        const QString list = QStringLiteral("lib torch -> libtorch\nbraid -> Braid");
        field->setPlainText(list);
        QVERIFY(desk.until([&] { return desk.window->settings().values().word_list == list; }));
        QVERIFY(problem->isHidden());
        QFile file(desk.folder.filePath(QStringLiteral("words.txt")));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), list.toUtf8());
        QCOMPARE(SettingsStore(desk.folder.filePath(QStringLiteral("braid.ini")).toStdString()).values().word_list, list);

        QCOMPARE(book->rules()->size(), std::size_t(2));
        desk.window->settings().update([](Settings &s) { s.masks_profanity = true; });
        QCOMPARE(book->rules()->size(), std::size_t(3));

        field->setPlainText(QStringLiteral("lib torch"));
        QVERIFY(desk.until([&] { return !problem->isHidden(); }));
        QVERIFY2(problem->text().contains(QStringLiteral("says nothing to write")), qPrintable(problem->text()));
        QCOMPARE(book->rules()->size(), std::size_t(1));  // what is masked still is
        desk.window->settingsPage().undo();
        QCOMPARE(field->toPlainText(), list);
        QVERIFY(problem->isHidden());
    }
    void modelsSayWhatTheyAre()
    {
        Desk desk;
        QVERIFY(desk.ready());
        QCOMPARE(desk.window->modelsPage().summaries().size(), 2);
        QVERIFY(desk.window->modelsPage().summaries()[0].contains(QStringLiteral("16 MB")));
        QVERIFY(desk.window->modelsPage().summaries()[1].contains(QStringLiteral("the weights are missing")));
        Q_EMIT desk.window->modelsPage().modelChosen(QStringLiteral("half-a-model"));
        desk.press(Qt::Key_Space);
        QCOMPARE(desk.backend->starts, 0);
        QVERIFY(desk.window->captions().notices().sentences().first().contains(QStringLiteral("the weights are missing")));
    }
    void firstRunShowsTheSampleAndOffersTheMicrophone()
    {
        Desk desk([](Services &services) { services.sample_file = "/samples/sample.flac"; });
        desk.window->begin(FirstRun::ShowSample);
        QVERIFY(desk.until([&] { return desk.backend->starts == 1; }));
        desk.backend->listen(2);
        desk.backend->say(captions::Committed{transcriptOf(words("a sample", 0))});
        QVERIFY(desk.until([&] { return desk.transcript().wordCount() == 2; }));
        for (QAbstractButton *button : desk.window->findChildren<QAbstractButton *>()) {
            if (button->text() == QStringLiteral("Use my microphone")) {
                QTest::mouseClick(button, Qt::LeftButton);
                break;
            }
        }
        QCOMPARE(desk.backend->cancels, 1);
        QCOMPARE(desk.backend->starts, 2);
        QCOMPARE(desk.transcript().wordCount(), 0);
        QVERIFY(desk.window->settings().values().met_before);
        QVERIFY(desk.window->captions().notices().sentences().isEmpty());
    }
    void savingAsksForNothingTwice()
    {
        Desk desk;
        QVERIFY(desk.ready());
        desk.press(Qt::Key_Space);
        desk.backend->say(captions::Committed{transcriptOf(words("keep this", 0))});
        QVERIFY(desk.until([&] { return desk.transcript().wordCount() == 2; }));
        const std::filesystem::path file = desk.folder.filePath("kept.vtt").toStdString();
        QVERIFY(desk.window->captions().saveTranscriptTo(file));
        QVERIFY(readTextFile(file).find("keep this") != std::string::npos);
        const std::filesystem::path told = desk.folder.filePath("kept.json").toStdString();
        desk.backend->say(captions::Started{"talk.wav", "captions-en", "streaming, 300 ms"});
        QVERIFY(desk.until([&] { return !desk.window->controller().origin().source.empty(); }));
        QVERIFY(desk.window->captions().saveTranscriptTo(told));
        QVERIFY(readTextFile(told).find("talk.wav") != std::string::npos);
        QVERIFY(desk.window->captions().notices().sentences().first().contains(QStringLiteral("Saved as")));
        QVERIFY(!desk.window->captions().saveTranscriptTo("/no/such/folder/kept.txt"));
        QVERIFY(desk.window->captions().notices().sentences().first().contains(QStringLiteral("/no/such/folder")));
    }

    void theWaveformFollowsZoomsAndPans()
    {
        Desk desk;
        QVERIFY(desk.ready());
        desk.press(Qt::Key_Space);
        desk.backend->recording = soundOf(words("ask not what your country", 0), samplesFromSeconds(60));
        desk.backend->listen(60);
        TimelineView &timeline = desk.window->captions().timeline();
        QVERIFY(desk.until([&] { return desk.window->controller().peaks().samples() == samplesFromSeconds(60); }));
        timeline.grab();
        const double newest_x = timeline.geometry().xOf(samplesFromSeconds(60));
        QVERIFY(newest_x > timeline.width() * 0.85 && newest_x < timeline.width());
        // A little more sound paints a few columns, not the page.
        const int painted = timeline.columnsPainted();
        desk.backend->recording.resize(static_cast<std::size_t>(samplesFromSeconds(60.1)));
        desk.backend->listen(60.1);
        QVERIFY(desk.until([&] { return desk.window->controller().heard() == samplesFromSeconds(60.1); }));
        timeline.grab();
        QVERIFY2(timeline.columnsPainted() - painted < 60, qPrintable(QString::number(timeline.columnsPainted() - painted)));
        // What the cache shows is what painting everything anew shows.
        const QImage cached = timeline.grab().toImage();
        desk.window->appearance().setShowsLowProbability(true);  // any change of looks throws the cache away
        QCOMPARE(timeline.grab().toImage(), cached);
        QWheelEvent zoom(QPointF(200, 40), timeline.mapToGlobal(QPointF(200, 40)), {}, QPoint(0, 240), Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
        const double before = timeline.geometry().samples_per_pixel;
        QApplication::sendEvent(&timeline, &zoom);
        QVERIFY(timeline.geometry().samples_per_pixel < before);
        QVERIFY(timeline.isFollowing());
        QTest::mousePress(&timeline, Qt::LeftButton, {}, QPoint(100, 40));
        QMouseEvent drag(QEvent::MouseMove, QPointF(400, 40), timeline.mapToGlobal(QPointF(400, 40)), Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&timeline, &drag);
        QTest::mouseRelease(&timeline, Qt::LeftButton, {}, QPoint(400, 40));
        QVERIFY(!timeline.isFollowing());
        const double panned = timeline.geometry().first_sample;
        desk.backend->recording.resize(static_cast<std::size_t>(samplesFromSeconds(62)));
        desk.backend->listen(62);
        QVERIFY(desk.until([&] { return desk.window->controller().heard() == samplesFromSeconds(62); }));
        QCOMPARE(timeline.geometry().first_sample, panned);
        desk.window->captions().transcriptView().setFocus();
        desk.press(Qt::Key_L);
        QVERIFY(timeline.isFollowing());
    }
    void theClockRestsWhenNothingHappens()
    {
        Desk desk;
        QVERIFY(desk.ready());
        QSignalSpy frames(&desk.window->controller(), &CaptionController::frame);
        QTest::qWait(200);
        QCOMPARE(frames.count(), 0);
        desk.press(Qt::Key_Space);
        QVERIFY(desk.until([&] { return frames.count() > 3; }));
        desk.backend->finish();
        QVERIFY(desk.until([&] { return desk.window->controller().activity() == RunActivity::Idle; }));
        QVERIFY(desk.until([&] {
            const int so_far = frames.count();
            QTest::qWait(150);
            return frames.count() == so_far;
        }));
    }
};

QTEST_MAIN(UiWindowTest)
#include "tst_ui_window.moc"
