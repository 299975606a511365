// A decoder-only language model while it is trained: its parameters under the names of weights::expectedLmTensors(), one tensor each, and
// the model over them, models::lm::DecoderLm, made anew for every step so that gradients flow through fusing, rounding to the products'
// number type and adapters. Torch header; thread: one.
//
// Adapters (LoRA, Hu et al. 2021): every linear layer of the blocks gets A [rank, in] (random) and B [out, rank] (zero); with them only
// they are trained, and a step computes with weight + alpha / rank x B A, or, with dropout, x weight + alpha / rank x drop(x) A B.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include <ATen/ATen.h>

#include "core/models/decoder_lm/decoder_lm.h"
#include "core/weights/language_model.h"
#include "lab/train/network.h"
#include "lab/train/random.h"
#include "lab/train/run_recipe.h"

namespace braid::train {

enum class Learning : std::uint8_t {
    Everything = 1,  // that has requires_grad()
    HeadsAlone,      // the further heads: what they are heads of is computed without a graph
};

// As the recipe says; sets the threads that libtorch computes with.
[[nodiscard]] NetworkTypes typesOf(const RunRecipe &recipe);

class LanguageNetwork {
  public:
    // Copies the tensors of a complete checkpoint. Where its config was given streams that it was not trained with, their embedding is random, as published.
    LanguageNetwork(weights::LmCheckpoint &checkpoint, std::uint64_t seed, const NetworkTypes &types);
    // Random weights: matrices uniform by fan-in, what a block adds zero at first, embeddings small.
    LanguageNetwork(const weights::LmConfig &config, std::uint64_t seed, const NetworkTypes &types);

    void addAdapters(std::int64_t rank, double alpha, std::uint64_t seed);

    // Gives a model without further heads such ones: latent ones that change nothing yet, independent ones that are copies of its output. One that has them
    // keeps its own. Throws Error(Input) where those are of another kind or number.
    void addTokenHeads(const weights::LmTokenHeads &heads);

    // The model as it is now; its tensors share memory with the parameters or are computed from them.
    [[nodiscard]] models::lm::DecoderLm model(Learning learning = Learning::Everything) const;
    // The same for a step of training, in which every adapter drops this share of its inputs. `random` must outlive it.
    [[nodiscard]] models::lm::DecoderLm droppingModel(double share, Random &random) const;
    // `parameters` (under the names of parameters()) with the adapters made part of the matrices they are for.
    [[nodiscard]] std::map<std::string, at::Tensor> merged(const std::map<std::string, at::Tensor> &parameters) const;

    [[nodiscard]] const weights::LmConfig &config() const noexcept { return m_config; }
    [[nodiscard]] const NetworkTypes &types() const noexcept { return m_types; }
    [[nodiscard]] std::int64_t adapterRank() const noexcept { return m_rank; }
    // Whether a stream embedding was added to what the checkpoint had; it is trained beside adapters, too.
    [[nodiscard]] bool hasNewStreams() const noexcept { return m_has_new_streams; }
    [[nodiscard]] double adapterScale() const noexcept { return m_scale; }
    // By name; those with requires_grad() are trained. Adapters: "layers.0.self_attn.q_proj.lora_A".
    [[nodiscard]] const std::map<std::string, at::Tensor> &parameters() const noexcept { return m_parameters; }

  private:
    void add(const std::string &name, const at::Tensor &value);

    weights::LmConfig m_config;
    NetworkTypes m_types;
    std::int64_t m_rank = 0;
    double m_scale = 0;
    bool m_has_new_streams = false;
    std::map<std::string, at::Tensor> m_parameters;
};

}  // namespace braid::train
