// Decodes one window of sound into tokens: greedy, sampled, or by beam search, after openai/whisper's published behaviour
// (reference: openai/whisper decoding.py as described in shared/reference/streaming-asr.md 2). Thread: the model's. Torch header.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "core/models/whisper/token_rules.h"
#include "core/models/whisper/whisper_model.h"

namespace braid::models::whisper {

using Task = text::WhisperTokenizer::Task;
using Timestamps = text::WhisperTokenizer::Timestamps;

struct DecodeOptions {
    std::string language;  // resolved; empty only for models without language tokens
    Task task = Task::Transcribe;
    Timestamps timestamps = Timestamps::With;   // ignored by models that have none
    float temperature = 0;                      // 0: the most probable; above: sampled
    int beam_size = 1;                          // at temperature 0; 1: greedy
    int best_of = 5;                            // samples at temperatures above 0
    float patience = 1;                         // beam search ends with round(beam_size x patience) finished hypotheses
    std::optional<float> length_penalty;        // Google's alpha; empty: mean log-probability
    std::vector<std::int32_t> previous_tokens;  // text before the window; used where the model has <|startofprev|>
    int max_tokens = 0;                         // 0: as many as the model's context allows
    float max_initial_timestamp_s = 1.0f;
    std::uint64_t seed = 0;
    std::stop_token stop;  // Error(Cancelled) between two tokens
};

struct DecodedWindow {
    std::vector<std::int32_t> tokens;  // text and timestamps, without prompt and end of text
    std::string text;                  // without surrounding space
    float average_log_probability = 0;
    float no_speech_probability = 0;  // 0 where the model has no such token
    float compression_ratio = 0;
    float temperature = 0;
    int decoder_steps = 0;
};

[[nodiscard]] DecodedWindow decodeWindow(const Model &model, const SoundCache &sound, const DecodeOptions &options);

// The tokens decoding starts with: previous text where the model takes it, then the start sequence.
struct Prompt {
    std::vector<std::int32_t> tokens;
    std::size_t start_index = 0;  // where <|startoftranscript|> stands
};
[[nodiscard]] Prompt makePrompt(const Model &model, const std::string &language, Task task, Timestamps timestamps,
                                std::span<const std::int32_t> previous_tokens);
[[nodiscard]] TokenRules makeRules(const Model &model, Timestamps timestamps, float max_initial_timestamp_s);

// Those of `tokens` that the model has, ascending, each once: as the tokens that are never said are handed to Decoder::summarise().
[[nodiscard]] std::vector<std::int64_t> tokensInOrder(const Model &model, std::span<const std::int32_t> tokens);

// Probabilities of the model's languages on this window, most probable first. Empty for models without language tokens.
[[nodiscard]] std::vector<std::pair<std::string, float>> detectLanguage(const Model &model, const SoundCache &sound);

}  // namespace braid::models::whisper
