// A Whisper checkpoint of any size with hashed weights: the one that tests/parity/make_whisper_parity.py makes of the same tag and sizes.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "core/weights/whisper_checkpoint.h"
#include "tests/support/hashed_numbers.h"

namespace braid::test {

// What the weights could be stored in without loss; the type they are stored in is float32.
enum class WeightPrecision { Float32 = 1, Float16 };

class HashedWhisper {
  public:
    explicit HashedWhisper(std::string tag, const weights::WhisperDims &dims, WeightPrecision precision = WeightPrecision::Float32)
        : m_tag(std::move(tag))
        , m_precision(precision)
        , m_checkpoint("hashed weights " + m_tag)
    {
        m_checkpoint.dims = dims;
        const std::int64_t state = dims.n_audio_state;
        add("encoder.conv1.weight", {state, dims.n_mels, 3});
        add("encoder.conv1.bias", {state});
        add("encoder.conv2.weight", {state, state, 3});
        add("encoder.conv2.bias", {state});
        add("encoder.positional_embedding", {dims.n_audio_ctx, state});
        for (std::int64_t layer = 0; layer < dims.n_audio_layer; ++layer) {
            const std::string block = "encoder.blocks." + std::to_string(layer);
            addAttention(block + ".attn", state);
            addMlp(block, state, dims.n_audio_mlp);
        }
        addNorm("encoder.ln_post", state);
        add("decoder.token_embedding.weight", {dims.n_vocab, state});
        add("decoder.positional_embedding", {dims.n_text_ctx, state});
        for (std::int64_t layer = 0; layer < dims.n_text_layer; ++layer) {
            const std::string block = "decoder.blocks." + std::to_string(layer);
            addAttention(block + ".attn", state);
            addAttention(block + ".cross_attn", state);
            addMlp(block, state, dims.n_text_mlp);
        }
        addNorm("decoder.ln", state);
    }

    // LoRA of `rank` for an attention projection, "encoder.blocks.0.attn.query".
    void addAdapter(const std::string &name, std::int64_t rank)
    {
        const std::int64_t state = m_checkpoint.dims.n_audio_state;
        m_checkpoint.adapters.add(name + ".lora_A", stored(name + ".lora_A", {state, rank}, 0.5f, 0));
        m_checkpoint.adapters.add(name + ".lora_B", stored(name + ".lora_B", {rank, state}, 0.5f, 0));
    }

    [[nodiscard]] weights::WhisperCheckpoint &checkpoint() { return m_checkpoint; }
    [[nodiscard]] weights::WhisperCheckpoint take() { return std::move(m_checkpoint); }

  private:
    weights::StoredTensor stored(const std::string &name, std::vector<std::int64_t> shape, float scale, float offset) const
    {
        std::int64_t count = 1;
        for (const std::int64_t size : shape) {
            count *= size;
        }
        auto values = std::make_shared<std::vector<float>>(hashedNumbers(m_tag + name, static_cast<std::size_t>(count)));
        for (float &value : *values) {
            value = offset + value * scale;
        }
        // Published ids: end of text comes up now and then.
        if (name == "decoder.token_embedding.weight" && shape[0] > 50000) {
            for (std::int64_t i = 0; i < shape[1]; ++i) {
                (*values)[static_cast<std::size_t>(50257 * shape[1] + i)] *= 1.75f;
            }
        }
        if (m_precision == WeightPrecision::Float16) {
            for (float &value : *values) {
                value = std::abs(value) < 0x1p-14f ? 0 : std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) & 0xFFFFE000u);
            }
        }
        weights::StoredTensor tensor;
        tensor.shape = std::move(shape);
        tensor.bytes = std::as_bytes(std::span(*values));
        tensor.owner = values;
        return tensor;
    }

    void add(const std::string &name, std::vector<std::int64_t> shape)
    {
        const bool bias = name.ends_with(".bias");
        const float scale = name.ends_with("token_embedding.weight") ? 1.5f
                            : name.ends_with("positional_embedding") ? 1.0f
                            : bias                                   ? 0.125f
                            : shape.size() == 3                      ? 0.25f
                                                                     : 0.5f;
        m_checkpoint.tensors.add(name, stored(name, std::move(shape), scale, 0));
    }

    void addNorm(const std::string &name, std::int64_t state)
    {
        m_checkpoint.tensors.add(name + ".weight", stored(name + ".weight", {state}, 0.25f, 1));
        add(name + ".bias", {state});
    }

    void addAttention(const std::string &name, std::int64_t state)
    {
        for (const char *part : {".query", ".key", ".value", ".out"}) {
            add(name + part + ".weight", {state, state});
            if (std::string(part) != ".key") {
                add(name + part + ".bias", {state});
            }
        }
        addNorm(name + "_ln", state);
    }

    void addMlp(const std::string &block, std::int64_t state, std::int64_t inner)
    {
        inner = inner > 0 ? inner : 4 * state;
        add(block + ".mlp.0.weight", {inner, state});
        add(block + ".mlp.0.bias", {inner});
        add(block + ".mlp.2.weight", {state, inner});
        add(block + ".mlp.2.bias", {state});
        addNorm(block + ".mlp_ln", state);
    }

    std::string m_tag;
    WeightPrecision m_precision;
    weights::WhisperCheckpoint m_checkpoint;
};

}  // namespace braid::test
