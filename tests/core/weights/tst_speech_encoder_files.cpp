// Configurations of speech encoders: the published sizes of wav2vec 2, our own conformer's, what both share; what is unknown, contradictory, incomplete or
// hostile gets a sentence.
#include <QTemporaryDir>
#include <QtTest>

#include <fstream>

#include <nlohmann/json.hpp>

#include "core/weights/conformer.h"
#include "core/weights/safetensors.h"
#include "core/weights/wav2vec2.h"
#include "tests/support/error_sentence.h"

using namespace braid;
using namespace braid::weights;
using braid::test::contains;
using braid::test::sentenceOf;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

// The sizes that facebook/wav2vec2-base and facebook/wav2vec2-large-960h-lv60-self publish.
json base()
{
    return {{"model_type", "wav2vec2"},
            {"conv_dim", {512, 512, 512, 512, 512, 512, 512}},
            {"conv_kernel", {10, 3, 3, 3, 3, 2, 2}},
            {"conv_stride", {5, 2, 2, 2, 2, 2, 2}},
            {"num_feat_extract_layers", 7},
            {"conv_bias", false},
            {"feat_extract_norm", "group"},
            {"feat_extract_activation", "gelu"},
            {"do_stable_layer_norm", false},
            {"hidden_size", 768},
            {"hidden_act", "gelu"},
            {"num_hidden_layers", 12},
            {"num_attention_heads", 12},
            {"intermediate_size", 3072},
            {"num_conv_pos_embeddings", 128},
            {"num_conv_pos_embedding_groups", 16},
            {"layer_norm_eps", 1e-5},
            {"add_adapter", false},
            {"adapter_attn_dim", nullptr}};
}

json conformer()
{
    const json block = {{"channels", 64}, {"convolutions", 2}, {"kernel", 3}, {"pool_time", 3}, {"pool_bands", 2}};
    json second = block;
    second["channels"] = 128;
    second["pool_time"] = 2;
    return {{"model_type", "braid-conformer"},
            {"mel_bands", 80},
            {"front", {block, second}},
            {"width", 512},
            {"layers", 12},
            {"heads", 8},
            {"mlp_width", 2048},
            {"kernel", 15},
            {"convolution_norm", "layer"},
            {"braid_adapter", {{"stack", 3}, {"widths", {768}}}}};
}

json changed(json config, const json &changes)
{
    config.merge_patch(changes);
    return config;
}

Wav2Vec2Config wav2vec2(const json &config, const std::string &preprocessor = {})
{
    return parseWav2Vec2Config(config.dump(), preprocessor, "config.json");
}

std::string problem(const json &changes)
{
    return sentenceOf(ErrorKind::Model, [&] { (void)wav2vec2(changed(base(), changes)); });
}

std::string conformerProblem(const json &changes)
{
    return sentenceOf(ErrorKind::Model, [&] { (void)parseConformerConfig(changed(conformer(), changes).dump(), "config.json"); });
}

}  // namespace

