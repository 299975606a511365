#include "core/weights/whisper_names.h"

#include <algorithm>
#include <array>
#include <set>

#include "core/base/error.h"

namespace braid::weights {
namespace {

void addLinear(std::vector<ExpectedTensor> &out, const std::string &name, std::int64_t rows, std::int64_t columns)
{
    out.push_back({name + ".weight", {rows, columns}});
    out.push_back({name + ".bias", {rows}});
}

void addNorm(std::vector<ExpectedTensor> &out, const std::string &name, std::int64_t state)
{
    out.push_back({name + ".weight", {state}});
    out.push_back({name + ".bias", {state}});
}

// The keys are `source_state` wide: the decoder reads the encoder's output, and both have the same width in every published model.
void addAttention(std::vector<ExpectedTensor> &out, const std::string &name, std::int64_t state, std::int64_t source_state)
{
    addLinear(out, name + ".query", state, state);
    out.push_back({name + ".key.weight", {state, source_state}});  // the key has no bias
    addLinear(out, name + ".value", state, source_state);
    addLinear(out, name + ".out", state, state);
    addNorm(out, name + "_ln", state);
}

void addMlp(std::vector<ExpectedTensor> &out, const std::string &block, std::int64_t state, std::int64_t inner)
{
    addLinear(out, block + ".mlp.0", inner, state);
    addLinear(out, block + ".mlp.2", state, inner);
    addNorm(out, block + ".mlp_ln", state);
}

std::string shapeText(const std::vector<std::int64_t> &shape)
{
    std::string text = "[";
    for (const auto length : shape) {
        text += (text.size() > 1 ? ", " : "") + std::to_string(length);
    }
    return text + "]";
}

// What stands behind "layers.N." of a Hugging Face name.
std::optional<std::string> openAiLayerPart(std::string_view part)
{
    static constexpr std::array<std::array<std::string_view, 2>, 13> parts = {{
        {"self_attn.q_proj.", "attn.query."},
        {"self_attn.k_proj.", "attn.key."},
        {"self_attn.v_proj.", "attn.value."},
        {"self_attn.out_proj.", "attn.out."},
        {"self_attn_layer_norm.", "attn_ln."},
        {"encoder_attn.q_proj.", "cross_attn.query."},
        {"encoder_attn.k_proj.", "cross_attn.key."},
        {"encoder_attn.v_proj.", "cross_attn.value."},
        {"encoder_attn.out_proj.", "cross_attn.out."},
        {"encoder_attn_layer_norm.", "cross_attn_ln."},
        {"fc1.", "mlp.0."},
        {"fc2.", "mlp.2."},
        {"final_layer_norm.", "mlp_ln."},
    }};
    for (const auto &[theirs, ours] : parts) {
        if (!part.starts_with(theirs)) {
            continue;
        }
        const auto end = part.substr(theirs.size());
        if (end == "weight" || end == "bias") {
            return std::string(ours) + std::string(end);
        }
    }
    return std::nullopt;
}

std::optional<std::string> openAiSidePart(std::string_view rest, bool is_encoder)
{
    static constexpr std::array<std::array<std::string_view, 2>, 7> encoder = {{
        {"conv1.weight", "conv1.weight"},
        {"conv1.bias", "conv1.bias"},
        {"conv2.weight", "conv2.weight"},
        {"conv2.bias", "conv2.bias"},
        {"embed_positions.weight", "positional_embedding"},
        {"layer_norm.weight", "ln_post.weight"},
        {"layer_norm.bias", "ln_post.bias"},
    }};
    static constexpr std::array<std::array<std::string_view, 2>, 4> decoder = {{
        {"embed_tokens.weight", "token_embedding.weight"},
        {"embed_positions.weight", "positional_embedding"},
        {"layer_norm.weight", "ln.weight"},
        {"layer_norm.bias", "ln.bias"},
    }};
    const auto look = [&](const auto &table) -> std::optional<std::string> {
        for (const auto &[theirs, ours] : table) {
            if (theirs == rest) {
                return std::string(ours);
            }
        }
        return std::nullopt;
    };
    if (const auto found = is_encoder ? look(encoder) : look(decoder)) {
        return found;
    }
    constexpr std::string_view layers = "layers.";
    if (!rest.starts_with(layers)) {
        return std::nullopt;
    }
    rest.remove_prefix(layers.size());
    const auto dot = rest.find('.');
    if (dot == rest.npos || dot == 0 || dot > 4 || rest.substr(0, dot).find_first_not_of("0123456789") != rest.npos) {
        return std::nullopt;
    }
    if (is_encoder && rest.substr(dot + 1).starts_with("encoder_attn")) {
        return std::nullopt;
    }
    const auto part = openAiLayerPart(rest.substr(dot + 1));
    return part ? std::optional("blocks." + std::string(rest.substr(0, dot)) + "." + *part) : std::nullopt;
}

}  // namespace

void checkWhisperDims(const WhisperDims &dims, const std::string &where)
{
    struct Bound {
        const char *name;
        std::int64_t value;
        std::int64_t least;
        std::int64_t most;
    };
    const Bound bounds[] = {
        {"mel bands", dims.n_mels, 1, 1024},
        {"encoder positions", dims.n_audio_ctx, 1, 100000},
        {"encoder width", dims.n_audio_state, 1, 65536},
        {"encoder heads", dims.n_audio_head, 1, 1024},
        {"encoder layers", dims.n_audio_layer, 1, 1024},
        {"tokens", dims.n_vocab, 1, 4000000},
        {"text positions", dims.n_text_ctx, 1, 100000},
        {"decoder width", dims.n_text_state, 1, 65536},
        {"decoder heads", dims.n_text_head, 1, 1024},
        {"decoder layers", dims.n_text_layer, 1, 1024},
        {"inner width of the encoder", dims.n_audio_mlp, 0, 1000000},
        {"inner width of the decoder", dims.n_text_mlp, 0, 1000000},
    };
    for (const auto &bound : bounds) {
        if (bound.value < bound.least || bound.value > bound.most) {
            throw Error(ErrorKind::Model, "the model cannot have " + std::to_string(bound.value) + " as its number of " + bound.name, where);
        }
    }
    if (dims.conv1_stride < 1 || dims.conv1_stride > 2) {
        throw Error(ErrorKind::Model, "the stride of its first convolution can be 1 or 2, not " + std::to_string(dims.conv1_stride), where);
    }
    if (dims.conv2_stride != 2 && dims.conv2_stride != 4) {
        throw Error(ErrorKind::Model, "the stride of its second convolution can be 2 or 4, not " + std::to_string(dims.conv2_stride), where);
    }
    if (dims.conv1_stride != 1 && dims.conv2_stride != 2) {
        throw Error(ErrorKind::Model, "only one of its convolutions can have another stride than Whisper's", where);
    }
    if (dims.n_audio_state % dims.n_audio_head != 0 || dims.n_text_state % dims.n_text_head != 0) {
        throw Error(ErrorKind::Model, "the number of attention heads does not divide the width of the model", where);
    }
    if (dims.n_audio_state != dims.n_text_state) {
        throw Error(ErrorKind::Model,
                    "encoder and decoder have different widths (" + std::to_string(dims.n_audio_state) + " and " + std::to_string(dims.n_text_state) +
                        "), which no Whisper has",
                    where);
    }
}

std::vector<ExpectedTensor> expectedWhisperTensors(const WhisperDims &dims)
{
    std::vector<ExpectedTensor> out;
    const auto audio = dims.n_audio_state;
    const auto text = dims.n_text_state;
    out.push_back({"encoder.conv1.weight", {audio, dims.n_mels, 3}});
    out.push_back({"encoder.conv1.bias", {audio}});
    out.push_back({"encoder.conv2.weight", {audio, audio, 3}});
    out.push_back({"encoder.conv2.bias", {audio}});
    out.push_back({"encoder.positional_embedding", {dims.n_audio_ctx, audio}});
    for (std::int64_t i = 0; i < dims.n_audio_layer; ++i) {
        const auto block = "encoder.blocks." + std::to_string(i);
        addAttention(out, block + ".attn", audio, audio);
        addMlp(out, block, audio, dims.audioMlp());
    }
    addNorm(out, "encoder.ln_post", audio);
    out.push_back({"decoder.token_embedding.weight", {dims.n_vocab, text}});
    out.push_back({"decoder.positional_embedding", {dims.n_text_ctx, text}});
    for (std::int64_t i = 0; i < dims.n_text_layer; ++i) {
        const auto block = "decoder.blocks." + std::to_string(i);
        addAttention(out, block + ".attn", text, text);
        addAttention(out, block + ".cross_attn", text, audio);
        addMlp(out, block, text, dims.textMlp());
    }
    addNorm(out, "decoder.ln", text);
    return out;
}

std::optional<std::string> openAiNameOf(std::string_view name)
{
    if (name == "proj_out.weight") {
        return std::string(name);
    }
    if (name.starts_with("model.")) {
        name.remove_prefix(6);
    }
    const bool is_encoder = name.starts_with("encoder.");
    if (!is_encoder && !name.starts_with("decoder.")) {
        return std::nullopt;
    }
    const auto part = openAiSidePart(name.substr(8), is_encoder);
    return part ? std::optional(std::string(name.substr(0, 8)) + *part) : std::nullopt;
}

void requireWhisperTensors(const TensorStore &tensors, const WhisperDims &dims)
{
    const auto expected = expectedWhisperTensors(dims);
    std::set<std::string_view> known;
    std::string missing;
    std::size_t missing_count = 0;
    for (const auto &wanted : expected) {
        known.insert(wanted.name);
        const auto *tensor = tensors.peek(wanted.name);
        if (tensor == nullptr) {
            if (++missing_count <= 3) {
                missing += (missing_count > 1 ? ", \"" : "\"") + wanted.name + "\"";
            }
            continue;
        }
        if (tensor->shape != wanted.shape) {
            throw Error(ErrorKind::Model,
                        "the tensor \"" + wanted.name + "\" has the shape " + shapeText(tensor->shape) + " where the model's sizes ask for " +
                            shapeText(wanted.shape),
                        tensors.origin(), "The weights and the configuration do not belong together");
        }
        if (!tensor->isWeights()) {
            throw Error(ErrorKind::Model,
                        "the tensor \"" + wanted.name + "\" holds " + std::string(dtypeName(tensor->dtype)) + " numbers; quantised models are not supported",
                        tensors.origin(), "Use the model in float32, float16 or bfloat16");
        }
    }
    if (missing_count > 0) {
        throw Error(ErrorKind::Model, std::to_string(missing_count) + " tensors are missing: " + missing + (missing_count > 3 ? ", ..." : ""), tensors.origin(),
                    "This is not a complete Whisper");
    }
    std::string unknown;
    std::size_t unknown_count = 0;
    for (const auto &name : tensors.names()) {
        if (!known.contains(name) && ++unknown_count <= 3) {
            unknown += (unknown_count > 1 ? ", \"" : "\"") + name + "\"";
        }
    }
    if (unknown_count > 0) {
        throw Error(ErrorKind::Model,
                    std::to_string(unknown_count) + " tensors do not belong to a Whisper of these sizes: " + unknown + (unknown_count > 3 ? ", ..." : ""),
                    tensors.origin(), "The weights and the configuration do not belong together");
    }
}

}  // namespace braid::weights
