#include "core/weights/ct2_whisper.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <utility>

#include "core/base/file.h"
#include "core/base/strict_json.h"
#include "core/weights/alignment_heads.h"
#include "core/weights/byte_reader.h"
#include "core/weights/tied_weights.h"
#include "core/weights/tokenizer_location.h"
#include "core/weights/whisper_lists.h"
#include "core/weights/whisper_names.h"

namespace braid::weights {
namespace fs = std::filesystem;
namespace {

using nlohmann::json;

constexpr std::uint32_t kVersion = 6;
constexpr std::uint32_t kRevision = 3;
constexpr std::string_view kSpec = "WhisperSpec";
constexpr std::uint32_t kMostVariables = 100000;
constexpr std::size_t kMostConfigBytes = 4u << 20;
constexpr const char *kHead = "a variable's head";

// Its length with the zero behind it, then both.
std::string readName(ByteReader &reader)
{
    const auto length = reader.number<std::uint16_t>("a name");
    const std::string_view text = reader.text(length, "a name");
    if (text.empty() || text.back() != '\0') {
        reader.refuse("a name in it does not end");
    }
    return std::string(text.substr(0, text.size() - 1));
}

DType typeOf(std::uint8_t id, const std::string &name, const ByteReader &reader)
{
    static constexpr DType kTypes[] = {DType::Float32, DType::Int8, DType::Int16, DType::Int32, DType::Float16, DType::BFloat16};
    if (id >= std::size(kTypes)) {
        reader.refuse("the variable \"" + name + "\" is of an unknown type");
    }
    return kTypes[id];
}

void readVariable(ByteReader &reader, const std::shared_ptr<const MappedFile> &file, TensorStore &variables)
{
    std::string name = readName(reader);
    StoredTensor tensor;
    const auto dimensions = reader.number<std::uint8_t>(kHead);
    if (dimensions > 3) {
        reader.refuse("the variable \"" + name + "\" would have " + std::to_string(dimensions) + " dimensions");
    }
    std::uint64_t count = 1;
    for (int i = 0; i < dimensions; ++i) {
        const auto length = reader.number<std::uint32_t>(kHead);
        tensor.shape.push_back(length);
        if (length == 0 || __builtin_mul_overflow(count, std::uint64_t{length}, &count)) {
            reader.refuse("the variable \"" + name + "\" has an impossible size");
        }
    }
    tensor.dtype = typeOf(reader.number<std::uint8_t>(kHead), name, reader);
    const std::uint64_t bytes = reader.number<std::uint32_t>(kHead);
    if (count > bytes || bytes != count * bytesPerElement(tensor.dtype)) {
        reader.refuse("the variable \"" + name + "\" does not have the bytes of its shape and type");
    }
    tensor.bytes = reader.take(bytes, "a variable");
    tensor.owner = file;
    variables.add(std::move(name), std::move(tensor));
}

TensorStore readVariables(const fs::path &path)
{
    const auto file = std::make_shared<const MappedFile>(path);
    ByteReader reader(file->bytes(), path.string());
    const auto version = reader.number<std::uint32_t>("its head");
    const std::string spec = version == kVersion ? readName(reader) : std::string();
    if (spec != kSpec || reader.number<std::uint32_t>("its head") != kRevision) {
        reader.refuse(version != kVersion ? "it is of version " + std::to_string(version) + " of CTranslate2's files; Braid reads version 6"
                                          : "it is no Whisper of CTranslate2, or of another revision than 3");
    }
    const auto count = reader.number<std::uint32_t>("its head");
    if (count > kMostVariables) {
        reader.refuse("it would have " + std::to_string(count) + " variables");
    }
    TensorStore variables(path.string());
    for (std::uint32_t i = 0; i < count; ++i) {
        readVariable(reader, file, variables);
    }
    const auto aliases = reader.number<std::uint32_t>("its aliases");
    if (aliases > kMostVariables) {
        reader.refuse("it would have " + std::to_string(aliases) + " aliases");
    }
    for (std::uint32_t i = 0; i < aliases; ++i) {
        std::string alias = readName(reader);  // of a variable with the same numbers
        const std::string of = readName(reader);
        const StoredTensor *variable = variables.peek(of);
        if (variable == nullptr) {
            reader.refuse("\"" + alias + "\" stands for \"" + of + "\", which is not there");
        }
        variables.add(std::move(alias), *variable);
    }
    if (reader.left() > 0) {
        reader.refuse(std::to_string(reader.left()) + " bytes at its end belong to nothing");
    }
    return variables;
}

// Takes variables and gives tensors under OpenAI's names.
class Translator {
  public:
    Translator(TensorStore &variables, WhisperCheckpoint &checkpoint)
        : m_variables(variables)
        , m_tensors(checkpoint.tensors)
    {
    }

