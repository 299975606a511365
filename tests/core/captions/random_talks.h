// Random talks for the streaming decoders: a hidden transcript, doubts about it, and settings that differ from talk to talk.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "tests/core/captions/reference_decoders.h"

namespace braid::test {

// A random talk: a hidden transcript that becomes more and more probable with the sound, over a small vocabulary, with ties, doubts and
// early ends. Deterministic in (seed, row, frames).
class RandomModel {
  public:
    struct Shape {
        int vocabulary = 12;
        double doubt = 1.5;     // how strong the noise is against the transcript
        bool has_ties = false;  // logits are whole numbers
        double end_bias = 0;    // above zero: ends early and often
        int tokens_per_100_frames = 12;
    };
    RandomModel(unsigned seed, Shape shape, std::int32_t end_token, std::size_t prompt_tokens, Tokens suppressed)
        : m_seed(seed)
        , m_shape(shape)
        , m_end(end_token)
        , m_prompt_tokens(prompt_tokens)
        , m_suppressed(std::move(suppressed))
    {
    }

    std::vector<float> operator()(const Tokens &row, std::int64_t frames) const
    {
        std::uint64_t state = mix(m_seed);
        for (const std::int32_t token : row) {
            state = mix(state ^ (static_cast<std::uint64_t>(token) + 0x9E37));
        }
        const std::size_t spoken = row.size() > m_prompt_tokens ? row.size() - m_prompt_tokens : 0;
        const auto heard = static_cast<std::size_t>(frames * m_shape.tokens_per_100_frames / 100);
        const std::int32_t truth =
            spoken < heard ? static_cast<std::int32_t>(mix(m_seed * 31 + spoken) % static_cast<std::uint64_t>(m_shape.vocabulary)) : m_end;
        std::vector<float> logits;
        for (std::int32_t token = 0; token < m_shape.vocabulary; ++token) {
            const double lasting = unit(mix(state + static_cast<std::uint64_t>(token))) - 0.5;
            const double passing = unit(mix(state + 977 * static_cast<std::uint64_t>(frames) + static_cast<std::uint64_t>(token))) - 0.5;
            double logit = m_shape.doubt * (2 * lasting + 2 * passing) + (token == truth ? 2.0 : 0.0) + (token == m_end ? m_shape.end_bias : 0.0);
            if (m_shape.has_ties) {
                logit = std::round(logit);
            }
            logits.push_back(static_cast<float>(logit));
        }
        for (const std::int32_t token : m_suppressed) {
            logits[static_cast<std::size_t>(token)] = -std::numeric_limits<float>::infinity();
        }
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

// One of them with what a decoder is asked to do, and the frames it hears chunk by chunk.
struct RandomTalk {
    static constexpr std::int32_t kEnd = 0;
    static constexpr std::int32_t kBlank = 1;

    unsigned seed = 0;
    ReferenceSettings settings;  // before the model: it fills them in
    RandomModel model;
    std::vector<std::int64_t> frames;

    RandomTalk(unsigned number, captions::StabilityRule rule, int beam)
        : seed(number)
        , model(makeModel(number, settings))
    {
        settings.rule = rule;
        settings.beam = beam;
        settings.look_back = static_cast<int>(number % 5);
        settings.most_calls = number % 7 == 0 ? 3 : 28;
        settings.most_tokens = number % 11 == 0 ? 14 : 448;
        std::int64_t at = 0;
        for (int chunk = 0; chunk < 9; ++chunk) {
            frames.push_back(at += chunk == 0 ? 30 : 5 + 5 * ((number + static_cast<unsigned>(chunk)) % 3));
        }
    }

    static RandomModel makeModel(unsigned number, ReferenceSettings &settings)
    {
        settings.end_token = kEnd;
        settings.blank_tokens = {kBlank};
        // Like Whisper's: the task token before the last is suppressed, the last one is not, so that it can be taken back as released.
        settings.prompt = number % 4 == 0 ? Tokens{8} : Tokens{8, 9, 10, 11};
        RandomModel::Shape shape;
        shape.vocabulary = 12;
        shape.doubt = 0.4 + 0.4 * (number % 6);
        shape.has_ties = number % 3 == 0;
        shape.end_bias = number % 5 == 1 ? 2.0 : 0.0;
        shape.tokens_per_100_frames = 5 + static_cast<int>(number % 20);
        return RandomModel(number, shape, kEnd, settings.prompt.size(), Tokens{8, 10});
    }
};

}  // namespace braid::test
