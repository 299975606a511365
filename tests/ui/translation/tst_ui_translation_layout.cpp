// Where the text of two languages stands on the Translation page: what was read or written never moves, pieces never lie on one another, and a book
// costs no more than a line; the staircase between them.
#include <map>

#include <QtTest>

#include "tests/ui/translation/translation_fakes.h"
#include "ui/translation/bilingual_layout.h"
#include "ui/translation/bilingual_text.h"
#include "ui/translation/staircase_geometry.h"

using namespace braid;
using namespace braid::ui;
using namespace braid::ui::test;

namespace {

double widthOf(const QString &text)
{
    return 11.0 * static_cast<double>(text.size());
}

}  // namespace

class UiTranslationLayoutTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    // --- where it stands
    void whatWasReadOrWrittenNeverMoves_data()
    {
        QTest::addColumn<bool>("interlinear");
        QTest::addColumn<double>("width");
        for (const bool interlinear : {false, true}) {
            for (const double width : {60.0, 180.0, 420.0}) {
                QTest::addRow("%s %g", interlinear ? "interlinear" : "side by side", width) << interlinear << width;
            }
        }
    }
    void whatWasReadOrWrittenNeverMoves()
    {
        QFETCH(bool, interlinear);
        QFETCH(double, width);
        BilingualShape shape;
        shape.arrangement = interlinear ? PairArrangement::Interlinear : PairArrangement::SideBySide;
        shape.column_width = width;
        BilingualText text;
        BilingualLayout layout;
        layout.reshape(shape, widthOf);
        std::map<std::pair<int, int>, QRectF> stands;
        const auto look = [&] {
            for (const TextSide side : {TextSide::Source, TextSide::Target}) {
                for (int index = 0; index < text.count(side); ++index) {
                    if (side == TextSide::Target || text.isRead(index)) {
                        const QRectF rect = layout.pieceRect({side, index});
                        const auto [place, is_new] = stands.try_emplace({static_cast<int>(side), index}, rect);
                        QCOMPARE(rect, place->second);
                    }
                }
            }
        };
        for (const auto &event : storyOf(12, 3)) {
            text.take(event);
            layout.place(text);
            look();
            translation::TranslationProgress progress;
            progress.sentence = text.firstOpen();
            progress.open_word = "growing";
            if (text.firstOpen() < static_cast<int>(text.sentences().size())) {
                progress.words_written = text.sentences()[static_cast<std::size_t>(text.firstOpen())].word_count;
                text.setProgress(progress);
                layout.place(text);
                look();
            }
        }
        // Placed at once it stands where it stands placed bit by bit.
        BilingualLayout whole;
        whole.reshape(shape, widthOf);
        whole.place(text);
        for (const auto &[piece, rect] : stands) {
            QCOMPARE(whole.pieceRect({static_cast<TextSide>(piece.first), piece.second}), rect);
        }
    }
    void piecesLieInTheirColumnsAndNeverOnOneAnother()
    {
        BilingualText text;
        takeAll(text, storyOf(8, 2));
        for (const PairArrangement arrangement : {PairArrangement::SideBySide, PairArrangement::Interlinear}) {
            BilingualShape shape;
            shape.arrangement = arrangement;
            shape.column_width = 200;
            BilingualLayout layout;
            layout.reshape(shape, widthOf);
            layout.place(text);
            std::vector<QRectF> all;
            for (const TextSide side : {TextSide::Source, TextSide::Target}) {
                for (int index = 0; index < text.count(side); ++index) {
                    const QRectF rect = layout.pieceRect({side, index});
                    QVERIFY(!rect.isEmpty());
                    QVERIFY(rect.left() >= shape.columnLeft(side) && rect.right() <= shape.columnLeft(side) + shape.column_width + shape.hanging + 0.01);
                    QVERIFY(layout.pieceAt(rect.center()) == (PieceRef{side, index}));
                    QVERIFY(layout.nearest(side, rect.center()) == (PieceRef{side, index}));
                    for (const QRectF &other : all) {
                        QVERIFY(!rect.adjusted(0.01, 0.01, -0.01, -0.01).intersects(other));
                    }
                    all.push_back(rect);
                }
            }
            for (int sentence = 0; sentence < layout.sentenceCount(); ++sentence) {
                const QRectF band = layout.bandRect(sentence);
                for (const QRectF &rect : all) {
                    QVERIFY(!band.intersects(rect));
                }
                QCOMPARE(layout.firstSentenceBelow(layout.sentenceRect(sentence).center().y()), sentence);
            }
            QVERIFY(layout.contentHeight() >= layout.sentenceRect(layout.sentenceCount() - 1).bottom() - 0.01);
        }
    }
    void aBookThatWaitsCostsNoMoreThanALine()
    {
        BilingualText text;
        takeAll(text, storyOf(2, 20000));
        int measured = 0;
        BilingualLayout layout;
        layout.reshape({}, [&measured](const QString &word) {
            ++measured;
            return widthOf(word);
        });
        layout.place(text);
        QVERIFY(layout.sentenceCount() <= 2 + 1 + kWaitingSentencesPlaced);
        QVERIFY(measured < 1000);
        const int before = measured;
        for (int frame = 0; frame < 1000; ++frame) {
            layout.place(text);
        }
        QCOMPARE(measured, before);
    }
    void anHourOfSentencesIsPlacedInAMoment()
    {
        BilingualText text;
        takeAll(text, storyOf(3000, 0));
        BilingualLayout layout;
        layout.reshape({}, widthOf);
        layout.place(text);
        QElapsedTimer clock;
        clock.start();
        BilingualShape other;
        other.column_width = 333;
        layout.reshape(other);
        layout.place(text);
        QVERIFY2(clock.elapsed() < 2000, qPrintable(QString::number(clock.elapsed())));  // a resize; arithmetic only
        clock.restart();
        for (int frame = 0; frame < 200; ++frame) {
            layout.place(text);
        }
        QVERIFY2(clock.elapsed() < 500, qPrintable(QString::number(clock.elapsed())));  // frames in which nothing came
    }
    void rightToLeftSentencesBeginAtTheRight()
    {
        BilingualText text;
        text.beginRun({});
        text.take(translation::SentenceBegan{0, 0});
        text.take(translation::UnitsArrived{0, {unitOf("peace"), unitOf("now")}});
        translation::WordWritten word;
        word.word.text = "\u0627\u0644\u0633\u0644\u0627\u0645";
        text.take(word);
        word.word.text = "\u0627\u0644\u0622\u0646";
        text.take(word);
        BilingualLayout layout;
        layout.reshape({}, widthOf);
        layout.place(text);
        const double right = layout.shape().columnLeft(TextSide::Target) + layout.shape().column_width;
        QCOMPARE(layout.pieceRect({TextSide::Target, 0}).right(), right);
        QVERIFY(layout.pieceRect({TextSide::Target, 1}).right() < layout.pieceRect({TextSide::Target, 0}).left());
        QCOMPARE(layout.pieceRect({TextSide::Source, 0}).left(), layout.shape().columnLeft(TextSide::Source));
    }

    // --- the staircase
    void theStaircaseGrowsWithoutMoving_data()
    {
        QTest::addColumn<int>("units");
        QTest::addColumn<int>("words");
        QTest::addColumn<int>("stairs");
        QTest::newRow("short") << 3 << 2 << 8;
        QTest::newRow("full") << 8 << 8 << 8;
        QTest::newRow("one more") << 9 << 4 << 12;
        QTest::newRow("more words than units") << 5 << 17 << 24;
    }
    void theStaircaseGrowsWithoutMoving()
    {
        QFETCH(int, units);
        QFETCH(int, words);
        QFETCH(int, stairs);
        QCOMPARE(stairsFor(units, words), stairs);
        const StaircaseGeometry geometry{QRectF(10, 20, 80, 160), stairs};
        QCOMPARE(geometry.xOf(0), 10.0);
        QCOMPARE(geometry.xOf(stairs), 90.0);
        QCOMPARE(geometry.yOf(stairs), 180.0);
        for (int word = 0; word < words; ++word) {
            QCOMPARE(geometry.wordAt((geometry.yOf(word) + geometry.yOf(word + 1)) / 2, words), word);
        }
        QCOMPARE(geometry.wordAt(179, words), words - 1);
        QCOMPARE(geometry.wordAt(19, words), -1);
        QCOMPARE(geometry.wordAt(30, 0), -1);
    }
};

QTEST_MAIN(UiTranslationLayoutTest)
#include "tst_ui_translation_layout.moc"
