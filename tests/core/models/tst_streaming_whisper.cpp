// The recogniser over a causal streaming Whisper: rows scored fast are rows scored slowly, what was computed is reused, and its state, its limits
// and its adapters are what they are said to be. Small hashed weights, every dimension different, against tests/support/slow_whisper.h.
#include <QtTest>

#include <cmath>
#include <fstream>
#include <map>
#include <random>

#include "core/models/whisper/whisper_streaming_recognizer.h"
#include "tests/core/models/uneven_feeding.h"
#include "tests/support/error_sentence.h"
#include "tests/support/slow_whisper.h"
#include "tests/support/streaming_whisper.h"

using namespace braid;
using namespace braid::models;
using namespace braid::test;
using captions::BlankRule;
using captions::Chunking;
using captions::TokenCache;
using whisper::WhisperStreamingRecognizer;

class tst_streaming_whisper : public QObject {
    Q_OBJECT

    void compareScores(WhisperStreamingRecognizer &recognizer, const SlowWhisper &slow, const at::Tensor &encoded,
                       const std::vector<std::vector<std::int32_t>> &rows, const std::vector<std::size_t> &first, AttentionWanted attention) const;

  private Q_SLOTS:
    void noSoundIsDroppedAtTheEnd();
    void scoresAreThoseOfSlowWhisper_data();
    void scoresAreThoseOfSlowWhisper();
    void whatIsEncodedAgainSeesWhatFollowedIt_data() { scoresAreThoseOfSlowWhisper_data(); }
    void whatIsEncodedAgainSeesWhatFollowedIt();
    void whatWasComputedIsReused();
    void cachedTokensAreAnApproximationAcrossChunksOnly();
    void aSecondUtteranceKnowsNothingOfTheFirst();
    void adaptersAreOnOnlyInsideTheStream();
    void filtersAreApplied();
    void limitsAreSaid();
    void theStateIsDescribed();
};

void tst_streaming_whisper::noSoundIsDroppedAtTheEnd()
{
    for (const int stride : {1, 2, 4}) {
        for (const std::size_t samples : {1u, 300u, 6400u, 6401u, 20000u, 21119u}) {
            WhisperStreamingRecognizer recognizer(streamingModel(stride), {});
            recognizer.begin(chunkingOf(stride, 400, 300), 0);
            feed(recognizer, test::hashedSound(samples));
            recognizer.encodeRest();
            const auto frame = static_cast<std::size_t>(recognizer.frameSamples());
            QCOMPARE(recognizer.frames(), static_cast<std::int64_t>((samples + frame - 1) / frame));
        }
    }
}

