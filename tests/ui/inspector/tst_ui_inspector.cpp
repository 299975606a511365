// What the Inspector and the time axis show of the model's inside: the block mask, the steps, attention over the sound, revisions, the
// archive of attention. Plain parts first, then the panel itself.
#include <QListView>
#include <QTemporaryDir>
#include <QtTest>

#include <random>

#include "tests/ui/fakes.h"
#include "ui/captions/attention_strip.h"
#include "ui/captions/timeline_painter.h"
#include "ui/inspector/attention_view.h"
#include "ui/inspector/cache_view.h"
#include "ui/inspector/inspector_panel.h"
#include "ui/inspector/revision_list.h"
#include "ui/inspector/step_chart.h"
#include "ui/inspector/token_bars.h"
#include "ui/state/attention_archive.h"

using namespace braid;
using namespace braid::ui;
using namespace braid::ui::test;

namespace {

// The mask as the paper has it (eq. 11): a frame sees all frames of its own block and of those before.
bool sees(const std::vector<std::int32_t> &block_ends, int frame, int other)
{
    int begin = 0;
    for (const int end : block_ends) {
        if (frame >= begin && frame < end) {
            return other < end;
        }
        begin = end;
    }
    return false;
}

captions::Revision revision(double heard_s, double middle_s, const char *before, const char *after)
{
    return {samplesFromSeconds(heard_s), samplesFromSeconds(middle_s - 0.2), samplesFromSeconds(middle_s + 0.2), before, after};
}

}  // namespace

class UiInspectorTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void cacheCellsAreThoseOfTheMask()
    {
        const CacheGeometry geometry{QRectF(40, 10, 300, 300), 60, {20, 35, 36, 50}};
        for (int frame = 0; frame < 50; ++frame) {
            for (int other = 0; other < 60; ++other) {
                QCOMPARE(other < geometry.visibleEnd(frame), sees(geometry.block_ends, frame, other));
            }
        }
        QCOMPARE(geometry.visibleEnd(50), 0);  // not encoded yet
        QCOMPARE(geometry.blockOf(35), 2);
        QCOMPARE(geometry.blockRect(1), QRectF(40, 110, 175, 75));
    }
    void cachePointsFindCells_data()
    {
        QTest::addColumn<QPointF>("point");
        QTest::addColumn<int>("frame");
        QTest::addColumn<int>("other");
        QTest::newRow("first") << QPointF(40.1, 10.1) << 0 << 0;
        QTest::newRow("rows go down") << QPointF(41, 59.9) << 9 << 0;
        QTest::newRow("columns go right") << QPointF(339.9, 10) << 0 << 59;
        QTest::newRow("left of it") << QPointF(39, 20) << -1 << -1;
        QTest::newRow("below it") << QPointF(50, 311) << -1 << -1;
    }
    void cachePointsFindCells()
    {
        QFETCH(QPointF, point);
        QFETCH(int, frame);
        QFETCH(int, other);
        const CacheGeometry geometry{QRectF(40, 10, 300, 300), 60, {20, 35}};
        const auto cell = geometry.cellAt(point);
        QCOMPARE(cell.has_value(), frame >= 0);
        if (cell) {
            QCOMPARE(*cell, (CacheCell{frame, other}));
        }
    }
    void thePictureGrowsInSteps()
    {
        captions::EncoderState state;
        QCOMPARE(framesToShow(state), 100);
        state.maximum_frames = 1500;
        state.block_ends = {20};
        QCOMPARE(framesToShow(state), 100);
        state.block_ends = {20, 90};
        QCOMPARE(framesToShow(state), 200);
        state.block_ends = {20, 1490};
        QCOMPARE(framesToShow(state), 1500);  // never beyond what the window holds
    }
    void openCellsArePaintedMaskedOnesAreNot()
    {
        const Theme &theme = themeFor(ThemeKind::Light);
        QImage image(120, 120, QImage::Format_RGB32);
        image.fill(Qt::white);
        const CacheGeometry geometry{QRectF(0, 0, 120, 120), 60, {20, 35, 50}};
        QPainter painter(&image);
        paintBlockMask(painter, geometry, {}, theme);
        painter.end();
        const QRgb empty = theme.colour(ColourToken::Paper).rgb();
        int wrong = 0;
        for (int frame = 1; frame < 59; ++frame) {
            for (int other = 1; other < 59; ++other) {
                const bool painted = image.pixel(other * 2 + 1, frame * 2 + 1) != empty;
                // Borders are drawn over the edges of blocks.
                const bool at_edge = std::any_of(geometry.block_ends.begin(), geometry.block_ends.end(),
                                                 [&](int end) { return std::abs(frame - end) <= 1 || std::abs(other - end) <= 1; });
                wrong += !at_edge && painted != sees(geometry.block_ends, frame, other) ? 1 : 0;
            }
        }
        QCOMPARE(wrong, 0);
    }
    void cellsAndCachesAreExplained()
    {
        captions::EncoderState state;
        state.window_start_sample = samplesFromSeconds(10);
        state.block_ends = {30, 45, 60};
        state.maximum_frames = 1500;
        state.encoder_layers = 4;
        state.encoder_cache_bytes = 4'000'000;
        state.sound_cache_bytes = 2'000'000;
        state.token_cache_bytes = 512;
        state.encode_ms = 6.2;
        const CacheGeometry geometry{QRectF(0, 0, 100, 100), 100, state.block_ends};
        QCOMPARE(cacheCellText(state, geometry, {44, 10}, samplesFromSeconds(5)),
                 QStringLiteral("Frame 44 (15.88 s), block 2, sees frames 0 to 44 (up to 15.90 s).\nFrame 10 came out of the cache."));
        QVERIFY(cacheCellText(state, geometry, {44, 31}, 0).endsWith(QStringLiteral("was computed in the same step.")));
        QVERIFY(cacheCellText(state, geometry, {44, 45}, 0).endsWith(QStringLiteral("Frame 45 came later: it is masked.")));
        QVERIFY(cacheCellText(state, geometry, {60, 1}, 0).contains(QStringLiteral("not been encoded yet")));
        const QString facts = cacheFacts(state, 0).join(QLatin1Char('\n'));
        QVERIFY2(facts.contains(QStringLiteral("60 of 1500 frames in 3 blocks")) && facts.contains(QStringLiteral("4.0 MB (1.0 MB in each of 4 layers)")) &&
                     facts.contains(QStringLiteral("first block 0.60 s, newest 0.30 s")) && facts.contains(QStringLiteral("512 bytes")) &&
                     facts.contains(QStringLiteral("encoder 6.2 ms")),
                 qPrintable(facts));
        QVERIFY(!cacheFacts({}, 0).isEmpty());
    }

    void stepsStandWhereTheyAreFound()
    {
        const StepChartGeometry geometry{QRectF(10, 0, 240, 100), 120, 50};
        QCOMPARE(geometry.xOf(9, 10), 248.0);  // the newest at the right end
        QCOMPARE(geometry.stepAt(249, 10), 9);
        QCOMPARE(geometry.stepAt(247, 10), 8);
        QCOMPARE(geometry.stepAt(20, 10), -1);
        QCOMPARE(geometry.stepAt(251, 10), -1);
        QCOMPARE(geometry.yOf(25), 50.0);
        QCOMPARE(stepText({samplesFromSeconds(3), samplesFromMs(300), 21.4, 6, 14, 3}, samplesFromSeconds(60)),
                 QStringLiteral("Step at 63.00 s: 21.4 ms for 300 ms of sound\nencoder 6.0 ms, decoder 14.0 ms\n3 passes of the decoder"));
    }

    void attentionLiesOnTheSound_data()
    {
        QTest::addColumn<double>("samples_per_pixel");
        QTest::newRow("close") << 16.0;
        QTest::newRow("as at first") << 160.0;
        QTest::newRow("columns under a pixel") << 2000.0;
    }
    void attentionLiesOnTheSound()
    {
        QFETCH(double, samples_per_pixel);
        const auto said = words("ask not what your country", 3);
        const AttentionTrace trace{attentionOver(said), samplesFromSeconds(2), {3}};
        TimelineGeometry geometry;
        geometry.samples_per_pixel = samples_per_pixel;
        geometry.width = 1000;
        const Sample middle = (said[3].start_sample + said[3].end_sample) / 2 + samplesFromSeconds(2);
        geometry.first_sample = static_cast<double>(middle) - 500 * samples_per_pixel;
        const auto cells = stripCells(trace, 0, geometry);
        QVERIFY(!cells.empty());
        // Side by side without holes, the brightest where the word was said.
        for (std::size_t index = 1; index < cells.size(); ++index) {
            QVERIFY(std::abs(cells[index].left - cells[index - 1].right) < 1e-6);
        }
        const auto brightest = std::max_element(cells.begin(), cells.end(), [](const StripCell &a, const StripCell &b) { return a.share < b.share; });
        QCOMPARE(brightest->share, 1.0);
        const double column_pixels = 320 / samples_per_pixel;
        QVERIFY2(std::abs((brightest->left + brightest->right) / 2 - 500) <= std::max(2.0, column_pixels), qPrintable(QString::number(brightest->left)));
        // The exact place of a column.
        const Sample begin = trace.offset + trace.map->first_column_sample;
        if (column_pixels > 1) {
            const auto column =
                static_cast<Sample>(std::llround((brightest->left * samples_per_pixel + geometry.first_sample - static_cast<double>(begin)) / 320));
            QVERIFY(std::abs(geometry.xOf(begin + column * 320) - brightest->left) < 1e-6);
            QCOMPARE(weightAt(trace, 0, begin + column * 320 + 10),
                     static_cast<double>(trace.map->weights[static_cast<std::size_t>(3 * trace.map->columns + column)]));
        }
        QVERIFY(weightAt(trace, 0, begin - 1) < 0);
        QVERIFY(weightAt(trace, 0, begin + 320 * trace.map->columns) < 0);
        QVERIFY(weightAt(trace, 1, begin) < 0);
        QVERIFY(attentionTextAt(trace, middle).startsWith(QStringLiteral("\u00b7your 0.")));
        QVERIFY(stripCells({}, 0, geometry).empty());
    }

    void revisionsMakeAChain()
    {
        RevisionHistory history;
        const std::vector<captions::Revision> first = {revision(5, 4, "rise", "rice"), revision(5, 2, "a", "the"), revision(6, 4.3, "rice", "dice")};
        history.take(first, 3, samplesFromSeconds(10));
        history.take(first, 3, samplesFromSeconds(10));  // nothing new
        QCOMPARE(history.all().size(), std::size_t(3));
        text::Word word = test::word("dice", 14.1, 14.5);
        word.revision_count = 2;
        word.revised_from = "rice";
        const auto chain = history.chainOf(word);
        QCOMPARE(chain, (std::vector<SaidBefore>{{"rise", 0}, {"rice", samplesFromSeconds(15)}, {"dice", samplesFromSeconds(16)}}));
        // A change of case since is no break in it.
        word.text = "Dice,";
        QCOMPARE(history.chainOf(word).front().text, std::string("rise"));
        QCOMPARE(history.chainOf(test::word("dish", 11, 12)).size(), std::size_t(1));
        // The next run counts from nothing; what is no longer kept is still told as far as it is known.
        history.beginRun();
        history.take(std::vector<captions::Revision>{revision(1, 0.5, "x", "y")}, 1, samplesFromSeconds(60));
        QCOMPARE(history.all().size(), std::size_t(4));
        text::Word lost = test::word("known", 200, 201);
        lost.revision_count = 1;
        lost.revised_from = "gone";
        QCOMPARE(history.chainOf(lost), (std::vector<SaidBefore>{{"gone", 0}, {"known", 0}}));
    }
    void moreRevisionsThanTheSnapshotHoldsAreCountedNotInvented()
    {
        RevisionHistory history;
        history.take(std::vector<captions::Revision>{revision(5, 4, "a", "b")}, 900, 0);
        QCOMPARE(history.all().size(), std::size_t(1));
        for (int round = 0; round < 500; ++round) {
            const std::vector<captions::Revision> more(50, revision(round, round, "a", "b"));
            history.take(more, 900 + 50 * (round + 1), 0);
        }
        QCOMPARE(history.all().size(), RevisionHistory::kMostKept);
    }

    void packedAttentionIsNearlyTheSame()
    {
        AttentionArchive archive;
        const auto said = words("ask not what your country can do for you", 3);
        const auto first = attentionOver(said);
        archive.add(first, samplesFromSeconds(5));
        archive.add(first, samplesFromSeconds(5));
        QCOMPARE(archive.size(), std::size_t(1));
        archive.add(attentionOver(words("something else", 30)), samplesFromSeconds(5));
        text::Word asked = said[4];
        asked.start_sample += samplesFromSeconds(5);
        asked.end_sample += samplesFromSeconds(5);
        const AttentionRecord found = archive.find(asked);
        QVERIFY(found.map != nullptr && found.map != first);
        QCOMPARE(found.offset, samplesFromSeconds(5));
        QCOMPARE(found.map->row_labels, first->row_labels);
        for (int row = 0; row < first->rows; ++row) {
            const auto at = first->weights.begin() + static_cast<std::ptrdiff_t>(row) * first->columns;
            const float greatest = *std::max_element(at, at + first->columns);
            for (int column = 0; column < first->columns; ++column) {
                const auto index = static_cast<std::size_t>(row) * static_cast<std::size_t>(first->columns) + static_cast<std::size_t>(column);
                QVERIFY(std::abs(found.map->weights[index] - first->weights[index]) <= greatest / 100);  // a byte a weight; under a hundredth, nothing
            }
        }
        QVERIFY(archive.find(asked).map == found.map);  // asked again, unpacked once
        QVERIFY(archive.find(test::word("nowhere", 8, 8.2)).map == nullptr);
        archive.clear();
        QVERIFY(archive.isEmpty() && archive.bytes() == 0);
    }
    void attentionOfAWordIsItsOwn()
    {
        // Words of the same tokens elsewhere in the sound, and words that only begin alike, are others.
        AttentionArchive archive;
        const auto first = words("ask what your country", 3);
        archive.add(attentionOver(first), 0);
        archive.add(attentionOver(words("do for your country", 8)), 0);
        QCOMPARE(archive.find(first[2]).map->first_column_sample, attentionOver(first)->first_column_sample);
        QVERIFY(archive.find(test::word("your", 30, 30.3)).map == nullptr);

        auto longer = std::make_shared<captions::AttentionMap>(*attentionOver({test::word("do", 20, 20.2), test::word("ly", 20.2, 20.4)}));
        longer->row_starts = {samplesFromSeconds(20), samplesFromSeconds(20)};
        archive.add(longer, 0);
        QVERIFY(archive.find(test::word("do", 20, 20.2)).map == nullptr);
        text::Word both = test::word("do", 20, 20.4);
        both.tokens.push_back(test::word("ly", 20.2, 20.4).tokens.front());
        QVERIFY(archive.find(both).map == longer);
        QCOMPARE(rowsOfWord(*longer, both, 0), (std::vector<int>{0, 1}));
        both.tokens.push_back({9, ".", 0.9F, {}});  // the mark came after the look
        QCOMPARE(rowsOfWord(*longer, both, 0), (std::vector<int>{0, 1}));
    }

    void attentionOfHalfAnHourIsKept()
    {
        AttentionArchive archive;
        // A step every 300 ms for 40 minutes, each with a map of the last 20 seconds as a real one looks: a peak and a long faint tail.
        std::mt19937 random(7);
        std::uniform_real_distribution<float> noise(0, 0.0003F);
        constexpr int kColumns = 1000;
        auto base = std::make_shared<captions::AttentionMap>();
        base->column_samples = 320;
        base->rows = 24;
        base->columns = kColumns;
        for (int row = 0; row < base->rows; ++row) {
            base->row_labels.push_back(" t" + std::to_string(row));
            base->row_starts.push_back(row * 40 * 320);
            for (int column = 0; column < kColumns; ++column) {
                const float away = static_cast<float>(column - row * 40) / 9;
                base->weights.push_back(std::exp(-away * away) * 0.06F + noise(random) + (column < 2 ? 0.05F : 0));  // the beginning draws looks too
            }
        }
        const int steps = 40 * 60 * 10 / 3;
        for (int step = 0; step < steps; ++step) {
            auto map = std::make_shared<captions::AttentionMap>(*base);
            map->first_column_sample = step * samplesFromMs(300);
            for (Sample &start : map->row_starts) {
                start += map->first_column_sample;
            }
            archive.add(std::move(map), 0);
        }
        const Sample now = (steps - 1) * samplesFromMs(300) + kColumns * 320;
        QVERIFY2(archive.bytes() <= AttentionArchive::kMostBytes, qPrintable(QString::number(archive.bytes())));
        const auto wordAt = [&](double seconds_ago) {
            text::Word word = test::word("x", 0, 0.3);
            word.start_sample = now - samplesFromSeconds(seconds_ago);
            word.end_sample = word.start_sample + samplesFromMs(300);
            word.tokens.front().text = " t3";
            return word;
        };
        QVERIFY(archive.find(wordAt(18)).map != nullptr);
        QVERIFY(archive.find(wordAt(29 * 60)).map != nullptr);
        QVERIFY(archive.find(wordAt(31 * 60)).map == nullptr);
        // A map that lies about its size is not kept.
        auto broken = std::make_shared<captions::AttentionMap>(*base);
        broken->rows = 1000;
        const auto size = archive.size();
        archive.add(std::move(broken), 0);
        QCOMPARE(archive.size(), size);
    }

    void revisionListShowsTheNewestFirst()
    {
        RevisionHistory history;
        RevisionListModel model;
        QAbstractItemModelTester tester(&model);
        model.follow(history);
        QCOMPARE(model.rowCount(), 0);
        history.take(std::vector<captions::Revision>{revision(5, 4, "rise", "rice"), revision(6, 2, "a", "the")}, 2, 0);
        model.follow(history);
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.index(0).data().toString(), QStringLiteral("0:06.00   a \u2192 the"));
        QCOMPARE(model.index(1).data(RevisionListModel::kStartRole).toLongLong(), samplesFromSeconds(3.8));
        for (int round = 1; round < 20; ++round) {
            history.take(std::vector<captions::Revision>(50, revision(round + 6, round, "a", "b")), 2 + 50 * round, 0);
        }
        model.follow(history);
        QCOMPARE(model.rowCount(), RevisionListModel::kMostShown);
        history.clear();
        model.follow(history);
        QCOMPARE(model.rowCount(), 0);
    }
    void tokensUnderThePointerAreTold()
    {
        Appearance appearance;
        TokenBars bars(appearance);
        text::Word word = test::word("country", 0, 1);
        word.tokens.push_back({7, "ry", 0.8F, {}});
        bars.show(&word);
        bars.resize(300, bars.sizeHint().height());
        bars.setVisible(true);
        QSignalSpy hovered(&bars, &TokenBars::tokenHovered);
        const auto moveTo = [&bars](double y) {
            QMouseEvent move(QEvent::MouseMove, QPointF(20, y), bars.mapToGlobal(QPointF(20, y)), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
            QApplication::sendEvent(&bars, &move);
        };
        moveTo(5);
        moveTo(30);  // a rival of the same token: no news
        moveTo(70);
        QEvent leave(QEvent::Leave);
        QApplication::sendEvent(&bars, &leave);
        QCOMPARE(hovered.count(), 3);
        QCOMPARE(hovered[0][0].toInt(), 0);
        QCOMPARE(hovered[1][0].toInt(), 1);
        QCOMPARE(hovered[2][0].toInt(), -1);
    }
};

QTEST_MAIN(UiInspectorTest)
#include "tst_ui_inspector.moc"
