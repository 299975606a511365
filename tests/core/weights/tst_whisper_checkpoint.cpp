// A Whisper reads the same from every format, is complete and nothing else, and bad folders get a sentence.
#include <QTemporaryDir>
#include <QtTest>

#include <fstream>

#include "core/weights/huggingface_whisper.h"
#include "core/weights/safetensors.h"
#include "core/weights/whisper_checkpoint.h"
#include "core/weights/whisper_names.h"
#include "tests/core/weights/tensor_checks.h"
#include "tests/support/error_sentence.h"

using namespace braid;
using namespace braid::weights;
using braid::test::sentenceOf;
namespace fs = std::filesystem;

namespace {

const fs::path kFiles = BRAID_SOURCE_DIR "/tests/parity/weights";

void write(const fs::path &path, const std::string &text)
{
    std::ofstream(path, std::ios::binary) << text;
}

// A copy of the tiny folder whose configuration can be changed.
struct Folder {
    QTemporaryDir temporary;
    fs::path path = temporary.path().toStdString();
    nlohmann::json config = test::readJson(kFiles / "hf/config.json");
    nlohmann::json generation = test::readJson(kFiles / "hf/generation_config.json");

    Folder()
    {
        fs::copy_file(kFiles / "hf/model.safetensors", path / "model.safetensors");
        save();
    }
    void save() const
    {
        write(path / "config.json", config.dump());
        write(path / "generation_config.json", generation.dump());
    }
    [[nodiscard]] std::string problem() const
    {
        save();
        return sentenceOf(ErrorKind::Model, [&] { (void)readWhisperCheckpoint(path); });
    }
};

std::string firstDifference(const TensorStore &tensors, const nlohmann::json &wanted)
{
    if (tensors.names().size() != wanted.size()) {
        return "there are " + std::to_string(tensors.names().size()) + " tensors";
    }
    for (const auto &[name, entry] : wanted.items()) {
        if (const auto problem = test::difference(tensors.peek(name), entry); !problem.empty()) {
            return name + ": " + problem;
        }
    }
    return {};
}

}  // namespace

class WhisperCheckpointTest : public QObject {
    Q_OBJECT
  private:
    nlohmann::json m_expected = test::readJson(kFiles / "expected.json");

    void compareDims(const WhisperDims &dims) const
    {
        const auto &wanted = m_expected["dims"];
        QCOMPARE(dims.n_mels, wanted["n_mels"].get<std::int64_t>());
        QCOMPARE(dims.n_audio_ctx, wanted["n_audio_ctx"].get<std::int64_t>());
        QCOMPARE(dims.n_audio_state, wanted["n_audio_state"].get<std::int64_t>());
        QCOMPARE(dims.n_audio_head, wanted["n_audio_head"].get<std::int64_t>());
        QCOMPARE(dims.n_audio_layer, wanted["n_audio_layer"].get<std::int64_t>());
        QCOMPARE(dims.n_vocab, wanted["n_vocab"].get<std::int64_t>());
        QCOMPARE(dims.n_text_ctx, wanted["n_text_ctx"].get<std::int64_t>());
        QCOMPARE(dims.n_text_state, wanted["n_text_state"].get<std::int64_t>());
        QCOMPARE(dims.n_text_head, wanted["n_text_head"].get<std::int64_t>());
        QCOMPARE(dims.n_text_layer, wanted["n_text_layer"].get<std::int64_t>());
    }

  private Q_SLOTS:
    // transformers wrote both folders; the names come out as OpenAI's with OpenAI's values.
    void huggingFaceFolders_data()
    {
        QTest::addColumn<QString>("folder");
        QTest::newRow("single") << "hf";
        QTest::newRow("sharded") << "hf-sharded";
    }

    void huggingFaceFolders()
    {
        QFETCH(const QString, folder);
        const auto checkpoint = readWhisperCheckpoint(kFiles / folder.toStdString());
        compareDims(checkpoint.dims);
        QCOMPARE(checkpoint.dims.n_audio_mlp, 32);
        QCOMPARE(checkpoint.dims.conv1_stride, 1);
        QCOMPARE(checkpoint.padding, WindowPadding::FullWindow);
        const auto problem = firstDifference(checkpoint.tensors, m_expected["tensors"]["hf"]);
        QVERIFY2(problem.empty(), problem.c_str());
        QCOMPARE(checkpoint.alignment_heads, (std::vector<std::pair<int, int>>{{0, 3}, {1, 2}}));
        QCOMPARE(checkpoint.suppressed_tokens, (std::vector<std::int32_t>{4, 5}));
        QVERIFY(!checkpoint.streaming && checkpoint.adapters.names().empty() && checkpoint.tokenizer_path.empty());
    }

