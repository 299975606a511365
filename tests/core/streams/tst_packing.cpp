// Visibility, positions and packing against the naive thing: a session that feeds row after row into a cache and remembers who could
// see what when. For random layouts of both forms.
#include <QtTest>

#include <numeric>

#include "core/base/error.h"
#include "core/base/random.h"
#include "core/streams/packing.h"
#include "tests/core/streams/streams_of.h"

using namespace braid;
using namespace braid::streams;

static constexpr std::int32_t kSilence = 3;

static Layout randomLayout(Random &random, VisibilityForm form)
{
    Layout layout;
    layout.name = "random";
    layout.form = form;
    const int count = random.whole(1, 5);
    for (int i = 0; i < count; ++i) {
        Stream stream;
        stream.name = "s" + std::to_string(i);
        stream.role = i == 0 && form == VisibilityForm::Blocks && random.chance(0.5) ? StreamRole::System
                      : random.chance(0.3) && i + 1 < count                          ? StreamRole::Document
                                                                                     : StreamRole::Assistant;
        for (int read = 0; read < count; ++read) {
            if (read == i || (stream.role != StreamRole::System && random.chance(0.7))) {
                stream.sees.push_back(read);
            }
        }
        layout.streams.push_back(stream);
    }
    layout.streams.back().role = StreamRole::Assistant;
    if (form == VisibilityForm::Rows) {
        layout.positions = random.chance(0.5) ? PositionRule::Row : PositionRule::OwnCounter;
        layout.silence = random.chance(0.5) ? SilenceRule::Stored : SilenceRule::Skipped;
    } else {
        layout.positions = PositionRule::OwnCounter;
        layout.silence = SilenceRule::Absent;
        layout.same_step = random.chance(0.5) ? SameStep::Visible : SameStep::Hidden;
    }
    layout.silence_text = layout.silence == SilenceRule::Absent ? "" : " -";
    if (random.chance(0.4)) {
        layout.window_rows = random.whole(1, 6);
        layout.kept_rows = random.whole(0, 2);
    }
    return layout;
}

static TokenTable randomTable(Random &random, const Layout &layout)
{
    TokenTable table;
    const int rows = random.whole(1, 9);
    for (const Stream &stream : layout.streams) {
        table.streams.push_back(stream.name);
        std::vector<std::int32_t> column(static_cast<std::size_t>(rows), TokenTable::kSilent);
        const bool gapless = layout.silence == SilenceRule::Absent && stream.isSampled();
        const int speaks = random.whole(0, rows);
        for (int r = 0; r < rows; ++r) {
            if (layout.form == VisibilityForm::Blocks && stream.role == StreamRole::System) {
                continue;  // it stands before the rows
            }
            if (gapless ? r < speaks : random.chance(0.5)) {
                column[static_cast<std::size_t>(r)] = random.whole(10, 99);
            }
        }
        table.columns.push_back(column);
    }
    return table;
}

// One token that is in the cache, as a person would write it down.
struct Remembered {
    int stream;
    int row;       // -1: before the first
    int position;  // of its own stream, from where it starts
    std::size_t packed;
};

class TestPacking : public QObject {
    Q_OBJECT

