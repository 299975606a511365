// A streaming recogniser whose answers are a plain function of the row and the number of encoded frames: what the reference decoders
// decode, the real ones can. Sound is only counted.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/decoding/streaming_recognizer.h"
#include "tests/core/decoding/reference_decoders.h"

namespace braid::test {

class FunctionRecognizer final : public decoding::StreamingRecognizer {
  public:
    FunctionRecognizer(LogitsFunction function, ReferenceSettings settings) : m_function(std::move(function)), m_settings(std::move(settings)) {}

    void setFrames(std::int64_t frames) { m_frames = frames; }

    void begin(const decoding::Chunking &, Sample) override { m_frames = 0; }
    void setChunk(Sample) override {}
    void addSound(std::span<const float>) override {}
    int blocksReady() const override { return 0; }
    void encodeBlock() override { throw std::logic_error("this fake is given its frames"); }
    void encodeRest() override {}
    std::int64_t frames() const override { return m_frames; }
    std::int64_t maximumFrames() const override { return 1500; }
    std::int64_t maximumTokens() const override { return 448; }
    Sample frameSamples() const override { return 320; }
    Sample lookAheadSamples() const override { return 360; }
    decoding::Chunking defaultChunking() const override { return {}; }
    decoding::EncoderState encoderState() const override { return {}; }

    std::vector<decoding::RowScores> score(const decoding::ScoreRequest &request) override
    {
        ++m_passes;
        std::vector<decoding::RowScores> all;
        for (std::size_t r = 0; r < request.rows.size(); ++r) {
            const Tokens &row = request.rows[r];
            if (row.empty() || request.first_positions.at(r) >= row.size())
                throw std::logic_error("a position outside its row was asked for");
            const bool forbidden = request.blank == decoding::BlankRule::ForbiddenWhileEmpty;
            if (forbidden && row.size() != m_settings.prompt.size())
                throw std::logic_error("blanks may only be forbidden while nothing is said");
            const ReferenceModel model(m_function, m_settings);
            decoding::RowScores scores;
            scores.first_position = request.first_positions[r];
            for (std::size_t p = scores.first_position; p < row.size(); ++p) {
                const auto logits = model.logits(row, p + 1, m_frames, forbidden ? ReferenceModel::Blank::Forbidden : ReferenceModel::Blank::Allowed);
                const auto log_probabilities = referenceLogProbabilities(logits);
                const auto scoreOf = [&](std::int32_t id) { return decoding::TokenScore{id, logits[static_cast<std::size_t>(id)], log_probabilities[static_cast<std::size_t>(id)]}; };
                decoding::NextScores next;
                for (const std::int32_t id : referenceTopK(logits, request.best))
                    next.best.push_back(scoreOf(id));
                next.actual = p + 1 < row.size() ? scoreOf(row[p + 1]) : decoding::TokenScore{-1, 0, 0};
                scores.next.push_back(std::move(next));
                ++m_positions;
            }
            all.push_back(std::move(scores));
        }
        return all;
    }
    int decoderPasses() const override { return m_passes; }
    // Positions whose distribution over the vocabulary was asked for.
    [[nodiscard]] std::int64_t positions() const { return m_positions; }

    std::vector<std::int32_t> prompt(std::string_view) override { return m_settings.prompt; }
    std::int32_t endToken() const override { return m_settings.end_token; }
    std::int32_t padToken() const override { return -1; }
    std::vector<text::Word> words(std::span<const text::Token> tokens) const override
    {
        std::vector<text::Word> words;
        for (const text::Token &token : tokens) {
            words.emplace_back();
            words.back().text = token.text;
            words.back().tokens = {token};
        }
        return words;
    }
    std::string textOf(std::int32_t token_id) const override { return "t" + std::to_string(token_id); }
    bool beginsWord(std::int32_t) const override { return true; }

  private:
    LogitsFunction m_function;
    ReferenceSettings m_settings;
    std::int64_t m_frames = 0;
    int m_passes = 0;
    std::int64_t m_positions = 0;
};

// A random talk: a hidden transcript that becomes more and more probable with the sound, over a small vocabulary, with ties, doubts and
// early ends. Deterministic in (seed, row, frames).
class RandomModel {
  public:
    struct Shape {
        int vocabulary = 12;
        double doubt = 1.5;      // how strong the noise is against the transcript
        bool has_ties = false;   // logits are whole numbers
        double end_bias = 0;     // above zero: ends early and often
        int tokens_per_100_frames = 12;
    };
    RandomModel(unsigned seed, Shape shape, std::int32_t end_token, std::size_t prompt_tokens, Tokens suppressed)
        : m_seed(seed), m_shape(shape), m_end(end_token), m_prompt_tokens(prompt_tokens), m_suppressed(std::move(suppressed))
    {
    }

    std::vector<float> operator()(const Tokens &row, std::int64_t frames) const
    {
        std::uint64_t state = mix(m_seed);
        for (const std::int32_t token : row)
            state = mix(state ^ (static_cast<std::uint64_t>(token) + 0x9E37));
        const std::size_t spoken = row.size() > m_prompt_tokens ? row.size() - m_prompt_tokens : 0;
        const auto heard = static_cast<std::size_t>(frames * m_shape.tokens_per_100_frames / 100);
        const std::int32_t truth = spoken < heard ? static_cast<std::int32_t>(mix(m_seed * 31 + spoken) % static_cast<std::uint64_t>(m_shape.vocabulary)) : m_end;
        std::vector<float> logits;
        for (std::int32_t token = 0; token < m_shape.vocabulary; ++token) {
            const double lasting = unit(mix(state + static_cast<std::uint64_t>(token))) - 0.5;
            const double passing = unit(mix(state + 977 * static_cast<std::uint64_t>(frames) + static_cast<std::uint64_t>(token))) - 0.5;
            double logit = m_shape.doubt * (2 * lasting + 2 * passing) + (token == truth ? 2.0 : 0.0) + (token == m_end ? m_shape.end_bias : 0.0);
            if (m_shape.has_ties)
                logit = std::round(logit);
            logits.push_back(static_cast<float>(logit));
        }
        for (const std::int32_t token : m_suppressed)
            logits[static_cast<std::size_t>(token)] = -std::numeric_limits<float>::infinity();
        return logits;
    }

  private:
    static std::uint64_t mix(std::uint64_t x)
    {
        x += 0x9E3779B97F4A7C15ull;
        x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
        x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
        return x ^ (x >> 31);
    }
    static double unit(std::uint64_t x) { return static_cast<double>(x >> 11) / 9007199254740992.0; }

    unsigned m_seed;
    Shape m_shape;
    std::int32_t m_end;
    std::size_t m_prompt_tokens;
    Tokens m_suppressed;
};

}  // namespace braid::test
