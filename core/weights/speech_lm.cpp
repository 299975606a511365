#include "core/weights/speech_lm.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/strict_json.h"
#include "core/weights/config_table.h"
#include "core/weights/huggingface_lm.h"
#include "core/weights/safetensors.h"
#include "core/weights/whisper_names.h"

namespace braid::weights {
namespace fs = std::filesystem;
namespace {

using nlohmann::json;

constexpr std::size_t kMaxConfigBytes = 4u << 20;
constexpr std::string_view kEncoderPrefix = "encoder.";
constexpr std::string_view kAdapterPrefix = "adapter.";
constexpr std::string_view kLanguagePrefix = "language_model.";

WhisperDims encoderOf(const ConfigTable &table, const std::string &where)
{
    table.requireOnly({"kind", "mels", "width", "heads", "layers", "mlp_width", "frames", "conv1_stride", "conv2_stride"});
    if (table.text("kind") != "causal-whisper") {
        table.refuse("its \"kind\" is none this program has: \"causal-whisper\"");
    }
    constexpr std::int64_t kAny = std::int64_t{1} << 30;  // checkWhisperDims() says what can be
    WhisperDims dims;
    dims.n_mels = table.wholeOr("mels", 80, 1, kAny);
    dims.n_audio_ctx = table.whole("frames", 1, kAny);
    dims.n_audio_state = table.whole("width", 1, kAny);
    dims.n_audio_head = table.whole("heads", 1, kAny);
    dims.n_audio_layer = table.whole("layers", 1, kAny);
    dims.n_audio_mlp = table.whole("mlp_width", 1, kAny);
    dims.conv1_stride = table.wholeOr("conv1_stride", 1, 1, kAny);
    dims.conv2_stride = table.wholeOr("conv2_stride", 2, 1, kAny);
    dims.n_text_state = dims.n_audio_state;  // there is no decoder: as if it had one like the encoder
    dims.n_text_head = dims.n_audio_head;
    dims.n_text_layer = 1;
    checkWhisperDims(dims, where);
    return dims;
}

SpeechAdapterConfig adapterOf(const ConfigTable &table)
{
    table.requireOnly({"stack", "widths"});
    SpeechAdapterConfig adapter;
    adapter.stack = table.wholeOr("stack", 1, 1, 64);
    constexpr std::size_t kMostLayers = 4;
    const json widths = table.has("widths") ? table.value("widths") : json();
    if (!widths.is_array() || widths.empty() || widths.size() > kMostLayers) {
        table.refuse("\"widths\" is not a list of 1 to 4 whole numbers");
    }
    for (const double width : table.numbers("widths", widths.size(), 1, 1 << 17)) {
        adapter.widths.push_back(static_cast<std::int64_t>(width));
        if (static_cast<double>(adapter.widths.back()) != width) {
            table.refuse("\"widths\" is not a list of 1 to 4 whole numbers");
        }
    }
    return adapter;
}

void readLists(const ConfigTable &config, SpeechLmConfig &model)
{
    constexpr std::size_t kMost = 16;
    if (config.has("phi")) {
        const json &offsets = config.value("phi");
        if (!offsets.is_array() || offsets.empty() || offsets.size() > kMost) {
            config.refuse("\"phi\" is not a list of 1 to 16 numbers");
        }
        model.phi = config.numbers("phi", offsets.size(), 0, static_cast<double>(model.language_model.context));
    }
    if (config.has("languages")) {
        const json &codes = config.value("languages");
        if (!codes.is_array() || codes.size() > 200) {
            config.refuse("\"languages\" is not a list of language codes");
        }
        for (const json &code : codes) {
            if (!code.is_string() || code.get_ref<const std::string &>().empty() || code.get_ref<const std::string &>().size() > 8) {
                config.refuse("\"languages\" holds something that is no language code");
            }
            model.languages.push_back(code.get<std::string>());
        }
    }
}

// Takes what begins with `prefix` out of `from`, the prefix left out where `named` says so.
enum class Named : std::uint8_t { InFull = 1, WithoutPrefix };
TensorStore partOf(TensorStore &from, std::string_view prefix, Named named)
{
    TensorStore part(from.origin());
    for (const std::string &name : from.names()) {
        if (name.starts_with(prefix)) {
            part.add(named == Named::InFull ? name : name.substr(prefix.size()), from.take(name));
            from.remove(name);
        }
    }
    return part;
}

}  // namespace

bool isSpeechLm(const fs::path &folder) noexcept
{
    try {
        const fs::path path = folder / "config.json";
        if (!fs::is_directory(folder) || !fs::exists(path)) {
            return false;
        }
        const json config = parseStrictJson(readTextFile(path, kMaxConfigBytes), path.string());
        return config.is_object() && config.contains("model_type") && config["model_type"] == kSpeechLm;
    } catch (const std::exception &) {
        return false;
    }
}

SpeechLmConfig parseSpeechLmConfig(std::string_view config_text, const std::string &where)
{
    const json parsed = parseStrictJson(config_text, where);
    const ConfigTable config(parsed, where);
    if (config.textOr("model_type", "") != kSpeechLm) {
        config.refuse("it is no speech language model (\"model_type\": \"" + std::string(kSpeechLm) + "\")");
    }
    config.requireOnly({"model_type", "encoder", "adapter", "segment_ms", "wait_k", "phi", "languages", "language_model"});
    for (const char *part : {"encoder", "adapter", "language_model"}) {
        if (!config.has(part)) {
            config.refuse("\"" + std::string(part) + "\" is missing");
        }
    }
    const auto placeOf = [&where](const char *key) { return where + ", \"" + key + "\""; };
    SpeechLmConfig model;
    model.encoder = encoderOf(ConfigTable(config.value("encoder"), placeOf("encoder")), placeOf("encoder"));
    model.adapter = adapterOf(ConfigTable(config.value("adapter"), placeOf("adapter")));
    model.language_model = parseLmConfig(config.value("language_model").dump(), {}, placeOf("language_model"));
    model.segment_ms = config.wholeOr("segment_ms", 400, 20, 10000);
    model.wait_k = config.wholeOr("wait_k", 3, 1, 1000);
    readLists(config, model);
    if (model.language_model.streams > 0) {
        config.refuse("its language model was made for parallel streams (\"num_channels\")");
    }
    if (model.segment_ms % model.frameMs() != 0) {
        config.refuse("a segment of " + std::to_string(model.segment_ms) + " ms is not a whole number of the encoder's frames of " +
                      std::to_string(model.frameMs()) + " ms");
    }
    if (model.adapter.widths.back() != model.language_model.width) {
        config.refuse("its adapter's last width, " + std::to_string(model.adapter.widths.back()) + ", is not the language model's, " +
                      std::to_string(model.language_model.width));
    }
    const std::int64_t frames = model.segment_ms / model.frameMs();
    if (model.adapter.stack > frames || frames > model.encoder.n_audio_ctx) {
        config.refuse("a segment of " + std::to_string(frames) + " frames is shorter than what the adapter stacks, or longer than the encoder hears");
    }
    return model;
}

SpeechLmConfig readSpeechLmConfig(const fs::path &folder)
{
    const fs::path path = folder / "config.json";
    if (!fs::exists(path)) {
        throw Error(ErrorKind::Model, "there is no config.json in this folder", folder.string(), "Choose the folder of a speech language model");
    }
    return parseSpeechLmConfig(readTextFile(path, kMaxConfigBytes), path.string());
}

std::vector<ExpectedTensor> expectedSpeechLmTensors(const SpeechLmConfig &config)
{
    std::vector<ExpectedTensor> tensors;
    for (ExpectedTensor &tensor : expectedWhisperTensors(config.encoder)) {
        if (tensor.name.starts_with(kEncoderPrefix)) {
            tensors.push_back({std::move(tensor.name), std::move(tensor.shape)});
        }
    }
    std::int64_t in = config.adapter.stack * config.encoder.n_audio_state;
    for (std::size_t layer = 0; layer < config.adapter.widths.size(); ++layer) {
        const std::int64_t out = config.adapter.widths[layer];
        const std::string name = std::string(kAdapterPrefix) + std::to_string(layer);
        tensors.push_back({name + ".weight", {out, in}});
        tensors.push_back({name + ".bias", {out}});
        in = out;
    }
    for (ExpectedTensor &tensor : expectedLmTensors(config.language_model)) {
        tensors.push_back({std::string(kLanguagePrefix) + tensor.name, std::move(tensor.shape)});
    }
    return tensors;
}

SpeechLmCheckpoint readSpeechLm(const fs::path &folder)
{
    SpeechLmCheckpoint checkpoint(folder.string());
    checkpoint.config = readSpeechLmConfig(folder);
    TensorStore tensors = readSafetensorsFolder(folder);
    requireTensors(tensors, expectedSpeechLmTensors(checkpoint.config), "speech language model of this configuration");
    checkpoint.encoder.dims = checkpoint.config.encoder;
    checkpoint.encoder.padding = WindowPadding::None;
    checkpoint.encoder.tensors = partOf(tensors, kEncoderPrefix, Named::InFull);
    checkpoint.adapter = partOf(tensors, kAdapterPrefix, Named::InFull);
    checkpoint.language_model.config = checkpoint.config.language_model;
    checkpoint.language_model.tensors = partOf(tensors, kLanguagePrefix, Named::WithoutPrefix);
    return checkpoint;
}

}  // namespace braid::weights
