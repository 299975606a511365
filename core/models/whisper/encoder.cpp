#include "core/models/whisper/encoder.h"

#include <algorithm>
#include <array>
#include <string>

#include "core/base/error.h"
#include "core/nn/attention.h"

namespace braid::models::whisper {

namespace {

void refuseIfStopped(const std::stop_token &stop)
{
    if (stop.stop_requested()) {
        throw Error(ErrorKind::Cancelled, "the work was cancelled");
    }
}

// x [L, in] with a kernel of three and no padding -> [(L - 3) / stride + 1, out], as one matrix product: for a dozen frames the
// general convolution spends most of its time preparing.
at::Tensor convolve(const at::Tensor &x, const at::Tensor &weight, const at::Tensor &bias, std::int64_t stride)
{
    const at::Tensor windows = x.unfold(0, 3, stride);  // [L', in, 3]
    return nn::Linear(weight.view({weight.size(0), -1}), bias)(windows.reshape({windows.size(0), -1}));
}

}  // namespace

Encoder::Encoder(weights::WhisperCheckpoint &checkpoint, const nn::Placement &placement, const TakeWatch &watch)
    : m_placement(placement)
{
    const weights::WhisperDims &dims = checkpoint.dims;
    const std::int64_t state = dims.n_audio_state;
    const std::int64_t mlp = dims.n_audio_mlp > 0 ? dims.n_audio_mlp : 4 * state;
    m_heads = dims.n_audio_head;
    m_strides = dims.strides();

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

void EncoderCache::clear()
{
    keys_values.clear();
    mel = at::Tensor();
    mel_start = 0;
}

// mel [n_mels, F] -> with positions [1, F', state].
at::Tensor Encoder::convolveWhole(const at::Tensor &mel) const
{
    const std::int64_t longest = m_positions.size(0) * m_strides.melFrames();
    at::Tensor x = mel.narrow(1, 0, std::min(mel.size(1), longest)).to(m_placement.options()).unsqueeze(0);
    x = at::gelu(at::conv1d(x, m_conv1_weight, m_conv1_bias, m_strides.first, 1));
    x = at::gelu(at::conv1d(x, m_conv2_weight, m_conv2_bias, m_strides.second, 1));
    return (x.transpose(1, 2) + m_positions.narrow(0, 0, x.size(2))).contiguous();
}

void Encoder::feedForward(const Block &block, at::Tensor &x) const
{
    x += block.mlp_out(at::gelu(block.mlp_in(block.mlp_norm(x))));
}

at::Tensor Encoder::operator()(const at::Tensor &mel, const std::stop_token &stop) const
{
    at::Tensor x = convolveWhole(mel);
    const std::int64_t state = x.size(2);
    for (const Block &block : m_blocks) {
        refuseIfStopped(stop);
        const at::Tensor qkv = block.query_key_value(block.attention_norm(x));
        const at::Tensor mixed = nn::attend(nn::splitHeads(qkv.narrow(2, 0, state), m_heads), nn::splitHeads(qkv.narrow(2, state, state), m_heads),
                                            nn::splitHeads(qkv.narrow(2, 2 * state, state), m_heads), nn::Visibility::All);
        x += block.out(nn::joinHeads(mixed, m_heads));
        feedForward(block, x);
    }
    return m_final_norm(x).squeeze(0);
}

at::Tensor Encoder::masked(const at::Tensor &mel, std::span<const std::int64_t> block_ends, const std::stop_token &stop) const
{
    std::int64_t frames = 0;
    for (const std::int64_t end : block_ends) {
        if (end < frames || end > contextLength()) {
            throw Error(ErrorKind::Internal, "the blocks of an encoder's mask are not in order, or go beyond its window");
        }
        frames = end;
    }
    at::Tensor x = convolveWhole(mel);
    if (frames == 0 || frames > x.size(1)) {
        throw Error(ErrorKind::Internal, "an encoder was given less sound than its mask is long");
    }
    x = x.narrow(1, 0, frames).contiguous();
    const std::int64_t state = x.size(2);
    at::Tensor mixed = at::empty({m_heads, frames, state / m_heads}, x.options());
    for (const Block &block : m_blocks) {
        refuseIfStopped(stop);
        const at::Tensor qkv = block.query_key_value(block.attention_norm(x));
        const at::Tensor queries = nn::splitHeads(qkv.narrow(2, 0, state), m_heads);
        const at::Tensor keys = nn::splitHeads(qkv.narrow(2, state, state), m_heads).transpose(1, 2).contiguous().transpose(1, 2);  // as blockAttend wants them
        const at::Tensor values = nn::splitHeads(qkv.narrow(2, 2 * state, state), m_heads);
        // The rows of a block are open up to its end and closed behind it: what is closed need not be computed.
        std::int64_t begin = 0;
        for (const std::int64_t end : block_ends) {
            if (end > begin) {
                mixed.narrow(1, begin, end - begin)
                    .copy_(nn::attend(queries.narrow(1, begin, end - begin), keys.narrow(1, 0, end), values.narrow(1, 0, end), nn::Visibility::All));
            }
            begin = end;
        }
        x += block.out(nn::joinHeads(mixed, m_heads));
        feedForward(block, x);
    }
    return m_final_norm(x).squeeze(0);
}

EncoderCache Encoder::emptyCache(std::int64_t capacity) const
{
    return {nn::GrowingCache(layerCount(), m_heads, std::min(capacity, contextLength()), m_positions.size(1) / m_heads, m_placement), {}, 0};
}

// With positions [1, frames, state]. Zero stands before the stream's first mel frame and before the first convolution's first output, as
// in convolveWhole, and nowhere else.
at::Tensor Encoder::convolveNext(EncoderCache &cache, const at::Tensor &mel, std::int64_t frames) const
{
    const at::Tensor fresh = mel.transpose(0, 1).to(m_placement.options());
    cache.mel = cache.mel.defined() ? at::cat({cache.mel, fresh}) : fresh.contiguous();
    const std::int64_t offset = cache.frames();
    const std::int64_t heard = cache.mel_start + cache.mel.size(0);
    // Frame t of the second convolution reads three outputs of the first around its stride times t, each of which reads three mel frames likewise.
    const auto firstMelOf = [this](std::int64_t frame) { return m_strides.first * (m_strides.second * frame - 1) - 1; };
    const std::int64_t first_mel = std::max<std::int64_t>(0, firstMelOf(offset));
    const std::int64_t end_mel = m_strides.first * (m_strides.second * (offset + frames - 1) + 1) + 2;
    if (heard < end_mel || first_mel < cache.mel_start) {
        throw Error(ErrorKind::Internal, "a block of sound came without the mel frames that its convolutions need");
    }
    at::Tensor x = cache.mel.narrow(0, first_mel - cache.mel_start, end_mel - first_mel);
    if (offset == 0) {
        x = at::constant_pad_nd(x, {0, 0, 1, 0});
    }
    x = at::gelu(convolve(x, m_conv1_weight, m_conv1_bias, m_strides.first));
    if (offset == 0) {
        x = at::constant_pad_nd(x, {0, 0, 1, 0});
    }
    x = at::gelu(convolve(x, m_conv2_weight, m_conv2_bias, m_strides.second));
    const std::int64_t kept_from = std::max<std::int64_t>(0, firstMelOf(offset + frames));
    cache.mel = cache.mel.narrow(0, kept_from - cache.mel_start, heard - kept_from).clone();
    cache.mel_start = kept_from;
    return (x + m_positions.narrow(0, offset, frames)).unsqueeze(0);
}

at::Tensor Encoder::extend(EncoderCache &cache, const at::Tensor &mel, std::int64_t frames) const
{
    nn::GrowingCache &known = cache.keys_values;
    if (frames < 1 || known.length() + frames > known.capacity()) {
        throw Error(ErrorKind::Internal, "an encoder was asked for more sound than its window holds");
    }
    at::Tensor x = convolveNext(cache, mel, frames);
    const std::int64_t state = x.size(2);
    const std::int64_t width = state / m_heads;
    const std::int64_t heard = known.length() + frames;
    for (std::int64_t layer = 0; layer < layerCount(); ++layer) {
        const Block &block = m_blocks[static_cast<std::size_t>(layer)];
        const at::Tensor qkv = block.query_key_value(block.attention_norm(x));
        known.write(layer, qkv.view({frames, 3, m_heads, width}).narrow(1, 1, 2));
        const at::Tensor mixed = nn::attend(nn::splitHeads(qkv.narrow(2, 0, state), m_heads), known.keys(layer, heard), known.values(layer, heard), nn::Visibility::All);
        x += block.out(nn::joinHeads(mixed, m_heads));
        feedForward(block, x);
    }
    known.advance(frames);
    return m_final_norm(x).squeeze(0);
}

}  // namespace braid::models::whisper
