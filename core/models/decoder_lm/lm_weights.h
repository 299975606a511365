// The tensors of a decoder-only language model, ready to compute with: fused where that saves passes over memory, with adapters that are
// applied, switched or merged.
// Thread: changing adapters only while nothing computes.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/models/decoder_lm/token_heads.h"
#include "core/nn/linear.h"
#include "core/nn/placement.h"
#include "core/weights/language_model.h"

namespace braid::models::lm {

// Adapters of linear layers while they are trained, apart from the base because what each reads is dropped at random (LoRA, Hu et al. 2021).
struct TrainedAdapters {
    struct Factors {
        at::Tensor a;  // [rank, in]
        at::Tensor b;  // [out, rank]
    };
    std::map<std::string, Factors> layers;  // by the linear layer's name, "layers.0.self_attn.q_proj"
    double scale = 1;
    std::function<at::Tensor(const at::Tensor &)> drop;  // of an adapter's inputs
};

// A linear layer of a block: one that is fused may have an adapter for each of its parts, each dropping its own inputs.
class BlockLinear : public nn::Linear {
  public:
    BlockLinear() = default;
    BlockLinear(nn::Linear layer)  // NOLINT: one without adapters in training
        : nn::Linear(std::move(layer))
    {
    }
    // `first_row`: of the outputs that it adds to.
    void train(std::int64_t first_row, const TrainedAdapters::Factors &factors, const TrainedAdapters &adapters);
    // x [..., in] -> [..., out]
    [[nodiscard]] at::Tensor operator()(const at::Tensor &x) const;

  private:
    struct Trained {
        std::int64_t first_row = 0;
        TrainedAdapters::Factors factors;
        double scale = 1;
        std::function<at::Tensor(const at::Tensor &)> drop;
    };
    std::vector<Trained> m_trained;
};

struct Block {
    at::Tensor attention_norm;
    BlockLinear query_key_value;  // rows: queries, keys, values
    at::Tensor query_norm;        // Qwen3; else undefined
    at::Tensor key_norm;
    BlockLinear attention_out;
    at::Tensor attention_out_norm;  // Gemma 2: of what attention adds
    at::Tensor mlp_norm;
    BlockLinear gate_up;  // rows: gate, up
    BlockLinear down;
    at::Tensor mlp_out_norm;  // Gemma 2
};

// Told the bytes of every tensor taken; may throw to stop the loading. May be empty.
using LoadWatch = std::function<void(std::uint64_t bytes)>;

class LmWeights {
  public:
    // Takes every tensor of a complete checkpoint once.
    LmWeights(weights::LmCheckpoint &checkpoint, const nn::Placement &placement, const LoadWatch &watch);

    // Over tensors under the names of expectedLmTensors(), with their gradients' graph: for training. `trained`: adapters beside them.
    LmWeights(const weights::LmConfig &config, const nn::Placement &placement, const std::map<std::string, at::Tensor> &tensors, TrainedAdapters trained = {});

    // Keeps an adapter beside the base, switched off. The name is its own. Errors: Error(Model) for a name that is there.
    void addAdapter(const weights::LmAdapter &adapter);
    // The adapter that counts from now on; empty: the base alone, to the last bit. Costs no copies of the base. Errors: Error(Usage) for an unknown name.
    void useAdapter(const std::string &name);
    [[nodiscard]] const std::string &adapterInUse() const noexcept { return m_in_use; }
    [[nodiscard]] std::vector<std::string> adapters() const;
    // Makes an adapter part of the base for good (faster, but rounded to the base's number type); it is then gone from the list.
    void mergeAdapter(const std::string &name);

    [[nodiscard]] const std::vector<Block> &blocks() const noexcept { return m_blocks; }
    [[nodiscard]] at::Tensor embedding() const { return m_embedding.weight(); }                                  // [vocabulary, width]; of eight bits a copy
    [[nodiscard]] at::Tensor embedded(const at::Tensor &tokens) const { return m_embedding.embedding(tokens); }  // int64 -> [..., width]
    [[nodiscard]] const at::Tensor &streamEmbedding() const noexcept { return m_stream_embedding; }              // [streams, width] or undefined
    [[nodiscard]] const at::Tensor &finalNorm() const noexcept { return m_final_norm; }
    [[nodiscard]] const nn::Linear &output() const noexcept { return m_output; }
    [[nodiscard]] const TokenHeads &tokenHeads() const noexcept { return m_token_heads; }
    [[nodiscard]] std::uint64_t bytesPerToken() const;  // of weights that a step reads

  private:
    struct Factors {
        at::Tensor a;  // [in, rank]
        at::Tensor b;  // [rank, out], scaled
    };
    struct Adapter {
        std::map<std::string, Factors> layers;
        std::map<std::string, at::Tensor> replaced;
    };
    struct Part {
        std::string name;
        std::int64_t rows = 0;
    };

    // Makes a tensor part of the base, in the form that the placement wants.
    void keep(const std::string &name, at::Tensor tensor);
    // Fuses what belongs together; `find` gives a tensor by name, or an undefined one.
    void gather(const std::function<at::Tensor(const std::string &name)> &find);
    void assemble();
    [[nodiscard]] at::Tensor tensor(const std::string &name) const;  // of the adapter in use, else of the base; undefined where neither has it
    [[nodiscard]] at::Tensor norm(const std::string &name) const;
    [[nodiscard]] nn::Linear plainLinear(const std::string &name) const;  // without adapters' factors
    [[nodiscard]] BlockLinear linear(const std::string &fused, const std::vector<Part> &parts) const;
    [[nodiscard]] std::vector<Part> partsOf(std::int64_t layer, const std::string &fused) const;
    [[nodiscard]] std::vector<Part> headParts() const;
    [[nodiscard]] const Adapter *active() const;

    weights::LmConfig m_config;
    nn::Placement m_placement;
    std::map<std::string, at::Tensor> m_base;           // "layers.0.self_attn.qkv.weight", ...: fused ones under one name
    std::map<std::string, nn::Int8Weight> m_int8_base;  // those in eight bits; a name is in one of the two
    std::map<std::string, Adapter> m_adapters;
    TrainedAdapters m_trained;
    std::string m_in_use;
    std::vector<Block> m_blocks;
    nn::Linear m_embedding;
    at::Tensor m_stream_embedding;
    at::Tensor m_final_norm;
    nn::Linear m_output;
    TokenHeads m_token_heads;
};

}  // namespace braid::models::lm
