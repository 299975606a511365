// Speech encoders as streams: sound in pieces of any size gives, block after block, what the whole gives at once, for every way of cutting; caches stay as
// large as the left context asks for; what cannot be streamed says why.
#include <QtTest>

#include <array>

#include <ATen/Parallel.h>

#include "core/models/speech_encoders/whisper_speech_encoder.h"
#include "tests/support/error_sentence.h"
#include "tests/support/hashed_speech_encoder.h"
#include "tests/support/streaming_whisper.h"

using namespace braid;
using namespace braid::models;
using nlohmann::json;
using test::contains;
using test::sentenceOf;
using Encoder = std::shared_ptr<const speech::SpeechEncoder>;

namespace {

constexpr float kSame = 1e-5f;

// First and later blocks, in tenths of a frame: equal ones, a longer and a shorter first one, ends within frames, one frame, all of it.
constexpr std::array<std::pair<int, int>, 10> kChunkings = {
    {{10, 10}, {20, 20}, {50, 30}, {30, 50}, {40, 70}, {15, 25}, {33, 17}, {110, 10}, {10, 110}, {2000, 400}}};

captions::Chunking chunkingOf(const speech::SpeechEncoder &encoder, std::pair<int, int> tenths)
{
    const Sample frame = encoder.frameSamples();
    return {.frame_samples = frame, .first_samples = frame * tenths.first / 10, .chunk_samples = frame * tenths.second / 10};
}

at::Tensor streamed(const speech::SpeechEncoder &encoder, const captions::Chunking &chunking, std::span<const float> sound, std::size_t piece)
{
    const std::unique_ptr<speech::SpeechStream> stream = encoder.begin(chunking);
    std::vector<at::Tensor> parts;
    for (std::size_t begin = 0; begin < sound.size(); begin += piece) {
        parts.push_back(stream->add(sound.subspan(begin, std::min(piece, sound.size() - begin))));
    }
    parts.push_back(stream->finish());
    at::Tensor all = at::cat(parts);
    if (all.size(0) != stream->frames()) {
        throw Error(ErrorKind::Internal, "a stream counts other frames than it gave");
    }
    return all;
}

class Models {
  public:
    [[nodiscard]] Encoder wav2vec2(const std::string &name, const json &streaming, const std::string &preprocessor = {}) const
    {
        json config = m_numbers.at("wav2vec2").at(name).at("config");
        config["braid_streaming"] = streaming;
        return speech::loadWav2Vec2(test::hashedWav2Vec2(name, m_numbers.at("wav2vec2").at(name), config, preprocessor), {});
    }
    [[nodiscard]] Encoder conformer(const std::string &name, const json &streaming, bool adapted) const
    {
        json config = m_numbers.at("conformer").at(name).at("config");
        config["braid_streaming"] = streaming;
        if (!adapted) {
            config.erase("braid_adapter");
        }
        return speech::loadConformer(test::hashedConformer(name, m_numbers.at("conformer").at(name), config), {});
    }
    [[nodiscard]] Encoder byName(const QString &name) const
    {
        const json all = {{"left_context_frames", nullptr}};
        const char *normalised = R"({"do_normalize": true})";
        if (name == "wav2vec 2, norms before") {
            return wav2vec2("large", all);
        }
        if (name == "wav2vec 2, norms before, normalised") {
            return wav2vec2("large", {{"left_context_frames", 3}}, normalised);
        }
        if (name == "wav2vec 2, norms after, left context") {
            return wav2vec2("after", {{"left_context_frames", 5}});
        }
        if (name == "wav2vec 2, only its own block") {
            return wav2vec2("after", {{"left_context_frames", 0}}, normalised);
        }
        if (name == "conformer") {
            return conformer("batch", all, false);
        }
        if (name == "conformer, left context, adapter") {
            return conformer("batch", {{"left_context_frames", 4}}, true);
        }
        if (name == "conformer, four mel frames, adapter") {
            return conformer("layer", {{"left_context_frames", 7}}, true);
        }
        return whisper(name.endsWith("40 ms") ? 2 : 1);
    }

