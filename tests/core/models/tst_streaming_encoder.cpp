// The causal streaming encoder: block after block gives what the whole gives (Theorem 2), for mel, convolution, encoder and cross-attention.
// Small hashed weights, every dimension different, against tests/support/slow_whisper.h.
#include <QtTest>

#include "core/models/whisper/encoder.h"
#include "core/models/whisper/streaming_mel.h"
#include "core/models/whisper/tree_decoder.h"
#include "tests/support/error_sentence.h"
#include "tests/support/slow_whisper.h"
#include "tests/support/streaming_whisper.h"

using namespace braid;
using namespace braid::models;
using namespace braid::test;
using captions::Chunking;
using captions::TokenCache;

class tst_streaming_encoder : public QObject {
    Q_OBJECT

    static void addChunkings();

  private Q_SLOTS:
    void blocksOfMelAreTheWholeMel_data() { addChunkings(); }
    void blocksOfMelAreTheWholeMel();
    void publishedChunksGiveTheAuthorsFrames();
    void aBlockReadsItsLookAheadAndNothingBeyond();
    void blockByBlockIsMaskedWhole_data() { addChunkings(); }
    void blockByBlockIsMaskedWhole();
    void maskedWholeIsTheMask_data() { addChunkings(); }
    void maskedWholeIsTheMask();
    void theBeginningDoesNotDependOnWhatFollows();
    void chunksMayChangeBetweenBlocks();
    void keysOfGrowingSoundAreThoseOfTheWhole();
    void carelessWhisperFromItsFile();
};

void tst_streaming_encoder::addChunkings()
{
    QTest::addColumn<int>("stride");
    QTest::addColumn<int>("first_ms");
    QTest::addColumn<int>("chunk_ms");
    for (const int stride : {1, 2, 4}) {
        for (const auto &[first_ms, chunk_ms] :
             {std::pair{600, 40}, {600, 100}, {600, 200}, {600, 300}, {1000, 1000}, {400, 300}, {130, 70}, {410, 250}, {333, 111}, {40, 600}}) {
            QTest::addRow("stride %d, %d then %d ms", stride, first_ms, chunk_ms) << stride << first_ms << chunk_ms;
        }
    }
}

void tst_streaming_encoder::blocksOfMelAreTheWholeMel()
{
    QFETCH(const int, stride);
    QFETCH(const int, first_ms);
    QFETCH(const int, chunk_ms);
    const features::LogMel mel(20);
    const Chunking chunking = chunkingOf(stride, first_ms, chunk_ms);
    const std::vector<float> sound = test::hashedSound(33333);
    const whisper::BlockedMel whole = whisper::melOfWhole(mel, chunking, stridesOf(stride), sound);
    const std::int64_t frames = (33333 + chunking.frame_samples - 1) / chunking.frame_samples;
    QCOMPARE(whole.block_ends.back(), frames);
    QCOMPARE(whole.mel.frames, whisper::melFramesOf(frames, stridesOf(stride)));
    QVERIFY(whole.block_ends.size() > 1);

    whisper::StreamingMel stream(mel, chunking, stridesOf(stride));
    std::vector<float> values;
    std::vector<std::int64_t> ends;
    const auto take = [&](const whisper::StreamingMel::Block &block) {
        values.insert(values.end(), block.mel.values.begin(), block.mel.values.end());
        ends.push_back(block.end_frame);
    };
    for (std::size_t begin = 0; begin < sound.size(); begin += 97) {
        stream.add(std::span(sound).subspan(begin, std::min<std::size_t>(97, sound.size() - begin)));
        // Ready as soon as the block and its look-ahead are there, not a sample later.
        const auto block = static_cast<std::int64_t>(ends.size());
        const bool heard = stream.heardSamples() >= chunking.blockEnd(block) * chunking.frame_samples + stream.lookAheadSamples();
        QCOMPARE(stream.blocksReady() > 0, heard);
        if (heard) {
            take(stream.next());
            QCOMPARE(ends.back(), chunking.blockEnd(block));
        }
    }
    if (const auto rest = stream.rest()) {
        take(*rest);
    }
    QCOMPARE(ends, whole.block_ends);
    QCOMPARE(values, whole.mel.values);
}

