// What enters a conversation on the Streams page: words typed, pasted, said aloud or read from a file, while the others speak; the baseline
// hears the same words, and a sentence says where nothing can enter.
#include <QClipboard>
#include <QPushButton>
#include <QTemporaryDir>
#include <QtTest>

#include "core/base/file.h"
#include "tests/ui/streams/streams_room.h"
#include "ui/shared/notice_bar.h"
#include "ui/streams/answer_panel.h"
#include "ui/streams/lanes_view.h"
#include "ui/streams/streams_choices_row.h"
#include "ui/streams/streams_status.h"
#include "ui/streams/typing_line.h"

using namespace braid;
using namespace braid::ui;
using namespace braid::ui::test;

class UiStreamsTypingTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    // --- typing
    void wordsEnterWhileTheOthersSpeak()
    {
        Room room;
        QVERIFY(room.ready);
        QVERIFY(!room.page->controller().isGoing());
        room.type(QStringLiteral("what is sev"));
        QVERIFY(room.page->controller().isGoing());  // the first word starts the run
        QCOMPARE(room.page->typing().unfinished(), QStringLiteral("sev"));
        QCOMPARE(room.parallel->said(kUser), QStringLiteral("what is"));
        room.advance(2);
        QCOMPARE(room.lane(kUser), QStringLiteral("what is"));
        room.type(QStringLiteral("en plus five ? "));
        room.advance(12);
        QCOMPARE(room.lane(kUser), QStringLiteral("what is seven plus five ?"));
        QCOMPARE(room.lane(kWorking), QStringLiteral("7 + 5 = 12"));
        QCOMPARE(room.lane(kAnswer), QStringLiteral("It is twelve ."));
        // Worked out while it was asked: the working's first word stands beside the question's.
        QVERIFY(room.page->controller().lanes().firstWord(kWorking) <= 5);
        QCOMPARE(QString::fromStdString(room.page->answer().answer().transcript().word(0).text), QStringLiteral("It"));
        QVERIFY(room.page->status().text().contains(QStringLiteral("step 14")));
        QVERIFY(room.page->typing().unfinished().isEmpty());
    }
    void enterEndsTheTurnAndControlEnterCutsIn()
    {
        Room room;
        room.type(QStringLiteral("what is"));
        QTest::keyClick(&room.page->typing().field(), Qt::Key_Return);
        QCOMPARE(room.parallel->said(kUser), QStringLiteral("what is"));
        QCOMPARE(room.parallel->posts<streams::EndTurn>(), 1);
        room.advance(4);
        QCOMPARE(room.page->controller().lanes().turnEnds().size(), std::size_t(1));
        room.type(QStringLiteral("no no no no wait"));
        QTest::keyClick(&room.page->typing().field(), Qt::Key_Return, Qt::ControlModifier);
        QCOMPARE(room.parallel->posts<streams::Interrupt>(), 1);
        room.advance(6);
        QCOMPARE(room.lane(kUser), QStringLiteral("what is wait"));
    }
    void theWholeLineMayWaitForEnter()
    {
        Room room;
        room.page->typing().setMode(TypingMode::WithEnter);
        room.type(QStringLiteral("what is seven"));
        QVERIFY(!room.page->controller().isGoing());
        QTest::keyClick(&room.page->typing().field(), Qt::Key_Return);
        room.advance(4);
        QCOMPARE(room.lane(kUser), QStringLiteral("what is seven"));
    }
    void anExampleIsAskedWithAClick()
    {
        Room room;
        auto *card = room.page->findChild<QLabel *>(QStringLiteral("card"));
        QVERIFY(card != nullptr && card->isVisible());
        QVERIFY2(card->text().contains(QStringLiteral("href=\"0\"")), qPrintable(card->text()));
        Q_EMIT card->linkActivated(QStringLiteral("0"));
        room.advance(5);
        QVERIFY2(room.lane(kUser).startsWith(QStringLiteral("what is")), qPrintable(room.lane(kUser)));
        QCOMPARE(room.parallel->posts<streams::EndTurn>(), 1);
        QVERIFY(!card->isVisible());
    }
    void aPastedBookWaitsAndNothingFreezes()
    {
        Room room;
        QString book;
        for (int count = 0; count < 200'000; ++count) {
            book += QStringLiteral("the book ");
        }
        QElapsedTimer clock;
        clock.start();
        QApplication::clipboard()->setText(book);
        room.page->typing().field().paste();
        QApplication::processEvents();
        QVERIFY2(clock.elapsed() < 3000, qPrintable(QStringLiteral("%1 ms").arg(clock.elapsed())));
        QVERIFY(room.page->typing().field().toPlainText().isEmpty());
        QCOMPARE(room.page->controller().typed(kUser).wordsWaiting(), std::size_t(400'000));
        QVERIFY(room.parallel->said(kUser).size() <= static_cast<qsizetype>(2 * kMostGivenBytes));  // the run's queue is never asked for more than it holds
        clock.restart();
        room.advance(50);
        QVERIFY2(clock.elapsed() < 5000, qPrintable(QStringLiteral("%1 ms").arg(clock.elapsed())));
        QCOMPARE(room.page->controller().lanes().wordsOf(kUser), std::int64_t(50));
        QCOMPARE(room.page->controller().typed(kUser).wordsWaiting(), std::size_t(399'950));
        QVERIFY(room.page->controller().lanes().conversation().events.size() < 60);  // no notice of words left out
        // What waits can be dropped, and taken up again.
        Q_EMIT room.page->typing().dropRequested(kUser);
        QCOMPARE(room.page->controller().typed(kUser).wordsWaiting(), std::size_t(0));
        QVERIFY(room.page->notices().sentences().join(QLatin1Char(' ')).contains(QStringLiteral("dropped")));
    }
    void whatIsSaidAloudEntersAsItSettles()
    {
        Room room;
        room.captions.transcript().append(transcriptOf(words(QStringLiteral("earlier words"), 0)));
        auto buttons = room.page->typing().findChildren<QPushButton *>();
        const auto voice = std::find_if(buttons.begin(), buttons.end(), [](QPushButton *button) { return button->isCheckable(); });
        QVERIFY(voice != buttons.end());
        (*voice)->click();
        QVERIFY(room.page->notices().sentences().join(QLatin1Char(' ')).contains(QStringLiteral("captions are not running")));
        text::Transcript items = transcriptOf(words(QStringLiteral("what is seven"), 1));
        items.emplace_back(text::LineBreak{samplesFromSeconds(3)});
        room.captions.transcript().append(items);
        room.advance(4);
        QCOMPARE(room.lane(kUser), QStringLiteral("what is seven"));
        QCOMPARE(room.parallel->posts<streams::EndTurn>(), 1);
    }
    void aTextFileEntersWordByWord()
    {
        const QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("question.txt").toStdString();
        writeFileAtomically(file, "what is\nseven plus five ?\n");
        Room room;
        room.page->openFiles({file});
        QTRY_VERIFY_WITH_TIMEOUT(room.page->controller().isGoing(), kPatienceMs);
        room.advance(8);
        QCOMPARE(room.lane(kUser), QStringLiteral("what is seven plus five ?"));
        writeFileAtomically(file, std::string("\xFF\xFE\x00", 3));
        room.page->openFiles({file});
        QTRY_VERIFY_WITH_TIMEOUT(room.page->notices().sentences().join(QLatin1Char(' ')).contains(QStringLiteral("no text in UTF-8")), kPatienceMs);
    }
    void withoutAModelASentenceSaysSo()
    {
        Room room;
        room.services.list_models = []() -> std::vector<StreamsModelEntry> { return {}; };
        room.page->choicesRow().refresh();
        QTRY_VERIFY_WITH_TIMEOUT(room.page->choicesRow().models().empty(), kPatienceMs);
        room.type(QStringLiteral("what "));
        QVERIFY(!room.page->controller().isGoing());
        QVERIFY(room.page->notices().sentences().join(QLatin1Char(' ')).contains(QStringLiteral("No model for parallel streams")));
    }
    void aRunThatFailsSaysWhatHappenedAndKeepsTheLanes()
    {
        Room room;
        room.askTheSum();
        room.parallel->fail("streams-en: the weights are missing. Fetch the folder again.");
        QTRY_VERIFY_WITH_TIMEOUT(!room.page->controller().isGoing(), kPatienceMs);
        QVERIFY(room.page->notices().sentences().join(QLatin1Char(' ')).contains(QStringLiteral("weights are missing")));
        QCOMPARE(room.page->controller().lanes().rows(), std::int64_t(14));
    }
    void whatAnOlderRunStillSaysIsDropped()
    {
        Room room;
        room.type(QStringLiteral("what "));
        room.advance(3);
        room.page->newPage();
        room.type(QStringLiteral("is "));
        room.parallel->sayLate(1);
        room.advance(1);
        QCOMPARE(room.lane(kUser), QStringLiteral("is"));
        QCOMPARE(room.page->controller().lanes().rows(), std::int64_t(1));
    }

    // --- the baseline
    void theBaselineHearsTheSameWords()
    {
        Room room({1280, 800}, [](Settings &s) { s.streams.shows_baseline = true; });
        room.baseline->script.clear();
        says(room.baseline->script, kAnswer, 9, {" It", " is", " twelve", " ."});
        // Stands in for the queue: the engine's own is tested with the engine.
        const auto make_run = room.services.baseline.make_run;
        room.services.baseline.make_run = [make_run](const StreamsChoices &choices) {
            auto run = make_run(choices);
            if (choices.form != streams::StreamsForm::OneQueue || choices.model_name != QStringLiteral("streams-en-single")) {
                throw Error(ErrorKind::Usage, "the baseline is one queue of messages");
            }
            run.settings.form = streams::StreamsForm::Parallel;
            return run;
        };
        room.type(QStringLiteral("what is seven plus five ?"));
        QTest::keyClick(&room.page->typing().field(), Qt::Key_Return);
        room.advance(14);
        QCOMPARE(room.page->baseline().lanes().textOf(kUser, 0, 13), QStringLiteral("what is seven plus five ?"));
        QCOMPARE(room.page->baseline().lanes().textOf(kAnswer, 0, 13), QStringLiteral("It is twelve ."));
        QCOMPARE(room.baseline->posts<streams::EndTurn>(), 1);
        QVERIFY(room.page->baselineLanes().isVisible());
        // Going back begins the queue anew with the words that stay.
        room.page->lanes().moveRewindMark(-11);
        room.page->lanes().confirmRewind();
        room.settle();
        QCOMPARE(room.baseline->posts<streams::Rewind>(), 1);
        room.page->compare();
        QVERIFY(!room.page->baselineLanes().isVisible());
    }
};

QTEST_MAIN(UiStreamsTypingTest)
#include "tst_ui_streams_typing.moc"
