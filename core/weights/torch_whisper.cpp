#include "core/weights/torch_whisper.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/error.h"
#include "core/weights/alignment_heads.h"
#include "core/weights/tokenizer_location.h"
#include "core/weights/whisper_names.h"

namespace braid::weights {
namespace {

constexpr const char *kNotWhisper = "Choose a Whisper .pt, a CarelessWhisper .pt or .ckpt, or a Hugging Face folder";

std::int64_t requiredDim(const PickleValue &dims, const char *name, const std::string &where)
{
    const auto value = dims.field(name);
    const auto number = value ? value->integer() : std::nullopt;
    if (!number) {
        throw Error(ErrorKind::Model, std::string("its sizes do not say \"") + name + "\"", where, kNotWhisper);
    }
    return *number;
}

WhisperDims readDims(const PickleValue &root, const std::string &where)
{
    auto found = root.field("dims");
    if (!found) {
        if (const auto parameters = root.field("hyper_parameters")) {
            found = parameters->field("dims");
        }
    }
    if (!found) {
        throw Error(ErrorKind::Model, "the file does not say the sizes of its model (\"dims\")", where, kNotWhisper);
    }
    WhisperDims dims;
    dims.n_mels = requiredDim(*found, "n_mels", where);
    dims.n_audio_ctx = requiredDim(*found, "n_audio_ctx", where);
    dims.n_audio_state = requiredDim(*found, "n_audio_state", where);
    dims.n_audio_head = requiredDim(*found, "n_audio_head", where);
    dims.n_audio_layer = requiredDim(*found, "n_audio_layer", where);
    dims.n_vocab = requiredDim(*found, "n_vocab", where);
    dims.n_text_ctx = requiredDim(*found, "n_text_ctx", where);
    dims.n_text_state = requiredDim(*found, "n_text_state", where);
    dims.n_text_head = requiredDim(*found, "n_text_head", where);
    dims.n_text_layer = requiredDim(*found, "n_text_layer", where);
    checkWhisperDims(dims, where);
    return dims;
}

// A number under one of two names, in `place` or in one of the objects inside it (hyper_parameters may hold a whole "cfg").
std::optional<std::int64_t> findNumber(const PickleValue &place, std::string_view name, std::string_view other_name)
{
    const auto look = [&](const PickleValue &value) -> std::optional<std::int64_t> {
        for (const auto key : {name, other_name}) {
            const auto field = value.field(key);
            if (const auto number = field ? field->integer() : std::nullopt) {
                return number;
            }
        }
        return std::nullopt;
    };
    if (const auto number = look(place)) {
        return number;
    }
    for (const auto &part : {place.entries(), place.attributes()}) {
        for (const auto &[key, value] : part) {
            if (const auto number = look(value)) {
                return number;
            }
        }
    }
    return std::nullopt;
}

std::optional<StreamingConfig> readStreamingConfig(const PickleValue &root, const std::string &where)
{
    for (const char *place_name : {"cfg", "hyper_parameters"}) {
        const auto place = root.field(place_name);
        const auto chunk = place ? findNumber(*place, "gran", "enc_emb_gran") : std::nullopt;
        if (!chunk) {
            continue;
        }
        StreamingConfig config;
        config.chunk_frames = *chunk;
        config.rank = findNumber(*place, "rank", "rank").value_or(0);
        config.extra_first_chunks = findNumber(*place, "extra_gran_blocks", "enc_context").value_or(0);
        if (config.chunk_frames < 1 || config.chunk_frames > 1500 || config.rank < 0 || config.rank > 65536 || config.extra_first_chunks < 0 ||
            config.extra_first_chunks > 1500) {
            throw Error(ErrorKind::Model, "its streaming configuration has impossible numbers", where, kNotWhisper);
        }
        constexpr std::int64_t kFrameMs = 20;
        config.default_chunk_ms = config.chunk_ms_min = config.chunk_ms_max = kFrameMs * config.chunk_frames;
        config.first_chunk_ms = std::min<std::int64_t>(config.default_chunk_ms * (1 + config.extra_first_chunks), 30000);
        return config;
    }
    return std::nullopt;
}

// The weights' own table, and whether its names begin with "model." as in a training checkpoint.
std::pair<PickleValue, bool> findStateDict(const PickleValue &root, const std::string &where)
{
    for (const char *name : {"model_state_dict", "state_dict"}) {
        if (const auto found = root.field(name)) {
            const auto entries = found->entries();
            if (entries.empty()) {
                throw Error(ErrorKind::Model, "the file holds no weights", where, kNotWhisper);
            }
            return {*found, entries.front().first.starts_with("model.")};
        }
    }
    throw Error(ErrorKind::Model, "the file holds no weights (\"model_state_dict\" or \"state_dict\")", where, kNotWhisper);
}

// Takes "model." off every name.
void dropPrefix(TensorStore &tensors)
{
    constexpr std::string_view prefix = "model.";
    for (const auto &name : tensors.names()) {
        if (!name.starts_with(prefix)) {
            throw Error(ErrorKind::Model, "the tensor \"" + name + "\" does not belong to the model in this checkpoint", tensors.origin());
        }
        tensors.rename(name, name.substr(prefix.size()));
    }
}

// "X.base_layer.weight" -> "X.weight"; "X.lora_layer.lora_A" -> "X.lora_A" among the adapters.
void separateAdapters(WhisperCheckpoint &checkpoint)
{
    constexpr std::string_view base = ".base_layer.";
    constexpr std::string_view adapter = ".lora_layer.";
    for (const auto &name : checkpoint.tensors.names()) {
        if (const auto at = name.find(base); at != name.npos) {
            checkpoint.tensors.rename(name, name.substr(0, at) + "." + name.substr(at + base.size()));
        } else if (const auto lora = name.find(adapter); lora != name.npos) {
            checkpoint.adapters.add(name.substr(0, lora) + "." + name.substr(lora + adapter.size()), checkpoint.tensors.take(name));
            checkpoint.tensors.remove(name);
        }
    }
}

// Every adapter is a pair A [in, rank], B [rank, out] beside a weight [out, in], all of one rank, on attention projections only.
void checkAdapters(WhisperCheckpoint &checkpoint)
{
    const auto &adapters = checkpoint.adapters;
    const auto &where = adapters.origin();
    std::optional<std::int64_t> rank;
    for (const auto &name : adapters.names()) {
        const auto stem = name.substr(0, name.rfind('.'));
        const auto *a = adapters.peek(stem + ".lora_A");
        const auto *b = adapters.peek(stem + ".lora_B");
        const auto *weight = checkpoint.tensors.peek(stem + ".weight");
        const bool is_known = name.ends_with(".lora_A") || name.ends_with(".lora_B");
        if (!is_known || a == nullptr || b == nullptr || weight == nullptr || stem.find("attn.") == stem.npos) {
            throw Error(ErrorKind::Model, "the adapter \"" + name + "\" has no counterpart in the model", where);
        }
        const bool fits = a->shape.size() == 2 && b->shape.size() == 2 && weight->shape.size() == 2 && a->shape[1] == b->shape[0] &&
                          a->shape[0] == weight->shape[1] && b->shape[1] == weight->shape[0] && isFloatingPoint(a->dtype) && isFloatingPoint(b->dtype);
        if (!fits || a->shape[1] < 1 || rank.value_or(a->shape[1]) != a->shape[1]) {
            throw Error(ErrorKind::Model, "the adapter \"" + name + "\" does not fit the weight it belongs to", where);
        }
        rank = a->shape[1];
    }
    if (!rank) {
        return;
    }
    if (!checkpoint.streaming) {
        throw Error(ErrorKind::Model, "the file holds adapters but does not say for which chunk size (\"cfg\" with \"gran\")", where, kNotWhisper);
    }
    if (checkpoint.streaming->rank != 0 && checkpoint.streaming->rank != *rank) {
        throw Error(ErrorKind::Model,
                    "its adapters have the rank " + std::to_string(*rank) + ", its configuration says " + std::to_string(checkpoint.streaming->rank), where);
    }
    checkpoint.streaming->rank = *rank;
}

}  // namespace

WhisperCheckpoint readTorchWhisper(TorchArchive &archive, ReadDepth depth)
{
    const auto &where = archive.where();
    const auto root = archive.root();
    WhisperCheckpoint checkpoint(where);
    checkpoint.dims = readDims(root, where);
    checkpoint.streaming = readStreamingConfig(root, where);
    const auto [state_dict, has_prefix] = findStateDict(root, where);
    if (depth == ReadDepth::Header) {
        return checkpoint;
    }
    checkpoint.tensors = archive.stateDict(state_dict);
    if (has_prefix) {
        dropPrefix(checkpoint.tensors);
    }
    separateAdapters(checkpoint);
    requireWhisperTensors(checkpoint.tensors, checkpoint.dims);
    checkAdapters(checkpoint);
    return checkpoint;
}

WhisperCheckpoint readTorchWhisper(const std::filesystem::path &path, ReadDepth depth)
{
    TorchArchive archive(path);
    auto checkpoint = readTorchWhisper(archive, depth);
    checkpoint.tokenizer_path = tokenizerBesideFile(path, checkpoint.dims.n_vocab);
    checkpoint.alignment_heads = publishedAlignmentHeads(checkpoint.dims, path.filename().string());
    return checkpoint;
}

}  // namespace braid::weights