class tst_speech_encoder_files : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void publishedSizesOfWav2Vec2()
    {
        const Wav2Vec2Config small = wav2vec2(base());
        QCOMPARE(small.hopSamples(), std::int64_t{320});    // "every 20 ms"
        QCOMPARE(small.fieldSamples(), std::int64_t{400});  // "400 samples, with an 80-sample overlap" (seed 000, B.1)
        QCOMPARE(small.feature_norm, Wav2Vec2FeatureNorm::GroupOnFirst);
        QCOMPARE(small.block_norm, Wav2Vec2BlockNorm::After);
        QCOMPARE(small.positions, Wav2Vec2Positions::Centred);
        QCOMPARE(small.loudness, Wav2Vec2Loudness::AsItIs);
        QVERIFY(!small.adapter);
        QVERIFY(!small.streaming.left_context_frames);

        const Wav2Vec2Config large = wav2vec2(changed(base(), {{"hidden_size", 1024},
                                                               {"num_hidden_layers", 24},
                                                               {"num_attention_heads", 16},
                                                               {"intermediate_size", 4096},
                                                               {"conv_bias", true},
                                                               {"feat_extract_norm", "layer"},
                                                               {"do_stable_layer_norm", true},
                                                               {"braid_streaming", {{"chunk_ms", 400}, {"left_context_frames", 100}}},
                                                               {"braid_adapter", {{"widths", {3072, 3072}}}}}),
                                              R"({"do_normalize": true, "feature_size": 1, "sampling_rate": 16000, "padding_value": 0.0})");
        QCOMPARE(large.feature_norm, Wav2Vec2FeatureNorm::LayerOnAll);
        QCOMPARE(large.block_norm, Wav2Vec2BlockNorm::Before);
        QCOMPARE(large.positions, Wav2Vec2Positions::Causal);
        QCOMPARE(large.loudness, Wav2Vec2Loudness::Normalised);
        QVERIFY(large.convolution_bias);
        QCOMPARE(large.streaming.left_context_frames.value_or(0), std::int64_t{100});
        QCOMPARE(large.streaming.first_chunk_ms, std::int64_t{400});
        QVERIFY(large.adapter == (SpeechAdapterConfig{1, {3072, 3072}}));
    }

    void conformerOfThePaper()
    {
        const ConformerConfig config = parseConformerConfig(conformer().dump(), "config.json");
        QCOMPARE(config.melFrames(), std::int64_t{6});  // "6x downsampling" (seed 004)
        QCOMPARE(config.frontWidth(), std::int64_t{128 * 20});
        QVERIFY(config.adapter == (SpeechAdapterConfig{3, {768}}));  // "3x stacking with linear projection"
        // Bands that fill no group make one of their own.
        QCOMPARE(parseConformerConfig(changed(conformer(), {{"mel_bands", 81}}).dump(), "").frontWidth(), std::int64_t{128 * 21});
    }

    void wav2vec2IsRefusedWithASentence_data()
    {
        QTest::addColumn<QString>("changes");
        QTest::addColumn<QString>("says");
        const auto row = [](const char *name, const char *changes, const char *says) { QTest::newRow(name) << QString(changes) << QString(says); };
        row("another model", R"({"model_type": "hubert"})", "not wav2vec2");
        row("no kind", R"({"model_type": null})", "\"model_type\" is missing");
        row("quantised", R"({"quantization_config": {}})", "quantised");
        row("adapters of its own", R"({"add_adapter": true})", "add_adapter");
        row("adapters in attention", R"({"adapter_attn_dim": 16})", "adapter_attn_dim");
        row("another activation", R"({"hidden_act": "relu"})", "only \"gelu\"");
        row("another activation in the extractor", R"({"feat_extract_activation": "silu"})", "only \"gelu\"");
        row("another norm", R"({"feat_extract_norm": "batch"})", "neither \"group\" nor \"layer\"");
        row("no convolution", R"({"conv_dim": []})", "\"conv_dim\" is not a list");
        row("thousands of convolutions", R"({"conv_dim": [1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]})", "\"conv_dim\" is not a list");
        row("fewer kernels", R"({"conv_kernel": [10, 3]})", "\"conv_kernel\" is not a list of 7 to 7");
        row("a stride of zero", R"({"conv_stride": [5, 2, 2, 2, 2, 2, 0]})", "\"conv_stride\" holds something");
        row("half a channel", R"({"conv_dim": [512, 512, 512, 512, 512, 512, 0.5]})", "\"conv_dim\" holds something");
        row("steps over sound", R"({"conv_stride": [11, 2, 2, 2, 2, 2, 2]})", "no frame reads");
        row("frames of minutes", R"({"conv_kernel": [1000, 1000, 3, 3, 3, 2, 2], "conv_stride": [1000, 1000, 2, 2, 2, 2, 2]})", "more than a second");
        row("another count", R"({"num_feat_extract_layers": 6})", "contradict each other");
        row("heads", R"({"num_attention_heads": 7})", "not a multiple of \"num_attention_heads\"");
        row("groups", R"({"num_conv_pos_embedding_groups": 7})", "not a multiple of \"num_conv_pos_embedding_groups\"");
        row("width", R"({"hidden_size": 1e12})", "which is not between");
        row("layers", R"({"num_hidden_layers": 0})", "which is not between");
        row("no epsilon", R"({"layer_norm_eps": 0})", "outside");
        row("streaming, unknown", R"({"braid_streaming": {"right_context": 3}})", "\"right_context\" is a setting this program does not know");
        row("streaming, negative", R"({"braid_streaming": {"left_context_frames": -1}})", "which is not between");
        row("streaming, no table", R"({"braid_streaming": 3})", "not a table");
        row("streaming, a text", R"({"braid_streaming": {"causal_positions": "yes"}})", "neither true nor false");
        row("adapter, unknown", R"({"braid_adapter": {"widths": [3], "bias": true}})", "\"bias\" is a setting this program does not know");
        row("adapter, no layer", R"({"braid_adapter": {"widths": []}})", "\"widths\" is not a list of 1 to 8");
        row("adapter, stack", R"({"braid_adapter": {"stack": 65, "widths": [3]}})", "which is not between");
    }
    void wav2vec2IsRefusedWithASentence()
    {
        QFETCH(QString, changes);
        QFETCH(QString, says);
        const std::string sentence = problem(json::parse(changes.toStdString()));
        QVERIFY2(contains(sentence, says.toStdString()), sentence.c_str());
        QVERIFY(contains(sentence, "config.json"));
    }

    void preprocessorIsRefusedWithASentence()
    {
        const auto sentence = [](const char *text) { return sentenceOf(ErrorKind::Model, [&] { (void)wav2vec2(base(), text); }); };
        QVERIFY(contains(sentence(R"({"sampling_rate": 8000})"), "8000"));
        QVERIFY(contains(sentence(R"({"feature_size": 80})"), "80"));
        QVERIFY(contains(sentence(R"({"do_normalize": "no"})"), "neither true nor false"));
        QVERIFY(contains(sentence("{"), "preprocessor_config.json"));
        QCOMPARE(wav2vec2(base(), R"({"do_normalize": false})").loudness, Wav2Vec2Loudness::AsItIs);
    }

    void conformersAreRefusedWithASentence_data()
    {
        QTest::addColumn<QString>("changes");
        QTest::addColumn<QString>("says");
        const auto row = [](const char *name, const char *changes, const char *says) { QTest::newRow(name) << QString(changes) << QString(says); };
        row("another model", R"({"model_type": "wav2vec2"})", "not braid-conformer");
        row("unknown", R"({"subsampling": 4})", "\"subsampling\" is a setting this program does not know");
        row("no front", R"({"front": null})", "\"front\" is not a list");
        row("an empty front", R"({"front": []})", "\"front\" is not a list");
        row("no block", R"({"front": [7]})", "not a table");
        row("an even kernel", R"({"front": [{"channels": 4, "kernel": 2}]})", "no middle");
        row("a block's unknown", R"({"front": [{"channels": 4, "stride": 2}]})", "\"stride\" is a setting");
        row("frames of minutes", R"({"front": [{"channels": 4, "pool_time": 64}, {"channels": 4, "pool_time": 64}]})", "longer than a second");
        row("no bands", R"({"mel_bands": 0})", "which is not between");
        row("heads", R"({"heads": 7})", "not a multiple of \"heads\"");
        row("an odd width", R"({"width": 15, "heads": 3})", "odd");
        row("another norm", R"({"convolution_norm": "group"})", "neither \"batch\" nor \"layer\"");
        row("streaming, positions", R"({"braid_streaming": {"causal_positions": true}})", "\"causal_positions\" is a setting this program does not know");
    }
    void conformersAreRefusedWithASentence()
    {
        QFETCH(QString, changes);
        QFETCH(QString, says);
        const std::string sentence = conformerProblem(json::parse(changes.toStdString()));
        QVERIFY2(contains(sentence, says.toStdString()), sentence.c_str());
    }

    // A folder: both files, weights of any spelling; what is missing is named.
    void folders()
    {
        const QTemporaryDir place;
        const fs::path folder(place.path().toStdString());
        QVERIFY(contains(sentenceOf(ErrorKind::Model, [&] { (void)readWav2Vec2(folder); }), "no config.json"));
        QVERIFY(contains(sentenceOf(ErrorKind::Model, [&] { (void)readConformer(folder); }), "no config.json"));
        std::ofstream(folder / "config.json") << base().dump();
        std::ofstream(folder / "preprocessor_config.json") << R"({"do_normalize": true})";
        QVERIFY(!sentenceOf(ErrorKind::Model, [&] { (void)readWav2Vec2(folder); }).empty());  // no weights
        static const float kNumbers[4] = {};
        StoredTensor tensor;
        tensor.shape = {4};
        tensor.bytes = std::as_bytes(std::span(kNumbers));
        TensorStore tensors("published");
        for (const char *name : {"wav2vec2.encoder.layer_norm.bias", "wav2vec2.masked_spec_embed", "lm_head.weight", "quantizer.codevectors",
                                 "wav2vec2.encoder.pos_conv_embed.conv.parametrizations.weight.original0"}) {
            tensors.add(name, tensor);
        }
        writeSafetensors(folder / "model.safetensors", tensors);
        const Wav2Vec2Checkpoint checkpoint = readWav2Vec2(folder);
        QCOMPARE(checkpoint.config.loudness, Wav2Vec2Loudness::Normalised);
        QVERIFY(checkpoint.tensors.names() == (std::vector<std::string>{"encoder.layer_norm.bias", "encoder.pos_conv_embed.conv.weight_g"}));

        std::ofstream(folder / "config.json") << conformer().dump();
        QCOMPARE(readConformer(folder).config.width, std::int64_t{512});
    }
};

QTEST_GUILESS_MAIN(tst_speech_encoder_files)
#include "tst_speech_encoder_files.moc"
