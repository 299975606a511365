// Causal Whispers with frames of 40 ms, as trained here: a window heard at once is the stream heard in its blocks, a folder says all of it, and words of
// GPT-2's tokens are whole. Small hashed weights, every dimension different, against tests/support/slow_whisper.h.
#include <QtTest>

#include <cmath>
#include <fstream>

#include "core/models/whisper/whisper_streaming_recognizer.h"
#include "tests/core/models/uneven_feeding.h"
#include "tests/support/slow_whisper.h"
#include "tests/support/streaming_whisper.h"

using namespace braid;
using namespace braid::models;
using namespace braid::test;
using captions::Chunking;
using whisper::WhisperStreamingRecognizer;

namespace {

// A handful of GPT-2's own merges.
const ByteMerges kMerges = {{" ", "t"},       {"h", "e"},        {" t", "he"}, {" ", "s"}, {"a", "i"},   {" s", "ai"},     {" sai", "d"},
                            {"\xE2", "\x80"}, {" ", "\xE2\x80"}, {"o", "n"},   {" ", "d"}, {" d", "on"}, {"\xC3", "\xA9"}, {",", "\""},
                            {" ", "\""},      {"'", "t"},        {"'", "s"},   {"w", "e"}, {"l", "l"},   {"we", "ll"}};

std::shared_ptr<whisper::Model> halvedModel(const std::filesystem::path &folder)
{
    weights::WhisperDims dims = smallDims();
    test::setStrides(dims, 4);
    dims.n_vocab = 256 + static_cast<std::int64_t>(kMerges.size()) + 4;
    writeSmallWhisperFolder(folder, dims, kMerges);
    nlohmann::json config = nlohmann::json::parse(std::ifstream(folder / "config.json"));
    config["braid_streaming"] = {{"chunk_ms_min", 100}, {"chunk_ms_max", 1000}, {"default_chunk_ms", 300}, {"first_chunk_ms", 400}};
    std::ofstream(folder / "config.json") << config.dump();
    weights::WhisperCheckpoint checkpoint = weights::readWhisperCheckpoint(folder);
    const auto tokenizer = text::WhisperTokenizer::load(checkpoint.tokenizer_path, checkpoint.dims.n_vocab);
    return std::make_shared<whisper::Model>(std::move(checkpoint), tokenizer, nn::Placement{});
}

}  // namespace

class tst_causal_whisper : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void causalModelsRunThroughTheirMask_data();
    void causalModelsRunThroughTheirMask();
    void everySecondFrameOfAWhisperInItsFolder();
    void wordsOfGpt2sTokensAreWhole();
};

void tst_causal_whisper::causalModelsRunThroughTheirMask_data()
{
    QTest::addColumn<int>("stride");
    QTest::newRow("40 ms by the first convolution") << 2;
    QTest::newRow("40 ms by the second") << 4;
}

void tst_causal_whisper::causalModelsRunThroughTheirMask()
{
    QFETCH(const int, stride);
    const c10::InferenceMode inference;
    test::HashedWhisper weights("causal/", streamingDims(stride));
    weights.checkpoint().padding = weights::WindowPadding::None;
    weights.checkpoint().streaming = weights::StreamingConfig{15, 0, 0, 400, 200, 100, 1000};
    const auto model = std::make_shared<whisper::Model>(weights.take(), smallTokenizer(), nn::Placement{});
    QVERIFY(model->isCausal());
    QCOMPARE(model->defaultChunking(), chunkingOf(stride, 400, 200));
    const std::vector<float> sound = test::hashedSound(25000);
    const whisper::SoundCache window = model->listen(model->windowMel(sound));
    QCOMPARE(window.frames, model->framesOf(25000));
    // A window heard at once is the stream heard in its own blocks.
    WhisperStreamingRecognizer recognizer(model, {});
    recognizer.begin(recognizer.defaultChunking(), 0);
    feed(recognizer, sound);
    recognizer.encodeRest();
    const std::vector<std::vector<std::int32_t>> rows = {{257, 258, 3, 4}};
    captions::ScoreRequest request;
    request.rows = rows;
    request.first_positions = {3};
    const auto streamed = recognizer.score(request)[0].next[0].best[0];
    nn::SelfCache cache = model->decoder().emptyCache(1);
    const at::Tensor logits = model->decoder().logits(model->decoder().run(window, cache, rows[0])).select(1, 3).squeeze(0);
    QVERIFY(std::abs(logits[streamed.id].item<float>() - streamed.logit) < kScoreNear);
    QVERIFY(!streamingModel(stride)->isCausal());
}

