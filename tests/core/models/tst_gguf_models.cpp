// Language models in GGUF compute what they compute as safetensors, with blocks of every kind, and translate as their folders do. Logits:
// tests/parity/decoder_lm_parity.json (transformers); tests/parity/weights/llama3.gguf is written by pip's gguf (make_gguf.py).
#include <QTemporaryDir>
#include <QtTest>

#include <cmath>
#include <fstream>
#include <numbers>

#include <nlohmann/json.hpp>

#include "core/models/decoder_lm/decoder_lm.h"
#include "core/models/decoder_lm/lm_texts.h"
#include "core/models/models.h"
#include "core/weights/blocks.h"
#include "core/weights/gguf_lm.h"
#include "tests/support/error_sentence.h"
#include "tests/support/gguf_writer.h"
#include "tests/support/hashed_lm.h"
#include "tests/support/json_distance.h"
#include "tests/support/small_lm_folder.h"

using namespace braid;
using namespace braid::models;
using nlohmann::json;
using paradigms::Entry;
using paradigms::EntryKind;
using test::contains;
using test::GgmlType;
using test::GgufWriter;
namespace fs = std::filesystem;

namespace {

std::vector<float> numbersOf(const weights::StoredTensor &tensor)
{
    std::vector<float> numbers(tensor.bytes.size() / sizeof(float));
    std::memcpy(numbers.data(), tensor.bytes.data(), tensor.bytes.size());
    return numbers;
}

// As convert_hf_to_gguf.py names what transformers calls so (without "model.").
std::string ggufName(const std::string &name, const std::string &family)
{
    static const std::map<std::string, std::string> kWhole = {{"embed_tokens", "token_embd"}, {"norm", "output_norm"}, {"lm_head", "output"}};
    static const std::map<std::string, std::string> kParts = {{"self_attn.q_proj", "attn_q"},
                                                              {"self_attn.k_proj", "attn_k"},
                                                              {"self_attn.v_proj", "attn_v"},
                                                              {"self_attn.qkv_proj", "attn_qkv"},
                                                              {"self_attn.o_proj", "attn_output"},
                                                              {"self_attn.q_norm", "attn_q_norm"},
                                                              {"self_attn.k_norm", "attn_k_norm"},
                                                              {"input_layernorm", "attn_norm"},
                                                              {"mlp.gate_proj", "ffn_gate"},
                                                              {"mlp.up_proj", "ffn_up"},
                                                              {"mlp.gate_up_proj", "ffn_up"},
                                                              {"mlp.down_proj", "ffn_down"},
                                                              {"pre_feedforward_layernorm", "ffn_norm"},
                                                              {"post_feedforward_layernorm", "post_ffw_norm"}};
    const auto dot = name.rfind('.');
    const std::string stem = name.substr(0, dot);
    if (const auto whole = kWhole.find(stem); whole != kWhole.end()) {
        return whole->second + name.substr(dot);
    }
    const auto layer_end = name.find('.', 7);  // behind "layers."
    const std::string part = stem.substr(layer_end + 1);
    const std::string theirs = part == "post_attention_layernorm" ? (family == "gemma2" ? "post_attention_norm" : "ffn_norm") : kParts.at(part);
    return "blk." + name.substr(7, layer_end - 7) + "." + theirs + name.substr(dot);
}

// The converter's permute() for Llama: rows of each head in pairs.
std::vector<float> paired(const std::vector<float> &numbers, std::int64_t rows, std::int64_t head_width)
{
    const std::size_t width = numbers.size() / static_cast<std::size_t>(rows);
    std::vector<float> out;
    for (std::int64_t head = 0; head < rows / head_width; ++head) {
        for (std::int64_t i = 0; i < head_width / 2; ++i) {
            for (std::int64_t half = 0; half < 2; ++half) {
                const auto from = static_cast<std::size_t>(head * head_width + half * head_width / 2 + i) * width;
                out.insert(out.end(), numbers.begin() + static_cast<std::ptrdiff_t>(from), numbers.begin() + static_cast<std::ptrdiff_t>(from + width));
            }
        }
    }
    return out;
}

void addFactors(GgufWriter &writer, const std::string &name, const std::vector<float> &factors)
{
    writer.tensor(name, {static_cast<std::int64_t>(factors.size())}, 0, test::ggmlBytesOf(factors, GgmlType::F32));
}

void addRope(GgufWriter &writer, const std::string &family, const json &rope, std::int64_t width)
{
    writer.number(family + ".rope.freq_base", rope.at("rope_theta").get<float>());
    writer.whole(family + ".rope.dimension_count", static_cast<std::uint32_t>(width));
    const std::string kind = rope.at("rope_type");
    if (kind == "linear") {
        writer.text(family + ".rope.scaling.type", "linear");
        writer.number(family + ".rope.scaling.factor", rope.at("factor").get<float>());
    } else if (kind == "longrope") {
        writer.text(family + ".rope.scaling.type", "longrope");
        writer.whole(family + ".rope.scaling.original_context_length", rope.at("original_max_position_embeddings").get<std::uint32_t>());
        addFactors(writer, "rope_factors_long.weight", rope.at("long_factor").get<std::vector<float>>());
        addFactors(writer, "rope_factors_short.weight", rope.at("short_factor").get<std::vector<float>>());
    } else if (kind == "llama3") {  // the converter's generate_extra_tensors()
        std::vector<float> factors;
        const double context = rope.at("original_max_position_embeddings").get<double>();
        const double low = rope.at("low_freq_factor").get<double>();
        const double high = rope.at("high_freq_factor").get<double>();
        for (std::int64_t i = 0; i < width; i += 2) {
            const double wavelength = 2 * std::numbers::pi * std::pow(rope.at("rope_theta").get<double>(), static_cast<double>(i) / static_cast<double>(width));
            const double smooth = (context / wavelength - low) / (high - low);
            const double factor = rope.at("factor").get<double>();
            factors.push_back(static_cast<float>(wavelength < context / high ? 1 : wavelength > context / low ? factor : 1 / ((1 - smooth) / factor + smooth)));
        }
        addFactors(writer, "rope_freqs.weight", factors);
    }
}

void addSizes(GgufWriter &writer, const std::string &family, const weights::LmConfig &config)
{
    writer.text("general.architecture", family);
    const auto whole = [&](const char *key, std::int64_t value) { writer.whole(family + key, static_cast<std::uint32_t>(value)); };
    whole(".embedding_length", config.width);
    whole(".feed_forward_length", config.mlp_width);
    whole(".block_count", config.layers);
    whole(".attention.head_count", config.heads);
    whole(".attention.head_count_kv", config.key_value_heads);
    whole(".attention.key_length", config.head_width);
    whole(".context_length", config.context);
    writer.number(family + ".attention.layer_norm_rms_epsilon", static_cast<float>(config.norm_epsilon));
}

// A model of decoder_lm_parity.json as its family's converter writes it.
std::string ggufOf(const std::string &tag, const json &numbers, GgmlType type)
{
    const json &config = numbers.at("config");
    const std::string family = config.at("model_type");
    const weights::LmConfig sizes = weights::parseLmConfig(config.dump(), "", tag);
    GgufWriter writer;
    addSizes(writer, family, sizes);
    if (sizes.attention_softcap > 0) {
        writer.number(family + ".attn_logit_softcapping", static_cast<float>(sizes.attention_softcap));
        writer.number(family + ".final_logit_softcapping", static_cast<float>(sizes.output_softcap));
    }
    if (family == "phi3" || family == "gemma2") {
        writer.whole(family + ".attention.sliding_window", config.at("sliding_window").is_null() ? 0 : config.at("sliding_window").get<std::uint32_t>());
    }
    addRope(writer, family, config.at("rope_parameters"), sizes.rope.width);
    for (const auto &[full_name, shape] : numbers.at("shapes").items()) {
        const std::string name = full_name.starts_with("model.") ? full_name.substr(6) : full_name;
        const auto lengths = shape.get<std::vector<std::int64_t>>();
        std::vector<float> values = numbersOf(test::hashedLmTensor(tag, full_name, lengths, family == "gemma2" ? 0 : 1));
        if (family == "gemma2" && name.ends_with("norm.weight")) {
            for (float &value : values) {
                value += 1;
            }
        }
        if (family == "llama" && (name.find("q_proj") != name.npos || name.find("k_proj") != name.npos)) {
            values = paired(values, lengths[0], sizes.head_width);
        }
        const GgmlType own = lengths.size() < 2 ? GgmlType::F32 : type;
        writer.tensor(ggufName(name, family), lengths, static_cast<std::uint32_t>(own), test::ggmlBytesOf(values, own));
    }
    return writer.finished();
}

at::Tensor logitsOf(weights::LmCheckpoint &checkpoint, const std::vector<std::int32_t> &tokens)
{
    const lm::DecoderLm model(checkpoint, {at::kCPU, at::kFloat});
    nn::StreamCache cache = model.emptyCache(16);
    std::vector<Entry> entries;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        entries.push_back({0, static_cast<double>(i), static_cast<std::int64_t>(i), EntryKind::Token});
    }
    return model.logits(model.run(cache, tokens, entries, paradigms::causal()));
}

}  // namespace

