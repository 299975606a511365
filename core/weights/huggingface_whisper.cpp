#include "core/weights/huggingface_whisper.h"

#include <algorithm>
#include <array>
#include <optional>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/strict_json.h"
#include "core/weights/alignment_heads.h"
#include "core/weights/safetensors.h"
#include "core/weights/tied_weights.h"
#include "core/weights/tokenizer_location.h"
#include "core/weights/torch_archive.h"
#include "core/weights/whisper_lists.h"
#include "core/weights/whisper_names.h"

namespace braid::weights {
namespace fs = std::filesystem;
namespace {

using nlohmann::json;

constexpr std::size_t kMaxConfigBytes = 4u << 20;
constexpr const char *kWrongConfig = "The configuration is damaged or of another kind of model";

std::int64_t number(const json &config, const char *key, const std::string &where)
{
    const auto position = config.find(key);
    if (position == config.end() || !position->is_number_integer()) {
        throw Error(ErrorKind::Model, std::string("\"") + key + "\" is missing or not a whole number", where, kWrongConfig);
    }
    return position->get<std::int64_t>();
}

std::int64_t numberOr(const json &config, const char *key, std::int64_t fallback, const std::string &where)
{
    return config.contains(key) && !config[key].is_null() ? number(config, key, where) : fallback;
}

bool flagOr(const json &config, const char *key, bool fallback, const std::string &where)
{
    const auto position = config.find(key);
    if (position == config.end() || position->is_null()) {
        return fallback;
    }
    if (!position->is_boolean()) {
        throw Error(ErrorKind::Model, std::string("\"") + key + "\" is neither true nor false", where, kWrongConfig);
    }
    return position->get<bool>();
}

void requireText(const json &config, const char *key, const std::string &wanted, const std::string &where)
{
    const auto position = config.find(key);
    if (position != config.end() && !(position->is_string() && position->get<std::string>() == wanted)) {
        throw Error(ErrorKind::Model, std::string("\"") + key + "\" is not \"" + wanted + "\", the only one this program has for Whisper", where);
    }
}

WhisperDims dimsOf(const json &config, const std::string &where)
{
    WhisperDims dims;
    dims.n_mels = numberOr(config, "num_mel_bins", 80, where);
    dims.n_audio_ctx = numberOr(config, "max_source_positions", 1500, where);
    dims.n_audio_state = number(config, "d_model", where);
    dims.n_audio_head = number(config, "encoder_attention_heads", where);
    dims.n_audio_layer = number(config, "encoder_layers", where);
    dims.n_vocab = number(config, "vocab_size", where);
    dims.n_text_ctx = numberOr(config, "max_target_positions", 448, where);
    dims.n_text_state = dims.n_audio_state;
    dims.n_text_head = number(config, "decoder_attention_heads", where);
    dims.n_text_layer = number(config, "decoder_layers", where);
    dims.n_audio_mlp = number(config, "encoder_ffn_dim", where);
    dims.n_text_mlp = number(config, "decoder_ffn_dim", where);
    dims.conv1_stride = numberOr(config, "encoder_conv1_stride", 1, where);
    dims.conv2_stride = numberOr(config, "encoder_conv2_stride", 2, where);
    checkWhisperDims(dims, where);
    return dims;
}

// {"first_chunk_ms": 400, "default_chunk_ms": 300, "chunk_ms_min": 100, "chunk_ms_max": 1000, "reencode_ms": 900}, and nothing else.
std::optional<StreamingConfig> streamingOf(const json &config, const WhisperDims &dims, const std::string &where)
{
    const auto position = config.find("braid_streaming");
    if (position == config.end() || position->is_null()) {
        return std::nullopt;
    }
    if (!position->is_object()) {
        throw Error(ErrorKind::Model, "\"braid_streaming\" is not a table", where, kWrongConfig);
    }
    for (const auto &[key, value] : position->items()) {
        constexpr std::array kKnown = {"first_chunk_ms", "default_chunk_ms", "chunk_ms_min", "chunk_ms_max", "reencode_ms"};
        if (std::find(kKnown.begin(), kKnown.end(), key) == kKnown.end()) {
            throw Error(ErrorKind::Model, "\"braid_streaming\" has \"" + key.substr(0, 60) + "\", which this program does not know", where, kWrongConfig);
        }
    }
    StreamingConfig streaming;
    streaming.first_chunk_ms = number(*position, "first_chunk_ms", where);
    streaming.default_chunk_ms = number(*position, "default_chunk_ms", where);
    streaming.chunk_ms_min = numberOr(*position, "chunk_ms_min", streaming.default_chunk_ms, where);
    streaming.chunk_ms_max = numberOr(*position, "chunk_ms_max", streaming.default_chunk_ms, where);
    streaming.reencode_ms = numberOr(*position, "reencode_ms", 0, where);
    const std::int64_t frame_ms = 10 * dims.strides().melFrames();
    const std::int64_t longest_ms = frame_ms * dims.n_audio_ctx;
    for (const std::int64_t ms : {streaming.first_chunk_ms, streaming.default_chunk_ms, streaming.chunk_ms_min, streaming.chunk_ms_max}) {
        if (ms < frame_ms || ms > longest_ms) {
            throw Error(ErrorKind::Model, "\"braid_streaming\" has a chunk shorter than a frame of the encoder or longer than its window", where, kWrongConfig);
        }
    }
    if (streaming.reencode_ms < 0 || streaming.reencode_ms > longest_ms) {
        throw Error(ErrorKind::Model, "\"braid_streaming\" encodes less than nothing again, or more than the encoder's window", where, kWrongConfig);
    }
    if (streaming.chunk_ms_min > streaming.default_chunk_ms || streaming.default_chunk_ms > streaming.chunk_ms_max) {
        throw Error(ErrorKind::Model, "the chunks in \"braid_streaming\" are not in order (min, default, max)", where, kWrongConfig);
    }
    streaming.chunk_frames = streaming.default_chunk_ms / frame_ms;
    streaming.extra_first_chunks = 0;
    return streaming;
}

// Older folders have one pickled file instead.
constexpr const char *kPickledWeights = "pytorch_model.bin";

bool hasSafetensors(const fs::path &folder)
{
    return fs::exists(folder / "model.safetensors") || fs::exists(folder / "model.safetensors.index.json");
}

TensorStore readWeights(const fs::path &folder)
{
    if (hasSafetensors(folder) || !fs::exists(folder / kPickledWeights)) {
        return readSafetensorsFolder(folder);
    }
    TorchArchive archive(folder / kPickledWeights);
    return archive.stateDict(archive.root());
}

TensorStore renamed(TensorStore tensors)
{
    for (const auto &name : tensors.names()) {
        const auto ours = openAiNameOf(name);
        if (!ours) {
            throw Error(ErrorKind::Model, "the tensor \"" + name + "\" does not belong to a Whisper", tensors.origin());
        }
        tensors.rename(name, *ours);
    }
    return tensors;
}

std::string textIfThere(const fs::path &path)
{
    return fs::exists(path) ? readTextFile(path, kMaxConfigBytes) : std::string();
}

}  // namespace

void applyHuggingFaceConfig(std::string_view config_text, std::string_view generation_text, const fs::path &folder, WhisperCheckpoint &checkpoint)
{
    const auto where = (folder / "config.json").string();
    const auto config = parseStrictJson(config_text, where);
    if (!config.is_object()) {
        throw Error(ErrorKind::Model, "the configuration is not a table", where, kWrongConfig);
    }
    const auto kind = config.find("model_type");
    if (kind == config.end() || !kind->is_string() || kind->get<std::string>() != "whisper") {
        throw Error(ErrorKind::Model,
                    "this model is not a Whisper" +
                        (kind != config.end() && kind->is_string() ? ", it is a \"" + kind->get<std::string>().substr(0, 60) + "\"" : ""),
                    where, "Captions need a Whisper model");
    }
    requireText(config, "activation_function", "gelu", where);
    if (flagOr(config, "scale_embedding", false, where)) {
        throw Error(ErrorKind::Model, "it scales its embeddings, which no published Whisper does", where);
    }
    if (!flagOr(config, "tie_word_embeddings", true, where)) {
        throw Error(ErrorKind::Model, "its output weights are not tied to its token embedding, as every published Whisper's are", where);
    }
    if (config.contains("quantization_config")) {
        throw Error(ErrorKind::Model, "the model is quantised", where, "Use the model in float32, float16 or bfloat16");
    }
    checkpoint.dims = dimsOf(config, where);
    checkpoint.padding = flagOr(config, "pad_to_window", true, where) ? WindowPadding::FullWindow : WindowPadding::None;
    checkpoint.streaming = streamingOf(config, checkpoint.dims, where);
    if (const auto languages = config.find("braid_languages"); languages != config.end()) {
        if (!languages->is_array()) {
            throw Error(ErrorKind::Model, "\"braid_languages\" is not a list", where, kWrongConfig);
        }
        for (const auto &code : *languages) {
            if (!code.is_string() || code.get<std::string>().empty() || code.get<std::string>().size() > 8) {
                throw Error(ErrorKind::Model, "\"braid_languages\" holds something that is no language code", where, kWrongConfig);
            }
            checkpoint.languages.push_back(code.get<std::string>());
        }
    }
    // Newer folders keep these in generation_config.json, older ones in config.json.
    const json *suppress = config.contains("suppress_tokens") && config["suppress_tokens"].is_array() ? &config["suppress_tokens"] : nullptr;
    const json *heads = nullptr;
    json generation;
    const auto generation_where = (folder / "generation_config.json").string();
    if (!generation_text.empty()) {
        generation = parseStrictJson(generation_text, generation_where);
        if (!generation.is_object()) {
            throw Error(ErrorKind::Model, "the configuration is not a table", generation_where, kWrongConfig);
        }
        if (generation.contains("suppress_tokens") && !generation["suppress_tokens"].is_null()) {
            suppress = &generation["suppress_tokens"];
        }
        if (generation.contains("alignment_heads") && !generation["alignment_heads"].is_null()) {
            heads = &generation["alignment_heads"];
        }
    }
    if (suppress != nullptr) {
        checkpoint.suppressed_tokens = suppressedTokensIn(*suppress, "suppress_tokens", checkpoint.dims, generation_where);
    }
    checkpoint.alignment_heads =
        heads != nullptr ? alignmentHeadsIn(*heads, checkpoint.dims, generation_where) : publishedAlignmentHeads(checkpoint.dims, folder.filename().string());
}

WhisperCheckpoint readHuggingFaceHeader(const fs::path &folder)
{
    WhisperCheckpoint checkpoint(folder.string());
    if (!fs::exists(folder / "config.json")) {
        throw Error(ErrorKind::Model, "there is no config.json in this folder", folder.string(),
                    "Choose the folder of a Hugging Face Whisper model, or a .pt file");
    }
    applyHuggingFaceConfig(readTextFile(folder / "config.json", kMaxConfigBytes), textIfThere(folder / "generation_config.json"), folder, checkpoint);
    checkpoint.tokenizer_path = tokenizerInFolder(folder, checkpoint.dims.n_vocab);
    if (!hasSafetensors(folder) && !fs::exists(folder / kPickledWeights)) {
        throw Error(ErrorKind::Model, "there are no weights in this folder (model.safetensors)", folder.string(), "The model was not downloaded completely");
    }
    return checkpoint;
}

WhisperCheckpoint readHuggingFaceWhisper(const fs::path &folder)
{
    auto checkpoint = readHuggingFaceHeader(folder);
    checkpoint.tensors = renamed(readWeights(folder));
    dropTiedCopy(checkpoint.tensors, "proj_out.weight", "decoder.token_embedding.weight", "Only Whisper models with tied embeddings are supported");
    requireWhisperTensors(checkpoint.tensors, checkpoint.dims);
    return checkpoint;
}

}  // namespace braid::weights