void tst_streaming_whisper::compareScores(WhisperStreamingRecognizer &recognizer, const test::SlowWhisper &slow, const at::Tensor &encoded,
                                          const std::vector<std::vector<std::int32_t>> &rows, const std::vector<std::size_t> &first,
                                          AttentionWanted attention) const
{
    captions::ScoreRequest request;
    request.rows = rows;
    request.first_positions = first;
    request.best = 4;
    request.attention = attention;
    const std::vector<captions::RowScores> scored = recognizer.score(request);
    QCOMPARE(scored.size(), rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row) {
        std::map<std::pair<int, int>, at::Tensor> products;
        at::Tensor logits = slow.logits(rows[row], encoded, &products);
        for (const std::int64_t never : {257, 258, 259}) {
            logits.select(1, never).fill_(-INFINITY);
        }
        const at::Tensor log_probabilities = at::log_softmax(logits, -1);
        const at::Tensor heads = (at::softmax(products[{1, 0}], -1) + at::softmax(products[{2, 1}], -1)) / 2;
        QCOMPARE(scored[row].first_position, first[row]);
        QCOMPARE(scored[row].next.size(), rows[row].size() - first[row]);
        QCOMPARE(scored[row].attention.size(), attention == AttentionWanted::Yes ? scored[row].next.size() * static_cast<std::size_t>(encoded.size(0)) : 0);
        for (std::size_t i = 0; i < scored[row].next.size(); ++i) {
            const auto position = static_cast<std::int64_t>(first[row] + i);
            const captions::NextScores &next = scored[row].next[i];
            const auto compare = [&](const captions::TokenScore &score) {
                const float logit = logits[position][score.id].item<float>();
                if (std::isinf(logit)) {
                    QCOMPARE(score.logit, logit);
                    QCOMPARE(score.log_probability, logit);
                    return;
                }
                QVERIFY2(std::abs(score.logit - logit) < kScoreNear, qPrintable(QString("%1 instead of %2").arg(score.logit).arg(logit)));
                QVERIFY(std::abs(score.log_probability - log_probabilities[position][score.id].item<float>()) < kScoreNear);
            };
            QCOMPARE(next.best.size(), 4u);
            const at::Tensor order = std::get<1>(at::topk(logits[position], 4));
            for (std::int64_t k = 0; k < 4; ++k) {
                QCOMPARE(next.best[static_cast<std::size_t>(k)].id, order[k].item<int>());
                compare(next.best[static_cast<std::size_t>(k)]);
            }
            if (position + 1 < static_cast<std::int64_t>(rows[row].size())) {
                QCOMPARE(next.actual.id, rows[row][static_cast<std::size_t>(position + 1)]);
                compare(next.actual);
            } else {
                QCOMPARE(next.actual.id, -1);
            }
            if (attention == AttentionWanted::Yes) {
                const at::Tensor weights = at::tensor(std::vector<float>(scored[row].attention.begin() + static_cast<std::ptrdiff_t>(i) * encoded.size(0),
                                                                         scored[row].attention.begin() + static_cast<std::ptrdiff_t>(i + 1) * encoded.size(0)),
                                                      at::kFloat);
                QVERIFY(distance(weights, heads[position]) < kNear);
            }
        }
    }
}

void tst_streaming_whisper::scoresAreThoseOfSlowWhisper_data()
{
    QTest::addColumn<int>("stride");
    QTest::addColumn<int>("chunk_ms");
    for (const int stride : {1, 2, 4}) {
        for (const int chunk_ms : {100, 300, 250}) {
            QTest::addRow("stride %d, %d ms", stride, chunk_ms) << stride << chunk_ms;
        }
    }
}

void tst_streaming_whisper::scoresAreThoseOfSlowWhisper()
{
    QFETCH(const int, stride);
    QFETCH(const int, chunk_ms);
    const c10::InferenceMode inference;
    const auto checkpoint = streamingWeights(stride).take();
    const test::SlowWhisper slow(checkpoint, test::Adapters::On);
    const auto model = streamingModel(stride);
    WhisperStreamingRecognizer recognizer(model, {});
    const Chunking chunking = chunkingOf(stride, 400, chunk_ms);
    recognizer.begin(chunking, 16000);
    const std::vector<std::int32_t> prompt = recognizer.prompt("");
    QCOMPARE(prompt, (std::vector<std::int32_t>{257, 258}));

    const std::vector<float> sound = test::hashedSound(40000);
    const at::Tensor mel = whisper::melTensor(whisper::melOfWhole(model->logMel(), chunking, stridesOf(stride), sound).mel);
    std::mt19937 random(7);
    std::vector<std::vector<std::int32_t>> rows(4, prompt);
    recognizer.addSound(sound);
    int blocks = 0;
    for (; recognizer.blocksReady() > 0 && recognizer.frames() < recognizer.maximumFrames(); ++blocks) {
        recognizer.encodeBlock();
        const at::Tensor encoded = slow.encode(mel, test::SlowWhisper::maskOf(chunking, recognizer.frames()));
        // What decoders do: look at whole ragged rows, then at rows that grew, were cut and copied from each other.
        for (int step = 0; step < 3; ++step) {
            std::vector<std::size_t> first;
            for (std::vector<std::int32_t> &row : rows) {
                first.push_back(step == 0 ? random() % row.size() : row.size() - 1);
            }
            compareScores(recognizer, slow, encoded, rows, first, step == 1 ? AttentionWanted::Yes : AttentionWanted::No);
            for (std::vector<std::int32_t> &row : rows) {
                const unsigned what = random() % 8;
                if (what == 0 && row.size() > prompt.size()) {
                    row.resize(prompt.size() + random() % (row.size() - prompt.size()));
                } else if (what == 1) {
                    row = rows[random() % rows.size()];
                } else if (row.size() < 30) {
                    row.push_back(static_cast<std::int32_t>(random() % 6));
                }
            }
        }
    }
    QVERIFY(blocks > 4);
    QVERIFY(recognizer.decoderPasses() <= 3 * blocks);
}