void tst_causal_whisper::everySecondFrameOfAWhisperInItsFolder()
{
    const c10::InferenceMode inference;
    const QTemporaryDir place;
    const auto model = halvedModel(place.path().toStdString());
    QVERIFY(model->isCausal());
    QCOMPARE(model->frameSamples(), 640);
    QCOMPARE(model->defaultChunking(), chunkingOf(4, 400, 300));
    WhisperStreamingRecognizer recognizer(model, {});
    QCOMPARE(recognizer.lookAheadSamples(), 0);
    const auto end = static_cast<std::int32_t>(256 + kMerges.size());
    QCOMPARE(recognizer.endToken(), end);
    QCOMPARE(recognizer.prompt("What was said before."), (std::vector<std::int32_t>{end + 1, end + 2}));
    recognizer.begin(recognizer.defaultChunking(), 0);
    feed(recognizer, test::hashedSound(20000));
    recognizer.encodeRest();
    QCOMPARE(recognizer.frames(), 32);
    const weights::WhisperCheckpoint checkpoint = weights::readWhisperCheckpoint(place.path().toStdString());
    const test::SlowWhisper slow(checkpoint, test::Adapters::Off);
    const Chunking chunking = model->defaultChunking();
    const at::Tensor mel = whisper::melTensor(whisper::melOfWhole(model->logMel(), chunking, {1, 4}, test::hashedSound(20000)).mel);
    const std::vector<std::vector<std::int32_t>> rows = {{end + 1, end + 2, 40, 258}};
    captions::ScoreRequest request;
    request.rows = rows;
    request.first_positions = {3};
    const at::Tensor logits = slow.logits(rows[0], slow.encode(mel, test::SlowWhisper::maskOf(chunking, 32)))[3];
    const auto heard = recognizer.score(request)[0].next[0].best[0];
    QVERIFY(std::abs(logits[heard.id].item<float>() - heard.logit) < kScoreNear);
}

void tst_causal_whisper::wordsOfGpt2sTokensAreWhole()
{
    const QTemporaryDir place;
    const auto model = halvedModel(place.path().toStdString());
    WhisperStreamingRecognizer recognizer(model, {});
    static_cast<void>(recognizer.prompt(""));
    const std::string text = " \"Don't,\" said the caf\xC3\xA9's Zo\xC3\xAB \xE2\x80\x94 \xE2\x80\x9CIt\xE2\x80\x99s 5 o'clock, is it? Well-known!\xE2\x80\x9D";
    const std::vector<std::string> expected = {
        "\"Don't,\"", "said",    "the", "caf\xC3\xA9's", "Zo\xC3\xAB", "\xE2\x80\x94",       "\xE2\x80\x9CIt\xE2\x80\x99s", "5",
        "o",          "'clock,", "is",  "it?",           "Well",       "-known!\xE2\x80\x9D"};
    std::vector<text::Token> tokens;
    for (const std::int32_t id : model->tokenizer().encode(text)) {
        tokens.push_back({id, recognizer.textOf(id), 0.5f, {}});
    }
    const auto textsOf = [](const std::vector<text::Word> &words) {
        std::vector<std::string> texts;
        for (const text::Word &word : words) {
            texts.push_back(word.text);
        }
        return texts;
    };
    const std::vector<text::Word> words = recognizer.words(tokens);
    QCOMPARE(textsOf(words), expected);
    QVERIFY(words.back().starts_without_space);
    // However many tokens are there yet: all but the last word are what they will be once another token stands behind them, and no token is lost on the way.
    for (std::size_t count = 1; count < tokens.size(); ++count) {
        const std::vector<text::Word> so_far = recognizer.words(std::span(tokens).first(count));
        std::size_t held = 0;
        for (std::size_t i = 0; i < so_far.size(); ++i) {
            held += so_far[i].tokens.size();
            if (held < count) {
                QVERIFY2(so_far[i].text == expected[i], (so_far[i].text + " after " + std::to_string(count) + " tokens instead of " + expected[i]).c_str());
            }
        }
    }
}

QTEST_GUILESS_MAIN(tst_causal_whisper)
#include "tst_causal_whisper.moc"
