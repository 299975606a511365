// Who sees whom and which positions tokens get, against definitions written from the papers' words: figure 5 (a) to (f) of the streaming
// paper, both forms of parallel streams, wait-k's rows.
#include <QtTest>

#include <algorithm>
#include <numeric>
#include <random>

#include "core/base/error.h"
#include "core/paradigms/paradigm.h"

using namespace braid;
using namespace braid::paradigms;

namespace {

using Mask = std::vector<std::string>;  // a row for each query, '1' where it sees

Mask maskOf(const Visibility &visibility, const std::vector<Entry> &entries, std::int64_t window = 0)
{
    std::vector<std::uint8_t> seen;
    visibleEntries(visibility, entries, 0, window, seen);
    Mask mask;
    for (std::size_t q = 0; q < entries.size(); ++q) {
        std::string row;
        for (std::size_t k = 0; k < entries.size(); ++k) {
            row += seen[q * entries.size() + k] != 0 ? '1' : '0';
        }
        mask.push_back(row);
    }
    return mask;
}

struct Example {
    std::vector<std::int64_t> source;  // instruction, words, end
    std::vector<std::int64_t> target;  // header, words, end
    std::int64_t k = 1;

    [[nodiscard]] std::int64_t sourceCount() const { return std::accumulate(source.begin(), source.end(), std::int64_t{0}); }
    [[nodiscard]] std::int64_t targetCount() const { return std::accumulate(target.begin(), target.end(), std::int64_t{0}); }

    // Source tokens that the target token `j` sees: the released rule in its own words. The mask is first made for the word a token is in (k + i
    // segments for word i, the header being word 0), then its rows move up by one, because the row of a token predicts the next.
    [[nodiscard]] std::int64_t sourceSeenBy(std::int64_t j) const
    {
        std::int64_t word = 0;
        for (std::int64_t next = j + 1; word + 1 < static_cast<std::int64_t>(target.size()) && next >= target[static_cast<std::size_t>(word)]; ++word) {
            next -= target[static_cast<std::size_t>(word)];
        }
        const bool is_last_of_all = j + 1 == targetCount();
        const std::int64_t segments = std::min<std::int64_t>(k + word + (is_last_of_all ? 1 : 0), static_cast<std::int64_t>(source.size()));
        return std::accumulate(source.begin(), source.begin() + segments, std::int64_t{0});
    }
};

Example randomExample(std::mt19937 &random)
{
    const auto lengths = [&random](std::size_t count) {
        std::vector<std::int64_t> result(count);
        for (auto &length : result) {
            length = 1 + static_cast<std::int64_t>(random() % 4);
        }
        return result;
    };
    return {lengths(2 + random() % 6), lengths(2 + random() % 6), 1 + static_cast<std::int64_t>(random() % 9)};
}

std::vector<Entry> rows(std::int64_t streams, std::int64_t count)
{
    std::vector<Entry> entries;
    for (std::int64_t i = 0; i < streams * count; ++i) {
        entries.push_back({static_cast<std::int32_t>(i % streams), static_cast<double>(i / streams), i / streams, EntryKind::Token});
    }
    return entries;
}

}  // namespace