void tst_streaming_whisper::whatIsEncodedAgainSeesWhatFollowedIt()
{
    // Every pass encodes the newest frames as rows of their own: they see each other, and of the frames before them the row of the pass that had them last.
    QFETCH(const int, stride);
    QFETCH(const int, chunk_ms);
    const c10::InferenceMode inference;
    const auto checkpoint = streamingWeights(stride).take();
    const test::SlowWhisper slow(checkpoint, test::Adapters::On);
    const auto model = streamingModel(stride);
    for (const int reencode_ms : {200, 450, 600, 5000}) {
        WhisperStreamingRecognizer recognizer(model, {});
        Chunking chunking = chunkingOf(stride, 400, chunk_ms);
        chunking.reencode_samples = samplesFromMs(reencode_ms);
        recognizer.begin(chunking, 0);
        const std::vector<float> sound = test::hashedSound(33000);
        const at::Tensor mel = whisper::melTensor(whisper::melOfWhole(model->logMel(), chunking, stridesOf(stride), sound).mel);
        recognizer.addSound(sound);
        const std::vector<std::vector<std::int32_t>> rows = {{257, 258, 7, 8, 9}};
        std::vector<std::int64_t> frame_of_row;
        std::vector<std::vector<std::int64_t>> seen_by_row;
        std::vector<std::int64_t> newest_row;  // of every frame
        for (std::int64_t block = 0; recognizer.blocksReady() > 0 && recognizer.frames() < recognizer.maximumFrames(); ++block) {
            recognizer.encodeBlock();
            const std::int64_t end = chunking.blockEnd(block);
            QCOMPARE(recognizer.frames(), end);
            const auto begin =
                std::min(static_cast<std::int64_t>(newest_row.size()), std::max<std::int64_t>(0, end - chunking.reencode_samples / chunking.frame_samples));
            newest_row.resize(static_cast<std::size_t>(begin));
            for (std::int64_t frame = begin; frame < end; ++frame) {
                newest_row.push_back(static_cast<std::int64_t>(frame_of_row.size()));
                frame_of_row.push_back(frame);
            }
            seen_by_row.resize(frame_of_row.size(), newest_row);
            const auto count = static_cast<std::int64_t>(frame_of_row.size());
            at::Tensor mask = at::full({count, count}, -INFINITY);
            for (std::int64_t row = 0; row < count; ++row) {
                mask[row].index_fill_(0, at::tensor(seen_by_row[static_cast<std::size_t>(row)]), 0);
            }
            const at::Tensor encoded = slow.encode(mel, mask, at::tensor(frame_of_row)).index_select(0, at::tensor(newest_row));
            compareScores(recognizer, slow, encoded, rows, {1}, AttentionWanted::Yes);
            QCOMPARE(recognizer.encoderState().block_ends.back(), static_cast<std::int32_t>(end));
        }
        QVERIFY(newest_row.size() > 20);
        // Where a chunk is longer than what is encoded again, every frame is encoded once.
        QCOMPARE(frame_of_row.size() == newest_row.size(), chunking.reencode_samples <= chunking.chunk_samples);
    }
}

