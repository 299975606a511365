// The words on the Translation page under a hand, the keyboard and a screen reader: pointing lights what a word looked at, everything goes by keys,
// every control has a name.
#include <QAccessible>
#include <QClipboard>
#include <QtTest>

#include "tests/ui/translation/translation_booth.h"
#include "ui/shared/find_bar.h"
#include "ui/translation/alignment_map.h"
#include "ui/translation/translation_inspector.h"

using namespace braid;
using namespace braid::ui;
using namespace braid::ui::test;

class UiTranslationPointingTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void pointingAtAWordLightsWhatItLookedAt()
    {
        Booth booth;
        QVERIFY(booth.ready());
        booth.window->showPage(PageName::Translation);
        booth.paste(sourceText(2));
        QVERIFY(booth.sentencesOver(2));
        booth.page().openInspectorTab(static_cast<int>(TranslationTab::Attention));
        // "canoe" looked at unit 2, "canoe".
        QTest::mouseMove(booth.view().viewport(), booth.view().pieceRectInViewport({TextSide::Target, 1}).center().toPoint());
        QTRY_VERIFY(booth.view().hovered() == (PieceRef{TextSide::Target, 1}));
        const LitPieces &lit = booth.view().marks().lit;
        QVERIFY(lit.side == TextSide::Source);
        QCOMPARE(static_cast<int>(std::max_element(lit.weights.begin(), lit.weights.end()) - lit.weights.begin()), 2);
        QCOMPARE(booth.page().inspector().wordText(), QStringLiteral("cano\u00eb"));
        QCOMPARE(booth.page().inspector().alignment().table().rows, std::int64_t(9));
        QCOMPARE(booth.page().inspector().alignment().table().columns, std::int64_t(9));  // eight units and the end
        // A click keeps it while the pointer goes on; a source unit lights who looked at it.
        QTest::mouseClick(booth.view().viewport(), Qt::LeftButton, {}, booth.view().pieceRectInViewport({TextSide::Target, 1}).center().toPoint());
        QVERIFY(booth.view().pinned() == (PieceRef{TextSide::Target, 1}));
        QTest::mouseMove(booth.view().viewport(), booth.view().pieceRectInViewport({TextSide::Source, 3}).center().toPoint());
        QTRY_VERIFY(booth.view().marks().lit.side == TextSide::Target);
        const LitPieces &who = booth.view().marks().lit;
        QCOMPARE(who.first + static_cast<int>(std::max_element(who.weights.begin(), who.weights.end()) - who.weights.begin()), 4);
        QTest::mouseMove(booth.view().viewport(), QPoint(2, 2));
        QTRY_COMPARE(booth.page().inspector().wordText(), QStringLiteral("cano\u00eb"));
        // A hand along the staircase goes from word to word.
        const QRectF band = booth.view().layout().bandRect(0);
        QTest::mousePress(booth.view().viewport(), Qt::LeftButton, {}, QPoint(static_cast<int>(band.center().x()), static_cast<int>(band.top()) + 1));
        QVERIFY(booth.view().pinned() == (PieceRef{TextSide::Target, 0}));
        QTest::mouseMove(booth.view().viewport(), QPoint(static_cast<int>(band.center().x()), static_cast<int>(band.bottom()) - 1));
        QTest::mouseRelease(booth.view().viewport(), Qt::LeftButton, {}, QPoint(static_cast<int>(band.center().x()), static_cast<int>(band.bottom()) - 1));
        QTRY_VERIFY(booth.view().pinned()->index > 4);
        // From the picture of the attention back to the page.
        Q_EMIT booth.page().inspector().wordClicked(3);
        QVERIFY(booth.view().pinned() == (PieceRef{TextSide::Target, 3}));
    }
    void everythingGoesByKeyboard()
    {
        Booth booth;
        QVERIFY(booth.ready());
        booth.press(Qt::Key_1, Qt::ControlModifier);
        QVERIFY(booth.window->page() == PageName::Captions);
        booth.press(Qt::Key_2, Qt::ControlModifier);
        QVERIFY(booth.window->page() == PageName::Translation);
        QTest::keyClicks(booth.window->focusWidget(), QStringLiteral("The birch canoe slid on the smooth planks."));
        booth.press(Qt::Key_Return);
        QVERIFY(booth.sentencesOver(1));
        booth.press(Qt::Key_Escape);  // from the field to the text
        QVERIFY(booth.view().hasFocus());
        booth.press(Qt::Key_Left);
        QVERIFY(booth.view().pinned() == (PieceRef{TextSide::Target, 8}));
        booth.press(Qt::Key_Left);
        booth.press(Qt::Key_S);  // to the unit it looked at most
        QVERIFY(booth.view().pinned() == (PieceRef{TextSide::Source, 7}));
        booth.press(Qt::Key_S);
        QVERIFY(booth.view().pinned() == (PieceRef{TextSide::Target, 7}));
        booth.press(Qt::Key_Left, Qt::ShiftModifier);
        booth.press(Qt::Key_Left, Qt::ShiftModifier);
        booth.press(Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("sur les planches"));
        booth.press(Qt::Key_Escape);
        QVERIFY(!booth.view().pinned());
        booth.press(Qt::Key_Slash);
        QTest::keyClicks(booth.window->focusWidget(), QStringLiteral("canoe"));
        QCOMPARE(booth.page().findBar().countText(), QStringLiteral("1 of 1"));
        booth.press(Qt::Key_Escape);
        QVERIFY(booth.view().hasFocus());
        const bool open = booth.window->settings().values().inspector_open;
        booth.press(Qt::Key_I);
        QCOMPARE(booth.window->settings().values().inspector_open, !open);
        booth.press(Qt::Key_I);
        booth.press(Qt::Key_3, Qt::AltModifier);
        QVERIFY(booth.page().inspector().tab() == TranslationTab::Timing);
        QVERIFY(booth.page().inspector().costText().contains(QStringLiteral("tokens a second")));
        booth.press(Qt::Key_T);
        QVERIFY(booth.page().sourceLine().field().hasFocus());
        booth.press(Qt::Key_N, Qt::ControlModifier);
        QVERIFY(booth.text().isEmpty());
        QVERIFY(!booth.page().isRunning());
    }
    void everyControlHasANameForScreenReaders()
    {
        Booth booth;
        QVERIFY(booth.ready());
        booth.page().compare();
        for (const QWidget *widget : booth.page().findChildren<QWidget *>()) {
            const bool reachable =
                widget->focusPolicy() != Qt::NoFocus && widget->isVisibleTo(booth.window.get()) && !widget->objectName().startsWith(QLatin1String("qt_"));
            if (!reachable || widget->inherits("QScrollBar")) {
                continue;
            }
            QAccessibleInterface *said = QAccessible::queryAccessibleInterface(const_cast<QWidget *>(widget));
            QVERIFY2(said != nullptr && !said->text(QAccessible::Name).isEmpty(),
                     qPrintable(QStringLiteral("%1 %2").arg(QLatin1String(widget->metaObject()->className()), widget->objectName())));
        }
        booth.paste(sourceText(1));
        QVERIFY(booth.sentencesOver(1));
        QAccessibleInterface *text = QAccessible::queryAccessibleInterface(&booth.view());
        QVERIFY(text->text(QAccessible::Value).contains(QStringLiteral("glissait")));
    }
};

QTEST_MAIN(UiTranslationPointingTest)
#include "tst_ui_translation_pointing.moc"
