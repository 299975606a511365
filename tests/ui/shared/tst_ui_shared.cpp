// What every page is built from, each alone: following and its button, finding, the status bar's room, files saved and told, fades of revised words.
#include <QAbstractScrollArea>
#include <QLabel>
#include <QLayout>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>
#include <QVBoxLayout>
#include <QtTest>

#include "core/base/error.h"
#include "tests/ui/fakes.h"
#include "ui/captions/revision_fades.h"
#include "ui/shared/file_dialogs.h"
#include "ui/shared/finder.h"
#include "ui/shared/live_scroll.h"
#include "ui/shared/notice_bar.h"
#include "ui/shared/page_frame.h"
#include "ui/shared/rail.h"
#include "ui/shared/status_bar.h"

using namespace braid;
using namespace braid::ui;
using namespace braid::ui::test;

namespace {

// A view of lines that come, with nothing drawn.
class Lines : public QAbstractScrollArea {
  public:
    Lines()
        : live(*this, *verticalScrollBar(),
               {QStringLiteral("Back"),
                {},
                LiveScroll::ButtonPlace::BottomCentre,
                [this] { return count; },
                [](int lines) { return QStringLiteral("%1 new").arg(lines); }})
    {
        resize(300, 200);
        show();
        add(50);
    }
    void add(int lines)
    {
        count += lines;
        live.setRange(count * 20, viewport()->height());
        if (live.following() == Following::Live) {
            live.moveTo(verticalScrollBar()->maximum());
        } else {
            live.reviseButton();
        }
    }
    int count = 0;
    LiveScroll live;

  protected:
    void scrollContentsBy(int, int) override { live.scrolled(verticalScrollBar()->value() == verticalScrollBar()->maximum()); }
};

}  // namespace

class UiSharedTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void aPersonWhoScrollsAwayIsLeftThereAndOfferedTheWayBack()
    {
        Lines view;
        QScrollBar *bar = view.verticalScrollBar();
        const auto *button = view.findChild<QPushButton *>(QStringLiteral("pill"));
        QSignalSpy following(&view.live, &LiveScroll::followingChanged);
        QCOMPARE(bar->value(), bar->maximum());
        QVERIFY(!view.live.isButtonShown());
        bar->setValue(100);
        QCOMPARE(following.size(), 1);
        QVERIFY(view.live.isButtonShown());
        view.add(3);
        QCOMPARE(bar->value(), 100);
        QVERIFY(button->text().contains(QStringLiteral("3 new")));
        view.live.moveTo(200);  // the view's own moves are not a person's
        QVERIFY(view.live.following() == Following::Stopped);
        bar->setValue(bar->maximum());
        QVERIFY(view.live.following() == Following::Live);
        QVERIFY(!view.live.isButtonShown());
    }
    void keysScrollAndEndAsksForLive()
    {
        Lines view;
        QSignalSpy wanted(&view.live, &LiveScroll::liveRequested);
        QVERIFY(view.live.takesKey(Qt::Key_Home));
        QCOMPARE(view.verticalScrollBar()->value(), 0);
        QVERIFY(view.live.takesKey(Qt::Key_End));
        QCOMPARE(wanted.size(), 1);
        QVERIFY(!view.live.takesKey(Qt::Key_F5));
        view.live.reveal(QRectF(0, 500, 10, 20), 20);
        QVERIFY(view.verticalScrollBar()->value() <= 480 && view.verticalScrollBar()->value() + view.viewport()->height() >= 540);
    }
    void findingGoesRoundAndOnWhileTextComes()
    {
        QStringList text{QStringLiteral("a b"), QStringLiteral("b"), QStringLiteral("c")};
        std::vector<int> revealed;
        Finder finder({[&](const QString &needle, std::int64_t) { return needle.isEmpty() ? 0 : static_cast<int>(text.filter(needle).size()); },
                       [] { return 1; }, [&](int match) { revealed.push_back(match); }, [] {}});
        QSignalSpy changed(&finder, &Finder::changed);
        finder.find(QStringLiteral(" b "));
        QCOMPARE(finder.count(), 2);
        QCOMPARE(finder.current(), 1);  // the first on the page
        finder.showMatch(2);
        QCOMPARE(finder.current(), 0);
        finder.showMatch(-1);
        QCOMPARE(revealed, (std::vector<int>{1, 0, 1}));
        text << QStringLiteral("bb");
        finder.searchFrom(3);
        QCOMPARE(finder.count(), 3);
        QCOMPARE(finder.current(), 1);
        finder.keepFirst(1);
        QCOMPARE(finder.current(), 0);
        QVERIFY(changed.size() >= 5);
        finder.find({});
        QCOMPARE(finder.count(), 0);
        QCOMPARE(finder.current(), -1);
    }
    void onANarrowWindowWhatMattersLessGivesWay()
    {
        Appearance appearance;
        StatusBar bar(appearance, QStringLiteral("Runs"), QStringLiteral("waiting"),
                      {{QStringLiteral("Lag"), {}, QStringLiteral("lag 00.00 s")},
                       {QStringLiteral("Speed"), {}, QStringLiteral("0000 tokens/s"), StatusBar::Room::WhereThereIs}},
                      nullptr, nullptr);
        bar.showRun(runtime::RunState::Listening, QStringLiteral("waiting"), {QStringLiteral("lag 1.00 s"), QStringLiteral("12 tokens/s")});
        bar.setCompute(QStringLiteral("CPU, 2 threads"));
        const auto shown = [&bar](const QString &name) {
            const auto labels = bar.findChildren<QLabel *>();
            const auto label = std::find_if(labels.begin(), labels.end(), [&name](const QLabel *each) { return each->accessibleName() == name; });
            return label != labels.end() && (*label)->isVisible();
        };
        bar.layout()->setSizeConstraint(QLayout::SetNoConstraint);  // a page of a narrow window squeezes it, which a window of its own would not
        bar.resize(900, 30);
        bar.show();
        QVERIFY(shown(QStringLiteral("Lag")) && shown(QStringLiteral("Speed")) && shown(QStringLiteral("Where it runs")));
        bar.resize(220, 30);
        QVERIFY(shown(QStringLiteral("Lag")) && shown(QStringLiteral("State")));
        QVERIFY(!shown(QStringLiteral("Speed")) && !shown(QStringLiteral("Where it runs")));
        QCOMPARE(bar.figureText(0), QStringLiteral("lag 1.00 s"));
    }
    void savingIsToldAndSoIsWhatWentWrong()
    {
        NoticeStack notices;
        QVERIFY(saveAndTell(notices, "/tmp/words.txt", [] {}));
        QVERIFY(!saveAndTell(notices, "/tmp/words.txt", [] { throw Error(ErrorKind::Storage, "the disk is full"); }));
        QCOMPARE(notices.sentences().size(), 2);
        QVERIFY(notices.sentences()[0].contains(QStringLiteral("disk is full"), Qt::CaseInsensitive));
        QCOMPARE(suffixOfFilter(QStringLiteral("Table, a row a step (*.md)")), QStringLiteral("md"));
    }
    void noticesLieOverThePageAndPlainNewsLeave()
    {
        QWidget paper;
        auto *notices = new NoticeStack(&paper);
        auto *text = new QLabel(&paper);
        layOutPaper(paper, *notices)->addWidget(text);
        paper.resize(600, 400);
        paper.show();
        const QRect before = text->geometry();
        notices->raiseProblem(QStringLiteral("the disk is full"));
        notices->setBriefTime(std::chrono::milliseconds(1));
        notices->inform(QStringLiteral("Saved."));
        QCoreApplication::sendPostedEvents();
        QCOMPARE(text->geometry(), before);
        QVERIFY(paper.rect().contains(notices->geometry()) && notices->height() > 10);
        const auto seen = [notices] {
            QStringList sentences;
            for (const NoticeBar *bar : notices->findChildren<NoticeBar *>()) {
                if (bar->isVisible()) {
                    sentences << bar->sentence();
                }
            }
            return sentences;
        };
        QCOMPARE(seen(), QStringList{QStringLiteral("Saved.")});  // one at a time
        QTRY_COMPARE(seen(), QStringList{QStringLiteral("the disk is full")});
        QCOMPARE(notices->sentences().size(), 1);  // a problem stays until it is closed
    }
    void aLowRailShowsIconsAlone()
    {
        QWidget window;
        Rail rail(&window);
        for (int page = 0; page < 7; ++page) {
            rail.addPage(page, QStringLiteral("captions"), QStringLiteral("Captions"), QStringLiteral("Ctrl+1"));
        }
        rail.addStretch();
        window.show();
        const auto fits = [&rail] {
            const QList<QToolButton *> buttons = rail.findChildren<QToolButton *>();
            return std::all_of(buttons.begin(), buttons.end(), [&rail](const QToolButton *button) {
                return button->height() >= button->sizeHint().height() && rail.rect().contains(button->geometry());
            });
        };
        rail.resize(88, 400);
        QVERIFY(fits());
        QCOMPARE(rail.findChild<QToolButton *>()->toolButtonStyle(), Qt::ToolButtonIconOnly);
        rail.resize(88, 800);
        QVERIFY(fits());
        QCOMPARE(rail.findChild<QToolButton *>()->toolButtonStyle(), Qt::ToolButtonTextUnderIcon);
    }
    void aRevisedWordFadesOnceAlsoAsItSettles()
    {
        TranscriptModel model;
        RevisionFades fades;
        auto tail = words(QStringLiteral("ask not"), 1);
        model.setTail(tail);
        fades.onTailChanged(model, 1000, Motion::Full);
        QVERIFY(!fades.isFading());
        tail[1].revision_count = 1;
        model.setTail(tail);
        fades.onTailChanged(model, 2000, Motion::Full);
        QVERIFY(fades.isFading());
        QCOMPARE(fades.tail(2350), (std::vector<float>{0, 0.5F}));
        model.append(transcriptOf(tail));
        fades.onSettled(model, 2350, Motion::Full);
        QCOMPARE(fades.settled(2350).size(), std::size_t{1});
        QCOMPARE(fades.settled(2350)[0].first, 1);
        fades.advance(2699);
        QVERIFY(fades.isFading());
        fades.advance(2700);
        QVERIFY(!fades.isFading());
        QVERIFY(fades.settled(2700).empty());
    }
};

QTEST_MAIN(UiSharedTest)
#include "tst_ui_shared.moc"