void tst_streaming_whisper::whatWasComputedIsReused()
{
    WhisperStreamingRecognizer recognizer(streamingModel(2), {});
    recognizer.begin(chunkingOf(2, 400, 300), 0);
    feed(recognizer, test::hashedSound(8000));
    const auto score = [&](std::vector<std::vector<std::int32_t>> rows, AttentionWanted attention = AttentionWanted::No) {
        captions::ScoreRequest request;
        request.rows = rows;
        request.first_positions.assign(rows.size(), 0);
        request.attention = attention;
        return recognizer.score(request);
    };
    const auto first = score({{257, 258, 1, 2}, {257, 258, 1, 3, 4}});
    QCOMPARE(recognizer.decoderPasses(), 1);
    const auto again = score({{257, 258, 1, 2}, {257, 258}});
    QCOMPARE(recognizer.decoderPasses(), 1);
    QCOMPARE(again[0].next[2].best[0].log_probability, first[0].next[2].best[0].log_probability);
    static_cast<void>(score({{257, 258, 1, 2, 5}}));
    QCOMPARE(recognizer.decoderPasses(), 2);
    // Attention was not kept: it costs a pass once.
    static_cast<void>(score({{257, 258, 1, 2, 5}}, AttentionWanted::Yes));
    QCOMPARE(recognizer.decoderPasses(), 3);
    static_cast<void>(score({{257, 258, 1, 2, 5}}, AttentionWanted::Yes));
    QCOMPARE(recognizer.decoderPasses(), 3);
}

void tst_streaming_whisper::cachedTokensAreAnApproximationAcrossChunksOnly()
{
    const c10::InferenceMode inference;
    const auto model = streamingModel(2);
    const std::vector<float> sound = test::hashedSound(30000);
    const std::vector<std::vector<std::int32_t>> rows = {{257, 258, 7, 8, 9, 10, 11}, {257, 258, 7, 8, 12}};
    // The probabilities of the newest position of both rows after every block.
    const auto run = [&](TokenCache caching) {
        CaptionOptions options;
        options.token_cache = caching;
        WhisperStreamingRecognizer recognizer(model, options);
        recognizer.begin(chunkingOf(2, 400, 300), 0);
        recognizer.addSound(sound);
        std::vector<std::vector<float>> heard;
        while (recognizer.blocksReady() > 0) {
            recognizer.encodeBlock();
            captions::ScoreRequest request;
            request.rows = rows;
            request.first_positions = {6, 4};
            request.best = 3;
            heard.emplace_back();
            for (const captions::RowScores &row : recognizer.score(request)) {
                for (const captions::TokenScore &score : row.next.front().best) {
                    heard.back().push_back(score.log_probability);
                }
            }
        }
        return heard;
    };
    const auto exact = run(TokenCache::WithinChunk);
    const auto approximate = run(TokenCache::AcrossChunks);
    QCOMPARE(exact.size(), approximate.size());
    QVERIFY(exact.size() > 3);
    QCOMPARE(approximate.front(), exact.front());  // nothing is old yet
    float furthest = 0;
    for (std::size_t i = 0; i < exact.back().size(); ++i) {
        furthest = std::max(furthest, std::abs(exact.back()[i] - approximate.back()[i]));
    }
    QVERIFY(furthest > 1e-3f);
    // It still hears the new sound: its numbers move from block to block.
    QVERIFY(approximate.back() != approximate[approximate.size() - 2]);
}

void tst_streaming_whisper::aSecondUtteranceKnowsNothingOfTheFirst()
{
    const auto model = streamingModel(2);
    const std::vector<float> sound = test::hashedSound(20000);
    const auto scoresOf = [&](WhisperStreamingRecognizer &recognizer) {
        recognizer.begin(chunkingOf(2, 400, 300), 0);
        feed(recognizer, sound);
        const std::vector<std::vector<std::int32_t>> rows = {{257, 258, 3, 4}};
        captions::ScoreRequest request;
        request.rows = rows;
        request.first_positions = {0};
        return recognizer.score(request)[0].next.back().best[0];
    };
    WhisperStreamingRecognizer fresh(model, {});
    const auto expected = scoresOf(fresh);
    for (const TokenCache caching : {TokenCache::WithinChunk, TokenCache::AcrossChunks}) {
        CaptionOptions options;
        options.token_cache = caching;
        WhisperStreamingRecognizer used(model, options);
        used.begin(chunkingOf(2, 700, 120), 5000);
        feed(used, test::hashedNumbers("other", 30000));
        static_cast<void>(scoresOf(used));
        const auto again = scoresOf(used);
        QCOMPARE(again.id, expected.id);
        QCOMPARE(again.log_probability, expected.log_probability);
    }
}

