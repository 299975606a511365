// The transcript on the screen: settled words stand still, following and leaving, finding, selecting, keyboard, screen readers, hours of text.
#include <QAccessible>
#include <QClipboard>
#include <QElapsedTimer>
#include <QPushButton>
#include <QScrollBar>
#include <QtTest>

#include "tests/ui/fakes.h"
#include "ui/captions/transcript_accessible.h"
#include "ui/captions/transcript_view.h"
#include "ui/shared/find_bar.h"

using namespace braid;
using namespace braid::ui;
using namespace braid::ui::test;

namespace {

QStringList g_spoken;  // what a screen reader would say; the handler is a plain function

void listenLikeAReader(QAccessibleEvent *event)
{
    if (event->type() == QAccessible::TextInserted) {
        g_spoken << static_cast<QAccessibleTextInsertEvent *>(event)->textInserted();
    }
}

struct Page {
    Page()
    {
        appearance.setMotion(Motion::Reduced);
        view = std::make_unique<TranscriptView>(model, appearance);
        view->resize(700, 420);
        view->show();
    }
    void addLines(int count)
    {
        text::Transcript items;
        for (int line = 0; line < count; ++line) {
            for (const auto &item : transcriptOf(words(QStringLiteral("line number %1 says a few words").arg(lines), lines * 3.0))) {
                items.push_back(item);
            }
            items.emplace_back(text::LineBreak{samplesFromSeconds(lines * 3.0 + 2.9)});
            ++lines;
        }
        model.append(items);
    }
    // The viewport as drawn, above the first row that holds any of the tail, and left of the tail on that row.
    [[nodiscard]] QImage settledPixels() const
    {
        QImage picture = view->viewport()->grab().toImage();
        const QRectF first = view->wordRectInViewport({WordPart::Tail, 0});
        if (!first.isEmpty()) {
            for (int y = std::max(0, static_cast<int>(first.top()) - 2); y < picture.height(); ++y) {
                const int from = y < first.bottom() ? static_cast<int>(first.left()) - 4 : 0;
                for (int x = std::max(0, from); x < picture.width(); ++x) {
                    picture.setPixel(x, y, 0);
                }
            }
        }
        return picture;
    }
    TranscriptModel model;
    Appearance appearance;
    std::unique_ptr<TranscriptView> view;
    int lines = 0;
};

}  // namespace

class UiTranscriptTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void initTestCase()
    {
        installTranscriptAccessibility();
        QAccessible::setActive(true);
    }

    void settledPixelsStandStillWhileTheTailChanges()
    {
        Page page;
        page.model.append(transcriptOf(words("and so my fellow americans ask not what your country can do for you ask what", 0)));
        page.model.setTail(words("you can", 9));
        const QImage before = page.settledPixels();
        const QRectF last = page.view->wordRectInViewport({WordPart::Settled, page.model.wordCount() - 1});
        for (const char *tail : {"you", "you can do", "ewe", "you can do four your country and then some more words that go on and on", "y"}) {
            page.model.setTail(words(QString::fromLatin1(tail), 9));
            QCOMPARE(page.view->wordRectInViewport({WordPart::Settled, page.model.wordCount() - 1}), last);
            const QImage now = page.settledPixels();
            // Above and left of the tail not a pixel differs.
            const QRectF first = page.view->wordRectInViewport({WordPart::Tail, 0});
            for (int y = 0; y < static_cast<int>(first.top()) - 2; ++y) {
                for (int x = 0; x < now.width(); ++x) {
                    QVERIFY(now.pixel(x, y) == before.pixel(x, y));
                }
            }
            for (int y = static_cast<int>(first.top()); y < static_cast<int>(first.bottom()); ++y) {
                for (int x = 0; x < static_cast<int>(last.right()) - 1; ++x) {
                    QVERIFY(now.pixel(x, y) == before.pixel(x, y));
                }
            }
        }
    }
    void unsettledWordsLookDifferentEvenWithoutColour()
    {
        Page page;
        page.model.setTail(words("maybe", 0));
        const QImage unsettled = page.view->viewport()->grab().toImage();
        const QRectF rect = page.view->wordRectInViewport({WordPart::Tail, 0});
        page.model.setTail({});
        page.model.append(transcriptOf(words("maybe", 0)));
        const QImage settled_picture = page.view->viewport()->grab().toImage();
        QCOMPARE(page.view->wordRectInViewport({WordPart::Settled, 0}), rect);
        // Below the letters there are dots in one and nothing in the other.
        const auto inkedColumns = [&](const QImage &picture) {
            int columns = 0;
            for (int x = static_cast<int>(rect.left()); x < static_cast<int>(rect.right()); ++x) {
                bool inked = false;
                for (int y = static_cast<int>(rect.bottom()) - 7; y < static_cast<int>(rect.bottom()); ++y) {
                    inked |= qGray(picture.pixel(x, y)) < 200;
                }
                columns += inked ? 1 : 0;
            }
            return columns;
        };
        QVERIFY2(inkedColumns(unsettled) > inkedColumns(settled_picture) + 10,
                 qPrintable(QStringLiteral("%1 against %2").arg(inkedColumns(unsettled)).arg(inkedColumns(settled_picture))));
        // And dots they are: gaps between them.
        int gaps = 0;
        for (int x = static_cast<int>(rect.left()) + 1; x < static_cast<int>(rect.right()); ++x) {
            bool light = true;
            for (int y = static_cast<int>(rect.bottom()) - 5; y < static_cast<int>(rect.bottom()); ++y) {
                light &= qGray(unsettled.pixel(x, y)) > 230;
            }
            gaps += light ? 1 : 0;
        }
        QVERIFY(gaps > 5);
    }
    void aShorterTailDoesNotPullThePageBack()
    {
        Page page;
        page.addLines(30);
        page.model.setTail(words("a tail that is long enough to need several rows of this narrow page so that the page has to scroll for it twice", 100));
        const int scrolled = page.view->verticalScrollBar()->value();
        QCOMPARE(scrolled, page.view->verticalScrollBar()->maximum());
        page.model.setTail(words("a", 100));
        QCOMPARE(page.view->verticalScrollBar()->value(), scrolled);
        page.model.setTail({});
        QCOMPARE(page.view->verticalScrollBar()->value(), scrolled);
    }
    void revisedBaselineFadesOnce()
    {
        Page page;
        page.appearance.setMotion(Motion::Full);
        auto tail = words("ask not", 1);
        page.model.setTail(tail);
        QVERIFY(!page.view->isFading());
        tail[1].revision_count = 1;
        tail[1].text = "naught";
        page.model.setTail(tail);
        QVERIFY(page.view->isFading());
        QTRY_VERIFY((page.view->advanceFades(), !page.view->isFading()));
        // The same tail again is no news.
        page.model.setTail(tail);
        QVERIFY(!page.view->isFading());
        page.appearance.setMotion(Motion::Reduced);
        tail[0].revision_count = 3;
        tail[0].text = "task";
        page.model.setTail(tail);
        QVERIFY(!page.view->isFading());
    }

    void aWordRevisedAsItSettlesFadesToo()
    {
        Page page;
        page.appearance.setMotion(Motion::Full);
        auto tail = words("ask not what", 1);
        page.model.setTail(tail);
        // Both settle at once; the first as it stood, the second as something new.
        text::Word second = settled(tail[1]);
        second.text = "naught";
        second.revision_count = 1;
        second.revised_from = "not";
        page.model.append(text::Transcript{settled(tail[0]), second});
        QVERIFY(page.view->isFading());
        page.view->advanceFades();
        const auto accents = [&page](int word) {
            const QRect place = page.view->wordRectInViewport({WordPart::Settled, word}).toAlignedRect();
            const QImage image = page.view->viewport()->grab(place).toImage();
            int coloured = 0;
            for (int y = 0; y < image.height(); ++y) {
                for (int x = 0; x < image.width(); ++x) {
                    const QColor pixel(image.pixel(x, y));
                    coloured += pixel.saturation() > 60 && pixel.green() > pixel.red() ? 1 : 0;
                }
            }
            return coloured;
        };
        QVERIFY2(accents(1) > 10, qPrintable(QString::number(accents(1))));
        QCOMPARE(accents(0), 0);
        // The rest of the tail keeps its own memory: what is left of it has not changed.
        page.model.setTail({tail[2]});
        QTRY_VERIFY((page.view->advanceFades(), !page.view->isFading()));
        QCOMPARE(accents(1), 0);
    }

    void scrollingUpStopsFollowingAndThePillBringsItBack()
    {
        Page page;
        page.addLines(40);
        QScrollBar *bar = page.view->verticalScrollBar();
        QCOMPARE(bar->value(), bar->maximum());
        auto *pill = page.view->findChild<QPushButton *>(QStringLiteral("pill"));
        QVERIFY(pill != nullptr && !pill->isVisible());
        bar->setValue(bar->value() - 300);
        QVERIFY(page.view->following() == Following::Stopped);
        QVERIFY(pill->isVisible());
        const int where = bar->value();
        page.addLines(5);
        QCOMPARE(bar->value(), where);  // what is being read stays
        QVERIFY2(pill->text().contains(QStringLiteral("5 new lines")), qPrintable(pill->text()));
        QTest::mouseClick(pill, Qt::LeftButton);
        QVERIFY(page.view->following() == Following::Live);
        QCOMPARE(bar->value(), bar->maximum());
        QVERIFY(!pill->isVisible());
        bar->setValue(0);
        bar->setValue(bar->maximum());
        QVERIFY(page.view->following() == Following::Live);
    }
    void resizingKeepsWhatIsBeingRead()
    {
        Page page;
        page.addLines(200);
        page.view->verticalScrollBar()->setValue(3000);
        const std::size_t row = page.view->layout().firstRowBelow(3000);
        const int top_word = page.view->layout().rows()[row].first_word;
        page.view->resize(500, 420);
        const QRectF now = page.view->wordRectInViewport({WordPart::Settled, top_word});
        QVERIFY2(now.top() >= 0 && now.top() < 60, qPrintable(QString::number(now.top())));
    }

    void finding()
    {
        Page page;
        page.addLines(30);
        FindBar bar(page.view->finder(), *page.view, QStringLiteral("Find"), FindBar::Place::TopRight, page.view.get());
        bar.open();
        QTest::keyClicks(bar.findChild<QWidget *>(QStringLiteral("findField")), QStringLiteral("number 1"));
        QCOMPARE(page.view->finder().count(), 11);  // 1, 10 to 19
        QCOMPARE(bar.countText().section(QLatin1Char(' '), 1), QStringLiteral("of 11"));
        const int first = page.view->finder().current();
        QTest::keyClick(bar.findChild<QWidget *>(QStringLiteral("findField")), Qt::Key_Return);
        QCOMPARE(page.view->finder().current(), (first + 1) % 11);
        page.view->finder().showMatch(0);
        page.view->finder().showMatch(-1);
        QCOMPARE(page.view->finder().current(), 10);
        // New lines are searched as they come, and only once.
        page.lines = 100;
        page.addLines(2);
        QCOMPARE(page.view->finder().count(), 13);
        page.addLines(1);
        QCOMPARE(page.view->finder().count(), 14);
        const QRectF shown = page.view->wordRectInViewport({WordPart::Settled, 0});
        page.view->finder().showMatch(0);
        Q_UNUSED(shown);
        QVERIFY(page.view->viewport()->rect().intersects(page.view->wordRectInViewport({WordPart::Settled, 8}).toRect()));
        QTest::keyClicks(bar.findChild<QWidget *>(QStringLiteral("findField")), QStringLiteral("xyz"));
        QCOMPARE(bar.countText(), QStringLiteral("nothing found"));
        QTest::keyClick(&bar, Qt::Key_Escape);
        QVERIFY(!bar.isVisible());
        QCOMPARE(page.view->finder().count(), 0);
    }

    void wordsAreClickedHoveredAndHeard()
    {
        Page page;
        page.model.append(transcriptOf(words("ask not what your country", 0)));
        page.model.setTail(words("can do", 4));
        QSignalSpy heard(page.view.get(), &TranscriptView::wordActivated);
        QSignalSpy on(page.view.get(), &TranscriptView::playFromRequested);
        const QPoint third = page.view->wordRectInViewport({WordPart::Settled, 2}).center().toPoint();
        QTest::mouseMove(page.view->viewport(), third);
        QVERIFY(page.view->hoveredWord() == (WordRef{WordPart::Settled, 2}));
        QTest::mouseClick(page.view->viewport(), Qt::LeftButton, {}, third);
        QCOMPARE(heard.count(), 1);
        QCOMPARE(heard.first().first().toInt(), 2);
        QVERIFY(page.view->pinnedWord() == (WordRef{WordPart::Settled, 2}));
        QTest::keyClick(page.view.get(), Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(on.count(), 1);
        // An unsettled word can be pinned, but has no sure sound yet.
        const int before = heard.count();
        QTest::mouseClick(page.view->viewport(), Qt::LeftButton, {}, page.view->wordRectInViewport({WordPart::Tail, 1}).center().toPoint());
        QCOMPARE(heard.count(), before);
        QVERIFY(page.view->pinnedWord() == (WordRef{WordPart::Tail, 1}));
        page.model.setTail({});
        QVERIFY(!page.view->pinnedWord());
        const QImage dark = page.view->viewport()->grab().toImage();
        page.view->setPlayingWord(1);
        QVERIFY(page.view->viewport()->grab().toImage() != dark);
        // Resting on a word asks for its facts; resting beside all words takes them away.
        std::vector<std::optional<WordRef>> asked;
        connect(page.view.get(), &TranscriptView::factsRequested, this, [&asked](std::optional<WordRef> ref) { asked.push_back(ref); });
        for (const QPoint &at : {third, QPoint(page.view->viewport()->width() - 2, page.view->viewport()->height() - 2)}) {
            QHelpEvent rest(QEvent::ToolTip, at, page.view->viewport()->mapToGlobal(at));
            QApplication::sendEvent(page.view->viewport(), &rest);
        }
        QCOMPARE(asked.size(), std::size_t(2));
        QVERIFY(asked[0] == (WordRef{WordPart::Settled, 2}));
        QVERIFY(!asked[1]);
    }
    void selectingAndCopying()
    {
        Page page;
        page.model.append(transcriptOf(words("ask not what your country can do", 0)));
        const auto centre = [&](int index) { return page.view->wordRectInViewport({WordPart::Settled, index}).center().toPoint(); };
        QTest::mousePress(page.view->viewport(), Qt::LeftButton, {}, centre(1));
        QMouseEvent move(QEvent::MouseMove, centre(4), page.view->viewport()->mapToGlobal(centre(4)), Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(page.view->viewport(), &move);
        QTest::mouseRelease(page.view->viewport(), Qt::LeftButton, {}, centre(4));
        QCOMPARE(page.view->selectedText(), QStringLiteral("not what your country"));
        QTest::keyClick(page.view.get(), Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("not what your country"));
        QTest::keyClick(page.view.get(), Qt::Key_A, Qt::ControlModifier);
        QCOMPARE(page.view->selectedText(), QStringLiteral("ask not what your country can do"));
        QTest::keyClick(page.view.get(), Qt::Key_Escape);
        QVERIFY(page.view->selectedText().isEmpty());
    }
    void keyboardReachesEveryWord()
    {
        Page page;
        page.addLines(20);
        QSignalSpy heard(page.view.get(), &TranscriptView::wordActivated);
        page.view->verticalScrollBar()->setValue(0);
        QTest::keyClick(page.view.get(), Qt::Key_Right);
        QVERIFY(page.view->pinnedWord() == (WordRef{WordPart::Settled, 0}));
        QTest::keyClick(page.view.get(), Qt::Key_Right);
        QTest::keyClick(page.view.get(), Qt::Key_Return);
        QCOMPARE(heard.count(), 1);
        QCOMPARE(heard.first().first().toInt(), 1);
        QTest::keyClick(page.view.get(), Qt::Key_Right, Qt::ShiftModifier);
        QTest::keyClick(page.view.get(), Qt::Key_Right, Qt::ShiftModifier);
        QCOMPARE(page.view->selectedText(), QStringLiteral("number 0 says"));
        QTest::keyClick(page.view.get(), Qt::Key_End);
        QVERIFY(page.view->following() == Following::Live);
        QTest::keyClick(page.view.get(), Qt::Key_Home);
        QCOMPARE(page.view->verticalScrollBar()->value(), 0);
        // Space belongs to the window.
        QKeyEvent space(QEvent::KeyPress, Qt::Key_Space, Qt::NoModifier, QStringLiteral(" "));
        space.ignore();
        QApplication::sendEvent(page.view.get(), &space);
        QVERIFY(!space.isAccepted());
    }
    void wheelWithControlAsksForAnotherSize()
    {
        Page page;
        QSignalSpy asked(page.view.get(), &TranscriptView::captionSizeRequested);
        QWheelEvent wheel(QPointF(50, 50), page.view->mapToGlobal(QPointF(50, 50)), {}, QPoint(0, 120), Qt::NoButton, Qt::ControlModifier, Qt::NoScrollPhase,
                          false);
        QApplication::sendEvent(page.view->viewport(), &wheel);
        QCOMPARE(asked.count(), 1);
        QCOMPARE(asked.first().first().toInt(), 1);
    }
    void giantLettersStillFit()
    {
        Page page;
        page.model.append(transcriptOf(words("internationalisation is long", 0)));
        page.appearance.setCaptionPx(kLargestCaptionPx);
        const QRectF rect = page.view->wordRectInViewport({WordPart::Settled, 0});
        QVERIFY(rect.right() <= page.view->viewport()->width());
        const QImage picture = page.view->viewport()->grab().toImage();
        bool inked = false;
        for (int x = picture.width() - 3; x < picture.width(); ++x) {
            for (int y = 0; y < picture.height(); ++y) {
                inked |= qGray(picture.pixel(x, y)) < 128;
            }
        }
        QVERIFY(!inked);  // nothing runs over the edge
    }

    void onlySettledLinesAreSpoken()
    {
        Page page;
        g_spoken.clear();
        QAccessible::installUpdateHandler(listenLikeAReader);
        QSignalSpy settled_lines(&page.model, &TranscriptModel::paragraphSettled);
        page.model.setTail(words("we may say anything here", 0));
        text::Transcript items = transcriptOf(words("we said this", 0));
        page.model.append(items);
        QVERIFY(g_spoken.isEmpty());
        QCOMPARE(settled_lines.count(), 0);
        page.model.append(text::Transcript{text::LineBreak{}});
        QAccessible::installUpdateHandler(nullptr);
        QCOMPARE(settled_lines.count(), 1);
        QCOMPARE(settled_lines.first().first().toString(), QStringLiteral("we said this"));
        if (QAccessible::isActive()) {  // some platforms, offscreen among them, have no bridge to readers
            QCOMPARE(g_spoken, QStringList{QStringLiteral("we said this")});
        }
        QAccessibleInterface *interface = QAccessible::queryAccessibleInterface(page.view.get());
        QVERIFY(interface != nullptr);
        QCOMPARE(interface->role(), QAccessible::Document);
        QCOMPARE(interface->text(QAccessible::Name), QStringLiteral("Captions"));
        QCOMPARE(interface->text(QAccessible::Value), QStringLiteral("we said this"));
    }

    void tenThousandLinesStayQuick()
    {
        Page page;
        page.addLines(10000);
        QCOMPARE(page.model.wordCount(), 70000);
        QElapsedTimer timer;
        timer.start();
        page.addLines(1);
        page.model.setTail(words("and the tail", 40000));
        page.view->viewport()->grab();
        const qint64 one_line_ms = timer.restart();
        page.view->resize(640, 420);  // every word is placed anew
        page.view->viewport()->grab();
        const qint64 resize_ms = timer.restart();
        page.view->verticalScrollBar()->setValue(page.view->verticalScrollBar()->maximum() / 2);
        page.view->viewport()->grab();
        const qint64 scroll_ms = timer.elapsed();
        qInfo("10,000 lines: a new line %lld ms, another width %lld ms, a jump %lld ms", static_cast<long long>(one_line_ms), static_cast<long long>(resize_ms),
              static_cast<long long>(scroll_ms));
        // Generous: the machine may be busy. A layout that looks at everything for every line takes seconds.
        QVERIFY(one_line_ms < 250);
        QVERIFY(resize_ms < 1000);
        QVERIFY(scroll_ms < 250);
    }
};

QTEST_MAIN(UiTranscriptTest)
#include "tst_ui_transcript.moc"
