// Beam-search streaming decoding (CarelessWhisper, Algorithm 2 and Definition 3): b rows, each verified over its last n tokens with every
// chunk, then extended together until one of the b best ends. All rows are verified in one call.
//
// StabilityRule::Paper: a token holds while it is among the b most probable; a row's score is its probability given all sound so far;
//   the transcript is the most probable row.
// ReleasedV1, ReleasedV2: what the authors' programs do (shared/reference/streaming-asr.md, 1.8): b + 1 candidates a row, scores without the
//   row's last token, the transcript is the row with the best score per token, never an empty one; V1 drops the newest
//   token of the longest rows; V2 takes back a token also when its logit fell.
// StabilityRule::Braid: see the .cpp.
//
// Thread, errors: as StreamingDecoder.
#pragma once

#include "core/captions/streaming_decoder.h"
#include "core/captions/streaming_rows.h"

namespace braid::captions {

class StreamingBeam final : public StreamingDecoder {
  public:
    explicit StreamingBeam(StreamingDecoderOptions options)
        : m_options(options)
    {
    }

    void begin(std::span<const std::int32_t> prompt, std::span<const std::int32_t> forced) override;
    void takeOver(std::span<const std::int32_t> prompt, std::span<const RowToken> text, std::size_t settled) override;
    ChunkEnd decode(StreamingRecognizer &recognizer, const DecodeLimits &limits) override;
    [[nodiscard]] std::span<const RowToken> text() const override { return m_text; }
    [[nodiscard]] std::size_t firmTokens() const override;
    void settle(std::size_t count) override;
    void adjust(int look_back_tokens, int beam_size) override;

    // The rows that go on into the next chunk, with prompt, without end tokens, best first.
    [[nodiscard]] std::vector<std::vector<std::int32_t>> rows() const;

  private:
    struct Row {
        std::vector<RowToken> tokens;  // with its prompt
        double score = 0;              // as the rule has it, the newest token included
        bool has_ended = false;        // the model's end token would be next; Braid: it takes no further part in this chunk
    };
    struct Extension {
        std::size_t row = 0;
        std::size_t length = 0;  // of the row, before the token
        RowToken token;
        double score = 0;
    };

    // Of the model, for one chunk: the first call looks back at what stands, the later ones only extend it.
    enum class Call : std::uint8_t { First = 1, Later };

    [[nodiscard]] bool isBraid() const { return m_options.stability == StabilityRule::Braid; }
    [[nodiscard]] std::size_t floor() const { return m_prompt_tokens + m_settled; }
    [[nodiscard]] bool hasRoom(std::size_t most_tokens) const;
    // Braid: takes the rows that have ended out of the beam, so that the next call is spared them. By the other rules the chunk is over by then.
    [[nodiscard]] std::vector<Row> takeEnded();
    [[nodiscard]] std::vector<std::size_t> firstPositions(Call call) const;
    [[nodiscard]] std::vector<RowScores> score(StreamingRecognizer &recognizer, Call call);
    [[nodiscard]] bool holds(const RowToken &token, const NextScores &next) const;
    // Looks at all scored positions of `row`, crops it where a token does not hold; the scores of its new last position.
    [[nodiscard]] PositionScores look(Row &row, const RowScores &scores, std::int64_t frames, bool verifies);
    // What may come next, of all rows; `ends`: what the model says behind each of them.
    [[nodiscard]] std::vector<Extension> extend(const std::vector<RowScores> &scores, const std::vector<PositionScores> &ends, std::int64_t frames,
                                                Call call) const;
    [[nodiscard]] bool leadsToAnother(std::size_t r, std::size_t length, std::int32_t id) const;
    [[nodiscard]] double scoreBefore(const Row &row, std::size_t length) const;
    void addForks(std::vector<Extension> &extensions, std::size_t r, const RowScores &scores, std::int64_t frames) const;
    void keepBest(std::vector<Extension> extensions, std::vector<Row> ended, std::int32_t end_token);
    [[nodiscard]] bool isComplete() const;
    void dropNewest(std::size_t width);
    void cropLoops(std::size_t spoken_before, std::size_t most_rounds);
    void choose();

    StreamingDecoderOptions m_options;
    std::vector<Row> m_rows;  // best first
    std::vector<RowToken> m_text;
    std::size_t m_prompt_tokens = 0;
    std::size_t m_settled = 0;
    std::size_t m_width = 0;  // of the released decoders' table of rows
    bool m_has_decoded = false;
    bool m_blank_was_forbidden = false;  // by the call before: what it said holds for that call alone
};

}  // namespace braid::captions