    void weight(const std::string &theirs, std::initializer_list<std::string> ours)
    {
        const StoredTensor whole = m_variables.take(theirs + "/weight");
        std::vector<float> scales;
        if (m_variables.contains(theirs + "/weight_scale")) {
            scales = rowScales(theirs, whole);
        } else if (!isFloatingPoint(whole.dtype)) {
            refuse("the whole numbers of \"" + theirs + "\" have no scales");
        }
        addParts(theirs, whole, scales, ours, ".weight");
    }
    // An empty name: that part must be zeros, and is left out.
    void bias(const std::string &theirs, std::initializer_list<std::string> ours) { addParts(theirs, m_variables.take(theirs + "/bias"), {}, ours, ".bias"); }
    void norm(const std::string &theirs, const std::string &ours)
    {
        m_tensors.add(ours + ".weight", m_variables.take(theirs + "/gamma"));
        m_tensors.add(ours + ".bias", m_variables.take(theirs + "/beta"));
    }
    void plain(const std::string &theirs, const std::string &ours) { m_tensors.add(ours, m_variables.take(theirs)); }
    void linear(const std::string &theirs, const std::string &ours)
    {
        weight(theirs, {ours});
        bias(theirs, {ours});
    }
    void selfAttention(const std::string &theirs, const std::string &ours)
    {
        norm(theirs + "/layer_norm", ours + "_ln");
        weight(theirs + "/linear_0", {ours + ".query", ours + ".key", ours + ".value"});
        bias(theirs + "/linear_0", {ours + ".query", "", ours + ".value"});
        linear(theirs + "/linear_1", ours + ".out");
    }
    void crossAttention(const std::string &theirs, const std::string &ours)
    {
        norm(theirs + "/layer_norm", ours + "_ln");
        linear(theirs + "/linear_0", ours + ".query");
        weight(theirs + "/linear_1", {ours + ".key", ours + ".value"});
        bias(theirs + "/linear_1", {"", ours + ".value"});
        linear(theirs + "/linear_2", ours + ".out");
    }
    void feedForward(const std::string &theirs, const std::string &block)
    {
        norm(theirs + "/layer_norm", block + ".mlp_ln");
        linear(theirs + "/linear_0", block + ".mlp.0");
        linear(theirs + "/linear_1", block + ".mlp.2");
    }

  private:
    [[noreturn]] void refuse(const std::string &happened) const { refuseDamaged(happened, m_variables.origin()); }

    // CTranslate2 keeps what the numbers were multiplied by.
    std::vector<float> rowScales(const std::string &theirs, const StoredTensor &whole)
    {
        const StoredTensor stored = m_variables.take(theirs + "/weight_scale");
        if (whole.dtype != DType::Int8 || whole.shape.empty() || stored.dtype != DType::Float32 || stored.elementCount() != whole.shape.front()) {
            refuse("the scales of \"" + theirs + "\" do not fit its weights");
        }
        std::vector<float> scales(static_cast<std::size_t>(whole.shape.front()));
        std::memcpy(scales.data(), stored.bytes.data(), stored.bytes.size());
        for (float &scale : scales) {
            scale = 1 / scale;
            if (!std::isfinite(scale) || scale <= 0) {
                refuse("a scale of \"" + theirs + "\" is impossible");
            }
        }
        return scales;
    }