    // Walks the rows as a session does. For every query: which packed tokens it attends to, by the words of the paper.
    static std::vector<std::vector<std::size_t>> naiveAttention(const Layout &layout, const TokenTable &table,
                                                                const std::vector<std::vector<std::int32_t>> &before)
    {
        std::vector<std::vector<std::size_t>> attended;
        std::vector<Remembered> cache;
        std::vector<int> counter(layout.size(), 0);
        std::size_t system_length = 0;
        for (std::size_t i = 0; i < before.size(); ++i) {
            if (layout.streams[i].role == StreamRole::System) {
                system_length = before[i].size();
            }
        }
        std::size_t packed = 0;
        const auto positionOf = [&](std::size_t stream) {
            return counter[stream] + (layout.streams[stream].role == StreamRole::System ? 0 : static_cast<int>(system_length));
        };
        const auto mayRead = [&](int reader, int read) {
            const auto &sees = layout.streams[static_cast<std::size_t>(reader)].sees;
            return std::find(sees.begin(), sees.end(), read) != sees.end();
        };
        const auto inWindow = [&](int query_row, int key_row) {
            return layout.window_rows == 0 || key_row < layout.kept_rows || query_row - key_row < layout.window_rows;
        };
        const auto feed = [&](const std::vector<Remembered> &row, const std::vector<bool> &silent) {
            for (std::size_t q = 0; q < row.size(); ++q) {
                std::vector<std::size_t> keys;
                std::vector<Remembered> present = cache;
                present.insert(present.end(), row.begin(), row.end());
                for (std::size_t k = 0; k < present.size(); ++k) {
                    const Remembered &key = present[k];
                    const bool is_itself = key.packed == row[q].packed;
                    const bool same_row = k >= cache.size();
                    bool seen = false;
                    if (layout.form == VisibilityForm::Rows) {
                        seen = !same_row;
                    } else if (key.stream == row[q].stream) {
                        seen = key.position <= row[q].position;
                    } else {
                        seen = layout.same_step == SameStep::Visible ? key.position <= row[q].position : key.position < row[q].position;
                    }
                    if (is_itself || (seen && mayRead(row[q].stream, key.stream) && inWindow(row[q].row, key.row))) {
                        keys.push_back(key.packed);
                    }
                }
                attended.push_back(keys);
            }
            for (std::size_t q = 0; q < row.size(); ++q) {
                if (!(silent[q] && layout.silence == SilenceRule::Skipped)) {
                    cache.push_back(row[q]);
                }
            }
        };
        std::vector<Remembered> opening;
        for (const bool system : {true, false}) {
            for (std::size_t i = 0; i < before.size(); ++i) {
                if ((layout.streams[i].role == StreamRole::System) == system) {
                    for (std::size_t j = 0; j < before[i].size(); ++j) {
                        opening.push_back({static_cast<int>(i), -1, positionOf(i), packed++});
                        ++counter[i];
                    }
                }
            }
        }
        feed(opening, std::vector<bool>(opening.size(), false));
        for (std::size_t r = 0; r < table.rows(); ++r) {
            std::vector<Remembered> row;
            std::vector<bool> silent;
            for (std::size_t i = 0; i < layout.size(); ++i) {
                const bool is_silent = table.columns[i][r] == TokenTable::kSilent;
                if (is_silent && layout.silence == SilenceRule::Absent) {
                    continue;
                }
                row.push_back({static_cast<int>(i), static_cast<int>(r), positionOf(i), packed++});
                silent.push_back(is_silent);
                if (!is_silent || layout.silence == SilenceRule::Stored) {
                    ++counter[i];
                }
            }
            feed(row, silent);
        }
        return attended;
    }

