// Which word was said when: cross-attention of the alignment heads, normalised and median-filtered, then dynamic time warping
// (openai/whisper timing.py as described in shared/reference/streaming-asr.md 2). Torch header.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/captions/caption_policy.h"
#include "core/models/whisper/decode_window.h"
#include "core/text/transcript.h"

namespace braid::models::whisper {

// A word of a window; seconds count from the window's start.
struct TimedWord {
    std::string text;  // with its leading space
    std::vector<std::int32_t> ids;
    double start_s = 0;
    double end_s = 0;
    float probability = 0;  // mean over its tokens
};

struct Alignment {
    std::vector<TimedWord> words;     // as the model places them: tidyWords() comes next
    std::vector<text::Token> tokens;  // the text tokens, with probabilities and rivals
    double median_duration_s = 0;     // of words, at most 0.7
    std::vector<float> attention;     // tokens x frames: mean over the heads; empty unless asked for
    std::int64_t frames = 0;
};

struct AlignmentOptions {
    std::string language;
    Task task = Task::Transcribe;
    int rival_count = 0;
    bool keep_attention = false;
};

// `text_tokens`: ids below end of text only. `frames`: encoder frames of real sound, the rest is padding.
[[nodiscard]] Alignment alignWords(const Model &model, const SoundCache &sound, std::span<const std::int32_t> text_tokens, std::int64_t frames,
                                   const AlignmentOptions &options);

// What is done to words before people see them, as published: those longer than twice the median beside a sentence end are cut (the
// rest is a pause), then punctuation is merged.
void tidyWords(Alignment &alignment);

// Joins punctuation to the word before or after it; words that lost all their text remain as empty entries.
void mergePunctuation(std::vector<TimedWord> &words);

// The attention of an alignment as the inspector shows it; null where it was not kept or there is nothing in it.
[[nodiscard]] std::shared_ptr<const captions::AttentionMap> attentionMap(const Model &model, const Alignment &alignment, Sample start_sample);

// Words on the session clock, inside [start, start + length], in order; empty ones left out. `tokens`: those of the alignment, in order.
// In a language written with spaces the first word never joins what came before the window.
[[nodiscard]] std::vector<text::Word> sessionWords(const std::vector<TimedWord> &words, std::span<const text::Token> tokens, std::string_view language,
                                                   Sample start_sample, Sample length_samples);

[[nodiscard]] bool writtenWithoutSpaces(std::string_view language) noexcept;

}  // namespace braid::models::whisper