    void aPickledHuggingFaceFileWithItsTiedProjection()
    {
        Folder folder;
        fs::remove(folder.path / "model.safetensors");
        fs::copy_file(kFiles / "pytorch_model.bin", folder.path / "pytorch_model.bin");
        const auto checkpoint = readWhisperCheckpoint(folder.path);
        const auto problem = firstDifference(checkpoint.tensors, m_expected["tensors"]["hf"]);
        QVERIFY2(problem.empty(), problem.c_str());
    }

    void openAiFile()
    {
        const auto checkpoint = readWhisperCheckpoint(kFiles / "openai.pt");
        compareDims(checkpoint.dims);
        const auto problem = firstDifference(checkpoint.tensors, m_expected["tensors"]["openai.pt"]);
        QVERIFY2(problem.empty(), problem.c_str());
        QVERIFY(!checkpoint.streaming && checkpoint.adapters.names().empty());
    }

    void carelessWhisperKeepsItsAdaptersApart_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("chunk");
        QTest::addColumn<int>("extra");
        QTest::newRow("published") << "careless.pt" << 15 << 1;
        QTest::newRow("training checkpoint with a pickled class") << "lightning.ckpt" << 5 << 4;
    }

    void carelessWhisperKeepsItsAdaptersApart()
    {
        QFETCH(const QString, file);
        QFETCH(const int, chunk);
        QFETCH(const int, extra);
        const auto checkpoint = readWhisperCheckpoint(kFiles / file.toStdString());
        compareDims(checkpoint.dims);
        QVERIFY(checkpoint.streaming.has_value());
        QCOMPARE(checkpoint.streaming->chunk_frames, chunk);
        QCOMPARE(checkpoint.streaming->extra_first_chunks, extra);
        QCOMPARE(checkpoint.streaming->rank, 3);
        QCOMPARE(checkpoint.streaming->default_chunk_ms, 20 * chunk);
        QCOMPARE(checkpoint.streaming->first_chunk_ms, 20 * chunk * (1 + extra));
        const auto &wanted = m_expected["tensors"]["careless.pt"];
        QCOMPARE(checkpoint.tensors.names().size() + checkpoint.adapters.names().size(), wanted.size());
        QCOMPARE(checkpoint.adapters.names().size(), 2u * 4 * (1 + 2 * 2));
        for (const auto &[name, entry] : wanted.items()) {
            const auto &store = name.find(".lora_") == std::string::npos ? checkpoint.tensors : checkpoint.adapters;
            const auto problem = test::difference(store.peek(name), entry);
            QVERIFY2(problem.empty(), (name + ": " + problem).c_str());
        }
    }

    void theHeaderNeedsNoWeights()
    {
        for (const char *name : {"hf", "hf-sharded", "openai.pt", "careless.pt", "lightning.ckpt"}) {
            const auto header = readWhisperHeader(kFiles / name);
            compareDims(header.dims);
            QVERIFY(header.tensors.names().empty());
        }
        QVERIFY(readWhisperHeader(kFiles / "careless.pt").streaming.has_value());
    }

    void braidsOwnKeysAreRead()
    {
        Folder folder;
        folder.config["encoder_conv1_stride"] = 2;
        folder.config["pad_to_window"] = false;
        folder.config["braid_languages"] = {"en", "de"};
        folder.save();
        const auto checkpoint = readWhisperCheckpoint(folder.path);
        QCOMPARE(checkpoint.dims.conv1_stride, 2);
        QCOMPARE(checkpoint.padding, WindowPadding::None);
        QCOMPARE(checkpoint.languages, (std::vector<std::string>{"en", "de"}));
    }

    void everySecondFrameOfAWhisperIsKept()
    {
        Folder folder;
        folder.save();
        QCOMPARE(readWhisperCheckpoint(folder.path).dims.strides(), (ConvStrides{1, 2}));
        folder.config["encoder_conv2_stride"] = 4;
        folder.config["braid_streaming"] = {{"first_chunk_ms", 400}, {"default_chunk_ms", 300}};
        folder.config["max_source_positions"] = 10;
        const auto read = [&folder] {
            WhisperCheckpoint checkpoint("test");
            applyHuggingFaceConfig(folder.config.dump(), "", "folder", checkpoint);
            return checkpoint;
        };
        QCOMPARE(read().dims.strides(), (ConvStrides{1, 4}));
        QCOMPARE(read().streaming->chunk_frames, 7);  // of 40 ms
        folder.config["braid_streaming"]["default_chunk_ms"] = 39;
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(read()), Error);
        folder.config.erase("braid_streaming");
        folder.config["encoder_conv1_stride"] = 1;
        QCOMPARE(read().dims.strides(), (ConvStrides{1, 4}));
        folder.config["encoder_conv1_stride"] = 2;
        QVERIFY(folder.problem().find("only one of its convolutions can have another stride") != std::string::npos);
    }

    void streamingModelsSayTheirChunks()
    {
        Folder folder;
        folder.config["braid_streaming"] = {{"first_chunk_ms", 400}, {"default_chunk_ms", 300}, {"chunk_ms_min", 100}, {"chunk_ms_max", 500}};
        folder.config["max_source_positions"] = 25;
        const auto read = [&folder] {
            WhisperCheckpoint checkpoint("test");
            applyHuggingFaceConfig(folder.config.dump(), "", "folder", checkpoint);
            return checkpoint.streaming;
        };
        const auto streaming = read();
        QVERIFY(streaming.has_value());
        QCOMPARE(streaming->first_chunk_ms, 400);
        QCOMPARE(streaming->default_chunk_ms, 300);
        QCOMPARE(streaming->chunk_ms_min, 100);
        QCOMPARE(streaming->chunk_ms_max, 500);
        QCOMPARE(streaming->reencode_ms, 0);
        folder.config["braid_streaming"]["reencode_ms"] = 450;
        QCOMPARE(read()->reencode_ms, 450);
        // Numbers from strangers: in range, in order, numbers at all, and nothing that is not known.
        const auto refuses = [&](const char *key, const nlohmann::json &value) {
            const nlohmann::json before = folder.config["braid_streaming"];
            folder.config["braid_streaming"][key] = value;
            QVERIFY_EXCEPTION_THROWN(static_cast<void>(read()), Error);
            folder.config["braid_streaming"] = before;
        };
        for (const char *key : {"first_chunk_ms", "default_chunk_ms", "chunk_ms_min", "chunk_ms_max"}) {
            for (const nlohmann::json &value : {nlohmann::json(0), nlohmann::json(-300), nlohmann::json(19), nlohmann::json(501), nlohmann::json(1e300),
                                                nlohmann::json("300"), nlohmann::json(1LL << 62)}) {
                refuses(key, value);
            }
        }
        for (const nlohmann::json &value : {nlohmann::json(-1), nlohmann::json(501), nlohmann::json("450"), nlohmann::json(1LL << 62)}) {
            refuses("reencode_ms", value);
        }
        refuses("chunk_ms_min", 320);
        refuses("chunk_ms_max", 280);
        refuses("chunks", 300);
        folder.config["braid_streaming"] = 300;
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(read()), Error);
        folder.config["braid_streaming"] = nullptr;
        QVERIFY(!read().has_value());
    }

    void publishedModelsHaveTheirAlignmentHeads()
    {
        const auto heads = [](const char *name, int state, int layers, int text_layers, int vocabulary, int mels) {
            const nlohmann::json config = {{"model_type", "whisper"},
                                           {"d_model", state},
                                           {"encoder_layers", layers},
                                           {"decoder_layers", text_layers},
                                           {"vocab_size", vocabulary},
                                           {"encoder_attention_heads", state / 64},
                                           {"decoder_attention_heads", state / 64},
                                           {"encoder_ffn_dim", 4 * state},
                                           {"decoder_ffn_dim", 4 * state},
                                           {"num_mel_bins", mels}};
            WhisperCheckpoint checkpoint("test");
            applyHuggingFaceConfig(config.dump(), "", name, checkpoint);
            return checkpoint.alignment_heads;
        };
        using Heads = std::vector<std::pair<int, int>>;
        QCOMPARE(heads("whisper-tiny.en", 384, 4, 4, 51864, 80), (Heads{{1, 0}, {2, 0}, {2, 5}, {3, 0}, {3, 1}, {3, 2}, {3, 3}, {3, 4}}));
        QCOMPARE(heads("whisper-base", 512, 6, 6, 51865, 80).size(), 8u);
        QCOMPARE(heads("whisper-small.en", 768, 12, 12, 51864, 80).size(), 19u);
        QCOMPARE(heads("whisper-medium.en", 1024, 24, 24, 51864, 80).size(), 18u);
        QCOMPARE(heads("whisper-large-v1", 1280, 32, 32, 51865, 80).size(), 9u);
        QCOMPARE(heads("whisper-large-v2", 1280, 32, 32, 51865, 80).size(), 23u);
        QCOMPARE(heads("whisper-large-v3", 1280, 32, 32, 51866, 128).size(), 10u);
        QCOMPARE(heads("whisper-large-v3-turbo", 1280, 32, 4, 51866, 128), (Heads{{2, 4}, {2, 11}, {3, 3}, {3, 6}, {3, 11}, {3, 14}}));
        QVERIFY(heads("other", 64, 4, 4, 1000, 80).empty());
    }

    void theTokenizerIsFound()
    {
        Folder folder;
        QVERIFY(readWhisperHeader(folder.path).tokenizer_path.empty());
        write(folder.path / "some.tiktoken", "");
        QCOMPARE(readWhisperHeader(folder.path).tokenizer_path, folder.path / "some.tiktoken");
        write(folder.path / "multilingual.tiktoken", "");
        QCOMPARE(readWhisperHeader(folder.path).tokenizer_path, folder.path / "multilingual.tiktoken");
        write(folder.path / "vocab.json", "");
        write(folder.path / "merges.txt", "");
        QCOMPARE(readWhisperHeader(folder.path).tokenizer_path, folder.path / "vocab.json");
        write(folder.path / "tokenizer.json", "");
        QCOMPARE(readWhisperHeader(folder.path).tokenizer_path, folder.path / "tokenizer.json");

        QTemporaryDir temporary;
        const fs::path models = temporary.path().toStdString();
        fs::copy_file(kFiles / "openai.pt", models / "tiny.pt");
        fs::create_directory(models / "tokenizers");
        write(models / "tokenizers/gpt2.tiktoken", "");
        QVERIFY(readWhisperHeader(models / "tiny.pt").tokenizer_path.empty());  // of another kind of model
        write(models / "tokenizers/multilingual.tiktoken", "");
        QCOMPARE(readWhisperHeader(models / "tiny.pt").tokenizer_path, models / "tokenizers/multilingual.tiktoken");
    }

    void aWeightOfAnotherModelIsNamed()
    {
        Folder folder;
        folder.config["encoder_layers"] = 2;
        QVERIFY(folder.problem().find("\"encoder.blocks.1.attn.query.weight\"") != std::string::npos);
        folder.config["encoder_layers"] = 1;
        folder.config["decoder_layers"] = 1;
        folder.generation.erase("alignment_heads");
        QVERIFY(folder.problem().find("24 tensors do not belong to a Whisper of these sizes: \"decoder.blocks.1.") != std::string::npos);
        folder.config["decoder_layers"] = 2;
        folder.config["vocab_size"] = 12;
        QVERIFY(folder.problem().find("\"decoder.token_embedding.weight\" has the shape [11, 8] where the model's sizes ask for [12, 8]") != std::string::npos);
        folder.config["vocab_size"] = 11;
        QCOMPARE(folder.problem(), std::string());
    }

    void anUntiedProjectionIsAnotherModel()
    {
        Folder folder;
        auto file = readSafetensors(folder.path / "model.safetensors");
        auto changed = *file.tensors.peek("model.decoder.embed_tokens.weight");
        auto bytes = std::make_shared<std::vector<std::byte>>(changed.bytes.begin(), changed.bytes.end());
        changed.bytes = *bytes;
        file.tensors.add("proj_out.weight", changed);
        writeSafetensors(folder.path / "tied.safetensors", file.tensors);
        bytes->back() ^= std::byte{1};
        writeSafetensors(folder.path / "untied.safetensors", file.tensors);
        fs::rename(folder.path / "tied.safetensors", folder.path / "model.safetensors");
        QCOMPARE(folder.problem(), std::string());
        fs::rename(folder.path / "untied.safetensors", folder.path / "model.safetensors");
        QVERIFY(folder.problem().find("differs from the token embedding") != std::string::npos);
    }

    void settingsThisProgramDoesNotHaveAreRefused_data()
    {
        QTest::addColumn<QByteArray>("key");
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<QString>("part");
        const auto row = [](const char *key, const char *value, const char *part) {
            QTest::newRow((std::string(key) + " " + value).c_str()) << QByteArray(key) << QByteArray(value) << part;
        };
        row("model_type", "\"wav2vec2\"", "it is a \"wav2vec2\"");
        row("model_type", "7", "not a Whisper");
        row("activation_function", "\"relu\"", "activation_function");
        row("scale_embedding", "true", "scales its embeddings");
        row("tie_word_embeddings", "false", "not tied");
        row("quantization_config", "{}", "quantised");
        row("d_model", "-8", "encoder width");
        row("d_model", "1e300", "whole number");
        row("d_model", "7", "does not divide");
        row("encoder_layers", "1000000000", "encoder layers");
        row("vocab_size", "9223372036854775807", "tokens");
        row("encoder_attention_heads", "0", "encoder heads");
        row("encoder_conv1_stride", "3", "stride of its first convolution can be 1 or 2, not 3");
        for (const char *wrong : {"0", "1", "3", "8", "-4", "4294967298"}) {
            row("encoder_conv2_stride", wrong, "stride of its second convolution can be 2 or 4, not ");
        }
        row("encoder_conv2_stride", "4.0", "not a whole number");
        row("encoder_conv2_stride", "\"4\"", "not a whole number");
        row("pad_to_window", "\"no\"", "neither true nor false");
        row("braid_languages", "[1]", "no language code");
    }

    void settingsThisProgramDoesNotHaveAreRefused()
    {
        QFETCH(const QByteArray, key);
        QFETCH(const QByteArray, value);
        QFETCH(const QString, part);
        Folder folder;
        folder.config[key.toStdString()] = nlohmann::json::parse(value.toStdString());
        const auto sentence = QString::fromStdString(folder.problem());
        QVERIFY2(sentence.contains(part) && sentence.contains("config.json"), qPrintable("\"" + sentence + "\" should speak of \"" + part + "\""));
    }

    void impossibleGenerationSettingsAreRefused()
    {
        Folder folder;
        folder.generation["alignment_heads"] = {{2, 0}};
        QVERIFY(folder.problem().find("a head that the model does not have") != std::string::npos);
        folder.generation["alignment_heads"] = {{0, -1}};
        QVERIFY(folder.problem().find("a head that the model does not have") != std::string::npos);
        folder.generation["alignment_heads"] = nullptr;
        folder.generation["suppress_tokens"] = {11};
        QVERIFY(folder.problem().find("a token that the model does not have") != std::string::npos);
        folder.generation["suppress_tokens"] = {-1};
        QCOMPARE(folder.problem(), std::string());
    }

    void whatIsNoModelGetsASentence()
    {
        const auto sentence = [](const fs::path &path) { return sentenceOf(ErrorKind::Model, [&] { (void)readWhisperCheckpoint(path); }); };
        QTemporaryDir temporary;
        const fs::path folder = temporary.path().toStdString();
        QVERIFY(sentence(folder).find("no config.json") != std::string::npos);
        QVERIFY(sentence(folder / "missing").find("no such model") != std::string::npos);
        write(folder / "song.mp3", "ID3");
        QVERIFY(sentence(folder / "song.mp3").find("not a model file") != std::string::npos);
        write(folder / "empty.pt", "");
        QVERIFY(sentence(folder / "empty.pt").find("the file is empty") != std::string::npos);
        QVERIFY(sentence(kFiles / "odd.pt").find("does not say the sizes") != std::string::npos);
        fs::copy_file(kFiles / "hf/config.json", folder / "config.json");
        QVERIFY(sentence(folder).find("no weights in this folder") != std::string::npos);
        write(folder / "model.safetensors.index.json", R"({"weight_map":{"a":"lost.safetensors"}})");
        QVERIFY(sentence(folder).find("lost.safetensors: cannot be read: there is no such file") != std::string::npos);
    }

    void theModelInTheBoxIsComplete()
    {
        const fs::path folder = BRAID_SOURCE_DIR "/resources/models/captions-en";
        if (!fs::exists(folder / "model.safetensors")) {
            QSKIP("the model in the box is not there yet");
        }
        const auto checkpoint = readWhisperCheckpoint(folder);
        QCOMPARE(checkpoint.tensors.names().size(), expectedWhisperTensors(checkpoint.dims).size());
        QCOMPARE(checkpoint.tokenizer_path, folder / "tokenizer.json");
        QVERIFY(!checkpoint.alignment_heads.empty());
    }

    void namesThatAreNotWhispersAreRefused()
    {
        QCOMPARE(openAiNameOf("model.encoder.layers.0.self_attn.q_proj.weight"), std::optional<std::string>("encoder.blocks.0.attn.query.weight"));
        QCOMPARE(openAiNameOf("decoder.layers.11.fc2.bias"), std::optional<std::string>("decoder.blocks.11.mlp.2.bias"));
        for (const char *name :
             {"", "model.", "model.encoder", "model.encoder.layers..fc1.weight", "model.encoder.layers.x.fc1.weight", "model.encoder.layers.0.fc1.scale",
              "model.encoder.layers.0.encoder_attn.q_proj.weight", "model.encoder.layers.99999.fc1.weight", "model.encoder.embed_tokens.weight"}) {
            QVERIFY2(!openAiNameOf(name), name);
        }
    }
};

QTEST_APPLESS_MAIN(WhisperCheckpointTest)
#include "tst_whisper_checkpoint.moc"