void tst_streaming_whisper::adaptersAreOnOnlyInsideTheStream()
{
    const c10::InferenceMode inference;
    const auto model = streamingModel(2);
    auto base_checkpoint = streamingWeights(2).take();
    const test::SlowWhisper offline(base_checkpoint, test::Adapters::Off);
    const at::Tensor mel = whisper::melTensor(model->logMel().compute(test::hashedSound(20000)));
    const std::vector<std::int32_t> tokens = {257, 258, 7, 8, 9};
    const auto logits = [&] {
        const whisper::SoundCache sound = model->listen(mel);
        nn::SelfCache cache = model->decoder().emptyCache(1);
        return model->decoder().logits(model->decoder().run(sound, cache, tokens)).squeeze(0);
    };
    const std::int64_t frames = (mel.size(1) + 3) / 4;
    const at::Tensor expected = offline.logits(tokens, offline.encode(mel, at::zeros({frames, frames})));
    const at::Tensor before = logits();
    QVERIFY(distance(before, expected) < kScoreNear);
    // A stream in between, and the offline model is still exactly what it was; and the stream what it was.
    WhisperStreamingRecognizer recognizer(model, {});
    recognizer.begin(chunkingOf(2, 400, 300), 0);
    const std::vector<std::vector<std::int32_t>> rows = {tokens};
    captions::ScoreRequest request;
    request.rows = rows;
    request.first_positions = {0};
    recognizer.addSound(test::hashedSound(20000));
    recognizer.encodeBlock();
    QVERIFY(at::equal(logits(), before));
    const auto scored = recognizer.score(request);
    QVERIFY(at::equal(logits(), before));
    WhisperStreamingRecognizer alone(model, {});
    alone.begin(chunkingOf(2, 400, 300), 0);
    alone.addSound(test::hashedSound(20000));
    alone.encodeBlock();
    QCOMPARE(alone.score(request)[0].next.back().best[0].logit, scored[0].next.back().best[0].logit);
    // After a failure too.
    QVERIFY(!sentenceOf([&] {
                 const std::vector<std::vector<std::int32_t>> long_rows = {std::vector<std::int32_t>(41, 5)};
                 request.rows = long_rows;
                 static_cast<void>(recognizer.score(request));
             }).empty());
    QVERIFY(at::equal(logits(), before));
}

void tst_streaming_whisper::filtersAreApplied()
{
    WhisperStreamingRecognizer recognizer(streamingModel(2), {});
    recognizer.begin(chunkingOf(2, 400, 300), 0);
    feed(recognizer, test::hashedSound(8000));
    const std::vector<std::vector<std::int32_t>> rows = {{257, 258}};
    captions::ScoreRequest request;
    request.rows = rows;
    request.first_positions = {0};
    request.best = 260;
    const auto finite = [&] {
        std::vector<std::int32_t> ids;
        double total = 0;
        const auto scored = recognizer.score(request);
        for (const captions::TokenScore &score : scored[0].next[1].best) {
            if (std::isfinite(score.logit)) {
                ids.push_back(score.id);
                total += std::exp(score.log_probability);
            }
        }
        std::sort(ids.begin(), ids.end());
        return std::pair(ids, total);
    };
    const auto [allowed, total] = finite();
    QCOMPARE(allowed.size(), 257u);  // 256 bytes and the end token
    QCOMPARE(allowed.back(), recognizer.endToken());
    QVERIFY(std::abs(total - 1) < 1e-4);
    request.blank = BlankRule::ForbiddenWhileEmpty;
    const auto [speaking, speaking_total] = finite();
    QCOMPARE(speaking.size(), 255u);  // neither the end nor a space
    QVERIFY(std::find(speaking.begin(), speaking.end(), 32) == speaking.end());
    QVERIFY(std::abs(speaking_total - 1) < 1e-4);
}