void tst_streaming_encoder::publishedChunksGiveTheAuthorsFrames()
{
    // Chunks of whole frames and a first block of whole chunks: their spectrogram, chunk by chunk (streaming-asr.md 1.3).
    const features::LogMel mel(20);
    const std::vector<float> sound = test::hashedSound(40000);
    for (const int chunk_ms : {40, 100, 200, 300}) {
        features::StreamingLogMel theirs(mel, samplesFromMs(chunk_ms));
        const features::MelFrames expected = theirs.push(sound);
        whisper::StreamingMel ours(mel, chunkingOf(1, 600, chunk_ms), {1, 2});
        ours.add(sound);
        std::vector<float> values;
        for (std::int64_t block = ours.blocksReady(); block > 0; --block) {
            const auto made = ours.next();
            values.insert(values.end(), made.mel.values.begin(), made.mel.values.end());
        }
        QCOMPARE(values, expected.values);
    }
}

void tst_streaming_encoder::aBlockReadsItsLookAheadAndNothingBeyond()
{
    const c10::InferenceMode inference;
    for (const int stride : {1, 2, 4}) {
        const auto model = streamingModel(stride);
        const Chunking chunking = chunkingOf(stride, 400, 200);
        const auto firstBlock = [&](std::vector<float> sound) {
            whisper::StreamingMel mel(model->logMel(), chunking, stridesOf(stride));
            mel.add(sound);
            whisper::EncoderCache cache = model->encoder().emptyCache(80);
            return model->encoder().extend(cache, whisper::melTensor(mel.next().mel), chunking.blockEnd(0));
        };
        const std::vector<float> sound = test::hashedSound(9000);
        const at::Tensor encoded = firstBlock(sound);
        // The last sample that can matter: 200 samples past the last mel frame the convolutions read, which begins one sample early in the first chunk.
        const Sample read = stride == 1 ? 200 : stride == 2 ? 40 : -120;
        QVERIFY(read <= whisper::lookAheadSamplesOf(stridesOf(stride)));
        std::vector<float> beyond = sound;
        beyond[static_cast<std::size_t>(6400 + whisper::lookAheadSamplesOf(stridesOf(stride)))] = 0.9f;
        QVERIFY(at::equal(firstBlock(beyond), encoded));
        std::vector<float> within = sound;
        within[static_cast<std::size_t>(6400 + read - 20)] = 0.9f;
        QVERIFY(distance(firstBlock(within), encoded) > 0);
    }
}

void tst_streaming_encoder::blockByBlockIsMaskedWhole()
{
    QFETCH(const int, stride);
    QFETCH(const int, first_ms);
    QFETCH(const int, chunk_ms);
    const c10::InferenceMode inference;
    const auto model = streamingModel(stride);
    const Chunking chunking = chunkingOf(stride, first_ms, chunk_ms);
    const std::vector<float> sound = test::hashedSound(44000);
    const whisper::BlockedMel whole = whisper::melOfWhole(model->logMel(), chunking, stridesOf(stride), sound);
    const at::Tensor expected = model->encoder().masked(whisper::melTensor(whole.mel), whole.block_ends);

    whisper::StreamingMel stream(model->logMel(), chunking, stridesOf(stride));
    stream.add(sound);
    whisper::EncoderCache cache = model->encoder().emptyCache(model->dims().n_audio_ctx);
    std::vector<at::Tensor> blocks;
    const auto take = [&](const whisper::StreamingMel::Block &block) {
        blocks.push_back(model->encoder().extend(cache, whisper::melTensor(block.mel), block.end_frame - cache.frames()));
    };
    for (std::int64_t ready = stream.blocksReady(); ready > 0; --ready) {
        take(stream.next());
    }
    if (const auto rest = stream.rest()) {
        take(*rest);
    }
    const at::Tensor pieces = at::cat(blocks);
    QCOMPARE(pieces.sizes(), expected.sizes());
    QVERIFY2(distance(pieces, expected) < kNear, qPrintable(QString::number(distance(pieces, expected))));
}

