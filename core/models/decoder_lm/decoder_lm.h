// Decoder-only language models (Llama 3.x, Qwen2/2.5, Qwen3, Gemma 2, Phi-3/3.5/4-mini) over one StreamCache: one class, one config struct.
// A pass takes tokens of any streams with their tags and a visibility, or rows of numbers in the place of some of them (speech); nothing in here knows of
// paradigms.
// Source: transformers' modeling files of these families (facts in streaming-llm.md 3); soft-capping is applied everywhere, also in streaming,
// where the released Gemma 2 streaming code leaves it out (streaming-llm.md 1.4).
// Errors: what libtorch throws; Error(Internal) for tokens the model does not have. Thread: const functions, one at a time for each cache.
#pragma once

#include <cstdint>
#include <span>

#include <ATen/ATen.h>

#include "core/models/decoder_lm/lm_weights.h"
#include "core/nn/rotary.h"
#include "core/nn/stream_attention.h"
#include "core/nn/stream_cache.h"
#include "core/paradigms/visibility.h"

namespace braid::models::lm {

// What a pass feeds: tokens, and where one of them is nn::kRow the next of `rows` in its place. A row stands for a row of the token embedding: what the model
// does to those (Gemma's scale, the stream embedding) it does to it.
struct LmInput {
    std::span<const std::int32_t> tokens;
    at::Tensor rows = {};  // [count of kRow, width] of any floating type, on any device; undefined where there are none
};

class DecoderLm {
  public:
    DecoderLm(weights::LmCheckpoint &checkpoint, const nn::Placement &placement, const LoadWatch &watch = {});
    // Over tensors under the names of expectedLmTensors(), with their gradients' graph: for training. `trained`: adapters beside them.
    DecoderLm(const weights::LmConfig &config, const nn::Placement &placement, const std::map<std::string, at::Tensor> &tensors, TrainedAdapters trained = {});

    [[nodiscard]] const weights::LmConfig &config() const noexcept { return m_config; }
    [[nodiscard]] const nn::Placement &placement() const noexcept { return m_placement; }
    [[nodiscard]] const nn::Rotary &rotary() const noexcept { return m_rotary; }
    [[nodiscard]] LmWeights &weights() noexcept { return m_weights; }
    [[nodiscard]] const LmWeights &weights() const noexcept { return m_weights; }

    [[nodiscard]] nn::StreamCache emptyCache(std::int64_t capacity, nn::KeyStorage storage = nn::KeyStorage::Turned) const;

    // Feeds tokens with their tags behind what the cache holds and keeps them there; silent entries that nobody may see are not kept.
    // Where a model of LongRope crosses into its long reach, all that the cache holds is computed again, as published.
    // -> hidden states behind the final norm, [tokens, width]. `look`: where given, the attention of this pass.
    [[nodiscard]] at::Tensor run(nn::StreamCache &cache, const LmInput &input, std::span<const paradigms::Entry> entries,
                                 const paradigms::Visibility &visibility, nn::AttentionLook *look = nullptr) const;
    [[nodiscard]] at::Tensor run(nn::StreamCache &cache, std::span<const std::int32_t> tokens, std::span<const paradigms::Entry> entries,
                                 const paradigms::Visibility &visibility, nn::AttentionLook *look = nullptr) const
    {
        return run(cache, LmInput{tokens}, entries, visibility, look);
    }

    // Whole sequences at once, without a cache; gradients flow (for training, and to compare with). tokens int64 [B, L]; positions [B, L];
    // streams int64 [B, L] or undefined; seen bool [B or 1, L, L]. -> [B, L, width]
    // `across` [B, L], for streams 0 and 1: where a token stands for what it sees of the other stream; undefined: at its position. Positions that reads have
    // moved (paradigms::Reencoding::Positions) are such: target tokens keep their distances, and all of them move away from the source.
    [[nodiscard]] at::Tensor runWhole(const at::Tensor &tokens, const at::Tensor &positions, const at::Tensor &streams, const at::Tensor &seen,
                                      const at::Tensor &across = {}) const;
    // The same of rows in the place of tokens, [B, L, width]; those of tokens are weights().embedded().
    [[nodiscard]] at::Tensor runRowsWhole(const at::Tensor &rows, const at::Tensor &positions, const at::Tensor &streams, const at::Tensor &seen,
                                          const at::Tensor &across = {}) const;

    // hidden [..., width] -> float32 [..., vocabulary]
    [[nodiscard]] at::Tensor logits(const at::Tensor &hidden) const;
    // Of the heads `first` to `last` (2 to config().token_heads.count), which predict the tokens behind the next one:
    // hidden [..., width] -> float32 [heads, ..., vocabulary]. Errors: Error(Internal) for a head the model does not have.
    [[nodiscard]] at::Tensor laterLogits(const at::Tensor &hidden, std::int64_t first, std::int64_t last) const;

  private:
    [[nodiscard]] at::Tensor softCapped(const at::Tensor &logits) const;
    [[nodiscard]] at::Tensor rowsOf(const LmInput &input) const;
    [[nodiscard]] at::Tensor begun(at::Tensor rows, const at::Tensor &streams) const;
    [[nodiscard]] at::Tensor normalised(const at::Tensor &x, const at::Tensor &weight) const;
    [[nodiscard]] at::Tensor mlp(const Block &block, const at::Tensor &x) const;
    [[nodiscard]] at::Tensor pass(nn::StreamCache &cache, const LmInput &input, std::span<const paradigms::Entry> entries,
                                  const paradigms::Visibility &visibility, nn::AttentionLook *look) const;
    void computeAgain(nn::StreamCache &cache, nn::RotaryReach reach, const paradigms::Visibility &visibility) const;
    struct Projected {
        at::Tensor queries;  // turned, [B, L, heads, head width]
        at::Tensor plain_queries;
        at::Tensor keys;  // not turned
        at::Tensor turned_keys;
        at::Tensor values;
    };
    [[nodiscard]] Projected projected(const Block &block, const at::Tensor &x, const nn::RotaryTable &table) const;
    static void lookAcross(Projected &heads, const at::Tensor &queries_across, const at::Tensor &streams);
    // What a layer does behind its attention; x [B, L, width].
    [[nodiscard]] at::Tensor finished(const Block &block, const at::Tensor &x, const at::Tensor &attended) const;

    weights::LmConfig m_config;
    nn::Placement m_placement;
    LmWeights m_weights;
    nn::Rotary m_rotary;
    nn::StreamAttention m_attention;
    double m_embedding_scale = 1;  // rounded to the model's number type first, as published
};

}  // namespace braid::models::lm
