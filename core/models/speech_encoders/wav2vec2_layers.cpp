#include "core/models/speech_encoders/wav2vec2_layers.h"

#include <array>
#include <string>

namespace braid::models::speech {

using weights::Wav2Vec2BlockNorm;
using weights::Wav2Vec2FeatureNorm;

Wav2Vec2Layers::Wav2Vec2Layers(const weights::Wav2Vec2Config &config, const LayerSource &source)
    : m_feature_norm(config.feature_norm)
    , m_block_norm(config.block_norm)
    , m_position_groups(config.position_groups)
{
    std::int64_t channels = 1;
    for (const weights::Wav2Vec2Convolution &sizes : config.convolutions) {
        const std::string name = "feature_extractor.conv_layers." + std::to_string(m_convolutions.size());
        Convolution convolution;
        convolution.weight = source.find(name + ".conv.weight", {sizes.channels, channels, sizes.kernel});
        if (config.convolution_bias) {
            convolution.bias = source.find(name + ".conv.bias", {sizes.channels});
        }
        if (m_feature_norm == Wav2Vec2FeatureNorm::LayerOnAll || m_convolutions.empty()) {
            convolution.norm = source.norm(name + ".layer_norm", sizes.channels);
        }
        convolution.stride = sizes.stride;
        channels = sizes.channels;
        m_convolutions.push_back(std::move(convolution));
    }
    const std::int64_t width = config.width;
    m_feature_layer_norm = source.norm("feature_projection.layer_norm", channels, config.norm_epsilon);
    m_projection = source.linear("feature_projection.projection", channels, width);

    const std::string positions = "encoder.pos_conv_embed.conv.";
    m_position_size = source.find(positions + "weight_g", {1, 1, config.position_kernel});
    m_position_direction = source.find(positions + "weight_v", {width, width / config.position_groups, config.position_kernel});
    m_position_bias = source.find(positions + "bias", {width});
    if (!m_position_size.requires_grad() && !m_position_direction.requires_grad()) {
        m_position_weight = positionWeight();
    }
    m_norm = source.norm("encoder.layer_norm", width, config.norm_epsilon);
    for (std::int64_t layer = 0; layer < config.layers; ++layer) {
        const std::string name = "encoder.layers." + std::to_string(layer);
        Block block;
        block.query_key_value =
            nn::stackLinears(std::array{source.linear(name + ".attention.q_proj", width, width), source.linear(name + ".attention.k_proj", width, width),
                                        source.linear(name + ".attention.v_proj", width, width)});
        block.out = source.linear(name + ".attention.out_proj", width, width);
        block.attention_norm = source.norm(name + ".layer_norm", width, config.norm_epsilon);
        block.mlp_in = source.linear(name + ".feed_forward.intermediate_dense", width, config.mlp_width);
        block.mlp_out = source.linear(name + ".feed_forward.output_dense", config.mlp_width, width);
        block.mlp_norm = source.norm(name + ".final_layer_norm", width, config.norm_epsilon);
        m_blocks.push_back(std::move(block));
    }
}

// x [1, channels, L]
at::Tensor Wav2Vec2Layers::normalised(const Convolution &convolution, const at::Tensor &x) const
{
    if (!convolution.norm.weight.defined()) {
        return x;
    }
    if (m_feature_norm == Wav2Vec2FeatureNorm::GroupOnFirst) {
        return at::group_norm(x, x.size(1), convolution.norm.weight, convolution.norm.bias, convolution.norm.epsilon);
    }
    return convolution.norm(x.transpose(1, 2)).transpose(1, 2);
}

at::Tensor Wav2Vec2Layers::features(const at::Tensor &sound) const
{
    at::Tensor x = sound.view({1, 1, -1});
    for (const Convolution &convolution : m_convolutions) {
        x = at::gelu(normalised(convolution, at::conv1d(x, convolution.weight, convolution.bias, convolution.stride)));
    }
    return m_projection(m_feature_layer_norm(x.transpose(1, 2)));
}

at::Tensor Wav2Vec2Layers::positionWeight() const
{
    const at::Tensor length = m_position_direction.pow(2).sum(at::IntArrayRef({0, 1}), true).sqrt();
    return m_position_direction * (m_position_size / length);
}

at::Tensor Wav2Vec2Layers::positions(const at::Tensor &x) const
{
    const at::Tensor weight = m_position_weight.defined() ? m_position_weight : positionWeight();
    return at::gelu(at::conv1d(x.transpose(1, 2), weight, m_position_bias, 1, at::IntArrayRef({0}), 1, m_position_groups)).transpose(1, 2);
}

at::Tensor Wav2Vec2Layers::run(at::Tensor x, const Attention &attention) const
{
    const bool norm_before = m_block_norm == Wav2Vec2BlockNorm::Before;
    if (!norm_before) {
        x = m_norm(x);
    }
    for (std::size_t layer = 0; layer < m_blocks.size(); ++layer) {
        const Block &block = m_blocks[layer];
        const auto attended = [&](const at::Tensor &input) { return block.out(attention(static_cast<std::int64_t>(layer), block.query_key_value(input))); };
        const auto fed_forward = [&block](const at::Tensor &input) { return block.mlp_out(at::gelu(block.mlp_in(input))); };
        if (norm_before) {
            x = x + attended(block.attention_norm(x));
            x = x + fed_forward(block.mlp_norm(x));
        } else {
            x = block.attention_norm(x + attended(x));
            x = block.mlp_norm(x + fed_forward(x));
        }
    }
    return norm_before ? m_norm(x) : x;
}

}  // namespace braid::models::speech
