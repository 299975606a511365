// A streaming recogniser whose answers are a plain function of the row and the number of encoded frames: what the reference decoders
// decode, the real ones can. Frames are given by hand, or counted from the sound where a whole policy drives it.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/captions/streaming_recognizer.h"
#include "tests/core/captions/reference_decoders.h"

namespace braid::test {

class FunctionRecognizer final : public captions::StreamingRecognizer {
  public:
    FunctionRecognizer(LogitsFunction function, ReferenceSettings settings)
        : m_function(std::move(function))
        , m_settings(std::move(settings))
    {
    }

    void setFrames(std::int64_t frames) { m_frames = frames; }

    void begin(const captions::Chunking &chunking, Sample) override
    {
        m_chunking = chunking;
        m_heard = m_block = m_frames = 0;
    }
    void setChunk(Sample chunk_samples) override { m_chunking.chunk_samples = chunk_samples; }
    void addSound(std::span<const float> sound) override { m_heard += static_cast<Sample>(sound.size()); }
    int blocksReady() const override
    {
        int ready = 0;
        while (m_chunking.blockEnd(m_block + ready) * frameSamples() + lookAheadSamples() <= m_heard) {
            ++ready;
        }
        return ready;
    }
    void encodeBlock() override { m_frames = m_chunking.blockEnd(m_block++); }
    void encodeRest() override { m_frames = std::max(m_frames, (m_heard + frameSamples() - 1) / frameSamples()); }
    std::int64_t frames() const override { return m_frames; }
    std::int64_t maximumFrames() const override { return 1500; }
    std::int64_t maximumTokens() const override { return 448; }
    Sample frameSamples() const override { return 320; }
    Sample lookAheadSamples() const override { return 360; }
    captions::Chunking defaultChunking() const override { return {}; }
    captions::EncoderState encoderState() const override { return {}; }

    std::vector<captions::RowScores> score(const captions::ScoreRequest &request) override
    {
        ++m_passes;
        std::vector<captions::RowScores> all;
        for (std::size_t r = 0; r < request.rows.size(); ++r) {
            const Tokens &row = request.rows[r];
            if (row.empty() || request.first_positions.at(r) >= row.size()) {
                throw std::logic_error("a position outside its row was asked for");
            }
            const bool forbidden = request.blank == captions::BlankRule::ForbiddenWhileEmpty;
            if (forbidden && row.size() != m_settings.prompt.size()) {
                throw std::logic_error("blanks may only be forbidden while nothing is said");
            }
            const ReferenceModel model(m_function, m_settings);
            captions::RowScores scores;
            scores.first_position = request.first_positions[r];
            for (std::size_t p = scores.first_position; p < row.size(); ++p) {
                const auto logits = model.logits(row, p + 1, m_frames, forbidden ? ReferenceModel::Blank::Forbidden : ReferenceModel::Blank::Allowed);
                const auto log_probabilities = referenceLogProbabilities(logits);
                const auto scoreOf = [&](std::int32_t id) {
                    return captions::TokenScore{id, logits[static_cast<std::size_t>(id)], log_probabilities[static_cast<std::size_t>(id)]};
                };
                captions::NextScores next;
                for (const std::int32_t id : referenceTopK(logits, request.best)) {
                    next.best.push_back(scoreOf(id));
                }
                next.actual = p + 1 < row.size() ? scoreOf(row[p + 1]) : captions::TokenScore{-1, 0, 0};
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

  private:
    LogitsFunction m_function;
    ReferenceSettings m_settings;
    captions::Chunking m_chunking;
    Sample m_heard = 0;
    std::int64_t m_block = 0;  // the next to be encoded
    std::int64_t m_frames = 0;
    int m_passes = 0;
    std::int64_t m_positions = 0;
};

}  // namespace braid::test
