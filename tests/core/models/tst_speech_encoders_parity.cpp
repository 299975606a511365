// Speech encoders compute what transformers' wav2vec 2 and a conformer put together from PyTorch's modules compute, on small random weights with every
// dimension different: tests/parity/speech_encoders_parity.json, written by the script beside it. And every tensor of their files is used once.
#include <QtTest>

#include <ATen/Parallel.h>

#include "core/models/speech_encoders/speech_adapter.h"
#include "core/models/whisper/streaming_mel.h"
#include "tests/support/error_sentence.h"
#include "tests/support/hashed_speech_encoder.h"
#include "tests/support/json_distance.h"

using namespace braid;
using namespace braid::models;
using nlohmann::json;
using test::contains;
using test::distance;
using test::sentenceOf;

namespace {

constexpr double kClose = 1e-5;  // of numbers about as large as 3, printed with six decimals
constexpr const char *kNormalised = R"({"do_normalize": true, "sampling_rate": 16000, "feature_size": 1})";

captions::Chunking chunkingOf(const json &numbers)
{
    return {.frame_samples = 1, .first_samples = numbers.at("chunking")[0], .chunk_samples = numbers.at("chunking")[1]};
}

json withStreaming(json config, const json &left)
{
    config["braid_streaming"] = {{"causal_positions", true}, {"left_context_frames", left}};
    return config;
}

bool isClose(double difference)
{
    if (!(difference < kClose)) {
        qWarning("off by %g", difference);
    }
    return difference < kClose;
}

}  // namespace

class tst_speech_encoders_parity : public QObject {
    Q_OBJECT

    json m_numbers;

    [[nodiscard]] std::shared_ptr<const speech::SpeechEncoder> wav2vec2(const std::string &name, const json &config, const std::string &preprocessor = {}) const
    {
        return speech::loadWav2Vec2(test::hashedWav2Vec2(name, m_numbers.at("wav2vec2").at(name), config, preprocessor), {});
    }

  private Q_SLOTS:
    void initTestCase()
    {
        at::set_num_threads(1);
        m_numbers = test::speechEncoderNumbers();
    }

    void publishedWav2Vec2_data()
    {
        QTest::addColumn<QString>("name");
        for (const char *name : {"base", "large", "after"}) {
            QTest::newRow(name) << QString(name);
        }
    }

    // As published: centred positions, every frame sees all; sound as it is and normalised.
    void publishedWav2Vec2()
    {
        QFETCH(QString, name);
        const json &numbers = m_numbers.at("wav2vec2").at(name.toStdString());
        const std::vector<float> sound = test::hashedSound(numbers.at("samples"));
        QVERIFY(isClose(distance(wav2vec2(name.toStdString(), numbers.at("config"))->all(sound), numbers.at("all"))));
        QVERIFY(isClose(distance(wav2vec2(name.toStdString(), numbers.at("config"), kNormalised)->all(sound), numbers.at("all_normalised"))));
    }

