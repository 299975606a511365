#include "lab/train/whisper_parts.h"

#include <algorithm>
#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "core/base/error.h"
#include "core/nn/placement.h"
#include "core/weights/safetensors.h"
#include "core/weights/whisper_names.h"
#include "lab/train/random.h"
#include "lab/train/tensor_files.h"

namespace braid::train {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kHeadWidth = 64;  // of every published Whisper
constexpr const char *kTokenTable = "decoder.token_embedding.weight";

weights::TensorStore readPart(const fs::path &path, const std::string &prefix)
{
    weights::TensorStore tensors = weights::readSafetensors(path).tensors;
    for (const std::string &name : tensors.names()) {
        if (!name.starts_with(prefix)) {
            tensors.rename(name, prefix + name);
        }
    }
    return tensors;
}

std::vector<std::int64_t> shapeOf(const weights::TensorStore &tensors, const std::string &name, std::size_t dimensions)
{
    const auto *tensor = tensors.peek(name);
    if (tensor == nullptr || tensor->shape.size() != dimensions) {
        throw Error(ErrorKind::Model, "there is no usable \"" + name + "\"", tensors.origin(),
                    "Give a safetensors file of a Whisper's tensors by OpenAI's names");
    }
    return tensor->shape;
}

std::int64_t layersIn(const weights::TensorStore &tensors, const std::string &blocks)
{
    std::int64_t layers = 0;
    while (tensors.contains(blocks + std::to_string(layers) + ".attn.query.weight")) {
        ++layers;
    }
    return layers;
}

std::int64_t headsOf(std::int64_t state)
{
    return std::max<std::int64_t>(1, state / kHeadWidth);
}

void moveInto(weights::TensorStore &whole, const weights::TensorStore &part)
{
    for (const std::string &name : part.names()) {
        const weights::StoredTensor &tensor = *part.peek(name);
        if (weights::isFloatingPoint(tensor.dtype) && !at::isfinite(nn::tensorFrom(tensor, {})).all().item<bool>()) {
            throw Error(ErrorKind::Model, "\"" + name + "\" holds values that are no numbers", part.origin(), "The file is damaged");
        }
        whole.add(name, tensor);
    }
}

void replace(weights::TensorStore &tensors, const std::string &name, const at::Tensor &value)
{
    tensors.remove(name);
    tensors.add(name, storedTensor(value, at::kFloat));
}

}  // namespace

weights::WhisperCheckpoint readEncoderFile(const fs::path &path)
{
    weights::WhisperCheckpoint checkpoint(path.string());
    checkpoint.tensors = readPart(path, "encoder.");
    weights::WhisperDims &dims = checkpoint.dims;
    const auto conv = shapeOf(checkpoint.tensors, "encoder.conv1.weight", 3);
    dims.n_audio_state = conv[0];
    dims.n_mels = conv[1];
    dims.n_audio_ctx = shapeOf(checkpoint.tensors, "encoder.positional_embedding", 2)[0];
    dims.n_audio_head = headsOf(dims.n_audio_state);
    dims.n_audio_mlp = shapeOf(checkpoint.tensors, "encoder.blocks.0.mlp.0.weight", 2)[0];
    dims.n_audio_layer = layersIn(checkpoint.tensors, "encoder.blocks.");
    dims.n_text_state = dims.n_audio_state;
    dims.n_text_head = dims.n_audio_head;
    weights::checkWhisperDims(dims, path.string());
    return checkpoint;
}

weights::WhisperCheckpoint readParts(const StartRecipe &start, std::int64_t vocabulary, std::uint64_t seed)
{
    weights::WhisperCheckpoint encoder = readEncoderFile(start.encoder);
    weights::TensorStore decoder = readPart(start.decoder, "decoder.");
    if (decoder.contains(kTokenTable)) {
        decoder.remove(kTokenTable);  // the new model has a vocabulary of its own
    }
    weights::WhisperCheckpoint whole(start.encoder.string() + ", " + start.decoder.string());
    weights::WhisperDims &dims = whole.dims;
    dims = encoder.dims;
    const auto positions = shapeOf(decoder, "decoder.positional_embedding", 2);
    dims.n_text_state = positions[1];
    dims.n_text_head = headsOf(dims.n_text_state);
    dims.n_text_mlp = shapeOf(decoder, "decoder.blocks.0.mlp.0.weight", 2)[0];
    dims.n_text_layer = layersIn(decoder, "decoder.blocks.");
    dims.n_text_ctx = start.text_positions > 0 ? start.text_positions : positions[0];
    dims.n_vocab = vocabulary;
    if (dims.n_text_ctx > positions[0]) {
        throw Error(ErrorKind::Model, "it has only " + std::to_string(positions[0]) + " positions of text", start.decoder.string(),
                    "Ask for fewer \"start.text_positions\"");
    }
    moveInto(whole.tensors, encoder.tensors);
    moveInto(whole.tensors, decoder);
    replace(whole.tensors, "decoder.positional_embedding", nn::tensorFrom(*decoder.peek("decoder.positional_embedding"), {}).narrow(0, 0, dims.n_text_ctx));
    if (start.frames == FramesKept::EverySecond) {
        const at::Tensor all = nn::tensorFrom(*encoder.tensors.peek("encoder.positional_embedding"), {});
        const at::Tensor kept = all.slice(0, 0, all.size(0), 2).contiguous();
        replace(whole.tensors, "encoder.positional_embedding", kept);
        dims.n_audio_ctx = kept.size(0);
        dims.conv2_stride = 4;
    }
    weights::checkWhisperDims(dims, whole.tensors.origin());
    Random random({seed, 41});
    at::Tensor table = at::empty({vocabulary, dims.n_text_state}, at::kFloat);
    float *values = table.data_ptr<float>();
    for (std::int64_t i = 0; i < table.numel(); ++i) {
        values[i] = static_cast<float>(start.token_deviation * random.normal());
    }
    whole.tensors.add(kTokenTable, storedTensor(table, at::kFloat));
    weights::requireWhisperTensors(whole.tensors, dims);
    whole.padding = weights::WindowPadding::None;
    return whole;
}

}  // namespace braid::train
