#include "core/train/network.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <torch/version.h>

#include "core/base/error.h"
#include "core/nn/placement.h"
#include "core/train/careless_file.h"
#include "core/train/dropout.h"
#include "core/weights/whisper_names.h"

namespace braid::train {

namespace {

constexpr double kNormEpsilon = 1e-5;

// [B, L, H x D] -> [B, H, L, D]
at::Tensor splitHeads(const at::Tensor &x, std::int64_t heads)
{
    return x.view({x.size(0), x.size(1), heads, x.size(2) / heads}).transpose(1, 2);
}

at::Tensor joinHeads(const at::Tensor &x) { return x.transpose(1, 2).reshape({x.size(0), x.size(2), x.size(1) * x.size(3)}); }

double scaleOf(const at::Tensor &queries) { return 1.0 / std::sqrt(static_cast<double>(queries.size(3))); }

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

at::Tensor blockMask(std::span<const std::int64_t> window_frames, std::int64_t frames, const std::optional<decoding::Chunking> &chunking,
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
        throw Error(ErrorKind::Usage, "the starting model has adapters of rank " + std::to_string(m_rank) + ", the recipe asks for rank " + std::to_string(rank));
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

at::Tensor Network::linear(const at::Tensor &x, const std::string &name) const
{
    const at::Tensor input = x.to(m_types.products);
    const auto bias = m_parameters.find(name + ".bias");
    at::Tensor y = bias == m_parameters.end() ? at::linear(input, parameter(name + ".weight").to(m_types.products))
                                              : at::linear(input, parameter(name + ".weight").to(m_types.products), bias->second.to(m_types.products));
    if (const auto a = m_parameters.find(name + ".lora_A"); a != m_parameters.end()) {
        y = y + at::matmul(at::matmul(input, a->second.to(m_types.products)), parameter(name + ".lora_B").to(m_types.products));
    }
    return y;
}

at::Tensor Network::norm(const at::Tensor &x, const std::string &name) const
{
    const at::Tensor &weight = parameter(name + ".weight");
    return at::layer_norm(x.to(m_types.parameters), weight.sizes(), weight, parameter(name + ".bias"), kNormEpsilon);
}

// Kernel 3, one zero on either side, time in the middle dimension: [B, L, in] -> [B, ceil(L / stride), out]. The three taps stand side
// by side and meet the weights in one product, which is several times faster than libtorch 1.13's own convolution and its gradient.
at::Tensor Network::convolve(const at::Tensor &x, const std::string &name, std::int64_t stride) const
{
    const at::Tensor &weight = parameter(name + ".weight");  // [out, in, 3]
    const at::Tensor padded = at::constant_pad_nd(x, {0, 0, 1, 1});
    const std::int64_t count = (x.size(1) + stride - 1) / stride;
    std::vector<at::Tensor> taps;
    for (std::int64_t tap = 0; tap < 3; ++tap) {
        taps.push_back(padded.slice(1, tap, tap + (count - 1) * stride + 1, stride));
    }
    const at::Tensor matrix = weight.permute({0, 2, 1}).reshape({weight.size(0), 3 * weight.size(1)});
    return at::linear(at::cat(taps, 2).to(m_types.products), matrix.to(m_types.products), parameter(name + ".bias").to(m_types.products));
}

at::Tensor Network::feedForward(const at::Tensor &x, const std::string &block) const
{
    return linear(at::gelu(linear(norm(x, block + ".mlp_ln"), block + ".mlp.0")), block + ".mlp.2");
}

at::Tensor Network::encode(const at::Tensor &mel, std::span<const std::int64_t> window_frames, const std::optional<decoding::Chunking> &chunking,
                           const Dropout &dropout) const
{
    const std::int64_t frames = (mel.size(1) - melFramesOf(0)) / m_dims.strides().melFrames();
    if (mel.size(1) != melFramesOf(frames) || frames < 1 || frames > m_dims.n_audio_ctx) {
        throw Error(ErrorKind::Internal, "a training window of " + std::to_string(mel.size(1)) + " mel frames does not fit the encoder");
    }
    at::Tensor x = at::gelu(convolve(mel, "encoder.conv1", m_dims.conv1_stride));
    // With look-ahead, the convolutions' own zeros at the right end reach only outputs beyond the last frame.
    x = at::gelu(convolve(x, "encoder.conv2", m_dims.conv2_stride).narrow(1, 0, frames)).to(m_types.parameters);
    x = x + parameter("encoder.positional_embedding").narrow(0, 0, frames);
    const at::Tensor mask = blockMask(window_frames, frames, chunking, x.options());
    for (std::int64_t layer = 0; layer < m_dims.n_audio_layer; ++layer) {
        const std::string block = "encoder.blocks." + std::to_string(layer);
        const at::Tensor h = norm(x, block + ".attn_ln");
        const auto heads = [&](const char *which) { return splitHeads(linear(h, block + ".attn." + which), m_dims.n_audio_head); };
        x = x + drop(linear(joinHeads(attend(heads("query"), heads("key"), heads("value"), mask)), block + ".attn.out"), dropout.encoder, dropout.random);
        x = x + drop(feedForward(x, block), dropout.encoder, dropout.random);
    }
    return norm(x, "encoder.ln_post");
}

DecodedRows Network::decode(const at::Tensor &encoded, const at::Tensor &tokens, std::span<const std::int64_t> window_of, std::span<const std::int64_t> visible_frames,
                            AttentionLog log, const Dropout &dropout) const
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
    at::Tensor x = at::embedding(parameter("decoder.token_embedding.weight"), tokens) + parameter("decoder.positional_embedding").narrow(0, 0, length);
    for (std::int64_t layer = 0; layer < m_dims.n_text_layer; ++layer) {
        const std::string block = "decoder.blocks." + std::to_string(layer);
        at::Tensor h = norm(x, block + ".attn_ln");
        const auto own = [&](const char *which) { return splitHeads(linear(h, block + ".attn." + which), m_dims.n_text_head); };
        x = x + drop(linear(joinHeads(attend(own("query"), own("key"), own("value"), token_mask)), block + ".attn.out"), dropout.decoder, dropout.random);

        h = norm(x, block + ".cross_attn_ln");
        const at::Tensor queries = splitHeads(linear(h, block + ".cross_attn.query"), m_dims.n_text_head);
        // Keys and values are computed once a window and then handed to each of its rows.
        const auto heard = [&](const char *which) { return splitHeads(linear(encoded, block + ".cross_attn." + which), m_dims.n_text_head).index_select(0, rows); };
        at::Tensor mixed;
        if (log == AttentionLog::Yes) {
            const at::Tensor weights = at::log_softmax(scoresOf(queries, heard("key"), sound_mask), -1, m_types.parameters);
            out.log_attention.push_back(weights);
            mixed = at::matmul(at::exp(weights).to(m_types.products), heard("value"));
        } else {
            mixed = attend(queries, heard("key"), heard("value"), sound_mask);
        }
        x = x + drop(linear(joinHeads(mixed), block + ".cross_attn.out"), dropout.decoder, dropout.random);
        x = x + drop(feedForward(x, block), dropout.decoder, dropout.random);
    }
    out.hidden = norm(x, "decoder.ln");
    return out;
}

at::Tensor Network::logits(const at::Tensor &hidden) const
{
    return at::linear(hidden.to(m_types.products), parameter("decoder.token_embedding.weight").to(m_types.products)).to(m_types.parameters);
}

at::Tensor Network::head(const std::string &name, const at::Tensor &x) const { return linear(x, "heads." + name).to(m_types.parameters); }

}  // namespace braid::train