class tst_gguf_models : public QObject {
    Q_OBJECT

    json m_numbers;
    QTemporaryDir m_place;

    fs::path write(const std::string &bytes, const char *name = "model.gguf") const
    {
        const fs::path path = fs::path(m_place.path().toStdString()) / name;
        std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
        return path;
    }

  private Q_SLOTS:
    void initTestCase()
    {
        std::ifstream file(BRAID_SOURCE_DIR "/tests/parity/decoder_lm_parity.json");
        m_numbers = json::parse(file);
    }

    void familiesAsTransformersComputesThem_data()
    {
        QTest::addColumn<QString>("name");
        for (const auto &[name, numbers] : m_numbers.at("models").items()) {
            QTest::newRow(name.c_str()) << QString::fromStdString(name);
        }
    }

    void familiesAsTransformersComputesThem()
    {
        QFETCH(const QString, name);
        const json &numbers = m_numbers.at("models").at(name.toStdString());
        const std::string tag = name.toStdString() + "/";
        const weights::LmConfig wanted = weights::parseLmConfig(numbers.at("config").dump(), "", tag);
        const auto tokens = numbers.at("tokens").get<std::vector<std::int32_t>>();
        const at::Tensor rows = at::tensor(numbers.at("rows").get<std::vector<std::int64_t>>());
        for (const auto &[type, bound] : {std::pair(GgmlType::F32, 2e-4), std::pair(GgmlType::F16, 0.05)}) {
            const fs::path path = write(ggufOf(tag, numbers, type));
            QVERIFY(weights::isLanguageModel(path));
            weights::LmCheckpoint checkpoint = weights::readLanguageModel(path);
            // What a GGUF of these families cannot say: Qwen2's windows, Gemma 2's own scale of attention.
            checkpoint.config.windows = wanted.windows;
            checkpoint.config.attention_scale = wanted.attention_scale;
            const double far = test::distance(logitsOf(checkpoint, tokens).index_select(0, rows), numbers.at("logits"));
            QVERIFY2(far < bound, qPrintable(QString::number(far)));
        }
    }

