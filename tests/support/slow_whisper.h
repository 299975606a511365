// Whisper written down once more, slowly and obviously: no caches, no shared rows, the mask as a matrix, adapters merged into their weights.
// What the fast forms are compared with. Written from openai/whisper's architecture and the paper's eqs. 11, 12, 14 and 15.
#pragma once

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "core/captions/chunking.h"
#include "core/nn/placement.h"
#include "core/weights/whisper_checkpoint.h"

namespace braid::test {

enum class Adapters { Off = 1, On };

class SlowWhisper {
  public:
    // Copies what it needs; `checkpoint` stays whole.
    SlowWhisper(const weights::WhisperCheckpoint &checkpoint, Adapters adapters)
        : m_dims(checkpoint.dims)
    {
        for (const std::string &name : checkpoint.tensors.names()) {
            m_tensors[name] = nn::tensorFrom(*checkpoint.tensors.peek(name), {});
        }
        for (const std::string &name : checkpoint.adapters.names()) {
            if (adapters == Adapters::On && name.ends_with(".lora_A")) {
                const std::string base = name.substr(0, name.size() - 7);
                const at::Tensor a = nn::tensorFrom(*checkpoint.adapters.peek(name), {});
                const at::Tensor b = nn::tensorFrom(*checkpoint.adapters.peek(base + ".lora_B"), {});
                m_tensors[base + ".weight"] = m_tensors[base + ".weight"] + at::matmul(a, b).transpose(0, 1);
            }
        }
    }

    // 0 where frame i sees frame j, minus infinity elsewhere.
    static at::Tensor maskOf(const captions::Chunking &chunking, std::int64_t frames)
    {
        at::Tensor mask = at::full({frames, frames}, -INFINITY);
        for (std::int64_t i = 0; i < frames; ++i) {
            mask[i].narrow(0, 0, std::min(frames, chunking.visibleEnd(i))).zero_();
        }
        return mask;
    }

    // mel [n_mels, F], mask [frames, frames] -> [frames, state].
    at::Tensor encode(const at::Tensor &mel, const at::Tensor &mask) const { return encode(mel, mask, at::arange(mask.size(0), at::kLong)); }

    // The same for rows of one's own: row i is frame frames[i] of the sound, which may be there more than once, and sees the rows its row of the mask opens.
    at::Tensor encode(const at::Tensor &mel, const at::Tensor &mask, const at::Tensor &frames) const
    {
        at::Tensor x = at::gelu(at::conv1d(mel.unsqueeze(0), at_("encoder.conv1.weight"), at_("encoder.conv1.bias"), m_dims.conv1_stride, 1));
        x = at::gelu(at::conv1d(x, at_("encoder.conv2.weight"), at_("encoder.conv2.bias"), m_dims.conv2_stride, 1)).squeeze(0).transpose(0, 1);
        x = x.index_select(0, frames) + at_("encoder.positional_embedding").index_select(0, frames);
        for (std::int64_t layer = 0; layer < m_dims.n_audio_layer; ++layer) {
            const std::string block = "encoder.blocks." + std::to_string(layer);
            const at::Tensor y = norm(x, block + ".attn_ln");
            x = x + attention(y, y, block + ".attn", m_dims.n_audio_head, mask);
            x = x + mlp(x, block);
        }
        return norm(x, "encoder.ln_post");
    }

    // One row of tokens over encoded sound -> logits [tokens, n_vocab]. `products`: cross-attention before the softmax by (layer, head), [tokens, T].
    at::Tensor logits(const std::vector<std::int32_t> &tokens, const at::Tensor &encoded, std::map<std::pair<int, int>, at::Tensor> *products = nullptr) const
    {
        const auto length = static_cast<std::int64_t>(tokens.size());
        at::Tensor x = at_("decoder.token_embedding.weight").index_select(0, at::tensor(std::vector<std::int64_t>(tokens.begin(), tokens.end()))) +
                       at_("decoder.positional_embedding").narrow(0, 0, length);
        const at::Tensor causal = at::full({length, length}, -INFINITY).triu(1);
        const at::Tensor open = at::zeros({length, encoded.size(0)});
        for (std::int64_t layer = 0; layer < m_dims.n_text_layer; ++layer) {
            const std::string block = "decoder.blocks." + std::to_string(layer);
            const at::Tensor y = norm(x, block + ".attn_ln");
            x = x + attention(y, y, block + ".attn", m_dims.n_text_head, causal);
            std::vector<at::Tensor> heads;
            x = x + attention(norm(x, block + ".cross_attn_ln"), encoded, block + ".cross_attn", m_dims.n_text_head, open, &heads);
            for (std::size_t head = 0; products != nullptr && head < heads.size(); ++head) {
                (*products)[{static_cast<int>(layer), static_cast<int>(head)}] = heads[head];
            }
            x = x + mlp(x, block);
        }
        return at::matmul(norm(x, "decoder.ln"), at_("decoder.token_embedding.weight").transpose(0, 1));
    }

  private:
    const at::Tensor &at_(const std::string &name) const { return m_tensors.at(name); }
    at::Tensor linear(const at::Tensor &x, const std::string &name) const
    {
        const at::Tensor y = at::matmul(x, at_(name + ".weight").transpose(0, 1));
        return m_tensors.contains(name + ".bias") ? y + at_(name + ".bias") : y;
    }
    at::Tensor norm(const at::Tensor &x, const std::string &name) const { return at::layer_norm(x, {x.size(-1)}, at_(name + ".weight"), at_(name + ".bias")); }
    at::Tensor mlp(const at::Tensor &x, const std::string &block) const
    {
        return linear(at::gelu(linear(norm(x, block + ".mlp_ln"), block + ".mlp.0")), block + ".mlp.2");
    }
    at::Tensor attention(const at::Tensor &x, const at::Tensor &seen, const std::string &name, std::int64_t heads, const at::Tensor &mask,
                         std::vector<at::Tensor> *products = nullptr) const
    {
        const at::Tensor q = linear(x, name + ".query");
        const at::Tensor k = linear(seen, name + ".key");
        const at::Tensor v = linear(seen, name + ".value");
        const std::int64_t width = q.size(1) / heads;
        std::vector<at::Tensor> mixed;
        for (std::int64_t head = 0; head < heads; ++head) {
            const auto part = [&](const at::Tensor &all) { return all.narrow(1, head * width, width); };
            const at::Tensor product = at::matmul(part(q), part(k).transpose(0, 1)) / std::sqrt(static_cast<double>(width));
            if (products != nullptr) {
                products->push_back(product);
            }
            mixed.push_back(at::matmul(at::softmax(product + mask, -1), part(v)));
        }
        return linear(at::cat(mixed, 1), name + ".out");
    }

    weights::WhisperDims m_dims;
    std::map<std::string, at::Tensor> m_tensors;
};

}  // namespace braid::test
