// The streaming policy over a scripted causal model: words settle whole and for ever, carry their times and histories, and follow live changes. Over window
// after window: tst_streaming_windows.
#include <QtTest>

#include "tests/core/captions/streaming_talk.h"

using namespace braid;
using namespace braid::captions;
using namespace braid::test;

namespace {

StreamingHearing unsure()
{
    StreamingHearing hearing;
    hearing.unsure_samples = samplesFromMs(400);
    hearing.wrong_probability = 0.3;
    return hearing;
}

}  // namespace

class tst_streaming_policy : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void aStepFindsExactlyOneBlock()
    {
        Talk talk(spoken("ask not what your country can do for you"));
        QCOMPARE(talk.policy->stepSamples(), samplesFromMs(600) + 360);
        talk.hearUntil(samplesFromMs(600) + 360);
        QCOMPARE(talk.policy->stepSamples(), samplesFromMs(300));
        QCOMPARE(talk.updates.back().decoded_until_sample, samplesFromMs(600));
        QCOMPARE(talk.updates.back().encoder->block_ends, std::vector<std::int32_t>{30});
        talk.hearUntil(samplesFromMs(900) + 360);
        QCOMPARE(talk.updates.back().encoder->block_ends, (std::vector<std::int32_t>{30, 45}));
    }

    void soundIsEncodedAgainByOurRuleAloneUnlessAskedFor()
    {
        const auto reencoded = [](StabilityRule rule, std::optional<Sample> asked) {
            auto recognizer = std::make_unique<ScriptedStreamingRecognizer>(Script{});
            ScriptedStreamingRecognizer &heard = *recognizer;
            heard.own_reencode_samples = samplesFromMs(900);
            StreamingOptions options;
            options.stability = rule;
            options.reencode_samples = asked;
            const StreamingPolicy policy(std::move(recognizer), options);
            return heard.chunking().reencode_samples;
        };
        QCOMPARE(reencoded(StabilityRule::Braid, {}), samplesFromMs(900));
        QCOMPARE(reencoded(StabilityRule::Braid, 0), 0);
        for (const StabilityRule published : {StabilityRule::Paper, StabilityRule::ReleasedV1, StabilityRule::ReleasedV2}) {
            QCOMPARE(reencoded(published, {}), 0);
            QCOMPARE(reencoded(published, samplesFromMs(600)), samplesFromMs(600));
        }
    }

    void whatAStepWaitsForIsCountedFromTheNewestStep()
    {
        Talk talk(spoken("ask not what your country can do for you"), {}, {}, 5000);
        const Sample first = samplesFromMs(600) + 360;
        talk.policy->addSound(soundOf(talk.script, 5000, 9000));
        QCOMPARE(talk.policy->stepSamples(), first);
        talk.heard = 9000;
        talk.hearUntil(5000 + first, first - 4000);
        QCOMPARE(talk.updates.size(), std::size_t(1));
        // In the midst of a chunk too, and where it changes there: the next block ends a new chunk after the one before.
        talk.policy->addSound(soundOf(talk.script, talk.heard, talk.heard + 1000));
        QCOMPARE(talk.policy->stepSamples(), samplesFromMs(300));
        talk.policy->adjust({500, 0, -1});
        QCOMPARE(talk.policy->stepSamples(), samplesFromMs(500));
        static_cast<void>(talk.policy->endUtterance());
        QCOMPARE(talk.policy->stepSamples(), first);
    }

    void wordsSettleWholeOnceTheyCannotChange()
    {
        Talk talk(spoken("ask not what your country can do for you"));
        for (Sample until = 0; until < talk.script.back().end_sample + samplesFromMs(300); until += samplesFromMs(300)) {
            talk.hearUntil(until);
            const std::string all = joined(talk.script);
            const std::string said = (talk.listener.text() + " " + talk.listener.tailText());
            QVERIFY2(all.starts_with(said.starts_with(' ') ? said.substr(1) : said.ends_with(' ') ? said.substr(0, said.size() - 1) : said), said.c_str());
            // Two tokens of look-back and the beginning of a word behind: never more than three words wait.
            QVERIFY(talk.listener.tail.size() <= 4);
        }
        talk.end();
        QVERIFY2(lost(talk).isEmpty(), qPrintable(lost(talk)));
        QVERIFY(talk.listener.tail.empty());
    }

    void everyRuleAndBeamHearsEverythingDespiteDoubts_data()
    {
        QTest::addColumn<int>("rule");
        QTest::addColumn<int>("beam");
        for (const auto &[name, rule] : {std::pair{"paper", StabilityRule::Paper},
                                         {"v1", StabilityRule::ReleasedV1},
                                         {"v2", StabilityRule::ReleasedV2},
                                         {"braid", StabilityRule::Braid}}) {
            for (const int beam : {1, 2, 5}) {
                QTest::addRow("%s beam %d", name, beam) << static_cast<int>(rule) << beam;
            }
        }
    }
    void everyRuleAndBeamHearsEverythingDespiteDoubts()
    {
        QFETCH(int, rule);
        QFETCH(int, beam);
        StreamingOptions options;
        options.stability = static_cast<StabilityRule>(rule);
        options.beam_size = beam;
        options.look_back_tokens = 4;
        std::mt19937 random(7);
        for (int round = 0; round < 4; ++round) {
            StreamingHearing hearing = unsure();
            // By the paper a beam keeps a misheard token that stays among its b; the released decoders leave mistakes of their own, and the last token out.
            hearing.wrong_probability = options.stability == StabilityRule::Braid || (options.stability == StabilityRule::Paper && beam == 1) ? 0.3 : 0;
            Talk talk(randomTalk(random, 40, samplesFromMs(300)), hearing, options);
            talk.hearAll();
            const auto wrong = metrics::countWordErrors(metrics::normalisedWords(joined(talk.script)), metrics::normalisedWords(talk.listener.text()));
            QVERIFY2(talk.listener.broken_promise.empty(), talk.listener.broken_promise.c_str());
            const bool is_released = options.stability == StabilityRule::ReleasedV1 || options.stability == StabilityRule::ReleasedV2;
            QVERIFY2(wrong.total() <= (hearing.wrong_probability > 0 ? 4 : is_released && beam > 1 ? 3 : 0), qPrintable(lost(talk)));
            QVERIFY(wrong.deletions == 0 || is_released);
        }
    }

    void theTailShowsRevisionsProbabilitiesAndRivals()
    {
        Talk talk(spoken("ask not what your country can do for you and what we can do together"), unsure());
        talk.keeps_updates = true;
        talk.hearAll();
        bool revised = false;
        for (const text::Word &word : talk.listener.committed) {
            revised = revised || (word.revision_count > 0 && !word.revised_from.empty());
            QVERIFY(word.probability > 0.9f && word.probability <= 1);
            QVERIFY(!word.tokens.empty());
            QVERIFY(word.tokens.front().rivals.size() == 3 && word.tokens.front().rivals.front().probability < 0.01f);
            QVERIFY(word.committed_sample > 0);
        }
        QVERIFY(revised);
        const auto &map = talk.updates[5].attention;
        QVERIFY(map && map->rows > 0 && map->weights.size() == static_cast<std::size_t>(map->rows) * static_cast<std::size_t>(map->columns));
        QCOMPARE(map->row_labels.size(), static_cast<std::size_t>(map->rows));
        QCOMPARE(map->row_starts.size(), static_cast<std::size_t>(map->rows));
    }

    void aWordEndsInTheChunkInWhichItIsFirstSeen()
    {
        // Chunks of 100 ms are taken as they are (attention may only move where a word begins).
        StreamingOptions options;
        options.chunk_samples = samplesFromMs(100);
        Talk talk(spoken("ask not what your country can do", samplesFromMs(700), samplesFromMs(300), 0), {}, options);
        talk.hearAll();
        QCOMPARE(talk.listener.committed.size(), talk.script.size());
        for (std::size_t i = 0; i < talk.script.size(); ++i) {
            const text::Word &word = talk.listener.committed[i];
            QCOMPARE(word.time_method, text::WordTimeMethod::ChunkArrival);
            QVERIFY2(std::abs(word.end_sample - talk.script[i].end_sample) <= samplesFromMs(100),
                     qPrintable(QString::number(msFromSamples(word.end_sample - talk.script[i].end_sample))));
            QVERIFY(std::abs(word.start_sample - talk.script[i].start_sample) <= samplesFromMs(160));
        }
    }

    void byThePapersRuleTheChunkAloneSaysWhen()
    {
        // Chunks of any length, no look at attention or pauses: a word ends where a chunk ends, the next one begins there.
        for (const int chunk_ms : {100, 300}) {
            StreamingOptions options;
            options.chunk_samples = samplesFromMs(chunk_ms);
            options.word_times = WordTimeRule::Paper;
            Talk talk(spoken("ask not   what your  country can", samplesFromMs(700), samplesFromMs(400), 0), {}, options);
            talk.hearAll();
            QCOMPARE(talk.listener.committed.size(), talk.script.size());
            Sample before = 0;
            for (std::size_t i = 0; i < talk.script.size(); ++i) {
                const text::Word &word = talk.listener.committed[i];
                QCOMPARE(word.time_method, text::WordTimeMethod::ChunkArrival);
                QCOMPARE(word.start_sample, before);
                QVERIFY2(word.end_sample % samplesFromMs(chunk_ms) == 0 || i + 1 == talk.script.size(),
                         qPrintable(QString::number(msFromSamples(word.end_sample))));
                QVERIFY(word.end_sample >= talk.script[i].end_sample);
                QVERIFY(word.end_sample <= talk.script[i].end_sample + samplesFromMs(chunk_ms + 200));
                before = word.end_sample;
            }
        }
    }

    void insideLongChunksAttentionSaysWhere()
    {
        for (const int beam : {1, 4}) {
            StreamingOptions options;
            options.chunk_samples = samplesFromMs(1000);
            options.beam_size = beam;
            Talk talk(spoken("ask not what your country can do for you", samplesFromMs(200), samplesFromMs(300), 0), {}, options);
            talk.hearAll();
            QCOMPARE(talk.listener.committed.size(), talk.script.size());
            for (std::size_t i = 0; i < talk.script.size(); ++i) {
                const text::Word &word = talk.listener.committed[i];
                QCOMPARE(word.time_method, text::WordTimeMethod::ChunkAndAttention);  // the first chunk's words too
                const auto apart = std::max(std::abs(word.end_sample - talk.script[i].end_sample), std::abs(word.start_sample - talk.script[i].start_sample));
                QVERIFY2(apart <= samplesFromMs(360), qPrintable(QString("word %1: %2 ms").arg(i).arg(msFromSamples(apart))));
            }
        }
    }

    void noWordReachesIntoAPause()
    {
        Talk talk(spoken("ask not   what your  country can", samplesFromMs(700)));
        talk.hearAll();
        QCOMPARE(talk.listener.committed.size(), talk.script.size());
        for (std::size_t i = 1; i < talk.script.size(); ++i) {
            if (talk.script[i].start_sample - talk.script[i - 1].end_sample > samplesFromMs(300)) {
                QVERIFY(std::abs(talk.listener.committed[i - 1].end_sample - talk.script[i - 1].end_sample) <= samplesFromMs(120));
                QVERIFY(std::abs(talk.listener.committed[i].start_sample - talk.script[i].start_sample) <= samplesFromMs(120));
            }
        }
    }

    void wordsInOrderBehindWhatWasToldAreOutOfPlace_data()
    {
        QTest::addColumn<QList<double>>("attended_s");  // one word each; below 0: to nothing
        QTest::addColumn<int>("in_place");
        QTest::newRow("none") << QList<double>{} << 0;
        QTest::newRow("going on") << QList<double>{20, 20.2, 20.5, 21, 21.5} << 5;
        QTest::newRow("told once more") << QList<double>{20.1, 20.4, 12, 12.3, 12.3, 12.8, 13, 13.5} << 2;
        QTest::newRow("from the first on") << QList<double>{12, 12.3, 12.5, 12.8, 13} << 0;
        QTest::newRow("too few to tell") << QList<double>{20.1, 12, 12.3, 12.6, 12.8, 20.4} << 6;
        QTest::newRow("not so long ago") << QList<double>{18.5, 18.6, 18.8, 19, 19.2} << 5;
        QTest::newRow("here and there") << QList<double>{12, 9, 15, 11, 16, 8, 7, 6} << 8;
        QTest::newRow("where those look that find nothing") << QList<double>{5.1, 5.1, 5.2, 5.2, 5.3, 5.3} << 6;
        QTest::newRow("told once more, with looks at nothing") << QList<double>{12, -1, 12.3, 5.1, 12.5, 12.6, 12.8} << 0;
        QTest::newRow("a long text") << QList<double>{18.5, 12, 18.6, 13, 18.7, 19, 6, 20, 21, 21.3, 21.6, 22, 21.8} << 13;
        QTest::newRow("out of order once") << QList<double>{13, 12, 12.3, 12.5, 12.8, 13.1} << 1;
    }
    void wordsInOrderBehindWhatWasToldAreOutOfPlace()
    {
        QFETCH(QList<double>, attended_s);
        QFETCH(int, in_place);
        const WindowClock clock{samplesFromSeconds(5), 640, {}};
        std::vector<RowToken> tokens;
        std::vector<text::Word> words;
        for (const double at_s : attended_s) {
            auto look = std::make_shared<TokenLook>();
            if (at_s >= 0) {
                look->attention.assign(450, 0.0f);
                look->attention[static_cast<std::size_t>((samplesFromSeconds(at_s) - clock.start_sample) / clock.frame_samples)] = 1;
            }
            tokens.push_back({3, 0, 0, 450, std::move(look)});
            words.emplace_back();
            words.back().tokens.resize(1);
        }
        QCOMPARE(static_cast<int>(inPlaceCount(words, tokens, clock, samplesFromSeconds(20))), in_place);
        // Where most of the newest attend; too few say nothing.
        const Sample told_until = toldUntil(tokens, clock);
        QCOMPARE(told_until == clock.start_sample, tokens.size() < 9);
    }

    void chunkBeamAndLookBackChangeLive()
    {
        std::mt19937 random(3);
        Talk talk(randomTalk(random, 60, samplesFromMs(300)), unsure());
        const std::vector<PolicySettings> changes = {{100, 0, -1}, {0, 5, -1}, {0, 0, 4}, {1000, 1, 1}, {0, 3, -1}, {330, 0, -1}, {0, 1, 2}};
        for (std::size_t i = 0; i < changes.size(); ++i) {
            talk.hearUntil(samplesFromSeconds(2.0 * static_cast<double>(i + 1)));
            talk.policy->adjust(changes[i]);
            if (changes[i].step_ms == 100) {
                QVERIFY(talk.policy->stepSamples() <= samplesFromMs(320));
            }
        }
        talk.hearAll();
        const auto wrong = metrics::countWordErrors(metrics::normalisedWords(joined(talk.script)), metrics::normalisedWords(talk.listener.text()));
        QVERIFY2(talk.listener.broken_promise.empty() && wrong.deletions == 0 && wrong.total() <= 6, qPrintable(lost(talk)));
    }

    void aChangeOfAlgorithmMovesNoWord_data()
    {
        QTest::addColumn<int>("beam");
        QTest::addColumn<int>("other");
        QTest::newRow("greedy, then a beam") << 1 << 4;
        QTest::newRow("a beam, then greedy") << 4 << 1;
    }
    void aChangeOfAlgorithmMovesNoWord()
    {
        QFETCH(int, beam);
        QFETCH(int, other);
        StreamingOptions options;
        options.beam_size = beam;
        const Script script = spoken("ask not what your country can do for you", samplesFromMs(200), samplesFromMs(300), 0);
        Talk changed(script, {}, options), steady(script, {}, options);
        for (Talk *talk : {&changed, &steady}) {
            talk->keeps_updates = true;
            talk->hearUntil(samplesFromMs(1500) + 360);
        }
        const std::vector<text::Word> before = changed.updates.back().tail;
        QVERIFY(before.size() >= 2);
        changed.policy->adjust({0, other, -1});
        for (Talk *talk : {&changed, &steady}) {
            talk->hearAll();
        }
        const auto same = [](const text::Word &a, const text::Word &b) {
            return a.text == b.text && a.start_sample == b.start_sample && a.end_sample == b.end_sample && a.time_method == b.time_method &&
                   a.first_seen_sample == b.first_seen_sample && a.revision_count == b.revision_count;
        };
        // Neither at the next step nor in the end: words, their times, and when they were first seen.
        std::vector<text::Word> shown = changed.listener.committed;
        for (const text::Word &word : before) {
            QVERIFY2(std::any_of(shown.begin(), shown.end(), [&](const text::Word &now) { return same(word, now); }), word.text.c_str());
        }
        QCOMPARE(shown.size(), steady.listener.committed.size());
        for (std::size_t i = 0; i < shown.size(); ++i) {
            QVERIFY2(same(shown[i], steady.listener.committed[i]), shown[i].text.c_str());
        }
    }

    void everyWordHasATimeOfItsOwn_data()
    {
        QTest::addColumn<int>("chunk_ms");
        QTest::addColumn<int>("beam");
        for (const int chunk_ms : {100, 300, 1000}) {
            for (const int beam : {1, 5}) {
                QTest::addRow("%d ms, beam %d", chunk_ms, beam) << chunk_ms << beam;
            }
        }
    }
    void everyWordHasATimeOfItsOwn()
    {
        // Words that are said twice running, too, and those that come several at once.
        QFETCH(int, chunk_ms);
        QFETCH(int, beam);
        std::mt19937 random(29);
        StreamingHearing hearing;
        hearing.frame_samples = 640;
        hearing.maximum_samples = samplesFromSeconds(15);
        StreamingOptions options;
        options.beam_size = beam;
        options.chunk_samples = samplesFromMs(chunk_ms);
        Talk talk(restlessTalk(random, samplesFromSeconds(90)), hearing, options);
        talk.hearAll();
        QVERIFY2(lost(talk).isEmpty(), qPrintable(lost(talk)));
        Sample before = 0;
        for (std::size_t i = 0; i < talk.script.size(); ++i) {
            const text::Word &word = talk.listener.committed[i];
            QVERIFY(word.start_sample >= before);
            QVERIFY2(word.end_sample - word.start_sample >= samplesFromMs(60), qPrintable(QString::number(i) + " " + QString::fromStdString(word.text)));
            const auto apart = std::abs((word.start_sample + word.end_sample) / 2 - (talk.script[i].start_sample + talk.script[i].end_sample) / 2);
            QVERIFY2(apart <= samplesFromMs(300), qPrintable(QString("word %1: %2 ms").arg(i).arg(msFromSamples(apart))));
            before = word.end_sample;
        }
    }

    void veryShortAndSilentUtterancesSayNothing()
    {
        for (const Sample length : {Sample{0}, Sample{1}, Sample{500}, samplesFromMs(100), samplesFromSeconds(5)}) {
            Talk talk(spoken("word", samplesFromSeconds(100)));
            talk.hearUntil(length);
            talk.end();
            QVERIFY(talk.listener.committed.empty() && talk.listener.broken_promise.empty());
        }
        // One after the other, the words of one are not in the next.
        Talk talk(spoken("ask not what"));
        talk.hearAll();
        QCOMPARE(talk.listener.committed.size(), std::size_t{3});
        talk.policy->beginUtterance(samplesFromSeconds(50));
        talk.policy->addSound(std::vector<float>(48000, 0.0f));
        QVERIFY(talk.policy->step().committed.empty());
        QVERIFY(talk.policy->endUtterance().committed.empty());
    }
};

QTEST_APPLESS_MAIN(tst_streaming_policy)
#include "tst_streaming_policy.moc"