void tst_streaming_whisper::limitsAreSaid()
{
    WhisperStreamingRecognizer recognizer(streamingModel(2), {});
    QCOMPARE(recognizer.maximumTokens(), 40);
    QCOMPARE(recognizer.maximumFrames(), 80);
    QVERIFY(!sentenceOf([&] { recognizer.addSound(test::hashedSound(10)); }).empty());
    QVERIFY(sentenceOf([&] { recognizer.begin(chunkingOf(2, 400, 20), 0); }).find("shorter than one frame") != std::string::npos);
    recognizer.begin(chunkingOf(2, 400, 300), 0);
    QVERIFY(!sentenceOf([&] { recognizer.setChunk(0); }).empty());
    QVERIFY(!sentenceOf([&] { recognizer.encodeBlock(); }).empty());
    const std::vector<std::vector<std::int32_t>> rows = {{257, 258}};
    captions::ScoreRequest request;
    request.rows = rows;
    request.first_positions = {0};
    QVERIFY(!sentenceOf([&] { static_cast<void>(recognizer.score(request)); }).empty());
    // The window holds 80 frames of 40 ms; the block that crosses its end is cut there.
    feed(recognizer, test::hashedSound(80 * 640 + 30000));
    QCOMPARE(recognizer.frames(), 80);
    QVERIFY(!sentenceOf([&] { recognizer.encodeBlock(); }).empty());
    recognizer.encodeRest();
    QCOMPARE(recognizer.frames(), 80);
    // Rows as long as the context are fine; one token more is not; nor are tokens that do not exist.
    std::vector<std::vector<std::int32_t>> long_rows = {std::vector<std::int32_t>(40, 5)};
    request.rows = long_rows;
    request.first_positions = {39};
    QCOMPARE(recognizer.score(request)[0].next.size(), 1u);
    for (const std::vector<std::int32_t> &bad :
         {std::vector<std::int32_t>(41, 5), std::vector<std::int32_t>{260}, std::vector<std::int32_t>{-1}, std::vector<std::int32_t>{}}) {
        long_rows = {bad};
        request.rows = long_rows;
        request.first_positions = {0};
        QVERIFY(!sentenceOf([&] { static_cast<void>(recognizer.score(request)); }).empty());
    }
}

void tst_streaming_whisper::theStateIsDescribed()
{
    WhisperStreamingRecognizer recognizer(streamingModel(1), {});
    recognizer.begin(chunkingOf(1, 600, 300), 32000);
    QCOMPARE(recognizer.encoderState().block_ends.size(), 0u);
    feed(recognizer, test::hashedSound(9600 + 4800 + 360));
    const captions::EncoderState state = recognizer.encoderState();
    QCOMPARE(state.window_start_sample, 32000);
    QCOMPARE(state.frame_samples, 320);
    QCOMPARE(state.block_ends, (std::vector<std::int32_t>{30, 45}));
    QCOMPARE(state.encoder_layers, 2);
    QCOMPARE(state.maximum_frames, 160);
    QCOMPARE(state.encoder_cache_bytes, 45u * 2 * 2 * 24 * 4);
    QCOMPARE(state.sound_cache_bytes, 45u * 3 * 2 * 24 * 4);
    QCOMPARE(state.token_cache_bytes, 0u);
    QVERIFY(state.encode_ms > 0 && state.decode_ms == 0);
    QCOMPARE(recognizer.lookAheadSamples(), 360);
    QCOMPARE(recognizer.textOf('h'), std::string("h"));
}

QTEST_GUILESS_MAIN(tst_streaming_whisper)
#include "tst_streaming_whisper.moc"
