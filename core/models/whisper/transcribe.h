// Offline transcription of sound of any length: windows, temperature fallback, the usual thresholds, word times.
// Models with timestamp tokens follow openai/whisper's transcribe.py; for models without, windows are cut at the quietest place
// near their end. Thread: the model's. Torch header.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/model_access/caption_model.h"
#include "core/models/whisper/word_alignment.h"

namespace braid::models::whisper {

enum class WordTimes { Without = 1, With };

struct TranscribeOptions {
    OfflineOptions offline;
    WordTimes word_times = WordTimes::With;
    int best_of = 5;
    float patience = 1;
    std::optional<float> length_penalty;
    int rival_count = 0;
    int max_tokens = 0;  // of a window; 0: as many as the model's context allows
};

// One stretch of text as the model itself delimited it; seconds from the beginning of the sound.
struct Segment {
    double start_s = 0;
    double end_s = 0;
    double window_start_s = 0;  // of the window it was heard in
    std::vector<std::int32_t> tokens;
    std::string text;
    float temperature = 0;
    float average_log_probability = 0;
    float compression_ratio = 0;
    float no_speech_probability = 0;
    std::vector<TimedWord> words;          // punctuation joined; seconds from the beginning of the sound
    std::vector<text::Token> word_tokens;  // those of `words`, in order
};

struct LongTranscript {
    std::string language;
    std::vector<Segment> segments;
    int decoder_steps = 0;
};

[[nodiscard]] LongTranscript transcribeSound(const Model &model, std::span<const float> sound, const TranscribeOptions &options, const Progress &progress = {},
                                             const std::stop_token &stop = {});

// One window with temperature fallback: again, hotter, where the text repeats itself or is improbable.
[[nodiscard]] DecodedWindow decodeWithFallback(const Model &model, const SoundCache &sound, DecodeOptions decode, const TranscribeOptions &options);

// Where a window of sound is best cut: the middle of the quietest 200 ms in its last two fifths.
[[nodiscard]] std::size_t quietestCut(std::span<const float> window);

// Segments -> words and line breaks on the clock of the sound.
[[nodiscard]] text::Transcript toTranscript(const LongTranscript &transcript, Sample length_samples, const text::LineRule &lines = {});
// Words in order, on lines; all first seen and settled when the sound was over.
[[nodiscard]] text::Transcript inLines(std::vector<text::Word> words, Sample length_samples, const text::LineRule &lines);

}  // namespace braid::models::whisper
