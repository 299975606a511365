// Whisper's decoder over rows that share their beginnings and sound that grows: every token of the tree is computed once for the present
// sound, whichever rows it is in, and all that is missing is computed in one pass. For the streaming decoders, which look at a handful of rows that
// differ near their ends. Thread: one at a time. Torch header.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/captions/streaming_recognizer.h"
#include "core/models/whisper/decoder.h"
#include "core/models/whisper/token_tree.h"

namespace braid::models::whisper {

class TreeDecoder {
  public:
    // `decoder` and `heads` must outlive it.
    TreeDecoder(const Decoder &decoder, const AlignmentHeads &heads, captions::TokenCache caching);

    // Forgets everything.
    void clear();
    // Call after every decoder.hear(). WithinChunk: nothing computed before is valid. AcrossChunks: keys and values stay in use; only what is
    // asked for anew is computed anew.
    void soundGrew();

    // Makes the hidden states (and attention, where wanted) of the positions from first_positions[r] of each row r on those of the
    // present sound. Returns each row's nodes, one for every position. Rows longer than the decoder's context are refused: Error(Internal).
    [[nodiscard]] std::vector<std::vector<std::int32_t>> run(const SoundCache &sound, std::span<const std::vector<std::int32_t>> rows,
                                                             std::span<const std::size_t> first_positions, AttentionWanted attention);
    // Of nodes that run() made: [nodes, n_state], and attention over the frames, mean of the alignment heads, float32 [nodes, T].
    [[nodiscard]] at::Tensor hidden(std::span<const std::int32_t> nodes) const;
    [[nodiscard]] at::Tensor attention(std::span<const std::int32_t> nodes) const;

    [[nodiscard]] int passes() const noexcept { return m_passes; }  // since clear()
    [[nodiscard]] std::int64_t cachedTokens() const noexcept { return m_tree.size(); }

  private:
    // `wanted`: those of `nodes` whose hidden state is wanted, `tapped`: those of them whose attention is.
    void compute(const SoundCache &sound, std::span<const std::int32_t> nodes, std::span<const std::int32_t> wanted, std::span<const std::int32_t> tapped);
    void keepAttention(const at::Tensor &products, std::span<const std::int32_t> nodes);
    void reserve();
    void dropUnused();

    const Decoder &m_decoder;
    const AlignmentHeads &m_heads;
    captions::TokenCache m_caching;
    TokenTree m_tree;
    nn::GrowingCache m_cache;
    at::Tensor m_hidden;                       // [capacity, n_state]
    at::Tensor m_attention;                    // [capacity, T], made when first wanted for the present sound
    std::vector<std::uint64_t> m_hidden_at;    // by node: for which sound it has a row in m_hidden
    std::vector<std::uint64_t> m_attended_at;  // by node: for which sound it has a row in m_attention
    std::uint64_t m_sound_count = 1;           // how often the sound has grown, from 1 on
    std::vector<std::int32_t> m_newest_nodes;  // of the rows asked for last
    int m_passes = 0;
};

}  // namespace braid::models::whisper