    // As captions-en: the base itself is causal.
    [[nodiscard]] static Encoder whisper(int stride)
    {
        test::HashedWhisper weights("streaming/", test::streamingDims(stride));
        weights.checkpoint().streaming.emplace();
        weights.checkpoint().alignment_heads = {{1, 0}, {2, 1}};
        return speech::speechEncoderOf(std::make_shared<models::whisper::Model>(weights.take(), test::smallTokenizer(), nn::Placement{}));
    }

  private:
    json m_numbers = test::speechEncoderNumbers();
};

}  // namespace

class tst_speech_encoders : public QObject {
    Q_OBJECT

    Models m_models;

  private Q_SLOTS:
    void initTestCase() { at::set_num_threads(1); }

    void streamingEqualsWhole_data()
    {
        QTest::addColumn<double>("frames");
        QTest::newRow("wav2vec 2, norms before") << 57.4;
        QTest::newRow("wav2vec 2, norms before, normalised") << 40.0;
        QTest::newRow("wav2vec 2, norms after, left context") << 61.2;
        QTest::newRow("wav2vec 2, only its own block") << 38.5;
        QTest::newRow("conformer") << 23.3;
        QTest::newRow("conformer, left context, adapter") << 31.0;
        QTest::newRow("conformer, four mel frames, adapter") << 29.7;
        QTest::newRow("whisper, 20 ms") << 70.6;
        QTest::newRow("whisper, 40 ms") << 40.1;
    }
    void streamingEqualsWhole()
    {
        QFETCH(double, frames);
        const Encoder encoder = m_models.byName(QTest::currentDataTag());
        const Sample frame = encoder->frameSamples();
        const std::vector<float> sound = test::hashedSound(static_cast<std::size_t>(frames * static_cast<double>(frame)));
        // In frames of the encoder itself, where several of them become one.
        const double blocks_of = contains(QTest::currentDataTag(), "adapter") ? 0.34 : 1;
        for (std::size_t i = 0; i < kChunkings.size(); ++i) {
            captions::Chunking chunking = chunkingOf(*encoder, kChunkings[i]);
            chunking.first_samples = std::max(static_cast<Sample>(static_cast<double>(chunking.first_samples) * blocks_of), frame / 2);
            chunking.chunk_samples = std::max(static_cast<Sample>(static_cast<double>(chunking.chunk_samples) * blocks_of), frame / 2);
            if (blocks_of == 1) {
                chunking.first_samples = std::max(chunking.first_samples, frame);
                chunking.chunk_samples = std::max(chunking.chunk_samples, frame);
            }
            const at::Tensor whole = encoder->whole(sound, chunking);
            QVERIFY(whole.size(0) > static_cast<std::int64_t>(frames) - 3);
            QCOMPARE(whole.size(1), encoder->width());
            const std::size_t piece = std::array<std::size_t, 4>{sound.size(), 37, static_cast<std::size_t>(frame), 1001}[i % 4];
            const at::Tensor pieces = streamed(*encoder, chunking, sound, piece);
            QCOMPARE(pieces.sizes(), whole.sizes());
            const float apart = test::distance(pieces, whole);
            QVERIFY2(apart < kSame, qPrintable(QString("chunking %1: off by %2").arg(i).arg(static_cast<double>(apart))));
        }
    }

    // A frame does not change with what is said after its block: the mask of the whole is that of the stream.
    void laterSoundChangesNothing_data() { streamingEqualsWhole_data(); }
    void laterSoundChangesNothing()
    {
        QFETCH(double, frames);
        const Encoder encoder = m_models.byName(QTest::currentDataTag());
        std::vector<float> sound = test::hashedSound(static_cast<std::size_t>(frames * static_cast<double>(encoder->frameSamples())));
        const captions::Chunking chunking = chunkingOf(*encoder, {60, 60});
        const at::Tensor before = encoder->whole(sound, chunking);
        const Sample changed_from = 2 * chunking.chunk_samples + encoder->lookAheadSamples();
        for (std::size_t i = static_cast<std::size_t>(changed_from); i < sound.size(); ++i) {
            sound[i] = -0.7f * sound[i] + 0.1f;
        }
        const at::Tensor after = encoder->whole(sound, chunking);
        QVERIFY(test::distance(before.narrow(0, 0, 12), after.narrow(0, 0, 12)) < kSame);
        QVERIFY(test::distance(before.narrow(0, 12, 3), after.narrow(0, 12, 3)) > 1e-3f);
    }

