// A decoder-only language model as people have it on disk, read into one form: one struct of sizes and habits for all families, tensors
// under the names of transformers' Llama, adapters apart from the base.
// Families: Llama 3.x, Qwen2/2.5, Qwen3, Gemma 2, Phi-3/3.5/4-mini (transformers' models/{llama,qwen2,qwen3,gemma2,phi3}; facts in
// streaming-llm.md 3). Thread: any.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/weights/expected_tensors.h"
#include "core/weights/tensor_store.h"

namespace braid::weights {

enum class LmFamily : std::uint8_t { Llama = 1, Qwen2, Qwen3, Gemma2, Phi3 };
[[nodiscard]] std::string_view familyName(LmFamily family) noexcept;  // as in config.json: "llama", "qwen2", ...

enum class LmActivation : std::uint8_t { Silu = 1, GeluTanh };

// How rotary frequencies are stretched for contexts longer than those of pretraining.
enum class RopeScaling : std::uint8_t { None = 1, Linear, Llama3, LongRope };

struct RopeConfig {
    double theta = 10000;
    std::int64_t width = 0;  // of each head's dimensions, the first ones, that are rotated; even
    RopeScaling scaling = RopeScaling::None;
    double factor = 1;                  // Linear, Llama3
    double low_frequency_factor = 1;    // Llama3
    double high_frequency_factor = 4;   // Llama3
    std::int64_t original_context = 0;  // Llama3, LongRope
    std::vector<double> short_factors;  // LongRope: width / 2 of each
    std::vector<double> long_factors;
    double attention_factor = 1;  // LongRope: cosines and sines times this
};

// What a translation model of this program was made for ("braid_translation" in config.json).
struct LmTranslation {
    std::string source;  // language codes: "en"
    std::string target;
    std::vector<double> phi = {0.0};  // offsets of the target's positions it was trained with; at least one
};

// Heads that predict the tokens behind the next one ("braid_token_heads" in config.json; "Faster Speech-LLaMA with multi-token prediction",
// section III and figure 2). Head 1 is the model's own; head h predicts the token h places on.
enum class LmHeadKind : std::uint8_t {
    Independent = 1,  // a projection [vocabulary, width] each
    Latent,           // a transform [width, width] each of the hidden state, which then goes through the model's own projection
};
inline constexpr std::int64_t kMostTokenHeads = 6;
struct LmTokenHeads {
    LmHeadKind kind = LmHeadKind::Latent;
    std::int64_t count = 1;  // with the model's own; 1: no further ones
    friend bool operator==(const LmTokenHeads &, const LmTokenHeads &) = default;
};
[[nodiscard]] std::string_view headKindName(LmHeadKind kind) noexcept;                  // "independent", "latent"
[[nodiscard]] std::optional<LmHeadKind> headKindNamed(std::string_view name) noexcept;  // nothing where there is no such kind

struct LmConfig {
    LmFamily family = LmFamily::Llama;
    std::int64_t vocabulary = 0;
    std::int64_t width = 0;      // hidden_size
    std::int64_t mlp_width = 0;  // intermediate_size
    std::int64_t layers = 0;
    std::int64_t heads = 0;
    std::int64_t key_value_heads = 0;
    std::int64_t head_width = 0;
    std::int64_t context = 0;  // max_position_embeddings
    double norm_epsilon = 1e-6;
    LmActivation activation = LmActivation::Silu;
    RopeConfig rope;
    bool norm_adds_one = false;  // Gemma: times (1 + weight), in float32
    bool four_norms = false;     // Gemma 2: also after attention and after the MLP, before they are added
    bool head_norms = false;     // Qwen3: queries and keys normalised over the head before they are rotated
    bool query_key_value_bias = false;
    bool attention_out_bias = false;
    bool mlp_bias = false;
    bool tied_embeddings = false;
    double embedding_scale = 1;    // Gemma: sqrt(width)
    double attention_scale = 1;    // of the products: head_width^-0.5, Gemma 2: query_pre_attn_scalar^-0.5
    double attention_softcap = 0;  // 0: none
    double output_softcap = 0;
    std::vector<std::int64_t> windows;  // a layer: entries whose position is at least this far before the query are not seen; 0: all are seen
    LmTokenHeads token_heads;
    std::int64_t streams = 0;                // rows of the stream embedding ("num_channels"); 0: none (parallel streams, streaming-llm.md 2.1)
    std::vector<std::int32_t> end_tokens;    // config.json's and generation_config.json's
    std::vector<std::int32_t> begin_tokens;  // at most one
    std::optional<LmTranslation> translation;
};

// Every tensor of a complete model of these sizes: "embed_tokens.weight", "layers.0.self_attn.q_proj.weight", "norm.weight",
// "lm_head.weight" (not where tied),
// "channel_embedding.weight" (with streams), "token_heads.2.weight", "token_heads.3.weight", ... (with further heads).
[[nodiscard]] std::vector<ExpectedTensor> expectedLmTensors(const LmConfig &config);

// How an adapter changes one linear layer: weight + scale x B A.
struct LmAdapterLayer {
    std::int64_t rank = 0;
    double scale = 1;  // lora_alpha / rank, or lora_alpha / sqrt(rank) (rslora)
};

// A PEFT adapter (LoRA), checked against the model it is for. Its tensors: "layers.0.self_attn.q_proj.lora_A" [rank, in] and ".lora_B"
// [out, rank], and whole replacements of tensors of the base under the base's names (biases, modules_to_save). Phi's fused layers are
// parted like the base's.
struct LmAdapter {
    explicit LmAdapter(std::string origin)
        : name(origin)
        , tensors(origin)
    {
    }
    std::string name;                              // the folder's
    std::map<std::string, LmAdapterLayer> layers;  // by linear layer: "layers.0.self_attn.q_proj", "lm_head"
    TensorStore tensors;
};

struct LmCheckpoint {
    explicit LmCheckpoint(std::string origin)
        : tensors(std::move(origin))
    {
    }
    LmConfig config;
    TensorStore tensors;
};

}  // namespace braid::weights
