#include "core/models/whisper/layers.h"

#include <array>
#include <utility>

namespace braid::models::whisper {

namespace {

// Builds the layers of a model out of a source, by OpenAI's names.
class Builder {
  public:
    explicit Builder(const LayerSource &source)
        : m_source(source)
    {
    }

    enum class Bias { Without = 1, With };

    [[nodiscard]] nn::Linear linear(const std::string &name, std::int64_t in, std::int64_t out, Bias bias = Bias::With) const
    {
        at::Tensor weight = m_source.find(name + ".weight", {out, in});
        nn::Linear layer = m_source.linear(std::move(weight), bias == Bias::With ? m_source.find(name + ".bias", {out}) : at::Tensor());
        if (at::Tensor a = m_source.find(name + ".lora_A", {in, -1}); a.defined()) {
            at::Tensor b = m_source.find(name + ".lora_B", {a.size(1), out});
            layer.setAdapter(std::move(a), std::move(b));
        }
        return layer;
    }

    // Queries, keys and values, or the last two; keys have no bias.
    [[nodiscard]] nn::Linear queryKeyValue(const std::string &name, std::int64_t state) const
    {
        return nn::stackLinears(
            std::array{linear(name + ".query", state, state), linear(name + ".key", state, state, Bias::Without), linear(name + ".value", state, state)});
    }
    [[nodiscard]] nn::Linear keyValue(const std::string &name, std::int64_t state) const
    {
        return nn::stackLinears(std::array{linear(name + ".key", state, state, Bias::Without), linear(name + ".value", state, state)});
    }

    [[nodiscard]] nn::LayerNorm norm(const std::string &name, std::int64_t width) const
    {
        at::Tensor weight = m_source.find(name + ".weight", {width});
        return {std::move(weight), m_source.find(name + ".bias", {width})};
    }

    [[nodiscard]] FeedForward feedForward(const std::string &block, std::int64_t state, std::int64_t inner) const
    {
        return {norm(block + ".mlp_ln", state), linear(block + ".mlp.0", state, inner), linear(block + ".mlp.2", inner, state)};
    }

    [[nodiscard]] nn::Linear convolution(const std::string &name, std::int64_t in, std::int64_t out) const
    {
        const at::Tensor weight = m_source.find(name + ".weight", {out, in, 3});
        return m_source.linear(weight.permute({0, 2, 1}).reshape({out, 3 * in}), m_source.find(name + ".bias", {out}));
    }