    // With a left context the caches of a long stream are as large as those of a short one.
    void memoryIsFlat_data()
    {
        QTest::addColumn<int>("frames");
        QTest::newRow("wav2vec 2, norms after, left context") << 4000;
        QTest::newRow("wav2vec 2, only its own block") << 4000;
        QTest::newRow("conformer, left context, adapter") << 150;
        QTest::newRow("conformer, four mel frames, adapter") << 200;
    }
    void memoryIsFlat()
    {
        QFETCH(int, frames);
        const Encoder encoder = m_models.byName(QTest::currentDataTag());
        const captions::Chunking chunking = chunkingOf(*encoder, {40, 40});
        const std::unique_ptr<speech::SpeechStream> stream = encoder->begin(chunking);
        const std::vector<float> sound = test::hashedSound(static_cast<std::size_t>(chunking.chunk_samples));
        std::uint64_t early = 0;
        std::uint64_t late = 0;
        for (int block = 0; block < frames / 4; ++block) {
            QVERIFY(stream->add(sound).size(0) <= 8);
            std::uint64_t &greatest = block < 12 ? early : late;
            greatest = std::max(greatest, stream->cacheBytes());
        }
        QVERIFY(stream->frames() > frames - 8);
        QVERIFY(early > 0);
        QCOMPARE(late, early);
        QCOMPARE(encoder->maximumFrames() > (std::int64_t{1} << 60), true);
    }

    // Without one they grow, up to what the configuration says, and no further.
    void longStreamsAreRefused()
    {
        const Encoder encoder = m_models.wav2vec2("large", {{"maximum_frames", 30}});
        QCOMPARE(encoder->maximumFrames(), std::int64_t{30});
        const captions::Chunking chunking = chunkingOf(*encoder, {100, 100});
        const std::vector<float> sound = test::hashedSound(static_cast<std::size_t>(chunking.chunk_samples));
        const std::unique_ptr<speech::SpeechStream> stream = encoder->begin(chunking);
        const std::string sentence = sentenceOf(ErrorKind::Usage, [&] {
            for (int block = 0; block < 4; ++block) {
                (void)stream->add(sound);
            }
            (void)stream->finish();
        });
        QVERIFY2(contains(sentence, "seconds of sound at most"), sentence.c_str());
        QCOMPARE(stream->frames(), std::int64_t{30});

        const Encoder whisper = Models::whisper(1);
        const std::vector<float> minute(static_cast<std::size_t>(60 * kSampleRateHz));
        QVERIFY(contains(sentenceOf(ErrorKind::Usage, [&] { (void)whisper->begin(whisper->defaultChunking())->add(minute); }), "seconds of sound at most"));
        QVERIFY(contains(sentenceOf(ErrorKind::Usage, [&] { (void)whisper->whole(minute, whisper->defaultChunking()); }), "seconds of sound at most"));
        QVERIFY(contains(sentenceOf(ErrorKind::Usage, [&] { (void)whisper->all(minute); }), "seconds of sound at most"));
    }