    void addParts(const std::string &theirs, const StoredTensor &whole, const std::vector<float> &scales, std::initializer_list<std::string> ours,
                  const char *ending)
    {
        const auto count = static_cast<std::int64_t>(ours.size());
        if (whole.shape.empty() || whole.shape.front() % count != 0) {
            refuse("\"" + theirs + "\" does not have the rows of " + std::to_string(count) + " layers");
        }
        const std::int64_t rows = whole.shape.front() / count;
        const std::size_t bytes = whole.bytes.size() / ours.size();
        std::size_t part = 0;
        for (const std::string &name : ours) {
            StoredTensor tensor = whole;
            tensor.shape.front() = rows;
            tensor.bytes = whole.bytes.subspan(part * bytes, bytes);
            if (!scales.empty()) {
                const auto begin = scales.begin() + static_cast<std::ptrdiff_t>(part) * rows;
                tensor.row_scales = std::make_shared<const std::vector<float>>(begin, begin + rows);
            }
            ++part;
            if (!name.empty()) {
                m_tensors.add(name + ending, std::move(tensor));
            } else if (std::any_of(tensor.bytes.begin(), tensor.bytes.end(), [](std::byte byte) { return byte != std::byte{0} && byte != std::byte{0x80}; })) {
                refuse("\"" + theirs + "\" has a bias for keys, which no Whisper has");
            }
        }
    }

