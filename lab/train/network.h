// The training form of a Whisper: the forward pass over padded batches with gradients, over parameters that keep the checkpoint's own
// names. Its layers are those that run (core/models/whisper/layers.h), made anew over the parameters for every pass; what differs is attention, over whole
// padded batches and without caches. Torch header; include only from lab/train and its tests. Thread: one.
//
// Adapters (LoRA; CarelessWhisper section VI): query, key, value and out of the encoder's self-attention and of the decoder's self-
// and cross-attention get A [in, rank] (random) and B [rank, out] (zero); with them only they are trained.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "core/captions/chunking.h"
#include "core/models/whisper/layers.h"
#include "core/models/whisper/streaming_mel.h"
#include "core/weights/whisper_checkpoint.h"
#include "lab/train/random.h"
#include "lab/train/recipe.h"

namespace braid::train {

struct NetworkTypes {
    at::Device device = at::kCPU;
    at::ScalarType parameters = at::kFloat;  // what the optimizer changes; float64 in gradient checks
    at::ScalarType products = at::kFloat;    // of matrix products: bfloat16 on a GPU; norms, softmax and losses stay in `parameters`
};

struct Dropout {
    double encoder = 0;  // of what a block adds
    double decoder = 0;
    Random *random = nullptr;  // decides what is dropped on a CPU; needed where a share is not 0. On a GPU: dropout.h
};

enum class AttentionLog : std::uint8_t { No = 1, Yes };

struct DecodedRows {
    at::Tensor hidden;                      // [R, U, state], normalised
    std::vector<at::Tensor> log_attention;  // a layer: [R, heads, U, T], log of the cross-attention; empty unless asked for
};

class Network {
  public:
    // Copies the base tensors (and adapters, where there are any) of a complete checkpoint; it stays as it was.
    Network(const weights::WhisperCheckpoint &checkpoint, const NetworkTypes &types);
    // A Whisper of these sizes with random weights (as session 1 began: uniform by fan-in, what a block adds halved).
    Network(const weights::WhisperDims &dims, std::uint64_t seed, const NetworkTypes &types);

    // Adds adapters of this rank and trains them alone. Throws Error(Usage) where there are adapters of another rank.
    void addAdapters(std::int64_t rank, std::uint64_t seed);
    // Adapters there are go into the weights they adapt; then every part is frozen, gets new adapters, which alone are trained, or is trained
    // whole. Heads are trained. What was given out of parameters() before is of no use any more.
    void trainParts(const PartsRecipe &parts, std::uint64_t seed);
    // A linear layer beside the model, for auxiliary losses: "heads.NAME.weight" [out, in] and ".bias".
    void addHead(const std::string &name, std::int64_t in, std::int64_t out, std::uint64_t seed);
    // A head that stays as it is: x -> (x - means) / deviations.
    void addFixedHead(const std::string &name, std::span<const float> means, std::span<const float> deviations);
    [[nodiscard]] bool hasParameter(const std::string &name) const { return m_parameters.count(name) > 0; }

    // mel [B, F, bands], F = melFramesOf(T); window_frames [B], at most T. -> [B, T, state]; rows beyond a window's end are of no meaning.
    // `chunking` empty: every frame sees its whole window.
    [[nodiscard]] at::Tensor encode(const at::Tensor &mel, std::span<const std::int64_t> window_frames, const std::optional<captions::Chunking> &chunking,
                                    const Dropout &dropout = {}) const;
    // tokens [R, U] (int64); row r reads encoded[window_of[r]], the first visible_frames[r] frames of it.
    [[nodiscard]] DecodedRows decode(const at::Tensor &encoded, const at::Tensor &tokens, std::span<const std::int64_t> window_of,
                                     std::span<const std::int64_t> visible_frames, AttentionLog log = AttentionLog::No, const Dropout &dropout = {}) const;
    [[nodiscard]] at::Tensor logits(const at::Tensor &hidden) const;
    [[nodiscard]] at::Tensor head(const std::string &name, const at::Tensor &x) const;

    // A second network over the same numbers, with gradients of its own: what is learned in parts at the same time (replicas.h).
    [[nodiscard]] Network sharing() const;

    // The mel frames that `frames` encoder frames are computed from.
    [[nodiscard]] std::int64_t melFramesOf(std::int64_t frames) const noexcept { return models::whisper::melFramesOf(frames, m_dims.strides()); }
    [[nodiscard]] const weights::WhisperDims &dims() const noexcept { return m_dims; }
    [[nodiscard]] std::int64_t adapterRank() const noexcept { return m_rank; }
    [[nodiscard]] const NetworkTypes &types() const noexcept { return m_types; }
    // By name, in alphabetical order; heads included. Those with requires_grad() are trained.
    [[nodiscard]] const std::map<std::string, at::Tensor> &parameters() const noexcept { return m_parameters; }

  private:
    void add(const std::string &name, const at::Tensor &value, bool is_trained);
    void addAdapter(const std::string &layer, std::int64_t rank, Random &random);
    [[nodiscard]] const at::Tensor &parameter(const std::string &name) const;
    [[nodiscard]] models::whisper::LayerSource source() const;

    weights::WhisperDims m_dims;
    NetworkTypes m_types;
    std::int64_t m_rank = 0;
    std::map<std::string, at::Tensor> m_parameters;
};

// The part that a parameter of the model (no head) belongs to.
[[nodiscard]] const PartRecipe &partOf(const PartsRecipe &parts, const std::string &name);

// Additive mask [T, T] or [B, 1, T, T] of a block-causal encoder over padded windows: 0 where a frame may look, minus infinity elsewhere;
// undefined where everything is open. Frames beyond a window's end look at its own frames, so that no row is closed altogether.
[[nodiscard]] at::Tensor blockMask(std::span<const std::int64_t> window_frames, std::int64_t frames, const std::optional<captions::Chunking> &chunking,
                                   const at::TensorOptions &options);

}  // namespace braid::train
