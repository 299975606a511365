// Pictures of the Streams page in its main states, written to the build folder to be looked at, and tested by properties: what should be
// seen is there, in light and dark, small and large; drawing twice gives the same picture.
#include <QDir>
#include <QMenu>

#include "tests/ui/streams/streams_room.h"
#include "ui/streams/answer_panel.h"
#include "ui/streams/lanes_painter.h"

using namespace braid;
using namespace braid::ui;
using namespace braid::ui::test;

namespace {

QImage picture(Room &room, const QString &name)
{
    QDir().mkpath(QStringLiteral(BRAID_SCREENSHOTS));
    QApplication::processEvents();
    const QImage image = room.page->grab().toImage();
    image.save(QStringLiteral(BRAID_SCREENSHOTS "/streams-%1.png").arg(name));
    return image;
}

int pixelsOf(const QImage &image, const QColor &colour)
{
    int count = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            count += image.pixel(x, y) == colour.rgb() ? 1 : 0;
        }
    }
    return count;
}

// A question answered, and changed in mid-sentence; the next words on their way.
void converse(Room &room)
{
    says(room.parallel->script, kWorking, 12, {" 7", " +", " 8", " =", " 15"});
    says(room.parallel->script, kAnswer, 15, {" no", " wait", " It", " is", " fifteen", " ."});
    room.type(QStringLiteral("what is seven plus five ? no wait plus eight ? "));
    room.advance(18);
    room.type(QStringLiteral("what is the book plus fi"));
    QTest::qWait(40);
}

}  // namespace

class UiStreamsPicturesTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void states_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<ThemeKind>("theme");
        QTest::newRow("light-1204x800") << QSize(1204, 800) << ThemeKind::Light;
        QTest::newRow("dark-1204x800") << QSize(1204, 800) << ThemeKind::Dark;
        QTest::newRow("light-724x500") << QSize(724, 500) << ThemeKind::Light;
        QTest::newRow("light-564x400") << QSize(564, 400) << ThemeKind::Light;
        QTest::newRow("dark-564x400") << QSize(564, 400) << ThemeKind::Dark;
        QTest::newRow("contrast-1204x800") << QSize(1204, 800) << ThemeKind::HighContrastDark;
        QTest::newRow("light-3764x2160") << QSize(3764, 2160) << ThemeKind::Light;
    }
    void states()
    {
        QFETCH(QSize, size);
        QFETCH(ThemeKind, theme);
        Room room(size);
        room.wear(theme);
        converse(room);
        const QImage image = picture(room, QString::fromLatin1(QTest::currentDataTag()));
        QCOMPARE(room.page->grab().toImage(), image);
        // The newest step is lit, every lane's colour is on its bar.
        QVERIFY(pixelsOf(image, themeFor(theme).colour(ColourToken::Highlight)) > 200);
        for (const streams::Stream &stream : room.page->controller().lanes().layout().streams) {
            QVERIFY2(pixelsOf(image, laneColour(stream.colour, themeFor(theme))) > 20, stream.name.c_str());
        }
    }
    void laneColoursStandOutOnEveryPaper()
    {
        for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark, ThemeKind::HighContrastLight, ThemeKind::HighContrastDark}) {
            for (int colour = 1; colour <= 8; ++colour) {
                QVERIFY(contrastRatio(laneColour(static_cast<streams::LaneColour>(colour), themeFor(kind)), themeFor(kind).colour(ColourToken::Paper)) >= 3);
            }
        }
    }
    void attention()
    {
        for (const auto &[kind, name] : {std::pair{ThemeKind::Light, "attention-light"}, std::pair{ThemeKind::Dark, "attention-dark"}}) {
            Room room({1204, 800});
            room.wear(kind);
            converse(room);
            const QImage before = picture(room, QStringLiteral("before"));
            QTest::mouseMove(room.page->lanes().viewport(), {1, 1});  // a pointer that is there already does not move
            QTest::mouseMove(room.page->lanes().viewport(), room.cellPoint(13, kWorking));
            QTest::qWait(200);
            QVERIFY(room.page->lanes().hoveredCell().has_value());
            QVERIFY(picture(room, QString::fromLatin1(name)) != before);
        }
        QFile::remove(QStringLiteral(BRAID_SCREENSHOTS "/streams-before.png"));
    }
    void goingBack()
    {
        Room room({1204, 800});
        converse(room);
        room.page->lanes().moveRewindMark(-7);
        const QImage image = picture(room, QStringLiteral("rewind-light"));
        QVERIFY(pixelsOf(image, room.appearance.colour(ColourToken::Accent)) > 1000);  // the label that says what would be taken back
    }
    void asAPersonHasThem()
    {
        for (const auto &[kind, name] : {std::pair{ThemeKind::Light, "own-light"}, std::pair{ThemeKind::Dark, "own-dark"}}) {
            Room room({1204, 800}, [](Settings &s) {
                s.streams.looks[QString::fromStdString(boxLayout().name)] =
                    QStringList{QStringLiteral("User\tyellow\tGrace"), QStringLiteral("Answer\tpink\tWhat it says, all in one long name"),
                                QStringLiteral("System\t\tHouse rules")};
            });
            room.wear(kind);
            converse(room);
            const QImage before = picture(room, QString::fromLatin1(name));
            QVERIFY(pixelsOf(before, laneColour(streams::LaneColour::Pink, themeFor(kind))) > 20);
            room.page->lanes().editName(kWorking);
            QVERIFY(picture(room, QString::fromLatin1(name) + QStringLiteral("-naming")) != before);
            Q_EMIT room.page->lanes().laneMenuRequested(kAnswer, room.page->mapToGlobal(QPoint(20, 200)));
            auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
            QVERIFY(menu != nullptr);
            QVERIFY(menu->grab().toImage().save(QStringLiteral(BRAID_SCREENSHOTS "/streams-%1-menu.png").arg(QString::fromLatin1(name))));
            const auto actions = menu->actions();
            const auto colours = std::find_if(actions.begin(), actions.end(), [](const QAction *action) { return action->menu() != nullptr; });
            QVERIFY((*colours)->menu()->grab().toImage().save(QStringLiteral(BRAID_SCREENSHOTS "/streams-%1-colours.png").arg(QString::fromLatin1(name))));
            menu->close();
        }
    }
    void besideTheBaseline()
    {
        Room room({1204, 800}, [](Settings &s) { s.streams.shows_baseline = true; });
        room.services.baseline.make_run = room.services.parallel.make_run;
        room.baseline->script.clear();
        says(room.baseline->script, kWorking, 12, {" 7", " +", " 5", " =", " 12"});
        converse(room);
        picture(room, QStringLiteral("baseline-light"));
        QVERIFY(room.page->baselineLanes().isVisible());
    }
    void forAnAudience()
    {
        for (const auto &[kind, name] : {std::pair{ThemeKind::Light, "presenting-light"}, std::pair{ThemeKind::Dark, "presenting-dark"}}) {
            Room room({1280, 800});
            room.wear(kind);
            room.appearance.setCaptionPx(72);
            converse(room);
            room.page->setPresentation(Presentation::Presenting);
            const QImage image = picture(room, QString::fromLatin1(name));
            QVERIFY(pixelsOf(image, themeFor(kind).colour(ColourToken::Ink)) > 1500);
        }
    }
    void beforeTheFirstWord()
    {
        Room room({1204, 800});
        picture(room, QStringLiteral("empty-light"));
        Room small({724, 500});
        small.wear(ThemeKind::Dark);
        picture(small, QStringLiteral("empty-small-dark"));
        QVERIFY(room.page->lanes().isVisible());
    }
    void howItRuns()
    {
        Room room({1204, 800});
        room.page->openTuning();
        QTest::qWait(50);
        QWidget *panel = QApplication::activePopupWidget();
        QVERIFY(panel != nullptr);
        QVERIFY(panel->grab().toImage().save(QStringLiteral(BRAID_SCREENSHOTS "/streams-panel.png")));
        panel->close();
    }
};

QTEST_MAIN(UiStreamsPicturesTest)
#include "tst_ui_streams_pictures.moc"
