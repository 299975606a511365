#include "core/models/whisper/encoder.h"

#include <array>
#include <string>

#include "core/base/error.h"
#include "core/nn/attention.h"

namespace braid::models::whisper {

Encoder::Encoder(weights::WhisperCheckpoint &checkpoint, const nn::Placement &placement, const TakeWatch &watch)
    : m_placement(placement)
{
    const weights::WhisperDims &dims = checkpoint.dims;
    const std::int64_t state = dims.n_audio_state;
    const std::int64_t mlp = dims.n_audio_mlp > 0 ? dims.n_audio_mlp : 4 * state;
    m_heads = dims.n_audio_head;
    m_conv1_stride = dims.conv1_stride;

    WeightTaker take(checkpoint, placement, watch);
    m_conv1_weight = take.tensor("encoder.conv1.weight", {state, dims.n_mels, 3});
    m_conv1_bias = take.tensor("encoder.conv1.bias", {state});
    m_conv2_weight = take.tensor("encoder.conv2.weight", {state, state, 3});
    m_conv2_bias = take.tensor("encoder.conv2.bias", {state});
    m_positions = take.tensor("encoder.positional_embedding", {dims.n_audio_ctx, state});
    for (std::int64_t layer = 0; layer < dims.n_audio_layer; ++layer) {
        const std::string name = "encoder.blocks." + std::to_string(layer);
        const std::array<nn::Linear, 3> qkv = {take.linear(name + ".attn.query", state, state), take.linear(name + ".attn.key", state, state, WeightTaker::Bias::Without),
                                               take.linear(name + ".attn.value", state, state)};
        Block block;
        block.attention_norm = take.norm(name + ".attn_ln", state);
        block.query_key_value = nn::stackLinears(qkv);
        block.out = take.linear(name + ".attn.out", state, state);
        block.mlp_norm = take.norm(name + ".mlp_ln", state);
        block.mlp_in = take.linear(name + ".mlp.0", state, mlp);
        block.mlp_out = take.linear(name + ".mlp.2", mlp, state);
        m_blocks.push_back(std::move(block));
    }
    m_final_norm = take.norm("encoder.ln_post", state);
}

void Encoder::switchAdapters(nn::AdapterState state)
{
    for (Block &block : m_blocks) {
        block.query_key_value.switchAdapter(state);
        block.out.switchAdapter(state);
    }
}

at::Tensor Encoder::operator()(const at::Tensor &mel, const std::stop_token &stop) const
{
    const std::int64_t longest = m_positions.size(0) * 2 * m_conv1_stride;
    at::Tensor x = mel.narrow(1, 0, std::min(mel.size(1), longest)).to(m_placement.options()).unsqueeze(0);
    x = at::gelu(at::conv1d(x, m_conv1_weight, m_conv1_bias, m_conv1_stride, 1));
    x = at::gelu(at::conv1d(x, m_conv2_weight, m_conv2_bias, 2, 1));
    x = x.transpose(1, 2) + m_positions.narrow(0, 0, x.size(2));  // [1, F', state]
    x = x.contiguous();
    const std::int64_t state = x.size(2);
    for (const Block &block : m_blocks) {
        if (stop.stop_requested()) {
            throw Error(ErrorKind::Cancelled, "the work was cancelled");
        }
        const at::Tensor qkv = block.query_key_value(block.attention_norm(x));
        const at::Tensor mixed = nn::attend(nn::splitHeads(qkv.narrow(2, 0, state), m_heads), nn::splitHeads(qkv.narrow(2, state, state), m_heads),
                                            nn::splitHeads(qkv.narrow(2, 2 * state, state), m_heads), nn::Visibility::All);
        x += block.out(nn::joinHeads(mixed, m_heads));
        x += block.mlp_out(at::gelu(block.mlp_in(block.mlp_norm(x))));
    }
    return m_final_norm(x).squeeze(0);
}

}  // namespace braid::models::whisper
