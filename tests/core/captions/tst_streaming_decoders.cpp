// The streaming decoders against slow and obvious references (reference_decoders.h): the same tokens after every chunk, for the paper and for
// both released versions, over hundreds of random talks with doubts, ties, early ends and empty stretches. And what is our own: nothing
// settled is taken back, no empty talk is forced to speak, loops end, work stays flat.
#include <QtTest>
#include <set>

#include "core/captions/streaming_beam.h"
#include "core/captions/streaming_greedy.h"
#include "tests/core/captions/function_recognizer.h"
#include "tests/core/captions/random_talks.h"

using namespace braid;
using namespace braid::captions;
using namespace braid::test;

namespace {

DecodeLimits limitsOf(const ReferenceSettings &settings)
{
    DecodeLimits limits;
    limits.most_calls = settings.most_calls;
    limits.most_tokens = settings.most_tokens;
    return limits;
}

StreamingDecoderOptions optionsOf(const ReferenceSettings &settings)
{
    StreamingDecoderOptions options;
    options.look_back_tokens = settings.look_back;
    options.beam_size = settings.beam;
    options.stability = settings.rule;
    return options;
}

void addRules()
{
    QTest::addColumn<StabilityRule>("rule");
    QTest::newRow("paper") << StabilityRule::Paper;
    QTest::newRow("released v1") << StabilityRule::ReleasedV1;
    QTest::newRow("released v2") << StabilityRule::ReleasedV2;
}

}  // namespace

Q_DECLARE_METATYPE(braid::captions::StabilityRule)

