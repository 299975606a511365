#include "lab/train/network.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <torch/version.h>

#include "core/base/error.h"
#include "core/nn/placement.h"
#include "core/weights/whisper_names.h"
#include "lab/train/careless_file.h"
#include "lab/train/dropout.h"

namespace braid::train {

namespace {

// [B, L, H x D] -> [B, H, L, D]
at::Tensor splitHeads(const at::Tensor &x, std::int64_t heads)
{
    return x.view({x.size(0), x.size(1), heads, x.size(2) / heads}).transpose(1, 2);
}

// Queries, keys and values that stand side by side, each in its heads.
std::vector<at::Tensor> splitParts(const at::Tensor &x, std::int64_t count, std::int64_t heads)
{
    std::vector<at::Tensor> parts = x.chunk(count, 2);
    for (at::Tensor &part : parts) {
        part = splitHeads(part, heads);
    }
    return parts;
}

at::Tensor joinHeads(const at::Tensor &x)
{
    return x.transpose(1, 2).reshape({x.size(0), x.size(2), x.size(1) * x.size(3)});
}

double scaleOf(const at::Tensor &queries)
{
    return 1.0 / std::sqrt(static_cast<double>(queries.size(3)));
}

// Scaled products of queries and keys, masked: [B, H, Q, T]
at::Tensor scoresOf(const at::Tensor &queries, const at::Tensor &keys, const at::Tensor &mask)
{
    const at::Tensor scores = at::matmul(queries * scaleOf(queries), keys.transpose(2, 3));
    return mask.defined() ? scores + mask : scores;
}

at::Tensor attend(const at::Tensor &queries, const at::Tensor &keys, const at::Tensor &values, const at::Tensor &mask)
{
#if TORCH_VERSION_MAJOR >= 2
    return at::scaled_dot_product_attention(queries, keys, values, mask.defined() ? c10::optional<at::Tensor>(mask.to(queries.scalar_type())) : c10::nullopt);
#else
    const at::Tensor scores = scoresOf(queries, keys, mask);
    const at::ScalarType exact = scores.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;  // float32 where products are in half precision
    return at::matmul(at::softmax(scores, -1, exact).to(values.scalar_type()), values);
#endif
}

models::whisper::Adding dropping(double share, Random *random)
{
    return [share, random](const at::Tensor &added) { return drop(added, share, random); };
}

at::Tensor indexTensor(std::span<const std::int64_t> values, const at::Device &device)
{
    return at::tensor(at::ArrayRef<std::int64_t>(values.data(), values.size()), at::kLong).to(device);
}

// Uniform numbers in [-range, range]; drawn by ourselves, so that they do not depend on the library's version.
at::Tensor randomTensor(const std::vector<std::int64_t> &shape, double range, Random &random)
{
    at::Tensor values = at::empty(shape, at::kFloat);
    float *at_value = values.data_ptr<float>();
    for (std::int64_t i = 0; i < values.numel(); ++i) {
        at_value[i] = static_cast<float>(random.uniform(-range, range));
    }
    return values;
}

// Whisper's fixed positions: sines, then cosines, of wavelengths from 2 pi to 20000 pi (openai/whisper, sinusoids).
at::Tensor sinusoids(std::int64_t length, std::int64_t channels)
{
    const std::int64_t half = channels / 2;
    const double step = std::log(10000.0) / static_cast<double>(std::max<std::int64_t>(1, half - 1));
    const at::Tensor inverse = at::exp(at::arange(half, at::kDouble) * -step);
    const at::Tensor angles = at::arange(length, at::kDouble).unsqueeze(1) * inverse.unsqueeze(0);
    return at::cat({at::sin(angles), at::cos(angles)}, 1).to(at::kFloat);
}

bool isAttentionLayer(const std::string &name)
{
    return (name.find(".attn.") != name.npos || name.find(".cross_attn.") != name.npos) && name.ends_with(".weight");
}

}  // namespace

const PartRecipe &partOf(const PartsRecipe &parts, const std::string &name)
{
    return name.starts_with("encoder.") ? parts.encoder : name == "decoder.token_embedding.weight" ? parts.tokens : parts.decoder;
}

at::Tensor blockMask(std::span<const std::int64_t> window_frames, std::int64_t frames, const std::optional<captions::Chunking> &chunking,
                     const at::TensorOptions &options)
{
    const bool is_padded = std::any_of(window_frames.begin(), window_frames.end(), [&](std::int64_t own) { return own != frames; });
    if (!is_padded && !chunking) {
        return {};
    }
    const auto rows = is_padded ? static_cast<std::int64_t>(window_frames.size()) : 1;
    at::Tensor mask = at::full({rows, 1, frames, frames}, -std::numeric_limits<float>::infinity(), at::kFloat);
    float *values = mask.data_ptr<float>();
    for (std::int64_t row = 0; row < rows; ++row) {
        const std::int64_t own = is_padded ? window_frames[static_cast<std::size_t>(row)] : frames;
        for (std::int64_t frame = 0; frame < frames; ++frame) {
            const std::int64_t visible = chunking ? std::min(chunking->visibleEnd(frame), own) : own;
            std::fill_n(values + (row * frames + frame) * frames, visible, 0.0f);
        }
    }
    return mask.to(options);
}

Network::Network(const weights::WhisperCheckpoint &checkpoint, const NetworkTypes &types)
    : m_dims(checkpoint.dims)
    , m_types(types)
{
    const nn::Placement placement{types.device, types.parameters};
    for (const std::string &name : checkpoint.tensors.names()) {
        add(name, nn::tensorFrom(*checkpoint.tensors.peek(name), placement), checkpoint.adapters.names().empty() && name != "encoder.positional_embedding");
    }
    for (const std::string &name : checkpoint.adapters.names()) {
        add(name, nn::tensorFrom(*checkpoint.adapters.peek(name), placement), true);
        if (name.ends_with(".lora_A")) {
            m_rank = m_parameters.at(name).size(1);
        }
    }
}

Network::Network(const weights::WhisperDims &dims, std::uint64_t seed, const NetworkTypes &types)
    : m_dims(dims)
    , m_types(types)
{
    weights::checkWhisperDims(dims, "the recipe");
    std::uint64_t number = 0;
    for (const auto &[name, shape] : weights::expectedWhisperTensors(dims)) {
        Random random({seed, ++number});
        at::Tensor value;
        if (name == "encoder.positional_embedding") {
            value = sinusoids(shape[0], shape[1]);
        } else if (name == "decoder.token_embedding.weight") {
            value = randomTensor(shape, 0.05, random);
        } else if (name == "decoder.positional_embedding") {
            value = randomTensor(shape, 0.017, random);
        } else if (name.find("ln") != name.npos && shape.size() == 1) {
            value = name.ends_with(".weight") ? at::ones(shape, at::kFloat) : at::zeros(shape, at::kFloat);
        } else if (shape.size() == 1) {
            value = at::zeros(shape, at::kFloat);
        } else {
            const std::int64_t fan_in = shape.size() == 3 ? shape[1] * shape[2] : shape[1];
            const bool adds_to_stream = name.ends_with(".out.weight") || name.ends_with(".mlp.2.weight");
            value = randomTensor(shape, (adds_to_stream ? 0.5 : 1.0) / std::sqrt(static_cast<double>(fan_in)), random);
        }
        add(name, value, name != "encoder.positional_embedding");
    }
}

void Network::add(const std::string &name, const at::Tensor &value, bool is_trained)
{
    const at::Tensor own = value.detach().to(at::TensorOptions().device(m_types.device).dtype(m_types.parameters)).clone();
    own.requires_grad_(is_trained);
    m_parameters[name] = own;
}

Network Network::sharing() const
{
    Network other = *this;
    for (auto &[name, value] : other.m_parameters) {
        value = value.detach().requires_grad_(value.requires_grad());
    }
    return other;
}

void Network::addAdapters(std::int64_t rank, std::uint64_t seed)
{
    if (m_rank != 0 && m_rank != rank) {
        throw Error(ErrorKind::Usage,
                    "the starting model has adapters of rank " + std::to_string(m_rank) + ", the recipe asks for rank " + std::to_string(rank));
    }
    const bool are_new = m_rank == 0;
    m_rank = rank;
    std::vector<std::string> layers;
    for (auto &[name, value] : m_parameters) {
        if (are_new && isAttentionLayer(name)) {
            layers.push_back(name.substr(0, name.size() - std::string(".weight").size()));
        }
        value.requires_grad_(name.find(".lora_") != name.npos || name.starts_with("heads."));
    }
    std::uint64_t number = 1000;
    for (const std::string &layer : layers) {
        Random random({seed, ++number});
        addAdapter(layer, rank, random);
    }
}

void Network::trainParts(const PartsRecipe &parts, std::uint64_t seed)
{
    if (m_rank != 0) {
        const std::map<std::string, at::Tensor> merged = mergedAdapters(m_parameters);
        m_parameters.clear();
        for (const auto &[name, value] : merged) {
            add(name, value, false);
        }
        m_rank = 0;
    }
    std::vector<std::pair<std::string, const PartRecipe *>> adapted;
    for (auto &[name, value] : m_parameters) {
        if (name.starts_with("heads.")) {
            value.requires_grad_(true);
            continue;
        }
        const PartRecipe &part = partOf(parts, name);
        value.requires_grad_(part.way == PartRecipe::Way::Whole && name != "encoder.positional_embedding");
        if (isAttentionLayer(name)) {
            adapted.emplace_back(name.substr(0, name.size() - std::string(".weight").size()), &part);
        }
    }
    std::uint64_t number = 1000;
    for (const auto &[layer, part] : adapted) {
        Random random({seed, ++number});
        if (part->way == PartRecipe::Way::Lora) {
            addAdapter(layer, part->rank, random);
        }
    }
}

void Network::addAdapter(const std::string &layer, std::int64_t rank, Random &random)
{
    const at::Tensor weight = m_parameters.at(layer + ".weight");
    add(layer + ".lora_A", randomTensor({weight.size(1), rank}, 1.0 / std::sqrt(static_cast<double>(weight.size(1))), random), true);
    add(layer + ".lora_B", at::zeros({rank, weight.size(0)}, at::kFloat), true);
    m_rank = std::max(m_rank, rank);
}

void Network::addFixedHead(const std::string &name, std::span<const float> means, std::span<const float> deviations)
{
    const auto width = static_cast<std::int64_t>(means.size());
    const at::Tensor mean = at::from_blob(const_cast<float *>(means.data()), {width}, at::kFloat);
    const at::Tensor deviation = at::from_blob(const_cast<float *>(deviations.data()), {width}, at::kFloat);
    add("heads." + name + ".weight", at::diag(1 / deviation), false);
    add("heads." + name + ".bias", -mean / deviation, false);
}

void Network::addHead(const std::string &name, std::int64_t in, std::int64_t out, std::uint64_t seed)
{
    if (hasParameter("heads." + name + ".weight")) {
        return;
    }
    Random random({seed, 5000 + static_cast<std::uint64_t>(name.size())});
    add("heads." + name + ".weight", randomTensor({out, in}, 1.0 / std::sqrt(static_cast<double>(in)), random), true);
    add("heads." + name + ".bias", at::zeros({out}, at::kFloat), true);
}

const at::Tensor &Network::parameter(const std::string &name) const
{
    const auto found = m_parameters.find(name);
    if (found == m_parameters.end()) {
        throw Error(ErrorKind::Internal, "the training network has no parameter \"" + name + "\"");
    }
    return found->second;
}

models::whisper::LayerSource Network::source() const
{
    const auto find = [this](const std::string &name, const std::vector<std::int64_t> &) {
        return name.find(".lora_") != name.npos && !hasParameter(name) ? at::Tensor() : parameter(name);
    };
    return {find, [this](at::Tensor weight, at::Tensor bias) {
                nn::Linear layer(std::move(weight), std::move(bias));
                layer.setProductType(m_types.products);
                return layer;
            }};
}

at::Tensor Network::encode(const at::Tensor &mel, std::span<const std::int64_t> window_frames, const std::optional<captions::Chunking> &chunking,
                           const Dropout &dropout) const
{
    const std::int64_t frames = (mel.size(1) - melFramesOf(0)) / m_dims.strides().melFrames();
    if (mel.size(1) != melFramesOf(frames) || frames < 1 || frames > m_dims.n_audio_ctx) {
        throw Error(ErrorKind::Internal, "a training window of " + std::to_string(mel.size(1)) + " mel frames does not fit the encoder");
    }
    const models::whisper::EncoderLayers layers(m_dims, source());
    // With look-ahead, the convolutions' own zeros at the right end reach only outputs beyond the last frame.
    const at::Tensor x = layers.convolve(mel, models::whisper::EncoderLayers::Zeros::Around, 0, frames);
    const at::Tensor mask = blockMask(window_frames, frames, chunking, x.options());
    const auto attention = [&](std::int64_t, const at::Tensor &query_key_value) {
        const std::vector<at::Tensor> heads = splitParts(query_key_value, 3, m_dims.n_audio_head);
        return joinHeads(attend(heads[0], heads[1], heads[2], mask));
    };
    return layers.run(x, attention, dropping(dropout.encoder, dropout.random));
}

DecodedRows Network::decode(const at::Tensor &encoded, const at::Tensor &tokens, std::span<const std::int64_t> window_of,
                            std::span<const std::int64_t> visible_frames, AttentionLog log, const Dropout &dropout) const
{
    const std::int64_t length = tokens.size(1);
    const std::int64_t frames = encoded.size(1);
    if (length > m_dims.n_text_ctx) {
        throw Error(ErrorKind::Internal, "a training text of " + std::to_string(length) + " tokens does not fit the decoder");
    }
    const auto float_options = encoded.options();
    const at::Tensor rows = indexTensor(window_of, m_types.device);
    const at::Tensor limits = indexTensor(visible_frames, m_types.device);
    const double closed = -std::numeric_limits<double>::infinity();
    const at::Tensor beyond = at::arange(frames, limits.options()).unsqueeze(0) >= limits.unsqueeze(1);  // [R, T]
    const at::Tensor sound_mask = at::zeros({tokens.size(0), frames}, float_options).masked_fill(beyond, closed).unsqueeze(1).unsqueeze(1);
    const at::Tensor later = at::ones({length, length}, float_options.dtype(at::kBool)).triu(1);
    const at::Tensor token_mask = at::zeros({length, length}, float_options).masked_fill(later, closed);

    DecodedRows out;
    const models::whisper::DecoderLayers layers(m_dims, source());
    models::whisper::DecoderLayers::Attention attention;
    attention.tokens = [&](std::int64_t, const at::Tensor &query_key_value, at::Tensor &) {
        const std::vector<at::Tensor> heads = splitParts(query_key_value, 3, m_dims.n_text_head);
        return joinHeads(attend(heads[0], heads[1], heads[2], token_mask));
    };
    attention.sound = [&](std::int64_t layer, const at::Tensor &projected) {
        const at::Tensor queries = splitHeads(projected, m_dims.n_text_head);
        // Keys and values are computed once a window and then handed to each of its rows.
        const std::vector<at::Tensor> heard = splitParts(layers.soundKeysValues(layer, encoded), 2, m_dims.n_text_head);
        const at::Tensor keys = heard[0].index_select(0, rows);
        const at::Tensor values = heard[1].index_select(0, rows);
        if (log == AttentionLog::No) {
            return joinHeads(attend(queries, keys, values, sound_mask));
        }
        out.log_attention.push_back(at::log_softmax(scoresOf(queries, keys, sound_mask), -1, m_types.parameters));
        return joinHeads(at::matmul(at::exp(out.log_attention.back()).to(m_types.products), values));
    };
    const at::Tensor x = layers.embed(tokens) + layers.positions().narrow(0, 0, length);
    out.hidden = layers.run(x, attention, dropping(dropout.decoder, dropout.random));
    return out;
}

at::Tensor Network::logits(const at::Tensor &hidden) const
{
    return source().linear(parameter("decoder.token_embedding.weight"), {})(hidden).to(m_types.parameters);
}

at::Tensor Network::head(const std::string &name, const at::Tensor &x) const
{
    return source().linear(parameter("heads." + name + ".weight"), parameter("heads." + name + ".bias"))(x).to(m_types.parameters);
}

}  // namespace braid::train