void tst_streaming_encoder::maskedWholeIsTheMask()
{
    QFETCH(const int, stride);
    QFETCH(const int, first_ms);
    QFETCH(const int, chunk_ms);
    const c10::InferenceMode inference;
    const auto checkpoint = streamingWeights(stride).take();
    const test::SlowWhisper slow(checkpoint, test::Adapters::Off);
    const auto model = streamingModel(stride);
    const Chunking chunking = chunkingOf(stride, first_ms, chunk_ms);
    const std::int64_t frames = 47;
    const at::Tensor mel = whisper::melTensor(
        whisper::melOfWhole(model->logMel(), chunking, stridesOf(stride), test::hashedSound(static_cast<std::size_t>(frames * chunking.frame_samples))).mel);
    const at::Tensor expected = slow.encode(mel, test::SlowWhisper::maskOf(chunking, frames));
    const at::Tensor encoded = model->encoder().masked(mel, whisper::blockEnds(chunking, frames));
    QVERIFY2(distance(encoded, expected) < kNear, qPrintable(QString::number(distance(encoded, expected))));
    // And the mask matters: without it the numbers are others.
    QVERIFY(distance(model->encoder()(mel).narrow(0, 0, frames), expected) > 0.01f);
}

void tst_streaming_encoder::theBeginningDoesNotDependOnWhatFollows()
{
    // Theorem 2, word for word: what a block gave stays true whatever comes after it.
    const c10::InferenceMode inference;
    const auto model = streamingModel(1);
    const Chunking chunking = chunkingOf(1, 400, 200);
    const std::vector<float> sound = test::hashedSound(40000);
    const whisper::BlockedMel mel = whisper::melOfWhole(model->logMel(), chunking, {1, 2}, sound);
    const at::Tensor all = model->encoder().masked(whisper::melTensor(mel.mel), mel.block_ends);
    const std::int64_t heard = chunking.blockEnd(4);
    const at::Tensor part =
        model->encoder().masked(whisper::melTensor(mel.mel).narrow(1, 0, whisper::melFramesOf(heard, {1, 2})), whisper::blockEnds(chunking, heard));
    QVERIFY(distance(all.narrow(0, 0, heard), part) < kNear);
    // Of the encoder without a mask it is not true (Theorem 1).
    const at::Tensor whole = model->encoder()(whisper::melTensor(mel.mel));
    const at::Tensor cut = model->encoder()(whisper::melTensor(mel.mel).narrow(1, 0, 2 * heard));
    QVERIFY(distance(whole.narrow(0, 0, heard), cut) > 0.01f);
}

void tst_streaming_encoder::chunksMayChangeBetweenBlocks()
{
    const c10::InferenceMode inference;
    for (const int stride : {1, 2, 4}) {
        const auto model = streamingModel(stride);
        const std::vector<float> sound = test::hashedSound(40000);
        whisper::StreamingMel stream(model->logMel(), chunkingOf(stride, 400, 100), stridesOf(stride));
        stream.add(sound);
        whisper::EncoderCache cache = model->encoder().emptyCache(model->dims().n_audio_ctx);
        std::vector<at::Tensor> blocks;
        std::vector<at::Tensor> mel;
        std::vector<std::int64_t> ends;
        const int chunks_ms[] = {100, 100, 330, 1000, 70, 70, 250};
        for (std::size_t i = 0; stream.blocksReady() > 0; ++i) {
            const whisper::StreamingMel::Block block = stream.next();
            mel.push_back(whisper::melTensor(block.mel));
            blocks.push_back(model->encoder().extend(cache, mel.back(), block.end_frame - cache.frames()));
            ends.push_back(block.end_frame);
            stream.setChunk(samplesFromMs(chunks_ms[i % std::size(chunks_ms)]));
        }
        QVERIFY(ends.size() > 7);
        const at::Tensor expected = model->encoder().masked(at::cat(mel, 1), ends);
        QVERIFY(distance(at::cat(blocks), expected) < kNear);
    }
}