class TestStreamingDecoders : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void greedyEqualsTheReferenceAfterEveryChunk_data() { addRules(); }
    void greedyEqualsTheReferenceAfterEveryChunk()
    {
        QFETCH(StabilityRule, rule);
        int shrunk = 0, into_prompt = 0;
        for (unsigned number = 1; number <= 400; ++number) {
            const RandomTalk test(number, rule, 1);
            ReferenceGreedy reference(test.model, test.settings);
            FunctionRecognizer recognizer(test.model, test.settings);
            StreamingGreedy greedy(optionsOf(test.settings));
            greedy.begin(test.settings.prompt, {});
            std::size_t length = test.settings.prompt.size();
            for (const std::int64_t frames : test.frames) {
                recognizer.setFrames(frames);
                static_cast<void>(greedy.decode(recognizer, limitsOf(test.settings)));
                const Tokens &expected = reference.chunk(frames);
                const Tokens found = withPrompt({}, greedy.row());
                QVERIFY2(found == expected,
                         qPrintable(QString("case %1 at %2 frames:\nexpected %3\nfound    %4").arg(number).arg(frames).arg(shown(expected), shown(found))));
                shrunk += expected.size() < length ? 1 : 0;
                into_prompt += expected.size() < test.settings.prompt.size() ? 1 : 0;
                length = expected.size();
            }
        }
        QVERIFY(shrunk > 20);  // the cases exercise what they are meant to
        QCOMPARE(into_prompt > 0, rule != StabilityRule::Paper);
    }

    void beamEqualsTheReferenceAfterEveryChunk_data() { addRules(); }
    void beamEqualsTheReferenceAfterEveryChunk()
    {
        QFETCH(StabilityRule, rule);
        int ragged = 0;
        for (unsigned number = 1; number <= 300; ++number) {
            const RandomTalk test(number, rule, 1 + static_cast<int>(number % 6));
            ReferenceBeam reference(test.model, test.settings);
            FunctionRecognizer recognizer(test.model, test.settings);
            StreamingBeam beam(optionsOf(test.settings));
            beam.begin(test.settings.prompt, {});
            for (const std::int64_t frames : test.frames) {
                recognizer.setFrames(frames);
                static_cast<void>(beam.decode(recognizer, limitsOf(test.settings)));
                const Tokens expected = reference.chunk(frames);
                const Tokens found = withPrompt(test.settings.prompt, beam.text());
                QVERIFY2(found == expected,
                         qPrintable(QString("case %1 at %2 frames:\nexpected %3\nfound    %4").arg(number).arg(frames).arg(shown(expected), shown(found))));
                std::set<std::size_t> lengths;
                for (const Tokens &row : beam.rows()) {
                    lengths.insert(row.size());
                }
                ragged += lengths.size() > 1 ? 1 : 0;
            }
        }
        QVERIFY(ragged > 100);
    }

    void thePreviousHypothesisIsVerifiedInOneCall()
    {
        const RandomTalk test(2, StabilityRule::Braid, 4);
        for (const int beam_size : {1, 4}) {
            FunctionRecognizer recognizer(test.model, test.settings);
            StreamingDecoderOptions options = optionsOf(test.settings);
            options.beam_size = beam_size;
            const auto decoder = makeStreamingDecoder(options);
            decoder->begin(test.settings.prompt, {});
            for (const std::int64_t frames : test.frames) {
                const std::size_t length = decoder->text().size();
                const int before = recognizer.decoderPasses();
                recognizer.setFrames(frames);
                static_cast<void>(decoder->decode(recognizer, {}));
                const auto look_back = static_cast<std::size_t>(options.look_back_tokens);
                const auto new_tokens = decoder->text().size() + look_back + 2 - std::min(length, decoder->text().size());
                QVERIFY(recognizer.decoderPasses() - before <= static_cast<int>(new_tokens) + (beam_size > 1 ? 28 : 0));
            }
        }
        // Nothing new: one call.
        const LogitsFunction silent = [](const Tokens &row, std::int64_t) {
            std::vector<float> logits(12, 0.0f);
            logits[row.size() < 10 ? row.size() : static_cast<std::size_t>(RandomTalk::kEnd)] = 9;
            return logits;
        };
        ReferenceSettings settings;
        settings.prompt = {1};
        FunctionRecognizer recognizer(silent, settings);
        for (const int beam_size : {1, 5}) {
            StreamingDecoderOptions options;
            options.beam_size = beam_size;
            const auto decoder = makeStreamingDecoder(options);
            decoder->begin(settings.prompt, {});
            recognizer.setFrames(30);
            QCOMPARE(decoder->decode(recognizer, {}), ChunkEnd::EndToken);
            QCOMPARE(decoder->text().size(), std::size_t{9});
            const int before = recognizer.decoderPasses();
            recognizer.setFrames(45);
            QCOMPARE(decoder->decode(recognizer, {}), ChunkEnd::EndToken);
            QCOMPARE(recognizer.decoderPasses() - before, 1);
        }
    }

    void whatHasSettledIsNeverTakenBack()
    {
        for (const StabilityRule rule : {StabilityRule::Paper, StabilityRule::ReleasedV1, StabilityRule::ReleasedV2, StabilityRule::Braid}) {
            for (unsigned number = 1; number <= 120; ++number) {
                const RandomTalk test(number, rule, 1 + static_cast<int>(number % 4));
                FunctionRecognizer recognizer(test.model, test.settings);
                const auto decoder = makeStreamingDecoder(optionsOf(test.settings));
                decoder->begin(test.settings.prompt, {});
                Tokens settled;
                for (const std::int64_t frames : test.frames) {
                    recognizer.setFrames(frames);
                    static_cast<void>(decoder->decode(recognizer, limitsOf(test.settings)));
                    const Tokens text = withPrompt({}, decoder->text());
                    QVERIFY2(text.size() >= settled.size() && std::equal(settled.begin(), settled.end(), text.begin()), qPrintable(QString::number(number)));
                    QVERIFY(decoder->firmTokens() <= text.size() && decoder->firmTokens() >= settled.size());
                    // Now and then more than is firm, as a policy does that has waited long enough.
                    const std::size_t count = std::min(text.size(), decoder->firmTokens() + (frames % 4 == 0 ? 1 : 0));
                    decoder->settle(count);
                    settled.assign(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(count));
                }
            }
        }
    }

    void firmTokensStandWhateverComes()
    {
        // Before anything is settled by force: what firmTokens() promises, the next chunk keeps, for ours.
        for (unsigned number = 1; number <= 200; ++number) {
            const RandomTalk test(number, StabilityRule::Braid, 1 + static_cast<int>(number % 5));
            FunctionRecognizer recognizer(test.model, test.settings);
            const auto decoder = makeStreamingDecoder(optionsOf(test.settings));
            decoder->begin(test.settings.prompt, {});
            Tokens firm;
            for (const std::int64_t frames : test.frames) {
                recognizer.setFrames(frames);
                static_cast<void>(decoder->decode(recognizer, limitsOf(test.settings)));
                const Tokens text = withPrompt({}, decoder->text());
                QVERIFY2(text.size() >= firm.size() && std::equal(firm.begin(), firm.end(), text.begin()), qPrintable(QString::number(number)));
                firm.assign(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(decoder->firmTokens()));
                if (test.settings.beam == 1) {
                    decoder->settle(firm.size());
                }
            }
        }
    }

    void ourRuleNeedSayNothing()
    {
        const LogitsFunction silent = [](const Tokens &, std::int64_t) { return std::vector<float>{5, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}; };
        ReferenceSettings settings;
        settings.prompt = {8, 9, 10, 11};
        settings.blank_tokens = {RandomTalk::kBlank};
        FunctionRecognizer recognizer(silent, settings);
        for (const auto &[rule, tokens] :
             {std::pair{StabilityRule::Braid, 0}, {StabilityRule::Paper, 0}, {StabilityRule::ReleasedV1, 1}, {StabilityRule::ReleasedV2, 1}}) {
            for (const int beam_size : {1, 3}) {
                StreamingDecoderOptions options;
                options.stability = rule;
                options.beam_size = beam_size;
                const auto decoder = makeStreamingDecoder(options);
                decoder->begin(settings.prompt, {});
                for (std::int64_t frames = 30; frames < 150; frames += 15) {
                    recognizer.setFrames(frames);
                    static_cast<void>(decoder->decode(recognizer, {}));
                }
                QVERIFY(tokens == 0 ? decoder->text().empty() : !decoder->text().empty());
            }
        }
    }

    void aLoopEndsAndLaterWordsAreStillHeard()
    {
        // From 40 frames on the model says "3 4 3 4 ..." for ever; when 100 are heard it comes to itself and says 5, 6.
        const LogitsFunction looping = [](const Tokens &row, std::int64_t frames) {
            std::vector<float> logits(12, 0.0f);
            std::int32_t next = row.back() == 3 ? 4 : 3;
            if (frames >= 100) {
                next = row.back() == 5 ? 6 : row.back() == 6 ? RandomTalk::kEnd : 5;
            }
            logits[static_cast<std::size_t>(next)] = 9;
            return logits;
        };
        ReferenceSettings settings;
        settings.prompt = {8};
        for (const int beam_size : {1, 3}) {
            FunctionRecognizer recognizer(looping, settings);
            StreamingDecoderOptions options;
            options.beam_size = beam_size;
            const auto decoder = makeStreamingDecoder(options);
            decoder->begin(settings.prompt, {});
            recognizer.setFrames(40);
            QCOMPARE(decoder->decode(recognizer, {}), ChunkEnd::Limit);
            QCOMPARE(withPrompt({}, decoder->text()), (Tokens{3, 4, 3, 4}));
            recognizer.setFrames(100);
            QCOMPARE(decoder->decode(recognizer, {}), ChunkEnd::EndToken);
            const Tokens text = withPrompt({}, decoder->text());
            QVERIFY2(text.size() >= 2 && text[text.size() - 2] == 5 && text.back() == 6, qPrintable(shown(text)));
        }
    }

    void aTokenSaidAgainInItsPlaceKeepsTheTimeItWasFirstSeen()
    {
        // At 45 frames the second token turns from 4 to 5; the third stays 6.
        const LogitsFunction revising = [](const Tokens &row, std::int64_t frames) {
            std::vector<float> logits(12, 0.0f);
            const std::vector<std::int32_t> said = {3, frames < 45 ? 4 : 5, 6, RandomTalk::kEnd};
            logits[static_cast<std::size_t>(said[std::min<std::size_t>(row.size() - 1, 3)])] = 9;
            return logits;
        };
        ReferenceSettings settings;
        settings.prompt = {8};
        for (const int beam_size : {1, 3}) {
            FunctionRecognizer recognizer(revising, settings);
            StreamingDecoderOptions options;
            options.beam_size = beam_size;
            const auto decoder = makeStreamingDecoder(options);
            decoder->begin(settings.prompt, {});
            recognizer.setFrames(30);
            static_cast<void>(decoder->decode(recognizer, {}));
            recognizer.setFrames(45);
            static_cast<void>(decoder->decode(recognizer, {}));
            QCOMPARE(withPrompt({}, decoder->text()), (Tokens{3, 5, 6}));
            QCOMPARE(decoder->text()[0].seen_frames, 30);
            QCOMPARE(decoder->text()[1].seen_frames, 45);
            QCOMPARE(decoder->text()[2].seen_frames, 30);
        }
    }

    void workForAChunkDoesNotGrowWithTheTranscript()
    {
        // One new token with every chunk, for ever.
        const LogitsFunction talking = [](const Tokens &row, std::int64_t frames) {
            std::vector<float> logits(12, 0.0f);
            logits[static_cast<std::size_t>(static_cast<std::int64_t>(row.size()) <= frames / 15 ? 2 + row.size() % 7 : RandomTalk::kEnd)] = 9;
            return logits;
        };
        ReferenceSettings settings;
        settings.prompt = {8};
        for (const int beam_size : {1, 3}) {
            FunctionRecognizer recognizer(talking, settings);
            StreamingDecoderOptions options;
            options.beam_size = beam_size;
            const auto decoder = makeStreamingDecoder(options);
            decoder->begin(settings.prompt, {});
            std::int64_t most = 0;
            for (std::int64_t frames = 15; frames <= 1500; frames += 15) {
                const std::int64_t before = recognizer.positions();
                recognizer.setFrames(frames);
                static_cast<void>(decoder->decode(recognizer, {}));
                most = std::max(most, recognizer.positions() - before);
            }
            QCOMPARE(decoder->text().size(), std::size_t{100});
            QVERIFY2(most <= 16 * beam_size, qPrintable(QString::number(most)));
        }
    }
};

QTEST_APPLESS_MAIN(TestStreamingDecoders)
#include "tst_streaming_decoders.moc"