    // Group norm over the whole sound, positions that look ahead, a Whisper that is not causal; chunks below a frame; sound after the end.
    void whatCannotBeStreamedSaysWhy()
    {
        const Encoder base = m_models.wav2vec2("base", json::object());
        const std::string group = sentenceOf(ErrorKind::Usage, [&] { (void)base->begin(base->defaultChunking()); });
        QVERIFY2(contains(group, "normalised over the whole sound"), group.c_str());
        QVERIFY(contains(sentenceOf(ErrorKind::Usage, [&] { (void)base->whole(test::hashedSound(500), base->defaultChunking()); }), "over the whole sound"));
        const Encoder centred = m_models.wav2vec2("large", {{"causal_positions", false}});
        QVERIFY(contains(sentenceOf(ErrorKind::Usage, [&] { (void)centred->begin(centred->defaultChunking()); }), "looks at later sound"));
        QVERIFY(contains(sentenceOf(ErrorKind::Usage, [&] { (void)speech::speechEncoderOf(test::streamingModel(1)); }), "looks at later sound"));

        for (const char *name : {"wav2vec 2, norms before", "conformer", "whisper, 20 ms"}) {
            const Encoder encoder = m_models.byName(name);
            captions::Chunking chunking = encoder->defaultChunking();
            chunking.chunk_samples = encoder->frameSamples() - 1;
            QVERIFY2(contains(sentenceOf(ErrorKind::Usage, [&] { (void)encoder->begin(chunking); }), "shorter than one frame"), name);
            QVERIFY2(contains(sentenceOf(ErrorKind::Usage, [&] { (void)encoder->whole(test::hashedSound(9000), chunking); }), "shorter than one frame"), name);
            const std::unique_ptr<speech::SpeechStream> stream = encoder->begin(encoder->defaultChunking());
            QCOMPARE(stream->finish().sizes(), at::IntArrayRef({0, encoder->width()}));
            QVERIFY2(contains(sentenceOf(ErrorKind::Usage, [&] { (void)stream->add({}); }), "after its end"), name);
            QVERIFY2(contains(sentenceOf(ErrorKind::Usage, [&] { (void)stream->finish(); }), "twice"), name);
        }
    }

    // No sound and very little of it.
    void shortSounds()
    {
        for (const char *name :
             {"wav2vec 2, norms before", "wav2vec 2, norms before, normalised", "conformer", "conformer, left context, adapter", "whisper, 40 ms"}) {
            const Encoder encoder = m_models.byName(name);
            for (const std::size_t samples : {0, 1, 29, 30, 161, 700}) {
                const std::vector<float> sound = test::hashedSound(samples);
                const at::Tensor whole = encoder->whole(sound, encoder->defaultChunking());
                const at::Tensor pieces = streamed(*encoder, encoder->defaultChunking(), sound, 7);
                QCOMPARE(pieces.sizes(), whole.sizes());
                QVERIFY2(whole.numel() == 0 || test::distance(pieces, whole) < kSame, name);
                QVERIFY2(contains(name, "whisper") || encoder->all(sound).size(0) == whole.size(0), name);
                QVERIFY2(!contains(name, "conformer") || whole.size(0) == (samples > 0 ? 1 : 0), name);
            }
        }
    }

    // A pause of a stream's sound brings nothing but is no error; frames come as soon as their block and its look-ahead are there.
    void blocksComeWhenTheyAreComplete_data()
    {
        QTest::addColumn<QString>("name");
        for (const char *name : {"wav2vec 2, norms before", "conformer", "conformer, four mel frames, adapter", "whisper, 20 ms", "whisper, 40 ms"}) {
            QTest::newRow(name) << QString(name);
        }
    }
    void blocksComeWhenTheyAreComplete()
    {
        QFETCH(QString, name);
        const Encoder encoder = m_models.byName(name);
        const captions::Chunking chunking = chunkingOf(*encoder, {40, 20});
        const std::vector<float> sound = test::hashedSound(static_cast<std::size_t>(chunking.first_samples + encoder->lookAheadSamples()));
        const std::unique_ptr<speech::SpeechStream> stream = encoder->begin(chunking);
        QCOMPARE(stream->add(std::span(sound).first(sound.size() - 1)).size(0), std::int64_t{0});
        QCOMPARE(stream->add({}).size(0), std::int64_t{0});
        QCOMPARE(stream->add(std::span(sound).last(1)).size(0), std::int64_t{4});
        QCOMPARE(stream->frames(), std::int64_t{4});
    }
};

QTEST_GUILESS_MAIN(tst_speech_encoders)
#include "tst_speech_encoders.moc"