  private Q_SLOTS:
    void packedRowsSeeWhatACacheHolds()
    {
        Random random(1, "packing");
        std::size_t seen = 0;
        for (int round = 0; round < 600; ++round) {
            const Layout layout = randomLayout(random, round % 2 == 0 ? VisibilityForm::Rows : VisibilityForm::Blocks);
            checkLayout(layout, "random");
            const TokenTable table = randomTable(random, layout);
            std::vector<std::vector<std::int32_t>> before(layout.size());
            if (layout.form == VisibilityForm::Blocks) {
                for (auto &tokens : before) {
                    tokens.assign(random.below(4), 7);
                }
            }
            const PackedTokens packed = pack(layout, table, before, {.silence_token = kSilence});
            const paradigms::Visibility visibility = visibilityOf(layout);
            const auto naive = naiveAttention(layout, table, before);
            QCOMPARE(packed.size(), naive.size());
            for (std::size_t q = 0; q < packed.size(); ++q) {
                std::vector<std::size_t> keys;
                for (std::size_t k = 0; k < packed.size(); ++k) {
                    if (packed.attends(visibility, q, k)) {
                        keys.push_back(k);
                    }
                }
                QVERIFY2(keys == naive[q], qPrintable(QString("round %1, query %2").arg(round).arg(q)));
                seen += keys.size();
            }
        }
        QVERIFY(seen > 20'000);
    }

    void theInverseGivesTheTableBack()
    {
        Random random(2, "packing");
        for (int round = 0; round < 300; ++round) {
            const Layout layout = randomLayout(random, round % 2 == 0 ? VisibilityForm::Rows : VisibilityForm::Blocks);
            TokenTable table = randomTable(random, layout);
            if (layout.silence == SilenceRule::Absent) {
                table.columns.back().assign(table.rows(), 77);  // rows in which nobody speaks leave no trace where there is no silence
            }
            std::vector<std::vector<std::int32_t>> before(layout.size());
            if (layout.form == VisibilityForm::Blocks) {
                before[0] = {8, 9};
            }
            const Unpacked again = unpack(layout, pack(layout, table, before, {.silence_token = kSilence}), {.silence_token = kSilence});
            QVERIFY(again.table == table);
            QVERIFY(again.before == before);
        }
    }

    void labelsAreTheNextRowAndTheUserHasNone()
    {
        Layout layout;
        layout.streams = {streamOf("User", StreamRole::User, {0, 1, 2}), streamOf("A", StreamRole::Assistant, {0, 1, 2}),
                          streamOf("B", StreamRole::Assistant, {0, 1, 2})};
        layout.streams[2].loss_weight = 2;
        layout.silence_text = " -";
        const TokenTable table{{{10, 11, -1}, {-1, 20, 21}, {30, -1, -1}}, {}};
        const PackedTokens packed = pack(layout, table, {}, {.share = LossShare::PerToken, .silence_weight = 0.25F, .silence_token = kSilence});
        const std::vector<std::int32_t> tokens{10, 3, 30, 11, 20, 3, 3, 21, 3};
        const std::vector<std::int32_t> labels{kNoLabel, 20, 3, kNoLabel, 21, 3, kNoLabel, kNoLabel, kNoLabel};
        const std::vector<float> weights{0, 1, 0.5F, 0, 1, 0.5F, 0, 0, 0};
        QCOMPARE(packed.tokens, tokens);
        QCOMPARE(packed.labels, labels);
        QCOMPARE(packed.weights, weights);
        for (std::size_t i = 0; i < packed.size(); ++i) {
            QCOMPARE(packed.entries[i], (Entry{static_cast<std::int32_t>(i % 3), static_cast<double>(i / 3), static_cast<std::int64_t>(i / 3),
                                               tokens[i] == kSilence ? EntryKind::Silent : EntryKind::Token}));
        }
        const PackedTokens shared = pack(layout, table, {}, {.share = LossShare::PerStream, .silence_token = kSilence});
        double a = 0, b = 0;
        for (std::size_t i = 0; i < shared.size(); ++i) {
            (shared.entries[i].stream == 1 ? a : b) += shared.weights[i];
        }
        QCOMPARE(static_cast<float>(a), 0.5F);  // each stream half, times its weight
        QCOMPARE(static_cast<float>(b), 1.0F);
    }

    void theFirstWordIsPredictedFromTheOpening()
    {
        Layout layout;
        layout.form = VisibilityForm::Blocks;
        layout.positions = PositionRule::OwnCounter;
        layout.silence = SilenceRule::Absent;
        layout.streams = {streamOf("S", StreamRole::System, {0}), streamOf("U", StreamRole::User, {0, 1, 2}), streamOf("A", StreamRole::Assistant, {0, 1, 2})};
        const TokenTable table{{{-1, -1}, {50, 51}, {60, 61}}, {}};
        const PackedTokens packed = pack(layout, table, {{1, 2, 3}, {4}, {5, 6}}, {});
        QCOMPARE(packed.tokens, (std::vector<std::int32_t>{1, 2, 3, 4, 5, 6, 50, 60, 51, 61}));
        QCOMPARE(packed.labels[5], 60);
        QCOMPARE(packed.labels[4], kNoLabel);
        QCOMPARE(packed.labels[7], 61);
        // The system counts from 0; user and assistant both start where it ends.
        const std::vector<double> positions{0, 1, 2, 3, 3, 4, 4, 5, 5, 6};
        for (std::size_t i = 0; i < packed.size(); ++i) {
            QCOMPARE(packed.entries[i].position, positions[i]);
        }
    }

    void positionsCanBeTakenBack()
    {
        Layout layout;
        layout.positions = PositionRule::OwnCounter;
        layout.streams = {streamOf("A", StreamRole::Assistant, {0})};
        Positions positions(layout);
        QCOMPARE(positions.next(0, 0, EntryKind::Token), 0.0);
        const auto mark = positions.mark();
        QCOMPARE(positions.next(0, 1, EntryKind::Silent), 1.0);  // skipped: does not count
        QCOMPARE(positions.next(0, 2, EntryKind::Token), 1.0);
        positions.rewind(mark);
        QCOMPARE(positions.next(0, 1, EntryKind::Token), 1.0);
    }

    void whatDoesNotFitIsRefused()
    {
        Layout layout;
        layout.name = "L";
        layout.form = VisibilityForm::Blocks;
        layout.silence = SilenceRule::Absent;
        layout.streams = {streamOf("A", StreamRole::Assistant, {0})};
        QVERIFY_EXCEPTION_THROWN((void)pack(layout, {{{-1, 5}}, {}}, {}, {}), Error);   // no silence, but silent first
        QVERIFY_EXCEPTION_THROWN((void)pack(layout, {{{5}, {6}}, {}}, {}, {}), Error);  // two streams
        layout.form = VisibilityForm::Rows;
        layout.silence = SilenceRule::Skipped;
        QVERIFY_EXCEPTION_THROWN((void)pack(layout, {{{5}}, {}}, {{1}}, {}), Error);  // nothing stands before the rows
    }
};

QTEST_GUILESS_MAIN(TestPacking)
#include "tst_packing.moc"
