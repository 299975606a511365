// Parallel streams on a decoder-only language model: every row is one pass over one StreamCache, all streams at once. The entries' tags and the layout's
// visibility say who sees whom; skipped silence is never kept; what has left the window is forgotten, so that a conversation of hours costs the same
// at its end as at its beginning.
// Source: "Multi-Stream LLMs" (arXiv 2605.12460), Method; streaming-llm.md 2.1, 2.2. Thread: one, the session's; the model stays alive with it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/models/decoder_lm/decoder_lm.h"
#include "core/nn/stream_cache.h"
#include "core/streams/streams_model.h"
#include "core/streams/token_texts.h"
#include "core/text/language_tokenizer.h"

namespace braid::models::lm {

class StreamsDecoder final : public streams::StreamsModel {
  public:
    // `tokens`: of the tokenizer; what the vocabulary has beyond them is padding. `name`: what people call the model.
    StreamsDecoder(std::shared_ptr<const DecoderLm> model, std::int64_t tokens, std::string name);

    // Errors: Error(Model) for more streams than the model was trained for.
    void begin(const paradigms::Visibility &visibility, std::size_t streams) override;
    [[nodiscard]] std::vector<streams::Prediction> feed(std::span<const streams::StreamInput> inputs, const streams::PredictionRequest &request) override;
    [[nodiscard]] Mark mark() const override { return m_forgotten + m_cache.length(); }  // entries kept since the beginning
    [[nodiscard]] Rewinding rewind(Mark mark) override;
    [[nodiscard]] std::vector<streams::AttendedEntry> look(const streams::StreamInput &query, const streams::LookOptions &options) override;
    [[nodiscard]] std::int64_t entries() const override { return m_cache.length(); }
    [[nodiscard]] std::int64_t mostPositions() const override { return m_model->config().context; }

  private:
    void forgetGone(std::int64_t next_step);
    [[nodiscard]] bool hasAllFor(std::int64_t step) const noexcept;  // that a token of this step sees

    std::shared_ptr<const DecoderLm> m_model;
    std::int64_t m_tokens = 0;
    std::string m_name;
    paradigms::Visibility m_visibility;
    nn::StreamCache m_cache;
    std::int64_t m_forgotten = 0;        // entries that left the window and the cache
    std::int64_t m_forgotten_until = 0;  // the last step among them; only where m_forgotten > 0
};

// The model's tokenizer as the streams know it. A special token's text is as it is written: stop rules name it so.
[[nodiscard]] std::shared_ptr<const streams::TokenTexts> tokenTextsOf(std::shared_ptr<const text::LanguageTokenizer> tokenizer);

}  // namespace braid::models::lm
