// Beam search as openai/whisper does it, over plain numbers: which hypotheses live on, which are finished. No torch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace braid::models::whisper {

struct ScoredTokens {
    std::vector<std::int32_t> tokens;  // after the prompt; without end of text
    double log_probability = 0;        // the sum, end of text included
};

struct NextToken {
    std::int32_t id = 0;
    float log_probability = 0;
};

class BeamSearch {
  public:
    // patience: see DecodeOptions. Starts with one empty hypothesis, row 0.
    BeamSearch(int beam_size, float patience, std::int32_t end_of_text);

    [[nodiscard]] const std::vector<ScoredTokens> &live() const noexcept { return m_live; }
    // How many of the most probable next tokens of a hypothesis can matter.
    [[nodiscard]] std::size_t candidates() const noexcept { return m_beam_size + 1; }
    // One step: `next` holds, for each live hypothesis, its candidates(), most probable first. Returns for each new live hypothesis the
    // row it continues (to reorder caches by); its newest token is live()[i].tokens.back().
    [[nodiscard]] std::vector<std::int64_t> advance(std::span<const std::vector<NextToken>> next);
    [[nodiscard]] bool done() const noexcept { return m_finished.size() >= m_wanted; }
    // Finished hypotheses, filled up with the best live ones to beam_size.
    [[nodiscard]] std::vector<ScoredTokens> results() const;

  private:
    std::size_t m_beam_size = 1;
    std::size_t m_wanted = 1;
    std::int32_t m_end_of_text = 0;
    std::vector<ScoredTokens> m_live;
    std::vector<ScoredTokens> m_finished;
};

// Whether end of text counts as a token of a hypothesis. Published Whisper forbids empty transcripts and does not count it.
enum class EndCounts { No = 1, Yes };

// The best by mean log-probability, or by Google's length penalty; the first of equals.
[[nodiscard]] const ScoredTokens &bestOf(std::span<const ScoredTokens> candidates, std::optional<float> length_penalty, EndCounts end_counts);

}  // namespace braid::models::whisper
