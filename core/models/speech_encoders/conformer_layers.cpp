#include "core/models/speech_encoders/conformer_layers.h"

#include <array>
#include <cmath>
#include <string>
#include <utility>

namespace braid::models::speech {

namespace {

constexpr double kLongestWave = 10'000;  // of the positions' sines, over two pi (Vaswani et al. 2017, section 3.5)

}  // namespace

ConformerLayers::ConformerLayers(const weights::ConformerConfig &config, const LayerSource &source)
    : m_heads(config.heads)
    , m_width(config.width)
    , m_kernel(config.kernel)
{
    std::int64_t channels = 1;
    std::int64_t bands = config.mel_bands;
    for (std::size_t block = 0; block < config.front.size(); ++block) {
        const weights::VggBlock &sizes = config.front[block];
        for (std::int64_t i = 0; i < sizes.convolutions; ++i) {
            const std::string name = "front.blocks." + std::to_string(block) + ".convolutions." + std::to_string(i);
            VggConvolution convolution;
            convolution.weight = source.find(name + ".weight", {sizes.channels, channels, sizes.kernel, sizes.kernel});
            convolution.bias = source.find(name + ".bias", {sizes.channels});
            if (sizes.norm == weights::VggNorm::Layer) {
                convolution.norm = source.norm("front.blocks." + std::to_string(block) + ".norms." + std::to_string(i), bands);
            }
            channels = sizes.channels;
            m_front.push_back(std::move(convolution));
        }
        m_front.back().pool_time = sizes.pool_time;
        m_front.back().pool_bands = sizes.pool_bands;
        bands = (bands + sizes.pool_bands - 1) / sizes.pool_bands;
    }
    m_projection = source.linear("front.projection", config.frontWidth(), config.width);
    for (std::int64_t layer = 0; layer < config.layers; ++layer) {
        m_blocks.push_back(blockFrom("blocks." + std::to_string(layer), config, source));
    }
}

ConformerLayers::Block ConformerLayers::blockFrom(const std::string &name, const weights::ConformerConfig &config, const LayerSource &source) const
{
    const std::int64_t width = config.width;
    const auto feedForward = [&](const std::string &part) {
        return FeedForward{source.norm(name + part + ".norm", width), source.linear(name + part + ".in", width, config.mlp_width),
                           source.linear(name + part + ".out", config.mlp_width, width)};
    };
    Block block;
    block.first = feedForward(".feed_forward_1");
    block.attention_norm = source.norm(name + ".attention.norm", width);
    block.query_key_value =
        nn::stackLinears(std::array{source.linear(name + ".attention.query", width, width), source.linear(name + ".attention.key", width, width),
                                    source.linear(name + ".attention.value", width, width)});
    block.attention_out = source.linear(name + ".attention.out", width, width);
    block.distance_weight = source.find(name + ".attention.distance.weight", {width, width});
    block.content_bias = source.find(name + ".attention.content_bias", {m_heads, width / m_heads}).unsqueeze(1);
    block.distance_bias = source.find(name + ".attention.distance_bias", {m_heads, width / m_heads}).unsqueeze(1);
    block.convolution_norm = source.norm(name + ".convolution.norm", width);
    block.convolution_in = source.linear(name + ".convolution.in", width, 2 * width);
    block.depthwise_weight = source.find(name + ".convolution.depthwise.weight", {width, 1, config.kernel});
    block.depthwise_bias = source.find(name + ".convolution.depthwise.bias", {width});
    block.depthwise_norm = source.norm(name + ".convolution.depthwise_norm", width);
    if (config.convolution_norm == weights::ConformerNorm::Batch) {
        block.mean = source.find(name + ".convolution.depthwise_norm.mean", {width});
        block.variance = source.find(name + ".convolution.depthwise_norm.variance", {width});
    }
    block.convolution_out = source.linear(name + ".convolution.out", width, width);
    block.second = feedForward(".feed_forward_2");
    block.norm = source.norm(name + ".norm", width);
    return block;
}

std::uint64_t ConformerLayers::Past::bytes() const
{
    std::uint64_t bytes = 0;
    for (const std::vector<Tail> *tails : {&front, &blocks}) {
        for (const Tail &tail : *tails) {
            bytes += tail.bytes();
        }
    }
    return bytes;
}

ConformerLayers::Past ConformerLayers::noPast() const
{
    Past past;
    for (const VggConvolution &convolution : m_front) {
        past.front.emplace_back(convolution.weight.size(2) - 1, 2);
    }
    past.blocks.assign(m_blocks.size(), Tail(m_kernel - 1, 1));
    return past;
}

at::Tensor ConformerLayers::front(const at::Tensor &mel, Past &past) const
{
    at::Tensor x = mel.unsqueeze(0).unsqueeze(0);  // [1, channels, time, bands]
    for (std::size_t i = 0; i < m_front.size(); ++i) {
        const VggConvolution &convolution = m_front[i];
        const std::int64_t around_bands = convolution.weight.size(3) / 2;
        x = at::conv2d(past.front[i].before(x), convolution.weight, convolution.bias, 1, at::IntArrayRef({0, around_bands}));
        if (convolution.norm.weight.defined()) {
            x = convolution.norm(x);
        }
        x = at::relu(x);
        if (convolution.pool_time > 1 || convolution.pool_bands > 1) {
            const std::array<std::int64_t, 2> pool = {convolution.pool_time, convolution.pool_bands};
            x = at::max_pool2d(x, pool, pool, 0, 1, true);  // bands that fill no group make one of their own
        }
    }
    return m_projection(x.transpose(1, 2).flatten(2));
}

// The convolution module: to twice the width and through a gate, each channel along time, norm, Swish, back.
at::Tensor ConformerLayers::convolved(const Block &block, const at::Tensor &x, Tail &past) const
{
    const at::Tensor gated = at::glu(block.convolution_in(block.convolution_norm(x)), 2);
    at::Tensor y =
        at::conv1d(past.before(gated).transpose(1, 2), block.depthwise_weight, block.depthwise_bias, 1, at::IntArrayRef({0}), 1, m_width).transpose(1, 2);
    if (block.mean.defined()) {
        y = (y - block.mean) * (block.depthwise_norm.weight * (block.variance + block.depthwise_norm.epsilon).rsqrt()) + block.depthwise_norm.bias;
    } else {
        y = block.depthwise_norm(y);
    }
    return block.convolution_out(at::silu(y));
}

at::Tensor ConformerLayers::run(at::Tensor x, Past &past, const Attention &attention) const
{
    for (std::size_t layer = 0; layer < m_blocks.size(); ++layer) {
        const Block &block = m_blocks[layer];
        x = x + 0.5 * block.first(x);
        x = x + block.attention_out(attention(static_cast<std::int64_t>(layer), block.query_key_value(block.attention_norm(x))));
        x = x + convolved(block, x, past.blocks[layer]);
        x = x + 0.5 * block.second(x);
        x = block.norm(x);
    }
    return x;
}

at::Tensor ConformerLayers::distanceRows(std::int64_t layer, std::int64_t nearest, std::int64_t farthest) const
{
    const at::Tensor &weight = m_blocks[static_cast<std::size_t>(layer)].distance_weight;
    const at::TensorOptions floats = weight.options().dtype(at::kFloat).requires_grad(false);
    const at::Tensor distances = at::arange(farthest, nearest - 1, -1, floats);
    const at::Tensor rates = (at::arange(0, m_width, 2, floats) * (-std::log(kLongestWave) / static_cast<double>(m_width))).exp();
    const at::Tensor angles = distances.unsqueeze(1) * rates.unsqueeze(0);
    return at::matmul(at::cat({angles.sin(), angles.cos()}, 1).to(weight.scalar_type()), weight.t());
}

at::Tensor ConformerLayers::attend(std::int64_t layer, const at::Tensor &queries, const at::Tensor &keys, const at::Tensor &values,
                                   const at::Tensor &distances) const
{
    const Block &block = m_blocks[static_cast<std::size_t>(layer)];
    const std::int64_t count = queries.size(1);
    const std::int64_t seen = keys.size(1);
    const at::Tensor by_content = at::bmm(queries + block.content_bias, keys.transpose(1, 2));
    const at::Tensor rows = nn::splitHeads(distances.unsqueeze(0), m_heads);                                   // [H, Q + T - 1, D]
    const at::Tensor by_distance = at::bmm(queries + block.distance_bias, rows.transpose(1, 2)).contiguous();  // [H, Q, Q + T - 1]
    // Query i looks at key j from the distance T - Q + i - j, whose row is the (Q - 1 - i + j)-th: each query's row begins one earlier than the one before.
    const std::int64_t all = count + seen - 1;
    const at::Tensor shifted = by_distance.as_strided({m_heads, count, seen}, {count * all, all - 1, 1}, by_distance.storage_offset() + count - 1);
    const double scale = 1.0 / std::sqrt(static_cast<double>(queries.size(2)));
    return at::bmm(at::softmax((by_content + shifted) * scale, -1, at::kFloat).to(values.scalar_type()), values);
}

}  // namespace braid::models::speech