void tst_streaming_encoder::keysOfGrowingSoundAreThoseOfTheWhole()
{
    const c10::InferenceMode inference;
    const auto model = streamingModel(2);
    const at::Tensor encoded = at::tensor(test::hashedNumbers("encoded", 37 * 24), at::kFloat).view({37, 24});
    const whisper::SoundCache whole = model->decoder().listen(encoded);
    whisper::SoundCache growing = model->decoder().emptySound(40);
    std::int64_t begin = 0;
    for (const std::int64_t size : {10, 1, 7, 19}) {
        model->decoder().hear(growing, encoded.narrow(0, begin, size));
        begin += size;
        QCOMPARE(growing.frames, begin);
        for (std::size_t layer = 0; layer < whole.layers.size(); ++layer) {
            QVERIFY(distance(growing.layers[layer].keys, whole.layers[layer].keys.narrow(1, 0, begin)) < kNear);
            QVERIFY(distance(growing.layers[layer].values, whole.layers[layer].values.narrow(1, 0, begin)) < kNear);
        }
    }
    QVERIFY(!sentenceOf([&] { model->decoder().hear(growing, encoded.narrow(0, 0, 4)); }).empty());
}

void tst_streaming_encoder::carelessWhisperFromItsFile()
{
    // A .pt as the authors publish it: base layers and adapters apart, "dims" and "cfg" beside them.
    const c10::InferenceMode inference;
    weights::WhisperCheckpoint checkpoint = weights::readWhisperCheckpoint(BRAID_SOURCE_DIR "/tests/parity/weights/careless.pt");
    QVERIFY(!checkpoint.adapters.names().empty());
    const test::SlowWhisper slow(checkpoint, test::Adapters::On);
    const test::SlowWhisper base(checkpoint, test::Adapters::Off);
    const whisper::AlignmentHeads heads = {{0, 3}, {1, 2}};
    const whisper::Encoder encoder(checkpoint, {});
    const whisper::Decoder decoder(checkpoint, {});
    const Chunking chunking{320, 4 * 320, 3 * 320};
    const features::LogMel log_mel(3);
    const std::vector<float> sound = test::hashedSound(10 * 320);
    const at::Tensor mel = whisper::melTensor(whisper::melOfWhole(log_mel, chunking, {1, 2}, sound).mel);

    whisper::StreamingMel stream(log_mel, chunking, {1, 2});
    stream.add(sound);
    whisper::EncoderCache cache = encoder.emptyCache(10);
    whisper::SoundCache heard = decoder.emptySound(10);
    whisper::TreeDecoder tokens(decoder, heads, TokenCache::WithinChunk);
    const auto look = [&](const whisper::StreamingMel::Block &block) {
        decoder.hear(heard, encoder.extend(cache, whisper::melTensor(block.mel), block.end_frame - cache.frames()));
        tokens.soundGrew();
        const at::Tensor encoded = slow.encode(mel, test::SlowWhisper::maskOf(chunking, heard.frames));
        const std::vector<std::vector<std::int32_t>> rows = {{1, 2, 3, 4, 5, 6, 7}, {1, 2, 3, 9}};
        const std::vector<std::size_t> first = {2, 3};
        const auto nodes = tokens.run(heard, rows, first, AttentionWanted::Yes);
        for (std::size_t row = 0; row < rows.size(); ++row) {
            const auto from = static_cast<std::int64_t>(first[row]);
            const at::Tensor expected = slow.logits(rows[row], encoded);
            const at::Tensor logits = decoder.logits(tokens.hidden(std::span(nodes[row]).subspan(first[row])));
            QVERIFY(distance(logits, expected.narrow(0, from, expected.size(0) - from)) < kScoreNear);
            QVERIFY(distance(base.logits(rows[row], base.encode(mel, test::SlowWhisper::maskOf(chunking, heard.frames))), expected) > 1e-3f);
        }
    };
    QCOMPARE(stream.blocksReady(), 2);
    look(stream.next());
    look(stream.next());
    look(*stream.rest());
    QCOMPARE(heard.frames, 10);
}

QTEST_GUILESS_MAIN(tst_streaming_encoder)
#include "tst_streaming_encoder.moc"