    void aFileOfPipsGguf()
    {
        const json &numbers = m_numbers.at("models").at("llama3");
        weights::LmCheckpoint checkpoint = weights::readLanguageModel(BRAID_SOURCE_DIR "/tests/parity/weights/llama3.gguf");
        QCOMPARE(checkpoint.config.end_tokens, (std::vector<std::int32_t>{52}));
        const at::Tensor rows = at::tensor(numbers.at("rows").get<std::vector<std::int64_t>>());
        const double far = test::distance(logitsOf(checkpoint, numbers.at("tokens")).index_select(0, rows), numbers.at("logits"));
        QVERIFY2(far < 0.05, qPrintable(QString::number(far)));  // float16
    }

    // Random blocks of a type stand for the same model as the numbers that ggml's reference makes of them (tst_blocks).
    void blocksOfEveryKind_data()
    {
        QTest::addColumn<QString>("family");
        QTest::addColumn<int>("dtype");
        QTest::addColumn<int>("type");
        const std::pair<weights::DType, int> kinds[] = {{weights::DType::Q4_0, 2},  {weights::DType::Q8_0, 8},  {weights::DType::Q4_K, 12},
                                                        {weights::DType::Q5_K, 13}, {weights::DType::Q6_K, 14}, {weights::DType::Q5_1, 7}};
        for (const char *family : {"llama", "qwen2"}) {
            for (const auto &[dtype, type] : kinds) {
                QTest::newRow((std::string(family) + " " + std::string(dtypeName(dtype))).c_str()) << family << static_cast<int>(dtype) << type;
            }
        }
    }

