// A small random language model that runs streams, and a tokenizer of nothing but numbers: "t7" is token 7.
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/models/decoder_lm/streams_decoder.h"
#include "core/streams/token_texts.h"
#include "tests/support/hashed_lm.h"

namespace braid::test {

// Every size is different, so that nothing can be swapped unnoticed. What tests/parity/make_streams_parity.py builds.
inline weights::LmConfig smallStreamsConfig(std::int64_t streams, std::int64_t layers = 3)
{
    weights::LmConfig config;
    config.family = weights::LmFamily::Qwen3;
    config.vocabulary = 61;
    config.width = 18;
    config.mlp_width = 30;
    config.layers = layers;
    config.heads = 4;
    config.key_value_heads = 2;
    config.head_width = 10;
    config.context = 512;
    config.norm_epsilon = 1e-6;
    config.head_norms = true;
    config.tied_embeddings = true;
    config.attention_scale = 1 / std::sqrt(10.0);
    config.rope.width = 10;
    config.rope.theta = 3000;
    config.windows.assign(static_cast<std::size_t>(layers), 0);
    config.streams = streams;
    return config;
}

inline std::shared_ptr<const models::lm::DecoderLm> smallStreamsLm(const std::string &tag, std::int64_t streams, std::int64_t layers = 3)
{
    weights::LmCheckpoint checkpoint = hashedLm(tag, smallStreamsConfig(streams, layers));
    return std::make_shared<const models::lm::DecoderLm>(checkpoint, nn::Placement{});
}

inline std::shared_ptr<models::lm::StreamsDecoder> decoderOf(std::shared_ptr<const models::lm::DecoderLm> model)
{
    return std::make_shared<models::lm::StreamsDecoder>(std::move(model), 61, "small");
}

// "t7" and " t7" are token 7; several stand one after the other.
class NumberTexts final : public streams::TokenTexts {
  public:
    [[nodiscard]] std::vector<std::int32_t> encode(std::string_view text, Specials) const override
    {
        std::vector<std::int32_t> tokens;
        for (std::size_t at = text.find('t'); at != text.npos; at = text.find('t', at + 1)) {
            tokens.push_back(std::stoi(std::string(text.substr(at + 1, 2))));
        }
        return tokens;
    }
    [[nodiscard]] std::string text(std::int32_t token) const override { return " t" + std::to_string(token); }
    [[nodiscard]] std::int32_t size() const override { return 61; }
};

}  // namespace braid::test
