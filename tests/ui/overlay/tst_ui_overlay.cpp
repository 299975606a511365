// Captions outside the window: the strip over other windows, the plain window for streaming, the live text file.
#include <QAbstractButton>
#include <QColorDialog>
#include <QDir>
#include <QMouseEvent>
#include <QPainter>
#include <QScreen>
#include <QSpinBox>
#include <QtTest>

#include "core/base/file.h"
#include "tests/ui/desk.h"
#include "ui/overlay/live_text_file.h"
#include "ui/overlay/overlay_canvas.h"
#include "ui/overlay/overlay_desk.h"
#include "ui/overlay/overlay_dialog.h"
#include "ui/overlay/overlay_window.h"
#include "ui/shared/choice_box.h"
#include "ui/shared/notice_bar.h"
#include "ui/translation/bilingual_text.h"

using namespace braid;
using namespace braid::ui;
using namespace braid::ui::test;

namespace {

const char *const kSpeech = "The birch canoe slid on the smooth planks and then it went down the river to the sea where nobody had ever been before";

std::vector<OverlayWord> overlayWords(const char *sentence)
{
    std::vector<OverlayWord> all;
    for (const QString &word : QString::fromLatin1(sentence).split(QLatin1Char(' '))) {
        all.push_back({word, false, false});
    }
    return all;
}

double letters(const QString &text)
{
    return static_cast<double>(text.size());
}

QStringList texts(const std::vector<OverlayLine> &lines)
{
    QStringList all;
    for (const OverlayLine &line : lines) {
        all << line.text();
    }
    return all;
}

// Pressed at `from` of the strip, moved by `by`, released.
void drag(QWidget &strip, const QPoint &from, const QPoint &by)
{
    const QPoint start = strip.mapToGlobal(from);
    const auto send = [&strip](QEvent::Type type, const QPoint &at, Qt::MouseButton button, Qt::MouseButtons buttons) {
        QMouseEvent event(type, strip.mapFromGlobal(at), at, button, buttons, Qt::NoModifier);
        QApplication::sendEvent(&strip, &event);
    };
    send(QEvent::MouseButtonPress, start, Qt::LeftButton, Qt::LeftButton);
    send(QEvent::MouseMove, start + by, Qt::NoButton, Qt::LeftButton);
    send(QEvent::MouseButtonRelease, start + by, Qt::LeftButton, Qt::NoButton);
}

// A desk whose strip is on the screen and shows a sentence with a tail.
struct Stage : Desk {
    Stage()
    {
        is_ready = ready();
        press(Qt::Key_Space);
        backend->listen(8);
        backend->say(captions::Committed{transcriptOf(words(QString::fromLatin1(kSpeech), 0.2))});
        backend->show([](captions::CaptionSnapshot &s) { s.tail = words(QStringLiteral("with its"), 9); });
        is_ready = is_ready && until([this] { return transcript().tail().size() == 2; });
    }
    [[nodiscard]] OverlayDesk &desk() const { return window->overlayDesk(); }
    void set(const std::function<void(OverlayOptions &)> &change) const
    {
        window->settings().update([&change](Settings &s) { change(s.overlay); });
    }
    bool is_ready = false;
};

}  // namespace

class UiOverlayTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    // --- lines ---------------------------------------------------------------------------------------------------------------------
    void wholeLinesRollAndNothingJumps()
    {
        OverlayLines lines;
        lines.reshape(20, letters);
        QStringList shown;
        for (const OverlayWord &word : overlayWords(kSpeech)) {
            lines.setTail({word});
            const QStringList with_tail = texts(lines.newest(2));
            lines.append({word});
            lines.setTail({});
            const QStringList now = texts(lines.newest(2));
            QCOMPARE(now, with_tail);  // a word that settles stays where it stood
            for (const QString &line : now) {
                QVERIFY(line.size() <= 20);
            }
            // What was seen is still there, at the same place of its line, or has rolled away as a whole.
            if (!shown.isEmpty()) {
                QVERIFY(now.front().startsWith(shown.front()) || now.front().startsWith(shown.back()));
            }
            shown = now;
        }
        QCOMPARE(shown.size(), 2);
    }
    void aTailThatShrinksRollsNothingBack()
    {
        OverlayLines lines;
        lines.reshape(10, letters);
        lines.append(overlayWords("one two three"));  // "one two", "three"
        lines.setTail(overlayWords("four five six"));
        QCOMPARE(texts(lines.newest(2)), (QStringList{QStringLiteral("three four"), QStringLiteral("five six")}));
        QCOMPARE(lines.newest(2).front(), (OverlayLine{QStringLiteral("three"), QStringLiteral(" four")}));
        lines.setTail({});
        QCOMPARE(texts(lines.newest(2)), QStringList{QStringLiteral("three")});
    }
    void transcriptLinesBeginLines()
    {
        OverlayLines lines;
        lines.reshape(40, letters);
        lines.append({{QStringLiteral("so"), false, true}, {QStringLiteral("."), true, false}, {QStringLiteral("Then"), false, true}});
        QCOMPARE(texts(lines.newest(4)), (QStringList{QStringLiteral("so."), QStringLiteral("Then")}));
        for (int word = 0; word < 5000; ++word) {  // hours
            lines.append({{QString::number(word), false, false}});
        }
        QVERIFY(texts(lines.newest(3)).back().endsWith(QStringLiteral("4999")));
    }

    // --- where it stands -------------------------------------------------------------------------------------------------------------
    void itLiesInsideTheScreen_data()
    {
        QTest::addColumn<int>("dock");
        QTest::addColumn<QRect>("free");
        QTest::addColumn<QRect>("where");
        const auto dock = [](OverlayDock place) { return static_cast<int>(place); };
        QTest::newRow("top") << dock(OverlayDock::Top) << QRect() << QRect(228, 54, 1024, 100);
        QTest::newRow("bottom") << dock(OverlayDock::Bottom) << QRect() << QRect(228, 606, 1024, 100);
        QTest::newRow("free") << dock(OverlayDock::Free) << QRect(40, 50, 500, 80) << QRect(140, 80, 500, 100);
        QTest::newRow("free, of a screen that was larger") << dock(OverlayDock::Free) << QRect(3000, 2000, 5000, 80) << QRect(100, 630, 1280, 100);
        QTest::newRow("free, never put anywhere") << dock(OverlayDock::Free) << QRect() << QRect(228, 606, 1024, 100);
    }
    void itLiesInsideTheScreen()
    {
        QFETCH(int, dock);
        QFETCH(QRect, free);
        QTEST(overlayRect(QRect(100, 30, 1280, 700), {static_cast<OverlayDock>(dock), free}, 100), "where");
    }
    void placesAreKept_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("dock");
        QTest::newRow("as written") << QStringLiteral("3,40,50,500,80") << 3;
        QTest::newRow("nonsense") << QStringLiteral("over there") << 2;
        QTest::newRow("a number too large") << QStringLiteral("1,0,0,99999999,1") << 1;
    }
    void placesAreKept()
    {
        QFETCH(QString, text);
        QFETCH(int, dock);
        const OverlayPlace place = placeFrom(text);
        QCOMPARE(static_cast<int>(place.dock), dock);
        QCOMPARE(placeFrom(placeText(place)), place);
        QVERIFY(place.free.width() < 200'000);
    }

    // --- the strip ---------------------------------------------------------------------------------------------------------------------
    void keyMenuAndButtonShowIt()
    {
        Stage stage;
        QVERIFY(stage.is_ready);
        QVERIFY(!stage.desk().isShown());
        stage.press(Qt::Key_O);
        QVERIFY(stage.desk().isShown());
        auto *button = stage.window->captions().choicesRow().findChild<QAbstractButton *>(QStringLiteral("overlay"));
        QVERIFY(button->isChecked());
        const Qt::WindowFlags flags = stage.desk().overlay().windowFlags();
        QVERIFY(flags.testFlag(Qt::FramelessWindowHint) && flags.testFlag(Qt::WindowStaysOnTopHint) && flags.testFlag(Qt::WindowDoesNotAcceptFocus));
        QVERIFY(!flags.testFlag(Qt::WindowTransparentForInput));
        QVERIFY(!stage.desk().overlay().accessibleName().isEmpty());
        stage.window->resize(1300, 700);
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(!stage.desk().isShown());
        QVERIFY(!button->isChecked());
        QTest::keyClick(stage.window.get(), Qt::Key_O, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(stage.desk().dialog().isVisible());
        // Closing the window takes it along.
        stage.press(Qt::Key_O);
        stage.window->close();
        QVERIFY(!stage.desk().isShown());
    }
    void itShowsTheNewestLines()
    {
        Stage stage;
        QVERIFY(stage.is_ready);
        stage.press(Qt::Key_O);
        OverlayCanvas &canvas = stage.desk().overlay().canvas();
        QCOMPARE(canvas.lines().size(), 2);
        QVERIFY2(canvas.lines().back().endsWith(QStringLiteral("its")), qPrintable(canvas.lines().join(QLatin1Char('|'))));
        const int height = stage.desk().overlay().height();
        stage.set([](OverlayOptions &options) { options.lines = 4; });
        QVERIFY(stage.desk().overlay().height() > height);
        stage.set([](OverlayOptions &options) { options.shows = OverlayShows::Translation; });
        QVERIFY(canvas.lines().isEmpty());  // nothing is translated here
        stage.set([](OverlayOptions &options) {
            options.shows = OverlayShows::Both;
            options.lines = 1;
        });
        QCOMPARE(canvas.lines().size(), 1);
        // A new page empties it.
        stage.window->captions().newPage();
        QVERIFY(canvas.lines().isEmpty());
    }
    void theTranslationStandsBelow()
    {
        Desk desk;
        QVERIFY(desk.ready());
        desk.transcript().append(transcriptOf(words(QStringLiteral("the cat"), 0)));
        BilingualText translated;
        OverlayDesk outside(desk.window->settings(), desk.transcript(), translated, *desk.window);
        desk.window->settings().update([](Settings &s) { s.overlay.shows = OverlayShows::Both; });
        outside.toggle();
        translated.beginRun(QStringLiteral("en-fr"));
        translated.take(translation::SentenceBegan{});
        translation::WordWritten word;
        word.word.text = "Chat";
        translated.take(word);
        translated.announce();
        QCOMPARE(outside.overlay().canvas().lines(), (QStringList{QStringLiteral("the cat"), QStringLiteral("Chat")}));
    }
    void itIsMovedAndRemembered()
    {
        Stage stage;
        stage.press(Qt::Key_O);
        OverlayWindow &strip = stage.desk().overlay();
        const QRect before = strip.geometry();
        drag(strip, QPoint(200, 20), QPoint(-40, -30));
        QCOMPARE(strip.geometry(), before.translated(-40, -30));
        QRect put = strip.geometry();
        const Settings &now = stage.window->settings().values();
        QVERIFY(now.overlay.places.value(now.overlay.screen).dock == OverlayDock::Free);
        // An end makes it wider, and no other way.
        drag(strip, QPoint(strip.width() - 4, 20), QPoint(-100, 40));
        put.adjust(0, 0, -100, 0);
        QCOMPARE(strip.geometry(), put);
        // At the next start it is there again.
        SettingsStore kept(stage.folder.filePath(QStringLiteral("braid.ini")).toStdString());
        TranscriptModel model;
        BilingualText translated;
        QWidget window;
        OverlayDesk again(kept, model, translated, window);
        again.toggle();
        QCOMPARE(again.overlay().geometry(), put);
        // Docked, the free place is kept for later.
        kept.update([](Settings &s) { s.overlay.places[s.overlay.screen].dock = OverlayDock::Top; });
        QVERIFY(again.overlay().geometry().top() < put.top());
        kept.update([](Settings &s) { s.overlay.places[s.overlay.screen].dock = OverlayDock::Free; });
        QCOMPARE(again.overlay().geometry(), put);
    }
    void clicksMayPassThrough()
    {
        Stage stage;
        stage.press(Qt::Key_O);
        stage.set([](OverlayOptions &options) { options.clicks = OverlayClicks::PassThrough; });
        QVERIFY(stage.desk().overlay().windowFlags().testFlag(Qt::WindowTransparentForInput));
        QVERIFY(stage.desk().isShown());
        stage.press(Qt::Key_O);  // the key still closes it
        QVERIFY(!stage.desk().isShown());
    }
    void coloursOutlineAndOpacityAreThePersons()
    {
        Stage stage;
        stage.press(Qt::Key_O);
        stage.set([](OverlayOptions &options) {
            options.ink = Qt::yellow;
            options.outline = Qt::blue;
            options.back_percent = 0;
        });
        const auto count = [&](const QColor &colour) {
            QImage image(stage.desk().overlay().size(), QImage::Format_ARGB32_Premultiplied);
            image.fill(Qt::transparent);
            stage.desk().overlay().canvas().render(&image, {}, {}, QWidget::DrawChildren);
            int pixels = 0;
            for (int y = 0; y < image.height(); ++y) {
                for (int x = 0; x < image.width(); ++x) {
                    pixels += image.pixelColor(x, y) == colour ? 1 : 0;
                }
            }
            return pixels;
        };
        QVERIFY(count(Qt::yellow) > 500);
        QVERIFY(count(Qt::blue) > 500);
        QVERIFY(count(QColor(0, 0, 0, 0)) > 10000);  // no box: what lies behind is seen
        stage.set([](OverlayOptions &options) { options.outline_px = 0; });
        QCOMPARE(count(Qt::blue), 0);
        stage.set([](OverlayOptions &options) {
            options.back = Qt::red;
            options.back_percent = 100;
        });
        QVERIFY(count(Qt::red) > 10000);
        const int before = count(Qt::yellow);
        stage.set([](OverlayOptions &options) { options.letter_px = 60; });
        QVERIFY(count(Qt::yellow) > before);
    }
    void theDialogSaysTheSame()
    {
        Stage stage;
        stage.desk().openDialog();
        OverlayDialog &dialog = stage.desk().dialog();
        const auto boxes = dialog.findChildren<QSpinBox *>();
        const auto named = [](const auto &controls, const QString &name) {
            for (auto *control : controls) {
                if (control->accessibleName() == name) {
                    return control;
                }
            }
            return static_cast<typename std::decay_t<decltype(controls)>::value_type>(nullptr);
        };
        named(boxes, QStringLiteral("Size"))->setValue(48);
        QCOMPARE(stage.window->settings().values().overlay.letter_px, 48);
        named(boxes, QStringLiteral("Lines of each"))->setValue(3);
        QCOMPARE(stage.window->settings().values().overlay.lines, 3);
        auto *shows = named(dialog.findChildren<ChoiceBox *>(), QStringLiteral("Shows"));
        shows->setCurrentIndex(2);
        Q_EMIT shows->activated(2);
        QCOMPARE(stage.window->settings().values().overlay.shows, OverlayShows::Both);
        stage.set([](OverlayOptions &options) { options.outline_px = 7; });
        QCOMPARE(named(boxes, QStringLiteral("Outline"))->value(), 7);
        // Every control has a name for those who hear it.
        for (const QWidget *control : dialog.findChildren<QWidget *>()) {
            if (control->isVisibleTo(&dialog) && (control->focusPolicy() & Qt::TabFocus) != 0 && qobject_cast<const QAbstractButton *>(control) == nullptr &&
                control->parentWidget() != nullptr && qobject_cast<const QAbstractSpinBox *>(control->parentWidget()) == nullptr) {
                QVERIFY2(!control->accessibleName().isEmpty(), control->metaObject()->className());
            }
        }
        QTest::mouseClick(named(dialog.findChildren<QAbstractButton *>(), QStringLiteral("Colour")), Qt::LeftButton);
        auto *colours = dialog.findChild<QColorDialog *>();
        colours->setCurrentColor(Qt::cyan);
        QCOMPARE(stage.window->settings().values().overlay.ink, QColor(Qt::cyan));
        colours->reject();
    }

    // --- for streaming ---------------------------------------------------------------------------------------------------------------
    void thePlainWindowIsOneColour()
    {
        Stage stage;
        stage.desk().togglePlainWindow();
        OverlayCanvas &plain = stage.desk().plainWindow();
        QVERIFY(plain.isVisible() && plain.isWindow());
        QVERIFY(!plain.windowFlags().testFlag(Qt::FramelessWindowHint));  // software finds it by its title
        QVERIFY(!plain.windowTitle().isEmpty());
        const QImage image = plain.grab().toImage();
        QCOMPARE(image.pixelColor(2, 2), QColor(0, 177, 64));
        QCOMPARE(image.pixelColor(image.width() - 3, image.height() - 3), QColor(0, 177, 64));
        stage.desk().togglePlainWindow();
        QVERIFY(!plain.isVisible());
    }
    void theTextFileFollows()
    {
        Stage stage;
        const std::filesystem::path file = stage.folder.filePath(QStringLiteral("live.txt")).toStdString();
        stage.set([&](OverlayOptions &options) { options.text_file = QString::fromStdString(file.string()); });
        const auto content = [&] { return std::filesystem::exists(file) ? QString::fromStdString(readTextFile(file)) : QString(); };
        QVERIFY(stage.until([&] { return content().endsWith(QStringLiteral("its\n")); }));
        QCOMPARE(content().count(QLatin1Char('\n')), 2);
        for (const QString &line : content().split(QLatin1Char('\n'))) {
            QVERIFY(line.size() <= 42);
        }
        stage.backend->say(captions::Committed{transcriptOf(words(QStringLiteral("crew"), 10))});
        stage.backend->show([](captions::CaptionSnapshot &s) { s.tail.clear(); });
        QVERIFY(stage.until([&] { return content().endsWith(QStringLiteral("crew\n")); }));
    }
    void aTextFileThatCannotBeWrittenIsToldOnce()
    {
        Stage stage;
        stage.set([&](OverlayOptions &options) { options.text_file = stage.folder.filePath(QStringLiteral("nowhere/live.txt")); });
        const auto told = [&] { return stage.window->captions().notices().sentences().filter(QStringLiteral("nowhere")).size(); };
        QVERIFY(stage.until([&] { return told() == 1; }));
        QVERIFY(!stage.desk().isShown());
    }

    void pictures_data()
    {
        QTest::addColumn<int>("lines");
        QTest::addColumn<int>("back_percent");
        QTest::newRow("overlay-two-lines") << 2 << 35;
        QTest::newRow("overlay-clear") << 3 << 0;
    }
    // Looked at; over a page of another program, whose letters must not be mistaken for the captions.
    void pictures()
    {
        QFETCH(int, lines);
        QFETCH(int, back_percent);
        Stage stage;
        stage.set([&](OverlayOptions &options) {
            options.lines = lines;
            options.back_percent = back_percent;
            options.ink = QColor(255, 255, 140);  // of nothing else on the screen
        });
        stage.press(Qt::Key_O);
        QImage desktop = stage.window->grab().toImage().scaled(QSize(1100, 700));
        QPainter painter(&desktop);
        stage.desk().overlay().canvas().render(&painter, QPoint(150, 560), {}, QWidget::DrawChildren);
        painter.end();
        QVERIFY(QDir().mkpath(QStringLiteral(BRAID_SCREENSHOTS)));
        QVERIFY(desktop.save(QStringLiteral(BRAID_SCREENSHOTS "/%1.png").arg(QLatin1String(QTest::currentDataTag()))));
        if (QGuiApplication::platformName() == QLatin1String("xcb")) {  // with a real desktop: as people see it
            const OverlayWindow &strip = stage.desk().overlay();
            QImage screen;
            const auto letters_are_seen = [&] {
                screen = strip.screen()->grabWindow(0).toImage();
                int white = 0;
                for (int x = strip.geometry().left(); x < strip.geometry().right(); ++x) {
                    for (int y = strip.geometry().top(); y < strip.geometry().bottom(); ++y) {
                        white += screen.pixelColor(x, y) == stage.window->settings().values().overlay.ink ? 1 : 0;
                    }
                }
                return white > 1000;
            };
            QTRY_VERIFY(letters_are_seen());
            QVERIFY(screen.save(QStringLiteral(BRAID_SCREENSHOTS "/%1-screen.png").arg(QLatin1String(QTest::currentDataTag()))));
        }
        stage.desk().openDialog();
        QVERIFY(stage.desk().dialog().grab().save(QStringLiteral(BRAID_SCREENSHOTS "/overlay-dialog.png")));
    }
};

QTEST_MAIN(UiOverlayTest)
#include "tst_ui_overlay.moc"