    void blocksOfEveryKind()
    {
        QFETCH(const QString, family);
        QFETCH(const int, dtype);
        QFETCH(const int, type);
        const auto kind = static_cast<weights::DType>(dtype);
        const weights::BlockForm form = weights::blockForm(kind);
        json described = test::smallLmConfig(64);
        described.update(json{{"model_type", family.toStdString()},
                              {"vocab_size", 40},
                              {"eos_token_id", 39},
                              {"hidden_size", 256},
                              {"intermediate_size", 256},
                              {"num_hidden_layers", 1},
                              {"head_dim", 64}});
        weights::LmCheckpoint wanted("reference");
        wanted.config = weights::parseLmConfig(described.dump(), "", "config");
        GgufWriter writer;
        addSizes(writer, family.toStdString(), wanted.config);
        for (const weights::ExpectedTensor &tensor : weights::expectedLmTensors(wanted.config)) {
            std::vector<float> values = numbersOf(test::hashedLmTensor("blocks/", tensor.name, tensor.shape, 1));
            std::string bytes = test::ggmlBytesOf(values, GgmlType::F32);
            const bool is_matrix = tensor.shape.size() == 2;
            const bool is_paired = family == "llama" && (tensor.name.find("q_proj") != std::string::npos || tensor.name.find("k_proj") != std::string::npos);
            if (is_matrix) {
                bytes.clear();
                const std::size_t blocks = values.size() / static_cast<std::size_t>(form.numbers);
                const std::vector<float> chance = test::hashedNumbers(tensor.name + " blocks", blocks * form.bytes);
                for (std::size_t i = 0; i < blocks * form.bytes; ++i) {
                    bytes += static_cast<char>(static_cast<int>((chance[i] + 1) * 128));
                }
                for (std::size_t block = 0; block < blocks; ++block) {  // scales of some size
                    const std::uint16_t scale = test::halfOf(0.001f + 0.001f * std::abs(chance[block]));
                    std::memcpy(bytes.data() + block * form.bytes + (kind == weights::DType::Q6_K ? 208 : 0), &scale, 2);
                    if (kind != weights::DType::Q4_0 && kind != weights::DType::Q8_0 && kind != weights::DType::Q6_K) {
                        std::memcpy(bytes.data() + block * form.bytes + 2, &scale, 2);
                    }
                }
                weights::dequantise(kind, std::as_bytes(std::span(bytes)), values);
            }
            writer.tensor(ggufName(tensor.name, family.toStdString()), tensor.shape, is_matrix ? static_cast<std::uint32_t>(type) : 0, bytes);
            if (is_paired) {  // back: the file has the rows in pairs
                const std::vector<float> as_in_file = values;
                for (std::int64_t row = 0; row < tensor.shape[0]; ++row) {
                    const std::int64_t in_head = row % 64;
                    std::copy_n(as_in_file.begin() + row * 256, 256, values.begin() + (row - in_head + in_head / 2 + in_head % 2 * 32) * 256);
                }
            }
            auto kept = std::make_shared<std::vector<float>>(std::move(values));
            wanted.tensors.add(tensor.name, {weights::DType::Float32, tensor.shape, std::as_bytes(std::span(*kept)), kept});
        }
        weights::LmCheckpoint read = weights::readLanguageModel(write(writer.finished(2)));
        read.config.rope.theta = wanted.config.rope.theta;
        const std::vector<std::int32_t> tokens = {3, 39, 7, 0, 21, 8};
        const at::Tensor ours = logitsOf(read, tokens);
        const at::Tensor theirs = logitsOf(wanted, tokens);
        QVERIFY(theirs.abs().max().item<float>() > 0.1f);
        QVERIFY2(at::equal(ours, theirs), qPrintable(QString::number((ours - theirs).abs().max().item<double>())));
    }

