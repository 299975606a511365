// Pictures of the Translation page in its main states, written to the build folder to be looked at: nothing in them forces the window wider, the newest
// words are seen, drawing twice gives the same picture.
#include <QDir>
#include <QtTest>

#include "tests/ui/translation/translation_booth.h"
#include "ui/translation/translation_controls.h"

using namespace braid;
using namespace braid::ui;
using namespace braid::ui::test;

namespace {

QImage picture(const Booth &booth, const QString &name)
{
    QDir().mkpath(QStringLiteral(BRAID_SCREENSHOTS));
    QApplication::processEvents();
    const QImage image = booth.window->grab().toImage();
    image.save(QStringLiteral(BRAID_SCREENSHOTS "/translation-%1.png").arg(name));
    return image;
}

}  // namespace

class UiTranslationPicturesTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void pictures_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<ThemeChoice>("theme");
        QTest::newRow("light") << QSize(1280, 800) << ThemeChoice::Light;
        QTest::newRow("dark") << QSize(1280, 800) << ThemeChoice::Dark;
        QTest::newRow("high-contrast-dark") << QSize(1280, 800) << ThemeChoice::HighContrastDark;
        QTest::newRow("small") << QSize(800, 500) << ThemeChoice::Light;
        QTest::newRow("smallest") << QSize(640, 400) << ThemeChoice::Light;
        QTest::newRow("smallest-dark") << QSize(640, 400) << ThemeChoice::Dark;
        QTest::newRow("large") << QSize(3840, 2160) << ThemeChoice::Light;
    }
    void pictures()
    {
        QFETCH(QSize, size);
        QFETCH(ThemeChoice, theme);
        Booth booth(addFrench, size, theme);
        QVERIFY(booth.ready());
        booth.window->settings().update([](Settings &s) { s.translation.k = 3; });
        booth.paste(sourceText(5));
        QVERIFY(booth.sentencesOver(4));
        QTest::keyClicks(&booth.page().sourceLine().field(), QStringLiteral("The juice of lemons ma"));
        QVERIFY(booth.until([&] { return booth.text().sentences().size() >= 6 && booth.text().sentences().back().word_count >= 1; }));
        booth.view().pin(PieceRef{TextSide::Target, 13});
        booth.view().setFocus();  // no cursor that blinks
        QTest::qWait(400);        // the last figures are in
        const QString name = QString::fromLatin1(QTest::currentDataTag());
        const QImage image = picture(booth, name);
        QCOMPARE(image.size(), size);  // nothing in it forces it wider
        // The newest words stand inside the page.
        const QRectF newest = booth.view().pieceRectInViewport({TextSide::Target, booth.text().wordCount() - 1});
        QVERIFY(QRectF(booth.view().viewport()->rect()).contains(newest));
        QCOMPARE(image, picture(booth, name));
    }
    void pictureOfAnEmptyPage()
    {
        Booth booth;
        QVERIFY(booth.ready());
        picture(booth, QStringLiteral("empty"));
    }
    void pictureOfTwoParadigms_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("compare") << QSize(1280, 800);
        QTest::newRow("compare-small") << QSize(900, 560);
        QTest::newRow("compare-large") << QSize(1920, 1080);
    }
    void pictureOfTwoParadigms()
    {
        QFETCH(QSize, size);
        Booth booth(addFrench, size);
        QVERIFY(booth.ready());
        booth.window->settings().update([](Settings &s) { s.inspector_open = false; });
        booth.page().compare();
        booth.paste(sourceText(5));
        QVERIFY(booth.sentencesOver(5));
        QVERIFY(booth.until([&] { return booth.page().otherSide()->controller().text().firstOpen() == 5; }));
        booth.view().pin(PieceRef{TextSide::Target, 13});
        QTest::qWait(400);
        QCOMPARE(picture(booth, QString::fromLatin1(QTest::currentDataTag())).size(), size);
    }
    void pictureOfPresentingAndTabs()
    {
        Booth booth;
        QVERIFY(booth.ready());
        booth.paste(sourceText(4));
        QVERIFY(booth.sentencesOver(4));
        booth.page().openInspectorTab(2);
        picture(booth, QStringLiteral("word"));
        booth.page().openInspectorTab(3);
        picture(booth, QStringLiteral("timing"));
        booth.view().setFocus();
        booth.press(Qt::Key_F11);
        QVERIFY(booth.window->isPresenting());
        QVERIFY(booth.window->page() == PageName::Translation);
        QVERIFY(!booth.page().choicesRow().isVisible());
        picture(booth, QStringLiteral("presenting"));
        booth.press(Qt::Key_Escape);
        QVERIFY(!booth.window->isPresenting());
        QVERIFY(booth.page().choicesRow().isVisible());
        booth.page().choicesRow().controls().panel().fit();
        QImage panel = booth.page().choicesRow().controls().panel().grab().toImage();
        panel.save(QStringLiteral(BRAID_SCREENSHOTS "/translation-panel.png"));
    }
};

QTEST_MAIN(UiTranslationPicturesTest)
#include "tst_ui_translation_pictures.moc"