    void causalWav2Vec2_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("norms before, all of the past") << "large";
        QTest::newRow("norms after, four frames of the past") << "after";
    }

    // The causal positional convolution, without and with blocks.
    void causalWav2Vec2()
    {
        QFETCH(QString, name);
        const json &numbers = m_numbers.at("wav2vec2").at(name.toStdString());
        const std::vector<float> sound = test::hashedSound(numbers.at("samples"));
        const auto encoder = wav2vec2(name.toStdString(), withStreaming(numbers.at("config"), numbers.at("left")));
        QVERIFY(isClose(distance(encoder->all(sound), numbers.at("causal_all"))));
        QVERIFY(isClose(distance(encoder->whole(sound, chunkingOf(numbers)), numbers.at("blocks"))));
    }

    void conformer_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("batch norm, all of the past") << "batch";
        QTest::newRow("layer norm, two frames of the past") << "layer";
    }

    void conformer()
    {
        QFETCH(QString, name);
        const json &numbers = m_numbers.at("conformer").at(name.toStdString());
        json config = numbers.at("config");
        config["braid_streaming"] = {{"left_context_frames", numbers.at("left")}};
        weights::ConformerCheckpoint checkpoint = test::hashedConformer(name.toStdString(), numbers, config);
        const speech::LayerSource source = speech::takingFrom(checkpoint.tensors, {});
        const speech::ConformerEncoder encoder(checkpoint.config, source, {});
        const speech::SpeechAdapter adapter(*checkpoint.config.adapter, encoder.width(), source);
        checkpoint.tensors.requireAllTaken();

        const std::int64_t frames = numbers.at("frames");
        const std::int64_t mel_frames = frames * checkpoint.config.melFrames();
        std::vector<float> values = test::hashedNumbers(name.toStdString() + "/mel", static_cast<std::size_t>(mel_frames * checkpoint.config.mel_bands));
        const at::Tensor mel = at::from_blob(values.data(), {mel_frames, checkpoint.config.mel_bands});
        const std::vector<std::int64_t> one = {frames};
        QVERIFY(isClose(distance(encoder.encodeMel(mel, one), numbers.at("all"))));
        captions::Chunking chunking = chunkingOf(numbers);
        chunking.frame_samples = encoder.frameSamples();
        const at::Tensor blocks = encoder.encodeMel(mel, whisper::blockEnds(chunking, frames));
        QVERIFY(isClose(distance(blocks, numbers.at("blocks"))));
        QVERIFY(isClose(distance(adapter.filledUp(blocks), numbers.at("adapted"))));
        QCOMPARE(encoder.frameSamples(), 160 * checkpoint.config.melFrames());
    }

    // Older files say weight_g and weight_v, newer ones parametrizations; names with and without "wav2vec2."; heads and quantizers are passed over.
    void spellingsOfWav2Vec2()
    {
        const json &numbers = m_numbers.at("wav2vec2").at("large");
        const std::vector<float> sound = test::hashedSound(numbers.at("samples"));
        weights::Wav2Vec2Checkpoint checkpoint{weights::parseWav2Vec2Config(numbers.at("config").dump(), "", "test"),
                                               test::hashedSpeechTensors("large/", numbers.at("shapes"), "wav2vec2.")};
        const std::string positions = "wav2vec2.encoder.pos_conv_embed.conv.";
        checkpoint.tensors.rename(positions + "parametrizations.weight.original0", positions + "weight_g");
        checkpoint.tensors.rename(positions + "parametrizations.weight.original1", positions + "weight_v");
        for (const char *beside : {"wav2vec2.masked_spec_embed", "lm_head.weight", "lm_head.bias", "quantizer.codevectors", "project_q.weight"}) {
            checkpoint.tensors.add(beside, test::hashedSpeechTensor("beside/", beside, {3}));
        }
        weights::settleWav2Vec2Tensors(checkpoint.tensors);
        QVERIFY(isClose(distance(speech::loadWav2Vec2(std::move(checkpoint), {})->all(sound), numbers.at("all"))));
    }

    void everyTensorOfWav2Vec2IsUsedOnce()
    {
        const json &numbers = m_numbers.at("wav2vec2").at("large");
        const auto refusal = [&](const std::function<void(weights::TensorStore &)> &change) {
            return sentenceOf(ErrorKind::Model, [&] {
                weights::Wav2Vec2Checkpoint checkpoint{weights::parseWav2Vec2Config(numbers.at("config").dump(), "", "test"),
                                                       test::hashedSpeechTensors("large/", numbers.at("shapes"))};
                change(checkpoint.tensors);
                weights::settleWav2Vec2Tensors(checkpoint.tensors);
                (void)speech::loadWav2Vec2(std::move(checkpoint), {});
            });
        };
        const std::string positions = "encoder.pos_conv_embed.conv.";
        QVERIFY(refusal([](weights::TensorStore &) {}).empty());
        for (const auto &[name, shape] : numbers.at("shapes").items()) {
            const std::string missing = refusal([&tensor = name](weights::TensorStore &tensors) { tensors.remove(tensor); });
            const std::string shown = contains(name, "original0") ? positions + "weight_g" : contains(name, "original1") ? positions + "weight_v" : name;
            QVERIFY2(contains(missing, "\"" + shown + "\" is missing"), missing.c_str());
        }
        QVERIFY(contains(refusal([](weights::TensorStore &tensors) { tensors.add("encoder.layers.7.norm", test::hashedSpeechTensor("", "x", {2})); }),
                         "\"encoder.layers.7.norm\""));
        QVERIFY(contains(refusal([&](weights::TensorStore &tensors) { tensors.add(positions + "weight_g", test::hashedSpeechTensor("", "x", {2})); }),
                         "is there twice"));
        QVERIFY(contains(refusal([&](weights::TensorStore &tensors) {
                             tensors.remove("encoder.layer_norm.weight");
                             tensors.add("encoder.layer_norm.weight", test::hashedSpeechTensor("", "x", {5}));
                         }),
                         "has the shape [5] where [12] is needed"));
    }

    void everyTensorOfAConformerIsUsedOnce()
    {
        const json &numbers = m_numbers.at("conformer").at("batch");
        const auto refusal = [&](const std::function<void(weights::TensorStore &)> &change) {
            return sentenceOf(ErrorKind::Model, [&] {
                weights::ConformerCheckpoint checkpoint = test::hashedConformer("batch", numbers, numbers.at("config"));
                change(checkpoint.tensors);
                (void)speech::loadConformer(std::move(checkpoint), {});
            });
        };
        QVERIFY(refusal([](weights::TensorStore &) {}).empty());
        for (const auto &[name, shape] : numbers.at("shapes").items()) {
            const std::string missing = refusal([&tensor = name](weights::TensorStore &tensors) { tensors.remove(tensor); });
            QVERIFY2(contains(missing, "\"" + name + "\" is missing"), missing.c_str());
        }
        QVERIFY(contains(refusal([](weights::TensorStore &tensors) { tensors.add("adapter.1.weight", test::hashedSpeechTensor("", "x", {2})); }),
                         "\"adapter.1.weight\""));
    }

    // The trainer uses the same layers: every parameter of an encoder and its adapter gets a gradient.
    void gradientsFlow_data()
    {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("name");
        QTest::newRow("wav2vec 2, large") << "wav2vec2"
                                          << "large";
        QTest::newRow("wav2vec 2, norms after") << "wav2vec2"
                                                << "after";
        QTest::newRow("conformer, batch norm") << "conformer"
                                               << "batch";
        QTest::newRow("conformer, layer norm") << "conformer"
                                               << "layer";
    }
    void gradientsFlow()
    {
        QFETCH(QString, kind);
        QFETCH(QString, name);
        const json &numbers = m_numbers.at(kind.toStdString()).at(name.toStdString());
        std::map<std::string, at::Tensor> parameters;
        weights::TensorStore tensors("none");
        const auto collecting = [&parameters, &tensors](const std::string &parameter, const std::vector<std::int64_t> &shape) {
            at::Tensor value = nn::tensorFrom(tensors.take(parameter, shape), {});
            if (!parameter.ends_with("mean") && !parameter.ends_with("variance")) {
                parameters[parameter] = value.requires_grad_(true);
            }
            return value;
        };
        const speech::LayerSource source{collecting};
        std::unique_ptr<speech::SpeechEncoder> encoder;
        if (kind == "wav2vec2") {
            weights::Wav2Vec2Checkpoint checkpoint = test::hashedWav2Vec2(name.toStdString(), numbers, withStreaming(numbers.at("config"), numbers.at("left")));
            tensors = std::move(checkpoint.tensors);
            encoder = std::make_unique<speech::Wav2Vec2Encoder>(checkpoint.config, source, nn::Placement{});
        } else {
            json config = numbers.at("config");
            config.erase("braid_adapter");
            weights::ConformerCheckpoint checkpoint = test::hashedConformer(name.toStdString(), numbers, config);
            tensors = std::move(checkpoint.tensors);
            encoder = std::make_unique<speech::ConformerEncoder>(checkpoint.config, source, nn::Placement{});
        }
        const std::vector<float> sound = test::hashedSound(kind == "wav2vec2" ? 540 : 9000);
        const at::Tensor rows = encoder->whole(sound, chunkingOf(numbers));
        rows.square().sum().backward();
        QVERIFY(!parameters.empty());
        for (const auto &[parameter, value] : parameters) {
            // Adds the same to the score of every frame that is looked at, so the softmax takes it out.
            const bool cancels = parameter.ends_with("k_proj.bias") || parameter.ends_with("key.bias");
            QVERIFY2(value.grad().defined() && (cancels || value.grad().abs().sum().item<float>() > 0), parameter.c_str());
        }
    }
};

QTEST_GUILESS_MAIN(tst_speech_encoders_parity)
#include "tst_speech_encoders_parity.moc"