class tst_paradigms : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    // Figure 5 (a): every token sees itself and what stands before it.
    void oneQueueIsCausal() { QCOMPARE(maskOf(causal(), std::vector<Entry>(4)), (Mask{"1000", "1100", "1110", "1111"})); }

    // Figure 5 (b): interleaved, causal, sequential positions; a word's first token is predicted by the source token before it.
    void interleavedTraining()
    {
        // Source: instruction of two tokens, two words, end (0..4). Target: header, a word of two tokens, end (5..8).
        const TrainingTokens tokens = waitKTokens(interleaved(), std::vector<std::int64_t>{2, 1, 1, 1}, std::vector<std::int64_t>{1, 2, 1}, 1);
        QCOMPARE(tokens.token_of, (std::vector<std::int64_t>{0, 1, 2, 5, 6, 7, 3, 8, 4}));
        QCOMPARE(tokens.counts, (std::vector<std::uint8_t>{0, 0, 0, 1, 1, 0, 1, 0, 0}));
        for (std::size_t i = 0; i < tokens.entries.size(); ++i) {
            QCOMPARE(tokens.entries[i].position, static_cast<double>(i));
            QCOMPARE(tokens.entries[i].stream, tokens.token_of[i] < 5 ? kSource : kTarget);
        }
        const Mask mask = maskOf(interleaved().visibility, tokens.entries);
        for (std::size_t q = 0; q < mask.size(); ++q) {
            QCOMPARE(QString::fromStdString(mask[q]), QString(static_cast<qsizetype>(q + 1), '1') + QString(static_cast<qsizetype>(mask.size() - q - 1), '0'));
        }
    }

    // Figure 5 (c), and group-streaming: source first; a source row sees the source up to itself, a target row the source that was read when it
    // was fed, and the target up to itself.
    void batchAndGroupTraining()
    {
        std::mt19937 random(5);
        for (int trial = 0; trial < 200; ++trial) {
            const Example example = randomExample(random);
            const std::int64_t source = example.sourceCount();
            const std::int64_t target = example.targetCount();
            for (const Paradigm &paradigm : {batchStreaming(Reencoding::None), groupStreaming(0), groupStreaming(0.5), offlineBatch()}) {
                const TrainingTokens tokens = waitKTokens(paradigm, example.source, example.target, example.k);
                Mask wanted;
                for (std::int64_t q = 0; q < source + target; ++q) {
                    std::string row(static_cast<std::size_t>(source + target), '0');
                    for (std::int64_t k = 0; k <= q; ++k) {
                        const bool seen = q < source || k >= source || k < example.sourceSeenBy(q - source);
                        row[static_cast<std::size_t>(k)] = seen ? '1' : '0';
                    }
                    wanted.push_back(row);
                }
                QCOMPARE(maskOf(paradigm.visibility, tokens.entries), wanted);
                for (std::int64_t i = 0; i < source + target; ++i) {
                    QCOMPARE(tokens.token_of[static_cast<std::size_t>(i)], i);
                    // The loss is of every target token behind the header, from the row before it.
                    const bool counts = i >= source + example.target.front() - 1 && i < source + target - 1;
                    QCOMPARE(tokens.counts[static_cast<std::size_t>(i)] != 0, counts);
                }
            }
        }
    }

    void positionsOfEveryParadigm()
    {
        const std::vector<std::int64_t> source = {2, 1, 1, 1};
        const std::vector<std::int64_t> target = {2, 1, 1};
        const auto positions = [&](const Paradigm &paradigm) {
            std::vector<double> result;
            for (const Entry &entry : waitKTokens(paradigm, source, target, 1).entries) {
                result.push_back(entry.position);
            }
            return result;
        };
        using Positions = std::vector<double>;
        QCOMPARE(positions(groupStreaming(0)), (Positions{0, 1, 2, 3, 4, 0, 1, 2, 3}));
        QCOMPARE(positions(groupStreaming(0.5)), (Positions{0, 1, 2, 3, 4, 0.5, 1.5, 2.5, 3.5}));
        QCOMPARE(positions(groupStreaming(256)), (Positions{0, 1, 2, 3, 4, 256, 257, 258, 259}));
        QCOMPARE(positions(offlineBatch()), positions(groupStreaming(5)));
        // Fed in this order: the instruction, the header but its last token, word 1, the last of the header (with no more of target word 1, which is
        // one token and therefore held back), word 2, target word 1, end, the last.
        QCOMPARE(positions(batchStreaming(Reencoding::None)), (Positions{0, 1, 3, 5, 7, 2, 4, 6, 8}));
        QCOMPARE(positions(withoutPositions(Removed::Source)), (Positions{0, 0, 0, 0, 0, 2, 4, 6, 8}));
        QCOMPARE(positions(withoutPositions(Removed::Target)), (Positions{0, 1, 3, 5, 7, 0, 0, 0, 0}));
        QCOMPARE(positions(withoutPositions(Removed::Both)), Positions(9, 0));
    }

    // Figure 5 (d) to (f): one causal example for each state of the source; together their loss rows write every target token once.
    void reencodedTraining()
    {
        std::mt19937 random(6);
        for (int trial = 0; trial < 200; ++trial) {
            const Example example = randomExample(random);
            std::vector<int> written(static_cast<std::size_t>(example.sourceCount() + example.targetCount()), 0);
            std::int64_t read_before = 0;
            for (const TrainingTokens &state : reencodedTokens(example.source, example.target, example.k)) {
                const auto source = std::count_if(state.entries.begin(), state.entries.end(), [](const Entry &entry) { return entry.stream == kSource; });
                QVERIFY(source > read_before || read_before == 0);
                read_before = source;
                const Mask mask = maskOf(offlineBatch().visibility, state.entries);
                for (std::size_t i = 0; i < state.entries.size(); ++i) {
                    QCOMPARE(state.entries[i].position, static_cast<double>(i));
                    QCOMPARE(QString::fromStdString(mask[i]),
                             QString(static_cast<qsizetype>(i + 1), '1') + QString(static_cast<qsizetype>(mask.size() - i - 1), '0'));
                    if (state.counts[i] != 0) {
                        const std::int64_t predicted = state.token_of[i + 1];
                        ++written[static_cast<std::size_t>(predicted)];
                        // Written while as much of the source was read as a run would have read.
                        QCOMPARE(source, example.sourceSeenBy(predicted - example.sourceCount() - 1));
                    }
                }
            }
            for (std::int64_t i = 0; i < example.sourceCount() + example.targetCount(); ++i) {
                QCOMPARE(written[static_cast<std::size_t>(i)], i >= example.sourceCount() + example.target.front() ? 1 : 0);
            }
        }
    }

    // "token i sees j iff row(j) < row(i) or j == i" (streaming-llm.md 2.1).
    void parallelRowsSeeEarlierRowsAndThemselves()
    {
        std::vector<Entry> entries = rows(3, 4);
        const auto naive = [&entries](std::size_t q, std::size_t k) { return k / 3 < q / 3 || k == q; };
        std::vector<std::uint8_t> seen;
        visibleEntries(parallelRows(), entries, 0, 0, seen);
        for (std::size_t q = 0; q < entries.size(); ++q) {
            for (std::size_t k = 0; k < entries.size(); ++k) {
                QCOMPARE(seen[q * entries.size() + k] != 0, naive(q, k));
            }
        }
        // A silent cell, where silence is skipped, is seen by itself alone.
        entries[4].kind = EntryKind::Silent;
        visibleEntries(parallelRows(SpecialEntries::Hidden), entries, 0, 0, seen);
        for (std::size_t q = 0; q < entries.size(); ++q) {
            for (std::size_t k = 0; k < entries.size(); ++k) {
                QCOMPARE(seen[q * entries.size() + k] != 0, k == 4 ? q == 4 : naive(q, k));
            }
        }
    }

    // "inside a block plain causal; across blocks visible iff y_key < y_query" (2.2), with its options.
    void parallelBlocksSeeEarlierPositions()
    {
        std::mt19937 random(7);
        for (int trial = 0; trial < 100; ++trial) {
            std::vector<Entry> entries;
            std::int64_t next[4] = {0, 3, 3, 3};
            for (std::int64_t i = 0; i < 20; ++i) {
                const auto stream = static_cast<std::int32_t>(random() % 4);
                entries.push_back({stream, static_cast<double>(next[stream]++), i, random() % 5 == 0 ? EntryKind::Closing : EntryKind::Token});
            }
            for (const bool same_step : {false, true}) {
                for (const bool closing_hidden : {false, true}) {
                    for (const bool assistants_apart : {false, true}) {
                        Visibility visibility =
                            parallelBlocks(same_step ? SameStep::Visible : SameStep::Hidden, closing_hidden ? SpecialEntries::Hidden : SpecialEntries::Seen);
                        if (assistants_apart) {
                            visibility.sees = {0b1111, 0b1111, 0b0111, 0b1011};
                        }
                        for (std::size_t q = 0; q < entries.size(); ++q) {
                            for (std::size_t k = 0; k < entries.size(); ++k) {
                                const Entry &query = entries[q];
                                const Entry &key = entries[k];
                                bool wanted = key.position < query.position || (same_step && key.position == query.position);
                                if (assistants_apart && key.stream >= 2 && query.stream >= 2) {
                                    wanted = false;
                                }
                                if (closing_hidden && key.kind == EntryKind::Closing) {
                                    wanted = false;
                                }
                                wanted = wanted && key.step <= query.step;  // what comes later is not there yet, wherever it stands
                                if (key.stream == query.stream) {
                                    wanted = k <= q;
                                }
                                QCOMPARE(sees(visibility, entries, q, k), wanted);
                            }
                        }
                    }
                }
            }
        }
    }

    void windowHidesWhatIsFarBehind()
    {
        std::vector<Entry> entries;
        for (int i = 0; i < 6; ++i) {
            entries.push_back({kSource, static_cast<double>(i), i, EntryKind::Token});
        }
        QCOMPARE(maskOf(causal(), entries, 3), (Mask{"100000", "110000", "111000", "011100", "001110", "000111"}));
        std::vector<std::uint8_t> seen;
        QVERIFY(!visibleEntries(causal(), entries, 5, 3, seen));
        QVERIFY(visibleEntries(causal(), entries, 5, 6, seen));
        QVERIFY(visibleEntries(causal(), entries, 5, 0, seen));
        QCOMPARE(seen.size(), std::size_t{6});
    }

    // A window counts steps; the first ones, and what was read before them, may stay.
    void windowOfStepsForgetsButKeepsTheStart()
    {
        Visibility visibility = parallelRows();
        visibility.window_steps = 4;
        visibility.kept_steps = 2;
        const auto at = [](std::int64_t step) { return Entry{0, static_cast<double>(step), step, EntryKind::Token}; };
        const auto seesStep = [&](std::int64_t query, std::int64_t key) { return sees(visibility, std::vector<Entry>{at(key), at(query)}, 1, 0); };
        QVERIFY(seesStep(10, 7) && !seesStep(10, 6));
        QVERIFY(seesStep(10, 1) && !seesStep(10, 2) && seesStep(10, -1));
        QVERIFY(isGone(visibility, at(6), 10) && !isGone(visibility, at(7), 10) && !isGone(visibility, at(1), 10) && !isGone(visibility, at(-1), 10));
        QVERIFY(!isGone(parallelRows(), at(0), 1'000'000));
    }

    void wrongExamplesAreErrors()
    {
        const std::vector<std::int64_t> lengths = {2, 1};
        const auto fails = [](const auto &work) {
            try {
                work();
            } catch (const Error &) {
                return true;
            }
            return false;
        };
        QVERIFY(fails([&] { (void)waitKTokens(groupStreaming(0), lengths, lengths, 0); }));
        QVERIFY(fails([&] { (void)waitKTokens(groupStreaming(0), {}, lengths, 1); }));
        QVERIFY(fails([&] { (void)waitKTokens(groupStreaming(0), lengths, std::vector<std::int64_t>{1, 0}, 1); }));
        QVERIFY(fails([&] { (void)waitKTokens(batchStreaming(Reencoding::All), lengths, lengths, 1); }));
        QVERIFY(fails([] { (void)paradigmNamed("nothing", 0); }));
        QCOMPARE(paradigmNamed("group", 0.5), groupStreaming(0.5));
        QCOMPARE(paradigmNamed("batch-all", 9), batchStreaming(Reencoding::All));
        QCOMPARE(paradigmNamed("no-source-positions", 0), withoutPositions(Removed::Source));
        QCOMPARE(paradigmNamed("no-target-positions", 0), withoutPositions(Removed::Target));
        QCOMPARE(paradigmNamed("no-positions", 0), withoutPositions(Removed::Both));
    }
};

QTEST_GUILESS_MAIN(tst_paradigms)
#include "tst_paradigms.moc"