    TensorStore &m_variables;
    TensorStore &m_tensors;
};

// A number of the model's habits, of any type of whole numbers.
std::int64_t scalar(const StoredTensor &value, const std::string &name, const TensorStore &variables)
{
    std::int64_t number = 0;
    if (!value.shape.empty() || isFloatingPoint(value.dtype)) {
        refuseDamaged("\"" + name + "\" is not a whole number", variables.origin());
    }
    std::memcpy(&number, value.bytes.data(), value.bytes.size());
    return number;
}

std::int64_t headsOf(TensorStore &variables, const std::string &name)
{
    return scalar(variables.take(name), name, variables);
}

// What is left are habits, and they must be Whisper's.
void requireHabits(TensorStore &variables)
{
    struct Habit {
        const char *name;
        std::int64_t value;
    };
    constexpr std::int64_t kGelu = 3;
    static constexpr Habit kHabits[] = {{"decoder/activation", kGelu},
                                        {"decoder/pre_norm", 1},
                                        {"decoder/scale_embeddings", 0},
                                        {"decoder/start_from_zero_embedding", 0},
                                        {"decoder/alibi", 0}};
    for (const Habit &habit : kHabits) {
        if (variables.contains(habit.name) && scalar(variables.take(habit.name), habit.name, variables) != habit.value) {
            refuseDamaged(std::string("\"") + habit.name + "\" is not what it is in every Whisper", variables.origin());
        }
    }
    // Of other models, or said better by config.json.
    for (const char *name : {"decoder/alibi_use_positive_positions", "decoder/scale_alibi", "decoder/alignment_heads", "decoder/alignment_layer"}) {
        variables.remove(name);
    }
    variables.requireAllTaken();
}

std::int64_t layersOf(const TensorStore &variables, const std::string &side)
{
    std::int64_t count = 0;
    while (variables.contains(side + "/layer_" + std::to_string(count) + "/ffn/linear_0/weight")) {
        ++count;
    }
    return count;
}

const std::vector<std::int64_t> &shapeOf(const TensorStore &variables, const std::string &name, std::size_t dimensions)
{
    const StoredTensor *tensor = variables.peek(name);
    if (tensor == nullptr || tensor->shape.size() != dimensions) {
        refuseDamaged("the variable \"" + name + "\" is missing or has another shape than it should", variables.origin());
    }
    return tensor->shape;
}

WhisperDims dimsOf(TensorStore &variables)
{
    WhisperDims dims;
    const auto &conv = shapeOf(variables, "encoder/conv1/weight", 3);
    dims.n_mels = conv[1];
    dims.n_audio_state = dims.n_text_state = conv[0];
    dims.n_audio_ctx = shapeOf(variables, "encoder/position_encodings/encodings", 2)[0];
    dims.n_text_ctx = shapeOf(variables, "decoder/position_encodings/encodings", 2)[0];
    dims.n_vocab = shapeOf(variables, "decoder/embeddings/weight", 2)[0];
    dims.n_audio_head = headsOf(variables, "encoder/num_heads");
    dims.n_text_head = headsOf(variables, "decoder/num_heads");
    dims.n_audio_layer = layersOf(variables, "encoder");
    dims.n_text_layer = layersOf(variables, "decoder");
    checkWhisperDims(dims, variables.origin());
    dims.n_audio_mlp = shapeOf(variables, "encoder/layer_0/ffn/linear_0/weight", 2)[0];
    dims.n_text_mlp = shapeOf(variables, "decoder/layer_0/ffn/linear_0/weight", 2)[0];
    checkWhisperDims(dims, variables.origin());
    return dims;
}

void translate(TensorStore &variables, WhisperCheckpoint &checkpoint)
{
    Translator translator(variables, checkpoint);
    for (const char *name : {"conv1", "conv2"}) {
        translator.linear(std::string("encoder/") + name, std::string("encoder.") + name);
    }
    translator.plain("encoder/position_encodings/encodings", "encoder.positional_embedding");
    translator.plain("decoder/position_encodings/encodings", "decoder.positional_embedding");
    translator.norm("encoder/layer_norm", "encoder.ln_post");
    translator.norm("decoder/layer_norm", "decoder.ln");
    translator.weight("decoder/embeddings", {"decoder.token_embedding"});
    for (const char *side : {"encoder", "decoder"}) {
        const bool is_decoder = side == std::string_view("decoder");
        for (std::int64_t layer = 0; layer < (is_decoder ? checkpoint.dims.n_text_layer : checkpoint.dims.n_audio_layer); ++layer) {
            const std::string theirs = std::string(side) + "/layer_" + std::to_string(layer);
            const std::string ours = std::string(side) + ".blocks." + std::to_string(layer);
            translator.selfAttention(theirs + "/self_attention", ours + ".attn");
            if (is_decoder) {
                translator.crossAttention(theirs + "/attention", ours + ".cross_attn");
            }
            translator.feedForward(theirs + "/ffn", ours);
        }
    }
}

// {"alignment_heads": [[layer, head], ...], "suppress_ids": [...]}; what else it says the tokenizer knows.
void applyConfig(const fs::path &path, WhisperCheckpoint &checkpoint)
{
    const std::string where = path.string();
    const json config = parseStrictJson(readTextFile(path, kMostConfigBytes), where, ErrorKind::Model);
    if (!config.is_object()) {
        refuseDamaged("the configuration is not a table", where);
    }
    if (config.contains("alignment_heads") && !config["alignment_heads"].is_null()) {
        checkpoint.alignment_heads = alignmentHeadsIn(config["alignment_heads"], checkpoint.dims, where);
    }
    if (config.contains("suppress_ids") && !config["suppress_ids"].is_null()) {
        checkpoint.suppressed_tokens = suppressedTokensIn(config["suppress_ids"], "suppress_ids", checkpoint.dims, where);
    }
}

}  // namespace

bool isCt2Whisper(const fs::path &folder) noexcept
{
    // Its version, any below 256; how long the name is with its zero; the name.
    const std::string head = firstBytes(folder / "model.bin", 6 + kSpec.size());
    return head.size() == 6 + kSpec.size() && head.substr(1, 3) == std::string(3, '\0') && head[4] == static_cast<char>(kSpec.size() + 1) && head[5] == '\0' &&
           head.substr(6) == kSpec;
}

WhisperCheckpoint readCt2Whisper(const fs::path &folder)
{
    WhisperCheckpoint checkpoint(folder.string());
    TensorStore variables = readVariables(folder / "model.bin");
    checkpoint.dims = dimsOf(variables);
    checkpoint.tokenizer_path = tokenizerInFolder(folder, checkpoint.dims.n_vocab);
    checkpoint.alignment_heads = publishedAlignmentHeads(checkpoint.dims, folder.filename().string());
    if (fs::exists(folder / "config.json")) {
        applyConfig(folder / "config.json", checkpoint);
    }
    for (const char *ending : {"weight", "weight_scale"}) {
        dropTiedCopy(variables, std::string("decoder/projection/") + ending, std::string("decoder/embeddings/") + ending,
                     "Only Whisper models with tied embeddings are supported");
    }
    translate(variables, checkpoint);
    requireHabits(variables);
    requireWhisperTensors(checkpoint.tensors, checkpoint.dims);
    return checkpoint;
}

}  // namespace braid::weights
