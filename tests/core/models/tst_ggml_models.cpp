// A Whisper says the same from whisper.cpp's file as from a Hugging Face folder, and with weights of eight bits what the numbers they stand for say.
#include <QTemporaryDir>
#include <QtTest>

#include <fstream>

#include "core/features/log_mel.h"
#include "core/model_access/box_tokenizer.h"
#include "core/models/models.h"
#include "core/models/whisper/decode_window.h"
#include "core/models/whisper/whisper_model.h"
#include "core/nn/int8_rows.h"
#include "core/weights/blocks.h"
#include "core/weights/safetensors.h"
#include "tests/support/error_sentence.h"
#include "tests/support/ggml_writer.h"
#include "tests/support/small_whisper_folder.h"

using namespace braid;
using namespace braid::models;
using test::contains;
using test::GgmlType;
namespace fs = std::filesystem;

namespace {

// English-only, in Whisper's own vocabulary.
weights::WhisperDims publishedKind()
{
    weights::WhisperDims dims;
    dims.n_mels = 80;
    dims.n_audio_ctx = 60;
    dims.n_audio_state = dims.n_text_state = 32;
    dims.n_audio_head = dims.n_text_head = 4;
    dims.n_audio_layer = dims.n_text_layer = 2;
    dims.n_vocab = 51864;
    dims.n_text_ctx = 24;
    return dims;
}

std::vector<std::string> somePieces()
{
    const auto tokenizer = text::WhisperTokenizer::load(tokenizerInTheBox(51864), 51864);
    std::vector<std::string> pieces;
    for (std::int32_t id = 0; id < 3000; ++id) {
        pieces.push_back(tokenizer->tokenBytes(id));
    }
    return pieces;
}

whisper::Model modelOf(const fs::path &path, nn::WeightStorage storage)
{
    return {weights::readWhisperCheckpoint(path), text::WhisperTokenizer::load(tokenizerInTheBox(51864), 51864), {at::kCPU, at::kFloat, storage}};
}

// Its tokens, and what they say.
std::string spoken(const fs::path &path, nn::WeightStorage storage = nn::WeightStorage::AsGiven)
{
    const whisper::Model model = modelOf(path, storage);
    whisper::DecodeOptions options;
    options.language = "en";
    options.timestamps = whisper::Timestamps::Without;
    options.beam_size = 1;
    options.max_tokens = 12;
    const whisper::DecodedWindow window = whisper::decodeWindow(model, model.listen(model.windowMel(test::hashedSound(16000))), options);
    std::string said;
    for (const std::int32_t token : window.tokens) {
        said += std::to_string(token) + " ";
    }
    return said + window.text;
}

at::Tensor logitsOf(const fs::path &path, nn::WeightStorage storage = nn::WeightStorage::AsGiven)
{
    const whisper::Model model = modelOf(path, storage);
    const whisper::SoundCache sound = model.listen(model.windowMel(test::hashedSound(16000)));
    nn::SelfCache cache = model.decoder().emptyCache(1);
    const std::vector<std::int32_t> tokens = {50257, 50362, 11, 428, 257};
    return model.decoder().logits(model.decoder().run(sound, cache, tokens));
}

}  // namespace

class tst_ggml_models : public QObject {
    Q_OBJECT

    QTemporaryDir m_place;
    fs::path m_folder;
    std::vector<std::string> m_pieces;
    weights::WhisperCheckpoint m_original = test::HashedWhisper("ggml/", publishedKind(), test::WeightPrecision::Float16).take();

    fs::path write(const char *name, const std::string &bytes) const
    {
        const fs::path path = m_folder / name;
        std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
        return path;
    }
    // A Hugging Face folder with these tensors, under OpenAI's names.
    fs::path writeFolder(const char *name, const weights::TensorStore &tensors) const
    {
        const fs::path folder = m_folder / name;
        const weights::WhisperDims dims = publishedKind();
        fs::create_directories(folder);
        weights::TensorStore store(name);
        for (const std::string &tensor : tensors.names()) {
            store.add(test::huggingFaceName(tensor), *tensors.peek(tensor));
        }
        weights::writeSafetensors(folder / "model.safetensors", store);
        std::ofstream(folder / "config.json") << nlohmann::json{
            {"model_type", "whisper"},
            {"d_model", dims.n_audio_state},
            {"vocab_size", dims.n_vocab},
            {"encoder_layers", dims.n_audio_layer},
            {"encoder_attention_heads", dims.n_audio_head},
            {"encoder_ffn_dim", dims.audioMlp()},
            {"decoder_layers", dims.n_text_layer},
            {"decoder_attention_heads", dims.n_text_head},
            {"decoder_ffn_dim", dims.textMlp()},
            {"max_source_positions", dims.n_audio_ctx},
            {"max_target_positions",
             dims.n_text_ctx}}.dump();
        return folder;
    }

