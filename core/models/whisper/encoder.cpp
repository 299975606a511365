#include "core/models/whisper/encoder.h"

#include <algorithm>
#include <utility>

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

struct Heads {
    at::Tensor queries;  // [H, L, D]
    at::Tensor keys;
    at::Tensor values;
};

// query_key_value [1, L, 3 x state]
Heads headsOf(const at::Tensor &query_key_value, std::int64_t heads)
{
    const std::vector<at::Tensor> parts = query_key_value.chunk(3, 2);
    return {nn::splitHeads(parts[0], heads), nn::splitHeads(parts[1], heads), nn::splitHeads(parts[2], heads)};
}

}  // namespace

Encoder::Encoder(weights::WhisperCheckpoint &checkpoint, const nn::Placement &placement, const TakeWatch &watch)
    : m_placement(placement)
    , m_heads(checkpoint.dims.n_audio_head)
    , m_strides(checkpoint.dims.strides())
    , m_layers(checkpoint.dims, takingFrom(checkpoint, placement, watch))
{
}

void EncoderCache::clear()
{
    keys_values.clear();
    mel = at::Tensor();
    mel_start = 0;
}

std::int64_t Encoder::framesOf(const at::Tensor &mel) const
{
    return std::min(contextLength(), (mel.size(1) + m_strides.melFrames() - 1) / m_strides.melFrames());
}

at::Tensor Encoder::convolveWhole(const at::Tensor &mel, std::int64_t frames) const
{
    const std::int64_t longest = contextLength() * m_strides.melFrames();
    const at::Tensor x = mel.narrow(1, 0, std::min(mel.size(1), longest)).to(m_placement.options()).t().unsqueeze(0);
    return m_layers.convolve(x, EncoderLayers::Zeros::Around, 0, frames);
}

at::Tensor Encoder::operator()(const at::Tensor &mel, const std::stop_token &stop) const
{
    const auto attention = [&](std::int64_t, const at::Tensor &query_key_value) {
        refuseIfStopped(stop);
        const Heads own = headsOf(query_key_value, m_heads);
        return nn::joinHeads(nn::attend(own.queries, own.keys, own.values, nn::Visibility::All), m_heads);
    };
    return m_layers.run(convolveWhole(mel, framesOf(mel)), attention).squeeze(0);
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
    if (frames == 0 || frames > framesOf(mel)) {
        throw Error(ErrorKind::Internal, "an encoder was given less sound than its mask is long");
    }
    at::Tensor x = convolveWhole(mel, frames);
    at::Tensor mixed = at::empty({m_heads, frames, m_layers.width() / m_heads}, x.options());
    const auto attention = [&](std::int64_t, const at::Tensor &query_key_value) {
        refuseIfStopped(stop);
        const Heads own = headsOf(query_key_value, m_heads);
        const at::Tensor keys = own.keys.transpose(1, 2).contiguous().transpose(1, 2);  // as blockAttend wants them
        // The rows of a block are open up to its end and closed behind it: what is closed need not be computed.
        std::int64_t begin = 0;
        for (const std::int64_t end : block_ends) {
            if (end > begin) {
                mixed.narrow(1, begin, end - begin)
                    .copy_(nn::attend(own.queries.narrow(1, begin, end - begin), keys.narrow(1, 0, end), own.values.narrow(1, 0, end), nn::Visibility::All));
            }
            begin = end;
        }
        return nn::joinHeads(mixed, m_heads);
    };
    return m_layers.run(std::move(x), attention).squeeze(0);
}

EncoderCache Encoder::emptyCache(std::int64_t capacity) const
{
    return {nn::GrowingCache(m_layers.count(), m_heads, std::min(capacity, contextLength()), m_layers.width() / m_heads, m_placement), {}, 0};
}

// [1, frames, state]. Zero stands before the stream's first mel frame and before the first convolution's first output, as
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
    const auto zeros = offset == 0 ? EncoderLayers::Zeros::Before : EncoderLayers::Zeros::Nowhere;
    at::Tensor x = m_layers.convolve(cache.mel.narrow(0, first_mel - cache.mel_start, end_mel - first_mel).unsqueeze(0), zeros, offset, frames);
    const std::int64_t kept_from = std::max<std::int64_t>(0, firstMelOf(offset + frames - cache.revisable));
    cache.mel = cache.mel.narrow(0, kept_from - cache.mel_start, heard - kept_from).clone();
    cache.mel_start = kept_from;
    return x;
}

at::Tensor Encoder::extend(EncoderCache &cache, const at::Tensor &mel, std::int64_t frames) const
{
    nn::GrowingCache &known = cache.keys_values;
    if (frames < 1 || known.length() + frames > known.capacity()) {
        throw Error(ErrorKind::Internal, "an encoder was asked for more sound than its window holds");
    }
    const std::int64_t heard = known.length() + frames;
    const auto attention = [&](std::int64_t layer, const at::Tensor &query_key_value) {
        known.write(layer, query_key_value.view({frames, 3, m_heads, -1}).narrow(1, 1, 2));
        const at::Tensor queries = nn::splitHeads(query_key_value.narrow(2, 0, m_layers.width()), m_heads);
        return nn::joinHeads(nn::attend(queries, known.keys(layer, heard), known.values(layer, heard), nn::Visibility::All), m_heads);
    };
    const at::Tensor encoded = m_layers.run(convolveNext(cache, mel, frames), attention).squeeze(0);
    known.advance(frames);
    return encoded;
}

}  // namespace braid::models::whisper