    // The same tokenizer as JSON and in GGUF; the same words of the same model.
    void translatesAsItsFolderDoes()
    {
        const fs::path folder = fs::path(m_place.path().toStdString()) / "small";
        test::writeSmallLmFolder(folder, test::SmallLmKind::Chat);
        std::ifstream in(folder / "tokenizer.json");
        const json described = json::parse(in);
        weights::LmCheckpoint checkpoint = weights::readLanguageModel(folder);
        GgufWriter writer;
        addSizes(writer, "qwen3", checkpoint.config);
        writer.number("qwen3.rope.freq_base", 10000);
        writer.whole("tokenizer.ggml.eos_token_id", 319);
        writer.text("tokenizer.ggml.model", "gpt2");
        writer.text("tokenizer.ggml.pre", described.at("pre_tokenizer").dump().find("Split") != std::string::npos ? "qwen2" : "gpt-2");
        std::vector<std::string> tokens(320);
        std::vector<std::int32_t> kinds(320, 1);
        for (const auto &[token, id] : described.at("model").at("vocab").items()) {
            tokens[id.get<std::size_t>()] = token;
        }
        for (const json &added : described.at("added_tokens")) {
            tokens[added.at("id").get<std::size_t>()] = added.at("content");
            kinds[added.at("id").get<std::size_t>()] = 3;
        }
        std::size_t count = 0;
        while (count < tokens.size() && !tokens[count].empty()) {
            ++count;
        }
        tokens.resize(count);
        kinds.resize(count);
        std::vector<std::string> merges;
        for (const json &merge : described.at("model").at("merges")) {
            merges.push_back(merge.is_string() ? merge.get<std::string>() : merge[0].get<std::string>() + " " + merge[1].get<std::string>());
        }
        writer.texts("tokenizer.ggml.tokens", tokens);
        writer.kinds("tokenizer.ggml.token_type", kinds);
        writer.texts("tokenizer.ggml.merges", merges);
        std::ifstream chat(folder / "chat_template.jinja");
        writer.text("tokenizer.chat_template", std::string(std::istreambuf_iterator<char>(chat), {}));
        for (const std::string &name : checkpoint.tensors.names()) {
            const weights::StoredTensor &tensor = *checkpoint.tensors.peek(name);
            writer.tensor(ggufName(name, "qwen3"), tensor.shape, 0, {reinterpret_cast<const char *>(tensor.bytes.data()), tensor.bytes.size()});
        }
        const fs::path path = write(writer.finished(), "small.gguf");

        const auto theirs = lm::tokenizerOf(folder);
        const auto ours = lm::tokenizerOf(path);
        for (const char *text : {"the cat sat on the mat", "Le chien dort.\n\n  la maison", "<|im_start|>user", "Ça va? 12345"}) {
            QCOMPARE(ours->encode(text), theirs->encode(text));
            QCOMPARE(ours->decode(ours->encode(text)), theirs->decode(theirs->encode(text)));
        }
        const std::vector<fs::path> folders = {path.parent_path()};
        QCOMPARE(findLanguageModel("small", folders), folder);
        bool is_listed = false;
        for (const LanguageModelSummary &summary : listLanguageModels(folders)) {
            if (summary.path == path) {
                QVERIFY2(summary.problem.empty(), summary.problem.c_str());
                QVERIFY(summary.translates);
                is_listed = true;
            }
        }
        QVERIFY(is_listed);
        DeviceChoice device;
        device.device = "cpu";
        device.threads = 1;
        const auto said = [&](const fs::path &model) {
            const auto translator = loadLanguageModel(model, device)->makeTranslator({});
            translator->read(translator->sourceTokens("the cat"));
            translator->read(translator->endOfSource());
            std::vector<std::int32_t> written;
            for (int i = 0; i < 8; ++i) {
                written.push_back(translator->predict(AttentionWanted::No).token.id);
                translator->write(written.back());
            }
            return written;
        };
        QCOMPARE(said(path), said(folder));
    }
};

QTEST_APPLESS_MAIN(tst_gguf_models)
#include "tst_gguf_models.moc"