  private Q_SLOTS:
    void initTestCase()
    {
        m_folder = m_place.path().toStdString();
        m_pieces = somePieces();
    }

    // The weights fit float16, so nothing is lost.
    void sameTextFromEveryForm()
    {
        const std::string wanted = spoken(writeFolder("safetensors", m_original.tensors));
        QVERIFY(!wanted.empty());
        QCOMPARE(spoken(write("ggml-f32.bin", test::ggmlWhisper(m_original, GgmlType::F32, m_pieces))), wanted);
        QCOMPARE(spoken(write("ggml-f16.bin", test::ggmlWhisper(m_original, GgmlType::F16, m_pieces))), wanted);
    }

    // Q8_0 computes what the numbers do that its blocks stand for, and stays near what was rounded.
    void eightBits()
    {
        const fs::path file = write("ggml-q8_0.bin", test::ggmlWhisper(m_original, GgmlType::Q8_0, m_pieces));
        weights::WhisperCheckpoint rounded = weights::readWhisperCheckpoint(file);
        weights::TensorStore floats("floats");
        for (const std::string &name : rounded.tensors.names()) {
            weights::StoredTensor tensor = rounded.tensors.take(name);
            if (weights::isBlocks(tensor.dtype)) {
                auto numbers = std::make_shared<std::vector<float>>(static_cast<std::size_t>(tensor.elementCount()));
                weights::dequantise(tensor.dtype, tensor.bytes, *numbers);
                tensor = {weights::DType::Float32, tensor.shape, std::as_bytes(std::span(*numbers)), numbers};
            }
            floats.add(name, tensor);
        }
        const fs::path folder = writeFolder("dequantised", floats);
        const at::Tensor ours = logitsOf(file);
        QVERIFY((ours - logitsOf(folder)).abs().max().item<double>() < 1e-4);
        QCOMPARE(spoken(file), spoken(folder));

        const at::Tensor exact = logitsOf(m_folder / "ggml-f32.bin");
        const double off = (ours - exact).abs().max().item<double>() / exact.abs().max().item<double>();
        QVERIFY2(off > 0 && off < 0.05, qPrintable(QString::number(off)));
        // Rounded here instead: the same but for the convolutions, and scales of float16.
        const at::Tensor here = logitsOf(m_folder / "ggml-f32.bin", nn::WeightStorage::Int8);
        const double far = (here - exact).abs().max().item<double>() / exact.abs().max().item<double>();
        QVERIFY2(far > 0 && far < 0.05, qPrintable(QString::number(far)));
        QVERIFY(!spoken(m_folder / "ggml-f32.bin", nn::WeightStorage::Int8).empty());
    }

    void listedAndFound()
    {
        const std::vector<fs::path> folders = {m_folder};
        bool is_listed = false;
        for (const ModelSummary &summary : listModels(folders)) {
            if (summary.name == "ggml-f16") {
                QVERIFY2(summary.problem.empty(), summary.problem.c_str());
                QCOMPARE(summary.languages, std::vector<std::string>{"en"});
                is_listed = true;
            }
        }
        QVERIFY(is_listed);
        QCOMPARE(findModel("ggml-q8_0", folders), m_folder / "ggml-q8_0.bin");
        for (const NumberType type : {NumberType::Float32, NumberType::Int8}) {
            QVERIFY(contains(loadCaptionModel(m_folder / "ggml-q8_0.bin", {"cpu", type, 1})->summary().description, "ggml"));
        }
        QCOMPARE(describeDevice({"cpu", NumberType::Int8, 1}), "cpu, 1 thread, int8");
    }

    void otherVocabulariesAndFiltersAreRefused()
    {
        const auto problem = [](const fs::path &path) {
            return test::sentenceOf(ErrorKind::Model, [&] { (void)loadCaptionModel(path, {"cpu", NumberType::Float32, 1}); });
        };
        std::vector<std::string> pieces = m_pieces;
        pieces[1234] = "other";
        const std::string vocabulary = problem(write("ggml-other.bin", test::ggmlWhisper(m_original, GgmlType::F16, pieces)));
        QVERIFY2(contains(vocabulary, "its token 1234 is \"other\""), vocabulary.c_str());
        std::string filters = test::ggmlWhisper(m_original, GgmlType::F16, m_pieces);
        const float wrong = 0.5F;
        std::memcpy(filters.data() + 4 + 11 * 4 + 8 + 40, &wrong, 4);
        QVERIFY(contains(problem(write("ggml-filters.bin", filters)), "mel filters"));
    }
};

QTEST_APPLESS_MAIN(tst_ggml_models)
#include "tst_ggml_models.moc"