  private:
    const LayerSource &m_source;
};

// x [B, L, in], no zeros at its ends -> [B, (L - 3) / stride + 1, out]. The three frames stand side by side and meet the weights in one product: for a
// dozen frames the general convolution spends most of its time preparing, and its gradient takes several times as long (libtorch 1.13).
at::Tensor convolve(const at::Tensor &x, const nn::Linear &weights, std::int64_t stride)
{
    const std::int64_t last = (x.size(1) - 3) / stride * stride;
    const auto every = [&](std::int64_t first) { return x.slice(1, first, first + last + 1, stride); };
    return weights(at::cat({every(0), every(1), every(2)}, 2));
}

void add(at::Tensor &x, const at::Tensor &added, const Adding &adding)
{
    x = x + (adding ? adding(added) : added);
}

}  // namespace

LayerSource takingFrom(weights::WhisperCheckpoint &checkpoint, const nn::Placement &placement, const TakeWatch &watch)
{
    const auto find = [&checkpoint, placement, &watch](const std::string &name, const std::vector<std::int64_t> &shape) {
        if (name.find(".lora_") != name.npos) {
            return checkpoint.adapters.contains(name) ? nn::tensorFrom(checkpoint.adapters.take(name, shape), placement) : at::Tensor();
        }
        const weights::StoredTensor stored = checkpoint.tensors.take(name, shape);
        if (watch) {
            watch(stored.bytes.size());
        }
        return nn::tensorFrom(stored, placement);
    };
    return {find, [storage = placement.storage](const at::Tensor &weight, at::Tensor bias) { return nn::linearFrom(weight, std::move(bias), storage); }};
}

EncoderLayers::EncoderLayers(const weights::WhisperDims &dims, const LayerSource &source)
    : m_strides(dims.strides())
{
    const Builder build(source);
    const std::int64_t state = dims.n_audio_state;
    m_convolutions[0] = build.convolution("encoder.conv1", dims.n_mels, state);
    m_convolutions[1] = build.convolution("encoder.conv2", state, state);
    m_positions = source.find("encoder.positional_embedding", {dims.n_audio_ctx, state});
    for (std::int64_t layer = 0; layer < dims.n_audio_layer; ++layer) {
        const std::string name = "encoder.blocks." + std::to_string(layer);
        m_blocks.push_back({build.norm(name + ".attn_ln", state), build.queryKeyValue(name + ".attn", state), build.linear(name + ".attn.out", state, state),
                            build.feedForward(name, state, dims.audioMlp())});
    }
    m_final_norm = build.norm("encoder.ln_post", state);
}

at::Tensor EncoderLayers::convolve(const at::Tensor &mel, Zeros zeros, std::int64_t first_frame, std::int64_t frames) const
{
    const auto padded = [zeros](const at::Tensor &x) {
        return zeros == Zeros::Nowhere ? x : at::constant_pad_nd(x, {0, 0, 1, zeros == Zeros::Around ? 1 : 0});
    };
    at::Tensor x = at::gelu(whisper::convolve(padded(mel), m_convolutions[0], m_strides.first));
    x = at::gelu(whisper::convolve(padded(x), m_convolutions[1], m_strides.second).narrow(1, 0, frames));
    return x + m_positions.narrow(0, first_frame, frames);
}

at::Tensor EncoderLayers::run(at::Tensor x, const Attention &attention, const Adding &adding) const
{
    for (std::int64_t layer = 0; layer < count(); ++layer) {
        const Block &block = m_blocks[static_cast<std::size_t>(layer)];
        add(x, block.out(attention(layer, block.query_key_value(block.norm(x)))), adding);
        add(x, block.feed_forward(x), adding);
    }
    return m_final_norm(x);
}

void EncoderLayers::switchAdapters(nn::AdapterState state)
{
    for (Block &block : m_blocks) {
        block.query_key_value.switchAdapter(state);
        block.out.switchAdapter(state);
    }
}

DecoderLayers::DecoderLayers(const weights::WhisperDims &dims, const LayerSource &source)
{
    const Builder build(source);
    const std::int64_t state = dims.n_text_state;
    m_output = source.linear(source.find("decoder.token_embedding.weight", {dims.n_vocab, state}), {});
    m_positions = source.find("decoder.positional_embedding", {dims.n_text_ctx, state});
    for (std::int64_t layer = 0; layer < dims.n_text_layer; ++layer) {
        const std::string name = "decoder.blocks." + std::to_string(layer);
        Block block;
        block.token_norm = build.norm(name + ".attn_ln", state);
        block.token_query_key_value = build.queryKeyValue(name + ".attn", state);
        block.token_out = build.linear(name + ".attn.out", state, state);
        block.sound_norm = build.norm(name + ".cross_attn_ln", state);
        block.sound_query = build.linear(name + ".cross_attn.query", state, state);
        block.sound_key_value = build.keyValue(name + ".cross_attn", state);
        block.sound_out = build.linear(name + ".cross_attn.out", state, state);
        block.feed_forward = build.feedForward(name, state, dims.textMlp());
        m_blocks.push_back(std::move(block));
    }
    m_final_norm = build.norm("decoder.ln", state);
}

at::Tensor DecoderLayers::soundKeysValues(std::int64_t layer, const at::Tensor &encoded) const
{
    return m_blocks[static_cast<std::size_t>(layer)].sound_key_value(encoded);
}

at::Tensor DecoderLayers::run(at::Tensor x, const Attention &attention, const Adding &adding) const
{
    for (std::int64_t layer = 0; layer < count(); ++layer) {
        const Block &block = m_blocks[static_cast<std::size_t>(layer)];
        const at::Tensor attended = attention.tokens(layer, block.token_query_key_value(block.token_norm(x)), x);
        add(x, block.token_out(attended), adding);
        add(x, block.sound_out(attention.sound(layer, block.sound_query(block.sound_norm(x)))), adding);
        add(x, block.feed_forward(x), adding);
    }
    return m_final_norm(x);
}

void DecoderLayers::switchAdapters(nn::AdapterState state)
{
    for (Block &block : m_blocks) {
        for (nn::Linear *layer : {&block.token_query_key_value, &block.token_out, &block.sound_query, &block.sound_key_value, &block.sound_out}) {
            layer->switchAdapter(state);
        }
    }
}

}  // namespace braid::models::whisper
