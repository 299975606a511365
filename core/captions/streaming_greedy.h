// Greedy streaming decoding (CarelessWhisper, Algorithm 1 and Definition 1): with every chunk the last n tokens are verified, the first that
// no longer holds is taken back with all behind it, and decoding goes on to the end token. All of them are verified in one call.
//
// StabilityRule::Paper: a token holds while it is the most probable, or no less probable than a chunk before (18, 19).
// ReleasedV1, ReleasedV2: what the authors' programs do (shared/reference/streaming-asr.md, 1.7): logits are compared in place of
//   probabilities; nothing is checked in the first chunk; where a token was taken back and the row as it was had ended, the
//   chunk ends with the token missing; even the prompt's last token may be taken back; the transcript must not stay empty; V1 drops the
//   28th token of a chunk.
// StabilityRule::Braid: see the .cpp.
//
// Thread, errors: as StreamingDecoder.
#pragma once

#include "core/captions/streaming_decoder.h"

namespace braid::captions {

class StreamingGreedy final : public StreamingDecoder {
  public:
    explicit StreamingGreedy(StreamingDecoderOptions options)
        : m_options(options)
    {
    }

    void begin(std::span<const std::int32_t> prompt, std::span<const std::int32_t> forced) override;
    void takeOver(std::span<const std::int32_t> prompt, std::span<const RowToken> text, std::size_t settled) override;
    ChunkEnd decode(StreamingRecognizer &recognizer, const DecodeLimits &limits) override;
    [[nodiscard]] std::span<const RowToken> text() const override;
    [[nodiscard]] std::size_t firmTokens() const override;
    void settle(std::size_t count) override;
    void adjust(int look_back_tokens, int beam_size) override;

    // With its prompt, which the released rules may cut into.
    [[nodiscard]] std::span<const RowToken> row() const { return m_row; }

  private:
    enum class Checking : std::uint8_t { No = 1, Yes };
    enum class Verdict : std::uint8_t { Stable = 1, Unstable };

    [[nodiscard]] std::size_t floor() const;
    [[nodiscard]] RowScores score(StreamingRecognizer &recognizer, std::size_t first_position) const;
    [[nodiscard]] Verdict verdict(const RowToken &token, const NextScores &next) const;
    void look(const RowScores &scores, std::int64_t frames, Checking checking);

    StreamingDecoderOptions m_options;
    std::vector<RowToken> m_row;
    std::size_t m_prompt_tokens = 0;
    std::size_t m_settled = 0;  // tokens of text that stand
    bool m_has_decoded = false;
};

}  // namespace braid::captions
