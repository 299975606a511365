// Lanes as a person has them: called otherwise and coloured otherwise than their layout says, shown so wherever the lane is meant, kept by
// layout, taken back. Files keep the layout's own.
#include <QAccessible>
#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QTemporaryDir>
#include <QtTest>

#include "core/base/file.h"
#include "tests/ui/streams/streams_room.h"
#include "ui/shared/choice_box.h"
#include "ui/streams/answer_panel.h"
#include "ui/streams/lane_look.h"
#include "ui/streams/lane_name_edit.h"
#include "ui/streams/lanes_painter.h"
#include "ui/streams/overview_strip.h"
#include "ui/streams/share_bars.h"
#include "ui/streams/streams_inspector.h"
#include "ui/streams/streams_panel.h"

using namespace braid;
using namespace braid::ui;
using namespace braid::ui::test;

namespace {

LaneNameEdit &nameEdit(Room &room)
{
    return *room.page->lanes().findChild<LaneNameEdit *>();
}

// The keyboard's cursor goes to `stream`, whose name is then typed anew.
void callOtherwise(Room &room, int stream, const QString &name, Qt::Key end = Qt::Key_Return)
{
    room.page->lanes().editName(stream);
    QTest::keyClicks(&nameEdit(room), name);
    QTest::keyClick(&nameEdit(room), end);
}

// The lane's menu, opened with the keyboard at `stream`; it closes with the test's room.
QMenu *menuOf(Room &room, int stream)
{
    Q_EMIT room.page->lanes().laneMenuRequested(stream, room.page->mapToGlobal(QPoint(20, 200)));
    return qobject_cast<QMenu *>(QApplication::activePopupWidget());
}

QAction *entry(const QMenu &menu, const QString &title)
{
    for (QAction *action : menu.actions()) {
        if (action->text().section(QLatin1Char('\t'), 0, 0) == title) {
            return action;
        }
    }
    return nullptr;
}

void colour(Room &room, int stream, const QString &title)
{
    QMenu *menu = menuOf(room, stream);
    QVERIFY(menu != nullptr);
    entry(*entry(*menu, QStringLiteral("Colour"))->menu(), title)->trigger();
    menu->close();
}

QStringList keptLooks(Room &room)
{
    return room.settings.values().streams.looks.value(QString::fromStdString(boxLayout().name));
}

}  // namespace

class UiStreamsLanesTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    // --- values
    void aNameIsOneLineThatCanBeSeen_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("name");
        QTest::newRow("plain") << QStringLiteral("Reader") << QStringLiteral("Reader");
        QTest::newRow("spaces around") << QStringLiteral("  my  lane ") << QStringLiteral("my lane");
        QTest::newRow("line breaks and tabs") << QStringLiteral("one\ntwo\r\n\tthree") << QStringLiteral("one two three");
        QTest::newRow("empty") << QString() << QString();
        QTest::newRow("only spaces") << QStringLiteral(" \u00a0\u2003\n") << QString();
        QTest::newRow("nothing to see") << QStringLiteral("\u200b\u200d") << QString();
        QTest::newRow("a direction left open") << QStringLiteral("\u202eabc") << QStringLiteral("abc");
        QTest::newRow("very long") << QString(100'000, QLatin1Char('x')) << QString(kMostLaneNameCharacters, QLatin1Char('x'));
        // A character of several code points is one, and is never cut.
        QTest::newRow("long, of marks") << QStringLiteral("e\u0301").repeated(60) << QStringLiteral("e\u0301").repeated(kMostLaneNameCharacters);
        QTest::newRow("not Latin") << QStringLiteral("\u7b54\u3048") << QStringLiteral("\u7b54\u3048");
    }
    void aNameIsOneLineThatCanBeSeen()
    {
        QFETCH(QString, typed);
        QTEST(laneNameFrom(typed), "name");
    }
    void whatIsKeptIsReadAgainAndRubbishIsNot()
    {
        const streams::Layout layout = boxLayout();
        LaneLooks looks(layout.size());
        looks[kAnswer] = {QStringLiteral("says, \"aloud\""), streams::LaneColour::Vermilion};
        looks[kAudit].colour = streams::LaneColour::Grey;
        looks[kUser].name = QStringLiteral("Me");
        QCOMPARE(looksText(layout, looks).size(), 3);
        QVERIFY(laneLooks(layout, looksText(layout, looks)) == looks);
        QVERIFY(looksText(layout, LaneLooks(layout.size())).isEmpty());
        const QStringList rubbish = {QStringLiteral("Nobody\tblue\tx"), QStringLiteral("Answer"), QStringLiteral("Answer\tultraviolet\t \n"), QString(),
                                     QStringLiteral("a\tb\tc\td")};
        QVERIFY(laneLooks(layout, rubbish) == LaneLooks(layout.size()));
    }
    void settingsKeepThemByLayout()
    {
        const QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath(QStringLiteral("braid.ini")).toStdString();
        const QStringList kept = {QStringLiteral("Answer\tpink\t\u201cAloud\u201d, 100 %")};
        {
            SettingsStore store(file);
            store.update([&](Settings &s) {
                s.streams.looks[QStringLiteral("a/b % c")] = kept;
                s.streams.looks[QStringLiteral("other")] = kept;
            });
        }
        {
            SettingsStore store(file);
            QCOMPARE(store.values().streams.looks.value(QStringLiteral("a/b % c")), kept);
            store.update([](Settings &s) { s.streams.looks.remove(QStringLiteral("other")); });
        }
        QVERIFY(!SettingsStore(file).values().streams.looks.contains(QStringLiteral("other")));
    }

    // --- names
    void aLaneIsCalledOtherwiseByKeys()
    {
        Room room;
        room.askTheSum();
        LanesView &lanes = room.page->lanes();
        lanes.setFocus();
        QTest::keyClick(&lanes, Qt::Key_Right);  // the keyboard's cursor, in the lane on top
        QTest::keyClick(&lanes, Qt::Key_F2);
        LaneNameEdit &field = nameEdit(room);
        QVERIFY(field.isVisible() && field.hasFocus());
        QCOMPARE(field.selectedText(), QStringLiteral("User"));
        QAccessibleInterface *interface = QAccessible::queryAccessibleInterface(&field);
        QCOMPARE(interface->text(QAccessible::Name), QStringLiteral("Name of the lane User"));
        QTest::keyClicks(&field, QStringLiteral(" Me "));
        room.advance(2);  // the run goes on meanwhile
        QCOMPARE(field.text(), QStringLiteral(" Me "));
        QTest::keyClick(&field, Qt::Key_Return);
        QVERIFY(!field.isVisible());
        QVERIFY(lanes.hasFocus());
        QCOMPARE(room.page->controller().lanes().nameOf(kUser), QStringLiteral("Me"));
        QCOMPARE(keptLooks(room), QStringList{QStringLiteral("User\t\tMe")});
    }
    void upAndDownGoOnToTheNeighboursName()
    {
        Room room;  // before the first step, when there is no cell for the keyboard to stand in
        callOtherwise(room, kUser, QStringLiteral("Me"), Qt::Key_Down);
        QVERIFY(nameEdit(room).isVisible() && nameEdit(room).hasFocus());
        const int second = room.page->lanes().arrangement().order[1];
        QCOMPARE(nameEdit(room).stream(), second);
        QTest::keyClicks(&nameEdit(room), QStringLiteral("Second"));
        QTest::keyClick(&nameEdit(room), Qt::Key_Up);
        QCOMPARE(nameEdit(room).selectedText(), QStringLiteral("Me"));
        QCOMPARE(room.page->controller().lanes().nameOf(second), QStringLiteral("Second"));
        QTest::keyClick(&nameEdit(room), Qt::Key_Up);  // none above
        QVERIFY(!nameEdit(room).isVisible());
        QVERIFY(room.page->lanes().hasFocus());
    }
    void aDoubleClickOnTheNameOpensIt()
    {
        Room room;
        const LanesGeometry &geometry = room.page->lanes().geometryNow();
        const LaneBand &band = *geometry.bandOf(kCheck);
        QWidget *viewport = room.page->lanes().viewport();
        QTest::mouseDClick(viewport, Qt::LeftButton, {}, QPoint(40, static_cast<int>(geometry.yOf(band) + band.height / 2)));
        QCOMPARE(nameEdit(room).stream(), static_cast<int>(kCheck));
        QVERIFY(viewport->rect().contains(nameEdit(room).geometry()));
        QTest::keyClicks(&nameEdit(room), QStringLiteral("Proof"));
        room.page->typing().field().setFocus();  // going elsewhere keeps what was typed
        QVERIFY(!nameEdit(room).isVisible());
        QCOMPARE(room.page->controller().lanes().nameOf(kCheck), QStringLiteral("Proof"));
    }
    void whatIsNoNameChangesNothing()
    {
        Room room;
        const QString before = room.page->controller().lanes().nameOf(kAnswer);
        for (const QString &typed : {QStringLiteral(" "), QStringLiteral("   "), before}) {
            callOtherwise(room, kAnswer, typed);
            QCOMPARE(room.page->controller().lanes().nameOf(kAnswer), before);
        }
        room.page->lanes().editName(kAnswer);
        QTest::keyClick(&nameEdit(room), Qt::Key_Backspace);
        QTest::keyClick(&nameEdit(room), Qt::Key_Return);
        callOtherwise(room, kAnswer, QStringLiteral("Aloud"), Qt::Key_Escape);
        QVERIFY(!nameEdit(room).isVisible());
        QCOMPARE(room.page->controller().lanes().nameOf(kAnswer), before);
        QVERIFY(keptLooks(room).isEmpty());
        room.page->lanes().editName(99);
        QVERIFY(!nameEdit(room).isVisible());
    }

    // --- colours
    void theMenuHasEveryColourAndTheWayBack()
    {
        Room room;
        room.askTheSum();
        LanesView &lanes = room.page->lanes();
        lanes.setFocus();
        QTest::keyClick(&lanes, Qt::Key_F10, Qt::ShiftModifier);
        auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
        QVERIFY(menu != nullptr);
        QVERIFY(entry(*menu, QStringLiteral("Rename\u2026")) != nullptr);
        QMenu *colours = entry(*menu, QStringLiteral("Colour"))->menu();
        QCOMPARE(colours->actions().size(), static_cast<qsizetype>(streams::kLaneColours.size()));
        for (const QAction *choice : colours->actions()) {
            QVERIFY(!choice->text().isEmpty() && !choice->icon().isNull());  // a colour has a name, too
            QCOMPARE(choice->isChecked(), choice->text() == colourTitle(boxLayout().streams[kUser].colour));
        }
        QVERIFY(!entry(*menu, QStringLiteral("As in the layout"))->isEnabled());
        menu->close();
        colour(room, kUser, QStringLiteral("Pink"));
        callOtherwise(room, kUser, QStringLiteral("Me"));
        const LanesModel &model = room.page->controller().lanes();
        QVERIFY(model.colourOf(kUser) == streams::LaneColour::Pink);
        QCOMPARE(keptLooks(room), QStringList{QStringLiteral("User\tpink\tMe")});
        menu = menuOf(room, kUser);
        QVERIFY(entry(*entry(*menu, QStringLiteral("Colour"))->menu(), QStringLiteral("Pink"))->isChecked());
        entry(*menu, QStringLiteral("As in the layout"))->trigger();
        menu->close();
        QVERIFY(model.colourOf(kUser) == boxLayout().streams[kUser].colour);
        QCOMPARE(model.nameOf(kUser), QStringLiteral("User"));
        QVERIFY(!room.settings.values().streams.looks.contains(QString::fromStdString(boxLayout().name)));
    }
    void theLayoutsOwnIsNotKept()
    {
        Room room;
        callOtherwise(room, kAnswer, QStringLiteral("Aloud"));
        const streams::Stream answer = boxLayout().streams[kAnswer];
        colour(room, kAnswer, colourTitle(answer.colour));
        callOtherwise(room, kAnswer, layoutNameOf(answer));
        QVERIFY(keptLooks(room).isEmpty());  // it goes on with the layout
    }

    // --- wherever the lane is meant
    void everyPlaceShowsIt()
    {
        Room room({1280, 800}, [](Settings &s) { s.streams.shows_baseline = true; });
        room.askTheSum();
        callOtherwise(room, kAnswer, QStringLiteral("Aloud"));
        callOtherwise(room, kUser, QStringLiteral("Me"));
        callOtherwise(room, kDocument, QStringLiteral("Page"));
        colour(room, kAnswer, QStringLiteral("Pink"));
        StreamsPage &page = *room.page;
        const LanesModel &model = page.controller().lanes();
        // Large type.
        const auto *large = page.answer().findChild<ChoiceBox *>();
        QCOMPARE(large->currentText(), QStringLiteral("Aloud"));
        QCOMPARE(large->currentData().toInt(), static_cast<int>(kAnswer));
        // Inspector: the newest word, then one that is pointed at, with the bars of what it attended to.
        const std::int64_t row = model.firstWord(kAnswer);
        page.lanes().pin(CellRef{row, kAnswer});
        const auto says = [&page](const QString &words) {
            const auto labels = page.inspector().findChildren<QLabel *>();
            return std::any_of(labels.begin(), labels.end(), [&words](const QLabel *label) { return label->text().contains(words); });
        };
        QVERIFY(says(QStringLiteral("Aloud, step %1").arg(row + 1)));
        const auto *bars = page.inspector().findChild<ShareBars *>();
        QTRY_VERIFY_WITH_TIMEOUT(bars->accessibleDescription().contains(QStringLiteral("Me ")), kPatienceMs);
        callOtherwise(room, kUser, QStringLiteral("Myself"));
        QVERIFY(bars->accessibleDescription().contains(QStringLiteral("Myself ")));
        // Screen readers.
        QVERIFY(page.lanes().describe({row, kAnswer}).startsWith(QStringLiteral("Aloud, step")));
        // Typing: the field, and the choice of streams.
        QVERIFY(page.typing().field().accessibleName().contains(QStringLiteral("Myself")));
        const auto *typed = page.typing().findChild<ChoiceBox *>(QStringLiteral("typingStream"));
        QVERIFY(typed->findText(QStringLiteral("Page")) >= 0);
        // How each is sampled.
        const auto choices = page.choicesRow().panel().findChildren<ChoiceBox *>();
        QVERIFY(std::any_of(choices.begin(), choices.end(), [](const ChoiceBox *box) { return box->findText(QStringLiteral("Aloud")) >= 0; }));
        // The queue beside it, and the whole run below. No lane of the layout is pink.
        QCOMPARE(page.baseline().lanes().nameOf(kAnswer), QStringLiteral("Aloud"));
        const QColor pink = laneColour(streams::LaneColour::Pink, room.appearance.theme());
        for (QWidget *place : {static_cast<QWidget *>(page.lanes().viewport()), static_cast<QWidget *>(&page.answer()),
                               static_cast<QWidget *>(page.findChild<OverviewStrip *>())}) {
            const QImage image = place->grab().toImage();
            bool is_there = false;
            for (int y = 0; y < image.height() && !is_there; ++y) {
                for (int x = 0; x < image.width() && !is_there; ++x) {
                    is_there = image.pixel(x, y) == pink.rgb();
                }
            }
            QVERIFY2(is_there, place->metaObject()->className());
        }
    }
    void aNewConversationAndAnotherDayKeepItButNotAnotherLayout()
    {
        QStringList kept;
        {
            Room room;
            room.askTheSum();
            callOtherwise(room, kAnswer, QStringLiteral("Aloud"));
            room.page->newPage();
            QCOMPARE(room.page->controller().lanes().nameOf(kAnswer), QStringLiteral("Aloud"));
            room.askTheSum();
            QCOMPARE(room.page->controller().lanes().nameOf(kAnswer), QStringLiteral("Aloud"));
            kept = keptLooks(room);
        }
        Room room({1280, 800}, [&kept](Settings &s) { s.streams.looks[QString::fromStdString(boxLayout().name)] = kept; });
        QCOMPARE(room.page->controller().lanes().nameOf(kAnswer), QStringLiteral("Aloud"));
        auto other = std::make_unique<streams::Conversation>();
        other->layout = boxLayout();
        other->layout.name = "another one";
        room.page->controller().show(*other);
        QCOMPARE(room.page->controller().lanes().nameOf(kAnswer), layoutNameOf(boxLayout().streams[kAnswer]));
    }
    void filesKeepTheLayoutsOwn()
    {
        Room room;
        room.askTheSum();
        callOtherwise(room, kAnswer, QStringLiteral("Aloud"));
        colour(room, kAnswer, QStringLiteral("Pink"));
        const QTemporaryDir folder;
        for (const char *ending : {"json", "md", "txt"}) {
            const std::filesystem::path file = folder.filePath(QStringLiteral("said.%1").arg(QLatin1String(ending))).toStdString();
            room.page->files().saveTo(file);
            QTRY_VERIFY_WITH_TIMEOUT(std::filesystem::exists(file), kPatienceMs);
            const std::string text = readTextFile(file, 1 << 20);
            QVERIFY(text.find("Answer") != std::string::npos);
            QVERIFY(text.find("Aloud") == std::string::npos);
        }
        const streams::Conversation saved =
            streams::parseConversation(readTextFile(folder.filePath(QStringLiteral("said.json")).toStdString(), 1 << 20), "said.json");
        QVERIFY(saved.layout == room.page->controller().lanes().layout());
    }
};

QTEST_MAIN(UiStreamsLanesTest)
#include "tst_ui_streams_lanes.moc"
